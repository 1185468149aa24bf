"""Tables, rosters and scenarios as grids.

In:  data declarations, and the book in the core.
Out: grids of cells, each with its text and links.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from markupsafe import Markup, escape

from rulewright.dsl import nodes as n
from rulewright.dsl.words import NAME

from ..core import nodes as c
from ..core.notation import named
from .code import near
from .model import Declaration, Model
from .names import Names, unit_href


@dataclass(frozen=True, slots=True)
class Grid:
    """A table whose first `lead` columns head the rows."""

    caption: Markup
    heads: tuple[Markup, ...]
    lead: int
    rows: tuple[tuple[Markup, ...], ...]
    notes: tuple[str, ...] = ()


def draw_table(d: Declaration, names: Names, page: str) -> Grid | None:
    """A table in its author's layout, with amendments applied."""
    node = d.entry.node
    if not isinstance(node, n.Table):
        return None
    found = rows_of(node)
    if found is None:
        return None
    heads, lead, rows = found
    params = [p.name for p in node.params]
    keys = tuple(p.type.name for p in node.params)
    kinds = [*keys[:lead], *[(node.type.name, *members(names, node.type.name))] * (len(heads) - lead)]
    of = [k if isinstance(k, tuple) else (k,) for k in kinds]
    return Grid(
        caption=Markup("Table <code>{}</code>: {} by {}").format(d.name, node.type.name, " by ".join(params)),
        heads=tuple(words(x, names, page, keys[-1:]) for x in heads),
        lead=lead,
        rows=tuple(tuple(words(x, names, page, k) for x, k in zip(row, of, strict=False)) for row in rows),
        notes=tuple(line.text for line in node.lines if not line.text.startswith("|")),
    )


def rows_of(node: n.Table) -> tuple[list[str], int, list[list[str]]] | None:
    """The cells of a table: its heads, how many columns head the rows, and the rows; None where it has none."""
    rows = [[x.strip() for x in line.text[1:-1].split("|")] for line in node.lines if line.text.startswith("|")]
    if len(rows) < 2:
        return None
    params = [p.name for p in node.params]
    lead = 1 if len(params) == 1 or len(rows[0]) <= len(params) - 1 else len(params) - 1
    if len(params) > 1 and rows[0][: len(params)] == params:
        lead = len(params)
    return rows[0], lead, rows[1:]


def members(names: Names, record: str) -> list[str]:
    """The types of a record's members."""
    nodes = [d.entry.node for d in names.realm(record, "name")]
    return [type.name for x in nodes if isinstance(x, n.Record) for _, type in x.members]


def words(text: str, names: Names, page: str, kinds: tuple[str, ...] = ()) -> Markup:
    """A cell with its values (of these kinds, where known) and fields linked to their declarations."""
    out: list[str] = []
    at = 0
    for m in re.finditer(NAME, text):
        href = names.value(m[0], kinds)
        if href:
            out += [str(escape(text[at : m.start()])), f'<a href="{escape(near(href, page))}">{escape(m[0])}</a>']
            at = m.end()
    return Markup("".join(out)) + escape(text[at:])


# ---------------------------------------------------------------- rosters


def rosters(model: Model) -> dict[Declaration, list[c.UnitLine]]:
    """The units of each roster; a unit that an amendment added is listed with a roster of its case."""
    homes = [d for d in model.declarations() if d.sort == "roster" and d.state == "stands"]
    places: dict[tuple[str, int], Declaration] = {}
    for d in homes:
        for line in every_line(d.entry.node):
            places[line.span.file, line.span.line] = d
    found: dict[Declaration, list[c.UnitLine]] = {d: [] for d in homes}
    for unit in model.book.units:
        home = places.get((unit.span.file, unit.span.line))
        home = home or next((d for d in homes if d.case == unit.case), None) or (homes[0] if homes else None)
        if home is not None:
            found[home].append(unit)
    return found


def every_line(node: n.Decl) -> Iterable[n.RawLine]:
    stack = list(node.lines) if isinstance(node, n.Data) else []
    while stack:
        line = stack.pop()
        yield line
        stack += line.below


def draw_roster(d: Declaration, units: Sequence[c.UnitLine], book: c.Book, names: Names, page: str) -> Grid | None:
    """A roster: one unit a row; values that all units share are listed below the grid."""
    if not units:
        return None
    types = {name: f.type.plain for (owner, name), f in book.fields.items() if owner == "unit"}
    fields = list(dict.fromkeys(f for u in units for f in u.fields))
    text = {(u.name, f): named(u.fields[f], types.get(f), book) if f in u.fields else "" for u in units for f in fields}
    shared = [f for f in fields if len({text[u.name, f] for u in units}) == 1] if len(units) > 1 else []
    apart = [f for f in fields if f not in shared]
    starts = any(u.start for u in units)
    heads = ["unit", *apart, *(["starts at"] if starts else [])]
    kinds = {f: (types[f].name if f in types else f,) for f in apart}
    rows = []
    for u in units:
        cells = [escape(u.name), *(words(text[u.name, f], names, page, kinds[f]) for f in apart)]
        rows.append(tuple([*cells, *([words(u.start or "", names, page)] if starts else [])]))
    count = "1 unit" if len(units) == 1 else f"{len(units)} units"
    return Grid(
        caption=Markup("Roster <code>{}</code>: {}").format(d.name, count),
        heads=tuple(words(x, names, page) for x in heads),
        lead=1,
        rows=tuple(rows),
        notes=tuple(f"{f}: {text[units[0].name, f]}" for f in shared),
    )


def by_number(name: str) -> tuple[tuple[bool, int, str], ...]:
    return tuple((not x.isdigit(), int(x) if x.isdigit() else 0, x) for x in re.findall(r"\d+|\D+", name))


# ---------------------------------------------------------------- scenarios


def draw_scenario(d: Declaration, book: c.Book, names: Names, page: str) -> Grid | None:
    """The set-up of a scenario, as far as the scenario itself states it."""
    s = book.scenarios.get(d.name)
    node = d.entry.node
    if s is None or not isinstance(node, n.Data) or not any(line.text.startswith("units") for line in node.lines):
        return None
    by_place: dict[str, list[str]] = {}
    for unit, place in s.units.items():
        by_place.setdefault(place, []).append(unit)
    rows = tuple(
        (
            words(place, names, page),
            Markup(", ").join(Markup('<a href="{}">{}</a>').format(near(unit_href(u), page), u) for u in units),
        )
        for place, units in by_place.items()
    )
    if not rows:
        return None
    caption = Markup("Scenario <code>{}</code>: where units begin").format(d.name)
    return Grid(caption, (Markup("place"), Markup("units")), 1, rows)
