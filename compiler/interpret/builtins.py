"""Built-in words: geography, units, numbers, the calendar, paths and plans.

In:  the name of a word, its arguments and the world.
Out: its value.
"""

from __future__ import annotations

from typing import Any

from rulewright.runtime.program import Board

from ..core import nodes as c
from .values import ceiling, floor, nearest, ordered
from .world import World

FAR = 10**6
KNOWN = frozenset(
    "hexes points neighbors adjacent edge bank sides_of distance on_this_map twin west_of north_of linked links "
    "on_line units counters all_units units_at units_in spare foremost on_map occupied places name up down nearest odd "
    "turns year month turn_number turn_after first last start length steps winner placed assigned targets "
    "target_groups share".split()
)


def builtin(W: World, book: c.Book, board: Board, name: str, a: tuple[Any, ...]) -> Any:
    """The value of a built-in word."""
    match name:
        case "hexes" | "points":
            return tuple(W.ground)
        case "neighbors" | "adjacent" | "edge" | "bank" | "sides_of":
            return touching(board, name, a)
        case "distance":
            return distance(W, board, a[0], a[1])
        case "west_of" | "north_of":
            xy, axis = board.coordinates, 0 if name == "west_of" else 1
            return bool(xy) and {*a} <= {*W.ground} and xy[a[0]][axis] < xy[a[1]][axis]
        case "on_this_map":
            return next((place for place in a[0] if place in W.ground), a[0][0])
        case "twin":
            return twin(W, board, a[0])
        case "linked":
            return board.layers[a[0]][a[1]]
        case "links":
            return a[2] in board.layers[a[0]][a[1]]
        case "on_line":
            return bool(board.layers[a[0]][a[1]])
        case "units" | "counters" | "all_units" | "units_at" | "units_in" | "spare" | "on_map" | "occupied" | "places":
            return whereabouts(W, name, a)
        case "foremost":
            return min(a[0], default=None)
        case "name":
            return book.units[a[0]].name
        case "up":
            return ceiling(a[0])
        case "down":
            return floor(a[0])
        case "nearest":
            return nearest(a[0])
        case "odd":
            return a[0] % 2 == 1
        case "turns" | "year" | "month" | "turn_number" | "turn_after":
            return calendar(book, name, a)
        case "first" | "last" | "start" | "length" | "steps":
            return of_path(name, a)
        case "placed" | "assigned" | "targets" | "target_groups":
            return of_plan(name, a)
        case "share":
            return dict(a[0]).get(a[1], 0)
        case "winner":
            return W.winner()
        case _:
            raise ValueError(f"the oracle does not know {name}")


def twin(W: World, board: Board, place: int | None) -> int | None:
    """The hex on the map in play that has an id of this one; the place itself where there is none."""
    if place is None or place in W.ground:
        return place
    here = board.shared.get(W.S.map, {})
    ids = {text for on in board.shared.values() for text, at in on.items() if at == place}
    return next((here[text] for text in sorted(ids) if text in here), place)


def touching(board: Board, name: str, a: tuple[Any, ...]) -> Any:
    match name:
        case "neighbors":
            return board.neighbors[a[0]] if a[0] is not None else ()
        case "adjacent":
            return a[0] is not None and a[1] in board.neighbors[a[0]]
        case "edge":
            return (min(a), max(a))
        case "bank":
            return a[0][1] if a[0][0] == a[1] else a[0][0]
        case _:
            return a[0]


def whereabouts(W: World, name: str, a: tuple[Any, ...]) -> Any:
    match name:
        case "units":
            return W.units(a[0])
        case "counters":
            return W.counters(a[0])
        case "all_units":
            return W.all_units()
        case "units_at":
            return W.units_at(a[0])
        case "spare":
            return min(W.units_at(a[0]), default=None)
        case "units_in":
            return ordered(u for p in a[0] for u in W.units_at(p))
        case "on_map":
            return a[0] is not None and W.on_map(a[0])
        case "occupied":
            return W.occupied(a[0])
        case _:
            return ordered({W.at(u) for u in a[0]} - {None})


def calendar(book: c.Book, name: str, a: tuple[Any, ...]) -> Any:
    turns = book.calendar.turns if book.calendar is not None else ()
    match name:
        case "turns":
            return tuple(range(len(turns)))
        case "year":
            return turns[a[0]][1]
        case "month":
            assert book.calendar is not None
            return book.calendar.months[turns[a[0]][2] - 1]
        case "turn_number":
            return a[0] + 1
        case _:
            return a[0] + a[1]


def of_path(name: str, a: tuple[Any, ...]) -> Any:
    match name:
        case "first":
            return tuple(a[1][1 : a[0] + 1])
        case "last":
            return a[0][-1]
        case "start":
            return a[0][0]
        case "length":
            return len(a[0]) - 1
        case _:
            return a[0]


def of_plan(name: str, a: tuple[Any, ...]) -> Any:
    match name:
        case "placed":
            return ordered(i for _, items in a[0] for i in items)
        case "assigned":
            return next((items for group, items in a[0] if a[1] in group or a[1] == group), ())
        case "targets":
            return tuple(group[0] if len(group) == 1 else group for group, _ in a[0])
        case _:
            return tuple(group for group, _ in a[0])


def distance(W: World, board: Board, a: int | None, b: int | None) -> int:
    """Steps over the bare grid of the map in play, or from point to point."""
    if a is None or b is None or a not in W.ground or b not in W.ground:
        return FAR
    if board.coordinates:
        dx, dy = (abs(p - q) for p, q in zip(board.coordinates[a], board.coordinates[b], strict=True))
        long, short = (dx, dy) if board.staggered == "rows" else (dy, dx)
        return short + max(0, (long - short) // 2)
    ring, seen, steps = {a}, {a}, 0
    while ring:
        if b in ring:
            return steps
        ring = {y for x in ring for y in board.neighbors[x]} - seen
        seen |= ring
        steps += 1
    return FAR
