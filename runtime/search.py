"""What the searches of routes share: flat adjacency, the reach they fill, and walks step by step.

The searches themselves are part of a compiled book, one for each route. Here `step(here, there)` is the price of
a step, or None where it is barred; `stops(here, there)` says that a path may enter but not go on. Ties are
broken by the order of places, so that answers are the same everywhere.
"""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from heapq import heappop
from heapq import heappush as heappush
from typing import TYPE_CHECKING, Any

from .problems import Fault
from .program import Board

if TYPE_CHECKING:
    from .state import State

Path = tuple[int, ...]
Links = tuple[tuple[int, ...], ...]
Step = Callable[[int, int], Any]
Stops = Callable[[int, int], bool]
Asked = Callable[[], Any] | None
"""A part of a route that is asked for when it is needed; None where the route has none."""
MOST_PATHS = 5000


def links(board: Board, layers: tuple[str, ...]) -> Links:
    """Neighbours by place over one layer or several."""
    rows = [board.neighbors if x == "land" else board.layers[x] for x in layers]
    return tuple(tuple(sorted({*itertools.chain(*near)})) for near in zip(*rows, strict=True))


class Reach:
    """The cheapest way into each place: its cost and the place before (-1 at a start).

    `free` and `through` hold the same for paths that may still go on; where nothing stops a path they are the same
    dictionaries.
    """

    __slots__ = ("cost", "free", "known", "last", "through")

    def __init__(self, begin: Iterable[int], stops: bool = False) -> None:
        self.cost: dict[int, Any] = dict.fromkeys(begin, 0)
        self.last: dict[int, int] = dict.fromkeys(begin, -1)
        self.free = dict(self.cost) if stops else self.cost
        self.through = dict(self.last) if stops else self.last
        self.known: dict[int, Path] = {-1: ()}


def in_order(heap: list[Any]) -> Iterator[Any]:
    """Pop a heap in order, including what is pushed meanwhile."""
    while heap:
        yield heappop(heap)


def path_to(reach: Reach, place: int) -> Path:
    """The path to a place: its last step is the cheapest into it, those before may all go on."""
    known, through = reach.known, reach.through
    at = before = reach.last[place]
    trail = []
    while at not in known:
        trail.append(at)
        at = through[at]
    path = known[at]
    for at in reversed(trail):
        path = known[at] = (*path, at)
    return (*known[before], place)


def ends_of(reach: Reach, goals: frozenset[int] | None) -> Path:
    """The places in reach that are goals, or all but the starts."""
    if goals is not None:
        return tuple(sorted(reach.cost.keys() & goals))
    starts = 0
    for before in reach.last.values():  # the starts stand before all others
        if before >= 0:
            break
        starts += 1
    return tuple(sorted(itertools.islice(reach.last, starts, None)))


def from_each(starts: Iterable[int], search: Callable[[int], Reach], fits: Callable[[Path], bool]) -> tuple[Path, ...]:
    """The cheapest path to each end where it matters in which place a path began."""
    kept: dict[int, tuple[Any, Path]] = {}
    for start in starts:
        reach = search(start)
        for place in sorted(reach.cost):
            path, cost = path_to(reach, place), reach.cost[place]
            if (place not in kept or cost < kept[place][0]) and fits(path):
                kept[place] = (cost, path)
    return tuple(kept[p][1] for p in sorted(kept))


def walks(
    starts: Iterable[int | None], table: Links, budget: Asked, step: Step, stops: Stops | None, jumps: Asked
) -> list[Path]:
    """Every walk within the budget, shortest first: for routes with conditions on the whole path."""
    found: list[Path] = []
    edge: list[tuple[Path, Any]] = [((p,), 0) for p in starts if p is not None]
    limit = budget() if budget is not None and edge else None
    ends: Path = jumps() if jumps is not None and edge else ()
    while edge:
        if len(found) + len(edge) > MOST_PATHS:
            raise Fault(f"a route has more than {MOST_PATHS:,} paths to list; give it a smaller budget")
        following: list[tuple[Path, Any]] = []
        for path, cost in edge:
            found.append(path)
            here = path[-1]
            if stops is not None and len(path) > 1 and stops(path[-2], here):
                continue
            for there in sorted({*table[here], *ends}) if here in ends else table[here]:
                price = step(here, there) if there not in path else None
                if price is not None and (limit is None or cost + price <= limit):
                    following.append(((*path, there), cost + price))
        edge = following
    return found


