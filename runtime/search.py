"""Searches behind routes: paths over flat adjacency, under a budget, with places that bar or halt.

`step(here, there)` is the price of a step, or None where it is barred; `stops(here, there)` says
that a path may enter but not go on. Ties are broken by the order of places, so that answers are
the same everywhere.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable
from heapq import heappop, heappush
from typing import Any

from .problems import Fault
from .state import State

Step = Callable[[int, int], Any]
Stops = Callable[[int, int], bool]
Reach = dict[int, tuple[Any, int]]
UNLIMITED = None
MOST_PATHS = 5000


def links(S: State, layers: tuple[str, ...]) -> tuple[tuple[int, ...], ...]:
    """Neighbours by place over one layer or several."""
    board = S.program.board
    if layers == ("land",):
        return board.neighbors
    if len(layers) == 1:
        return board.layers[layers[0]]
    rows = [board.neighbors if x == "land" else board.layers[x] for x in layers]
    return tuple(tuple(sorted({y for row in rows for y in row[p]})) for p in range(len(board.places)))


class Way(dict[int, tuple[Any, int]]):
    """Places in reach; `through` is the cheapest way into a place from which a path may go on, where it is another."""

    through: Reach


def search(
    S: State,
    starts: Iterable[int],
    layers: tuple[str, ...],
    budget: Any,
    step: Step,
    stops: Stops | None,
    goals: Iterable[int] | None = None,
    jumps: tuple[int, ...] = (),
) -> Reach:
    """Every place in reach with its cost and the place before it; stops early once a goal is reached.

    A place can be entered by one step that ends the path there and by another, dearer one that does not:
    both ways in are kept.
    """
    table = links(S, layers)
    wanted = frozenset(goals) if goals is not None else None
    best = Way()
    through: Reach = {}
    best.through = through
    begin = {p for p in starts if p is not None}
    queue: list[tuple[Any, int, int, bool]] = []
    for p in begin:
        best[p] = through[p] = (0, -1)
        heappush(queue, (0, p, -1, False))
    final: set[int] = set()
    gone_on: set[int] = set()
    leap = frozenset(jumps)
    while queue:
        cost, here, before, bound = heappop(queue)
        if here in final if bound else here in gone_on or through[here] != (cost, before):
            continue
        final.add(here)
        if wanted is not None and here in wanted:
            break
        if bound:
            continue
        gone_on.add(here)
        around = table[here]
        if here in leap:
            around = (*around, *(p for p in jumps if p != here))
        for there in around:
            if there in gone_on:
                continue
            price = step(here, there)
            if price is None:
                continue
            total = cost + price
            if budget is not None and total > budget:
                continue
            if there in through and (total, here) >= through[there]:
                continue
            halts = stops is not None and there not in begin and stops(here, there)
            if not halts:
                through[there] = (total, here)
                heappush(queue, (total, there, here, False))
            if there not in best or (total, here) < best[there]:
                best[there] = (total, here)
                if halts:
                    heappush(queue, (total, there, here, True))
    if wanted is not None:
        reached = Way((p, best[p]) for p in best if p in final)
        reached.through = through
        return reached
    return best


def path_to(reach: Reach, place: int) -> tuple[int, ...]:
    """The path to a place: its last step is the cheapest into it, those before may all go on."""
    through = reach.through if isinstance(reach, Way) else reach
    found = [place]
    place = reach[place][1]
    while place >= 0:
        found.append(place)
        place = through[place][1]
    return tuple(reversed(found))


def from_each(
    S: State,
    starts: Iterable[int],
    layers: tuple[str, ...],
    budget: Any,
    step: Step,
    stops: Stops | None,
    jumps: tuple[int, ...],
    fits: Callable[[tuple[int, ...]], bool],
) -> tuple[tuple[int, ...], ...]:
    """The cheapest path to each end where it matters in which place a path began."""
    kept: dict[int, tuple[Any, tuple[int, ...]]] = {}
    for start in starts:
        reach = search(S, (start,), layers, budget, step, stops, None, jumps)
        for place in sorted(reach):
            path = path_to(reach, place)
            if (place not in kept or reach[place][0] < kept[place][0]) and fits(path):
                kept[place] = (reach[place][0], path)
    return tuple(kept[p][1] for p in sorted(kept))


def walks(
    S: State,
    starts: Iterable[int],
    layers: tuple[str, ...],
    budget: Any,
    step: Step,
    stops: Stops | None,
    jumps: tuple[int, ...] = (),
) -> list[tuple[int, ...]]:
    """Every walk within the budget, shortest first: for routes with conditions on the whole path."""
    table = links(S, layers)
    found: list[tuple[int, ...]] = []
    edge: list[tuple[tuple[int, ...], Any]] = [((p,), 0) for p in starts if p is not None]
    while edge:
        if len(found) + len(edge) > MOST_PATHS:
            raise Fault(f"a route has more than {MOST_PATHS:,} paths to list; give it a smaller budget")
        following: list[tuple[tuple[int, ...], Any]] = []
        for path, cost in edge:
            found.append(path)
            here = path[-1]
            if stops is not None and len(path) > 1 and stops(path[-2], here):
                continue
            around = sorted({*table[here], *jumps}) if here in jumps else table[here]
            for there in around:
                if there in path:
                    continue
                price = step(here, there)
                if price is None or (budget is not None and cost + price > budget):
                    continue
                following.append(((*path, there), cost + price))
        edge = following
    return found


def one_each(paths: list[tuple[int, ...]]) -> tuple[tuple[int, ...], ...]:
    """The first path to each end and length, in a fixed order."""
    kept: dict[tuple[int, int], tuple[int, ...]] = {}
    for path in paths:
        kept.setdefault((path[-1], len(path)), path)
    return tuple(kept[k] for k in sorted(kept))


def follows(
    S: State,
    path: Any,
    starts: tuple[int, ...],
    layers: tuple[str, ...],
    budget: Any,
    step: Step,
    stops: Stops | None,
    jumps: tuple[int, ...] = (),
) -> bool:
    """Whether a given path keeps to every rule about its steps."""
    if not isinstance(path, tuple) or not path or not all(isinstance(p, int) for p in path):
        return False
    if path[0] not in starts:
        return False
    table = links(S, layers)
    cost: Any = 0
    for i in range(1, len(path)):
        here, there = path[i - 1], path[i]
        if not 0 <= here < len(table):
            return False
        if there not in table[here] and not (here in jumps and there in jumps):
            return False
        if i > 1 and stops is not None and stops(path[i - 2], here):
            return False
        price = step(here, there)
        if price is None:
            return False
        cost += price
    return budget is None or cost <= budget


def price_of(path: tuple[int, ...], step: Step) -> Any:
    """What a path costs; a barred step counts nothing."""
    total: Any = 0
    for here, there in itertools.pairwise(path):
        total += step(here, there) or 0
    return total


Leg = tuple[
    str, Callable[[frozenset[int]], Reach], Callable[[], tuple[int, ...] | None], Callable[[], tuple[int, ...] | None]
]


def legs_reach(starts: Iterable[int], legs: tuple[Leg, ...], rounds: int = 50) -> tuple[int, ...]:
    """Where a line of ordered elements can end: each leg is (sort, search, where it may begin, where it may end)."""
    reached = {p for p in starts if p is not None}
    for sort, run, begins, ends in legs:
        gained = set() if sort == "one" else set(reached)
        edge = set(reached)
        for _ in range(rounds if sort == "repeat" else 1):
            allowed = begins()
            sources = edge if allowed is None else edge & set(allowed)
            if not sources:
                break
            found = set(run(frozenset(sources)))
            goals = ends()
            if goals is not None:
                found &= set(goals)
            edge = found - gained
            gained |= found
            if not edge:
                break
        reached = gained
    return tuple(sorted(reached))
