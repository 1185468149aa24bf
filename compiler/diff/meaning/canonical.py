"""Canonical expressions: one form for all ways of writing the same thing.

In:  a core expression, and the names that are bound around it.
Out: an expression with the same value in every position. Bound names are numbered by where they are bound; operands of
     `and`, `or`, sums, products and sets stand in one order; constants are folded; comparisons, ranges, `not` and
     `every` have one spelling; over whole numbers `< 3` is `<= 2`.

Trap: an operand may fail (a division, a table with gaps), and an earlier operand of `and` or `or` may be what prevents
it. So operands are reordered only where none of them can fail. A number counts as whole only where `Wholes` proves it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, assert_never

from rulewright.dsl.source import Span

from ...analyse.value_ranges import Foreseen
from ...core import nodes as c
from ...core.digest import Form
from ...core.types import FLAG, NUMBER, Type
from .wholes import Wholes


@dataclass(frozen=True, slots=True)
class Name:
    """The canonical name of a bound name, and whether it is a whole number."""

    label: str
    whole: bool = False


Names = Mapping[str, Name]
Loops = c.AnyOf | c.EveryOf | c.CountOf | c.Filter | c.SumOf | c.Highest | c.Lowest | c.Each | c.EachOf
Compared = c.Equal | c.Unequal | c.Less | c.AtMost
Linear = tuple[Fraction, dict[str, tuple[Fraction, c.Expr]]]
"""A constant, and by the key of each other term its factor and the term."""


def bind(names: Names, name: str, whole: bool = False) -> Names:
    """The bound names with one more."""
    taken = sum(1 for x in names if x.startswith("\0"))
    return {**names, name: Name(f"%{taken}", whole), f"\0{taken}": Name("")}


class Canonical:
    """Canonical forms of the expressions of one book."""

    def __init__(self, book: c.Book, wholes: Wholes | None = None) -> None:
        self.book = book
        self.form = Form(book)
        self.foreseen = Foreseen(book)
        self.wholes = wholes

    def key(self, e: c.Expr) -> str:
        """A key that is equal for two expressions that differ in their spans only."""
        return repr([(type(x).__name__, self.form.own(x), kept(x), len(x.args)) for x in e.walk()])

    def sure(self, e: c.Expr) -> bool:
        return self.foreseen.is_sure(e)

    def whole(self, e: c.Expr, names: Names) -> bool:
        if self.wholes is None:
            return False
        return self.wholes.whole(e, {n.label: n.whole for n in names.values() if n.label})

    # ------------------------------------------------------------ expressions

    def expr(self, e: c.Expr, names: Names) -> c.Expr:
        """The canonical form of an expression under these bound names."""
        match e:
            case c.Local():
                known = names.get(e.name)
                return e if known is None else replace(e, name=known.label)
            case c.AnyOf() | c.EveryOf() | c.CountOf() | c.Filter():
                return self.loop(e, names)
            case c.SumOf() | c.Highest() | c.Lowest() | c.Each() | c.EachOf():
                return self.loop(e, names)
            case c.Const() if numeric(e.type) and isinstance(e.value, int | Fraction):
                return constant(Fraction(e.value), e.span)
            case c.And() | c.Or():
                return self.linked(type(e), [self.expr(x, names) for x in spine(e, type(e))], e.span)
            case c.Not():
                return self.negated(self.expr(e.value, names), names)
            case c.Between():
                value, low, high = (self.expr(x, names) for x in (e.value, e.low, e.high))
                ends = [c.AtMost(low, value, type=FLAG, span=e.span), c.AtMost(value, high, type=FLAG, span=e.span)]
                return self.linked(c.And, [self.compared(x, names) for x in ends], e.span)
            case c.Equal() | c.Unequal() | c.Less() | c.AtMost() | c.More() | c.AtLeast():
                sides = self.expr(e.left, names), self.expr(e.right, names)
                return self.compared(type(e)(*sides, type=FLAG, span=e.span), names)
            case c.IsIn():
                return self.member(self.expr(e.item, names), self.expr(e.many, names), e, names)
            case c.Plus() | c.Minus() | c.Times() | c.Over() | c.Negative() if numeric(e.type):
                made = e.with_args(tuple(self.expr(x, names) for x in e.args))
                found = self.linear(made)
                return made if found is None else self.summed(found, e.span)
            case c.SetOf():
                items = {self.key(x): x for x in (self.expr(x, names) for x in e.items)}
                return replace(e, items=tuple(items[k] for k in sorted(items)))
            case c.Union():
                return self.united([self.expr(x, names) for x in spine(e, c.Union)], e)
            case _:
                return e.with_args(tuple(self.expr(x, names) for x in e.args))

    def loop(self, e: Loops, names: Names) -> c.Expr:
        """Loops: variables are named by depth, nested filters become one, and `every` becomes `no … not`."""
        base = self.expr(e.base, names)
        inside = bind(names, e.var, self.whole(base, names))
        var = inside[e.var].label
        inner = None if e.inner is None else self.expr(e.inner, inside)
        if isinstance(base, c.Filter) and isinstance(e, c.Filter | c.AnyOf | c.CountOf):
            assert base.var == var, "both are bound at the same depth"
            own = base.test
            inner = own if inner is None else self.linked(c.And, [own, inner], e.span)
            base = base.base
        match e:
            case c.EveryOf() if inner is not None:
                some = c.AnyOf(base, self.negated(inner, inside), var, type=FLAG, span=e.span)
                return c.Not(some, type=FLAG, span=e.span)
            case c.AnyOf() | c.CountOf() | c.EveryOf():
                return replace(e, base=base, test=inner, var=var)
            case c.Filter():
                assert inner is not None
                return replace(e, base=base, test=inner, var=var)
            case c.SumOf() | c.Highest() | c.Lowest() | c.Each() | c.EachOf():
                assert inner is not None
                return replace(e, base=base, value=inner, var=var)
            case _:
                assert_never(e)

    # ------------------------------------------------------------ conditions

    def linked(self, kind: type[c.And] | type[c.Or], links: Iterable[c.Expr], span: Span) -> c.Expr:
        """Operands of `and` or `or` in one order, unless one may fail; an operand that decides alone replaces all."""
        ends = kind is c.Or
        groups: list[dict[str, c.Expr]] = [{}]
        for x in (y for link in links for y in spine(link, kind)):
            if isinstance(x, c.Const) and x.value is (not ends):
                continue
            if self.sure(x):
                groups[-1].setdefault(self.key(x), x)
            else:
                groups += [{self.key(x): x}, {}]
        found = [group[k] for group in groups for k in sorted(group)]
        for i, x in enumerate(found):
            if isinstance(x, c.Const) and x.value is ends and all(self.sure(y) for y in found[:i]):
                return x
        if not found:
            return c.Const(not ends, type=FLAG, span=span)
        made = found[0]
        for x in found[1:]:
            made = kind(made, x, type=FLAG, span=span)
        return made

    def negated(self, e: c.Expr, names: Names) -> c.Expr:
        """The negation of a canonical condition."""
        match e:
            case c.Not():
                return e.value
            case c.Const() if isinstance(e.value, bool):
                return replace(e, value=not e.value)
            case c.And() | c.Or():
                other = c.Or if isinstance(e, c.And) else c.And
                return self.linked(other, [self.negated(x, names) for x in spine(e, type(e))], e.span)
            case c.Equal() | c.Unequal() | c.Less() | c.AtMost() | c.More() | c.AtLeast():
                return self.compared(OPPOSITE[type(e)](e.left, e.right, type=FLAG, span=e.span), names)
            case _:
                return c.Not(e, type=FLAG, span=e.span)

    def compared(self, e: c.Expr, names: Names) -> c.Expr:
        """A comparison in one spelling; for numbers with everything but constants on the left."""
        assert isinstance(e, c.Equal | c.Unequal | c.Less | c.AtMost | c.More | c.AtLeast)
        if isinstance(e, c.More | c.AtLeast):
            kind = c.Less if isinstance(e, c.More) else c.AtMost
            return self.compared(kind(e.right, e.left, type=FLAG, span=e.span), names)
        if numeric(e.left.type) and numeric(e.right.type):
            found = self.linear(c.Minus(e.left, e.right, type=NUMBER, span=e.span))
            if found is not None:
                return self.of_numbers(type(e), found, e.span, names)
        if isinstance(e, c.Less | c.AtMost):
            return e
        left, right = sorted((e.left, e.right), key=self.key)
        for flag, other in ((left, right), (right, left)):
            if isinstance(flag, c.Const) and isinstance(flag.value, bool) and other.type == FLAG:
                return other if flag.value is isinstance(e, c.Equal) else self.negated(other, names)
        return replace(e, left=left, right=right)

    def of_numbers(self, kind: type[Compared], found: Linear, span: Span, names: Names) -> c.Expr:
        """Terms compared with a constant: `0 > sum` becomes `terms < -constant`."""
        least, terms = found
        if not terms:
            known: dict[type[Compared], bool] = {c.Equal: least == 0, c.Unequal: least != 0, c.Less: least < 0}
            holds = known.get(kind, least <= 0)
            return c.Const(holds, type=FLAG, span=span)
        factors = [f for f, _ in terms.values()]
        size = Fraction(math.gcd(*(f.numerator for f in factors)), math.lcm(*(f.denominator for f in factors)))
        if kind in (c.Equal, c.Unequal) and terms[min(terms)][0] < 0:
            size = -size
        terms = {k: (f / size, x) for k, (f, x) in terms.items()}
        most = -least / size
        if kind in (c.Less, c.AtMost) and all(self.whole(x, names) for _, x in terms.values()):
            most = Fraction(math.ceil(most) - 1 if kind is c.Less else math.floor(most))
            kind = c.AtMost
        return kind(self.summed((Fraction(0), terms), span), constant(most, span), type=FLAG, span=span)

    def member(self, item: c.Expr, many: c.Expr, e: c.IsIn, names: Names) -> c.Expr:
        """Membership in a listed set becomes equality with one of its members."""
        if item.type.many or not all(self.sure(x) for x in many.args):
            return replace(e, item=item, many=many)
        match many:
            case c.SetOf(items=items) if items:
                found = [c.Equal(item, x, type=FLAG, span=e.span) for x in items]
            case c.Const(value=tuple() as values) if values and many.type.sort == "set" and many.type.of is not None:
                of = many.type.of
                consts = [self.expr(c.Const(x, type=of, span=e.span), {}) for x in values]
                found = [c.Equal(item, x, type=FLAG, span=e.span) for x in consts]
            case c.Range(low=c.Const() as low, high=c.Const() as high) if self.whole(item, names):
                ends = [c.AtMost(low, item, type=FLAG, span=e.span), c.AtMost(item, high, type=FLAG, span=e.span)]
                return self.linked(c.And, [self.compared(x, names) for x in ends], e.span)
            case _:
                return replace(e, item=item, many=many)
        return self.linked(c.Or, [self.compared(x, names) for x in found], e.span)

    # ------------------------------------------------------------ numbers and sets

    def linear(self, e: c.Expr) -> Linear | None:
        """A canonical number as a sum of terms; None where a term that may fail would cancel out."""
        match e:
            case c.Const(value=int() | Fraction() as value):
                return Fraction(value), {}
            case c.Plus() | c.Minus():
                return self.added(self.linear(e.left), self.linear(e.right), -1 if isinstance(e, c.Minus) else 1)
            case c.Negative():
                return self.scaled(self.linear(e.value), Fraction(-1))
            case c.Times():
                return self.product(e)
            case c.Over():
                below = self.linear(e.right)
                if below is not None and not below[1] and below[0]:
                    return self.scaled(self.linear(e.left), 1 / below[0])
        return Fraction(0), {self.key(e): (Fraction(1), e)}

    def product(self, e: c.Times) -> Linear | None:
        """A product: its constants as one factor, the rest in one order."""
        factor, parts = Fraction(1), []
        for part in spine(e, c.Times):
            found = self.linear(part) if not isinstance(part, c.Times) else None
            match found:
                case (least, terms) if not terms:
                    factor *= least
                case (least, terms) if not least and len(terms) == 1:
                    own, x = next(iter(terms.values()))
                    factor *= own
                    parts += spine(x, c.Times)
                case _:
                    parts.append(part)
        if factor == 0 or not parts:
            return (Fraction(0) if parts else factor, {}) if all(self.sure(x) for x in parts) else None
        if len(parts) == 1:
            return self.scaled(self.linear(parts[0]), factor)
        parts.sort(key=self.key)
        made = parts[0]
        for x in parts[1:]:
            made = c.Times(made, x, type=NUMBER, span=e.span)
        return Fraction(0), {self.key(made): (factor, made)}

    def added(self, a: Linear | None, b: Linear | None, sign: int) -> Linear | None:
        if a is None or b is None:
            return None
        terms = dict(a[1])
        for k, (factor, x) in b[1].items():
            both = terms.get(k, (Fraction(0), x))[0] + sign * factor
            if both == 0 and not self.sure(x):
                return None
            terms[k] = (both, x)
        return a[0] + sign * b[0], {k: t for k, t in terms.items() if t[0]}

    def scaled(self, a: Linear | None, factor: Fraction) -> Linear | None:
        if a is None or (factor == 0 and not all(self.sure(x) for _, x in a[1].values())):
            return None
        return a[0] * factor, {k: (f * factor, x) for k, (f, x) in a[1].items() if factor}

    def summed(self, found: Linear, span: Span) -> c.Expr:
        """A sum of terms as an expression, its constant last."""
        least, terms = found
        made: c.Expr | None = None
        for k in sorted(terms):
            factor, x = terms[k]
            term: c.Expr = x if factor == 1 else c.Times(constant(factor, span), x, type=NUMBER, span=span)
            made = term if made is None else c.Plus(made, term, type=NUMBER, span=span)
        if made is None:
            return constant(least, span)
        return made if least == 0 else c.Plus(made, constant(least, span), type=NUMBER, span=span)

    def united(self, sets: list[c.Expr], e: c.Union) -> c.Expr:
        """A union in one order; listed members are merged into one set."""
        items = {self.key(x): x for s in sets if isinstance(s, c.SetOf) for x in s.items}
        rest = {self.key(s): s for s in sets if not isinstance(s, c.SetOf)}
        found: list[c.Expr] = [rest[k] for k in sorted(rest)]
        if items:
            found.append(c.SetOf(tuple(items[k] for k in sorted(items)), type=e.type, span=e.span))
        if not found:
            return sets[0]
        made = found[0]
        for x in found[1:]:
            made = c.Union(made, x, type=e.type, span=e.span)
        return made


OPPOSITE: dict[type[c.Comparison], Any] = {
    c.Equal: c.Unequal,
    c.Unequal: c.Equal,
    c.Less: c.AtLeast,
    c.AtMost: c.More,
    c.More: c.AtMost,
    c.AtLeast: c.Less,
}


def numeric(t: Type) -> bool:
    return t.sort == "prim" and t.name in ("number", "ratio") and not t.absent


def kept(e: c.Expr) -> str:
    """The part of a type that distinguishes two constants."""
    return str(e.type.plain) if isinstance(e, c.Const) and not numeric(e.type) else ""


def constant(value: Fraction, span: Span) -> c.Const:
    return c.Const(int(value) if value.denominator == 1 else value, type=NUMBER, span=span)


def spine(e: c.Expr, kind: type[c.Binary]) -> list[c.Expr]:
    """The operands of a chain of one operator, in reading order."""
    found: list[c.Expr] = []
    todo: list[c.Expr] = [e]
    while todo:
        x = todo.pop()
        if type(x) is kind:
            todo += [x.right, x.left]
        else:
            found.append(x)
    return found
