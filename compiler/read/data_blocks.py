"""Read data blocks into the core: calendars, rosters, scenarios, and the places of maps and boxes.

In:  data entries whose shape the schemas have checked.
Out: the book's calendar, places, units and scenarios.
Reports: RW123 malformed values, RW131 unit named twice, RW132 unknown place, RW133 unknown field of a roster,
         RW134 units without a side, RW136 a secret box whose side is not named, and what read_map finds.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, timedelta
from fractions import Fraction
from functools import partial
from typing import Any

from rulewright.dsl import nodes as n
from rulewright.dsl.diagnostics import Reporter, choose, did_you_mean
from rulewright.dsl.source import Span

from ..cache.incremental import Memory
from ..core.case_order import by_name
from ..core.entries import Entry
from ..core.maps import Map
from ..core.nodes import Box, Calendar, Param, Scenario, UnitLine
from ..core.types import FLAG, NUMBER, PLACE, RATIO, SIDE, TEXT, TURN, Type
from .map_blocks import read_map
from .schema import DATE, MONTHS, Checked, Line
from .symbols import Signature, Symbols

MOST_TURNS = 2000
FITS = "dates go with the step: 2 Jun 1941 by 1 day, Jun 1941 by 1 month, May/Jun 1941 by 2 months, Jun I 1941 by half"
NAMES = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def read_data(
    checked: list[Checked], entries: list[Entry], symbols: Symbols, report: Reporter, memory: Memory | None = None
) -> list[tuple[Entry, dict[str, list[Line]]]]:
    """Calendars, maps, boxes and rosters; returns the scenarios, to be read when all names are known."""
    room = (memory or Memory()).room("data")
    held: dict[str, Entry] = {}
    for entry, data, lines in checked:
        report.case = entry.case
        if data.kind in ("map", "calendar") and held.setdefault(data.kind, entry) is not entry:
            report.error(
                "RW703",
                data.span,
                f"a book has one {data.kind}; case {held[data.kind].case} has it already",
                help=f"strike one of the two, or let an overlay replace {held[data.kind].case}",
            )
        symbols.book.data_cases[f"{data.kind} {data.name}"] = (entry.case, *entry.covers)
        if data.kind == "calendar":
            symbols.book.calendar = read_calendar(lines, entry, report)
        elif data.kind == "map":
            symbols.book.map = room.work(("map", entry), partial(read_board, data, entry, report), report)
    add_places(entries, symbols, report)
    read_rosters([(entry, lines) for entry, data, lines in checked if data.kind == "roster"], symbols, report)
    report.case = ""
    return [(entry, lines) for entry, data, lines in checked if data.kind == "scenario"]


# ---------------------------------------------------------------- calendar


def read_calendar(lines: dict[str, list[Line]], entry: Entry, report: Reporter) -> Calendar:
    first, last, step = (lines[k][0].value for k in ("from", "to", "step"))
    by_day = " day" in step
    for key in ("from", "to"):
        told = lines[key][0].value
        if day_of(told) is None if by_day else told[0].isdigit():
            report.error("RW123", lines[key][0].span, f'"{told}" does not fit a step of {step}', help=FITS)
            return Calendar(turns=(), months=NAMES, case=entry.case)
    if by_day:
        days = by_days(first, last, int(step.split()[0]))
        if not 0 < len(days) <= MOST_TURNS:
            said = f"{first} to {last} by {step} is {'no turn at all' if not days else f'more than {MOST_TURNS} turns'}"
            report.error("RW123", lines["to"][0].span, said, help="check from, to and step")
        return Calendar(turns=tuple(days[:MOST_TURNS]), months=NAMES, case=entry.case)
    months = month_labels(first, step)
    if "joined" in lines:
        months = joined_months(months, lines["joined"][0], report)
    label, year = " ".join(first.split()[:-1]), int(first.split()[-1])
    turns: list[tuple[str, int, int]] = []
    if label not in months:
        report.error(
            "RW123",
            lines["from"][0].span,
            f'"{first}" does not fit a step of {step}',
            help=FITS,
        )
        return Calendar(turns=(), months=months, case=entry.case)
    at = months.index(label)
    while len(turns) < MOST_TURNS:
        turns.append((f"{months[at]} {year}", year, at + 1))
        if turns[-1][0] == last:
            return Calendar(turns=tuple(turns), months=months, case=entry.case)
        at += 1
        if at == len(months):
            at, year = 0, year + 1
    report.error(
        "RW123",
        lines["to"][0].span,
        f'"{last}" is never reached from {first} by {step}',
        help="check from, to and step",
    )
    return Calendar(turns=(), months=months, case=entry.case)


def month_labels(first: str, step: str) -> tuple[str, ...]:
    if step == "half month":
        return tuple(f"{m} {half}" for m in NAMES for half in ("I", "II"))
    width = int(step.split()[0])
    if width == 1:
        return NAMES
    offset = NAMES.index(first[:3]) % width
    starts = range(offset, 12, width)
    return tuple("/".join((NAMES[i], NAMES[(i + width - 1) % 12])) for i in starts)


def joined_months(months: tuple[str, ...], line: Line, report: Reporter) -> tuple[str, ...]:
    """The months of a year where some neighbours make one turn: `joined: Mar/Apr`."""
    for pair in (p.strip() for p in line.value.split(",")):
        one, other = pair.split("/")
        at = months.index(one) if one in months else -1
        if at < 0 or months[at + 1 : at + 2] != (other,):
            report.error(
                "RW123",
                line.span,
                f'"{pair}" does not name two turns in a row',
                help="join two neighbouring months of a monthly calendar",
            )
            continue
        months = (*months[:at], pair, *months[at + 2 :])
    return months


def day_of(text: str) -> date | None:
    """A day of the calendar; None where the text does not name one that there is."""
    try:
        day, month, year = text.split()
        return date(int(year), NAMES.index(month) + 1, int(day))
    except ValueError:
        return None


def by_days(first: str, last: str, days: int) -> list[tuple[str, int, int]]:
    """The turns of a calendar by days, one more than there may be where there are too many."""
    found: list[tuple[str, int, int]] = []
    at, end = day_of(first), day_of(last)
    while at is not None and end is not None and at <= end and len(found) <= MOST_TURNS:
        found.append((f"{at.day} {NAMES[at.month - 1]} {at.year}", at.year, at.month))
        at = at + timedelta(days=days) if end - at >= timedelta(days=days) else None
    return found


# ---------------------------------------------------------------- places


def read_board(data: n.Data, entry: Entry, report: Reporter) -> Map:
    spans = {line.span.line: line.span for line in data.lines}

    def complain(line: int, code: str, message: str, help: str) -> None:
        report.error(code, spans.get(line, data.span), message, help=help, case=entry.case)

    entries = []
    for raw in data.lines:
        key, _, value = raw.text.partition(":")
        entries.append((key.strip(), value.strip(), raw.span.line))
    return read_map(entries, complain)


def add_places(entries: list[Entry], symbols: Symbols, report: Reporter) -> None:
    """Number the places: hexes first, then the boxes that maps and books declare."""
    book = symbols.book
    names: list[str] = []
    if book.map is not None:
        names += book.map.hexes
    book.hexes = len(names)
    if book.map is not None:
        names += book.map.boxes
        for layer in book.map.lines:
            symbols.layers[layer] = layer
    symbols.layers.setdefault("land", "land")
    for entry in entries:
        node = entry.node
        if not isinstance(node, n.Box):
            continue
        kind = node.params[0].type.name if node.params else ""
        values = book.kinds.get(kind, ())
        if len(node.params) > 1 or (node.params and not values):
            report.error(
                "RW132",
                node.span,
                f'the box "{node.name}" needs one parameter of a declared kind',
                help=f"write box {node.name}(s: side)",
                case=entry.case,
            )
        seen_by = () if node.secret_to is None else who_sees(node, values or ("",), entry.case, symbols, report)
        counted = node.secret_to is None or node.counted
        box = Box(case=entry.case, keys=values, sort=node.sort, seen_by=seen_by, counted=counted)
        book.boxes[node.name] = box
        names += box.named(node.name) if values or not node.params else ()
    if book.map is not None:
        for track, steps in book.map.tracks.items():
            spaces = tuple(int(x) for x in steps if x.lstrip("-").isdigit())
            book.boxes[track] = Box(case="", keys=spaces, sort="track")
            names += [f"{track}({x})" for x in spaces]
            space = Param(name="space", type=NUMBER)
            symbols.callables[track] = Signature(sort="box", name=track, params=(space,), type=PLACE)
    book.places = tuple(names)
    symbols.places.update({name: i for i, name in enumerate(names)})
    for name, box in book.boxes.items():
        if not box.keys and name in symbols.places:
            symbols.names[name] = symbols.places[name]
    if book.map is not None:
        for name, where in book.map.names.items():
            if where in symbols.places:
                symbols.names[name] = symbols.places[where]
            elif "/" in where:
                one, _, other = where.partition("/")
                if one in symbols.places and other in symbols.places:
                    symbols.names[name] = tuple(sorted((symbols.places[one], symbols.places[other])))
        for name in book.map.boxes:
            symbols.names.setdefault(name, symbols.places[name])


def who_sees(
    node: n.Box, keys: tuple[str, ...], case: str, symbols: Symbols, report: Reporter
) -> tuple[tuple[str, ...], ...]:
    """The sides that see into a secret box, for each of its keys: they are the same in every position."""
    sides = symbols.book.kinds.get("side", ())
    own = node.params[0].name if node.params and node.params[0].type.name == "side" else None
    named = node.secret_to.items if isinstance(node.secret_to, n.Collection) else (node.secret_to,)
    words = [x.id for x in named if isinstance(x, n.Name) and (x.id in sides or x.id == own)]
    if not words or len(words) != len(named):
        assert node.secret_to is not None
        report.error(
            "RW136",
            node.secret_to.span,
            f'who sees into the box "{node.name}" must be named by side',
            help=f"write box {node.name}(s: side) secret to s, or name sides: " + ", ".join(sides),
            case=case,
        )
    return tuple(tuple(key if word == own else word for word in words) for key in keys)


# ---------------------------------------------------------------- units


@dataclass(frozen=True, slots=True)
class Row:
    """A line of a roster that is of its form: its units, and where the values of their fields stand."""

    entry: Entry
    line: Line
    match: re.Match[str]
    shared: dict[str, Line]


def read_rosters(rosters: list[tuple[Entry, dict[str, list[Line]]]], symbols: Symbols, report: Reporter) -> None:
    """Number the units, wherever their lines stand; then read their fields, which may name units.

    Units go by case, by roster, by what their line begins with, and by name.
    """
    book = symbols.book
    types = {name: f.type for (owner, name), f in book.fields.items() if owner == "unit"} | {"side": SIDE}
    rows = [row for entry, lines in rosters for row in roster_rows(entry, lines, types, symbols, report)]
    places = {id(entry): i for i, (entry, _) in enumerate(rosters)}
    named: list[tuple[str, str | None, Row]] = []
    known: set[str] = set()
    for row in rows:
        for name, start in read_names(row.line.value):
            if name in known:
                message = f'the unit "{name}" stands in two roster lines'
                report.error("RW131", row.line.span, message, help="rename one of them", case=row.entry.case)
            else:
                known.add(name)
                named.append((name, start, row))
    named.sort(key=lambda x: (places[id(x[2].entry)], by_name(x[2].line.key), by_name(x[0])))
    symbols.units.update({name: i for i, (name, _, _) in enumerate(named)})
    shared = {id(row.shared): row for row in rows}
    common = {key: shared_fields(row, types, symbols, report) for key, row in shared.items()}
    fields = {id(row): row_fields(row, common[id(row.shared)], types, symbols, report) for row in rows}
    for _, start, row in named:
        report.case = row.entry.case
        if start is not None and start not in symbols.places and start not in symbols.names:
            unknown_place(start, symbols, row.line.span, report)
    book.units = tuple(
        UnitLine(
            name=name,
            fields=fields[id(row)],
            start=start,
            case=row.entry.case,
            house=row.entry.house,
            span=row.line.span,
        )
        for name, start, row in named
    )


def roster_rows(
    entry: Entry, lines: dict[str, list[Line]], types: dict[str, Type], symbols: Symbols, report: Reporter
) -> list[Row]:
    """The lines of one roster that have its form."""
    report.case = entry.case
    form = lines["form"][0].value
    slots = re.findall(r"[A-Za-z_][A-Za-z0-9_]*", form)
    for slot in slots:
        if slot not in types:
            unknown_field(slot, types, lines["form"][0].span, report)
            return []
    twice = next((slot for slot in slots if slots.count(slot) > 1), None)
    if twice is not None:
        report.error("RW123", lines["form"][0].span, f'the form names "{twice}" twice', help="name each field once")
        return []
    pattern = re.escape(form)
    for slot in slots:
        held = f"(?P<{slot}>{written(types[slot])})"
        pattern = re.sub(rf"(?<![A-Za-z_<]){slot}(?![A-Za-z_>])", held.replace("\\", r"\\"), pattern, count=1)
    shape = re.compile(pattern.replace(r"\ ", r"\s+") + r"\Z")
    shared = {key: found[0] for key, found in lines.items() if key in types}
    rows = []
    for raw in (x for found in lines.values() for x in found):
        if raw.key == "form" or raw.key in types:
            continue
        match = shape.match(raw.key)
        if match is None:
            report.error(
                "RW123",
                raw.span,
                f'"{raw.key}" does not have the form "{form}"',
                help=f"write {form}: NAME, NAME @PLACE, …; "
                + ", ".join(f"{slot} is {in_words(types[slot], symbols)}" for slot in slots),
            )
            continue
        rows.append(Row(entry, raw, match, shared))
    return rows


def shared_fields(row: Row, types: dict[str, Type], symbols: Symbols, report: Reporter) -> dict[str, Any]:
    """The fields that all units of a roster have in common."""
    report.case = row.entry.case
    return {key: read_value(x.value, types[key], x.span, symbols, report) for key, x in row.shared.items()}


def row_fields(
    row: Row, common: dict[str, Any], types: dict[str, Type], symbols: Symbols, report: Reporter
) -> dict[str, Any]:
    """The fields of the units of one line: those of the roster, of the line's form, and of the lines below it."""
    report.case = row.entry.case
    fields = dict(common)
    for slot, text in row.match.groupdict().items():
        fields[slot] = read_value(text, types[slot], row.line.span, symbols, report)
    for below in row.line.below:
        if below.key in types:
            fields[below.key] = read_value(below.value, types[below.key], below.span, symbols, report)
        else:
            unknown_field(below.key, types, below.span, report)
    if "side" not in fields and "side" in symbols.book.kinds:
        report.error(
            "RW134",
            row.line.span,
            f'the units "{row.line.value}" have no side',
            help="add a line side: … to the roster, or side to its form",
        )
    return dict(sorted(fields.items()))


