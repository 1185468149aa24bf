"""Whether the listed paths of a route tell if any path will do.

In:  a set of paths, and what is asked of one of them.
Out: yes, where all that is asked is where the path ends: one path to each end is listed, so that another of them to the
     same end fares alike. Where more is asked of it (what it leads through, its length), another path to the same end
     may do when the listed one does not, and the walks of the route must be looked at (runtime/choices/roaming.py).
"""

from __future__ import annotations

from collections.abc import Iterable

from ..core import nodes as c
from ..core.walk import waiver_exprs
from .inline import plain_value

Asked = tuple[str, c.Expr]
"""An expression, and the name by which it knows the path."""


def tiers_of(ask: c.Ask) -> tuple[c.Expr, ...]:
    """The sets that an answer is taken from, one after another."""
    if ask.source is None:
        return ()
    return ask.source.tiers if isinstance(ask.source, c.FirstOf) else (ask.source,)


def unlisted_in_question(book: c.Book, ask: c.Ask) -> tuple[c.Paths | None, ...]:
    """By tier of a question for one path, the route whose unlisted paths may matter."""
    if ask.sort != "one":
        return ()
    found: list[c.Paths | None] = []
    for tier in tiers_of(ask):
        asked: list[Asked] = [] if ask.so_that is None else [(ask.name, ask.so_that)]
        base = tier
        while isinstance(base, c.Filter):
            asked.append((base.var, base.test))
            base = base.base
        found.append(base if isinstance(base, c.Paths) and not listing_decides(book, base, asked) else None)
    return tuple(found) if any(found) else ()


def unlisted_in_params(book: c.Book, action: c.Action) -> tuple[c.Paths | None, ...]:
    """By parameter of an action, the route whose unlisted paths may matter."""
    return tuple(unlisted_in_param(book, action, i) for i in range(len(action.params)))


def unlisted_in_param(book: c.Book, action: c.Action, index: int) -> c.Paths | None:
    """The same of one parameter."""
    param = action.params[index]
    if not isinstance(param.domain, c.Paths) or param.type.name != "path":
        return None
    asked: list[c.Expr | None] = [x.domain for x in action.params[index + 1 :]]
    for rule in action.rules:
        asked += [rule.test, rule.guard, *(x for w in rule.waivers for x in waiver_exprs(w))]
    for _, key, amount in action.spends:
        asked += [*key, amount]
    decided = listing_decides(book, param.domain, [(param.name, e) for e in asked if e is not None])
    return None if decided else param.domain


def listing_decides(book: c.Book, paths: c.Paths, asked: Iterable[Asked]) -> bool:
    """Whether the ends of a route are all that its rules and these expressions ask about."""
    route = book.routes[paths.name]
    if route.legs:
        return True
    known = {"last", "start"} if one_start(book, route) else {"last"}
    return known.issuperset(route.needs) and all(sees_only(e, name, known) for name, e in asked)


def one_start(book: c.Book, route: c.Route) -> bool:
    """Whether all paths evidently begin in one place."""
    value = plain_value(book.definitions[route.facets["from"]]) if "from" in route.facets else None
    return isinstance(value, c.SetOf) and len(value.items) == 1


def sees_only(e: c.Expr, name: str, known: set[str]) -> bool:
    """Whether an expression asks nothing of the path but these things."""
    if isinstance(e, c.BuiltinCall) and e.name in known and isinstance(e.asked[0], c.Local):
        return True
    return not (isinstance(e, c.Local) and e.name == name) and all(sees_only(x, name, known) for x in e.args)
