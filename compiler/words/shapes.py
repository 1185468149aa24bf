"""What an expression is made of, as far as its words hang on it.

In:  expressions of the core.
Out: their parts, and whether they are of a shape that is said in its own way.
"""

from __future__ import annotations

import re

from ..core import nodes as c
from ..core.types import Type
from .english import (
    Noun,
)

DEFINITE = re.compile(r"(?:first|the|its|two|three|four|five|six|both|all) ")
"""How a collection begins that is no sort of things but those things."""


def named(e: c.Expr, many: Noun) -> bool:
    """Whether a collection is one that was named before, so that `there are units` would say too little."""
    return isinstance(e, c.Local) or DEFINITE.match(many.head) is not None


def worked_out(e: c.Expr, said: Noun) -> bool:
    """Whether an argument is a number that takes several words."""
    return e.type.plain.name == "number" and not isinstance(e, c.Const | c.Local) and len(said.head.split()) > 2


def held_by(e: c.Expr, var: str) -> bool:
    """Whether a collection is the units in the member."""
    return isinstance(e, c.BuiltinCall) and e.name in ("units_at", "units_in") and is_it(e.asked[0], var)


def united(e: c.Expr) -> list[c.Expr]:
    """The sets of a chain of unions."""
    return [*united(e.left), *united(e.right)] if isinstance(e, c.Union) else [e]


def several(e: c.Expr) -> bool:
    """Whether a collection is named by a list, so that a condition behind it would seem to be about the last."""
    if isinstance(e, c.SetOf | c.ListOf):
        return len(e.items) > 1
    if isinstance(e, c.Const):
        return isinstance(e.value, tuple) and len(e.value) > 1
    return isinstance(e, c.Union | c.Without | c.FirstOf)


def alone(e: c.Expr) -> bool:
    """Whether a collection is written as one member."""
    if isinstance(e, c.SetOf):
        return len(e.items) == 1
    return isinstance(e, c.Const) and isinstance(e.value, tuple) and len(e.value) == 1


def item_type(e: c.Expr) -> Type:
    return e.type.plain.of or e.type.plain


def disjunction(e: c.Expr, positive: bool) -> bool:
    """Whether a condition, affirmed or denied, is a chain of `or`."""
    inner = stripped(e)
    return isinstance(inner, c.Or if parity(e) == positive else c.And)


def chain(e: c.Expr) -> list[c.Expr]:
    """The operands of a chain of one connective."""
    if not isinstance(e, c.And | c.Or):
        return [e]
    found: list[c.Expr] = []
    for side in (e.left, e.right):
        found += chain(side) if type(side) is type(e) else [side]
    return found


def stripped(e: c.Expr) -> c.Expr:
    return stripped(e.value) if isinstance(e, c.Not) else e


def parity(e: c.Expr) -> bool:
    return not parity(e.value) if isinstance(e, c.Not) else True


def is_it(e: c.Expr, var: str) -> bool:
    return isinstance(e, c.Local) and e.name == var


def base_of(e: c.Loop) -> c.Expr:
    return e.args[0]


def loop_var(e: c.Loop) -> str:
    match e:
        case c.Tested() | c.Filter() | c.Folded():
            return e.var
        case _:
            raise TypeError(type(e).__name__)


def member_type(e: c.Loop) -> Type:
    """The type of the members of a loop."""
    of = base_of(e).type.plain.of
    return of if of is not None else base_of(e).type.plain
