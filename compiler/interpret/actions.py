"""Actions and duties: who may do what, and who must.

In:  an action or a duty of the core, and the world.
Out: whether a choice is legal, the cases that speak against it, and whether there is any; who lacks in a duty.

Membership is asked directly of the rules. Where it matters whether anything can be done at all, arguments are tried one
after another; sets are tried up to a bound, beyond which the question is given up (`Unknown`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import combinations
from typing import Any

from rulewright.runtime.notation import of_type
from rulewright.runtime.problems import Fault
from rulewright.runtime.text import Args

from ..core import nodes as c
from .asks import Names, Unknown, said_by
from .expressions import Evaluator
from .program import everything, type_text
from .questions import ends_tell
from .routes import Route
from .table import Table
from .values import NONSENSE, as_many
from .world import World

MOST_SETS = 3000
MOST_TRIED = 1_000_000

Values = tuple[Any, ...]


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
        """Whether there is a legal way to take the action, be it along a path that is not listed."""
        return next(self.ways(), None) is not None or next(self.ways(True), None) is not None

    def ways(self, others: bool = False) -> Iterator[Args]:
        """The legal ways, argument by argument; a rule is asked as soon as all that it looks at is known.

        Of a path the listed ones; `others` are gone through too where another path to the same end may fare better.
        """
        if others and not self.roams():
            return
        if self.closed():
            return
        params = [p.name for p in self.action.params]
        levels = [(level(params, [r.test, r.guard, *waiver_guards(r.waivers)]), r) for r in self.action.rules]
        spends = [level(params, [*key, amount]) for _, key, amount in self.action.spends]

        tried = 0

        def after(args: Values) -> Iterator[Values]:
            nonlocal tried
            tried += 1
            if tried > MOST_TRIED:
                raise Fault(f"more than {MOST_TRIED:,} ways to take {self.action.name} are tried", self.action.case)
            names = self.names(args)
            if any(n == len(args) and self.ev.refuses(self.W, rule, names) for n, rule in levels):
                return
            if len(args) in spends and len(args) == max(spends) and self.short(names):
                return
            if len(args) == len(params):
                yield args
                return
            for value in self.candidates(args, names, others):
                yield from after((*args, value))

        with said_by(self.action.case):
            for args in after(()):
                yield tuple(zip(params, args, strict=True))
                tried = 0

    def roams(self) -> list[str]:
        """The parameters that are paths of which a rule asks more than where they end."""
        action, found = self.action, []
        for i, p in enumerate(action.params):
            route = self.ev.book.routes[p.domain.name] if isinstance(p.domain, c.Paths) else None
            if route is None or route.legs or p.type.name != "path":
                continue
            asked: list[c.Expr | None] = [q.domain for q in action.params[i + 1 :]]
            asked += [x for r in action.rules for x in (r.test, r.guard, *waiver_guards(r.waivers))]
            asked += [x for _, key, amount in action.spends for x in (*key, amount)]
            if not {*route.needs} <= {"last"} or not all(ends_tell(e, p.name) for e in asked if e is not None):
                found.append(p.name)
        return found

    def candidates(self, args: Values, names: Names, others: bool) -> Iterable[Any]:
        p = self.action.params[len(args)]
        if others and p.name in self.roams():
            route = self.route(len(args), args)
            return route.others() if route is not None else ()
        book = self.ev.book
        members = self.ev.value(self.W, p.domain, names) if p.domain is not None else everything(book, self.W, p.type)
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
