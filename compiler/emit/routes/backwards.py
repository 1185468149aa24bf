"""Build the search backwards from the ends of a route, shared by all movers that are alike.

In:  the search of a route that depends on its mover only through some values (its side, its kind of movement).
Out: a search backwards from the ends, and the choice between it and one from the mover.
"""

from __future__ import annotations

from dataclasses import replace

from ..fixed import every_hex
from ..memo_dependencies import Rests
from ..model.expressions import (
    NONE,
    ZERO,
    Attr,
    Call,
    Comp,
    Cond,
    Expr,
    Index,
    Lit,
    Loop,
    Name,
    Neg,
    Op,
    S,
    Tup,
    all_of,
    compare,
    every,
    length,
    method,
    names,
    negated,
)
from ..model.statements import Assign, Hint, If, Param, Return, Stmt
from .bars import atoms, keep_ways, keys_of
from .kernels import FAST, FAST_ON, Kernel
from .loops import backwards
from .mover import Hoist
from .parts import Search
from .prices import enters_only, mover_values
from .way import Way

NEAR, MEMO, KEY, SEEN = Name("near"), Name("memo"), Name("key"), Name("seen")


def alike_by_values(way: Way, made: Search) -> bool:
    """Whether nothing but some of their values tells one mover from another, so that one search can serve many.

    A side or another word that a route is asked with is such a value.
    """
    p = Hoist(way)
    plain = way.quick() and made.whole and made.jumps is None and not way.ctx.traced
    grounds = [*atoms(way, "forbid"), *atoms(way, "stop")]
    if not plain or not way.movers or made.stepping or any(keys_of(x, p) & way.movers for x in grounds):
        return False
    if any(x.looks_at() != {"there"} for x in atoms(way, "stop")):
        return False
    asked = [x for x in ("leave", "cross", "enter", "to", "budget") if x in way.r.facets]
    if not made.ways and not (made.price is None or enters_only(way)):
        return False
    return all(mover_values(way, x, p, way.plain) is not None for x in asked)


def search_for_all(way: Way, made: Search, fast: Kernel | None) -> None:
    """The search from the ends, and the choice between it and one from the mover.

    Movers search for themselves until together they have visited an eighth of the map; then one search backwards pays.
    """
    lifted = way.hoisted.rows()
    way.alike = tuple(sorted(name for name, _ in lifted))
    hoisted = [(name, value) for name, value in made.hoisted if name not in way.alike and name != "ways_1"]
    steps = next((replace(k, name="back_1") for k in way.kept if k.price is not None), None)
    given: tuple[Expr, ...] = ()
    if made.ways:
        assert steps is not None
        keep_ways(way, steps)
        given = (S, *names(*steps.params))
        hoisted.append((steps.name, Call(way.ref(steps.name), given)))
    values = tuple(Param(x) for x in way.alike)
    all_given = (*way.given, *names(*way.alike))
    f = way.function("back", "what it costs from every place to the nearest end in reach.", Hint("dict"), *values)
    f.body += backwards(replace(made, hoisted=hoisted, goals=way.goal_set))
    rests = Rests(("route", way.r.name))
    told = (*way.plain, *way.alike)
    key: Expr = Name(told[0]) if len(told) == 1 else Tup(names(*told))
    memo = Attr(S, "memo")
    doc = f"whether {way.r.name} has any path; found for all movers alike at once when several ask."
    f = way.function("any", doc, Hint("bool"))
    slot = Index(memo, way.ctx.slot(f.name, rests))
    inside = in_near(way, fast)
    f.body += [Assign((Name(name),), value) for name, value in sorted(lifted)]
    ask_all = Call(way.ref("together"), all_given)
    f.body += [
        Assign((NEAR,), method(slot, "get", key)),
        If(compare(NEAR, "is", NONE), (Return(ask_all),)),
        *inside,
    ]
    for d in way.ctx.askers.get(way.r.name, ()):
        home = way.ctx.naming.function("define", d.name)
        same = way.ctx.about(d.case, home.id, d.params, Hint("bool"), f"{way.ctx.title(d.case)}: {d.name}.")
        same.body += f.body
    back: Expr = method(Call(way.ref("back"), all_given), "keys")
    patience: Expr = length(every_hex(way.ctx.book))
    if fast is not None:
        assert steps is not None and made.budget is not None
        fast.steps(steps, made.table)
        arrays = (Call(way.ref("fast_back_1"), given), Call(way.ref("fast_flags"), (S, *names(*fast.flagged))))
        quick = method(FAST, "near", *arrays, way.goal_set, made.budget)
        back = Cond(FAST_ON, quick, method(FAST, "marked", back, length(made.table)))
        patience = Cond(FAST_ON, Attr(FAST, "patience"), patience)
    f = way.function("together", "the same, for oneself or for all movers alike.", Hint("bool"), *values)
    spent = method(MEMO, "get", KEY, ZERO)
    work = Op("*", Lit(8), Cond(compare(SEEN, ">", ZERO), SEEN, Neg(SEEN)))
    f.body += [
        Assign((MEMO,), Index(memo, way.ctx.slot(f.name, rests))),
        Assign((KEY,), key),
        If(
            compare(spent, "<", patience),
            (
                Assign((SEEN,), way.call("found", way.starts, way.goal_set), way.at),
                Assign((Index(MEMO, KEY),), Op("+", spent, work)),
                Return(compare(SEEN, ">", ZERO)),
            ),
        ),
        Assign((NEAR, Index(slot, KEY)), back),
        *inside,
    ]


def in_near(way: Way, fast: Kernel | None) -> list[Stmt]:
    """Whether a mover stands where an end is in reach."""
    start = way.one_start()
    p, place = Name("p"), Name("place")
    if fast is not None and start is not None:
        there = all_of(compare(place, "is not", NONE), compare(Index(NEAR, place), ">", ZERO))
        return [Assign((place,), start), Return(there, way.at)]
    if fast is not None:
        any_there = Comp(compare(Index(NEAR, p), ">", ZERO), (Loop(p, way.starts, (compare(p, "is not", NONE),)),))
        return [Return(every("any", any_there), way.at)]
    if start is not None:
        return [Return(compare(start, "in", NEAR), way.at)]
    return [Return(negated(method(NEAR, "isdisjoint", way.starts)), way.at)]
