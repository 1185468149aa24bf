"""Build sets, and loops over their members.

In:  a set of the core, or a loop over one.
Out: Python that makes it or goes through it. The part of a filter that never changes becomes a constant of the package.

A loop counts the members that it goes through (`each`, see runtime/problems.py), so that every question ends. One over
a handful that asks nothing further of the book does not: what is asked within it is bounded by its text.
"""

from __future__ import annotations

from typing import Any

from rulewright.runtime.values import unique

from ...analyse.inline import TABLE, effort
from ...core import nodes as c
from ...core.maps import several
from ..fixed import HEXES
from ..model.expressions import (
    ONE,
    ZERO,
    Attr,
    Call,
    Comp,
    Expr,
    Index,
    Loop,
    Name,
    S,
    Tup,
    all_of,
    both,
    compare,
    every,
    length,
)
from ..model.walk import replaced
from ..naming import HELPERS
from .arithmetic import FIXED_BUILTINS, conjuncts, is_fixed, join
from .asked import Asked
from .protocol import Build

FEW = 16
"""The most members of a set that is a handful."""
NEAR_BY = {"neighbors", "sides_of"}


class Members:
    """Sets and their members."""

    def __init__(self, build: Build, asks: Asked) -> None:
        self.build = build
        self.asks = asks
        self.ctx = build.ctx

    def loop(self, var: str, over: Expr, *tests: Expr) -> Loop:
        return Loop(Name(self.ctx.local(var)), over, tests)

    def counted(self, base: c.Expr, over: Expr, *inside: c.Expr | None) -> Expr:
        """What a loop goes through, counted where that may be much."""
        if few(base) and all(self.asks_little(x) for x in inside if x is not None):
            return over
        if isinstance(base, c.Range):
            return over  # counted as it is made
        return Call(HELPERS["each"], (S, over))

    def asks_little(self, e: c.Expr) -> bool:
        """Whether an expression neither loops nor asks for what may."""
        for x in e.walk():
            if isinstance(x, c.Call):
                said = self.asks.folded(x)
                if said is None and self.ctx.how(x.name) != TABLE:
                    return False
                if said is not None and not self.asks_little(said):
                    return False
            elif effort(x) != "plain" and not isinstance(x, c.SetOf | c.ListOf | c.RecordOf | c.BoxOf | c.Within):
                return False
        return True

    def set_of(self, e: c.SetOf) -> Expr:
        values = [x.value for x in e.items if isinstance(x, c.Const)]
        if len(values) == len(e.items):
            return self.plain_set(e, unique(values))
        if len(e.items) == 1:
            return Tup((self.build(e.items[0]),))
        return Call(HELPERS["unique"], (Tup(tuple([self.build(x) for x in e.items])),))

    def plain_set(self, e: c.Expr, values: tuple[Any, ...]) -> Expr:
        """A set of constants; steps of a scale and turns stand there by name."""
        of = e.type.of
        if of is not None and of.name == "turn" and values:
            return Tup(tuple(self.ctx.fixed.turn(self.ctx.book.calendar, x) for x in values))
        if of is None or of.sort != "scale" or not values:
            return self.build.fixed(values)
        naming = self.ctx.naming
        return naming.all_steps(of.name, values) or Tup(tuple(naming.step(of.name, x) for x in values))

    def those(self, base: c.Expr, test: c.Expr, var: str) -> Expr:
        """The members of a set of which something holds."""
        over, rest = self.narrow(base, test, var)
        if rest is None:
            return over
        held = self.loop(var, self.counted(base, over, rest), self.build.with_var(var, rest))
        return every("tuple", Comp(Name(self.ctx.local(var)), (held,)))

    def narrow(self, base: c.Expr, test: c.Expr | None, var: str) -> tuple[Expr, c.Expr | None]:
        """Set aside the part of a filter that never changes, as a constant of the package."""
        book = self.ctx.book
        by_map = isinstance(base, c.BuiltinCall) and base.name in FIXED_BUILTINS and several(book.map)
        if test is None or not (by_map or is_fixed(base, set(), book)):
            return self.build(base), test
        fixed: list[c.Expr] = []
        rest: list[c.Expr] = []
        for part in conjuncts(test):
            (fixed if is_fixed(part, {var}, book) else rest).append(part)
        if not fixed:
            return self.build(base), test
        build, it = self.build.apart(), Name(self.ctx.local("it"))
        condition = all_of(*[replaced(build.with_var(var, x), Name(self.ctx.local(var)), it) for x in fixed])
        over = HEXES if by_map else build(base)
        value = every("tuple", Comp(it, (Loop(it, over, (condition,)),)))
        return self.ctx.fixed.members(base, fixed, value), join(rest)

    def any_of(self, e: c.AnyOf) -> Expr:
        base, var = e.base, e.var
        if e.test is None:
            if isinstance(base, c.Paths):
                return self.asks.route(base, "_any")
            if isinstance(base, c.Plans):
                return Call(HELPERS["completable"], (self.asks.matching(base),))
            return every("bool", self.build(base))
        over, test = self.narrow(base, e.test, var)
        if test is None:
            return every("bool", over)
        held = self.build.with_var(var, test)
        match base:
            case c.BuiltinCall("units_at", (c.Local() as at,)) if not at.type.absent:
                place = Index(Attr(S, "here"), self.build(at))
                found = every("any", Comp(held, (self.loop(var, self.counted(base, place, test)),)))
                return both("and", compare(length(place), ">", ZERO), found)  # most places are empty
            case _:
                return every("any", Comp(held, (self.loop(var, self.counted(base, over, test)),)))

    def count(self, e: c.CountOf) -> Expr:
        if e.test is None:
            return length(self.build(e.base))
        over, test = self.narrow(e.base, e.test, e.var)
        if test is None:
            return length(over)
        over = self.counted(e.base, over, test)
        return every("sum", Comp(ONE, (self.loop(e.var, over, self.build.with_var(e.var, test)),)))

    def each(self, e: c.Folded, brackets: str = "") -> Comp:
        """A value for each member of a set."""
        return Comp(self.build.with_var(e.var, e.value), (self.over(e.base, e.var, e.value),), brackets)

    def over(self, base: c.Expr, var: str, inside: c.Expr) -> Loop:
        """The loop over a set; what leaves members out stands in the loop itself."""
        if not isinstance(base, c.Filter) or base.var != var:
            return self.loop(var, self.counted(base, self.build(base), inside))
        over, test = self.narrow(base.base, base.test, var)
        over = self.counted(base.base, over, test, inside)
        return self.loop(var, over, *([self.build.with_var(var, test)] if test is not None else []))


def few(base: c.Expr) -> bool:
    """Whether a set is a handful of things, whatever the position."""
    match base:
        case c.Const(value):
            return isinstance(value, tuple) and len(value) <= FEW
        case c.SetOf(items) | c.ListOf(items):
            return len(items) <= FEW
        case c.BuiltinCall(name):
            return name in NEAR_BY
        case c.Filter(inner):
            return few(inner)
        case _:
            return False
