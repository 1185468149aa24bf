"""The board and the counters of a book as plain numbers.

In:  the book in the core.
Out: places with what touches them, and what counters, hexes and hexsides print.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from rulewright.runtime.program import Board, printed_id

from ..core import nodes as c
from ..core.maps import centres, ends_of, neighbors, numbers_of, parts_of, shared_ids, touching
from ..core.printed import printed_value

KEPT = 4
"""How many boards are remembered."""
_BOARDS: list[tuple[tuple[object, ...], Mapping[str, c.Box], Board]] = []


def board_of(book: c.Book) -> Board:
    """The geography of a book; books with the same ground and boxes share it, whatever is printed in the hexes."""
    m = book.map
    ground = (m.grid, m.hexes, m.names, m.lines, m.parts) if m is not None else ()
    for known, boxes, board in _BOARDS:
        same = len(known) == len(ground) and all(x is y for x, y in zip(known, ground, strict=True))
        if same and boxes == book.boxes:
            return board
    _BOARDS.append((ground, book.boxes, made_board(book)))
    del _BOARDS[:-KEPT]
    return _BOARDS[-1][2]


def made_board(book: c.Book) -> Board:
    """The geography of the core as flat numbers."""
    places = book.places
    number = {name: i for i, name in enumerate(places)}
    m = book.map
    near: list[tuple[int, ...]] = [()] * len(places)
    layers: dict[str, tuple[tuple[int, ...], ...]] = {}
    names: dict[str, Any] = {}
    if m is not None:
        for part in parts_of(m):
            own = {*part.hexes}
            for h in part.hexes:
                around = own.intersection(touching(part.grid, h) if part.grid.sheets else neighbors(m, h))
                near[number[h]] = tuple(sorted(number[x] for x in around))
        for layer, chains in m.lines.items():
            joined: dict[str, set[int]] = {name: set() for name in places}
            for _, chain in chains:
                for a, b in pairwise(chain):
                    if a in number and b in number:
                        joined[a].add(number[b])
                        joined[b].add(number[a])
            layers[layer] = tuple(tuple(sorted(joined[name])) for name in places)
        for name, at in m.names.items():
            ends = [number.get(x) for x in at.split("/")]
            if at in number:
                names[name] = number[at]
            elif len(ends) > 1 and None not in ends:
                names[name] = tuple(sorted(x for x in ends if x is not None))
    for name in [*names]:
        names.setdefault(printed_id(name), names[name])
    shared: dict[str, dict[str, Any]] = {}
    for text, on in (shared_ids(m) if m is not None else {}).items():
        for part_name, at in on.items():
            numbers = tuple(sorted(number[x] for x in ends_of(at, number)))
            shared.setdefault(part_name, {})[text] = numbers if len(numbers) > 1 else numbers[0]
    boxes = {
        name: {v: number[f"{name}({v})"] for v in box.keys} if box.keys else {None: number[name]}
        for name, box in book.boxes.items()
    }
    of_sort = {
        sort: frozenset(at for name, box in book.boxes.items() if box.sort == sort for at in boxes[name].values())
        for sort in ("cup", "pool")
    }
    secret = {name: box for name, box in book.boxes.items() if box.seen_by}
    return Board(
        places=places,
        hexes=book.hexes,
        names=names,
        neighbors=tuple(near),
        layers=layers,
        coordinates=centres(m) if m is not None and m.grid.sheets else (),
        staggered=m.grid.staggered if m is not None else "rows",
        boxes=boxes,
        cups=of_sort["cup"],
        pools=of_sort["pool"],
        seen_by={
            at: who for name, box in secret.items() for at, who in zip(boxes[name].values(), box.seen_by, strict=True)
        },
        shared=shared,
        maps={name: (numbers.start, numbers.stop) for name, numbers in numbers_of(m).items()},
        uncounted=frozenset(at for name, box in secret.items() if not box.counted for at in boxes[name].values()),
    )


def printed(book: c.Book, owner: str, f: c.FieldDecl) -> dict[Any, Any]:
    """The printed values of a field by owner; whoever is not there has the default."""
    if owner == "unit":
        return {u: line.fields[f.name] for u, line in enumerate(book.units) if f.name in line.fields}
    if book.map is None or owner not in ("place", "hexside"):
        return {}
    number = {name: i for i, name in enumerate(book.places)}
    found: dict[Any, Any] = {}
    if owner == "place":
        for name, text in book.map.fields.get(f.name, {}).items():
            if name in number:
                found[number[name]] = printed_value(text, f.type, book.scales)
    sides = [*book.map.sides.get(f.name, ())]
    if f.type.name == "flag":
        for _, chain in book.map.lines.get(f.name, ()):
            sides += pairwise(chain)
            if owner == "place":
                found |= {number[name]: True for name in chain if name in number}
    if owner == "hexside":
        for one, other in sides:
            if one in number and other in number:
                found[min(number[one], number[other]), max(number[one], number[other])] = True
    return found
