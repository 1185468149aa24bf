"""Which results are memoised.

In:  a definition of the core, and the dependencies.
Out: whether its results cost enough to be memoised, and under which key.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from ...analyse.column_reads import own_columns
from ...analyse.inline import TABLE, is_heavy, is_plain, plain_value
from ...core import nodes as c
from ...core.walk import definition_exprs
from ..answers import VALUE, Key, memoised
from ..context import Context
from ..expressions.build import Expressions
from ..memo_dependencies import Rests
from ..model.expressions import Attr, Call, Expr, Name, S, Star, every, names
from ..model.statements import Assign, Hint
from ..naming import mangle
from ..routes.askers import asks_for_all


def worth_keeping(ctx: Context, d: c.Definition) -> bool:
    """Whether a result costs enough to be memoised until a dependency changes."""
    if d.sort == "facet" or any(p.type.sort == "record" for p in d.params):
        return False
    if ctx.how(d.name) == TABLE or asks_for_all(ctx, d):
        return False
    if ctx.worth.work((d,), partial(goes_far, d)):
        return True
    if not d.type.many or d.sort != "define":
        return False
    exprs = (e for top in definition_exprs(d) for e in top.walk())
    if (ctx.folded or ctx.traced) and all(at_hand(ctx, e) for e in exprs):
        return False
    return own_columns(ctx.depends, d.name) is not None


def at_hand(ctx: Context, e: c.Expr) -> bool:
    """Whether a part of a definition is as fast as a look-up."""
    if isinstance(e, c.Call):
        return ctx.how(e.name) is not None
    return is_plain(e) or (isinstance(e, c.SetOf) and len(e.items) <= 1)


def goes_far(d: c.Definition) -> bool:
    """Whether a definition goes through sets, or searches."""
    return any(is_heavy(e) for top in definition_exprs(d) for e in top.walk())


def kept_by(ctx: Context, d: c.Definition) -> tuple[Key, Rests]:
    """The key of the results, the owner parameter where there is one, and the dependencies."""
    own = own_columns(ctx.depends, d.name)
    at = own[0] if own is not None else -1
    only = {p.name: ctx.local(p.name) for i, p in enumerate(d.params) if i != at}
    values = () if ctx.traced else tuple(only_values(ctx, d, tuple(only)))
    only |= {name: key for name, key, _ in values}
    rest = tuple(only.values())
    owner = ctx.local(d.params[at].name) if own is not None else ""
    rests = Rests(("define", d.name), owned=own is not None)
    known = tuple((key, value) for _, key, value in values)
    return (Key(rest, owner, known), rests) if rest else (Key((owner,) if owner else ()), rests)


def only_values(ctx: Context, d: c.Definition, params: tuple[str, ...]) -> Iterator[tuple[str, str, Expr]]:
    """The parameters of which a definition asks no more than one value, such as a unit's side, and that value.

    All units of a side then share a result. Under a hypothesis of its own the value may be another one.
    """
    exprs = tuple(definition_exprs(d))
    if any(isinstance(e, c.Suppose) for top in exprs for e in top.walk()):
        return
    for p in d.params:
        if p.name not in params or p.type.absent or p.type.many or p.type.plain.name not in ("unit", "place"):
            continue
        found = {key: value for top in exprs for key, value in uses(top, p.name)}
        if len(found) == 1 and "" not in found:
            ((name, value),) = found.items()
            yield p.name, mangle(f"{p.name}_{name}", "the"), Expressions(ctx)(value)


def uses(e: c.Expr, param: str) -> Iterator[tuple[str, c.Expr]]:
    """How an expression looks at a parameter: at its values, each with its name, or at itself, without one."""
    match e:
        case c.MarkOf(c.Local(owner)) | c.FieldOf(c.Local(owner)) if owner == param:
            yield e.key[1], e
        case c.Local(name) if name == param:
            yield "", e
        case _:
            for part in e.args:
                yield from uses(part, param)


def owner(ctx: Context, d: c.Definition) -> str:
    """The place of the parameter by which results are memoised apart; it depends on what else the definition asks."""
    own = own_columns(ctx.depends, d.name) if not ctx.traced and worth_keeping(ctx, d) else None
    return "" if own is None else str(own[0])


def members(ctx: Context, name: str) -> None:
    """A memoised set that is searched: a frozenset of it, for fast membership tests."""
    d = ctx.book.definitions[name]
    base = ctx.naming.function("define", name)
    hint = ctx.hint(d.type.of)
    returns = Hint(f"frozenset[{hint.text}]", hint.refs) if hint is not None else None
    f = ctx.about(d.case, f"{base.id}__members", d.params, returns, f"{ctx.title(d.case)}: {name}, for look-ups.")
    value = plain_value(d)
    asked = Call(base, (S, *names(*(ctx.local(p.name) for p in d.params))))
    made: Expr = every("frozenset", asked)
    if ctx.traced:
        f.body.append(Assign((VALUE,), asked))
        made = every("frozenset", VALUE)
    elif isinstance(value, c.EachOf):
        joined = Expressions(ctx).sets.each(value, "[]")
        made = Call(Attr(Call(Name("frozenset")), "union"), (Star(joined),))
    key, rests = kept_by(ctx, d)
    f.body += memoised(ctx, f.name, key, made, rests)