def written(type: Type) -> str:
    """How a value of a type may look in a roster line, as a pattern."""
    if type.plain == TURN:
        return rf"{DATE}|never|-"
    if type.name == "month":
        return rf"(?:{MONTHS})(?:/(?:{MONTHS}))?"
    return "[A-Za-z0-9_./*+]+"


def in_words(type: Type, symbols: Symbols) -> str:
    """What a value of a type may be, for an author."""
    turns = symbols.book.calendar.turns if symbols.book.calendar is not None else ()
    if type.plain == TURN:
        return f"a turn such as {turns[0][0]}" if turns else "a turn of the calendar"
    if type.sort in ("kind", "scale"):
        words = (symbols.book.kinds if type.sort == "kind" else symbols.book.scales).get(type.name, ())
        return "one of " + ", ".join(words[:8]) + (", …" if len(words) > 8 else "")
    return {"flag": "yes or no", "text": "a word"}.get(type.name, f"a {type}")


def read_names(text: str) -> list[tuple[str, str | None]]:
    """`3 Panzer, 24 Panzer @T14, Worker x3` as names with their starts."""
    found: list[tuple[str, str | None]] = []
    for part in text.split(","):
        name, at, start = (p.strip() for p in part.partition("@"))
        if not name:
            continue
        many = re.match(r"(.*\S)\s+x([0-9]{1,3})\Z", name)
        if many is None:
            found.append((name, start if at else None))
        else:
            found += [(f"{many[1]} {i}", start if at else None) for i in range(1, int(many[2]) + 1)]
    return found


