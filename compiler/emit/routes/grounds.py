"""Build what speaks against a given path.

In:  a route of the core.
Out: the function that tells every rule which bars one of the path's steps, its length, or the whole.
"""

from __future__ import annotations

from rulewright.dsl.source import Span

from ..bans import refusal
from ..expressions.build import Expressions
from ..fixed import NEAR
from ..model.expressions import (
    NONE,
    ONE,
    ZERO,
    At,
    Call,
    Expr,
    Index,
    Lit,
    Lst,
    Name,
    Neg,
    Op,
    S,
    Tup,
    all_of,
    any_of,
    call,
    compare,
    length,
    method,
    negated,
)
from ..model.statements import Assign, Do, For, Hint, If, Param, Return, Stmt
from ..naming import HELPERS
from ..text import where
from .parts import HERE, THERE
from .way import Way, with_crossing

FOUND, PATH, LIMIT, I, MARK = (Name(x) for x in ("found", "path", "limit", "i", "mark"))


def grounds(way: Way) -> None:
    """Why a path is refused: every rule that bars one of its steps, its length, or the whole."""
    r, traced = way.r, way.ctx.traced
    build = Expressions(way.ctx)
    f = way.function("grounds", "what speaks against a path.", Hint("list"), Param("path", Hint("tuple")))
    elsewhere = If(compare(Index(PATH, ZERO), "not in", way.starts), (told(r.case, "starts elsewhere", r.span),))
    joined = any_of(
        *(
            compare(THERE, "in", Index(NEAR, HERE) if x == "land" else Call(HELPERS["linked"], (S, Lit(x), HERE)))
            for x in r.layers
        )
    )
    inner: list[Stmt] = [If(negated(joined), (told(r.case, "not joined", r.span),))]
    more = compare(Op("+", I, ONE), "<", length(PATH))
    for rule in r.rules:
        if rule.sort == "require":
            continue
        test = refusal(rule, build)
        label = rule.label or ("must stop" if rule.sort == "stop" else "barred")
        trail: Expr = THERE
        if traced:
            inner.append(Assign((MARK,), Call(HELPERS["traced_so_far"], (S,))))
            trail = Call(HELPERS["traced_since"], (S, MARK))
        against = told(rule.case, label, rule.span, trail)
        if rule.sort == "stop":
            test = all_of(more, test)
        inner.append(If(test, (against,), (), At(rule.case, rule.span, rule.id)))
    step = Assign((Tup((HERE, THERE)),), Tup((Index(PATH, Op("-", I, ONE)), Index(PATH, I))))
    f.body += [
        Assign((FOUND,), Lst(())),
        elsewhere,
        For(I, Call(Name("range"), (ONE, length(PATH))), (step, *with_crossing(tuple(inner)))),
    ]
    if "budget" in way.facet:
        far = all_of(compare(LIMIT, "is not", NONE), negated(FOUND), compare(way.call("cost", PATH), ">", LIMIT))
        f.body += [Assign((LIMIT,), way.facet["budget"]), If(far, (told(r.case, "too far", r.span),))]
    for rule in r.rules:
        if rule.sort == "require":
            against = told(rule.case, rule.label or "required", rule.span)
            f.body.append(If(refusal(rule, build), (against,), (), At(rule.case, rule.span, rule.id)))
    if way.goals is not None:
        outside = compare(Index(PATH, Neg(ONE)), "not in", way.goals)
        f.body.append(If(outside, (told(r.case, "ends elsewhere", r.span),)))
    f.body.append(Return(FOUND))


def told(case: str, label: str, span: Span, trail: Expr | None = None) -> Stmt:
    """One ground more."""
    more = {"trail": trail} if trail is not None else {}
    ground = call(HELPERS["Ground"], case=Lit(case), label=Lit(label), where=Lit(where(span)), **more)
    return Do(method(FOUND, "append", ground))
