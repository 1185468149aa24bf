"""Build tables, least sets and matchings.

In:  a table, a grow or a matching of the core.
Out: the functions that look it up, grow it, or tell the plans that it allows.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..core import nodes as c
from ..core.walk import local_names, rule_exprs
from .answers import BEGIN, Key, Telling, asked_with, kept, memoised
from .bans import refusal
from .context import Context
from .expressions.arithmetic import conjuncts
from .expressions.build import Expressions
from .fixed import NEAR
from .memo_dependencies import Rests
from .model.expressions import (
    FALSE,
    NONE,
    TRUE,
    ZERO,
    At,
    Call,
    Cond,
    Expr,
    Index,
    Lambda,
    Lit,
    Name,
    S,
    Tup,
    call,
    compare,
    names,
)
from .model.statements import Assign, For, Give, Hint, If, Param, Return, Stmt
from .model.walk import exprs, walk
from .naming import HELPERS, STATE

BOOL = Hint("bool")


def table(ctx: Context, t: c.Table) -> None:
    """The function that looks a cell up."""
    at = At(t.case, t.span, f"table {t.name}")
    ref = ctx.naming.function("table", t.name)
    key = Param("key", Hint("tuple"))
    f = ctx.function(ref.module, ref.id, (Param("S", STATE), key), ctx.hint(t.type), f"{ctx.title(t.case)}.")
    value = Index(ctx.fixed.table(t), Name("key"))
    if ctx.traced:
        f.body += Telling(t.name, Name("key"), True).told(Give(value, Lit(t.case), at))
    else:
        f.body.append(Return(value, at))


def grow(ctx: Context, g: c.Grow) -> None:
    """The least set, grown when it is asked for."""
    ids = [ctx.local(x.name) for x in g.params]
    build = Expressions(ctx)
    ref = ctx.naming.function("grow", g.name)
    f = ctx.about(g.case, ref.id, g.params, ctx.hint(g.type), f"{ctx.title(g.case)}: the least set {g.name}.")
    key = Tup((Lit(g.name), *names(*ids)))
    test = Lambda((ctx.local("it"),), build.with_var("it", g.test))
    value = call(HELPERS["grow"], S, key, Lambda((), build(g.domain)), test)
    at = At(g.case, g.span, f"grow {g.name}")
    if ctx.traced:
        f.body += [BEGIN, *Telling(g.name, asked_with(ids)).told(Give(value, Lit(g.case), at))]
    else:
        f.body += memoised(ctx, f.name, Key(tuple(ids)), value, Rests(("grow", g.name)), at)


def matching(ctx: Context, m: c.Matching) -> None:
    """The plans of a matching: what may go where, what each group and the whole must satisfy."""
    params = tuple(m.params)
    given = (S, *names(*(ctx.local(x.name) for x in params)))
    base = ctx.naming.function("matching", m.name)
    title = ctx.title(m.case)
    build = Expressions(ctx)
    item, target = ctx.local(m.item), ctx.local(m.target)
    item_hint, target_hint = ctx.hint(m.items.type.of), ctx.hint(m.targets.type.of)
    pair = ctx.about(
        m.case, f"{base.id}_pair", params, BOOL, f"{title}: whether an item may go to a target.",
        Param(item, item_hint), Param(target, target_hint),
    )  # fmt: skip
    pair.body += [refused(x, build) for x in m.rules if x.sort == "forbid"]
    pair.body.append(Return(TRUE))
    beside = None if ctx.traced else stands_beside(m, build)
    needs = [x for x in m.rules if x.sort == "require"]
    whole = [x for x in needs if "unassigned" in local_names(x.test)]
    group, assigned, rest = (ctx.local(x) for x in ("group", "assigned", "unassigned"))
    many = Hint("tuple")
    each = ctx.about(
        m.case, f"{base.id}_each", params, BOOL, f"{title}: what is required of one group.",
        Param(group, many), Param(assigned, many), Param(rest, many, Tup(())),
    )  # fmt: skip
    first = Assign((Name(target),), Index(Name(group), ZERO))
    required = [refused(x, build) for x in needs if x not in whole]
    each.body += [*about_target(first, required), Return(TRUE)]
    if needs != whole and not whole and not ctx.traced:
        key = Key((*(ctx.local(x.name) for x in params), group, assigned))
        rests = Rests(exprs=tuple(top for x in needs for top in rule_exprs(x)))
        look_up = [*key.look_up(ctx.slot(each.name, rests)), If(key.known, (Return(key.entry),))]
        each.body[:] = [*look_up, *kept(each.body, key, None)]
    whole_fn: Expr = NONE
    if whole:
        f = ctx.about(
            m.case,
            f"{base.id}_whole",
            params,
            BOOL,
            f"{title}: what is required of the whole plan.",
            Param("plan", many),
        )
        plan = Name("plan")
        left = Call(HELPERS["without"], (build(m.items), Call(HELPERS["placed"], (plan,))))
        inner = about_target(first, [refused(x, build) for x in whole])
        f.body += [
            Assign((Name(rest),), left),
            For(Tup((Name(group), Name(assigned))), plan, inner),
            Return(TRUE),
        ]
        whole_fn = Lambda(("plan",), Call(f.ref, (*given, plan)))
    idle = build.with_var(m.item, m.idle) if m.idle is not None else FALSE
    empty = build.with_var(m.target, m.empty) if m.empty is not None else FALSE
    f = ctx.about(m.case, base.id, params, Hint("Matching", matching_hint), f"{title}: the plans of {m.name}.")
    made = call(
        HELPERS["Matching"],
        items=build(m.items),
        targets=build(m.targets),
        pair=Lambda((item, target), Call(pair.ref, (*given, *names(item, target)))),
        each_target=Lambda((group, assigned), Call(each.ref, (*given, *names(group, assigned)))),
        group=Lit(m.groups),
        more_helps=Lit(m.more_helps),
        idle=Lambda((item,), idle),
        empty=Lambda((target,), empty),
        beside=NONE if beside is None else Lambda((item,), beside),
        whole=whole_fn,
        case=Lit(m.case),
    )
    f.body.append(Return(made, At(m.case, m.span, f"matching {m.name}")))


def stands_beside(m: c.Matching, build: Expressions) -> Expr | None:
    """What is next to an item, where a rule says that every target it goes to is; None of an item off the map."""
    for rule in m.rules:
        test = rule.test
        if rule.sort != "forbid" or rule.waivers or rule.guard is not None or not isinstance(test, c.Not):
            continue
        for part in written_out(test.args[0], build):
            match part:
                case c.BuiltinCall("adjacent", (place, c.Local(name)) | (c.Local(name), place)) if (
                    name == m.target and m.target not in local_names(place)
                ):
                    at = build(place)
                    near: Expr = Index(NEAR, at)
                    return Cond(compare(at, "is not", NONE), near, NONE) if place.type.absent else near
    return None


def written_out(e: c.Expr, build: Expressions) -> Iterator[c.Expr]:
    """The parts of a condition that must all hold, with what plain definitions say in their place."""
    for part in conjuncts(e):
        said = build.asks.folded(part)
        if said is None:
            yield part
        else:
            yield from written_out(said, build)


def about_target(first: Assign, body: list[Stmt]) -> tuple[Stmt, ...]:
    """Statements about a group, with its first target before them where they look at it."""
    looks = any(x == first.targets[0] for top in exprs(tuple(body)) for x in walk(top))
    return (first, *body) if looks else tuple(body)


matching_hint = ((HELPERS["Matching"].module, "Matching"),)


def refused(rule: c.Rule, build: Expressions, answer: Expr = FALSE) -> Stmt:
    """Leave with an answer where a rule refuses."""
    return If(refusal(rule, build), (Return(answer),), (), At(rule.case, rule.span, rule.id))
