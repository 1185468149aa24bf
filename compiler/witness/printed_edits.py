"""Differences of printed data, value by value: counters, hexes, cells, set-ups.

In:  two books in the core with the same counters and places.
Out: the addresses of the values that differ, and a book with some of them taken from the other.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from ..core import nodes as c
from ..diff.data import mark_text, plain_key
from ..diff.facts import Fact

Address = tuple[Any, ...]
MISSING = object()


def printed_edits(a: c.Book, b: c.Book) -> list[Address]:
    """The addresses of all printed values that differ."""
    found: list[Address] = []
    theirs = {u.name: u for u in b.units}
    for u in a.units:
        v = theirs.get(u.name)
        if v is not None:
            found += [("unit", u.name, f) for f in sorted({*u.fields, *v.fields}) if differ(u.fields, v.fields, f)]
            if u.start != v.start:
                found.append(("unit", u.name, "start"))
    if a.map is not None and b.map is not None:
        for name in sorted({*a.map.fields, *b.map.fields}):
            x, y = a.map.fields.get(name, {}), b.map.fields.get(name, {})
            found += [("hex", name, at) for at in dict.fromkeys((*x, *y)) if differ(x, y, at)]
        for name in sorted({*a.map.sides, *b.map.sides}):
            one, other = (tuple(m.sides.get(name, ())) for m in (a.map, b.map))
            found += [("side", name, s) for s in dict.fromkeys((*one, *other)) if (s in one) != (s in other)]
    for name in a.scenarios:
        if name in b.scenarios:
            old, new = a.scenarios[name], b.scenarios[name]
            units = dict.fromkeys((*old.units, *new.units))
            found += [("set-up", name, u) for u in units if differ(old.units, new.units, u)]
            ours, yours = ([mark_text(m, k) for m in s.marks] for s, k in ((old, a), (new, b)))
            found += [("mark", name, m) for m in dict.fromkeys((*ours, *yours)) if (m in ours) != (m in yours)]
    return found


def cell_edits(a: c.Book, b: c.Book, name: str) -> list[Address] | None:
    """The differing cells of a table; None where its shape differs."""
    old, new = a.tables.get(name), b.tables.get(name)
    if old is None or new is None or old.clamps != new.clamps or old.type != new.type:
        return None
    if [(p.name, p.type) for p in old.params] != [(p.name, p.type) for p in new.params]:
        return None
    x, y = ({plain_key(k, t, book): v for k, v in t.cells.items()} for t, book in ((old, a), (new, b)))
    return [("cell", name, key) for key in dict.fromkeys((*x, *y)) if differ(x, y, key)]


def differ(x: Mapping[Any, Any], y: Mapping[Any, Any], key: Any) -> bool:
    return bool(x.get(key, MISSING) != y.get(key, MISSING))


def tells(f: Fact, address: Address) -> bool:
    """Whether a fact describes a printed value."""
    sort, name, what = address
    words = [x.strip() for x in f.name.split(",")]
    places = [x.strip() for x in f.where.split(",")]
    match sort:
        case "unit":
            return f.element == "unit" and name in words and (not f.where or what in places)
        case "hex":
            listed = [*places, *(x.strip() for x in (f.before or f.after).split(","))]
            return f.element == "map feature" and name in f.name.split() and what in listed
        case "side":
            said = {"/".join(what), "/".join(reversed(what))}
            listed = [x.strip() for x in f"{f.before}, {f.after}, {f.where}".split(",")]
            return f.element == "map feature" and name in f.name.split() and bool(said & set(listed))
        case "set-up":
            in_block = f.element == "set-up" and f.name == name and what in places
            return in_block or (f.element == "unit" and what in words and f.where == "start")
        case "mark":
            return f.element == "set-up" and f.name == name and what in (f.before, f.after)
        case "cell":
            return f.element == "cell" and f.name == name and what in f.keys
    return False


def carried(book: c.Book, other: c.Book, addresses: Iterable[Address]) -> c.Book:
    """A book with these values taken from the other book."""
    chosen: dict[str, list[tuple[str, Any]]] = {}
    for sort, name, what in addresses:
        chosen.setdefault(sort, []).append((name, what))
    if not chosen:
        return book
    made: dict[str, Any] = {}
    if "unit" in chosen:
        made["units"] = tuple(units(book, other, chosen["unit"]))
    if book.map is not None and other.map is not None and ("hex" in chosen or "side" in chosen):
        fields = {k: dict(v) for k, v in book.map.fields.items()}
        for name, at in chosen.get("hex", ()):
            carry(fields.setdefault(name, {}), other.map.fields.get(name, {}), at)
        sides = {k: list(v) for k, v in book.map.sides.items()}
        for name, side in chosen.get("side", ()):
            mine = sides.setdefault(name, [])
            if side in mine:
                mine.remove(side)
            else:
                mine.append(side)
        made["map"] = replace(book.map, fields=fields, sides={k: tuple(v) for k, v in sides.items()})
    if "set-up" in chosen or "mark" in chosen:
        made["scenarios"] = scenarios(book, other, chosen.get("set-up", []), chosen.get("mark", []))
    if "cell" in chosen:
        tables = dict(book.tables)
        for name in dict.fromkeys(name for name, _ in chosen["cell"]):
            keys = {what for table, what in chosen["cell"] if table == name}
            ours, theirs = tables[name], other.tables[name]
            cells = {k: v for k, v in ours.cells.items() if plain_key(k, ours, book) not in keys}
            cells |= {k: v for k, v in theirs.cells.items() if plain_key(k, theirs, other) in keys}
            order = [*theirs.cells, *ours.cells]
            tables[name] = replace(ours, cells={k: cells[k] for k in dict.fromkeys(order) if k in cells})
        made["tables"] = tables
    return replace(book, **made)


def carry(mine: dict[Any, Any], theirs: Mapping[Any, Any], key: Any) -> None:
    if key in theirs:
        mine[key] = theirs[key]
    else:
        mine.pop(key, None)


def units(book: c.Book, other: c.Book, chosen: list[tuple[str, Any]]) -> Iterable[c.UnitLine]:
    theirs = {u.name: u for u in other.units}
    wanted: dict[str, list[str]] = {}
    for name, field in chosen:
        wanted.setdefault(name, []).append(field)
    for u in book.units:
        if u.name not in wanted or u.name not in theirs:
            yield u
            continue
        fields, start = dict(u.fields), u.start
        for field in wanted[u.name]:
            if field == "start":
                start = theirs[u.name].start
            else:
                carry(fields, theirs[u.name].fields, field)
        yield replace(u, fields=fields, start=start)


def scenarios(
    book: c.Book, other: c.Book, placed: list[tuple[str, Any]], set_: list[tuple[str, Any]]
) -> dict[str, c.Scenario]:
    made = dict(book.scenarios)
    for name, unit in placed:
        at = dict(made[name].units)
        carry(at, other.scenarios[name].units, unit)
        made[name] = replace(made[name], units=at)
    for name, said in set_:
        mine = [m for m in made[name].marks if mark_text(m, book) != said]
        if len(mine) == len(made[name].marks):
            mine += [m for m in other.scenarios[name].marks if mark_text(m, other) == said]
        made[name] = replace(made[name], marks=tuple(mine))
    return made
