"""Elaborate what stands in braces and square brackets: sets, lists, ranges, plans and shares.

In:  a collection of the syntax, and the type that its place hints at.
Out: a core expression.
Reports: RW211 members of several types.
"""

from __future__ import annotations

from rulewright.dsl import nodes as n

from ...core import nodes as c
from ...core import types as t
from ...core.nodes import Expr
from ...core.types import Type, fits
from ...read.symbols import Scope
from .context import SAMPLES, WRONG, Context
from .special_calls import plan_parts


def collected(on: Context, node: n.Collection, scope: Scope, expected: Type | None) -> Expr:
    element = expected.of if expected is not None and expected.of is not None else None
    if node.sort in ("span", "range"):
        low, high = (on.number(x, scope) for x in node.items)
        return c.Range(low, high, type=t.set_of(t.NUMBER), span=node.span)
    if node.sort in ("plan", "shares") or (not node.items and expected in (t.PLAN, t.SHARES)):
        return paired(on, node, scope, expected)
    items = []
    type: Type | None = element
    for x in node.items:
        item = on.hinted(x, scope, type)
        if type is None or type.sort == "any":
            type = item.type.plain if not item.type.many else item.type
        elif not fits(item.type, type):
            on.report.error(
                "RW211", x.span, f"a {item.type} among values of {type}", help=on.type_help(item.type, type)
            )
        items.append(item)
    made = t.set_of(type or WRONG) if node.sort == "set" else t.list_of(type or WRONG)
    return (c.SetOf if node.sort == "set" else c.ListOf)(tuple(items), type=made, span=node.span)


def paired(on: Context, node: n.Collection, scope: Scope, expected: Type | None) -> Expr:
    """A plan `{item to target, {items} to {targets}}` or shares `{member: number}`."""
    type = expected if expected is not None and expected in (t.PLAN, t.SHARES) else None
    if type is None:
        type = t.PLAN if node.sort == "plan" else t.SHARES
    elif node.items and type != (t.PLAN if node.sort == "plan" else t.SHARES):
        on.report.error("RW211", node.span, f"these are {node.sort}, where a {type} is needed", help=SAMPLES[type.name])
    item, target, _ = plan_parts(on, type)
    found = []
    for a, b in zip(node.items[::2], node.items[1::2], strict=True):
        if node.sort == "shares":
            pair = (on.hinted(a, scope, None), on.number(b, scope))
        else:
            one, other = on.hinted(a, scope, t.set_of(item)), on.hinted(b, scope, t.set_of(target))
            for given, kind in ((one, item), (other, target)):
                if not fits(given.type.of or given.type, kind):
                    on.report.error(
                        "RW211",
                        given.span,
                        f"this is a {given.type}, where a {kind} is needed",
                        help=on.say(kind),
                    )
            pair = (on.lift(other, t.set_of(target)), on.lift(one, t.set_of(item)))
        found.append(c.ListOf(pair, type=t.list_of(t.ANY), span=node.span))
    return c.ListOf(tuple(found), type=type, span=node.span)
