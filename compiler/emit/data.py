"""The data module: map, counters, calendar, printed fields and tables, as plain Python values."""

from __future__ import annotations

import itertools
from functools import partial
from typing import Any

from ..cache.incremental import Memory
from ..core import nodes as c
from ..core.maps import coordinates, neighbors, touching
from ..core.printed import column
from .expressions import literal, mangle


def emit_data(book: c.Book, memory: Memory | None = None) -> list[tuple[str, str]]:
    """Names and literals, in a fixed order."""
    memory = memory or Memory()
    scales, boxes = [*book.scales.items()], [*book.boxes.items()]
    room = memory.room("emit data", (book.places, boxes, book.hexes, scales))
    found: list[tuple[str, str]] = [("BOARD", room.work(("board", book.map), lambda: board(book)))]
    found.append(("UNITS", literal(tuple(u.name for u in book.units))))
    turns = book.calendar.turns if book.calendar is not None else ()
    months = book.calendar.months if book.calendar is not None else ()
    rows = tuple((label, year, months[month - 1]) for label, year, month in turns)
    found.append(("TURNS", literal(rows)))
    found.append(("TURN_NUMBERS", literal(tuple(range(len(rows))))))
    for (owner, name), field in book.fields.items():
        column_text = partial(literal_column, book, owner, field)
        printed = owner in ("place", "hexside")
        text = room.work((owner, name, field.default, field.type, book.map), column_text) if printed else column_text()
        found.append((mangle(f"{owner}_{name}", "F"), text))
    for name, (_, values, _) in book.boxes.items():
        if values:
            places = {v: book.places.index(f"{name}({v})") for v in values}
            found.append((mangle(name, "BOX"), literal(places)))
    for name, table in book.tables.items():
        text = room.work(("table", table), partial(literal_cells, table))
        found.append((mangle(name, "T"), text))
    return found


def literal_cells(table: c.Table) -> str:
    return literal(dict(table.cells))


def literal_column(book: c.Book, owner: str, field: c.FieldDecl) -> str:
    return literal(column(book, owner, field))


def board(book: c.Book) -> str:
    """The geography: neighbours, lines, coordinates and boxes."""
    places = book.places
    index = {h: i for i, h in enumerate(places)}
    m = book.map
    around: list[tuple[int, ...]] = [()] * len(places)
    layers: dict[str, list[set[int]]] = {}
    xy: tuple[tuple[int, int], ...] = ()
    staggered = "rows"
    names: dict[str, Any] = {}
    if m is not None:
        staggered = m.grid.staggered
        enterable = frozenset(m.hexes)
        for h in m.hexes:
            near = touching(m.grid, h) if m.grid.sheets else neighbors(m, h)
            around[index[h]] = tuple(sorted(index[x] for x in near if x in enterable))
        if m.grid.sheets:
            xy = tuple(coordinates(m, h) for h in m.hexes)
        for layer, chains in m.lines.items():
            rows: list[set[int]] = [set() for _ in places]
            for _, chain in chains:
                for one, other in itertools.pairwise(chain):
                    if one in index and other in index:
                        rows[index[one]].add(index[other])
                        rows[index[other]].add(index[one])
            layers[layer] = rows
        for name, where in m.names.items():
            if where in index:
                names[name] = index[where]
            elif "/" in where and all(x in index for x in where.split("/")):
                names[name] = tuple(sorted(index[x] for x in where.split("/")))
    boxes: dict[str, dict[Any, int]] = {}
    cups = []
    for name, (_, values, cup) in book.boxes.items():
        boxes[name] = {v: index[f"{name}({v})"] for v in values} if values else {None: index[name]}
        if cup:
            cups += list(boxes[name].values())
    flat = {layer: tuple(tuple(sorted(r)) for r in rows) for layer, rows in layers.items()}
    return (
        f"Board(\n    places={literal(places)},\n    hexes={book.hexes},\n    names={literal(names)},\n"
        f"    neighbors={literal(tuple(around))},\n    layers={literal(flat)},\n    coordinates={literal(xy)},\n"
        f"    staggered={staggered!r},\n    boxes={literal(boxes)},\n    cups=frozenset({literal(tuple(cups))}),\n)"
    )
