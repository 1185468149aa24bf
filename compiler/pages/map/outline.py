"""Outlines of sets of hexes, and hexsides joined end to end.

In:  a `Map` and cells of its grid, or sides as pairs of corners.
Out: closed loops of corners round the cells, holes included; chains of corners from fork to fork, or through forks.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ...core.maps import Map
from .paper import Cell, Point, between, corners, key, on_paper, steps


def loops(board: Map, cells: Iterable[Cell]) -> list[list[Point]]:
    """The loops round a set of cells, clockwise; the same for the same set."""
    inside = set(cells)
    nexts: dict[Cell, list[Point]] = {}
    starts: dict[Cell, Point] = {}
    for x, y in sorted(inside):
        around = corners(board, on_paper(board, (x, y)))
        for k, (dx, dy) in enumerate(steps(board)):
            if (x + dx, y + dy) not in inside:
                a, b = around[k], around[(k + 1) % 6]
                nexts.setdefault(key(a), []).append(b)
                starts[key(a)] = a
    found = []
    while nexts:
        first = min(nexts)
        loop, here = [starts[first]], first
        while nexts.get(here):
            there = nexts[here].pop()
            if not nexts[here]:
                del nexts[here]
            loop.append(there)
            here = key(there)
        found.append(loop[:-1])
    return found


CORNER, SIDE = 5.0, 3.6
"""How far the corners of an outline, and the middles of its sides, lie off their places at most."""


def rough(loop: Sequence[Point]) -> list[Point]:
    """The loop as nature would have it: every corner a little off its place, and every side a little bent."""
    found = []
    for k, here in enumerate(loop):
        there = loop[(k + 1) % len(loop)]
        found += [shaken(here, CORNER), shaken(between(here, there), SIDE)]
    return found


def shaken(at: Point, most: float) -> Point:
    """A point a little off its place, always the same."""
    x, y = key(at)
    seed = (x * 73856093 ^ y * 19349663) & 0xFFFFFF
    return at[0] + most * (seed % 997 / 498 - 1), at[1] + most * (seed // 997 % 991 / 495 - 1)


def lattice(cells: Iterable[Cell]) -> set[Cell]:
    """Every position of the grid within the bounds of the cells."""
    known = list(cells)
    if not known:
        return set()
    xs, ys = [x for x, _ in known], [y for _, y in known]
    odd = (known[0][0] + known[0][1]) % 2
    across, down = range(min(xs), max(xs) + 1), range(min(ys), max(ys) + 1)
    return {(x, y) for y in down for x in across if (x + y) % 2 == odd}


# ---------------------------------------------------------------- chains


def chains(edges: Iterable[tuple[Point, Point]]) -> list[list[Point]]:
    """Sides joined end to end: from fork to fork, and round in loops."""
    near: dict[Cell, dict[Cell, Point]] = {}
    spots: dict[Cell, Point] = {}
    for a, b in edges:
        near.setdefault(key(a), {})[key(b)] = b
        near.setdefault(key(b), {})[key(a)] = a
        spots[key(a)], spots[key(b)] = a, b
    left = {(a, b) for a, others in near.items() for b in others}
    found: list[list[Point]] = []

    def walk(start: Cell, there: Cell) -> None:
        chain = [spots[start]]
        here = start
        while True:
            left.discard((here, there))
            left.discard((there, here))
            chain.append(spots[there])
            here, onward = there, [x for x in near[there] if (there, x) in left]
            if len(near[here]) != 2 or not onward:
                break
            there = onward[0]
        found.append(chain)

    for start in sorted(near):
        if len(near[start]) != 2:
            for there in sorted(near[start]):
                if (start, there) in left:
                    walk(start, there)
    while left:
        walk(*min(left))
    return found


def joined(parts: Sequence[Sequence[Point]]) -> list[list[Point]]:
    """At each fork the two longest chains become one, so that a river runs on where another joins it."""
    chains_ = [list(part) for part in parts]
    forks: dict[Cell, None] = {}
    for part in chains_:
        forks |= dict.fromkeys((key(part[0]), key(part[-1])))
    for fork in sorted(forks):
        ending = sorted(
            (k for k, part in enumerate(chains_) if fork in (key(part[0]), key(part[-1])) and len(part) > 1),
            key=lambda k: (-len(chains_[k]), key(chains_[k][0]), key(chains_[k][-1])),
        )
        if len(ending) < 2 or key(chains_[ending[0]][0]) == key(chains_[ending[0]][-1]):
            continue
        one, two = chains_[ending[0]], chains_[ending[1]]
        if key(two[0]) == key(two[-1]):
            continue
        one = one if key(one[-1]) == fork else one[::-1]
        two = two if key(two[0]) == fork else two[::-1]
        chains_[ending[0]] = [*one, *two[1:]]
        chains_[ending[1]] = []
        chains_ = [part for part in chains_ if part]
    return chains_
