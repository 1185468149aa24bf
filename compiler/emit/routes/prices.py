"""Build the prices of a route: what a step costs, as it stands in the loops of a search.

In:  the facets of a route: what it costs to leave, to cross and to enter.
Out: their expressions, with what they look at: the mover or some values of it, one end of the step or both.
"""

from __future__ import annotations

from fractions import Fraction

from ...analyse.bounds import Bounds, of_definition
from ...core import nodes as c
from ...core.walk import asks_usual, definition_exprs, local_names
from ..context import Context
from ..expressions.build import Expressions
from ..model.expressions import NONE, Call, Expr, Index, Name, S, plus
from .mover import Hoist
from .parts import CROSSING, HERE, STEP, THERE, Kept
from .way import Way


def price(way: Way, p: Hoist) -> Expr | None:
    """What a step costs, in the loop; None where it costs nothing."""
    parts: list[Expr] = []
    for name in ("leave", "cross", "enter"):
        if name not in way.r.facets:
            continue
        d = simple(way, name)
        if name == "enter" and enters_alone(way):
            if d is not None and isinstance(d.base.clauses[0].value, c.Const):
                parts.append(p(d.base.clauses[0].value))
                continue
            way.kept.append(Kept("toll_1", tuple(sorted(params_of(way, "enter")))))
            parts.append(Index(Name("toll_1"), THERE))
        elif d is not None:
            parts.append(p(d.base.clauses[0].value))
        else:
            parts.append(
                Call(way.ctx.naming.function("define", way.r.facets[name]), (*way.given, HERE, THERE, CROSSING))
            )
    return plus(parts) if parts else None


def simple(way: Way, name: str) -> c.Definition | None:
    """A facet that is one plain value, so that it can stand in the loop itself."""
    d = way.ctx.book.definitions[way.r.facets[name]]
    given = (*(x.name for x in way.r.params), *STEP)
    layer = d.base
    plain = not (layer.exceptions or layer.waivers or layer.lets or d.gathered or d.contributions)
    if not plain or tuple(x.name for x in d.params) != given:
        return None
    return d if len(layer.clauses) == 1 and layer.clauses[0].guard is None else None


def enter_price(way: Way) -> Expr:
    """The price of entering a place where nothing else about the step counts."""
    d = simple(way, "enter")
    if d is not None:
        return Expressions(way.ctx)(d.base.clauses[0].value)
    used = params_of(way, "enter")
    given = [Name(x) if x in used else NONE for x in way.names]
    return Call(way.ctx.naming.function("define", way.r.facets["enter"]), (S, *given, NONE, THERE, NONE))


def params_of(way: Way, facet: str) -> set[str]:
    """The parameters of the route that a facet looks at."""
    d = way.ctx.book.definitions[way.r.facets[facet]]
    used = local_names(*definition_exprs(d))
    return {name for name, x in zip(way.names, d.params, strict=False) if x.name in used}


def enters_alone(way: Way) -> bool:
    """Whether the price of entering looks at no more than the place entered."""
    d = way.ctx.book.definitions[way.r.facets["enter"]]
    exprs = tuple(definition_exprs(d))
    return not asks_usual(*exprs) and not local_names(*exprs) & {"here", "crossing"}


def enters_only(way: Way) -> bool:
    """Whether every step into a place costs the same."""
    return "leave" not in way.r.facets and "cross" not in way.r.facets and enters_alone(way)


def two_ended(way: Way) -> bool:
    """Whether prices look at more than the place entered."""
    return any(x in way.r.facets for x in ("leave", "cross")) or ("enter" in way.r.facets and not enters_alone(way))


def mover_values(way: Way, facet: str, p: Hoist, plain: tuple[str, ...] = ()) -> frozenset[str] | None:
    """The values of the mover that a price looks at; None where it looks at the mover otherwise.

    Parameters that are plain values themselves count as such.
    """
    if p.off:
        return None
    d = way.ctx.book.definitions[way.r.facets[facet]]
    if tuple(x.name for x in d.params[: len(way.r.params)]) != tuple(x.name for x in way.r.params):
        return None  # taken over from a route that calls its mover by another name
    stack = [*definition_exprs(d)]
    params = {x.name for x in way.r.params}
    found: set[str] = set()
    while stack:
        x = stack.pop()
        if isinstance(x, c.Suppose) or (isinstance(x, c.Loop) and x.var in params):
            return None
        if p.lifts(x) is not None:
            lifted = p(x)
            assert isinstance(lifted, Name)
            found.add(lifted.id)
        elif not isinstance(x, c.Local) or x.name not in params:
            stack += x.args
        elif way.ctx.local(x.name) in plain:
            found.add(way.ctx.local(x.name))
        else:
            return None
    return frozenset(found)


def price_bounds(book: c.Book, r: c.Route) -> Bounds | None:
    """What a step can cost."""
    nothing = Fraction(0)
    total = Bounds(nothing, nothing, True)
    for name in ("leave", "cross", "enter"):
        if name in r.facets:
            one = of_definition(book, book.definitions[r.facets[name]])
            if one is None:
                return None
            total = Bounds(total.low + one.low, total.high + one.high, total.whole and one.whole)
    return total


def fixed_prices(ctx: Context, r: c.Route) -> bool:
    """Whether nothing that happens in play changes what a step costs."""
    facets = [r.facets[x] for x in ("leave", "cross", "enter") if x in r.facets]
    return not any(ctx.depends.named("define", x) - {"unit_side"} for x in facets)