def read_value(text: str, type: Type, span: Span, symbols: Symbols, report: Reporter) -> Any:
    """A printed value of a known type."""
    book = symbols.book
    text = text.strip()
    if type.of is not None:
        return tuple(read_value(x, type.of, span, symbols, report) for x in text.split(",") if x.strip())
    if type.absent and text in ("-", "", "none", "nothing", "never", "nobody", "nowhere"):
        return None
    if type == NUMBER or type.name in ("number", "ratio"):
        if re.fullmatch(r"[+-]?[0-9]{1,18}", text):
            return int(text)
        if re.fullmatch(r"[+-]?[0-9]{1,9}/[1-9][0-9]{0,8}", text):
            value = Fraction(text)
            return int(value) if value.denominator == 1 else value
        if type == RATIO and re.fullmatch(r"[0-9]{1,4}:[0-9]{1,4}", text):
            left, right = text.split(":")
            return Fraction(int(left), int(right))
    elif type == FLAG:
        if text in ("yes", "true", "no", "false", ""):
            return text in ("yes", "true", "")
    elif type.sort == "kind":
        if text in book.kinds.get(type.name, ()):
            return text
        report.error(
            "RW123",
            span,
            f'"{text}" is no {type.name}',
            help=did_you_mean(text, book.kinds.get(type.name, ()))
            or "its values: " + ", ".join(book.kinds.get(type.name, ())),
        )
        return None
    elif type.sort == "scale":
        if text in book.scales.get(type.name, ()):
            return book.scales[type.name].index(text)
    elif type.plain == TEXT:
        return text
    elif type.plain == PLACE:
        name = text.removeprefix("@")
        if name in symbols.places:
            return symbols.places[name]
        if isinstance(symbols.names.get(name), int):
            return symbols.names[name]
        unknown_place(name, symbols, span, report)
        return None
    elif type.plain == TURN and book.calendar is not None:
        labels = [label for label, _, _ in book.calendar.turns]
        if text in labels:
            return labels.index(text)
    elif type.name == "month" and book.calendar is not None and text in book.calendar.months:
        return text
    elif type.name == "unit" and text.strip('"') in symbols.units:
        return symbols.units[text.strip('"')]
    elif type.sort == "record":
        return read_record(text, type, span, symbols, report)
    report.error("RW123", span, f'"{text}" is no {type}', help=f"a {type} is needed here")
    return None


