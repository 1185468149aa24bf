"""Rivers and rails as chains of hexes that touch.

In:  polylines as board positions.
Out: chains of hexes, cut where they leave the land or the board.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import pairwise

from board import Position, around, centre, gap, hex_of
from ways import astray, cheapest

Price = Callable[[str, str], float | None]

STEP = 0.05
CLIP = 0.3
BRIDGE = 0.2
STRAY = 0.6


class Network:
    """The river lines as a graph: their points, joined along the lines and across small gaps."""

    def __init__(self, lines: Iterable[Sequence[Position]]) -> None:
        self.points: list[Position] = []
        self.links: list[list[tuple[int, float]]] = []
        self._buckets: dict[tuple[int, int], list[int]] = {}
        ends: list[int] = []
        for line in lines:
            numbers = [self._add(point) for point in line]
            for one, other in pairwise(numbers):
                self._join(one, other)
            ends += [numbers[0], numbers[-1]]
        for end in ends:
            for other in self._near(self.points[end], BRIDGE):
                if other != end:
                    self._join(end, other)

    def follow(self, start: Position, goal: Position) -> list[Position]:
        """The way along the rivers, or the straight way where the data has no river for it."""
        first, last = self._nearest(start), self._nearest(goal)
        straight = [start, goal]
        if first is None or last is None:
            return straight
        best, origin = {first: 0.0}, {first: first}
        queue = [(0.0, first)]
        limit = 2.2 * gap(start, goal) + 2.0
        while queue:
            far, here = heapq.heappop(queue)
            if here == last:
                way = [here]
                while way[-1] != first:
                    way.append(origin[way[-1]])
                return [start, *(self.points[n] for n in reversed(way)), goal]
            if far > best[here] or far > limit:
                continue
            for there, length in self.links[here]:
                if far + length < best.get(there, limit):
                    best[there], origin[there] = far + length, here
                    heapq.heappush(queue, (far + length, there))
        return straight

    def _add(self, point: Position) -> int:
        self.points.append(point)
        self.links.append([])
        self._buckets.setdefault((round(point[0]), round(point[1])), []).append(len(self.points) - 1)
        return len(self.points) - 1

    def _join(self, one: int, other: int) -> None:
        length = gap(self.points[one], self.points[other])
        self.links[one].append((other, length))
        self.links[other].append((one, length))

    def _near(self, at: Position, reach: float) -> list[int]:
        p, row = round(at[0]), round(at[1])
        cells = [(p + dp, row + dr) for dp in (-1, 0, 1) for dr in (-1, 0, 1)]
        found = [n for cell in cells for n in self._buckets.get(cell, ())]
        return [n for n in found if gap(at, self.points[n]) <= reach]

    def _nearest(self, at: Position) -> int | None:
        return min(self._near(at, STRAY), key=lambda n: (gap(at, self.points[n]), n), default=None)


def chain_of(way: Sequence[Position]) -> list[str | None]:
    """The hexes a way runs through, each once in a row; mere clips of a corner are dropped."""
    visits: list[tuple[str | None, float]] = []
    for one, other in pairwise(way):
        count = max(1, int(gap(one, other) / STEP))
        for k in range(count):
            at = (one[0] + (other[0] - one[0]) * k / count, one[1] + (other[1] - one[1]) * k / count)
            place, length = hex_of(at), gap(one, other) / count
            if visits and visits[-1][0] == place:
                visits[-1] = (place, visits[-1][1] + length)
            else:
                visits.append((place, length))
    changed = True
    while changed:
        changed = False
        for k in range(1, len(visits) - 1):
            before, (place, length), after = visits[k - 1], visits[k], visits[k + 1]
            if before[0] == after[0]:
                visits[k - 1 : k + 2] = [(before[0], before[1] + length + after[1])]
            elif length < CLIP and before[0] and after[0] and place and after[0] in around(before[0]):
                del visits[k]
            else:
                continue
            changed = True
            break
    chain = [place for place, _ in visits]
    if len(visits) > 1 and visits[0][1] < CLIP / 2:
        chain = chain[1:]
    if len(chain) > 1 and visits[-1][1] < CLIP / 2:
        chain = chain[:-1]
    return unloop(chain)


def unloop(chain: Sequence[str | None]) -> list[str | None]:
    """Cut detours that come back to a hex already passed."""
    out: list[str | None] = []
    for place in chain:
        if place is not None and place in out:
            del out[out.index(place) + 1 :]
        else:
            out.append(place)
    return out


def cut(chain: Sequence[str | None], keep: Collection[str]) -> list[list[str]]:
    """The runs of a chain that lie on the kept hexes, two hexes or more."""
    runs: list[list[str]] = [[]]
    for place in chain:
        if place is None or place not in keep:
            runs.append([])
        else:
            runs[-1].append(place)
    return [run for run in runs if len(run) > 1]


def lay(start: str, goal: str, line: tuple[Position, Position], cost: Price) -> list[str]:
    """The cheapest chain between two hexes that keeps close to a straight line.

    `cost` prices the step between two hexes, None where none is possible.
    """

    def steps(here: str) -> Iterator[tuple[str, float]]:
        for there in around(here):
            price = cost(here, there)
            if price is not None:
                yield there, price + 0.7 * astray(centre(there), line, gap)

    return cheapest(start, goal, steps)
