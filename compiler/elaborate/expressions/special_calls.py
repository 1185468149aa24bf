"""Elaborate functions whose arguments are more than values: a quota, a phase, a route, a matching, a scale.

In:  a call whose number of arguments is right.
Out: the operator of the core that stands for it.
Reports: RW201 unknown phase or scale, RW211 an argument of another sort.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from rulewright.dsl import nodes as n
from rulewright.dsl.diagnostics import did_you_mean

from ...core import nodes as c
from ...core import types as t
from ...core.nodes import Expr
from ...core.types import Type
from ...read.symbols import Scope
from .context import WRONG, Context
from .literals import plain

SPECIAL: dict[str, tuple[str, ...]] = {  # what each is called with, for messages
    "left": ("QUOTA(…)",),
    "spent": ("QUOTA(…)",),
    "phase_is": ("PHASE",),
    "ends": ("ROUTE(…)",),
    "shortest": ("ROUTE(…)",),
    "cost": ("ROUTE(…)", "PATH"),
    "blocked": ("MATCHING(…)",),
    "uncovered": ("MATCHING(…)",),
    "assigned": ("PLAN", "TARGET"),
    "targets": ("PLAN",),
    "placed": ("PLAN",),
    "share": ("SHARES", "MEMBER"),
    "on_scale": ("SCALE", "NUMBER"),
    "shifted": ("STEP", "NUMBER"),
    "rank": ("VALUE",),
    "other": ("VALUE",),
}


def plan_parts(on: Context, type: Type) -> tuple[Type, Type, bool]:
    """What a plan sorts onto what, and whether in groups."""
    return on.symbols.matchings.get(type.via, (t.ANY, t.ANY, False))


def one_route(on: Context, node: n.Call, scope: Scope) -> c.Paths:
    inner = on.hinted(node.arguments[0].value, scope, None)
    if not isinstance(inner, c.Paths):
        on.report.error("RW211", node.span, f"{node.name} needs a route", help=f"write {node.name}(ROUTE(…))")
        return c.Paths("", (), type=WRONG, span=node.span)
    return inner


def call_left(on: Context, node: n.Call, scope: Scope) -> c.QuotaLeft:
    """`left(quota(args))`: what is left of a quota."""
    inner = on.hinted(node.arguments[0].value, scope, None)
    if not isinstance(inner, c.QuotaCap):
        on.report.error("RW211", node.span, "left needs a quota", help="write left(NAME(arguments))")
        return c.QuotaLeft("", (), type=t.NUMBER, span=node.span)
    return c.QuotaLeft(inner.name, inner.asked, type=t.NUMBER, span=node.span)


def call_spent(on: Context, node: n.Call, scope: Scope) -> Expr:
    left = call_left(on, node, scope)
    return c.QuotaSpent(left.name, left.asked, type=t.NUMBER, span=node.span)


def call_phase_is(on: Context, node: n.Call, scope: Scope) -> Expr:
    """`phase_is(NAME)`: whether a phase of that name is running."""
    value = node.arguments[0].value
    name = value.id if isinstance(value, n.Name) else ""
    on.check_phase(name, node.span)
    return c.InPhase(name, type=t.FLAG, span=node.span)


def call_ends(on: Context, node: n.Call, scope: Scope) -> Expr:
    """`ends(route(args))`: every place that a path of it can end in."""
    inner = one_route(on, node, scope)
    return c.PathEnds(inner.name, inner.asked, type=t.set_of(t.PLACE), span=node.span)


def call_shortest(on: Context, node: n.Call, scope: Scope) -> Expr:
    """`shortest(route(args))`: its paths of the least cost."""
    inner = one_route(on, node, scope)
    return c.ShortestPaths(inner.name, inner.asked, type=t.set_of(t.PATH), span=node.span)


def call_cost(on: Context, node: n.Call, scope: Scope) -> Expr:
    """`cost(route(args), path)`: what the path costs on that route."""
    inner = one_route(on, node, scope)
    path = on.expr(node.arguments[1].value, scope, t.PATH)
    return c.PathCost(inner.name, inner.asked, path, type=t.NUMBER, span=node.span)


def one_matching(on: Context, node: n.Call, scope: Scope) -> c.Plans | None:
    inner = on.hinted(node.arguments[0].value, scope, None)
    if not isinstance(inner, c.Plans):
        on.report.error("RW211", node.span, f"{node.name} needs a matching", help=f"write {node.name}(MATCHING(…))")
        return None
    return inner


def call_blocked(on: Context, node: n.Call, scope: Scope) -> Expr:
    """`blocked(matching(args))`: the items that no complete plan can place."""
    inner = one_matching(on, node, scope)
    if inner is None:
        return on.wrong(node.span)
    item = on.symbols.matchings.get(inner.name, (t.UNIT, t.ANY, False))[0]
    return c.BlockedItems(inner.name, inner.asked, type=t.set_of(item), span=node.span)


def call_uncovered(on: Context, node: n.Call, scope: Scope) -> Expr:
    """`uncovered(matching(args))`: the targets of every part of the matching that has no complete plan."""
    inner = one_matching(on, node, scope)
    if inner is None:
        return on.wrong(node.span)
    known = on.book.matchings.get(inner.name)
    targets = known.targets.type if known is not None else t.set_of(t.ANY)
    return c.UncoveredTargets(inner.name, inner.asked, type=targets, span=node.span)


def call_assigned(on: Context, node: n.Call, scope: Scope) -> Expr:
    """`assigned(plan, target)`: the items that a plan assigns to a target."""
    plan, target = (a.value for a in node.arguments)
    given = on.expr(plan, scope, t.PLAN)
    item, kind, _ = plan_parts(on, given.type)
    args = (given, on.hinted(target, scope, kind))
    return c.BuiltinCall("assigned", args, type=t.set_of(item), span=node.span)


def call_targets(on: Context, node: n.Call, scope: Scope) -> Expr:
    """`targets(plan)`: the targets that a plan sends items to; sets of them where the matching has groups."""
    given = on.expr(node.arguments[0].value, scope, t.PLAN)
    _, kind, groups = plan_parts(on, given.type)
    name = "target_groups" if groups else "targets"
    many = t.list_of(t.set_of(kind) if groups else kind)
    return c.BuiltinCall(name, (given,), type=many, span=node.span)


def call_placed(on: Context, node: n.Call, scope: Scope) -> Expr:
    """`placed(plan)`: the items that a plan assigns."""
    given = on.expr(node.arguments[0].value, scope, t.PLAN)
    items = t.set_of(plan_parts(on, given.type)[0])
    return c.BuiltinCall("placed", (given,), type=items, span=node.span)


def call_share(on: Context, node: n.Call, scope: Scope) -> Expr:
    """`share(shares, member)`: what an allocation gives to a member."""
    shares, member = (a.value for a in node.arguments)
    args = (on.expr(shares, scope, t.SHARES), on.hinted(member, scope, None))
    return c.BuiltinCall("share", args, type=t.NUMBER, span=node.span)


def call_on_scale(on: Context, node: n.Call, scope: Scope) -> Expr:
    """`on_scale(SCALE, ratio)`: the highest step not above the ratio; below the lowest step, less than it."""
    first = node.arguments[0].value
    name = first.id if isinstance(first, n.Name) else ""
    if name not in on.book.scales:
        on.report.error(
            "RW201",
            node.span,
            f'no scale "{name}"',
            help=did_you_mean(name, on.book.scales) or "declare it: scale …",
        )
        return on.wrong(node.span)
    value = on.number(node.arguments[1].value, scope)
    steps = tuple(plain(fraction_of(x)) for x in on.book.scales[name])
    return c.OnScale(value, steps, type=Type("scale", name), span=node.span)


def call_shifted(on: Context, node: n.Call, scope: Scope) -> Expr:
    """`shifted(step, n)`: n steps along the scale, stopping at its ends."""
    step = on.hinted(node.arguments[0].value, scope, None)
    by = on.number(node.arguments[1].value, scope)
    if step.type.sort != "scale":
        on.report.error(
            "RW211",
            node.span,
            f"shifted needs a step of a scale; this is a {step.type}",
            help="write shifted(STEP, NUMBER)",
        )
        return on.wrong(node.span)
    return c.Shifted(step, by, len(on.book.scales[step.type.name]) - 1, type=step.type, span=node.span)


def call_rank(on: Context, node: n.Call, scope: Scope) -> Expr:
    """`rank(value)`: the place of a value in its kind or scale, from 1."""
    value = on.hinted(node.arguments[0].value, scope, None)
    if value.type.sort == "kind":
        return c.Rank(value, tuple(on.book.kinds[value.type.name]), type=t.NUMBER, span=node.span)
    if value.type.sort not in ("scale", "any") and value.type.plain != t.TURN:
        on.report.error(
            "RW211",
            node.span,
            f"a {value.type} has no rank",
            help="only values of a kind, steps of a scale and turns have one",
        )
    return c.Rank(value, None, type=t.NUMBER, span=node.span)


def call_other(on: Context, node: n.Call, scope: Scope) -> Expr:
    """`other(value)`: the other word of a kind that has two."""
    value = on.hinted(node.arguments[0].value, scope, None)
    words = tuple(on.book.kinds[value.type.name]) if value.type.sort == "kind" else ()
    if len(words) != 2 and value.type.sort != "any":
        on.report.error(
            "RW211",
            node.span,
            f"other needs a value of a kind with two words; this is a {value.type}",
            help="a kind of three and more has no other: write a definition with a clause for each of its words",
        )
        return on.wrong(node.span)
    return c.Other(value, words, type=value.type, span=node.span)


def fraction_of(step: str) -> Fraction:
    """The ratio that a step of a scale stands for; 0 where it is a word."""
    if ":" in step:
        left, right = step.split(":")
        return Fraction(int(left), int(right) or 1)
    return Fraction(int(step)) if step.lstrip("-").isdigit() else Fraction(0)


CALLED: dict[str, Callable[[Context, n.Call, Scope], Expr]] = {
    "left": call_left,
    "spent": call_spent,
    "phase_is": call_phase_is,
    "ends": call_ends,
    "shortest": call_shortest,
    "cost": call_cost,
    "blocked": call_blocked,
    "uncovered": call_uncovered,
    "assigned": call_assigned,
    "targets": call_targets,
    "placed": call_placed,
    "share": call_share,
    "on_scale": call_on_scale,
    "shifted": call_shifted,
    "rank": call_rank,
    "other": call_other,
}
"""What each of the special functions is elaborated by."""
