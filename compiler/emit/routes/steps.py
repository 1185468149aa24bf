"""Emit single steps of a route, for paths that somebody else drew.

In:  a route of the core.
Out: the functions that price a step, bar it, or end a path with it; and what the other functions of the route share.
"""

from __future__ import annotations

from ...analyse.inline import plain_value
from ...core import nodes as c
from ..bans import refusal
from ..expressions import mangle
from ..module import Module
from ..traced import telling
from .parts import Kept


class OneStep:
    """A route, and one step of it."""

    def __init__(self, e: Module, r: c.Route) -> None:
        self.e = e
        self.r = r
        self.names = [mangle(x.name) for x in r.params]
        self.plain = tuple(mangle(x.name) for x in r.params if x.type.sort in ("kind", "scale"))
        self.movers = frozenset(self.names) - frozenset(self.plain)
        self.params = ", ".join(["S", *self.names])
        self.args = ", ".join(self.names)
        self.base = mangle(r.name, "r")
        self.title = e.title(r.case)
        self.facet = {k: f"{mangle(v, 'd')}({self.params})" for k, v in r.facets.items()}
        self.starts = self.facet.get("from", "HEXES")
        self.goals = self.facet.get("to")
        self.needs = [x for x in r.rules if x.sort == "require"]
        self.goal_set = f"frozenset({self.goals})"
        kept = plain_value(e.book.definitions[r.facets["to"]]) if "to" in r.facets and not e.traced else None
        if kept is not None and kept.op == "call" and str(kept.info) in e.constants.kept:
            e.constants.looked_up.add(str(kept.info))
            self.goal_set = f"{mangle(str(kept.info), 'd')}__members({e.printer().args(kept)})"
        self.hoisted: dict[str, str] = {}
        self.sets: dict[str, str] = {}
        self.alike: tuple[str, ...] | None = None
        self.kept: list[Kept] = []

    def step(self) -> None:
        """The price of a single step, for paths that somebody else drew."""
        r = self.r
        f = self.e.function(
            f"{self.base}_step",
            f"{self.params}, here, there",
            f"{self.title}: the price of a step, or None where it is barred.",
        )
        p = self.e.printer()
        f.lines.append("crossing = (here, there) if here < there else (there, here)")
        if r.over_test is not None:
            f.lines.append(self.e.at(f"if not {p(r.over_test)}:", r.case, r.span, f"route {r.name}"))
            f.lines.append("    return None")
        for rule in r.rules:
            if rule.sort == "forbid":
                f.lines.append(self.e.at(f"if {refusal(rule, p)}:", rule.case, rule.span, rule.id))
                f.lines.append("    return None")
        f.lines.append("return " + (" + ".join(self.price_calls()) or "0"))

    def price_calls(self) -> list[str]:
        given = f"{self.params}, here, there, crossing"
        return [f"{mangle(self.r.facets[x], 'd')}({given})" for x in ("leave", "cross", "enter") if x in self.r.facets]

    def stops(self) -> None:
        found = [x for x in self.r.rules if x.sort == "stop"]
        if not found:
            return
        f = self.e.function(
            f"{self.base}_stops",
            f"{self.params}, here, there",
            f"{self.title}: whether a path must end on entering.",
        )
        p = self.e.printer()
        f.lines.append("crossing = (here, there) if here < there else (there, here)")
        for rule in found:
            f.lines.append(self.e.at(f"if {refusal(rule, p)}:", rule.case, rule.span, rule.id))
            f.lines.append("    return True")
        f.lines.append("return False")

    def step_call(self) -> str:
        return f"lambda here, there: {self.base}_step({self.params}, here, there)"

    def stops_call(self) -> str:
        if not any(x.sort == "stop" for x in self.r.rules):
            return "None"
        return f"lambda here, there: {self.base}_stops({self.params}, here, there)"

    def one_start(self) -> str | None:
        """The place where a path begins, where that is one and plain to see."""
        value = plain_value(self.e.book.definitions[self.r.facets["from"]]) if "from" in self.r.facets else None
        if value is None or value.op != "setlit" or len(value.args) != 1:
            return None
        return self.e.printer()(value.args[0])

    def quick(self) -> bool:
        """Whether the first goal reached settles that there is a path."""
        return self.goals is not None and not self.needs

    def tell(self, answer: str) -> str:
        """What the traced twin says of the route as a whole."""
        return telling(self.r.name, self.names, repr(self.r.case), answer)

    def at_route(self, line: str) -> str:
        return self.e.at(line, self.r.case, self.r.span, f"route {self.r.name}")
