"""Ways over a board: the cheapest one, how far a place lies from a straight line, what of a chain is new."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import TypeVar

T = TypeVar("T", str, tuple[int, int], tuple[float, float])
Spot = tuple[float, float]


def cheapest(start: T, goal: T, steps: Callable[[T], Iterable[tuple[T, float]]]) -> list[T]:
    """Dijkstra; the empty list where no way leads."""
    best, origin, queue = {start: 0.0}, {start: start}, [(0.0, start)]
    while queue:
        far, here = heapq.heappop(queue)
        if here == goal:
            way = [here]
            while way[-1] != start:
                way.append(origin[way[-1]])
            return way[::-1]
        if far > best[here]:
            continue
        for there, price in steps(here):
            length = round(far + price, 9)
            if length < best.get(there, 1e9):
                best[there], origin[there] = length, here
                heapq.heappush(queue, (length, there))
    return []


def astray(at: Spot, line: tuple[Spot, Spot], gap: Callable[[Spot, Spot], float]) -> float:
    """How far a position lies from the straight line between two others, as the board's `gap` measures."""
    (x1, y1), (x2, y2) = line
    length = (x2 - x1) ** 2 + (y2 - y1) ** 2
    part = 0.0 if not length else ((at[0] - x1) * (x2 - x1) + (at[1] - y1) * (y2 - y1)) / length
    part = min(1.0, max(0.0, part))
    return gap(at, (x1 + part * (x2 - x1), y1 + part * (y2 - y1)))


def new_runs(chain: Sequence[T], laid: set[tuple[T, T]]) -> list[list[T]]:
    """The parts of a chain that no earlier line covers."""
    runs: list[list[T]] = []
    fresh = False
    for here, there in pairwise(chain):
        pair = (min(here, there), max(here, there))
        if pair in laid:
            fresh = False
            continue
        laid.add(pair)
        if fresh:
            runs[-1].append(there)
        else:
            runs.append([here, there])
        fresh = True
    return runs
