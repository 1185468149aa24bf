"""Common subexpressions: call a definition once where a function calls it first of all and then again.

In:  the body of a function.
Out: the same, with the first result in a variable that is used from there on.
"""

from __future__ import annotations

from collections import Counter
from functools import partial

from ..model.expressions import (
    Both,
    Call,
    Cited,
    Comp,
    Compare,
    Cond,
    Expr,
    Index,
    Lambda,
    Lit,
    Name,
    Neg,
    Not,
    Op,
    Ref,
    S,
    Tup,
)
from ..model.statements import Assign, For, Give, If, Return, Stmt
from ..model.walk import exprs, replaced, walk, with_exprs


def once_each(body: list[Stmt]) -> list[Stmt]:
    """A definition that a function asks at once and asks again is asked once."""
    found = tuple(body)
    calls: Counter[Call] = Counter()
    bound: set[str] = set()
    for x in (x for top in exprs(found) for x in walk(top)):
        if isinstance(x, Lambda):
            return body
        if isinstance(x, Call) and is_question(x):
            calls[x] += 1
        elif isinstance(x, Comp):
            bound.update(name for loop in x.loops for name in targets(loop.target))
    if all(n < 2 for n in calls.values()):
        return body
    bound |= assigned(found)
    for call in [call for call, n in calls.items() if n > 1]:
        assert isinstance(call.fn, Ref)
        name = f"the_{call.fn.id}"
        ids = {a.id for a in call.args[1:] if isinstance(a, Name)}
        at = next(i for i, s in enumerate(found) if call in {x for top in exprs((s,)) for x in walk(top)})
        if name in bound or ids & bound or first_asked(found[at]) != call:
            continue
        rest = with_exprs(found[at:], partial(replaced, old=call, new=Name(name)))
        found = (*found[:at], Assign((Name(name),), call), *rest)
        bound.add(name)
    return [*found]


def is_question(e: Call) -> bool:
    """Whether a call asks a definition of the book about variables."""
    if (
        not isinstance(e.fn, Ref)
        or not e.fn.module.startswith("chapter_")
        or e.fn.id.startswith(("route_", "matching_"))
    ):
        return False
    return bool(e.args) and e.args[0] == S and not e.named and all(isinstance(a, Name | Lit) for a in e.args)


def first_asked(s: Stmt) -> Expr | None:
    """What a statement asks before anything else."""
    match s:
        case If(e) | Return(e) | Give(e) | Assign(_, e):
            pass
        case _:
            return None
    while e is not None:
        match e:
            case Compare(inner) | Both(_, (inner, *_)) | Op(_, inner) | Neg(inner) | Not(inner) | Cond(inner):
                e = inner
            case Index(inner) | Cited(inner):
                e = inner
            case _:
                return e
    return None


def targets(e: Expr) -> list[str]:
    return [x.id for x in (e.items if isinstance(e, Tup) else (e,)) if isinstance(x, Name)]


def assigned(body: tuple[Stmt, ...]) -> set[str]:
    """The variables that statements give a value."""
    found: set[str] = set()
    for s in body:
        match s:
            case Assign(given):
                found.update(name for t in given for name in targets(t))
            case If(_, inner, orelse):
                found |= assigned(inner) | assigned(orelse)
            case For(target, _, inner):
                found |= {*targets(target)} | assigned(inner)
    return found
