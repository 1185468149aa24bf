"""Mouths: a river ends in another water, where its last side stops short of one.

In:  the graph of hexsides that a river may run on, the sides of one river, where its course ends, all other waters.
Out: the sides that carry it on, at most a few, to the nearest corner of another water or of the shore.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise
from math import hypot
from typing import TypeVar

from ways import cheapest

Spot = tuple[float, float]
H = TypeVar("H", str, tuple[int, int])

MOST = 3
NEAR = 2.0


def mouth(
    ends: Mapping[Spot, Sequence[tuple[Spot, tuple[H, H]]]],
    own: Collection[tuple[H, H]],
    last: Spot,
    others: Collection[tuple[H, H]],
) -> set[tuple[H, H]]:
    """The sides between the end of a river and the next water; none where it has reached one, or none is near."""
    mine = {at for at, joined in ends.items() for _, side in joined if side in own}
    if not mine:
        return set()
    start = min(mine, key=lambda at: (round(hypot(at[0] - last[0], at[1] - last[1]), 6), at))
    if hypot(start[0] - last[0], start[1] - last[1]) > NEAR:
        return set()

    def wet(at: Spot) -> bool:
        return len(ends[at]) < 3 or any(side in others and side not in own for _, side in ends[at])

    if wet(start):
        return set()
    found: list[list[Spot]] = []
    for goal in (at for at in ends if hypot(at[0] - start[0], at[1] - start[1]) <= MOST * 0.6 and wet(at)):
        way = cheapest(
            start, goal, lambda at: [(to, 1.0 + hypot(to[0] - last[0], to[1] - last[1]) / 9) for to, _ in ends[at]]
        )
        if 1 < len(way) <= MOST + 1:
            found.append(way)
    if not found:
        return set()
    way = min(found, key=lambda steps: (len(steps), steps))
    return {side for here, there in pairwise(way) for to, side in ends[here] if to == there}