def read_record(text: str, type: Type, span: Span, symbols: Symbols, report: Reporter) -> Any:
    """A cell that holds several values, such as `snow -3`; a number left out is 0, a flag no, a set empty."""
    words = text.split()
    members = symbols.book.records[type.name]
    values = []
    for i, (name, member) in enumerate(members):
        if i < len(words):
            values.append(read_value(words[i], member, span, symbols, report))
        else:
            values.append(0 if member == NUMBER else False if member == FLAG else () if member.many else None)
            if not (member in (NUMBER, FLAG) or member.many or member.absent):
                report.error(
                    "RW123",
                    span,
                    f'"{text}" leaves out the part "{name}" of a {type.name}',
                    help=f"its parts: {', '.join(m for m, _ in members)}; only numbers, flags and sets may be left out",
                )
    if len(words) > len(members):
        report.error(
            "RW123",
            span,
            f'"{text}" has more parts than a {type.name}',
            help="its parts: " + ", ".join(m for m, _ in members),
        )
    return tuple(values)


def unknown_field(name: str, known: Any, span: Span, report: Reporter) -> None:
    report.error(
        "RW133",
        span,
        f'a unit has no field "{name}"',
        help=did_you_mean(name, known) or f"declare it: field {name} of unit: …",
    )


def unknown_place(name: str, symbols: Symbols, span: Span, report: Reporter) -> None:
    report.error(
        "RW132",
        span,
        f'there is no place "{name}"',
        help=did_you_mean(name, [*symbols.places, *symbols.names]) or "check the map's hexes",
    )


