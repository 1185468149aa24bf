"""Panels: a map of scattered pieces is drawn piece by piece, without the empty paper between them.

In:  the hexes of a map by their cells.
Out: groups of hexes that belong on one panel, and where each panel lies.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .outline import lattice
from .paper import Cell

FULL = 0.4
APART = 4
GAP = 30.0


def groups(at: Mapping[str, Cell], order: Sequence[str]) -> list[list[str]]:
    """One group of all hexes where they fill their frame well; else those that lie near one another."""
    cells = [at[h] for h in order if h in at]
    if not cells or len(cells) >= FULL * len(lattice(cells)):
        return [list(order)]
    by_cell = {at[h]: h for h in order if h in at}
    left = dict.fromkeys(cells)
    found = []
    while left:
        start = next(iter(left))
        del left[start]
        group, queue = [start], [start]
        while queue:
            x, y = queue.pop()
            for dx in range(-APART, APART + 1):
                for dy in range(-APART, APART + 1):
                    near = (x + dx, y + dy)
                    if near in left:
                        del left[near]
                        group.append(near)
                        queue.append(near)
        here = set(group)
        found.append([h for h in order if h in at and at[h] in here and by_cell[at[h]] == h])
    return found


def pack(sizes: Sequence[tuple[float, float]], share: float = 1.45) -> list[tuple[float, float]]:
    """Where panels of these sizes lie: in rows, the highest first, about as wide as a sheet of paper."""
    area = sum((w + GAP) * (h + GAP) for w, h in sizes)
    width = max([w for w, _ in sizes] + [(area * share) ** 0.5])
    spots: dict[int, tuple[float, float]] = {}
    x = y = row = 0.0
    for k in sorted(range(len(sizes)), key=lambda k: (-sizes[k][1], k)):
        w, h = sizes[k]
        if x and x + w > width:
            x, y, row = 0.0, y + row + GAP, 0.0
        spots[k] = (x, y)
        x += w + GAP
        row = max(row, h)
    return [spots[k] for k in range(len(sizes))]
