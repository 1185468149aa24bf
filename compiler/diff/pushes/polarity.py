"""The direction of a change: does a condition hold more or less often, is a number larger or smaller?

In:  one smallest difference with the expressions around it; or the core expressions that use a name.
Out: +1 (holds more often, or is larger), -1 (the opposite), 0 (unknown from the form alone).

Only operators that are monotone in every position have a direction: `and`, `or`, `not`, bounds, set membership, and
loops over a set.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, assert_never

from rulewright.dsl import nodes as n
from rulewright.dsl.print import spine

from ...core import nodes as c
from ..entries import node_digest
from ..smallest import Difference, number

Sign = int


def push(d: Difference) -> Sign:
    """The direction of a difference at the outermost expression that contains it."""
    up = list(d.up)
    sign, up = start(d, up)
    child: tuple[Any, Any] = (d.before, d.after)
    for a, b in up:
        if sign == 0:
            return 0
        sign = sign * through(a, child[0])
        child = (a, b)
    return sign


def start(d: Difference, up: list[tuple[n.Node, n.Node]]) -> tuple[Sign, list[tuple[n.Node, n.Node]]]:
    """The direction at the difference itself."""
    a, b = d.before, d.after
    if a is not None and b is not None:
        return compared(a, b), up
    match up:
        case [(n.Binary(op="and" | "or" as link), _), *rest]:
            more = -1 if link == "and" else 1
            return (more if a is None else -more), rest
    return 0, up


def compared(a: Any, b: Any) -> Sign:
    """The direction from one expression to another."""
    x, y = number(a), number(b)
    if x is not None and y is not None:
        return (y > x) - (y < x)
    if isinstance(a, n.Collection) and isinstance(b, n.Collection) and a.sort == b.sort == "set":
        ours, theirs = {node_digest(i) for i in a.items}, {node_digest(i) for i in b.items}
        return 1 if ours < theirs else -1 if theirs < ours else 0
    if isinstance(a, n.Literal) and isinstance(b, n.Literal) and a.sort == b.sort == "flag":
        return 1 if b.value else -1
    for one, other, sign in ((a, b, 1), (b, a, -1)):
        match other:
            case n.Binary(op="and" | "or" as link):
                links = [node_digest(x) for x in spine(other, link)]
                mine = [node_digest(x) for x in spine(one, link)]
                if all(x in links for x in mine):
                    return sign if link == "or" else -sign
            case n.Filter(base=base) if node_digest(base) == node_digest(one):
                return -sign
            case n.Unary(op="not", value=value) if node_digest(value) == node_digest(one):
                return 0
    match a, b:
        case n.Binary(op=before), n.Binary(op=after) if same_sides(a, b):
            return WIDENED.get((before, after), 0) - WIDENED.get((after, before), 0)
    return 0


WIDENED = {("<", "<="): 1, (">", ">="): 1, ("=", "<="): 1, ("=", ">="): 1}
"""Comparisons of the same sides of which the second holds wherever the first does."""


def same_sides(a: n.Binary, b: n.Binary) -> bool:
    return node_digest(a.left) == node_digest(b.left) and node_digest(a.right) == node_digest(b.right)


def through(parent: Any, child: Any) -> Sign:
    """The direction of an expression, given that of one of its parts."""
    match parent:
        case n.Binary(op="and" | "or" | "+"):
            return 1
        case n.Binary(op="-", left=left):
            return 1 if left is child else -1
        case n.Binary(op="*", left=left, right=right):
            other = number(right if left is child else left)
            return 0 if other is None else (other > 0) - (other < 0)
        case n.Binary(op="/", left=left, right=right):
            below = number(right)
            return 0 if left is not child or below is None else (below > 0) - (below < 0)
        case n.Binary(op="<" | "<=", left=left):
            return -1 if left is child else 1
        case n.Binary(op=">" | ">=", left=left):
            return 1 if left is child else -1
        case n.Binary(op="in", right=right):
            return 1 if right is child else 0
        case n.Within(reach=reach):
            return 1 if reach is child else 0
        case n.Unary(op="not") | n.Unary(op="-"):
            return -1
        case n.Filter():
            return 1
        case n.Quantified(sort="any" | "count"):
            return 1
        case n.Quantified(sort="no"):
            return -1
        case n.Quantified(sort="every", base=base):
            return -1 if base is child else 1
    return 0


# ---------------------------------------------------------------- the core


def uses(e: c.Expr, wanted: Callable[[c.Expr], bool]) -> set[Sign]:
    """The directions in which an expression depends on what is wanted; empty where it does not."""
    found: set[Sign] = set()
    todo: list[tuple[c.Expr, Sign]] = [(e, 1)]
    while todo:
        x, sign = todo.pop()
        if wanted(x):
            found.add(sign)
        todo.extend((a, sign * way) for a, way in passed(x))
    return found


def passed(e: c.Expr) -> Iterable[tuple[c.Expr, Sign]]:
    """The direct parts of an expression, each with the direction in which the expression follows it."""
    e = c.known(e)
    match e:
        case c.Filter() | c.AnyOf() | c.CountOf() | c.EveryOf() if e.inner is not None and isinstance(e.base, c.Paths):
            # One path to each end is listed: with more paths it may be another one that is asked.
            return [(e.base, 0), (e.inner, 1)]
        case c.And() | c.Or() | c.Plus() | c.Union() | c.Filter() | c.AnyOf() | c.CountOf():
            return [(a, 1) for a in e.args]
        case c.Not() | c.Negative():
            return [(e.value, -1)]
        case c.Minus() | c.Without() | c.More() | c.AtLeast():
            return [(e.left, 1), (e.right, -1)]
        case c.Less() | c.AtMost():
            return [(e.left, -1), (e.right, 1)]
        case c.IsIn():
            return [(e.item, 0), (e.many, 1)]
        case c.Within():
            return [(e.one, 0), (e.reach, 1), (e.other, 0)]
        case c.EveryOf():
            return [(e.base, 1)] if e.test is None else [(e.base, -1), (e.test, 1)]
        case c.Const() | c.Local() | c.Usual() | c.Keep() | c.Bound() | c.Reading() | c.InPhase() | c.Total():
            return ()
        case c.FieldOf() | c.MarkOf() | c.PlaceOf() | c.Member() | c.Named() | c.OnScale() | c.Shifted() | c.Rank():
            return [(a, 0) for a in e.args]
        case c.Other() | c.Equal() | c.Unequal() | c.Times() | c.Over() | c.Between() | c.SetOf() | c.ListOf():
            return [(a, 0) for a in e.args]
        case c.Range() | c.FirstOf() | c.Folded() | c.Suppose() | c.Choose():
            return [(a, 0) for a in e.args]
        case _:
            assert_never(e)
