"""Build references to declarations: definitions, tables, memories, routes, matchings; and conditions on their results.

In:  an operator of the core that names a declaration, or decides by one.
Out: a call, a table look-up, or the declaration inlined, with its cases.
"""

from __future__ import annotations

from ...analyse.inline import TABLE, asked_here, decided
from ...core import nodes as c
from ..context import Context, cited
from ..model.expressions import (
    At,
    Attr,
    Call,
    Expr,
    Index,
    Lit,
    Ref,
    S,
    Tup,
    both,
    choice,
    compare,
    every,
    method,
    negated,
)
from ..naming import HELPERS
from .protocol import Build

DEEPEST = 5
"""The most definitions that are folded within one another: Python reads no more than some 90 brackets."""
COMPARE = {"=": "==", "!=": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">="}


class Asked:
    """Questions to the declarations of the book."""

    def __init__(self, build: Build) -> None:
        self.build = build
        self.ctx = build.ctx
        self.book = build.ctx.book

    def folded(self, e: c.Expr) -> c.Expr | None:
        """A definition inlined, where it is short enough."""
        if not isinstance(e, c.Call) or self.build.folding == DEEPEST:
            return None
        found = self.ctx.how(e.name)
        if not isinstance(found, c.Operator):
            return None
        return asked_here(found, self.book.definitions[e.name], e.asked)

    def said_by(self, name: str) -> tuple[At, ...]:
        """The cases that speak in an inlined definition."""
        layers = {x.case: x for x in reversed([*self.book.definitions[name].layers()])}
        return tuple(At(x.case, x.span, x.id) for x in reversed(layers.values()))

    def ask(self, e: c.Call) -> Expr:
        """A definition: inlined, looked up in its table, or called."""
        said = self.folded(e)
        if said is not None:
            self.build.folding += 1
            found = self.build(said)
            self.build.folding -= 1
            return cited(found, *self.said_by(e.name))
        if self.ctx.how(e.name) == TABLE:
            answer = Index(self.answers(e.name), self.build(e.asked[0]) if e.asked else Lit(None))
            return Call(HELPERS["tell_again"], (S, answer)) if self.ctx.traced else answer
        return Call(self.ctx.naming.function("define", e.name), self.build.args(e))

    def answers(self, name: str) -> Ref:
        """The table of a definition that depends on nothing that can change; results are computed on first use."""
        self.ctx.answers[name] = None
        function = self.ctx.naming.function("define", name)
        return Ref(function.module, function.id.upper())

    def choose(self, e: c.Choose) -> Expr:
        for one, rest, is_first in ((e.then, e.otherwise, True), (e.otherwise, e.then, False)):
            if isinstance(one, c.Const) and isinstance(one.value, bool):
                return self._flag(e.test, one.value, rest, is_first)
        return choice(self.build(e.test), self.build(e.then), self.build(e.otherwise))

    def _flag(self, guard: c.Expr, fixed: bool, rest: c.Expr, first: bool) -> Expr:
        """A choice of which one side is yes or no: it comes first where the guard holds, or last where it does not."""
        test = self.build(guard) if first == fixed else negated(self.build(guard))
        if isinstance(rest, c.Const) and rest.value is (not fixed):
            return test
        return both("or" if fixed else "and", test, self.build(rest))

    def table(self, e: c.TableCell) -> Expr:
        table = self.book.tables[e.name]
        keys = []
        for param, arg in zip(table.params, e.asked, strict=True):
            key = self.build(arg)
            if param.name in table.clamps:
                low, high = table.clamps[param.name]
                key = Call(HELPERS["clamp"], (key, Lit(low), Lit(high)))
            keys.append(key)
        if self.ctx.folded:
            return Index(self.ctx.fixed.table(table), Tup(tuple(keys)))
        return Call(self.ctx.naming.function("table", table.name), (S, Tup(tuple(keys))))

    def remembered(self, e: c.Remembered) -> Expr:
        memory = self.book.memories[e.name]
        if self.build.traced:
            return Call(past(self.ctx, memory.name), self.build.args(e))
        return method(Attr(S, f"past_{memory.name}"), "get", self.build.key(e.asked), Lit(memory.start))

    def compared(self, e: c.Comparison) -> Expr:
        settled = self._settled(e)
        if settled is not None:
            return settled
        one, other = self.build(e.left), self.build(e.right)
        sides = (e.left, e.right)
        alike = isinstance(e, c.Equal | c.Unequal)
        if alike and "set" in (e.left.type.sort, e.right.type.sort) and all(x.type.many for x in sides):
            one, other = (
                x if isinstance(a, c.Const | c.Union) else Call(HELPERS["unique"], (x,))
                for a, x in zip(sides, (one, other), strict=True)
            )
        return compare(one, COMPARE[e.sign], other)

    def _settled(self, e: c.Comparison) -> Expr | None:
        """A comparison with a constant of what is a choice between constants, as the condition of that choice."""
        if not isinstance(e, c.Equal | c.Unequal):
            return None
        for one, other in ((e.left, e.right), (e.right, e.left)):
            said = self.folded(one) if isinstance(other, c.Const) else None
            found = decided(said, other) if said is not None else None
            if found is not None and isinstance(one, c.Call):
                made = self.build(found) if isinstance(e, c.Equal) else negated(self.build(found))
                return cited(made, *self.said_by(one.name))
        return None

    def route(self, e: c.OfRoute, suffix: str) -> Expr:
        return Call(self.ctx.naming.helper("route", e.name, suffix), self.build.args(e))

    def matching(self, e: c.OfMatching) -> Expr:
        """A matching itself, whose plans are not listed."""
        return Call(self.ctx.naming.function("matching", e.name), self.build.args(e))

    def kept(self, e: c.Expr) -> bool:
        """Whether a set is kept ready for look-ups."""
        return isinstance(e, c.Call) and e.name in self.ctx.kept_sets

    def members(self, e: c.Expr) -> Expr:
        """A set that something can be looked for in at once."""
        if not isinstance(e, c.Call) or e.name not in self.ctx.kept_sets:
            return every("frozenset", self.build(e))
        self.ctx.looked_up[e.name] = None
        return Call(self.ctx.naming.helper("define", e.name, "__members"), self.build.args(e))


def past(ctx: Context, name: str) -> Ref:
    """The function that tells what a memory remembers."""
    found = ctx.naming.function("define", name)
    return Ref(found.module, f"past_{found.id}")
