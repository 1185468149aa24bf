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
from .asks import Names, Unknown
from .expressions import Evaluator
from .matchings import Matching
from .program import answer_text
from .routes import Route
from .values import NONSENSE
from .world import World

MOST_SHARES = 10_000
MOST_LISTED = 3000
MOST_TRIED = 3000

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
        self.offer(number if ask.sort == "some" and ask.limit == "exactly" and number is not None else 1)
        self.least, self.most = bounds(ask.limit, number, len(self.members))

    def offer(self, enough: int) -> None:
        """Go through the tiers until there is enough; a matching is asked for its plans, and stands alone."""
        for tier in tiers(self.ask):
            if isinstance(tier, c.Plans):
                self.matching = Matching(self.ev, self.W, tier.name, self.ev.arguments(self.W, tier, self.local))
                return
            # A list may hold a thing twice, and then it may be taken twice: only what earlier tiers hold is left out.
            more = tuple(m for m in self.ev.value(self.W, tier, self.local) if m not in self.members)
            if not more and self.ask.sort == "one":
                before, self.tier = self.tier, tier
                more = tuple(islice(self.others([]), 1))
                self.tier = before
            if not self.members and more:
                self.first, self.tier = more, tier
            self.members += more
            if len(self.members) >= enough:
                return

    def possible(self) -> bool:
        """Whether a side has to be asked; given up where there are too many answers to try."""
        ask = self.ask
        if ask.sort == "whether":
            return True
        if ask.sort == "one" and self.matching is not None and ask.so_that is None:
            return self.matching.any()
        if ask.sort in ("some", "order") and not self.members:
            return False
        most = None if ask.sort == "one" and self.matching is None else MOST_TRIED
        for tried, value in enumerate(self.candidates(), 1):
            if most is not None and tried > most:
                raise Unknown(f"more than {MOST_TRIED:,} answers to try")
            if self.fits(value) and self.holds(value):
                return True
        asked = [] if ask.so_that is None else [(ask.name, ask.so_that)]
        return ask.sort == "one" and any(self.holds(path) for path in self.others(asked))

    def settled(self) -> bool:
        """Whether nobody need be asked, since there is nothing to take and to take nothing is right."""
        nothing_there = self.ask.sort in ("some", "order") and len(self.members) == 0
        return nothing_there and self.fits(()) and self.holds(())

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
        """The answer as the position keeps it.

        Sets, shares and plans mean the same in any order, so they are kept in that of what was offered; an order and
        a path mean what they say.
        """
        if self.matching is not None:
            return self.matching.canonical(value)
        offered = {member: i for i, member in enumerate(self.members)}
        if self.ask.sort == "some":
            return tuple(sorted(value, key=lambda member: offered[member]))
        if self.ask.sort == "shares":
            return tuple(sorted(value, key=lambda share: offered[share[0]]))
        return value

    def fits(self, value: Any) -> bool:
        """Whether a value has the form of an answer (docs/language.md, "Asking")."""
        sort = self.ask.sort
        if sort == "whether":
            return value is True or value is False
        if sort == "one":
            listed = self.matching is not None or value in self.members
            return listed or (isinstance(value, tuple) and len(value) > 0 and self.unlisted(value))
        if not isinstance(value, tuple):
            return False
        if sort == "shares":
            takers, amounts = [who for who, _ in value], [n for _, n in value]
            if not all(type(n) is int and n >= 1 for n in amounts):
                return False
            return self.each_once(takers) and sum(amounts) == self.most
        if not self.each_once(value):
            return False
        if sort == "order":
            return len(value) == len(self.members)
        later = any(member not in self.first for member in value)
        used_up = all(member in value for member in self.first)
        return self.least <= len(value) <= self.most and (used_up or not later)

    def each_once(self, given: Iterable[Any]) -> bool:
        """Whether only what is offered is named, and nothing twice."""
        left = list(self.members)
        for member in given:
            if member not in left:
                return False
            left.remove(member)
        return True

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

    def others(self, asked: list[tuple[str, c.Expr]]) -> Iterator[Any]:
        """Paths of the tier beside those that are listed, unless all that is asked of one is where it ends."""
        route = self.route()
        if route is None:
            return iter(())
        tier = self.tier
        while isinstance(tier, c.Filter):
            asked = [*asked, (tier.var, tier.test)]
            tier = tier.base
        if {*route.r.needs} <= {"last"} and all(ends_tell(e, name) for name, e in asked):
            return iter(())
        return (path for path in route.others() if self.unlisted(path))

    def route(self) -> Route | None:
        """The route whose paths are asked for."""
        tier = self.tier
        while isinstance(tier, c.Filter):
            tier = tier.base
        if not isinstance(tier, c.Paths) or self.ev.book.routes[tier.name].legs:
            return None
        return Route(self.ev, self.W, tier.name, self.ev.arguments(self.W, tier, self.local))

    def candidates(self) -> Iterator[Any]:
        """Whatever may be an answer, one after another; sets of the right sizes, whatever tier they are from."""
        sort = self.ask.sort
        if sort == "whether":
            return iter((True, False))
        if sort == "one":
            return iter(self.members) if self.matching is None else self.matching.plans()
        if sort == "order":
            return permutations(self.members)
        if sort == "shares":
            return shared_out(self.most, self.members)
        sizes = range(max(self.least, 0), min(self.most, len(self.members)) + 1)
        return (chosen for size in sizes for chosen in combinations(self.members, size))

    def listing(self, most: int) -> Iterator[Any]:
        """Some answers."""
        return islice((v for v in islice(self.candidates(), MOST_LISTED) if self.fits(v) and self.holds(v)), most)

    def holds(self, value: Any) -> bool:
        """Whether what the question asks of its answer holds."""
        test = self.ask.so_that
        return test is None or bool(self.ev.value(self.W, test, {**self.local, self.ask.name: value}))


def ends_tell(e: c.Expr, name: str) -> bool:
    """Whether a test of a path looks at nothing but its last place."""
    match e:
        case c.BuiltinCall(name="last", asked=(c.Local(), *_)):
            return True
        case c.Local():
            return e.name != name
        case _:
            return all(ends_tell(x, name) for x in e.args)


def tiers(ask: c.Ask) -> tuple[c.Expr, ...]:
    """The sets that an answer is taken from, one after another."""
    if ask.source is None:
        return ()
    return ask.source.tiers if isinstance(ask.source, c.FirstOf) else (ask.source,)


def bounds(limit: str, number: Any, offered: int) -> tuple[int, int]:
    """The fewest and the most that an answer may name; where nothing is said, none and all."""
    if number is None:
        return 0, offered
    stated = int(number)
    match limit:
        case "at_least":
            return stated, offered
        case "at_most":
            return 0, min(stated, offered)
        case _:
            return stated, stated


def shared_out(total: int, members: Values) -> Iterator[tuple[tuple[Any, int], ...]]:
    """Every way to share a number out."""
    if not members:
        yield from [()] if total == 0 else []
        return
    for n in range(total, -1, -1):
        for rest in shared_out(total - n, members[1:]):
            yield ((members[0], n), *rest) if n else rest
