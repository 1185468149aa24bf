"""Emit the prices of a route: what a step costs, as it stands in the loops of a search.

In:  the facets of a route: what it costs to leave, to cross and to enter.
Out: their text, with what they look at: the mover or some values of it, one end of the step or both.
"""

from __future__ import annotations

from fractions import Fraction

from ...analyse.bounds import Bounds, of_definition
from ...core import nodes as c
from ...core.walk import definition_exprs
from ..expressions import mangle
from ..module import Module
from .mover import Hoist
from .parts import STEP, Kept, locals_of
from .steps import OneStep


class Prices(OneStep):
    """What steps cost."""

    def price(self, p: Hoist) -> str:
        parts = []
        for name in ("leave", "cross", "enter"):
            if name not in self.r.facets:
                continue
            d = self.simple(name)
            if name == "enter" and self.enters_alone():
                if d is not None and d.base.clauses[0].value.op == "const":
                    parts.append(p(d.base.clauses[0].value))
                    continue
                used = sorted(self.params_of("enter"))
                kept = Kept("toll_1", tuple(used))
                self.kept.append(kept)
                parts.append("toll_1[there]")
            elif d is not None:
                parts.append(p(d.base.clauses[0].value))
            else:
                parts.append(f"{mangle(self.r.facets[name], 'd')}({self.params}, here, there, crossing)")
        return " + ".join(parts)

    def simple(self, name: str) -> c.Definition | None:
        """A facet that is one plain value, so that it can stand in the loop itself."""
        d = self.e.book.definitions[self.r.facets[name]]
        given = (*(x.name for x in self.r.params), *STEP)
        layer = d.base
        plain = not (layer.exceptions or layer.waivers or layer.lets or d.gathered or d.contributions)
        if not plain or tuple(x.name for x in d.params) != given:
            return None
        return d if len(layer.clauses) == 1 and layer.clauses[0].guard is None else None

    def enter_text(self) -> str:
        """The price of entering a place where nothing else about the step counts."""
        d = self.simple("enter")
        if d is not None:
            return self.e.printer()(d.base.clauses[0].value)
        given = [x if x in self.params_of("enter") else "None" for x in self.names]
        return f"{mangle(self.r.facets['enter'], 'd')}({', '.join(['S', *given])}, None, there, None)"

    def params_of(self, facet: str) -> set[str]:
        """The parameters of the route that a facet looks at."""
        d = self.e.book.definitions[self.r.facets[facet]]
        used = locals_of(tuple(definition_exprs(d)))
        return {name for name, x in zip(self.names, d.params, strict=False) if x.name in used}

    def enters_alone(self) -> bool:
        """Whether the price of entering looks at no more than the place entered."""
        d = self.e.book.definitions[self.r.facets["enter"]]
        exprs = tuple(definition_exprs(d))
        calls = any(x.op == "usual" for top in exprs for x in top.walk())
        return not calls and not locals_of(exprs) & {"here", "crossing"}

    def enters_only(self) -> bool:
        """Whether every step into a place costs the same."""
        return "leave" not in self.r.facets and "cross" not in self.r.facets and self.enters_alone()

    def two_ended(self) -> bool:
        """Whether prices look at more than the place entered."""
        return any(x in self.r.facets for x in ("leave", "cross")) or (
            "enter" in self.r.facets and not self.enters_alone()
        )

    def mover_values(self, facet: str, p: Hoist, plain: tuple[str, ...] = ()) -> frozenset[str] | None:
        """The values of the mover that a price looks at; None where it looks at the mover otherwise.

        Parameters that are plain values themselves count as such.
        """
        if p.off:
            return None
        d = self.e.book.definitions[self.r.facets[facet]]
        if tuple(x.name for x in d.params[: len(self.r.params)]) != tuple(x.name for x in self.r.params):
            return None  # taken over from a route that calls its mover by another name
        exprs = tuple(definition_exprs(d))
        params = {x.name for x in self.r.params}
        found: set[str] = set()
        stack = list(exprs)
        while stack:
            x = stack.pop()
            if x.op == "suppose" or (
                x.op != "const" and x.op != "local" and isinstance(x.info, str) and x.info in params
            ):
                return None
            if p.lifts(x):
                found.add(p(x))
            elif x.op == "local" and x.info in params and mangle(str(x.info)) in plain:
                found.add(mangle(str(x.info)))
            elif x.op == "local" and x.info in params:
                return None
            else:
                stack += x.args
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


def fixed_prices(e: Module, r: c.Route) -> bool:
    """Whether nothing that happens in play changes what a step costs."""
    facets = [r.facets[x] for x in ("leave", "cross", "enter") if x in r.facets]
    return not any(e.depends.named("define", x) - {"unit_side"} for x in facets)
