"""Emit routes: for each one search of its own, and what is asked of its paths.

In:  a route of the core.
Out: functions of the generated module: the search with the route's own prices, bars and stops in its loops; the
     paths, ends and costs that rest on it; and what speaks against a given path.

The model of a route is a chain of classes, each of which knows those before it: OneStep (emit_route_steps.py), Prices,
Bars, Backwards, Searching, Answers, Grounds, and the RouteModel. Whether there is any path is found from the mover; when
several movers alike have asked, once for all of them from the ends backwards.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...analyse.inline import plain_value
from ...core import nodes as c
from ...core.walk import definition_exprs, rule_exprs
from ..expressions import mangle
from ..memo_dependencies import Rests
from ..module import Module
from ..traced import BEGIN, told_lines
from .grounds import Grounds
from .kernels import is_large
from .prices import fixed_prices, price_bounds


def emit_route(e: Module, r: c.Route) -> None:
    """All functions of one route."""
    model = RouteModel(e, r)
    model.step()
    model.stops()
    if r.legs:
        model.legs()
        return
    model.search()
    model.answers()
    model.grounds()


def route_parts(e: Module, r: c.Route) -> tuple[object, ...]:
    """What the functions of a route look at: itself, what its facets say, and what its prices can come to."""
    book = e.book
    plain = tuple(d for rule in r.rules for d in plain_calls(book, rule.test))
    facets = tuple(book.definitions[name] for name in r.facets.values())
    large = (fixed_prices(e, r), *all_calls(book, r)) if is_large(book) else ()
    return ("route", r, facets, str(price_bounds(book, r)), plain, large)


def plain_calls(book: c.Book, e: c.Expr) -> Iterator[c.Definition]:
    """The definitions that a condition is made of, as far as each is one plain value."""
    for x in e.walk():
        d = book.definitions.get(str(x.info)) if x.op == "call" else None
        if d is not None and plain_value(d) is not None:
            yield d
            yield from plain_calls(book, d.base.clauses[0].value)


def all_calls(book: c.Book, r: c.Route) -> list[c.Definition]:
    """Every definition that the rules of a route ask, directly or through others."""
    found: dict[str, c.Definition] = {}
    waiting = [x for rule in r.rules for x in rule_exprs(rule)]
    while waiting:
        for x in waiting.pop().walk():
            d = book.definitions.get(str(x.info)) if x.op == "call" else None
            if d is not None and d.name not in found:
                found[d.name] = d
                waiting += definition_exprs(d)
    return list(found.values())


class RouteModel(Grounds):
    """All of a route; one of several legs has no search of its own."""

    def legs(self) -> None:
        e, r, base, params, args, title = self.e, self.r, self.base, self.params, self.args, self.title
        starts, goals = self.starts, self.goals
        p = e.printer()
        f = e.function(f"{base}_reach", params, f"{title}: where a line of {r.name} can end.")
        rows = []
        for leg in r.legs:
            route = e.book.routes[leg.route]
            inner = ", ".join(["S", *(p(a) for a in leg.args)])
            name = mangle(leg.route, "r")
            facet = {k: f"{mangle(v, 'd')}({inner})" for k, v in route.facets.items()}
            run = f"lambda starts: {name}_search({inner}, starts).cost"
            begins = f"lambda: {facet['from']}" if "from" in facet else "lambda: None"
            ends = f"lambda: {facet['to']}" if "to" in facet else "lambda: None"
            rows.append(f"({leg.sort!r}, {run}, {begins}, {ends}),")
        f.lines.append(f"return legs_reach({starts}, (")
        f.lines += [e.at("    " + row, r.case, r.span, f"route {r.name}") for row in rows]
        f.lines.append("))")
        f = e.function(f"{base}_ends", params, f"{title}: the ends of {r.name}.")
        limit = f"goals = frozenset({goals})" if goals is not None else "goals = None"
        f.lines += [limit, f"return tuple(p for p in {base}_reach({params}) if goals is None or p in goals)"]
        f = e.function(f"{base}_any", params, f"{title}: whether {r.name} reaches an end.")
        if e.traced:
            f.lines += [BEGIN, *told_lines(self.tell(f"bool({base}_ends({params}))"))]
        else:
            e.memoised(f, f"{base}_any", args, f"bool({base}_ends({params}))", Rests(("route", r.name)))
        f = e.function(base, params, f"{title}: {r.name} as bare ends.")
        f.lines.append(f"return tuple((p,) for p in {base}_ends({params}))")
