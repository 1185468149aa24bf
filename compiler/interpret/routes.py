"""Routes by plain search.

In:  a route of the core, its arguments and the world.
Out: its paths, ends and costs, and what speaks against a given path.

A path stands in a place either free to go on or bound to stop there; the cheapest way into each of the two is found
one place after another, the cheapest first. Of paths that cost the same, the one counts whose last step comes from the
lower place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from heapq import heappop, heappush
from itertools import pairwise
from typing import Any

from rulewright.runtime.problems import Fault

from ..core import nodes as c
from .asks import Asks, Names, Unknown
from .world import World

Path = tuple[int, ...]
Args = tuple[Any, ...]
MOST_PATHS = 5000
MOST_WALKED = 10_000


class Route:
    """One route, asked in one world with some arguments."""

    def __init__(self, ask: Asks, W: World, name: str, args: Args) -> None:
        self.ask, self.W, self.args = ask, W, args
        self.r = ask.book.routes[name]
        self.names: Names = dict(zip((p.name for p in self.r.params), args, strict=True))

    @cached_property
    def goals(self) -> Any:
        """Where a path must end; asked only where one begins."""
        return self.facet("to")

    # ------------------------------------------------------------ what a route gives

    def paths(self) -> tuple[Path, ...]:
        """One path to each end (to each end and length where the whole path matters)."""
        if self.r.legs:
            return tuple((p,) for p in self.ends())
        if "length" in self.r.needs or "path" in self.r.needs:
            kept: dict[tuple[int, int], Path] = {}
            for path in self.walks():
                if self.fits(path):
                    kept.setdefault((path[-1], len(path)), path)
            return tuple(kept[k] for k in sorted(kept))
        starts = self.starts()
        found: dict[int, tuple[Any, Path]] = {}
        for some in [(p,) for p in starts] if "start" in self.r.needs else [starts]:
            for place, (price, path) in self.reach(some).items():
                if (place not in found or price < found[place][0]) and self.fits(path):
                    found[place] = (price, path)
        return tuple(found[p][1] for p in sorted(found))

    def any(self) -> bool:
        """Whether there is any path; a search need not go on beyond the first end."""
        if self.r.legs or self.r.needs or any(rule.sort == "require" for rule in self.r.rules):
            return bool(self.paths())
        return bool(self.reach(self.starts(), lambda path: self.fits(path)))

    def ends(self) -> tuple[int, ...]:
        if not self.r.legs:
            return tuple(sorted({path[-1] for path in self.paths()}))
        return tuple(p for p in self.legs() if self.goals is None or p in self.goals)

    def shortest(self) -> tuple[Path, ...]:
        prices = [(self.cost(path), path) for path in self.paths()]
        least = min((price for price, _ in prices), default=0)
        return tuple(path for price, path in prices if price == least)

    def cost(self, path: Path) -> Any:
        """What a path costs; a barred step counts nothing."""
        return sum(self.step(here, there) or 0 for here, there in pairwise(path))

    def accepts(self, path: Any) -> bool:
        """Whether any given path, listed or not, keeps to the route."""
        return not self.breaks(path) and self.fits(path)

    def others(self) -> Iterator[Path]:
        """Every path that keeps to the route, listed or not, the shorter ones first; given up where they are many."""
        budget = self.facet("budget") if any(p is not None for p in self.starts()) else None
        priced: dict[tuple[int, int], Any] = {}
        edge: list[tuple[Path, Any]] = [((p,), 0) for p in self.starts() if p is not None]
        tried = 0
        while edge:
            longer: list[tuple[Path, Any]] = []
            for path, cost in edge:
                if len(path) > 1 and self.fits(path):
                    yield path
                if len(path) > 1 and self.stops(path[-2], path[-1]):
                    continue
                for there in self.around(path[-1]):
                    tried += 1
                    if tried > MOST_WALKED:
                        raise Unknown(f"more than {MOST_WALKED:,} steps of paths to try")
                    leg = path[-1], there
                    if leg not in priced:
                        priced[leg] = self.step(*leg)
                    if priced[leg] is not None and (budget is None or cost + priced[leg] <= budget):
                        longer.append(((*path, there), cost + priced[leg]))
            edge = longer

    # ------------------------------------------------------------ what speaks against a path

    def breaks(self, path: Any) -> bool:
        """Whether a path does not begin where it must, or one of its steps is not allowed."""
        if not isinstance(path, tuple) or not path or not all(isinstance(p, int) for p in path):
            return True
        if path[0] not in self.starts():
            return True
        total: Any = 0
        for i, (here, there) in enumerate(pairwise(path)):
            if not 0 <= here < len(self.ask.board.places) or there not in self.around(here):
                return True
            if i > 0 and self.stops(path[i - 1], here):
                return True
            price = self.step(here, there)
            if price is None:
                return True
            total += price
        budget = self.facet("budget")
        return budget is not None and total > budget

    def cases_against(self, path: Path) -> set[str]:
        """The cases that speak against a path."""
        found: set[str] = set()
        if path[0] not in self.starts():
            found.add(self.r.case)
        for i, (here, there) in enumerate(pairwise(path), 1):
            if there not in self.around(here):
                found.add(self.r.case)
            names = self.step_names(here, there)
            last = i + 1 == len(path)
            found |= {
                rule.case
                for rule in self.r.rules
                if (rule.sort == "forbid" or (rule.sort == "stop" and not last))
                and self.ask.refuses(self.W, rule, names)
            }
        budget = self.facet("budget")
        if budget is not None and not found and self.cost(path) > budget:
            found.add(self.r.case)
        found |= {rule.case for rule in self.unmet(path)}
        if self.goals is not None and path[-1] not in self.goals:
            found.add(self.r.case)
        return found

    # ------------------------------------------------------------ parts of a route

    def facet(self, name: str) -> Any:
        facet = self.r.facets.get(name)
        return self.ask.define(self.W, facet, self.args) if facet is not None else None

    def starts(self) -> tuple[Any, ...]:
        found = self.facet("from")
        return tuple(self.W.ground) if "from" not in self.r.facets else tuple(found)

    def step_names(self, here: int, there: int) -> Names:
        return {**self.names, "here": here, "there": there, "crossing": (min(here, there), max(here, there))}

    def around(self, here: int) -> tuple[int, ...]:
        """Where a step from here can lead at all: over the layers, or from one end of a jump to another."""
        board = self.ask.board
        if self.r.layers == ("land",) and "jump" not in self.r.facets:
            return board.neighbors[here]
        near = {
            p for layer in self.r.layers for p in (board.neighbors if layer == "land" else board.layers[layer])[here]
        }
        jumps = self.facet("jump") or ()
        if here in jumps:
            near |= {p for p in jumps if p != here}
        return tuple(sorted(near))

    def step(self, here: int, there: int) -> Any:
        """The price of a step, or None where it is barred."""
        self.ask.tire()
        names, r = self.step_names(here, there), self.r
        if r.over_test is not None and not self.ask.value(self.W, r.over_test, names):
            return None
        if any(rule.sort == "forbid" and self.ask.refuses(self.W, rule, names) for rule in r.rules):
            return None
        given = (*self.args, here, there, names["crossing"])
        return sum(self.ask.define(self.W, r.facets[x], given) for x in ("leave", "cross", "enter") if x in r.facets)

    def stops(self, here: int, there: int) -> bool:
        rules = [rule for rule in self.r.rules if rule.sort == "stop"]
        if not rules:
            return False
        names = self.step_names(here, there)
        return any(self.ask.refuses(self.W, rule, names) for rule in rules)

    def unmet(self, path: Path) -> list[c.Rule]:
        """What is required of a whole path and not met."""
        names = {**self.names, "path": path}
        return [rule for rule in self.r.rules if rule.sort == "require" and self.ask.refuses(self.W, rule, names)]

    def fits(self, path: Path) -> bool:
        """Whether a path ends where it may, and meets what is required of the whole of it."""
        at_end = len(path) > 1 if self.goals is None else path[-1] in self.goals
        return at_end and not self.unmet(path)

    # ------------------------------------------------------------ searches

    def reach(
        self, starts: Iterable[int | None], enough: Callable[[Path], bool] | None = None
    ) -> dict[int, tuple[Any, Path]]:
        """The cheapest path to every place in reach with its cost; no farther than the first that is `enough`."""
        begin = {p for p in starts if p is not None}
        if not begin:
            return {}
        budget = self.facet("budget")
        queue: list[tuple[Any, int, int, bool, Path]] = []
        for p in sorted(begin):
            heappush(queue, (0, p, -1, False, (p,)))
        done: set[tuple[int, bool]] = set()
        found: dict[int, tuple[Any, Path]] = {}
        while queue:
            cost, here, _, bound, path = heappop(queue)
            if (here, bound) in done:
                continue
            done.add((here, bound))
            found.setdefault(here, (cost, path))
            if enough is not None and enough(path):
                return {here: (cost, path)}
            if bound:
                continue
            for there in self.around(here):
                if (there, False) in done:
                    continue
                price = self.step(here, there)
                if price is None or (budget is not None and cost + price > budget):
                    continue
                halt = there not in begin and self.stops(here, there)
                if (there, halt) not in done:
                    heappush(queue, (cost + price, there, here, halt, (*path, there)))
        return found if enough is None else {}

    def walks(self) -> list[Path]:
        """Every walk that enters no place twice, shorter ones first."""
        edge: list[tuple[Path, Any]] = [((p,), 0) for p in self.starts() if p is not None]
        budget = self.facet("budget") if edge else None
        found: list[Path] = []
        while edge:
            if len(found) + len(edge) > MOST_PATHS:
                raise Fault(f"a route has more than {MOST_PATHS:,} paths to list; give it a smaller budget")
            found += [path for path, _ in edge]
            longer: list[tuple[Path, Any]] = []
            for path, cost in edge:
                if len(path) > 1 and self.stops(path[-2], path[-1]):
                    continue
                for there in self.around(path[-1]):
                    price = self.step(path[-1], there) if there not in path else None
                    if price is not None and (budget is None or cost + price <= budget):
                        longer.append(((*path, there), cost + price))
            edge = longer
        return found

    def legs(self) -> tuple[int, ...]:
        """Where a line of ordered elements can end."""
        reached = {p for p in self.starts() if p is not None}
        for leg in self.r.legs:
            given = tuple(self.ask.value(self.W, a, self.names) for a in leg.args)
            inner = Route(self.ask, self.W, leg.route, given)
            begins = None if "from" not in inner.r.facets else set(inner.starts())
            more = set(reached)
            while more:
                some = sorted(p for p in more if begins is None or p in begins)
                ends = {p for p in inner.reach(some) if inner.goals is None or p in inner.goals}
                more = ends - reached if leg.sort == "repeat" else set()
                reached = ends if leg.sort == "one" else reached | ends
        return tuple(sorted(reached))
