"""Build the Python of core expressions.

In:  a core expression.
Out: an expression of the model over the state `S`; locals are variables, or entries of a frame `L`.

What a definition says stands where it is asked, if it is short; its cases are cited there.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any, Protocol, assert_never

from rulewright.runtime.values import LARGEST, unique

from ..analyse.inline import TABLE, asked_here, decided
from ..core import nodes as c
from .arithmetic import conjuncts, fraction, has_fraction, is_fixed, join, plainly_small, rounded_part, small_factor
from .builtins import BUILTINS
from .context import Context, cited
from .model.expressions import (
    ONE,
    ZERO,
    At,
    Attr,
    Call,
    Comp,
    Compare,
    Cond,
    Expr,
    Index,
    Lambda,
    Lit,
    Loop,
    Name,
    Neg,
    Op,
    Ref,
    S,
    Tup,
    all_of,
    both,
    choice,
    compare,
    every,
    length,
    method,
    negated,
)
from .model.walk import replaced
from .naming import HELPERS, column_of

DEEPEST = 5
"""The most definitions that are folded within one another: Python reads no more than some 90 brackets."""
COMPARE = {"=": "==", "!=": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">="}


class Lift(Protocol):
    """What a search takes out of its loops (see routes/mover.py)."""

    def value(self, e: c.Expr, made: Callable[[], Expr]) -> Expr: ...
    def local(self, name: str) -> None: ...
    def suppose(self, made: Callable[[], Expr]) -> Expr: ...


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

    def __call__(self, e: c.Expr) -> Expr:
        match e:
            case c.Local(name):
                return self.name(name)
            case c.Const(value):
                return self.constant(e, value)
            case c.FieldOf() | c.MarkOf():
                return self._column(e) if self.lift is None else self.lift.value(e, lambda: self._column(e))
            case c.Call():
                return self.ask(e)
            case c.And(left, right):
                return both("and", self(left), self(right))
            case c.Or(left, right):
                return both("or", self(left), self(right))
            case c.Not(value):
                return negated(self(value))
            case c.Equal() | c.Unequal() | c.Less() | c.AtMost() | c.More() | c.AtLeast():
                return self._compare(e)
            case c.BuiltinCall():
                return self._builtin(e)
            case c.PlaceOf(unit):
                return Index(Attr(S, "at"), self(unit))
            case c.IsIn(item, many):
                return compare(self(item), "in", self.members(many) if self.kept(many) else self(many))
            case c.Choose():
                return self._choose(e)
            case c.AnyOf():
                return self._any(e)
            case c.Filter(base, test, var):
                over, rest = self.narrow(base, test, var)
                return over if rest is None else every("tuple", self.those(var, over, rest))
            case c.Bound(name):
                return Attr(S, f"bind_{name}")
            case c.Total(name):
                return Name(name)
            case c.Remembered():
                return self._remembered(e)
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
                return self._table(e)
            case c.Paths(name):
                return Call(self.ctx.naming.function("route", name), self.args(e))
            case c.PathEnds():
                return self.route(e, "_ends")
            case c.ShortestPaths():
                return self.route(e, "_shortest")
            case c.PathCost():
                return self.route(e, "_cost")
            case c.Plans():
                return self._plans(e)
            case c.BlockedItems():
                return Call(HELPERS["blocked"], (self._plans(e),))
            case c.UncoveredTargets():
                return Call(HELPERS["uncovered"], (self._plans(e),))
            case c.Grown(name):
                return Call(self.ctx.naming.function("grow", name), self.args(e))
            case c.Plus(left, right) | c.Minus(left, right):
                return Op(e.sign, self(left), self(right))
            case c.Times():
                return self._product(e)
            case c.Over():
                return self._quotient(e)
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
                return self._on_scale(e)
            case c.Shifted(step, by, last):
                limit = self.ctx.naming.step(e.type.name, last) if e.type.sort == "scale" else Lit(last)
                return Call(HELPERS["shifted"], (self(step), self(by), limit))
            case c.Rank(value, words):
                rank = self(value) if words is None else method(Lit(words), "index", self(value))
                return Op("+", rank, ONE)
            case c.Other(value, words):
                return Cond(compare(self(value), "==", Lit(words[1])), Lit(words[0]), Lit(words[1]))
            case c.SetOf():
                return self._set(e)
            case c.ListOf(items) | c.RecordOf(_, items):
                return Tup(tuple([self(x) for x in items]))
            case c.Range(low, high):
                return Call(HELPERS["span"], (self(low), self(high)))
            case c.Member(of, index):
                record = of.type.sort == "record"
                return Index(self(of), self.ctx.naming.field(of.type.name, index) if record else Lit(index))
            case c.FirstOf(tiers):
                return Call(HELPERS["first_of"], tuple([Lambda((), self(x)) for x in tiers]))
            case c.EveryOf(base, test, var):
                assert test is not None
                return every("all", Comp(self.with_var(var, test), (self.over(base, var),)))
            case c.CountOf():
                return self._count(e)
            case c.SumOf():
                return every("sum", self.each(e, "[]"))
            case c.Each():
                return Call(HELPERS["unique"], (self.each(e),))
            case c.EachOf():
                return Call(HELPERS["flat"], (self.each(e),))
            case c.Highest():
                return Call(HELPERS["highest"], (self.each(e),))
            case c.Lowest():
                return Call(HELPERS["lowest"], (self.each(e),))
            case c.Suppose():
                return self._supposed(e) if self.lift is None else self.lift.suppose(lambda: self._supposed(e))
            case _:
                assert_never(e)

    def folded(self, e: c.Expr) -> c.Expr | None:
        """What a definition says, where that is short enough to stand where it is asked."""
        if not isinstance(e, c.Call) or self.folding == DEEPEST:
            return None
        found = self.ctx.how(e.name)
        if not isinstance(found, c.Operator):
            return None
        return asked_here(found, self.book.definitions[e.name], e.asked)

    def said_by(self, name: str) -> tuple[At, ...]:
        """The cases that speak in a definition that is folded."""
        layers = {x.case: x for x in reversed([*self.book.definitions[name].layers()])}
        return tuple(At(x.case, x.span, x.id) for x in reversed(layers.values()))

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

    def loop(self, var: str, over: Expr, *tests: Expr) -> Loop:
        return Loop(Name(self.var(var)), over, tests)

    # ------------------------------------------------------------ leaves

    def constant(self, e: c.Const, value: Any) -> Expr:
        """A value that is written out; steps of a scale stand there by name."""
        if e.type.sort == "scale":
            return self.ctx.naming.step(e.type.name, value)
        if e.type.of is not None and e.type.of.sort == "scale":
            return self.plain_set(e, value)
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

    def _remembered(self, e: c.Remembered) -> Expr:
        memory = self.book.memories[e.name]
        if self.traced:
            return Call(past(self.ctx, memory.name), self.args(e))
        return method(Attr(S, f"past_{memory.name}"), "get", self.key(e.asked), Lit(memory.start))

    # ------------------------------------------------------------ calls

    def ask(self, e: c.Call) -> Expr:
        """A definition: what it says in place, a look into its table, or a call."""
        said = self.folded(e)
        if said is not None:
            self.folding += 1
            found = self(said)
            self.folding -= 1
            return cited(found, *self.said_by(e.name))
        if self.ctx.how(e.name) == TABLE:
            answer = Index(self.answers(e.name), self(e.asked[0]) if e.asked else Lit(None))
            return Call(HELPERS["tell_again"], (S, answer)) if self.ctx.traced else answer
        return Call(self.ctx.naming.function("define", e.name), self.args(e))

    def answers(self, name: str) -> Ref:
        """The table of a definition that rests on nothing that can change; an answer is found when first asked for."""
        self.ctx.answers[name] = None
        function = self.ctx.naming.function("define", name)
        return Ref(function.module, function.id.upper())

    def _choose(self, e: c.Choose) -> Expr:
        for one, rest, is_first in ((e.then, e.otherwise, True), (e.otherwise, e.then, False)):
            if isinstance(one, c.Const) and isinstance(one.value, bool):
                return self._flag(e.test, one.value, rest, is_first)
        return choice(self(e.test), self(e.then), self(e.otherwise))

    def _flag(self, guard: c.Expr, fixed: bool, rest: c.Expr, first: bool) -> Expr:
        """A choice of which one side is yes or no: it comes first where the guard holds, or last where it does not."""
        test = self(guard) if first == fixed else negated(self(guard))
        if isinstance(rest, c.Const) and rest.value is (not fixed):
            return test
        return both("or" if fixed else "and", test, self(rest))

    def _table(self, e: c.TableCell) -> Expr:
        table = self.book.tables[e.name]
        keys = []
        for param, arg in zip(table.params, e.asked, strict=True):
            key = self(arg)
            if param.name in table.clamps:
                low, high = table.clamps[param.name]
                key = Call(HELPERS["clamp"], (key, Lit(low), Lit(high)))
            keys.append(key)
        if self.ctx.folded:
            return Index(self.ctx.fixed.table(table), Tup(tuple(keys)))
        return Call(self.ctx.naming.function("table", table.name), (S, Tup(tuple(keys))))

    def _builtin(self, e: c.BuiltinCall) -> Expr:
        if e.name in ("up", "down") and self.ctx.foresees:
            rounded = self._rounded(e.asked[0], e.name)
            if rounded is not None:
                return rounded
        return BUILTINS[e.name](*[self(a) for a in e.asked])

    def _rounded(self, e: c.Expr, how: str) -> Expr | None:
        """A number rounded up or down, reckoned in whole numbers where that is plain to see."""
        foreseen = self.ctx.foreseen
        if foreseen.is_whole(e):
            return self(e)
        if not isinstance(e, c.Times | c.Over):
            return None
        times = fraction(e.right)
        if isinstance(e, c.Over):
            times = 1 / times if times else None
        if times is not None and times > 0 and foreseen.is_whole(e.left):
            return rounded_part(self(e.left), times, how)
        inside = foreseen.bounds(e) if isinstance(e, c.Times) else None
        if inside is None or max(abs(inside.high), abs(inside.low)) >= LARGEST:
            return None
        first, second = self(e.left), self(e.right)
        if how == "up":
            return Call(HELPERS["up_product"], (first, second))
        return Neg(Call(HELPERS["up_product"], (Neg(first), second)))

    def route(self, e: c.OfRoute, suffix: str) -> Expr:
        return Call(self.ctx.naming.helper("route", e.name, suffix), self.args(e))

    def _plans(self, e: c.OfMatching) -> Expr:
        return Call(self.ctx.naming.function("matching", e.name), self.args(e))

    # ------------------------------------------------------------ operators

    def _compare(self, e: c.Comparison) -> Expr:
        settled = self._settled(e)
        if settled is not None:
            return settled
        one, other = self(e.left), self(e.right)
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
                made = self(found) if isinstance(e, c.Equal) else negated(self(found))
                return cited(made, *self.said_by(one.name))
        return None

    def kept(self, e: c.Expr) -> bool:
        """Whether a set is kept ready for look-ups."""
        return isinstance(e, c.Call) and e.name in self.ctx.kept_sets

    def members(self, e: c.Expr) -> Expr:
        """A set that something can be looked for in at once."""
        if not isinstance(e, c.Call) or e.name not in self.ctx.kept_sets:
            return every("frozenset", self(e))
        self.ctx.looked_up[e.name] = None
        return Call(self.ctx.naming.helper("define", e.name, "__members"), self.args(e))

    def _product(self, e: c.Times) -> Expr:
        """Only what multiplies can grow without end; small factors are known not to."""
        made = Op("*", self(e.left), self(e.right))
        if small_factor(e):
            return made
        inside = self.ctx.foreseen.bounds(e) if self.ctx.foresees else None
        return Call(HELPERS["bounded"], (made,)) if inside is None or inside.high >= LARGEST else made

    def _quotient(self, e: c.Over) -> Expr:
        value = fraction(e)
        return Call(HELPERS["ratio"], (self(e.left), self(e.right))) if value is None else self.fixed(value)

    def _on_scale(self, e: c.OnScale) -> Expr:
        steps, value = e.steps, e.value
        if isinstance(value, c.Over) and [*steps] == sorted(set(steps)) and all(plainly_small(x) for x in steps):
            scale = self.ctx.fixed.scale(e.type.name, steps)
            return Call(HELPERS["on_scale_of"], (self(value.left), self(value.right), scale))
        return Call(HELPERS["on_scale"], (self(value), self.fixed(steps)))

    # ------------------------------------------------------------ collections

    def _set(self, e: c.SetOf) -> Expr:
        values = [x.value for x in e.items if isinstance(x, c.Const)]
        if len(values) == len(e.items):
            return self.plain_set(e, unique(values))
        if len(e.items) == 1:
            return Tup((self(e.items[0]),))
        return Call(HELPERS["unique"], (Tup(tuple([self(x) for x in e.items])),))

    def plain_set(self, e: c.Expr, values: tuple[Any, ...]) -> Expr:
        """A set of constants; steps of a scale stand there by name."""
        of = e.type.of
        if of is None or of.sort != "scale" or not values:
            return Lit(values)
        naming = self.ctx.naming
        return naming.all_steps(of.name, values) or Tup(tuple(naming.step(of.name, x) for x in values))

    def those(self, var: str, over: Expr, test: c.Expr) -> Comp:
        """The members of a set of which something holds."""
        return Comp(Name(self.var(var)), (self.loop(var, over, self.with_var(var, test)),))

    def narrow(self, base: c.Expr, test: c.Expr | None, var: str) -> tuple[Expr, c.Expr | None]:
        """Set aside the part of a filter that never changes, as a constant of the package."""
        if test is None or not is_fixed(base, set()):
            return self(base), test
        fixed: list[c.Expr] = []
        rest: list[c.Expr] = []
        for part in conjuncts(test):
            (fixed if is_fixed(part, {var}) else rest).append(part)
        if not fixed:
            return self(base), test
        build, it = Expressions(self.ctx), Name(self.var("it"))
        condition = all_of(*[replaced(build.with_var(var, x), Name(self.var(var)), it) for x in fixed])
        value = every("tuple", Comp(it, (Loop(it, build(base), (condition,)),)))
        return self.ctx.fixed.members(base, fixed, value), join(rest)

    def _any(self, e: c.AnyOf) -> Expr:
        base, var = e.base, e.var
        if e.test is None:
            if isinstance(base, c.Paths):
                return self.route(base, "_any")
            if isinstance(base, c.Plans):
                return Call(HELPERS["completable"], (self(base),))
            return every("bool", self(base))
        over, test = self.narrow(base, e.test, var)
        if test is None:
            return every("bool", over)
        held = self.with_var(var, test)
        match base:
            case c.BuiltinCall("units_at", (c.Local() as at,)) if not at.type.absent:
                place = Index(Attr(S, "here"), self(at))
                found = every("any", Comp(held, (self.loop(var, place),)))
                return both("and", compare(length(place), ">", ZERO), found)  # most places are empty
            case _:
                return every("any", Comp(held, (self.loop(var, over),)))

    def _count(self, e: c.CountOf) -> Expr:
        if e.test is None:
            return length(self(e.base))
        over, test = self.narrow(e.base, e.test, e.var)
        if test is None:
            return length(over)
        return every("sum", Comp(ONE, (self.loop(e.var, over, self.with_var(e.var, test)),)))

    def each(self, e: c.Folded, brackets: str = "") -> Comp:
        """A value for each member of a set."""
        return Comp(self.with_var(e.var, e.value), (self.over(e.base, e.var),), brackets)

    def over(self, base: c.Expr, var: str) -> Loop:
        """The loop over a set; what leaves members out stands in the loop itself."""
        if not isinstance(base, c.Filter) or base.var != var:
            return self.loop(var, self(base))
        over, test = self.narrow(base.base, base.test, var)
        return self.loop(var, over, *([self.with_var(var, test)] if test is not None else []))

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


def past(ctx: Context, name: str) -> Ref:
    """The function that tells what a memory remembers."""
    found = ctx.naming.function("define", name)
    return Ref(found.module, f"past_{found.id}")
