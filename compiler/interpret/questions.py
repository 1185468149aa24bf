"""Questions: what is an answer to one.

In:  a question of the core, the names in reach and the world.
Out: whether an answer is one, the cases that speak against it, and whether there is any.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import combinations, islice, permutations
from typing import Any

from rulewright.runtime.notation import of_type
from rulewright.runtime.problems import Fault
from rulewright.runtime.text import Args

from ..core import nodes as c
from .asks import Names
from .expressions import Evaluator
from .matchings import Matching
from .program import answer_text
from .routes import Route
from .values import NONSENSE
from .world import World

MOST_SHARES = 10_000
MOST_LISTED = 3000

Values = tuple[Any, ...]


class AskSpace:
    """The answers to one question as things stand now: tiers are taken until there is enough to choose from."""

    def __init__(self, ev: Evaluator, W: World, ask: c.Ask, local: Names) -> None:
        self.ev, self.W, self.ask, self.local = ev, W, ask, local
        self.members: Values = ()
        self.first: Values = ()
        self.tier: c.Expr | None = None
        self.matching: Matching | None = None
        self.least = self.most = 0
        number = ev.value(W, ask.number, local) if ask.number is not None else None
        if ask.sort == "shares" and number is not None and number > MOST_SHARES:
            raise Fault(f"more than {MOST_SHARES:,} are to be shared out", ask.case)
        enough = number if ask.sort == "some" and ask.limit == "exactly" and number is not None else 1
        found: list[Any] = []
        for tier in tiers(ask):
            members = ev.value(W, tier, local)
            if isinstance(members, Matching):
                self.matching = members
                return
            new = [m for m in members if m not in found]
            if new and not found:
                self.first, self.tier = tuple(new), tier
            found += new
            if len(found) >= enough:
                break
        self.members, self.most = tuple(found), len(found)
        if number is not None and ask.limit != "at_most":
            self.least = int(number)
        if number is not None and ask.limit != "at_least":
            self.most = int(number) if ask.limit == "exactly" else min(len(found), int(number))

    def possible(self) -> bool:
        """Whether there is something to choose."""
        match self.ask.sort:
            case "whether":
                return True
            case "one" if self.matching is not None and self.ask.so_that is None:
                return self.matching.any()
            case "one":
                return any(self.holds(v) for v in self.every())
            case "shares":
                return bool(self.members) or self.most == 0
            case _:
                return len(self.members) >= max(1, self.least)

    def against(self, args: Args) -> set[str]:
        """The cases that speak against an answer; none where it is one."""
        ask, program = self.ask, self.W.S.program
        if [name for name, _ in args] != [""]:
            return {ask.case}
        value = args[0][1]
        typed = of_type(program, answer_text(self.ev.book, ask), value)
        if typed and self.matching is not None and not self.matching.accepts(value):
            return {self.matching.m.case or ask.case}
        if typed and self.fits(value) and self.holds(self.canonical(value)):
            return set()
        found = {ask.case}
        route = self.route() if typed else None
        if route is not None:
            with suppress(*NONSENSE):  # a path that leads nowhere
                found |= route.cases_against(value)
        return found

    def canonical(self, value: Any) -> Any:
        """An answer in the one order that the state keeps, however it was written."""
        match self.ask.sort:
            case "one" if self.matching is not None:
                return self.matching.canonical(value)
            case "some":
                return tuple(m for m in self.members if m in value)
            case "shares":
                given = dict(value)
                return tuple((m, given[m]) for m in self.members if m in given)
            case _:
                return value

    def fits(self, value: Any) -> bool:
        """Whether a value has the form of an answer."""
        match self.ask.sort:
            case "whether":
                return isinstance(value, bool)
            case "one" if self.matching is not None:
                return True
            case "one":
                return value in self.members or (isinstance(value, tuple) and bool(value) and self.unlisted(value))
            case _ if not isinstance(value, tuple):
                return False
            case "order":
                return sorted(map(repr, value)) == sorted(map(repr, self.members))
            case "shares":
                given = [n for _, n in value]
                whole = all(type(n) is int and n > 0 for n in given)
                return whole and sum(given) == self.most and self.distinct([m for m, _ in value])
            case _:
                taken = sum(v in self.first for v in value)
                right = self.distinct(value) and self.least <= len(value) <= self.most
                return right and taken in (len(value), len(self.first))

    def distinct(self, given: Iterable[Any]) -> bool:
        seen = list(given)
        return all(m in self.members for m in seen) and len(set(seen)) == len(seen)

    def unlisted(self, path: Any) -> bool:
        """Whether a path that is not listed keeps to the route that is asked for, and to what narrows it."""
        route = self.route()
        if route is None or not route.accepts(path):
            return False
        tier = self.tier
        while isinstance(tier, c.Filter):
            if not self.ev.value(self.W, tier.test, {**self.local, tier.var: path}):
                return False
            tier = tier.base
        return True

    def route(self) -> Route | None:
        """The route whose paths are asked for."""
        tier = self.tier
        while isinstance(tier, c.Filter):
            tier = tier.base
        if not isinstance(tier, c.Paths) or self.ev.book.routes[tier.name].legs:
            return None
        return Route(self.ev, self.W, tier.name, self.ev.arguments(self.W, tier, self.local))

    def every(self) -> Iterator[Any]:
        """Every answer but for `so that`."""
        match self.ask.sort:
            case "whether":
                return iter((True, False))
            case "one" if self.matching is not None:
                return self.matching.plans()
            case "one":
                return iter(self.members)
            case "order":
                return permutations(self.members)
            case "shares":
                return shared_out(self.most, self.members)
            case _:
                sizes = range(self.least, min(self.most, len(self.members)) + 1)
                return (v for n in sizes for v in combinations(self.members, n) if self.fits(v))

    def listing(self, most: int) -> Iterator[Any]:
        """Some answers."""
        return islice((v for v in islice(self.every(), MOST_LISTED) if self.holds(v)), most)

    def holds(self, value: Any) -> bool:
        """Whether what the question asks of its answer holds."""
        test = self.ask.so_that
        return test is None or bool(self.ev.value(self.W, test, {**self.local, self.ask.name: value}))


def tiers(ask: c.Ask) -> tuple[c.Expr, ...]:
    """The sets that an answer is taken from, one after another."""
    if ask.source is None:
        return ()
    return ask.source.tiers if isinstance(ask.source, c.FirstOf) else (ask.source,)


def shared_out(total: int, members: Values) -> Iterator[tuple[tuple[Any, int], ...]]:
    """Every way to share a number out."""
    if not members:
        yield from [()] if total == 0 else []
        return
    for n in range(total, -1, -1):
        for rest in shared_out(total - n, members[1:]):
            yield ((members[0], n), *rest) if n else rest
