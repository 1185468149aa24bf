"""Outlines of sets of hexes, and their edges.

In:  a `Map` and cells of its grid.
Out: closed loops of corners round the cells, holes included.
"""

from __future__ import annotations

from collections.abc import Iterable

from ...core.maps import Map
from .paper import Cell, Point, corners, key, on_paper, steps


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


def lattice(cells: Iterable[Cell]) -> set[Cell]:
    """Every position of the grid within the bounds of the cells."""
    known = list(cells)
    if not known:
        return set()
    xs, ys = [x for x, _ in known], [y for _, y in known]
    odd = (known[0][0] + known[0][1]) % 2
    across, down = range(min(xs), max(xs) + 1), range(min(ys), max(ys) + 1)
    return {(x, y) for y in down for x in across if (x + y) % 2 == odd}
