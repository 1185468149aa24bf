"""Changes of data: cells of tables, units of rosters, features of maps, turns, scenarios, phrases, looks.

In:  two books in the core.
Out: changes as (kind, element, case, name, where, before, after). The values are compared, not the layout of the text:
     a row split in two, or a list of hexes rewritten as a range, is no change.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from rulewright.runtime.program import printed_id

from ..core import nodes as c
from ..core.looks import StyleLine
from ..core.maps import Map, one_map, several
from ..core.notation import named, shown
from ..core.types import Type


@dataclass(frozen=True, slots=True)
class Change:
    """One change of data; `keys` are the core keys of changed cells."""

    kind: str
    element: str
    case: str
    name: str
    where: str
    before: str
    after: str
    keys: tuple[Any, ...] = ()


# ---------------------------------------------------------------- tables


def table_changes(a: c.Book, b: c.Book, name: str, other: str | None = None) -> Iterator[Change]:
    """Differing cells of two tables; adjacent cells with the same change are one fact."""
    old, new = a.tables.get(name), b.tables.get(other or name)
    if old is None or new is None:
        return
    ours, theirs = [signature(t) for t in (old, new)]
    if ours != theirs:
        yield Change("amended", "table", new.case, new.name, "keys", ours, theirs)
    for param in sorted({*old.clamps, *new.clamps}):
        low, high = bounds(old.clamps.get(param)), bounds(new.clamps.get(param))
        if low != high:
            yield Change("amended", "table", new.case, new.name, f"clamp {param}", low, high)
    cells: list[tuple[tuple[Any, ...], str, str, str]] = []
    before = {plain_key(k, old, a): v for k, v in old.cells.items()}
    after = {plain_key(k, new, b): v for k, v in new.cells.items()}
    for key in [*before, *(k for k in after if k not in before)]:
        x = named(before[key], old.type, a) if key in before else ""
        y = named(after[key], new.type, b) if key in after else ""
        if x != y:
            kind = "added" if key not in before else "struck" if key not in after else "amended"
            cells.append((key, kind, x, y))
    for keys, kind, x, y in runs(cells):
        where = ", ".join(key_text(p.name, [k[i] for k in keys]) for i, p in enumerate(new.params))
        yield Change(kind, "cell", new.case, new.name, where, x, y, tuple(keys))


def signature(t: c.Table) -> str:
    return ", ".join(f"{p.name}: {p.type}" for p in t.params) + f" -> {t.type}"


def bounds(pair: tuple[int, int] | None) -> str:
    return "" if pair is None else f"{pair[0]}..{pair[1]}"


def plain_key(key: tuple[Any, ...], table: c.Table, book: c.Book) -> tuple[Any, ...]:
    """A key as in the text: a step of a scale by its name, not by its index."""
    return tuple(
        x if p.type.name == "number" else named(x, p.type, book) for x, p in zip(key, table.params, strict=True)
    )


def runs(cells: list[tuple[tuple[Any, ...], str, str, str]]) -> Iterator[tuple[list[tuple[Any, ...]], str, str, str]]:
    """Group cells with the same change whose keys differ in consecutive values of one number."""
    left = list(cells)
    while left:
        first, *rest = left
        best = [first]
        for axis in range(len(first[0])):
            run = [first]
            for cell in rest:
                last = run[-1][0]
                same = all(x == y for i, (x, y) in enumerate(zip(last, cell[0], strict=True)) if i != axis)
                step = (
                    isinstance(last[axis], int) and isinstance(cell[0][axis], int) and cell[0][axis] == last[axis] + 1
                )
                if same and step and cell[1:] == first[1:]:
                    run.append(cell)
            best = max(best, run, key=len)
        taken = {cell[0] for cell in best}
        left = [cell for cell in left if cell[0] not in taken]
        yield [cell[0] for cell in best], *first[1:]


def key_text(name: str, values: list[Any]) -> str:
    only = list(dict.fromkeys(values))
    return f"{name} {only[0]}" if len(only) == 1 else f"{name} {only[0]}-{only[-1]}"


# ---------------------------------------------------------------- units


Forms = Mapping[str, list[list[str]]]
"""By case: the fields of a counter that are printed together, such as strength and movement."""


def unit_changes(a: c.Book, b: c.Book, numbers: Mapping[str, str], forms: Forms) -> Iterator[Change]:
    """Units added, struck, renamed or changed; those with the same change stand in one fact.

    Numbers that are printed together change together: `where` then names each field that changed.
    """
    old, new = {u.name: u for u in a.units}, {u.name: u for u in b.units}
    gone = [u for u in a.units if u.name not in new]
    come = [u for u in b.units if u.name not in old]
    types: dict[str, Type] = {n: f.type for (owner, n), f in {**a.fields, **b.fields}.items() if owner == "unit"}
    for u in list(gone):
        like = [
            v for v in come if profile(u, types, a) == profile(v, types, b) and numbers.get(u.case, u.case) == v.case
        ]
        if len(like) == 1 and sum(profile(x, types, a) == profile(u, types, a) for x in gone) == 1:
            yield Change("renamed", "unit", like[0].case, like[0].name, "", u.name, like[0].name)
            gone.remove(u)
            come.remove(like[0])
    groups: dict[tuple[str, str, str, str, str], list[str]] = {}
    for name in (x for x in old if x in new):
        u, v = old[name], new[name]
        said: dict[str, tuple[str, str]] = {}
        for f in sorted({*u.fields, *v.fields}):
            x, y = (shown(w.fields[f], types.get(f), k) if f in w.fields else "" for w, k in ((u, a), (v, b)))
            said[f] = x, y
        changed = [f for f, (x, y) in said.items() if x != y]
        for form in forms.get(v.case, ()):
            mine = [f for f in form if f in changed]
            if len(mine) > 1 and all(x and y for x, y in (said.get(f, ("", "")) for f in form)):
                x, y = ("-".join(said[f][i] for f in form) for i in (0, 1))
                groups.setdefault(("amended", v.case, ", ".join(mine), x, y), []).append(name)
                changed = [f for f in changed if f not in mine]
        for f in changed:
            groups.setdefault(("amended", v.case, f, *said[f]), []).append(name)
        if u.start != v.start:
            groups.setdefault(("amended", v.case, "start", u.start or "none", v.start or "none"), []).append(name)
        if u.house != v.house:
            x, y = ("house" if w.house else "printed" for w in (u, v))
            groups.setdefault(("amended", v.case, "provenance", x, y), []).append(name)
        if numbers.get(u.case, u.case) != v.case:
            groups.setdefault(("moved", v.case, "", u.case, v.case), []).append(name)
    for u in gone:
        groups.setdefault(("struck", u.case, "", profile(u, types, a), ""), []).append(u.name)
    for v in come:
        groups.setdefault(("added", v.case, "", "", profile(v, types, b)), []).append(v.name)
    for (kind, case, where, x, y), names in groups.items():
        yield Change(kind, "unit", case, ", ".join(names), where, x, y)


def profile(u: c.UnitLine, types: Mapping[str, Type], book: c.Book) -> str:
    """A short description of a unit: its fields, and where it starts."""
    listed = ", ".join(f"{k} {shown(v, types.get(k), book)}" for k, v in sorted(u.fields.items()))
    return listed + (f" @{u.start}" if u.start else "")


# ---------------------------------------------------------------- maps


def map_changes(a: Map | None, b: Map | None, case: str) -> Iterator[Change]:
    """Map features that were added, removed or changed."""
    if a is None or b is None:
        if a is not None:
            yield Change("struck", "map", case, a.name, "", size(a), "")
        if b is not None:
            yield Change("added", "map", case, b.name, "", "", size(b))
        return
    if a.grid != b.grid:
        yield Change("amended", "map", case, b.name, "grid", str(a.grid), str(b.grid))
    for where, old, new in (("hexes", a.hexes, b.hexes), ("water", a.water, b.water), ("boxes", a.boxes, b.boxes)):
        yield from listed(case, where, old, new)
    yield from keyed(case, "place", a.names, b.names)
    for field in sorted({*a.fields, *b.fields}):
        yield from features(case, field, a.fields.get(field, {}), b.fields.get(field, {}))
    for kind in sorted({*a.sides, *b.sides}):
        yield from listed(case, f"side {kind}", sides(a.sides.get(kind, ())), sides(b.sides.get(kind, ())))
    for layer in sorted({*a.lines, *b.lines}):
        yield from listed(case, f"line {layer}", links(a.lines.get(layer, ())), links(b.lines.get(layer, ())))
    for track in sorted({*a.tracks, *b.tracks}):
        yield from listed(case, f"track {track}", a.tracks.get(track, ()), b.tracks.get(track, ()))


def maps_changes(a: c.Book, b: c.Book, case: str) -> Iterator[Change]:
    """The same of books with several maps: a map that only one of them has is one fact."""
    if not several(a.map) and not several(b.map):
        yield from map_changes(a.map, b.map, case)
        return
    ours, theirs = named_maps(a), named_maps(b)
    for name in [*ours, *(x for x in theirs if x not in ours)]:
        x, y = ours.get(name), theirs.get(name)
        if x is None or y is None:
            kind, was, now = ("added", "", size(y)) if y is not None else ("struck", size(x) if x else "", "")
            yield Change(kind, "map", case, name, "", was, now)
        else:
            yield from map_changes(x, y, case)


def named_maps(book: c.Book) -> dict[str, Map]:
    """The maps of a book by name."""
    board = book.map
    if board is None:
        return {}
    names = [name.removeprefix("map ") for name in book.data_cases if name.startswith("map ")]
    found = {name: one_map(board, name) for name in ([part.name for part in board.parts] or names[:1])}
    later = {name: replace(x, boxes=(), tracks={}) for name, x in [*found.items()][1:]}  # boxes are those of all maps
    return found | later


def size(board: Map) -> str:
    return f"{len(board.hexes)} places"


def listed(case: str, where: str, old: Iterable[str], new: Iterable[str]) -> Iterator[Change]:
    ours, theirs = list(dict.fromkeys(old)), list(dict.fromkeys(new))
    gone = [x for x in ours if x not in set(theirs)]
    come = [x for x in theirs if x not in set(ours)]
    if gone:
        yield Change("struck", "map feature", case, where, "", ", ".join(gone), "")
    if come:
        yield Change("added", "map feature", case, where, "", "", ", ".join(come))


def keyed(case: str, where: str, old: Mapping[str, str], new: Mapping[str, str]) -> Iterator[Change]:
    for name in [*old, *(x for x in new if x not in old)]:
        x, y = old.get(name, ""), new.get(name, "")
        if x != y:
            kind = "added" if not x else "struck" if not y else "amended"
            yield Change(kind, "map feature", case, f"{where} {name}", "", x, y)


def features(case: str, field: str, old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[Change]:
    """Fields of hexes; hexes with the same change share one fact."""
    groups: dict[tuple[str, str], list[str]] = {}
    for at in [*old, *(x for x in new if x not in old)]:
        x, y = (str(m[at]).lower() if at in m else "" for m in (old, new))
        if x != y:
            groups.setdefault((x, y), []).append(at)
    for (x, y), places in groups.items():
        kind = "added" if not x else "struck" if not y else "amended"
        yield Change(kind, "map feature", case, field, ", ".join(places), x, y)


def sides(pairs: Iterable[tuple[str, str]]) -> list[str]:
    return ["/".join(sorted(p)) for p in pairs]


def links(chains: Iterable[tuple[str | None, tuple[str, ...]]]) -> list[str]:
    return ["-".join(sorted(pair)) for _, chain in chains for pair in pairwise(chain)]


# ---------------------------------------------------------------- phrases


def word_changes(a: c.Book, b: c.Book) -> Iterator[Change]:
    """How things are said, name by name; of two phrases for one thing in one language the later counts."""
    old, new = ({(w.language, w.key): w for w in book.words} for book in (a, b))
    for at in [*old, *(x for x in new if x not in old)]:
        x, y = old.get(at), new.get(at)
        before, after = (w.text if w is not None else "" for w in (x, y))
        known = y or x
        if before != after and known is not None:
            kind = "added" if x is None else "struck" if y is None else "amended"
            yield Change(kind, "phrase", known.case, known.key, known.language, before, after)


# ---------------------------------------------------------------- time and scenarios


def calendar_changes(a: c.Calendar | None, b: c.Calendar | None) -> Iterator[Change]:
    ours, theirs = span_of(a), span_of(b)
    if (a and a.turns) != (b and b.turns):
        kind = "added" if a is None else "struck" if b is None else "amended"
        known = b or a
        yield Change(kind, "calendar", known.case if known else "", "calendar", "turns", ours, theirs)


def span_of(cal: c.Calendar | None) -> str:
    if cal is None or not cal.turns:
        return ""
    return f"{cal.turns[0][0]} to {cal.turns[-1][0]}, {len(cal.turns)} turns"


def scenario_changes(a: c.Book, b: c.Book, name: str) -> Iterator[Change]:
    old, new = a.scenarios.get(name), b.scenarios.get(name)
    if old is None or new is None:
        return
    if old.title != new.title:
        yield Change("amended", "scenario", new.case, name, "title", old.title, new.title)
    if old.sequence != new.sequence:
        yield Change("amended", "scenario", new.case, name, "sequence", old.sequence, new.sequence)
    if old.map and new.map and old.map != new.map:
        yield Change("amended", "scenario", new.case, name, "map", old.map, new.map)
    if old.margin != new.margin:
        yield Change("amended", "scenario", new.case, name, "margin", old.margin, new.margin)
    yield from placed(old, new)
    ours, theirs = ([mark_text(m, k) for m in s.marks] for s, k in ((old, a), (new, b)))
    for x in ours:
        if x not in theirs:
            yield Change("struck", "set-up", new.case, name, "set", x, "")
    for y in theirs:
        if y not in ours:
            yield Change("added", "set-up", new.case, name, "set", "", y)


def placed(old: c.Scenario, new: c.Scenario, leave: Callable[[str, str, str], bool] | None = None) -> Iterator[Change]:
    """Counters that a scenario sets up elsewhere, but those to leave out."""
    groups: dict[tuple[str, str], list[str]] = {}
    for unit in [*old.units, *(u for u in new.units if u not in old.units)]:
        x, y = old.units.get(unit, "none"), new.units.get(unit, "none")
        if x != y and not (leave is not None and leave(unit, x, y)):
            groups.setdefault((x, y), []).append(unit)
    for (x, y), units in groups.items():
        yield Change("amended", "set-up", new.case, new.name, ", ".join(units), x, y)


def reached_changes(a: c.Book, b: c.Book, name: str) -> Iterator[Change]:
    """What changes in a scenario whose own block stays as it is: by an amendment of its set-up, or by its map.

    A counter that starts elsewhere because its roster says so is a change of that counter.
    """
    old, new = a.scenarios.get(name), b.scenarios.get(name)
    if old is None or new is None:
        return
    ours, theirs = ({u.name: printed_id(u.start or "none") for u in book.units} for book in (a, b))

    def rostered(unit: str, x: str, y: str) -> bool:
        moved = ours.get(unit, "none"), theirs.get(unit, "none")
        return moved == (printed_id(x), printed_id(y)) or unit not in ours or unit not in theirs

    if old.map and new.map and old.map != new.map:
        yield Change("amended", "scenario", new.case, name, "map", old.map, new.map)
        return
    yield from placed(old, new, rostered)


def default_changes(a: c.Book, b: c.Book) -> Iterator[Change]:
    """Another scenario that is played where none is named, where both books have both."""
    old, new = (next(iter(book.scenarios), "") for book in (a, b))
    if old != new and all(name in book.scenarios for name in (old, new) for book in (a, b)):
        yield Change("amended", "scenario", b.scenarios[new].case, "played where none is named", "default", old, new)


def mark_text(mark: tuple[str, str, Any], book: c.Book) -> str:
    sort, name, value = mark
    if sort in ("game", "reading"):
        return f"{name} = {value}"
    owner, v = value
    declared = book.marks.get((sort, name))
    text = shown(owner, declared.owner if declared else None, book)
    return f"{text}.{name} = {shown(v, declared.type if declared else None, book)}"


# ---------------------------------------------------------------- style


def look_changes(a: c.Book, b: c.Book) -> Iterator[Change]:
    """The things that are drawn otherwise; of two looks for one thing the later counts."""
    old, new = ({(x.about, x.name, x.value): x for x in book.styles} for book in (a, b))
    for thing in [*old, *(x for x in new if x not in old)]:
        x, y = old.get(thing), new.get(thing)
        before, after = (look_of(line) for line in (x, y))
        known = y or x
        if before != after and known is not None:
            kind = "added" if x is None else "struck" if y is None else "amended"
            yield Change(kind, "look", known.case, thing_of(known), "", before, after)


def look_of(line: StyleLine | None) -> str:
    """The right side of a line."""
    if line is None:
        return ""
    return "hidden" if line.about == "hidden" else line.text.partition(":")[2].strip()


def thing_of(line: StyleLine) -> str:
    """The left side of a line."""
    if line.about == "hidden":
        return line.name if line.value == "hex" else f"{line.value} {line.name}"
    return " ".join(line.text.partition(":")[0].split())
