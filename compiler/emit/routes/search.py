"""Emit the search of a route, with its own prices, bars and stops in the loops.

In:  a route of the core.
Out: the function that finds every place in reach, and the one that ends at the first goal.

What bars a step is sorted by what it looks at: nothing of the step (asked once a search), the place it leaves
(once a place), the place it enters, or both. Where prices and bars that look at both ends rest on values of the mover
only, the steps out of a place are kept as well, the cheapest first.
"""

from __future__ import annotations

from dataclasses import replace

from .backwards import Backwards
from .kernels import Kernel, is_large
from .mover import Hoist
from .parts import Atom, Kept, Search
from .prices import fixed_prices, price_bounds

DEAREST = 1000
"""Whole prices up to this one go through buckets by cost, others through a heap."""


class Searching(Backwards):
    """The search from the mover."""

    def search(self) -> None:
        """The search for every place in reach, and the one that ends at the first goal."""
        model = self.model()
        self.keep_functions()
        f = self.e.function(
            f"{self.base}_search",
            f"{self.params}, starts, goals=()",
            f"{self.title}: the cheapest way into every place in reach; with goals, no farther than the nearest.",
        )
        fast = self.kernel(model)
        if fast:
            f.lines += [
                "if FAST.on and not goals:",
                f"    reach = {self.base}_fast({self.params}, starts)",
                "    if reach is not None:",
                "        return reach",
            ]
        f.lines += self.render(model)
        if self.quick():
            counts = self.alike_by_values(model)
            f = self.e.function(
                f"{self.base}_found",
                f"{self.params}, starts, goals",
                f"{self.title}: whether a goal is in reach{', told by how many places were seen' if counts else ''}.",
            )
            f.lines += self.render(replace(model, found=True, counts=counts, flood=model.budget is None))
            if counts:
                self.backwards(model, fast)

    def model(self) -> Search:
        r, e = self.r, self.e
        found = Search(table=e.constants.links(r.layers), budget=self.facet.get("budget"), jumps=self.facet.get("jump"))
        bars = list(self.atoms("forbid"))
        stops = list(self.atoms("stop"))
        p = Hoist(e, self)
        limits = price_bounds(e.book, r)
        found.whole = limits is not None and limits.whole and limits.low >= 0 and limits.high <= DEAREST
        found.rising = found.whole and limits is not None and limits.low >= 1
        found.steady = found.rising and self.enters_only()
        found.cheapest = int(limits.low) if found.rising and limits is not None and not e.traced else 0
        if found.steady and limits is not None and limits.low == limits.high:
            found.even = int(limits.low)
        found.limited = found.budget is not None and not e.book.definitions[r.facets["budget"]].type.absent
        if e.traced:
            found.stepping = [self.ask_once(x, p) for x in bars]
            found.stopping = [self.ask_once(x, p, found.whole) for x in stops]
            found.price = " + ".join(self.price_calls())
        else:
            found.never = [self.ask(x, p) for x in bars if not x.looks_at()]
            bars = self.ways(found, bars, p)
            found.leaving = self.by_place(bars, "here", "held", p)
            found.entering = self.by_place(bars, "there", "shut", p)
            found.stepping = [self.ask(x, p) for x in bars if len(x.looks_at()) > 1 or "crossing" in x.looks_at()]
            begun = "" if found.whole else "there not in begin and "
            found.stopping = [f"if {begun}{x}:" for x in self.by_place(stops, "there", "halt", p)]
            found.stopping += [self.ask(x, p, found.whole) for x in stops if x.looks_at() != {"there"}]
            found.price = "price" if found.ways else self.price(p)
            found.single = found.rising and all(x.looks_at() == {"there"} for x in stops)
        found.crossing = any("crossing" in x for x in (*found.stepping, *found.stopping, found.price))
        found.hoisted = [(name, text) for text, name in self.hoisted.items()]
        found.hoisted += [(name, text) for text, name in self.sets.items()]
        found.hoisted += [(k.name, f"{self.base}_{k.name}({', '.join(['S', *k.movers, *k.keys])})") for k in self.kept]
        return found

    def ways(self, found: Search, bars: list[Atom], p: Hoist) -> list[Atom]:
        """Keep the steps out of a place with their prices where the mover counts by its values only.

        Returns the bars that are left to be asked.
        """
        both = [x for x in bars if len(x.looks_at()) > 1 or "crossing" in x.looks_at()]
        needed = both or self.large or (self.two_ended() and not found.steady)
        if found.jumps or not needed:
            return bars
        values = [self.mover_values(name, p) for name in ("leave", "cross", "enter") if name in self.r.facets]
        keys = {k for atom in both for k in self.keys_of(atom, p)}
        if None in values or keys & set(self.names):
            return bars
        keys = keys.union(*(x for x in values if x is not None))
        fixed = [x for x in bars if x not in both and x.looks_at() and self.is_fixed(x, p, keys)]
        mine = [x for x in bars if x in both or x in fixed]
        price = " + ".join(self.price_calls()) or "0"
        movers = tuple(self.names) if values else ()
        self.kept.append(Kept("ways_1", tuple(sorted(keys)), mine, movers, price))
        found.ways = True
        return [x for x in bars if x not in mine]

    def kernel(self, model: Search) -> Kernel | None:
        """What the kernels need of a route whose prices never change, where it can be told."""
        p = Hoist(self.e, self)
        steps = next((k for k in self.kept if k.price), None)
        plain = self.large and model.single and model.limited and steps is not None and fixed_prices(self.e, self.r)
        if not plain or steps is None or model.never or model.leaving or model.stepping:
            return None
        if self.e.depends.of(x for atom in steps.atoms for x in p.rest(atom.exprs)):
            return None
        kernel = Kernel(self, p)
        return kernel if kernel.emit(model, steps) else None

    @property
    def large(self) -> bool:
        """Whether the map is one for kernels."""
        return is_large(self.e.book) and not self.e.traced
