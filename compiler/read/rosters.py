"""Read rosters: the units of a book, with what their counters print.

In:  the lines of roster blocks; kinds, fields and places are known.
Out: the book's units, numbered.
Reports: RW123 a line that does not have the roster's form, RW131 a unit named twice, RW132 an unknown place,
         RW133 an unknown field, RW134 units without a side.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from rulewright.dsl.diagnostics import Reporter, did_you_mean
from rulewright.dsl.source import Span

from ..core.case_order import by_name
from ..core.entries import Entry
from ..core.nodes import UnitLine
from ..core.types import SIDE, TURN, Type
from .printed_values import ANY, read_value, unknown_place
from .schema import DATE, MONTHS, Line
from .symbols import Symbols


@dataclass(frozen=True, slots=True)
class Row:
    """A line of a roster that is of its form: its units, and where the values of their fields stand."""

    entry: Entry
    line: Line
    match: re.Match[str]
    shared: dict[str, Line]


def read_by_rosters(symbols: Symbols) -> tuple[Any, ...]:
    """What rosters look at besides their own lines."""
    book = symbols.book
    fields = {name: f.type for (owner, name), f in book.fields.items() if owner == "unit"}
    words = dict(book.kinds), dict(book.scales), dict(book.records)
    return fields, words, dict(symbols.places), dict(symbols.names), book.calendar


def read_rosters(
    rosters: list[tuple[Entry, dict[str, list[Line]]]], symbols: Symbols, report: Reporter
) -> tuple[UnitLine, ...]:
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
    return tuple(
        UnitLine(
            name=name,
            fields=fields[id(row)],
            start=symbols.book.places[symbols.places[start]] if start in symbols.places else start,
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
    return {key: read_value(x.value, types[key], x.span, symbols, report, ANY) for key, x in row.shared.items()}


def row_fields(
    row: Row, common: dict[str, Any], types: dict[str, Type], symbols: Symbols, report: Reporter
) -> dict[str, Any]:
    """The fields of the units of one line: those of the roster, of the line's form, and of the lines below it."""
    report.case = row.entry.case
    fields = dict(common)
    for slot, text in row.match.groupdict().items():
        fields[slot] = read_value(text, types[slot], row.line.span, symbols, report, ANY)
    for below in row.line.below:
        if below.key in types:
            fields[below.key] = read_value(below.value, types[below.key], below.span, symbols, report, ANY)
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


def unknown_field(name: str, known: Any, span: Span, report: Reporter) -> None:
    report.error(
        "RW133",
        span,
        f'a unit has no field "{name}"',
        help=did_you_mean(name, known) or f"declare it: field {name} of unit: …",
    )
