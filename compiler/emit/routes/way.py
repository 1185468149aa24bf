"""A route while its functions are built: what all of them share.

In:  a route of the core.
Out: its names, facets and ends as expressions, and the price of single steps, for paths that a player gives.
"""

from __future__ import annotations

from ...analyse.inline import plain_value
from ...core import nodes as c
from ...core.types import PLACE
from ..answers import Telling, asked_with
from ..context import Context, Draft
from ..expressions.build import Expressions
from ..fixed import every_hex
from ..model.expressions import (
    FALSE,
    NONE,
    TRUE,
    At,
    Call,
    Cond,
    Expr,
    Lambda,
    Ref,
    S,
    Tup,
    compare,
    every,
    names,
    negated,
    plus,
)
from ..model.statements import Assign, Hint, If, Param, Return, Stmt
from ..model.walk import exprs, walk
from ..naming import STATE, chapter_of
from ..sets import refused
from .parts import CROSSING, HERE, THERE, Kept, Names, Search

ENDS = Assign((CROSSING,), Cond(compare(HERE, "<", THERE), Tup((HERE, THERE)), Tup((THERE, HERE))))
"""The hexside that a step crosses."""


class Way:
    """One route: its parameters, facets, and what its search keeps."""

    def __init__(self, ctx: Context, r: c.Route) -> None:
        self.ctx = ctx
        self.r = r
        self.names = tuple(ctx.local(x.name) for x in r.params)
        self.plain = tuple(ctx.local(x.name) for x in r.params if x.type.sort in ("kind", "scale"))
        self.movers = frozenset(self.names) - frozenset(self.plain)
        self.given: tuple[Expr, ...] = (S, *names(*self.names))
        self.base = ctx.naming.function("route", r.name)
        self.title = ctx.title(r.case)
        self.place = ctx.hint(PLACE)
        facet = {k: Call(ctx.naming.function("define", v), self.given) for k, v in r.facets.items()}
        self.facet: dict[str, Expr] = {**facet}
        self.starts: Expr = self.facet.get("from", every_hex(ctx.book))
        self.goals = self.facet.get("to")
        self.needs = [x for x in r.rules if x.sort == "require"]
        self.goal_set: Expr = every("frozenset", self.goals) if self.goals is not None else NONE
        kept = plain_value(ctx.book.definitions[r.facets["to"]]) if "to" in r.facets and not ctx.traced else None
        if isinstance(kept, c.Call) and kept.name in ctx.kept_sets:
            self.goal_set = Expressions(ctx).asks.members(kept)
        self.hoisted = Names()
        self.sets = Names()
        self.alike: tuple[str, ...] | None = None
        self.kept: list[Kept] = []
        self.made: Search | None = None
        self.fast = False

    @property
    def at(self) -> At:
        return At(self.r.case, self.r.span, f"route {self.r.name}")

    def ref(self, word: str) -> Ref:
        return Ref(self.base.module, f"{self.base.id}_{word}")

    def call(self, word: str, *more: Expr) -> Call:
        """A function of the route about its parameters and more."""
        return Call(self.ref(word), (*self.given, *more))

    def function(self, word: str, doc: str, returns: Hint | None, *more: Param) -> Draft:
        """A function of the route about its parameters and more."""
        name = f"{self.base.id}_{word}" if word else self.base.id
        return self.ctx.about(self.r.case, name, self.r.params, returns, f"{self.title}: {doc}", *more)

    def keyed(self, word: str, keys: tuple[str, ...], doc: str, *more: Param) -> Draft:
        """A function of the route about some values of the mover."""
        params = (Param("S", STATE), *(Param(k) for k in keys), *more)
        name = f"{self.base.id}_{word}"
        return self.ctx.function(chapter_of(self.r.case), name, params, None, f"{self.title}: {doc}")

    @property
    def step_params(self) -> tuple[Param, Param]:
        return Param("here", self.place), Param("there", self.place)

    # ------------------------------------------------------------ single steps

    def step(self) -> None:
        """The price of a single step, for paths that a player gives."""
        r, build = self.r, Expressions(self.ctx)
        f = self.function("step", "the price of a step, or None where it is barred.", None, *self.step_params)
        body: list[Stmt] = []
        if r.over_test is not None:
            body.append(If(negated(build(r.over_test)), (Return(NONE),), (), self.at))
        body += [refused(rule, build, NONE) for rule in r.rules if rule.sort == "forbid"]
        f.body += [*with_crossing((*body, Return(plus(self.price_calls()))))]

    def price_calls(self) -> list[Expr]:
        given = (*self.given, HERE, THERE, CROSSING)
        facets = [self.r.facets[x] for x in ("leave", "cross", "enter") if x in self.r.facets]
        return [Call(self.ctx.naming.function("define", x), given) for x in facets]

    def stops(self) -> None:
        found = [x for x in self.r.rules if x.sort == "stop"]
        if not found:
            return
        f = self.function("stops", "whether a path must end on entering.", Hint("bool"), *self.step_params)
        build = Expressions(self.ctx)
        f.body += [*with_crossing((*(refused(rule, build, TRUE) for rule in found), Return(FALSE)))]

    def step_call(self) -> Expr:
        return Lambda(("here", "there"), self.call("step", HERE, THERE))

    def stops_call(self) -> Expr:
        if not any(x.sort == "stop" for x in self.r.rules):
            return NONE
        return Lambda(("here", "there"), self.call("stops", HERE, THERE))

    def one_start(self) -> Expr | None:
        """The place where a path begins, where that is one and evident."""
        value = plain_value(self.ctx.book.definitions[self.r.facets["from"]]) if "from" in self.r.facets else None
        if not isinstance(value, c.SetOf) or len(value.items) != 1:
            return None
        return Expressions(self.ctx)(value.items[0])

    def quick(self) -> bool:
        """Whether the first goal reached settles that there is a path."""
        return self.goals is not None and not self.needs

    def telling(self) -> Telling:
        """What the traced twin says of the route as a whole."""
        return Telling(self.r.name, asked_with([*self.names]))


def with_crossing(body: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
    """Statements about a step, with the hexside that it crosses before them where they look at it."""
    for i, s in enumerate(body):
        if any(x == CROSSING for top in exprs((s,)) for x in walk(top)):
            return (*body[:i], ENDS, *body[i:])
    return body
