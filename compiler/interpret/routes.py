"""Routes by plain search.

In:  a route of the core, its arguments and a state.
Out: its paths, ends and costs, and what speaks against a given path.

A path stands at a place either free to go on or bound to stop; the cheapest way into each of the two is kept,
and the frontier is scanned for its least entry each time. Nothing is specialised and nothing kept.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import Any, NamedTuple

from rulewright.runtime.problems import Ground
from rulewright.runtime.search import MOST_PATHS
from rulewright.runtime.state import State

from ..core import nodes as c
from ..emit.text import where
from .expressions import Evaluator, Names, ordered

Path = tuple[int, ...]


class Entry(NamedTuple):
    """A way into a place: its cost, the place, the place before it (-1 at a start), and the whole path."""

    cost: Any
    place: int
    before: int
    path: Path


class Routes:
    def __init__(self, evaluator: Evaluator) -> None:
        self.ev = evaluator
        self.book = evaluator.book

    # ------------------------------------------------------------ what a route gives

    def paths(self, S: State, name: str, args: tuple[Any, ...]) -> tuple[Path, ...]:
        """One path to each end (to each end and length where the whole path matters)."""
        r = self.book.routes[name]
        if r.legs:
            return tuple((p,) for p in self.ends(S, name, args))
        goals = self.facet(S, r, "to", args)
        if "length" in r.needs or "path" in r.needs:
            kept: dict[tuple[int, int], Path] = {}
            for path in self.walks(S, r, args):
                if self.fits(S, r, args, path, goals):
                    kept.setdefault((path[-1], len(path)), path)
            return tuple(kept[k] for k in sorted(kept))
        starts = self.facet(S, r, "from", args)
        found: dict[int, tuple[Any, Path]] = {}
        for some in [(p,) for p in starts] if "start" in r.needs else [starts]:
            for place, path in self.reach(S, r, args, some).items():
                price = self.cost(S, name, args, path)
                if self.fits(S, r, args, path, goals) and (place not in found or price < found[place][0]):
                    found[place] = (price, path)
        return tuple(found[p][1] for p in sorted(found))

    def ends(self, S: State, name: str, args: tuple[Any, ...]) -> tuple[int, ...]:
        r = self.book.routes[name]
        if not r.legs:
            return ordered({path[-1] for path in self.paths(S, name, args)})
        goals = self.facet(S, r, "to", args)
        return tuple(p for p in self.legs(S, r, args) if goals is None or p in goals)

    def cost(self, S: State, name: str, args: tuple[Any, ...], path: Path) -> Any:
        r = self.book.routes[name]
        return sum(self.step(S, r, args, here, there) or 0 for here, there in pairwise(path))

    def accepts(self, S: State, name: str, args: tuple[Any, ...], path: Any) -> bool:
        """Whether any given path, listed or not, keeps to the route."""
        r = self.book.routes[name]
        if not isinstance(path, tuple) or not path or not all(isinstance(p, int) for p in path):
            return False
        starts, budget = self.facet(S, r, "from", args), self.facet(S, r, "budget", args)
        if path[0] not in starts:
            return False
        total: Any = 0
        for i, (here, there) in enumerate(pairwise(path)):
            if not 0 <= here < len(self.ev.board.places) or there not in self.around(S, r, args, here):
                return False
            if i > 0 and self.stops(S, r, args, path[i - 1], here):
                return False
            price = self.step(S, r, args, here, there)
            if price is None:
                return False
            total += price
        if budget is not None and total > budget:
            return False
        goals = self.facet(S, r, "to", args)
        return not self.needs(S, r, args, path) and (goals is None or path[-1] in goals)

    def grounds(self, S: State, name: str, args: tuple[Any, ...], path: Path) -> list[Ground]:
        """Everything that speaks against a path."""
        r = self.book.routes[name]
        found: list[Ground] = []

        def add(case: str, label: str, span: Any, trail: Any = None) -> None:
            found.append(Ground(case=case, label=label, where=where(span), trail=trail))

        if path[0] not in self.facet(S, r, "from", args):
            add(r.case, "starts elsewhere", r.span)
        for i, (here, there) in enumerate(pairwise(path), 1):
            if there not in self.around(S, r, args, here):
                add(r.case, "not joined", r.span)
            names = self.step_names(r, args, here, there)
            for rule in r.rules:
                if rule.sort == "require" or (rule.sort == "stop" and i + 1 == len(path)):
                    continue
                if self.ev.refuses(S, rule, names):
                    add(rule.case, rule.label or ("must stop" if rule.sort == "stop" else "barred"), rule.span, there)
        budget = self.facet(S, r, "budget", args)
        if budget is not None and not found and self.cost(S, name, args, path) > budget:
            add(r.case, "too far", r.span)
        for rule in self.needs(S, r, args, path):
            add(rule.case, rule.label or "required", rule.span)
        goals = self.facet(S, r, "to", args)
        if goals is not None and path[-1] not in goals:
            add(r.case, "ends elsewhere", r.span)
        return found

    # ------------------------------------------------------------ parts of a route

    def names(self, r: c.Route, args: tuple[Any, ...]) -> Names:
        return dict(zip((p.name for p in r.params), args, strict=True))

    def step_names(self, r: c.Route, args: tuple[Any, ...], here: int, there: int) -> Names:
        return {**self.names(r, args), "here": here, "there": there, "crossing": (min(here, there), max(here, there))}

    def facet(self, S: State, r: c.Route, name: str, args: tuple[Any, ...]) -> Any:
        if name in r.facets:
            return self.ev.define(S, r.facets[name], args)
        return {"from": tuple(range(self.ev.board.hexes)), "jump": ()}.get(name)

    def around(self, S: State, r: c.Route, args: tuple[Any, ...], here: int) -> tuple[int, ...]:
        """Where a step from here can lead at all: over the layers, or from one end of a jump to another."""
        board = self.ev.board
        near = {p for layer in r.layers for p in (board.neighbors if layer == "land" else board.layers[layer])[here]}
        jumps = self.facet(S, r, "jump", args)
        if here in jumps:
            near |= {p for p in jumps if p != here}
        return tuple(sorted(near))

    def step(self, S: State, r: c.Route, args: tuple[Any, ...], here: int, there: int) -> Any:
        """The price of a step, or None where it is barred."""
        names = self.step_names(r, args, here, there)
        if r.over_test is not None and not self.ev.value(S, r.over_test, names):
            return None
        if any(rule.sort == "forbid" and self.ev.refuses(S, rule, names) for rule in r.rules):
            return None
        given = (*args, here, there, names["crossing"])
        return sum(self.ev.define(S, r.facets[x], given) for x in ("leave", "cross", "enter") if x in r.facets)

    def stops(self, S: State, r: c.Route, args: tuple[Any, ...], here: int, there: int) -> bool:
        names = self.step_names(r, args, here, there)
        return any(rule.sort == "stop" and self.ev.refuses(S, rule, names) for rule in r.rules)

    def needs(self, S: State, r: c.Route, args: tuple[Any, ...], path: Path) -> list[c.Rule]:
        """What is required of a whole path and not met."""
        names = {**self.names(r, args), "path": path}
        return [rule for rule in r.rules if rule.sort == "require" and self.ev.refuses(S, rule, names)]

    def fits(self, S: State, r: c.Route, args: tuple[Any, ...], path: Path, goals: Any) -> bool:
        at_end = len(path) > 1 if goals is None else path[-1] in goals
        return at_end and not self.needs(S, r, args, path)

    # ------------------------------------------------------------ searches

    def reach(self, S: State, r: c.Route, args: tuple[Any, ...], starts: Iterable[int | None]) -> dict[int, Path]:
        """The cheapest path to every place in reach; of equals the one whose last step comes from the lower place."""
        budget = self.facet(S, r, "budget", args)
        begin = {p for p in starts if p is not None}
        frontier = {(p, True): Entry(0, p, -1, (p,)) for p in begin}
        settled: dict[tuple[int, bool], Entry] = {}
        while frontier:
            key = min(frontier, key=lambda k: (frontier[k][:3], not k[1]))
            entry = settled[key] = frontier.pop(key)
            here, free = key
            if not free:
                continue
            for there in self.around(S, r, args, here):
                price = self.step(S, r, args, here, there)
                if price is None or (budget is not None and entry.cost + price > budget):
                    continue
                onward = (there, there in begin or not self.stops(S, r, args, here, there))
                new = Entry(entry.cost + price, there, here, (*entry.path, there))
                if onward not in settled and (onward not in frontier or new[:3] < frontier[onward][:3]):
                    frontier[onward] = new
        found: dict[int, Path] = {}
        for (place, _), entry in sorted(settled.items(), key=lambda x: x[1][:3]):
            found.setdefault(place, entry.path)
        return found

    def walks(self, S: State, r: c.Route, args: tuple[Any, ...]) -> list[Path]:
        """Every walk that enters no place twice, shorter ones first."""
        budget = self.facet(S, r, "budget", args)
        edge: list[tuple[Path, Any]] = [((p,), 0) for p in self.facet(S, r, "from", args) if p is not None]
        found: list[Path] = []
        while edge and len(found) < MOST_PATHS:
            found += [path for path, _ in edge]
            longer = []
            for path, cost in edge:
                if len(path) > 1 and self.stops(S, r, args, path[-2], path[-1]):
                    continue
                for there in self.around(S, r, args, path[-1]):
                    price = self.step(S, r, args, path[-1], there) if there not in path else None
                    if price is not None and (budget is None or cost + price <= budget):
                        longer.append(((*path, there), cost + price))
            edge = longer
        return found

    def legs(self, S: State, r: c.Route, args: tuple[Any, ...]) -> tuple[int, ...]:
        """Where a line of ordered elements can end."""
        reached = {p for p in self.facet(S, r, "from", args) if p is not None}
        names = self.names(r, args)
        for leg in r.legs:
            inner = self.book.routes[leg.route]
            given = tuple(self.ev.value(S, a, names) for a in leg.args)
            begins = self.ev.define(S, inner.facets["from"], given) if "from" in inner.facets else None
            goals = self.facet(S, inner, "to", given)

            more = set(reached)
            while more:
                some = {p for p in more if begins is None or p in begins}
                found = {p for p in self.reach(S, inner, given, some) if goals is None or p in goals}
                more = found - reached if leg.sort == "repeat" else set()
                reached = found if leg.sort == "one" else reached | found
        return tuple(sorted(reached))
