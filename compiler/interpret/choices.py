"""What makes a choice legal.

In:  a question or an action of the core, and the world.
Out: whether an answer is one, the cases that speak against it, and whether there is any.

Membership is asked directly of the rules. Where it matters whether anything can be chosen at all, arguments are tried
one after another; sets are tried up to a bound, beyond which the question is given up (`Unknown`).
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
from .program import answer_text, everything, type_text
from .routes import Route
from .table import Table
from .values import NONSENSE, as_many
from .world import World

MOST_SHARES = 10_000
MOST_SETS = 3000

Values = tuple[Any, ...]


# ---------------------------------------------------------------- questions


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
        return islice((v for v in islice(self.every(), MOST_SETS) if self.holds(v)), most)

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


# ---------------------------------------------------------------- actions


class ActionSpace:
    """The ways a side may take one action now."""

    def __init__(self, ev: Evaluator, W: World, action: c.Action, actor: str) -> None:
        self.ev, self.W, self.action, self.actor = ev, W, action, actor

    def against(self, args: Args) -> set[str]:
        """The cases that speak against taking the action with these arguments; none where it is legal."""
        action, given = self.action, dict(args)
        types = {p.name: type_text(p.type) for p in action.params}
        program = self.W.S.program
        strange = any(n not in types or not of_type(program, types[n], v) for n, v in args)
        if strange or any(name not in given for name in types) or len(args) > len(types):
            return {action.case}
        try:
            return self.closed() | self.refused(tuple(given[name] for name in types))
        except NONSENSE:
            return {action.case}

    def closed(self) -> set[str]:
        """Why the action cannot be taken at all now."""
        action, W = self.action, self.W
        theirs = self.actor not in as_many(self.ev.value(W, action.by, {}))
        if theirs or (action.phases and not any(W.running(p) for p in action.phases)):
            return {action.case}
        return set()

    def refused(self, args: Values) -> set[str]:
        action = self.action
        far = [i for i in range(len(args)) if not self.in_domain(i, args)]
        if far:
            found = {action.case}
            for i, p in enumerate(action.params):
                route = self.route(i, args) if p.type.name == "path" else None
                if route is not None:
                    with suppress(*NONSENSE):  # a path that leads nowhere
                        found |= route.cases_against(args[i])
            return found
        names = self.names(args)
        found = {rule.case for rule in action.rules if self.ev.refuses(self.W, rule, names)}
        return found | {self.ev.book.quotas[quota].case for quota in self.short(names)}

    def names(self, args: Values) -> Names:
        known = dict(zip((p.name for p in self.action.params), args, strict=False))
        return {**known, "actor": self.actor}

    def short(self, names: Names) -> list[str]:
        """The quotas of which too little is left."""
        found = []
        for quota, key, amount in self.action.spends:
            price = self.ev.value(self.W, amount, names)
            left = self.ev.left(self.W, quota, tuple(self.ev.value(self.W, k, names) for k in key))
            if price > 0 and left < price:
                found.append(quota)
        return found

    def route(self, i: int, args: Values) -> Route | None:
        """The route whose paths an argument is taken from; any path that keeps to it will do."""
        domain = self.action.params[i].domain
        if not isinstance(domain, c.Paths) or self.ev.book.routes[domain.name].legs:
            return None
        return Route(self.ev, self.W, domain.name, self.ev.arguments(self.W, domain, self.names(args[:i])))

    def in_domain(self, i: int, args: Values) -> bool:
        p, value = self.action.params[i], args[i]
        try:
            route = self.route(i, args) if p.type.name == "path" else None
            if route is not None:
                return route.accepts(value)
            if p.domain is None:
                return True
            members = self.ev.value(self.W, p.domain, self.names(args[:i]))
            if p.type.many:
                return 0 < len(value) == len(set(value)) and set(value) <= set(members)
            return value in members
        except NONSENSE:
            return False

    # ------------------------------------------------------------ ways

    def any(self) -> bool:
        """Whether there is a legal way to take the action."""
        return next(self.ways(), None) is not None

    def ways(self) -> Iterator[Args]:
        """The legal ways, argument by argument; a rule is asked as soon as all that it looks at is known."""
        if self.closed():
            return
        params = [p.name for p in self.action.params]
        levels = [(level(params, [r.test, r.guard, *waiver_guards(r.waivers)]), r) for r in self.action.rules]
        spends = [level(params, [*key, amount]) for _, key, amount in self.action.spends]

        def after(args: Values) -> Iterator[Values]:
            names = self.names(args)
            if any(n == len(args) and self.ev.refuses(self.W, rule, names) for n, rule in levels):
                return
            if len(args) in spends and len(args) == max(spends) and self.short(names):
                return
            if len(args) == len(params):
                yield args
                return
            for value in self.candidates(args, names):
                yield from after((*args, value))

        for args in after(()):
            yield tuple(zip(params, args, strict=True))

    def candidates(self, args: Values, names: Names) -> Iterable[Any]:
        p = self.action.params[len(args)]
        book = self.ev.book
        members = self.ev.value(self.W, p.domain, names) if p.domain is not None else everything(book, p.type)
        return nonempty_sets(tuple(members)) if p.type.many else members


def nonempty_sets(members: Values) -> Iterator[Values]:
    """Subsets, smaller ones first; after a bound nobody can tell whether one of the others would do."""
    tried = 0
    for size in range(1, len(members) + 1):
        for some in combinations(members, size):
            tried += 1
            if tried > MOST_SETS:
                raise Unknown(f"more than {MOST_SETS:,} sets to try")
            yield some


def level(params: list[str], exprs: Iterable[c.Expr | None]) -> int:
    """How many arguments must be known before these can be told."""
    used = {e.name for top in exprs if top is not None for e in top.walk() if isinstance(e, c.Local)}
    return max((i for i, name in enumerate(params, 1) if name in used), default=0)


def waiver_guards(waivers: tuple[c.Waiver, ...]) -> list[c.Expr | None]:
    return [g for w in waivers for g in (w.guard, *waiver_guards(w.waivers))]


# ---------------------------------------------------------------- duties


def lacking(table: Table, failing: bool) -> list[tuple[c.Duty, list[Values]]]:
    """The unmet duties, those with a rule for failing them or those without, and who lacks what."""
    found = []
    for duty in table.book.duties.values():
        if (duty.failing is not None) is failing and any(p in table.S.phases for p in duty.phases):
            lack = [m for m in bound_by(table, duty) if not met(table, duty, m)]
            if lack:
                found.append((duty, lack))
    return found


def bound_by(table: Table, duty: c.Duty) -> list[Values]:
    if duty.var is None or duty.domain is None:
        return [()]
    return [(x,) for x in table.ev.value(table.W, duty.domain, {})]


def met(table: Table, duty: c.Duty, member: Values) -> bool:
    names: Names = {duty.var: member[0]} if duty.var is not None else {}
    return bool(table.ev.value(table.W, duty.test, names)) or table.ev.waived(table.W, duty.waivers, names)
