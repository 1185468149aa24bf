"""Build the Python of core expressions.

In:  a core expression.
Out: an expression of the model over the state `S`; locals are variables, or entries of a frame `L`.

Short definitions are inlined; their cases are cited there.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, assert_never

from ...core import nodes as c
from ..context import Context
from ..model.expressions import (
    ONE,
    Attr,
    Call,
    Comp,
    Compare,
    Cond,
    Expr,
    Index,
    Lambda,
    Lit,
    Name,
    Neg,
    Op,
    S,
    Tup,
    both,
    compare,
    every,
    method,
    negated,
)
from ..naming import HELPERS, column_of
from .arithmetic import has_fraction
from .asked import Asked
from .members import Members
from .numbers import Numbers
from .protocol import Build, Lift


class Expressions:
    """Builds expressions; `frame` says that locals live in `L`, `bound` are those that do not."""

    def __init__(
        self,
        ctx: Context,
        frame: bool = False,
        usual: Expr | None = None,
        lift: Lift | None = None,
        traced: bool = True,
    ) -> None:
        self.ctx = ctx
        self.book = ctx.book
        self.frame = frame
        self.usual = usual
        self.lift = lift
        self.traced = ctx.traced and traced
        self.bound: list[str] = []
        self.folding = 0
        self.asks = Asked(self)
        self.sets = Members(self, self.asks)
        self.numbers = Numbers(self)

    def apart(self) -> Build:
        """A builder of what is asked outside of any procedure or search."""
        return Expressions(self.ctx)

    def __call__(self, e: c.Expr) -> Expr:
        e = c.known(e)
        match e:
            case c.Local(name):
                return self.name(name)
            case c.Const(value):
                return self.constant(e, value)
            case c.FieldOf() | c.MarkOf():
                return self._column(e) if self.lift is None else self.lift.value(e, lambda: self._column(e))
            case c.Call():
                return self.asks.ask(e)
            case c.And(left, right):
                return both("and", self(left), self(right))
            case c.Or(left, right):
                return both("or", self(left), self(right))
            case c.Not(value):
                return negated(self(value))
            case c.Equal() | c.Unequal() | c.Less() | c.AtMost() | c.More() | c.AtLeast():
                return self.asks.compared(e)
            case c.BuiltinCall():
                return self.numbers.builtin(e)
            case c.PlaceOf(unit):
                return Index(Attr(S, "at"), self(unit))
            case c.IsIn(item, c.Plans() as many):
                return Call(HELPERS["is_plan"], (self.asks.matching(many), self(item)))
            case c.IsIn(item, c.Paths(name) as many) if not self.book.routes[name].legs:
                keeps = Call(self.ctx.naming.helper("route", name, "_accepts"), (*self.args(many), Name("path")))
                return Call(HELPERS["keeps_to"], (self(item), Lambda((), self(many)), Lambda(("path",), keeps)))
            case c.IsIn(item, many):
                return compare(self(item), "in", self.asks.members(many) if self.asks.kept(many) else self(many))
            case c.Choose():
                return self.asks.choose(e)
            case c.AnyOf():
                return self.sets.any_of(e)
            case c.Filter(base, test, var):
                return self.sets.those(base, test, var)
            case c.Bound(name):
                return Attr(S, f"bind_{name}")
            case c.Total(name):
                return Name(name)
            case c.Remembered():
                return self.asks.remembered(e)
            case c.Reading(name):
                return Index(Attr(S, "readings"), Lit(name))
            case c.InPhase(name):
                return compare(Lit(name), "in", Attr(S, "phases"))
            case c.BoxOf(name, asked):
                return Index(self.ctx.naming.column("box", name), self(asked[0]))
            case c.Usual():
                assert self.usual is not None
                return self.usual
            case c.Keep():
                return Name("keep")
            case c.QuotaCap(name):
                return Call(self.ctx.naming.function("define", name), self.args(e))
            case c.QuotaLeft(name, asked):
                return Call(HELPERS["left"], (S, Lit(name), self.key(asked)))
            case c.QuotaSpent(name, asked):
                return Call(HELPERS["spent"], (S, Lit(name), self.key(asked)))
            case c.TableCell():
                return self.asks.table(e)
            case c.Paths(name):
                return Call(self.ctx.naming.function("route", name), self.args(e))
            case c.PathEnds():
                return self.asks.route(e, "_ends")
            case c.ShortestPaths():
                return self.asks.route(e, "_shortest")
            case c.PathCost():
                return self.asks.route(e, "_cost")
            case c.Plans():
                return Call(HELPERS["every_plan"], (self.asks.matching(e),))
            case c.BlockedItems():
                return Call(HELPERS["blocked"], (self.asks.matching(e),))
            case c.UncoveredTargets():
                return Call(HELPERS["uncovered"], (self.asks.matching(e),))
            case c.Grown(name):
                return Call(self.ctx.naming.function("grow", name), self.args(e))
            case c.Plus(left, right) | c.Minus(left, right):
                return Op(e.sign, self(left), self(right))
            case c.Times():
                return self.numbers.product(e)
            case c.Over():
                return self.numbers.quotient(e)
            case c.Negative(value):
                return Neg(self(value))
            case c.Between(value, low, high):
                return Compare(self(low), (("<=", self(value)), ("<=", self(high))))
            case c.Within(one, reach, other):
                return compare(Call(HELPERS["distance"], (S, self(one), self(other))), "<=", self(reach))
            case c.Union(left, right):
                return Call(HELPERS["union"], (self(left), self(right)))
            case c.Without(left, right):
                return Call(HELPERS["without"], (self(left), self(right)))
            case c.OnScale():
                return self.numbers.on_scale(e)
            case c.Shifted(step, by, last):
                limit = self.ctx.naming.step(e.type.name, last) if e.type.sort == "scale" else Lit(last)
                return Call(HELPERS["shifted"], (self(step), self(by), limit))
            case c.Rank(value, words):
                rank = self(value) if words is None else method(Lit(words), "index", self(value))
                return Op("+", rank, ONE)
            case c.Other(value, words):
                return Cond(compare(self(value), "==", Lit(words[1])), Lit(words[0]), Lit(words[1]))
            case c.SetOf():
                return self.sets.set_of(e)
            case c.ListOf(items) | c.RecordOf(_, items):
                return Tup(tuple([self(x) for x in items]))
            case c.Range(low, high):
                return Call(HELPERS["each"], (S, Call(HELPERS["span"], (self(low), self(high)))))
            case c.Member(of, index):
                record = of.type.sort == "record"
                return Index(self(of), self.ctx.naming.field(of.type.name, index) if record else Lit(index))
            case c.FirstOf(tiers):
                return Call(HELPERS["first_of"], tuple([Lambda((), self(x)) for x in tiers]))
            case c.EveryOf(base, test, var):
                assert test is not None
                return every("all", Comp(self.with_var(var, test), (self.sets.over(base, var, test),)))
            case c.CountOf():
                return self.sets.count(e)
            case c.SumOf():
                return every("sum", self.sets.each(e, "[]"))
            case c.Each():
                return Call(HELPERS["unique"], (self.sets.each(e),))
            case c.EachOf():
                return Call(HELPERS["flat"], (self.sets.each(e),))
            case c.Highest():
                return Call(HELPERS["highest"], (self.sets.each(e),))
            case c.Lowest():
                return Call(HELPERS["lowest"], (self.sets.each(e),))
            case c.Suppose():
                return self._supposed(e) if self.lift is None else self.lift.suppose(lambda: self._supposed(e))
            case _:
                assert_never(e)

    def args(self, e: c.Operator) -> tuple[Expr, ...]:
        return (S, *[self(a) for a in e.args])

    def key(self, args: tuple[c.Expr, ...]) -> Expr:
        return Tup(tuple([self(a) for a in args]))

    def with_var(self, name: str, e: c.Expr) -> Expr:
        self.bound.append(name)
        try:
            return self(e)
        finally:
            self.bound.pop()

    def var(self, name: str) -> str:
        return self.ctx.local(name)

    # ------------------------------------------------------------ leaves

    def constant(self, e: c.Const, value: Any) -> Expr:
        """A value that is written out; steps of a scale and turns stand there by name."""
        if e.type.sort == "scale":
            return self.ctx.naming.step(e.type.name, value)
        if e.type.name == "turn":
            return self.ctx.fixed.turn(self.book.calendar, value)
        if e.type.of is not None:
            return self.sets.plain_set(e, value)
        return self.fixed(value)

    def fixed(self, value: Any) -> Expr:
        """A plain value; one that takes work to make is made once, when the package is loaded."""
        if isinstance(value, Fraction):
            return Lit(value.numerator) if value.denominator == 1 else self.ctx.fixed.fraction(value)
        if isinstance(value, tuple) and has_fraction(value):
            return self.ctx.fixed.use("VALUES", Lit(value))
        return Lit(value)

    def name(self, name: str) -> Expr:
        if self.lift is not None and name not in self.bound:
            self.lift.local(name)
        if self.frame and name not in self.bound:
            return Index(Name("L"), Lit(name))
        return Name(self.var(name))

    def _column(self, e: c.FieldOf | c.MarkOf) -> Expr:
        """A printed value or a mark of something."""
        if isinstance(e, c.FieldOf):
            owner, _ = e.key
            printed = self.ctx.naming.column(*e.key)
            if owner in ("unit", "place"):
                return Index(printed, self(e.of))
            return method(printed, "get", self(e.of), Lit(self.book.fields[e.key].default))
        owner = e.of.type.plain.name if e.of is not None else "game"
        column = Attr(S, column_of(owner, e.name))
        if e.of is None or owner == "game":
            return column
        if owner in ("hexside", "turn"):
            return method(column, "get", self(e.of), Lit(self.book.marks[owner, e.name].start))
        return Index(column, self(e.of))

    def _supposed(self, e: c.Suppose) -> Expr:
        changes: list[Expr] = []
        for x in e.changes:
            if isinstance(x, c.UnitAt):
                changes.append(Tup((Lit("at"), Lit(""), self(x.what), self(x.to))))
                continue
            kind = x.what.type.of if x.what.type.of is not None else x.what.type
            owner = "game" if x.of_game else kind.plain.name
            changes.append(Tup((Lit("mark"), Lit(column_of(owner, x.name)), self(x.what), self(x.to))))
        return Call(HELPERS["suppose"], (S, Tup(tuple(changes)), Lambda((), self(e.value))))
