"""Build routes: for each one search of its own, and what is asked of its paths.

In:  a route of the core.
Out: functions of the generated package: the search with the route's own prices, bars and stops in its loops; the
     paths, ends and costs that depend on it; and what speaks against a given path.

Whether there is any path is found from the mover; when several movers alike have asked, once for all of them from the
ends backwards. What the functions of one route share is a `Way` (way.py).
"""

from __future__ import annotations

from collections.abc import Iterator

from ...analyse.inline import plain_value
from ...core import nodes as c
from ...core.walk import definition_exprs, rule_exprs
from ..answers import BEGIN, Key, memoised
from ..context import Context
from ..expressions.build import Expressions
from ..memo_dependencies import Rests
from ..model.expressions import NONE, Attr, Call, Comp, Expr, Lambda, Lit, Loop, Name, S, Tup, any_of, compare, every
from ..model.statements import Assign, Give, Hint, Return
from ..naming import HELPERS
from .answers import answers
from .grounds import grounds
from .kernels import is_large
from .prices import fixed_prices, price_bounds
from .search import search
from .way import Way


def emit_route(ctx: Context, r: c.Route) -> None:
    """All functions of one route; one of several legs has no search of its own."""
    way = Way(ctx, r)
    way.step()
    way.stops()
    if r.legs:
        legs(way)
        return
    search(way)
    answers(way)
    grounds(way)


def route_parts(ctx: Context, r: c.Route) -> tuple[object, ...]:
    """What the functions of a route look at: itself, what its facets say, and what its prices can come to."""
    book = ctx.book
    plain = tuple(d for rule in r.rules for d in plain_calls(book, rule.test))
    facets = tuple(book.definitions[name] for name in r.facets.values())
    large = (fixed_prices(ctx, r), *all_calls(book, r)) if is_large(book) else ()
    asked = tuple(book.definitions[name] for name in ctx.depends.asked("route", r.name))
    return ("route", r, facets, str(price_bounds(book, r)), plain, large, asked)


def plain_calls(book: c.Book, e: c.Expr) -> Iterator[c.Definition]:
    """The definitions that a condition is made of, as far as each is one plain value."""
    for x in e.walk():
        d = book.definitions.get(x.name) if isinstance(x, c.Call) else None
        if d is not None and plain_value(d) is not None:
            yield d
            yield from plain_calls(book, d.base.clauses[0].value)


def all_calls(book: c.Book, r: c.Route) -> list[c.Definition]:
    """Every definition that the rules of a route ask, directly or through others."""
    found: dict[str, c.Definition] = {}
    waiting = [x for rule in r.rules for x in rule_exprs(rule)]
    while waiting:
        for x in waiting.pop().walk():
            d = book.definitions.get(x.name) if isinstance(x, c.Call) else None
            if d is not None and d.name not in found:
                found[d.name] = d
                waiting += definition_exprs(d)
    return list(found.values())


def legs(way: Way) -> None:
    """A route of several legs: where a line of them can end."""
    ctx, r = way.ctx, way.r
    build = Expressions(ctx)
    places, goals, p = Hint("tuple"), Name("goals"), Name("p")
    f = way.function("reach", f"where a line of {r.name} can end.", places)
    rows: list[Expr] = []
    for leg in r.legs:
        route = ctx.book.routes[leg.route]
        given = (S, *(build(a) for a in leg.args))
        facet = {k: Call(ctx.naming.function("define", v), given) for k, v in route.facets.items()}
        run = Call(ctx.naming.helper("route", leg.route, "_search"), (*given, Name("starts")))
        rows.append(
            Tup(
                (
                    Lit(leg.sort),
                    Lambda(("starts",), Attr(run, "cost")),
                    Lambda((), facet.get("from", NONE)),
                    Lambda((), facet.get("to", NONE)),
                )
            )
        )
    f.body.append(Return(Call(HELPERS["legs_reach"], (way.starts, Tup(tuple(rows)))), way.at))
    f = way.function("ends", f"the ends of {r.name}.", places)
    inside = any_of(compare(goals, "is", NONE), compare(p, "in", goals))
    limit = every("frozenset", way.goals) if way.goals is not None else NONE
    f.body += [
        Assign((goals,), limit),
        Return(every("tuple", Comp(p, (Loop(p, way.call("reach"), (inside,)),)))),
    ]
    f = way.function("any", f"whether {r.name} reaches an end.", Hint("bool"))
    value = every("bool", way.call("ends"))
    if ctx.traced:
        f.body += [BEGIN, *way.telling().told(Give(value, Lit(r.case)))]
    else:
        f.body += memoised(ctx, f.name, Key(way.names), value, Rests(("route", r.name)))
    f = way.function("", f"{r.name} as bare ends.", places)
    f.body.append(Return(every("tuple", Comp(Tup((p,)), (Loop(p, way.call("ends")),)))))
