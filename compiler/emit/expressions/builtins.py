"""The Python of builtins: geography, units, numbers, time, paths.

In:  a call of a builtin, its arguments built.
Out: the expression of the model that stands for it.
"""

from __future__ import annotations

from collections.abc import Callable

from ..fixed import NEAR, UNITS
from ..model.expressions import (
    ONE,
    ZERO,
    Attr,
    Call,
    Comp,
    Compare,
    Expr,
    Index,
    Lit,
    Loop,
    Name,
    Neg,
    Op,
    Ref,
    S,
    Slice,
    compare,
    every,
    length,
)
from ..naming import HELPERS

Build = Callable[..., Expr]
TURNS = Ref("data", "TURNS")


def asks(name: str, state: bool = True) -> Build:
    """A function of the runtime, about the state or about its arguments alone."""
    fn = HELPERS[name]
    return (lambda *args: Call(fn, (S, *args))) if state else (lambda *args: Call(fn, args))


def column(index: int) -> Build:
    return lambda turn: Index(Index(TURNS, turn), Lit(index))


def same(*args: Expr) -> Expr:
    return args[0]


def is_odd(number: Expr) -> Compare:
    return compare(Op("%", number, Lit(2)), "==", ONE)


BUILTINS: dict[str, Build] = {
    **{
        name: asks(name)
        for name in (
            "distance on_this_map twin west_of north_of linked units counters all_units units_at units_in spare on_map "
            "occupied places".split()
        )
    },
    **{name: asks(name, False) for name in "edge bank up down nearest foremost placed assigned targets share".split()},
    "neighbors": lambda place: Index(NEAR, place),
    "adjacent": lambda one, other: compare(other, "in", Index(NEAR, one)),
    "sides_of": same,
    "links": lambda layer, one, other: compare(other, "in", Call(HELPERS["linked"], (S, layer, one))),
    "on_line": lambda layer, place: every("bool", Call(HELPERS["linked"], (S, layer, place))),
    "name": lambda unit: Index(UNITS, unit),
    "odd": is_odd,
    "turns": lambda: Ref("data", "TURN_NUMBERS"),
    "year": column(1),
    "month": column(2),
    "turn_number": lambda turn: Op("+", turn, ONE),
    "turn_after": lambda turn, later: Op("+", turn, later),
    "first": lambda count, path: Index(path, Slice(ONE, Op("+", count, ONE))),
    "last": lambda path: Index(path, Neg(ONE)),
    "start": lambda path: Index(path, ZERO),
    "length": lambda path: Op("-", length(path), ONE),
    "steps": same,
    "target_groups": lambda plan: every("tuple", Comp(Index(Name("g"), ZERO), (Loop(Name("g"), plan),))),
    "winner": lambda: Attr(S, "winner"),
}
