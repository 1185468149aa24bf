"""Geography that generated code asks about. Places are numbers; hexsides are ordered pairs of them."""

from __future__ import annotations

from .problems import each
from .program import Board
from .state import State
from .values import unique

Place = int


def edge(a: Place, b: Place) -> tuple[Place, Place]:
    return (a, b) if a < b else (b, a)


def bank(e: tuple[Place, Place], here: Place) -> Place:
    return e[1] if e[0] == here else e[0]


def near_places(board: Board) -> dict[Place | None, tuple[Place, ...]]:
    """What touches each place; nothing touches nowhere."""
    return {None: (), **dict(enumerate(board.neighbors))}


def by_map(board: Board, members: tuple[Place, ...]) -> dict[str, tuple[Place, ...]]:
    """Of hexes of several maps, those of each map."""
    return {name: tuple(p for p in members if first <= p < end) for name, (first, end) in board.maps.items()}


def on_this_map(S: State, hexes: tuple[Place, ...]) -> Place:
    """Of the hexes that maps share an id for, the one on the map in play; the first where it has none."""
    ground = S.ground
    for place in hexes:
        if place in ground:
            return place
    return hexes[0]


def twin(S: State, place: Place | None) -> Place | None:
    """The hex of the same id on the map in play; the place itself where that map has none."""
    if place is None or place in S.ground:
        return place
    return S.program.twins.get(place, {}).get(S.map, place)


def west_of(S: State, a: Place | None, b: Place | None) -> bool:
    """Whether a place of the grid lies farther west than another."""
    return _farther(S, a, b, 0)


def north_of(S: State, a: Place | None, b: Place | None) -> bool:
    """Whether a place of the grid lies farther north than another."""
    return _farther(S, a, b, 1)


def _farther(S: State, a: Place | None, b: Place | None, axis: int) -> bool:
    xy = S.program.board.coordinates
    if a is None or b is None or not xy or a not in S.ground or b not in S.ground:
        return False
    return xy[a][axis] < xy[b][axis]


def distance(S: State, a: Place | None, b: Place | None) -> int:
    """Places from one to the other on the bare grid; a large number where there is no way to tell."""
    ground = S.ground
    if a is None or b is None or a not in ground or b not in ground:
        return 10**6
    board = S.program.board
    if not board.coordinates:
        return hops(board, a, b)
    (ax, ay), (bx, by) = board.coordinates[a], board.coordinates[b]
    along, across = abs(ax - bx), abs(ay - by)
    if board.staggered == "columns":
        along, across = across, along
    return (along + across) // 2 if along > across else across


def hops(board: Board, a: Place, b: Place) -> int:
    seen, front, count = {a}, {a}, 0
    while front:
        if b in front:
            return count
        front = {y for x in front for y in board.neighbors[x]} - seen
        seen |= front
        count += 1
    return 10**6


def linked(S: State, layer: str, a: Place) -> tuple[Place, ...]:
    return S.program.board.layers[layer][a]


def units(S: State, side: str) -> tuple[int, ...]:
    found: tuple[int, ...] | None = S.lists.get(("units", side))
    if found is None:
        ground, sides = S.ground, S.unit_side
        found = tuple([u for u, p in enumerate(S.at) if p is not None and p in ground and sides[u] == side])
        S.lists["units", side] = found
    return found


def counters(S: State, side: str) -> tuple[int, ...]:
    """A side's units wherever they are, but for counters that are not in play."""
    pools = S.program.board.pools
    if not pools:
        return tuple(u for u, s in enumerate(S.unit_side) if s == side)
    return tuple(u for u, (s, p) in enumerate(zip(S.unit_side, S.at, strict=True)) if s == side and p not in pools)


def all_units(S: State) -> tuple[int, ...]:
    ground = S.ground
    return each(S, tuple(u for u, p in enumerate(S.at) if p is not None and p in ground))


def units_at(S: State, place: Place | None) -> tuple[int, ...]:
    return () if place is None else tuple(S.here[place])


def spare(S: State, place: Place | None) -> int | None:
    """The next counter that a place has to give: the first in the order of units."""
    return None if place is None or not S.here[place] else S.here[place][0]


def foremost(units: tuple[int, ...]) -> int | None:
    """The first of some units in the order of counters."""
    return min(units, default=None)


def units_in(S: State, places_: tuple[Place, ...]) -> tuple[int, ...]:
    return each(S, unique(u for p in places_ if p is not None for u in S.here[p]))


def on_map(S: State, unit: int | None) -> bool:
    place = None if unit is None else S.at[unit]
    return place is not None and place in S.ground


def occupied(S: State, side: str) -> tuple[Place, ...]:
    found: tuple[Place, ...] | None = S.lists.get(("occupied", side))
    if found is None:
        found = S.lists["occupied", side] = places(S, units(S, side))
    return found


def places(S: State, who: tuple[int, ...]) -> tuple[Place, ...]:
    return each(S, unique(p for p in (S.at[u] for u in who) if p is not None))
