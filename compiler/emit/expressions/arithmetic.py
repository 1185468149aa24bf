"""Numbers known at compile time: written-out fractions, small factors, constant conditions.

In:  an expression of the core, and what bounds.py says of it.
Out: whether it is small, whole or fixed, and the cheaper Python that this allows.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import Any

from ...core import nodes as c
from ...core.maps import several
from ..model.expressions import Expr, Lit, Neg, Op


@lru_cache(20_000)
def small_factor(e: c.Times) -> bool:
    """Whether one factor of a product is known to be small."""
    factors = [x.value for x in (e.left, e.right) if isinstance(x, c.Const)]
    return any(isinstance(x, int | Fraction) and -100 <= x <= 100 for x in factors)


def has_fraction(value: tuple[Any, ...]) -> bool:
    return any(isinstance(x, Fraction) or (isinstance(x, tuple) and has_fraction(x)) for x in value)


def fraction(e: c.Expr) -> Fraction | None:
    """A number that is written out."""
    match e:
        case c.Over(c.Const(a), c.Const(b)) if isinstance(a, int | Fraction) and isinstance(b, int | Fraction) and b:
            return Fraction(a) / Fraction(b)
        case c.Const(value) if isinstance(value, int | Fraction):
            return Fraction(value)
        case _:
            return None


def rounded_part(e: Expr, times: Fraction, how: str) -> Expr:
    """A whole number times a positive fraction, rounded up or down."""
    made: Expr = Neg(e) if how == "up" else e
    if times.numerator != 1:
        made = Op("*", made, Lit(times.numerator))
    part = Op("//", made, Lit(times.denominator))
    return Neg(part) if how == "up" else part


def plainly_small(x: Any) -> bool:
    """Whether quotients of small numbers can be told from a step of a scale by their nearest float."""
    return abs(Fraction(x).numerator) < 1024 and Fraction(x).denominator < 1024


def conjuncts(e: c.Expr) -> list[c.Expr]:
    return [*conjuncts(e.left), *conjuncts(e.right)] if isinstance(e, c.And) else [e]


def join(parts: list[c.Expr]) -> c.Expr | None:
    if not parts:
        return None
    found = parts[0]
    for p in parts[1:]:
        found = c.And(found, p, type=found.type, span=found.span)
    return found


FIXED = (
    c.Const, c.FieldOf, c.And, c.Or, c.Not, c.Comparison, c.IsIn, c.Between, c.SetOf, c.Member, c.Local
)  # fmt: skip
FIXED_BUILTINS = {"hexes", "points"}


def is_fixed(e: c.Expr, names: set[str], book: c.Book) -> bool:
    """Whether an expression has one value in every game, given only these names."""
    for x in e.walk():
        if isinstance(x, c.BuiltinCall) and x.name in FIXED_BUILTINS and not several(book.map):
            continue
        if isinstance(x, c.Local) and x.name not in names:
            return False
        if not isinstance(x, FIXED):
            return False
    return True
