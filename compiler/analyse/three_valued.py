"""Evaluate conditions in three values: true, false, or unknown.

In:  an expression of the core, and what is known of its free values.
Out: its value, or UNKNOWN where that does not follow.

Analyses that ask "can this ever be?" share it. It computes no definition and no set of the position: what it does not
know it leaves open, so a finding that depends on a known value is proved.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any, Final, assert_never

from ..core import nodes as c

UNKNOWN: Final = object()
BY_PARTS: Final = object()
"""What `known` answers for an expression whose value follows from its parts."""


def evaluate(e: c.Expr, known: Callable[[c.Expr], Any]) -> Any:
    """The value of an expression, or UNKNOWN; `known` is asked about it first, then about its parts."""
    found = known(e)
    if found is not BY_PARTS:
        return found
    match e:
        case c.Const():
            return e.value
        case c.And() | c.Or():
            return joined(e, evaluate(e.left, known), evaluate(e.right, known))
        case c.Not():
            value = evaluate(e.value, known)
            return UNKNOWN if value is UNKNOWN else not value
        case c.Comparison() | c.Arithmetic():
            left, right = evaluate(e.left, known), evaluate(e.right, known)
            return UNKNOWN if UNKNOWN in (left, right) else computed(e, left, right)
        case c.Between():
            parts = [evaluate(x, known) for x in (e.low, e.value, e.high)]
            return UNKNOWN if UNKNOWN in parts or not all(map(numeric, parts)) else parts[0] <= parts[1] <= parts[2]
        case c.IsIn():
            item, many = evaluate(e.item, known), evaluate(e.many, known)
            return UNKNOWN if item is UNKNOWN or not isinstance(many, tuple) else item in many
        case c.SetOf():
            items = tuple(evaluate(x, known) for x in e.items)
            return UNKNOWN if UNKNOWN in items else items
        case _:
            # No assert_never here: an operator that this does not know is unknown, and that is always sound.
            return UNKNOWN


def joined(e: c.And | c.Or, left: Any, right: Any) -> Any:
    """Three-valued and, or."""
    settles = isinstance(e, c.Or)
    if left is settles or right is settles:
        return settles
    return UNKNOWN if UNKNOWN in (left, right) else not settles


def numeric(value: Any) -> bool:
    return isinstance(value, int | Fraction) and not isinstance(value, bool)


def computed(e: c.Comparison | c.Arithmetic, left: Any, right: Any) -> Any:
    match e:
        case c.Equal() | c.Unequal():
            return compared(e, left, right)
        case _ if not (numeric(left) and numeric(right)):
            return UNKNOWN
        case c.Less() | c.AtMost() | c.More() | c.AtLeast():
            return compared(e, left, right)
        case c.Plus():
            return left + right
        case c.Minus():
            return left - right
        case c.Times():
            return left * right
        case _:
            return UNKNOWN if right == 0 else Fraction(left) / right


def compared(e: c.Equal | c.Unequal | c.Less | c.AtMost | c.More | c.AtLeast, left: Any, right: Any) -> Any:
    """A comparison of two known values."""
    match e:
        case c.Equal():
            return left == right
        case c.Unequal():
            return left != right
        case c.Less():
            return left < right
        case c.AtMost():
            return left <= right
        case c.More():
            return left > right
        case c.AtLeast():
            return left >= right
        case _:
            assert_never(e)
