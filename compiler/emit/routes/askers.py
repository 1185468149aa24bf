"""Definitions that only ask whether there is a path of a route.

In:  the definitions of a book.
Out: for each route those that say no more than that; and whether one search answers them for all movers alike.

Then their answers are kept with the route, and not once more by mover; the function of such a definition is built with
those of the route and holds the same, so that asking it is one call.
"""

from __future__ import annotations

from ...analyse.inline import plain_value
from ...core import nodes as c
from ..context import Context
from .backwards import alike_by_values
from .search import model
from .way import Way


def askers(book: c.Book) -> dict[str, tuple[c.Definition, ...]]:
    """For each route the definitions that only ask whether their own parameters have a path of it."""
    found: dict[str, tuple[c.Definition, ...]] = {}
    for d in book.definitions.values():
        match plain_value(d) if d.type.name == "flag" else None:
            case c.AnyOf(base=c.Paths() as paths, test=None):
                r = book.routes[paths.name]
                given = [x.name if isinstance(x, c.Local) else "" for x in paths.args]
                if given == [x.name for x in d.params] == [x.name for x in r.params] and not r.legs:
                    found[r.name] = (*found.get(r.name, ()), d)
    return found


def asks_for_all(ctx: Context, d: c.Definition) -> bool:
    """Whether a definition only asks for a path where one search answers for all movers alike."""
    r = next((ctx.book.routes[name] for name, known in ctx.askers.items() if d in known), None)
    if r is None:
        return False
    way = Way(ctx, r)
    return way.quick() and alike_by_values(way, model(way))
