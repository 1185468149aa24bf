"""Operators that need no book: conditions, comparisons, numbers, steps of scales, collections.

In:  an operator of the core, and what turns the expressions below it into functions.
Out: its function over the world and the names in reach.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any, assert_never

from rulewright.runtime.problems import Fault

from ..core import nodes as c
from .asks import Fn, Names
from .values import bounded, divided, floor, numbers, ordered
from .world import World

Make = Callable[[c.Expr], Fn]


def condition(function: Make, e: c.And | c.Or | c.Not | c.Choose) -> Fn:
    match e:
        case c.And(left=left, right=right):
            a, b = function(left), function(right)
            return lambda W, L: a(W, L) and b(W, L)
        case c.Or(left=left, right=right):
            a, b = function(left), function(right)
            return lambda W, L: a(W, L) or b(W, L)
        case c.Not(value=value):
            a = function(value)
            return lambda W, L: not a(W, L)
        case c.Choose(test=test, then=then, otherwise=otherwise):
            when, a, b = function(test), function(then), function(otherwise)
            return lambda W, L: a(W, L) if when(W, L) else b(W, L)
        case _:
            assert_never(e)


def comparison(function: Make, e: c.Equal | c.Unequal | c.Less | c.AtMost | c.More | c.AtLeast) -> Fn:
    left, right = e.left, e.right
    a, b = function(left), function(right)
    sets = "set" in (left.type.sort, right.type.sort) and left.type.many and right.type.many
    match e:
        case c.Equal():
            return (lambda W, L: {*a(W, L)} == {*b(W, L)}) if sets else (lambda W, L: a(W, L) == b(W, L))
        case c.Unequal():
            return (lambda W, L: {*a(W, L)} != {*b(W, L)}) if sets else (lambda W, L: a(W, L) != b(W, L))
        case c.Less():
            return lambda W, L: a(W, L) < b(W, L)
        case c.AtMost():
            return lambda W, L: a(W, L) <= b(W, L)
        case c.More():
            return lambda W, L: a(W, L) > b(W, L)
        case c.AtLeast():
            return lambda W, L: a(W, L) >= b(W, L)
        case _:
            assert_never(e)


def arithmetic(function: Make, e: c.Plus | c.Minus | c.Times | c.Over | c.Negative) -> Fn:
    if isinstance(e, c.Negative):
        of = function(e.value)
        return lambda W, L: -of(W, L)
    a, b = function(e.left), function(e.right)
    match e:
        case c.Plus():
            return lambda W, L: a(W, L) + b(W, L)
        case c.Minus():
            return lambda W, L: a(W, L) - b(W, L)
        case c.Over():
            return lambda W, L: divided(a(W, L), b(W, L))
        case c.Times():
            if small(e.left) or small(e.right):
                return lambda W, L: a(W, L) * b(W, L)
            return lambda W, L: bounded(a(W, L) * b(W, L))
        case _:
            assert_never(e)


def of_scale(function: Make, e: c.OnScale | c.Shifted | c.Rank | c.Other) -> Fn:
    match e:
        case c.OnScale(value=value, steps=steps):
            a = function(value)
            return lambda W, L: highest_step(a(W, L), steps)
        case c.Shifted(step=step, by=by, last=last):
            a, b = function(step), function(by)
            return lambda W, L: min(max(a(W, L) + floor(b(W, L)), 0), last)
        case c.Rank(value=value, words=None):
            a = function(value)
            return lambda W, L: 1 + a(W, L)
        case c.Rank(value=value, words=words):
            a, known = function(value), words or ()
            return lambda W, L: 1 + known.index(a(W, L))
        case c.Other(value=value, words=(one, two)):
            a = function(value)
            return lambda W, L: one if a(W, L) == two else two
        case c.Other():
            raise ValueError("only a kind of two words has an other one")
        case _:
            assert_never(e)


def collection(
    function: Make, e: c.IsIn | c.Union | c.Without | c.SetOf | c.ListOf | c.RecordOf | c.Range | c.FirstOf
) -> Fn:
    parts = [function(x) for x in e.args]
    match e:
        case c.IsIn():
            return lambda W, L: parts[0](W, L) in parts[1](W, L)
        case c.Union():
            return lambda W, L: ordered((*parts[0](W, L), *parts[1](W, L)))
        case c.Without():
            return lambda W, L: without(parts[0](W, L), parts[1](W, L))
        case c.SetOf():
            return lambda W, L: ordered([x(W, L) for x in parts])
        case c.ListOf() | c.RecordOf():
            return lambda W, L: tuple([x(W, L) for x in parts])
        case c.Range():
            return lambda W, L: counted(W, numbers(parts[0](W, L), parts[1](W, L)))
        case c.FirstOf():
            return lambda W, L: next((found for x in parts if (found := x(W, L))), ())
        case _:
            assert_never(e)


def counted(W: World, members: tuple[Any, ...]) -> tuple[Any, ...]:
    W.count(len(members))
    return members


def pairs(function: Make, base: c.Expr, of: c.Expr, var: str) -> Callable[[World, Names], Iterable[tuple[Any, Any]]]:
    """The members of a set, each with the value of an expression about it."""
    members, about = function(base), function(of)

    def found(W: World, L: Names) -> Iterable[tuple[Any, Any]]:
        names = dict(L)
        for x in W.through(members(W, L)):
            names[var] = x
            yield x, about(W, names)

    return found


def folded(function: Make, e: c.SumOf | c.Highest | c.Lowest | c.Each | c.EachOf) -> Fn:
    """What takes a value of each member of a set."""
    members = pairs(function, e.base, e.value, e.var)
    match e:
        case c.SumOf():
            return lambda W, L: sum(value for _, value in members(W, L))
        case c.Highest():
            return lambda W, L: max(some(value for _, value in members(W, L)))
        case c.Lowest():
            return lambda W, L: min(some(value for _, value in members(W, L)))
        case c.Each():
            return lambda W, L: ordered(value for _, value in members(W, L))
        case c.EachOf():
            return lambda W, L: ordered(x for _, value in members(W, L) for x in value)
        case _:
            assert_never(e)


def tested(function: Make, e: c.AnyOf | c.CountOf | c.EveryOf | c.Filter, test: c.Expr) -> Fn:
    """What goes through the members of a set with a test."""
    members = pairs(function, e.base, test, e.var)
    match e:
        case c.Filter():
            return lambda W, L: tuple([x for x, holds in members(W, L) if holds])
        case c.AnyOf():
            return lambda W, L: any(holds for _, holds in members(W, L))
        case c.EveryOf():
            return lambda W, L: all(holds for _, holds in members(W, L))
        case c.CountOf():
            return lambda W, L: sum(1 for _, holds in members(W, L) if holds)
        case _:
            assert_never(e)


def small(e: c.Expr) -> bool:
    """A small factor alone makes no number grow without end."""
    return isinstance(e, c.Const) and isinstance(e.value, int | Fraction) and -100 <= e.value <= 100


def highest_step(value: int | Fraction, steps: tuple[int | Fraction, ...]) -> int:
    """The highest step of a scale not above a value; -1 below them all."""
    return max((i for i, step in enumerate(steps) if step <= value), default=-1)


def without(members: tuple[Any, ...], gone: tuple[Any, ...]) -> tuple[Any, ...]:
    out = set(gone)
    return tuple([x for x in members if x not in out])


def some(values: Iterable[Any]) -> list[Any]:
    """Values of which there must be one."""
    found = list(values)
    if not found:
        raise Fault("highest or lowest of nothing")
    return found
