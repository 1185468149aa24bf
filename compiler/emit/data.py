"""The data module: map, counters, calendar, printed fields and tables, as plain Python values.

In:  the book in the core.
Out: the assignments of the module, in a fixed order.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from functools import partial
from typing import Any

from rulewright.runtime.program import printed_id

from ..cache.incremental import Memory
from ..core import nodes as c
from ..core.maps import Map, all_touching, centres, ends_of, neighbors, numbers_of, parts_of, shared_ids
from ..core.printed import column
from .model.expressions import Call, Dct, Expr, Lit, Name, call
from .model.printer import Printer
from .naming import HELPERS, Naming
from .program.rows import Row


def data_rows(book: c.Book, naming: Naming, memory: Memory) -> list[Row]:
    """The assignments of the module, in a fixed order."""
    scales, boxes = [*book.scales.items()], [*book.boxes.items()]
    room = memory.room("emit data", (book.places, boxes, book.hexes, scales, naming.columns))
    found: list[Row] = [room.work(("board", book.map), lambda: row("BOARD", board(book)))]
    found.append(row("UNITS", Lit(tuple(u.name for u in book.units))))
    turns = book.calendar.turns if book.calendar is not None else ()
    months = book.calendar.months if book.calendar is not None else ()
    rows = tuple((label, year, months[month - 1]) for label, year, month in turns)
    found.append(row("TURNS", Lit(rows)))
    found.append(row("TURN_NUMBERS", Lit(tuple(range(len(rows))))))
    for (owner, name), field in book.fields.items():
        made = partial(column_row, naming.columns[owner, name], book, owner, field)
        printed = owner in ("place", "hexside")
        found.append(room.work((owner, name, field.default, field.type, book.map), made) if printed else made())
    for name, box in book.boxes.items():
        if box.keys:
            places = {v: book.places.index(f"{name}({v})") for v in box.keys}
            found.append(row(naming.columns["box", name], Lit(places)))
    for name, table in book.tables.items():
        found.append(room.work(("table", table), partial(cells_row, naming.columns["cells", name], table)))
    for owner in ("unit", "place"):
        fields = [(Lit(name), naming.column(of, name)) for of, name in book.fields if of == owner]
        found.append(row(f"FIELDS_OF_{owner.upper()}", Dct(tuple(fields))))
    return found


def row(name: str, value: Expr) -> Row:
    """One assignment."""
    printer = Printer("data")
    printer.put(0, f"{name} = ", value)
    return Row("\n".join(printer.lines) + "\n", frozenset(printer.refs))


def cells_row(name: str, table: c.Table) -> Row:
    return row(name, Lit(dict(table.cells)))


def by_map(board: Map, index: Mapping[str, int]) -> dict[str, dict[str, Any]]:
    """On each of several maps, what the ids and names mean that it shares with another."""
    found: dict[str, dict[str, Any]] = {}
    for text, on in shared_ids(board).items():
        for name, at in on.items():
            ends = tuple(sorted(index[x] for x in ends_of(at, index)))
            found.setdefault(name, {})[text] = ends if len(ends) > 1 else ends[0]
    return found


def column_row(name: str, book: c.Book, owner: str, field: c.FieldDecl) -> Row:
    return row(name, Lit(column(book, owner, field)))


def board(book: c.Book) -> Expr:
    """The geography: neighbours, lines, coordinates and boxes."""
    places = book.places
    index = {h: i for i, h in enumerate(places)}
    m = book.map
    around: list[tuple[int, ...]] = [()] * len(places)
    layers: dict[str, list[set[int]]] = {}
    xy: tuple[tuple[int, int], ...] = ()
    staggered = "rows"
    names: dict[str, Any] = {}
    aliases: dict[str, int] = {}
    shared: dict[str, dict[str, Any]] = {}
    if m is not None:
        staggered = m.grid.staggered
        for part in parts_of(m):
            near = all_touching(part.grid, part.hexes) if part.grid.sheets else {h: neighbors(m, h) for h in part.hexes}
            enterable = frozenset(part.hexes)
            for h in part.hexes:
                around[index[h]] = tuple(sorted(index[x] for x in near[h] if x in enterable))
        xy = centres(m) if m.grid.sheets else ()
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
        aliases = {x: index[top] for x, top in m.aliases.items() if top in index}
        for name in [*names]:
            names.setdefault(printed_id(name), names[name])
        shared = by_map(m, index)
    boxes: dict[str, dict[Any, int]] = {}
    sorts: dict[str, list[int]] = {}
    seen_by: dict[int, tuple[str, ...]] = {}
    uncounted: list[int] = []
    for name, box in book.boxes.items():
        boxes[name] = dict(zip(box.keys or (None,), (index[x] for x in box.named(name)), strict=True))
        sorts.setdefault(box.sort, []).extend(boxes[name].values())
        if box.seen_by:
            seen_by.update(zip(boxes[name].values(), box.seen_by, strict=True))
            uncounted += () if box.counted else boxes[name].values()
    maps = {name: (numbers.start, numbers.stop) for name, numbers in numbers_of(m).items()}
    flat = {layer: tuple(tuple(sorted(r)) for r in rows) for layer, rows in layers.items()}
    return call(
        HELPERS["Board"],
        places=Lit(places),
        hexes=Lit(book.hexes),
        names=Lit(names),
        neighbors=Lit(tuple(around)),
        layers=Lit(flat),
        coordinates=Lit(xy),
        staggered=Lit(staggered),
        boxes=Lit(boxes),
        cups=frozen(sorts.get("cup", [])),
        **({"aliases": Lit(aliases)} if aliases else {}),
        **({"maps": Lit(maps)} if maps else {}),
        **({"shared": Lit(shared)} if shared else {}),
        **({"pools": frozen(sorts["pool"])} if "pool" in sorts else {}),
        **({"seen_by": Lit(seen_by)} if seen_by else {}),
        **({"uncounted": frozen(uncounted)} if uncounted else {}),
    )


def frozen(places: list[int]) -> Expr:
    return Call(Name("frozenset"), (Lit(tuple(places)),))