# ---------------------------------------------------------------- scenarios


def read_scenario(entry: Entry, lines: dict[str, list[Line]], symbols: Symbols, report: Reporter) -> Scenario | None:
    """Units placed and values set when a game starts."""
    data = entry.node
    assert isinstance(data, n.Data)
    book = symbols.book
    units = {u.name: u.start for u in book.units if u.start is not None} if not lines.get("units") else {}
    placed: dict[str, str] = {}
    for line in lines.get("units", []):
        for below in line.below:
            place = below.key.removeprefix("@")
            where = place if place in symbols.places else None
            if where is None and isinstance(symbols.names.get(place), int):
                where = book.places[int(str(symbols.names[place]))]
            if where is None:
                unknown_place(place, symbols, below.span, report)
                continue
            for name, _ in read_names(below.value):
                if name not in symbols.units:
                    report.error(
                        "RW214", below.span, f'no roster has a unit "{name}"', help=choose(name, symbols.units, "units")
                    )
                elif name in placed:
                    report.error(
                        "RW135",
                        below.span,
                        f'the unit "{name}" is set up in two places: {placed[name]} and {where}',
                        help="strike it in one of them; a second counter wants a name of its own in a roster",
                    )
                else:
                    placed[name] = units[name] = where
    marks: list[tuple[str, str, Any]] = []
    for line in lines.get("set", []):
        for below in line.below:
            owner, dot, mark = below.key.rpartition(".")
            marks += scenario_mark(owner if dot else "", mark, below, symbols, report)
    sequence = lines["sequence"][0].value
    if sequence not in symbols.procedures:
        report.error(
            "RW201",
            lines["sequence"][0].span,
            f'unknown sequence "{sequence}"',
            help=choose(sequence, symbols.procedures, "sequences"),
        )
    return Scenario(
        name=data.name,
        title=data.title,
        case=entry.case,
        sequence=sequence,
        units={k: v for k, v in sorted(units.items(), key=lambda x: symbols.units[x[0]]) if v is not None},
        marks=tuple(sorted(marks, key=mark_order)),
        house=entry.house,
        span=data.span,
    )


def mark_order(mark: tuple[str, str, Any]) -> tuple[str, str, str]:
    """Marks by what bears them, their name, and which of them is meant."""
    sort, name, value = mark
    return sort, name, "" if sort in ("game", "reading") else repr(value[0])


def scenario_mark(owner: str, mark: str, line: Line, symbols: Symbols, report: Reporter) -> list[tuple[str, str, Any]]:
    book = symbols.book
    if mark in book.unclear:
        names = [r for r, _ in book.unclear[mark].readings]
        if line.value not in names:
            report.error(
                "RW123", line.span, f'"{line.value}" is no reading of {mark}', help="readings: " + ", ".join(names)
            )
        return [("reading", mark, line.value)]
    for (sort, name), declared in book.marks.items():
        if name == mark and (sort == "game") == (owner == ""):
            value = read_value(line.value, declared.type, line.span, symbols, report)
            if sort == "game":
                return [("game", mark, value)]
            keys = [read_value(x, declared.owner, line.span, symbols, report) for x in owner.split(",")]
            return [(sort, mark, (key, value)) for key in keys]
    report.error(
        "RW213", line.span, f'no mark "{mark}" is declared', help=choose(mark, [m for _, m in book.marks], "marks")
    )
    return []
