"""Elaborate operators: and, or, comparisons, sums, `in`, `within`, any, every, count, and folds over sets.

In:  an operation of the syntax.
Out: the operator of the core, its sides of types that go together.
Reports: RW201 `since` without a running turn, RW211 types that do not go together.
"""

from __future__ import annotations

from rulewright.dsl import nodes as n

from ...core import nodes as c
from ...core import types as t
from ...core.nodes import Expr
from ...core.types import Type, common, fits
from ...read.symbols import Scope
from .context import Context
from .names import bound_name

COMPARED: dict[str, type[c.Equal | c.Unequal | c.Less | c.AtMost | c.More | c.AtLeast]] = {
    kind.sign: kind for kind in (c.Equal, c.Unequal, c.Less, c.AtMost, c.More, c.AtLeast)
}


ARITHMETIC: dict[str, type[c.Plus | c.Minus | c.Times | c.Over]] = {
    kind.sign: kind for kind in (c.Plus, c.Minus, c.Times, c.Over)
}


FOLDED: dict[str, type[c.SumOf | c.Highest | c.Lowest]] = {"sum": c.SumOf, "highest": c.Highest, "lowest": c.Lowest}


def binary(on: Context, node: n.Binary, scope: Scope, expected: Type | None) -> Expr:
    op, span = node.op, node.span
    if op in ("and", "or"):
        joined = c.And if op == "and" else c.Or
        return joined(on.flag(node.left, scope), on.flag(node.right, scope), type=t.FLAG, span=span)
    if op in COMPARED:
        left, right = compared(on, node.left, node.right, scope)
        if op not in ("=", "!=") and (left.type.sort == "kind" or left.type == t.FLAG):
            on.report.error(
                "RW211", span, f"values of {left.type} have no order", help="declare a scale instead of a kind"
            )
        return COMPARED[op](left, right, type=t.FLAG, span=span)
    if op == "in":
        return membership(on, node, scope)
    left = on.hinted(node.left, scope, expected)
    right = on.hinted(node.right, scope, left.type if left.type.many else None)
    if left.type.many or right.type.many:
        if op not in "+-":
            on.report.error(
                "RW211", span, f"sets know + and -, not {op}", help="use count(…) or sum(… over …) for a number"
            )
        right = on.lift(right, left.type)
        left = on.lift(left, right.type)
        if not fits(right.type, left.type):
            on.report.error(
                "RW211", span, f"a {left.type} and a {right.type} do not go together", help=on.say(left.type)
            )
        type = left.type if left.type.of is not None and left.type.of.sort != "any" else right.type
        return (c.Union if op == "+" else c.Without)(left, right, type=on.as_set(type), span=span)
    if left.type == t.TURN or left.type == t.MONTH:
        on.report.error("RW211", span, "turns are not added up", help="write turn_after(turn, number)")
    for side in (left, right):
        if not fits(side.type, t.NUMBER):
            on.report.error(
                "RW211",
                side.span,
                f"this is a {side.type}, where a number is needed",
                help=on.type_help(side.type, t.NUMBER),
            )
    return ARITHMETIC[op](left, right, type=t.NUMBER, span=span)


def compared(on: Context, a: n.Expr, b: n.Expr, scope: Scope) -> tuple[Expr, Expr]:
    """Both sides of a comparison; the side whose type is plain lends it to the other."""
    if isinstance(a, n.Name | n.Literal) and not isinstance(b, n.Name | n.Literal | n.Collection):
        right = on.hinted(b, scope, None)
        left = on.hinted(a, scope, right.type.plain)
    else:
        left = on.hinted(a, scope, None)
        right = on.hinted(b, scope, left.type.plain)
    if common(left.type, right.type) is None:
        on.report.error(
            "RW211",
            b.span,
            f"a {left.type} is compared with a {right.type}",
            help=on.type_help(right.type, left.type),
        )
    return left, right


def membership(on: Context, node: n.Binary, scope: Scope) -> Expr:
    left = on.hinted(node.left, scope, None)
    if isinstance(node.right, n.Collection) and node.right.sort == "range":
        low, high = (on.hinted(x, scope, left.type.plain) for x in node.right.items)
        return c.Between(left, low, high, type=t.FLAG, span=node.span)
    right = on.hinted(node.right, scope, t.set_of(left.type))
    if not right.type.many and right.type.sort != "any":
        on.report.error(
            "RW211",
            node.right.span,
            f"this is a {right.type}, where a set is needed",
            help="use = for a single thing",
        )
    elif right.type.of is not None and not fits(left.type, right.type.of):
        on.report.error(
            "RW211",
            node.span,
            f"a {left.type} is looked for in a {right.type}",
            help=on.type_help(left.type, right.type),
        )
    return c.IsIn(left, right, type=t.FLAG, span=node.span)


def unary(on: Context, node: n.Unary, scope: Scope) -> Expr:
    match node.op:
        case "not":
            return c.Not(on.flag(node.value, scope), type=t.FLAG, span=node.span)
        case "-":
            return c.Negative(on.number(node.value, scope), type=t.NUMBER, span=node.span)
        case _:
            date = on.expr(node.value, scope, t.TURN)
            if "now" not in on.book.bindings and "now" not in scope.locals:
                on.report.error(
                    "RW201",
                    node.span,
                    f"{node.op} needs a turn that is running",
                    help="bind it in the sequence: phase turn for now in turns: …",
                )
            now = bound_name(on, n.Name(id="now", span=node.span), scope, t.TURN)
            return (c.AtLeast if node.op == "since" else c.Less)(now, date, type=t.FLAG, span=node.span)


def within(on: Context, node: n.Within, scope: Scope) -> Expr:
    one = on.expr(node.value, scope, t.PLACE)
    reach = on.number(node.reach, scope)
    other = on.expr(node.of, scope, t.PLACE)
    return c.Within(one, reach, other, type=t.FLAG, span=node.span)


def quantified(on: Context, node: n.Quantified, scope: Scope) -> Expr:
    base = on.collection(node.base, scope)
    test = None
    if node.test is not None:
        test = on.flag(node.test, scope.plus(**{node.var: on.member_type(base)}))
    if node.sort == "count":
        return c.CountOf(base, test, node.var, type=t.NUMBER, span=node.span)
    if node.sort == "every":
        return c.EveryOf(base, test, node.var, type=t.FLAG, span=node.span)
    found = c.AnyOf(base, test, node.var, type=t.FLAG, span=node.span)
    return found if node.sort == "any" else c.Not(found, type=t.FLAG, span=node.span)


def fold(on: Context, node: n.Fold, scope: Scope, expected: Type | None) -> Expr:
    base = on.collection(node.base, scope)
    element = expected.of if expected is not None and expected.of is not None else None
    value = on.hinted(node.value, scope.plus(**{node.var: on.member_type(base)}), element)
    if node.sort == "each":
        if value.type.many:
            return c.EachOf(base, value, node.var, type=on.as_set(value.type), span=node.span)
        return c.Each(base, value, node.var, type=t.set_of(value.type), span=node.span)
    if node.sort == "sum" and not fits(value.type, t.NUMBER):
        on.report.error(
            "RW211",
            node.value.span,
            f"this is a {value.type}, where a number is needed",
            help=on.type_help(value.type, t.NUMBER),
        )
    return FOLDED[node.sort](base, value, node.var, type=value.type.plain, span=node.span)
