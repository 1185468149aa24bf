"""Emit the search from the ends of a route, for all movers alike.

In:  the search of a route in which nothing but some values tells one mover from another.
Out: a search backwards from the ends, and the choice between it and one from the mover.
"""

from __future__ import annotations

from dataclasses import replace

from ..layout import templates
from ..memo_dependencies import Rests
from .bars import Bars
from .kernels import Kernel
from .mover import Hoist
from .parts import Search


class Backwards(Bars):
    """Whether there is any path, found for many movers at once."""

    def alike_by_values(self, model: Search) -> bool:
        """Whether nothing but some of their values tells one mover from another, so that one search can serve many.

        A side or another word that a route is asked with is such a value.
        """
        p = Hoist(self.e, self)
        plain = self.quick() and model.whole and not model.jumps and not self.e.traced
        atoms = [*self.atoms("forbid"), *self.atoms("stop")]
        if not plain or not self.movers or model.stepping or any(self.keys_of(x, p) & self.movers for x in atoms):
            return False
        if any(x.looks_at() != {"there"} for x in self.atoms("stop")):
            return False
        asked = [x for x in ("leave", "cross", "enter", "to", "budget") if x in self.r.facets]
        if not model.ways and not (model.price == "" or self.enters_only()):
            return False
        return all(self.mover_values(x, p, self.plain) is not None for x in asked)

    def backwards(self, model: Search, fast: Kernel | None) -> None:
        """The search from the ends, and the choice between it and one from the mover.

        Movers look for themselves until together they have seen an eighth as many places as there are.
        """
        self.alike = tuple(sorted(self.hoisted.values()))
        names = {name: text for text, name in self.hoisted.items()}
        hoisted = [(name, text) for name, text in model.hoisted if name not in names and name != "ways_1"]
        if model.ways:
            steps = replace(next(k for k in self.kept if k.price), name="back_1")
            self.keep_ways(steps)
            given = ", ".join(["S", *steps.movers, *steps.keys])
            hoisted.append((steps.name, f"{self.base}_{steps.name}({given})"))
        keys = ", ".join([self.params, *self.alike])
        f = self.e.function(
            f"{self.base}_back", keys, f"{self.title}: what it costs from every place to the nearest end in reach."
        )
        f.lines += self.render(replace(model, hoisted=hoisted, goals=self.goal_set), "back.py.j2")
        f = self.e.function(
            f"{self.base}_any",
            self.params,
            f"{self.title}: whether {self.r.name} has any path; found for all movers alike at once when several ask.",
        )
        name, slot = f"{self.base}_any", f"{self.base}_together"
        rests = Rests(("route", self.r.name))
        told = (*self.plain, *self.alike)
        key = told[0] if len(told) == 1 else f"({''.join(k + ', ' for k in told)})"
        index = self.e.slot(name, rests)
        start = self.one_start()
        inside = [f"return {start} in near" if start else f"return not near.isdisjoint({self.starts})"]
        if fast and start:
            inside = [f"place = {start}", "return place is not None and near[place] > 0"]
        elif fast:
            inside = [f"return any(near[p] > 0 for p in {self.starts} if p is not None)"]
        inside[-1] = self.at_route(inside[-1])
        f.lines += [f"{name} = {text}" for name, text in sorted(names.items())]
        f.lines += [
            f"near = S.memo[{index}].get({key})",
            "if near is None:",
            f"    return {slot}({keys})",
            *inside,
        ]
        back = f"{self.base}_back({keys}).keys()"
        patience = "len(HEXES)"
        if fast:
            fast.steps(steps, model.table)
            arrays = f"{self.base}_fast_back_1({given}), {self.base}_fast_flags({', '.join(['S', *fast.flagged])})"
            back = f"FAST.near({arrays}, {self.goal_set}, {model.budget}) if FAST.on else FAST.marked({back}, len({model.table}))"
            patience = "(FAST.patience if FAST.on else len(HEXES))"
        f = self.e.function(slot, keys, f"{self.title}: the same, for oneself or for all movers alike.")
        f.lines += [
            f"memo = S.memo[{self.e.slot(slot, rests)}]",
            f"key = {key}",
            f"if memo.get(key, 0) < {patience}:",
            self.at_route(f"    seen = {self.base}_found({self.params}, {self.starts}, {self.goal_set})"),
            "    memo[key] = memo.get(key, 0) + 8 * (seen if seen > 0 else -seen)",
            "    return seen > 0",
            f"near = S.memo[{index}][key] = {back}",
            *inside,
        ]

    def render(self, model: Search, template: str = "search.py.j2") -> list[str]:
        text = templates().get_template(template).render(s=model)
        return [line.rstrip() for line in text.split("\n") if line.strip()]
