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
from ..context import Context
from .answers import answers
from .grounds import grounds
from .kernels import is_large
from .lines import home, is_leg, legs
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
    if way.made is not None:
        home(way, way.made)
    answers(way)
    grounds(way)


def route_parts(ctx: Context, r: c.Route) -> tuple[object, ...]:
    """What the functions of a route look at: itself, what its facets say, and what its prices can come to."""
    book = ctx.book
    plain = tuple(d for rule in r.rules for d in plain_calls(book, rule.test))
    facets = tuple(book.definitions[name] for name in r.facets.values())
    large = (fixed_prices(ctx, r), *all_calls(book, r)) if is_large(book) else ()
    asked = tuple(book.definitions[name] for name in ctx.depends.asked("route", r.name))
    parts = tuple(route_parts(ctx, book.routes[leg.route]) for leg in r.legs)
    return ("route", r, facets, str(price_bounds(book, r)), plain, large, asked, parts, is_leg(book, r.name))


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
