"""Build choice spaces: for each action one function that walks its legal arguments.

In:  an action of the core, with the functions that were built for it.
Out: a function of the generated package: who may take it and when, then the domains as nested loops, each rule and
     quota at the first loop where all that it looks at is known. `pick` puts the members of a domain in the order in
     which they are tried, so that the same function lists the choices and finds one at random.

Paths are walked by where they end: a path is put together only when its turn comes.
"""

from __future__ import annotations

from ..core import nodes as c
from ..core.types import SIDE
from .context import Context
from .expressions.build import Expressions
from .fixed import UNITS, every_hex
from .model.expressions import (
    FALSE,
    TRUE,
    At,
    Attr,
    Call,
    Comp,
    Expr,
    Lit,
    Loop,
    Name,
    Ref,
    S,
    Tup,
    any_of,
    compare,
    every,
    length,
    names,
    negated,
)
from .model.statements import CONTINUE, Assign, For, If, Param, Return, Stmt, Yield
from .naming import HELPERS, STATE, chapter_of

Guards = list[tuple[int, Expr, At | None]]
"""Tests that refuse a choice where they hold: how many parameters each needs, and where it comes from."""
ACTOR, PICK = Name("actor"), Name("pick")


def emit_ways(ctx: Context, a: c.Action, base: str, guards: Guards, single: list[tuple[int, Ref]]) -> Ref:
    """The function of one action; `single` are tests of one member of a set, by what must be known before it."""
    build = Expressions(ctx)
    params = (Param("S", STATE), Param("actor", ctx.hint(SIDE)), Param("pick"))
    doc = f"{ctx.title(a.case)}: the legal ways to take {a.name}."
    f = ctx.function(chapter_of(a.case), ctx.unique(f"{base}_ways"), params, None, doc)
    who = build(a.by)
    shut: list[Expr] = [compare(ACTOR, "not in" if a.by.type.many else "!=", who)]
    if a.phases:
        shut.append(negated(any_of(*(compare(Lit(x), "in", Attr(S, "phases")) for x in a.phases))))
    f.body += [If(any_of(*shut), (Return(None),)), *level_of(ctx, a, 0, guards, single, build)]
    return f.ref


def level_of(
    ctx: Context, a: c.Action, level: int, guards: Guards, single: list[tuple[int, Ref]], build: Expressions
) -> tuple[Stmt, ...]:
    """What stands inside the loops over so many parameters."""
    out: Stmt = CONTINUE if level else Return(None)
    body: list[Stmt] = [If(test, (out,), (), at) for needs, test, at in guards if needs == level]
    if level == len(a.params):
        return (*body, Yield(Tup(names(*(ctx.local(x.name) for x in a.params)))))
    x = a.params[level]
    before = names(*(ctx.local(y.name) for y in a.params[:level]))
    var = Name(ctx.local(x.name))
    inner = level_of(ctx, a, level + 1, guards, single, build)
    at = At(a.case, x.domain.span if x.domain is not None else a.span, f"action {a.name}")
    if isinstance(x.domain, c.Paths) and not ctx.traced and by_ends(ctx.book, x):
        name, given = x.domain.name, build.args(x.domain)
        within = Name(f"within_{level}")
        ends = Call(ctx.naming.helper("route", name, "_ends"), given)
        path = Assign((var,), Call(HELPERS["path_to"], (within, var)))
        return (
            *body,
            Assign((within,), Call(ctx.naming.helper("route", name, "_reach"), given)),
            For(var, Call(PICK, (counted(ends), FALSE)), (path, *inner), at),
        )
    members = build(x.domain) if x.domain is not None else everything(ctx.book, x)
    alone = [Call(fn, (S, ACTOR, *before, Tup((var,)))) for needs, fn in single if needs == level]
    if alone:
        members = every("tuple", Comp(var, (Loop(var, members, (negated(any_of(*alone)),)),)))
    if x.type.many:
        return (*body, For(var, Call(HELPERS["tried"], (S, Call(PICK, (members, TRUE)))), inner, at))
    return (*body, For(var, Call(PICK, (counted(members), FALSE)), inner, at))


def counted(members: Expr) -> Expr:
    return Call(HELPERS["each"], (S, members))


def by_ends_of(book: c.Book, a: c.Action) -> tuple[bool, ...]:
    """What the ways of an action look at beside the action."""
    return tuple(by_ends(book, x) for x in a.params)


def by_ends(book: c.Book, x: c.Param) -> bool:
    """Whether the paths of a parameter are one to each place in reach, whatever they lead through."""
    if x.type.name != "path" or not isinstance(x.domain, c.Paths):
        return False
    r = book.routes[x.domain.name]
    return not (r.legs or {"length", "path", "start"} & {*r.needs} or any(rule.sort == "require" for rule in r.rules))


def everything(book: c.Book, x: c.Param) -> Expr:
    """Every value of a type, for a parameter without a domain."""
    if x.type.sort == "kind":
        return Lit(tuple(book.kinds.get(x.type.name, ())))
    match x.type.plain.name:
        case "unit":
            return every("tuple", every("range", length(UNITS)))
        case "place":
            return every_hex(book)
        case "flag":
            return Lit((False, True))
        case _:
            return Tup(())
