"""Build lines of several ordered elements: routes whose legs are routes themselves.

In:  a route of several legs.
Out: functions of the generated package: where such a line can end, and whether it reaches an end.

Where nothing but some of their values tells one mover from another, whether there is a line is found once for all
movers alike, backwards from the ends, as soon as a second one asks: see `legs_any` of the runtime.
"""

from __future__ import annotations

from dataclasses import replace

from ...core import nodes as c
from ...core.types import PLACE
from ..answers import BEGIN, Key, memoised
from ..context import Context
from ..expressions.build import Expressions
from ..memo_dependencies import Rests
from ..model.expressions import (
    NONE,
    Attr,
    Call,
    Comp,
    Expr,
    Lambda,
    Lit,
    Loop,
    Name,
    Ref,
    S,
    Tup,
    every,
    method,
    names,
)
from ..model.statements import Give, Hint, Param, Return
from ..model.walk import walk
from ..naming import HELPERS
from .answers import kept
from .bars import keep_ways
from .loops import backwards
from .mover import Hoist
from .parts import Search
from .prices import enters_only, mover_values
from .search import model
from .way import Way

PLACES, P, GOALS = Hint("tuple"), Name("p"), Name("goals")


def legs(way: Way) -> None:
    """A route of several legs: where a line of them can end, and whether it reaches an end."""
    ctx, r = way.ctx, way.r
    f = way.function("reach", f"where a line of {r.name} can end.", PLACES)
    rows = Tup(tuple(forwards(ctx, leg) for leg in r.legs))
    f.body.append(Return(Call(HELPERS["legs_reach"], (way.starts, rows)), way.at))
    reached: Expr = way.call("reach")
    if way.goals is not None:
        reached = every("tuple", every("sorted", method(way.goal_set, "intersection", reached)))
    kept(way, "ends", f"the ends of {r.name}", reached, PLACES)
    value = every("bool", way.call("ends"))
    shared = line_for_all(way)
    f = way.function("any", f"whether {r.name} reaches an end.", Hint("bool"))
    if ctx.traced:
        f.body += [BEGIN, *way.telling().told(Give(value, Lit(r.case)))]
    else:
        rests = Rests(("route", r.name))
        if shared is not None:
            told = (S, ctx.slot(f"{f.name}_for_all", rests), Lambda((), shared), way.starts)
            home = Lambda((), way.call("home"))
            value = Call(HELPERS["legs_any"], (*told, Lambda((), way.call("ends")), home))
        f.body += memoised(ctx, f.name, Key(way.names), value, rests)
    f = way.function("", f"{r.name} as bare ends.", PLACES)
    f.body.append(Return(every("tuple", Comp(Tup((P,)), (Loop(P, way.call("ends")),)))))


def forwards(ctx: Context, leg: c.Leg) -> Expr:
    """One leg for `legs_reach`: its sort, its search, where it may begin and where it may end."""
    begins, ends, given = facets(ctx, leg)
    run = Call(ctx.naming.helper("route", leg.route, "_search"), (*given, Name("starts")))
    return Tup((Lit(leg.sort), Lambda(("starts",), Attr(run, "cost")), begins, ends))


def facets(ctx: Context, leg: c.Leg) -> tuple[Expr, Expr, tuple[Expr, ...]]:
    """Where a leg may begin and end, and what it is asked with."""
    route, build = ctx.book.routes[leg.route], Expressions(ctx)
    given = (S, *(build(a) for a in leg.args))
    facet = {k: Call(ctx.naming.function("define", v), given) for k, v in route.facets.items()}
    return Lambda((), facet.get("from", NONE)), Lambda((), facet.get("to", NONE)), given


# ---------------------------------------------------------------- for all movers alike


def line_for_all(way: Way) -> Expr | None:
    """What tells movers apart, where that is a few values; the line is built backwards from its ends as well."""
    ctx, r = way.ctx, way.r
    start, own = way.one_start(), values_of(way, None)
    if start is None or own is None or way.goals is None:
        return None
    told: list[Expr] = [*own.values()]
    rows: list[Expr] = []
    for i, leg in enumerate(r.legs):
        each = Way(ctx, ctx.book.routes[leg.route])
        given_names = tuple(ctx.local(x.name) for x in leg.args if isinstance(x, c.Local))
        if each.names != given_names or values_of(each, model(each)) is None:
            return None
        begins, ends, given = facets(ctx, leg)
        if each.one_start() is not None:
            if i or each.one_start() != start:
                return None
            begins = Lambda((), NONE)
        run = Call(Ref(each.base.module, f"{each.base.id}_home"), (*given, Name("starts")))
        rows.append(Tup((Lit(leg.sort), Lambda(("starts",), run), ends, begins)))
        told.append(Call(Ref(each.base.module, f"{each.base.id}_told"), given))
    f = way.function("home", f"the places from which a line of {r.name} reaches an end.", PLACES)
    f.body.append(Return(Call(HELPERS["legs_reach"], (way.goals, Tup(tuple(reversed(rows))))), way.at))
    return Tup(tuple(dict.fromkeys(told)))


def values_of(way: Way, made: Search | None) -> dict[str, Expr] | None:
    """The values by which movers differ for a route, or for the ends of one of several legs; None if others count."""
    p, plain = Hoist(way), way.plain
    if way.ctx.traced:
        return None
    if made is None:
        plain = tuple(way.ctx.local(x.name) for x in way.r.params if x.type.name == PLACE.name)
    else:
        by_values = (made.ways or made.price is None or enters_only(way)) and made.whole and made.jumps is None
        asked = (made.never, made.leaving, made.stepping, made.stopping)
        sets = [x for _, value in way.sets.rows() for x in walk(value) if isinstance(x, Name)]
        if not by_values or any(asked) or any(x.id in way.movers for x in sets):
            return None
        if any({*k.keys} & way.movers for k in way.kept):
            return None
    prices = ("leave", "cross", "enter") if made is not None and not made.ways else ()
    for facet in ("from", "to", *prices):
        begins_there = facet == "from" and way.one_start() is not None
        if facet in way.r.facets and not begins_there and mover_values(way, facet, p, plain) is None:
            return None
    return {**{x: Name(x) for x in plain}, **dict(way.hoisted.rows())}


def home(way: Way, made: Search) -> None:
    """What a line needs of one of its legs: the search from some ends backwards, and what tells its movers apart."""
    if not is_leg(way.ctx.book, way.r.name) or made.goals is not None:
        return
    values = values_of(way, made)
    if values is None:
        return
    hoisted = [(name, value) for name, value in made.hoisted if name != "ways_1"]
    hoisted += [x for x in way.hoisted.rows() if x not in hoisted]
    steps = next((k for k in way.kept if k.price is not None), None)
    if steps is not None:
        back = replace(steps, name="back_1")
        if way.alike is None:
            keep_ways(way, back)
        hoisted.append((back.name, Call(way.ref(back.name), (S, *names(*back.params)))))
    doc = "what it costs to the nearest of some ends, from every place."
    f = way.function("home", doc, Hint("dict"), Param("goals"))
    f.body += backwards(replace(made, hoisted=hoisted, goals=GOALS))
    told = [*values.values()]
    if made.budget is not None:
        told.append(made.budget)
    f = way.function("told", "what tells its movers apart.", Hint("tuple"))
    f.body.append(Return(Tup(tuple(told))))


def is_leg(book: c.Book, name: str) -> bool:
    """Whether a route is a leg of another."""
    return any(leg.route == name for r in book.routes.values() for leg in r.legs)