def roam(
    starts: Iterable[int | None], table: Links, budget: Asked, step: Step, stops: Stops | None, jumps: Asked
) -> Iterator[Path]:
    """Every walk within the budget, places entered again too, those of fewer steps first: for whoever looks for a path
    that is not listed, and stops looking at some number of them. What a step costs is asked once."""
    edge: deque[tuple[Path, Any]] = deque(((p,), 0) for p in starts if p is not None)
    limit = budget() if budget is not None and edge else None
    ends: Path = jumps() if jumps is not None and edge else ()
    after: dict[tuple[int, int], list[tuple[int, Any]]] = {}
    while edge:
        path, cost = edge.popleft()
        yield path
        here, before = path[-1], path[-2] if len(path) > 1 else -1
        if (before, here) not in after:
            halt = before >= 0 and stops is not None and stops(before, here)
            near = () if halt else sorted({*table[here], *ends} - {here}) if here in ends else table[here]
            priced = [(there, step(here, there)) for there in near]
            after[before, here] = [(there, price) for there, price in priced if price is not None]
        for there, price in after[before, here]:
            if limit is None or cost + price <= limit:
                edge.append(((*path, there), cost + price))


def one_each(paths: list[Path]) -> tuple[Path, ...]:
    """The first path to each end and length, in a fixed order."""
    kept: dict[tuple[int, int], Path] = {}
    for path in paths:
        kept.setdefault((path[-1], len(path)), path)
    return tuple(kept[k] for k in sorted(kept))


def follows(
    path: Any, starts: Path, table: Links, budget: Asked, step: Step, stops: Stops | None, jumps: Asked
) -> bool:
    """Whether a given path keeps to every rule about its steps."""
    if not isinstance(path, tuple) or not path or not all(isinstance(p, int) for p in path) or path[0] not in starts:
        return False
    cost: Any = 0
    before = -1
    ends: Path = jumps() if jumps is not None else ()
    for here, there in itertools.pairwise(path):
        jumped = here in ends and there in ends and here != there
        linked = 0 <= here < len(table) and (there in table[here] or jumped)
        if not linked or (before >= 0 and stops is not None and stops(before, here)):
            return False
        price = step(here, there)
        if price is None:
            return False
        cost += price
        before = here
    return budget is None or bool(cost <= budget())


def keeps_to(path: Any, listed: Callable[[], Iterable[Path]], accepts: Callable[[Path], bool]) -> bool:
    """Whether a path is one of a route, listed or not; one that stays where it is must be listed."""
    return path is not None and (accepts(path) if len(path) > 1 else path in listed())


def price_of(path: Path, step: Step) -> Any:
    """What a path costs; a barred step counts nothing."""
    return sum(step(here, there) or 0 for here, there in itertools.pairwise(path))


Leg = tuple[str, Callable[[frozenset[int]], Iterable[int]], Callable[[], Path | None], Callable[[], Path | None]]


def legs_reach(starts: Iterable[int], legs: tuple[Leg, ...], rounds: int = 50) -> Path:
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
            found, goals = set(run(frozenset(sources))), ends()
            edge = (found if goals is None else found & set(goals)) - gained
            gained |= edge
        reached = gained
    return tuple(sorted(reached))


def legs_any(
    S: State,
    slot: int,
    told: Callable[[], tuple[Any, ...]],
    starts: Iterable[int | None],
    ends: Callable[[], Path],
    home: Callable[[], Path],
) -> bool:
    """Whether a line of ordered elements reaches an end.

    The first mover of those that `told` tells alike looks for itself; when a second one asks, the places from which
    there is a line are found for all of them.
    """
    begin = [p for p in starts if p is not None]
    if not begin:
        return False
    memo, key = S.memo[slot], told()
    known = memo.get(key, 0)
    if known == 0:
        memo[key] = 1
        return bool(ends())
    if known == 1:
        known = memo[key] = frozenset(home())
    return not known.isdisjoint(begin)
