"""The doctrine of the program, where it has one.

In:  the doctrine of the core.
Out: one argument of the program, with the functions of the definitions that its cases ask.
"""

from __future__ import annotations

from ...core.doctrine import Asked, Doctrine, Preference
from ..context import Context
from ..model.expressions import Expr, Lit, Tup, call
from ..naming import HELPERS
from ..text import where
from .rows import Row, argument, or_none


def doctrine_row(ctx: Context, d: Doctrine) -> Row:
    """The argument `doctrine`."""
    judge = ctx.naming.function("define", d.judge) if d.judge is not None else None
    made = call(
        HELPERS["DoctrineInfo"], name=Lit(d.name), title=Lit(d.title), sides=Lit(d.sides),
        preferences=Tup(tuple(preference(ctx, x) for x in d.preferences)), otherwise=Lit(d.otherwise),
        judge=or_none(judge), weights=Lit(tuple(w.name for w in d.weights)),
    )  # fmt: skip
    return argument("doctrine", made)


def preference(ctx: Context, x: Preference) -> Expr:
    return call(
        HELPERS["PreferenceInfo"], sort=Lit(x.sort), target=Lit(x.target), case=Lit(x.case),
        tests=Tup(tuple(asked(ctx, a) for a in x.tests)), by=or_none(asked(ctx, x.by) if x.by is not None else None),
        each=Tup(tuple(Tup((Lit(at), asked(ctx, a))) for at, a in x.each)), asks=Lit(x.asks), frame=Lit(x.frame),
        where=Lit(where(x.span)),
    )  # fmt: skip


def asked(ctx: Context, a: Asked) -> Expr:
    fn = ctx.naming.function("define", a.definition)
    return call(HELPERS["Asked"], ask=fn, level=Lit(a.level), name=Lit(a.definition), text=Lit(a.text))
