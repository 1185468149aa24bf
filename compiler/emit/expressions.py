"""Build the Python of core expressions.

In:  a core expression.
Out: an expression of the model over the state `S`; locals are variables, or entries of a frame `L`.

What a definition says stands where it is asked, if it is short; its cases are cited there.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from typing import Any, Protocol

from rulewright.runtime.values import LARGEST, unique

from ..analyse.inline import TABLE, asked_here, decided
from ..core import nodes as c
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
        return BUILD[e.op](self, e)

    def folded(self, e: c.Expr) -> c.Expr | None:
        """What a definition says, where that is short enough to stand where it is asked."""
        if e.op != "call" or self.folding == DEEPEST:
            return None
        found = self.ctx.how(str(e.info))
        if not isinstance(found, c.Operator):
            return None
        return asked_here(found, self.book.definitions[str(e.info)], e.args)

    def said_by(self, name: str) -> tuple[At, ...]:
        """The cases that speak in a definition that is folded."""
        layers = {x.case: x for x in reversed([*self.book.definitions[name].layers()])}
        return tuple(At(x.case, x.span, x.id) for x in reversed(layers.values()))

    def args(self, e: c.Expr) -> tuple[Expr, ...]:
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

    def _const(self, e: c.Expr) -> Expr:
        if e.type.sort == "scale":
            return self.ctx.naming.step(e.type.name, e.info)
        if e.type.of is not None and e.type.of.sort == "scale":
            return self.plain_set(e, e.info)
        return self.fixed(e.info)

    def fixed(self, value: Any) -> Expr:
        """A plain value; one that takes work to make is made once, when the package is loaded."""
        if isinstance(value, Fraction):
            return Lit(value.numerator) if value.denominator == 1 else self.ctx.fixed.fraction(value)
        if isinstance(value, tuple) and has_fraction(value):
            return self.ctx.fixed.use("VALUES", Lit(value))
        return Lit(value)

    def _local(self, e: c.Expr) -> Expr:
        name = str(e.info)
        if self.lift is not None and name not in self.bound:
            self.lift.local(name)
        if self.frame and name not in self.bound:
            return Index(Name("L"), Lit(name))
        return Name(self.var(name))

    def _total(self, e: c.Expr) -> Expr:
        return Name(str(e.info))

    def _bind(self, e: c.Expr) -> Expr:
        return Attr(S, f"bind_{e.info}")

    def _field(self, e: c.Expr) -> Expr:
        return self._column(e) if self.lift is None else self.lift.value(e, lambda: self._column(e))

    def _column(self, e: c.Expr) -> Expr:
        owner, name = e.info
        column = self.ctx.naming.column(owner, name)
        if owner in ("unit", "place"):
            return Index(column, self(e.args[0]))
        return method(column, "get", self(e.args[0]), Lit(self.book.fields[owner, name].default))

    def _mark(self, e: c.Expr) -> Expr:
        return self._marked(e) if self.lift is None else self.lift.value(e, lambda: self._marked(e))

    def _marked(self, e: c.Expr) -> Expr:
        owner = e.args[0].type.plain.name if e.args else "game"
        column = Attr(S, column_of(owner, str(e.info)))
        if owner == "game":
            return column
        if owner in ("hexside", "turn"):
            start = self.book.marks[owner, str(e.info)].start
            return method(column, "get", self(e.args[0]), Lit(start))
        return Index(column, self(e.args[0]))

    def _memory(self, e: c.Expr) -> Expr:
        memory = self.book.memories[str(e.info)]
        if self.traced:
            return Call(past(self.ctx, memory.name), self.args(e))
        return method(Attr(S, f"past_{memory.name}"), "get", self.key(e.args), Lit(memory.start))

    def _at(self, e: c.Expr) -> Expr:
        return Index(Attr(S, "at"), self(e.args[0]))

    def _reading(self, e: c.Expr) -> Expr:
        return Index(Attr(S, "readings"), Lit(str(e.info)))

    def _in_phase(self, e: c.Expr) -> Expr:
        return compare(Lit(str(e.info)), "in", Attr(S, "phases"))

    def _box(self, e: c.Expr) -> Expr:
        return Index(self.ctx.naming.column("box", str(e.info)), self(e.args[0]))

    def _usual(self, e: c.Expr) -> Expr:
        assert self.usual is not None
        return self.usual

    def _keep(self, e: c.Expr) -> Expr:
        return Name("keep")

    # ------------------------------------------------------------ calls

    def _call(self, e: c.Expr) -> Expr:
        name = str(e.info)
        said = self.folded(e)
        if said is not None:
            self.folding += 1
            found = self(said)
            self.folding -= 1
            return cited(found, *self.said_by(name))
        if self.ctx.how(name) == TABLE:
            table = self.answers(name)
            answer = Index(table, self(e.args[0]) if e.args else Lit(None))
            return Call(HELPERS["tell_again"], (S, answer)) if self.ctx.traced else answer
        return self._cap(e)

    def answers(self, name: str) -> Ref:
        """The table of a definition that rests on nothing that can change; an answer is found when first asked for."""
        self.ctx.answers[name] = None
        function = self.ctx.naming.function("define", name)
        return Ref(function.module, function.id.upper())

    def _cap(self, e: c.Expr) -> Expr:
        return Call(self.ctx.naming.function("define", str(e.info)), self.args(e))

    def _choose(self, e: c.Expr) -> Expr:
        guard, value, other = e.args
        for one, rest, is_first in ((value, other, True), (other, value, False)):
            if one.op == "const" and isinstance(one.info, bool):
                return self._flag(guard, one.info, rest, is_first)
        return choice(self(guard), self(value), self(other))

    def _flag(self, guard: c.Expr, fixed: bool, rest: c.Expr, first: bool) -> Expr:
        """A choice of which one side is yes or no: it comes first where the guard holds, or last where it does not."""
        test = self(guard) if first == fixed else negated(self(guard))
        if rest.op == "const" and rest.info is (not fixed):
            return test
        return both("or" if fixed else "and", test, self(rest))

    def _left(self, e: c.Expr) -> Expr:
        return Call(HELPERS["left"], (S, Lit(str(e.info)), self.key(e.args)))

    def _spent(self, e: c.Expr) -> Expr:
        return Call(HELPERS["spent"], (S, Lit(str(e.info)), self.key(e.args)))

    def _table(self, e: c.Expr) -> Expr:
        table = self.book.tables[str(e.info)]
        keys = []
        for param, arg in zip(table.params, e.args, strict=True):
            key = self(arg)
            if param.name in table.clamps:
                low, high = table.clamps[param.name]
                key = Call(HELPERS["clamp"], (key, Lit(low), Lit(high)))
            keys.append(key)
        if self.ctx.folded:
            return Index(self.ctx.fixed.table(table), Tup(tuple(keys)))
        return Call(self.ctx.naming.function("table", table.name), (S, Tup(tuple(keys))))

    def _builtin(self, e: c.Expr) -> Expr:
        if e.info in ("up", "down") and self.ctx.foresees:
            rounded = self._rounded(e.args[0], str(e.info))
            if rounded is not None:
                return rounded
        return BUILTINS[str(e.info)](*[self(a) for a in e.args])

    def _rounded(self, e: c.Expr, how: str) -> Expr | None:
        """A number rounded up or down, reckoned in whole numbers where that is plain to see."""
        foreseen = self.ctx.foreseen
        if foreseen.is_whole(e):
            return self(e)
        if e.op not in ("*", "/"):
            return None
        one, other = e.args
        times = fraction(other) if e.op == "*" else None
        if e.op == "/":
            divisor = fraction(other)
            times = 1 / divisor if divisor else None
        if times is not None and times > 0 and foreseen.is_whole(one):
            return rounded_part(self(one), times, how)
        inside = foreseen.bounds(e) if e.op == "*" else None
        if inside is None or max(abs(inside.high), abs(inside.low)) >= LARGEST:
            return None
        first, second = self(one), self(other)
        if how == "up":
            return Call(HELPERS["up_product"], (first, second))
        return Neg(Call(HELPERS["up_product"], (Neg(first), second)))

    def _route(self, e: c.Expr) -> Expr:
        return Call(self.ctx.naming.function("route", str(e.info)), self.args(e))

    def route(self, e: c.Expr, suffix: str) -> Expr:
        return Call(self.ctx.naming.helper("route", str(e.info), suffix), self.args(e))

    def _ends(self, e: c.Expr) -> Expr:
        return self.route(e, "_ends")

    def _shortest(self, e: c.Expr) -> Expr:
        return self.route(e, "_shortest")

    def _route_cost(self, e: c.Expr) -> Expr:
        return self.route(e, "_cost")

    def _matching(self, e: c.Expr) -> Expr:
        return Call(self.ctx.naming.function("matching", str(e.info)), self.args(e))

    def _blocked(self, e: c.Expr) -> Expr:
        return Call(HELPERS["blocked"], (self._matching(e),))

    def _uncovered(self, e: c.Expr) -> Expr:
        return Call(HELPERS["uncovered"], (self._matching(e),))

    def _grow(self, e: c.Expr) -> Expr:
        return Call(self.ctx.naming.function("grow", str(e.info)), self.args(e))

    # ------------------------------------------------------------ operators

    def _compare(self, e: c.Expr) -> Expr:
        settled = self._settled(e)
        if settled is not None:
            return settled
        one, other = self(e.args[0]), self(e.args[1])
        if (
            e.op in ("=", "!=")
            and "set" in (e.args[0].type.sort, e.args[1].type.sort)
            and all(a.type.many for a in e.args)
        ):
            one, other = (
                x if a.op in ("const", "union") else Call(HELPERS["unique"], (x,))
                for a, x in zip(e.args, (one, other), strict=True)
            )
        return compare(one, COMPARE[e.op], other)

    def _settled(self, e: c.Expr) -> Expr | None:
        """A comparison with a constant of what is a choice between constants, as the condition of that choice."""
        if e.op not in ("=", "!="):
            return None
        for one, other in (e.args, e.args[::-1]):
            said = self.folded(one) if other.op == "const" else None
            found = decided(said, other) if said is not None else None
            if found is not None:
                made = self(found) if e.op == "=" else negated(self(found))
                return cited(made, *self.said_by(str(one.info)))
        return None

    def _and(self, e: c.Expr) -> Expr:
        return both("and", self(e.args[0]), self(e.args[1]))

    def _or(self, e: c.Expr) -> Expr:
        return both("or", self(e.args[0]), self(e.args[1]))

    def _not(self, e: c.Expr) -> Expr:
        return negated(self(e.args[0]))

    def _neg(self, e: c.Expr) -> Expr:
        return Neg(self(e.args[0]))

    def _in(self, e: c.Expr) -> Expr:
        right = e.args[1]
        return compare(self(e.args[0]), "in", self.members(right) if self.kept(right) else self(right))

    def kept(self, e: c.Expr) -> bool:
        """Whether a set is kept ready for look-ups."""
        return e.op == "call" and str(e.info) in self.ctx.kept_sets

    def members(self, e: c.Expr) -> Expr:
        """A set that something can be looked for in at once."""
        if not self.kept(e):
            return every("frozenset", self(e))
        self.ctx.looked_up[str(e.info)] = None
        return Call(self.ctx.naming.helper("define", str(e.info), "__members"), self.args(e))

    def _between(self, e: c.Expr) -> Expr:
        return Compare(self(e.args[1]), (("<=", self(e.args[0])), ("<=", self(e.args[2]))))

    def _within(self, e: c.Expr) -> Expr:
        return compare(Call(HELPERS["distance"], (S, self(e.args[0]), self(e.args[2]))), "<=", self(e.args[1]))

    def _arithmetic(self, e: c.Expr) -> Expr:
        return Op(e.op, self(e.args[0]), self(e.args[1]))

    def _product(self, e: c.Expr) -> Expr:
        """Only what multiplies can grow without end; small factors are known not to."""
        made = Op("*", self(e.args[0]), self(e.args[1]))
        if small_factor(e):
            return made
        inside = self.ctx.foreseen.bounds(e) if self.ctx.foresees else None
        return Call(HELPERS["bounded"], (made,)) if inside is None or inside.high >= LARGEST else made

    def _quotient(self, e: c.Expr) -> Expr:
        if all(a.op == "const" and isinstance(a.info, int | Fraction) for a in e.args) and e.args[1].info:
            return self.fixed(Fraction(e.args[0].info) / Fraction(e.args[1].info))
        return Call(HELPERS["ratio"], (self(e.args[0]), self(e.args[1])))

    def _union(self, e: c.Expr) -> Expr:
        return Call(HELPERS["union"], (self(e.args[0]), self(e.args[1])))

    def _without(self, e: c.Expr) -> Expr:
        return Call(HELPERS["without"], (self(e.args[0]), self(e.args[1])))

    def _on_scale(self, e: c.Expr) -> Expr:
        steps, value = e.info, e.args[0]
        if value.op == "/" and [*steps] == sorted(set(steps)) and all(plainly_small(x) for x in steps):
            scale = self.ctx.fixed.scale(e.type.name, steps)
            return Call(HELPERS["on_scale_of"], (self(value.args[0]), self(value.args[1]), scale))
        return Call(HELPERS["on_scale"], (self(value), self.fixed(steps)))

    def _shifted(self, e: c.Expr) -> Expr:
        last = self.ctx.naming.step(e.type.name, e.info) if e.type.sort == "scale" else Lit(e.info)
        return Call(HELPERS["shifted"], (self(e.args[0]), self(e.args[1]), last))

    def _rank(self, e: c.Expr) -> Expr:
        if e.info is None:
            return Op("+", self(e.args[0]), ONE)
        return Op("+", method(Lit(e.info), "index", self(e.args[0])), ONE)

    def _other(self, e: c.Expr) -> Expr:
        one, two = e.info
        return Cond(compare(self(e.args[0]), "==", Lit(two)), Lit(one), Lit(two))

    # ------------------------------------------------------------ collections

    def _setlit(self, e: c.Expr) -> Expr:
        if all(a.op == "const" for a in e.args):
            return self.plain_set(e, unique(a.info for a in e.args))
        if len(e.args) == 1:
            return Tup((self(e.args[0]),))
        return Call(HELPERS["unique"], (Tup(tuple([self(a) for a in e.args])),))

    def plain_set(self, e: c.Expr, values: tuple[Any, ...]) -> Expr:
        """A set of constants; steps of a scale stand there by name."""
        of = e.type.of
        if of is None or of.sort != "scale" or not values:
            return Lit(values)
        naming = self.ctx.naming
        return naming.all_steps(of.name, values) or Tup(tuple(naming.step(of.name, x) for x in values))

    def _listlit(self, e: c.Expr) -> Expr:
        return Tup(tuple([self(a) for a in e.args]))

    def _range(self, e: c.Expr) -> Expr:
        return Call(HELPERS["span"], (self(e.args[0]), self(e.args[1])))

    def _get(self, e: c.Expr) -> Expr:
        of = e.args[0].type
        index = self.ctx.naming.field(of.name, e.info) if of.sort == "record" else Lit(e.info)
        return Index(self(e.args[0]), index)

    def _else(self, e: c.Expr) -> Expr:
        return Call(HELPERS["first_of"], tuple([Lambda((), self(a)) for a in e.args]))

    def _filter(self, e: c.Expr) -> Expr:
        var = str(e.info)
        base, test = self.narrow(e.args[0], e.args[1], var)
        if test is None:
            return base
        return every("tuple", Comp(Name(self.var(var)), (self.loop(var, base, self.with_var(var, test)),)))

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

    def _any(self, e: c.Expr) -> Expr:
        base = e.args[0]
        var = str(e.info)
        if len(e.args) == 1:
            if base.op == "route":
                return self.route(base, "_any")
            if base.op == "matching":
                return Call(HELPERS["completable"], (self(base),))
            return every("bool", self(base))
        over, test = self.narrow(base, e.args[1], var)
        if test is None:
            return every("bool", over)
        held = self.with_var(var, test)
        if (
            base.op == "builtin"
            and base.info == "units_at"
            and base.args[0].op == "local"
            and not base.args[0].type.absent
        ):
            place = Index(Attr(S, "here"), self(base.args[0]))
            found = every("any", Comp(held, (self.loop(var, place),)))
            return both("and", compare(length(place), ">", ZERO), found)  # most places are empty
        return every("any", Comp(held, (self.loop(var, over),)))

    def _every(self, e: c.Expr) -> Expr:
        var = str(e.info)
        return every("all", Comp(self.with_var(var, e.args[1]), (self.over(e.args[0], var),)))

    def _count(self, e: c.Expr) -> Expr:
        var = str(e.info)
        if len(e.args) == 1:
            return length(self(e.args[0]))
        over, test = self.narrow(e.args[0], e.args[1], var)
        if test is None:
            return length(over)
        return every("sum", Comp(ONE, (self.loop(var, over, self.with_var(var, test)),)))

    def each(self, e: c.Expr, brackets: str = "") -> Comp:
        """A value for each member of a set."""
        var = str(e.info)
        return Comp(self.with_var(var, e.args[1]), (self.over(e.args[0], var),), brackets)

    def over(self, base: c.Expr, var: str) -> Loop:
        """The loop over a set; what leaves members out stands in the loop itself."""
        if base.op != "filter" or str(base.info) != var:
            return self.loop(var, self(base))
        over, test = self.narrow(base.args[0], base.args[1], var)
        return self.loop(var, over, *([self.with_var(var, test)] if test is not None else []))

    def _sum(self, e: c.Expr) -> Expr:
        return every("sum", self.each(e, "[]"))

    def _each(self, e: c.Expr) -> Expr:
        return Call(HELPERS["unique"], (self.each(e),))

    def _each_of(self, e: c.Expr) -> Expr:
        return Call(HELPERS["flat"], (self.each(e),))

    def _highest(self, e: c.Expr) -> Expr:
        return Call(HELPERS["highest"], (self.each(e),))

    def _lowest(self, e: c.Expr) -> Expr:
        return Call(HELPERS["lowest"], (self.each(e),))

    def _suppose(self, e: c.Expr) -> Expr:
        return self._supposed(e) if self.lift is None else self.lift.suppose(lambda: self._supposed(e))

    def _supposed(self, e: c.Expr) -> Expr:
        *rest, value = e.args
        changes: list[Expr] = []
        for i, (sort, name) in enumerate(e.info):
            what, to = rest[2 * i], rest[2 * i + 1]
            if sort == "at":
                changes.append(Tup((Lit("at"), Lit(""), self(what), self(to))))
                continue
            owner = "game"
            if sort == "mark":
                kind = what.type.of if what.type.of is not None else what.type
                owner = kind.plain.name
            changes.append(Tup((Lit("mark"), Lit(column_of(owner, name)), self(what), self(to))))
        return Call(HELPERS["suppose"], (S, Tup(tuple(changes)), Lambda((), self(value))))


BUILD: dict[str, Callable[[Expressions, c.Expr], Expr]] = {
    **dict.fromkeys(COMPARE, Expressions._compare),
    **dict.fromkeys("+-", Expressions._arithmetic),
    "*": Expressions._product,
    "/": Expressions._quotient,
    "const": Expressions._const,
    "local": Expressions._local,
    "total": Expressions._total,
    "bind": Expressions._bind,
    "field": Expressions._field,
    "mark": Expressions._mark,
    "memory": Expressions._memory,
    "at": Expressions._at,
    "reading": Expressions._reading,
    "in_phase": Expressions._in_phase,
    "box": Expressions._box,
    "usual": Expressions._usual,
    "keep": Expressions._keep,
    "call": Expressions._call,
    "cap": Expressions._cap,
    "choose": Expressions._choose,
    "left": Expressions._left,
    "spent": Expressions._spent,
    "table": Expressions._table,
    "builtin": Expressions._builtin,
    "route": Expressions._route,
    "ends": Expressions._ends,
    "shortest": Expressions._shortest,
    "route_cost": Expressions._route_cost,
    "matching": Expressions._matching,
    "blocked": Expressions._blocked,
    "uncovered": Expressions._uncovered,
    "grow": Expressions._grow,
    "and": Expressions._and,
    "or": Expressions._or,
    "not": Expressions._not,
    "neg": Expressions._neg,
    "in": Expressions._in,
    "between": Expressions._between,
    "within": Expressions._within,
    "union": Expressions._union,
    "without": Expressions._without,
    "on_scale": Expressions._on_scale,
    "shifted": Expressions._shifted,
    "rank": Expressions._rank,
    "other": Expressions._other,
    "setlit": Expressions._setlit,
    "listlit": Expressions._listlit,
    "record": Expressions._listlit,
    "range": Expressions._range,
    "get": Expressions._get,
    "else": Expressions._else,
    "filter": Expressions._filter,
    "any": Expressions._any,
    "every": Expressions._every,
    "count": Expressions._count,
    "sum": Expressions._sum,
    "each": Expressions._each,
    "each_of": Expressions._each_of,
    "highest": Expressions._highest,
    "lowest": Expressions._lowest,
    "suppose": Expressions._suppose,
}


def past(ctx: Context, name: str) -> Ref:
    """The function that tells what a memory remembers."""
    found = ctx.naming.function("define", name)
    return Ref(found.module, f"past_{found.id}")


@lru_cache(20_000)
def small_factor(e: c.Expr) -> bool:
    return any(a.op == "const" and abs(a.info) <= 100 for a in e.args)


def has_fraction(value: tuple[Any, ...]) -> bool:
    return any(isinstance(x, Fraction) or (isinstance(x, tuple) and has_fraction(x)) for x in value)


def fraction(e: c.Expr) -> Fraction | None:
    """A number that is written out."""
    if e.op == "/" and all(a.op == "const" for a in e.args) and e.args[1].info:
        return Fraction(e.args[0].info) / Fraction(e.args[1].info)
    return Fraction(e.info) if e.op == "const" and isinstance(e.info, int | Fraction) else None


def rounded_part(e: Expr, times: Fraction, how: str) -> Expr:
    """A whole number times a positive fraction, rounded up or down."""
    made = Neg(e) if how == "up" else e
    if times.numerator != 1:
        made = Op("*", made, Lit(times.numerator))
    part = Op("//", made, Lit(times.denominator))
    return Neg(part) if how == "up" else part


def plainly_small(x: Any) -> bool:
    """Whether quotients of small numbers can be told from a step of a scale by their nearest float."""
    return abs(Fraction(x).numerator) < 1024 and Fraction(x).denominator < 1024


def conjuncts(e: c.Expr) -> list[c.Expr]:
    return [*conjuncts(e.args[0]), *conjuncts(e.args[1])] if e.op == "and" else [e]


def join(parts: list[c.Expr]) -> c.Expr | None:
    if not parts:
        return None
    found = parts[0]
    for p in parts[1:]:
        found = c.And(found, p, type=found.type, span=found.span)
    return found


FIXED_OPS = {
    "const", "field", "and", "or", "not", "=", "!=", "<", "<=", ">", ">=", "in", "between", "setlit", "get", "local"
}  # fmt: skip
FIXED_BUILTINS = {"hexes", "points"}


def is_fixed(e: c.Expr, names: set[str]) -> bool:
    """Whether an expression has one value for the whole game, given only these names."""
    for x in e.walk():
        if x.op == "builtin" and x.info in FIXED_BUILTINS:
            continue
        if x.op == "local" and x.info not in names:
            return False
        if x.op not in FIXED_OPS:
            return False
    return True
