"""Build the search of a route, with its own prices, bars and stops in the loops.

In:  a route of the core.
Out: the function that finds every place in reach, and the one that ends at the first goal.

Tests that bar a step are sorted by what they read: nothing of the step (evaluated once per search), the place it
leaves (once per place), the place it enters, or both. Where prices and bars that read both ends depend on values of the
mover only, the steps out of a place are memoised as well, the cheapest first.
"""

from __future__ import annotations

from dataclasses import replace

from ...core import nodes as c
from ..model.expressions import NONE, Call, Name, S, Tup, all_of, compare, names, negated, plus
from ..model.statements import Assign, Hint, If, Param, Return
from ..naming import HELPERS
from .backwards import alike_by_values, search_for_all
from .bars import NOT_BEGUN, ask, ask_once, atoms, by_place, facet_call, keep_functions, keys_of, stays
from .kernels import FAST_ON, Kernel, is_large
from .loops import Loops
from .mover import Hoist
from .parts import Atom, Kept, Search
from .prices import enters_only, fixed_prices, mover_values, price, price_bounds, two_ended
from .way import Way

DEAREST = 1000
"""Integer prices up to this one use buckets by cost, others a heap."""
REACH = Hint("Reach", ((HELPERS["Reach"].module, "Reach"),))


def search(way: Way) -> None:
    """The search for every place in reach, and the one that ends at the first goal."""
    made = way.made = model(way)
    keep_functions(way)
    places = Hint("tuple")
    doc = "the cheapest way into every place in reach; with goals, no farther than the nearest."
    f = way.function("search", doc, REACH, Param("starts", places), Param("goals", places, Tup(())))
    fast = kernel(way, made)
    way.fast = fast is not None
    if fast is not None:
        reach = Name("reach")
        asked = Assign((reach,), way.call("fast", Name("starts")))
        found = If(compare(reach, "is not", NONE), (Return(reach),))
        f.body.append(If(all_of(FAST_ON, negated(Name("goals"))), (asked, found)))
        way.ctx.sink(f)
    f.body += Loops(made).body()
    if way.quick():
        counts = alike_by_values(way, made)
        doc = f"whether a goal is in reach{', told by how many places were seen' if counts else ''}."
        f = way.function("found", doc, None, Param("starts", places), Param("goals", places))
        f.body += Loops(replace(made, found=True, counts=counts, flood=made.budget is None)).body()
        if counts:
            search_for_all(way, made, fast)


def model(way: Way) -> Search:
    """What the search is made of."""
    r, ctx = way.r, way.ctx
    found = Search(table=ctx.fixed.links(r.layers), budget=way.facet.get("budget"), jumps=way.facet.get("jump"))
    bars = list(atoms(way, "forbid"))
    stops = list(atoms(way, "stop"))
    p = Hoist(way)
    limits = price_bounds(ctx.book, r)
    found.whole = limits is not None and limits.whole and limits.low >= 0 and limits.high <= DEAREST
    found.rising = found.whole and limits is not None and limits.low >= 1
    found.steady = found.rising and enters_only(way)
    found.cheapest = int(limits.low) if found.rising and limits is not None and not ctx.traced else 0
    if found.steady and limits is not None and limits.low == limits.high:
        found.even = int(limits.low)
    found.limited = found.budget is not None and not ctx.book.definitions[r.facets["budget"]].type.absent
    if ctx.traced:
        found.stepping = [ask_once(way, x, p) for x in bars]
        found.stopping = [ask_once(way, x, p, found.whole) for x in stops]
        calls = way.price_calls()
        found.price = plus(calls) if calls else None
    else:
        found.never = [ask(x, p) for x in bars if not x.looks_at()]
        bars = ways(way, found, bars, p)
        found.leaving = by_place(way, bars, "here", "held", p)
        found.entering = by_place(way, bars, "there", "shut", p)
        found.stepping = [ask(x, p) for x in bars if len(x.looks_at()) > 1 or "crossing" in x.looks_at()]
        halts = by_place(way, stops, "there", "halt", p)
        found.stopping = [(x if found.whole else all_of(NOT_BEGUN, x), None) for x in halts]
        found.stopping += [ask(x, p, found.whole) for x in stops if x.looks_at() != {"there"}]
        found.price = Name("price") if found.ways else price(way, p)
        found.single = found.rising and all(x.looks_at() == {"there"} for x in stops)
        asked = [x for x in bars if x.looks_at() not in ({"here"}, {"there"})]
        asked += [x for x in stops if x.looks_at() != {"there"}]
        found.rest = tuple(x for atom in asked for x in p.rest(atom.exprs)) + other_calls(way, found)
    found.hoisted = [*way.hoisted.rows(), *way.sets.rows()]
    for k in way.kept:
        found.hoisted.append((k.name, Call(way.ref(k.name), (S, *names(*k.params)))))
    return found


def other_calls(way: Way, found: Search) -> tuple[c.Expr, ...]:
    """The facets that the loops ask themselves."""
    kept = {"enter"} if any(k.name == "toll_1" for k in way.kept) else set()
    prices = () if found.ways else tuple(x for x in ("leave", "cross", "enter") if x in way.r.facets and x not in kept)
    return tuple(facet_call(way, x) for x in (*prices, *(("jump",) if found.jumps is not None else ())))


def ways(way: Way, found: Search, bars: list[Atom], p: Hoist) -> list[Atom]:
    """Keep the steps out of a place with their prices where the mover counts by its values only.

    A side or another word that the route is asked with is such a value.

    Returns the bars that are left to be asked.
    """
    both = [x for x in bars if len(x.looks_at()) > 1 or "crossing" in x.looks_at()]
    needed = both or large(way) or (two_ended(way) and not found.steady)
    if found.jumps is not None or not needed:
        return bars
    values = [mover_values(way, name, p, way.plain) for name in ("leave", "cross", "enter") if name in way.r.facets]
    keys = {k for atom in both for k in keys_of(atom, p)}
    if None in values or keys & way.movers:
        return bars
    keys = keys.union(*(x for x in values if x is not None))
    fixed = [x for x in bars if x not in both and x.looks_at() and stays(way, x, p, keys)]
    mine = [x for x in bars if x in both or x in fixed]
    movers = way.names if values else ()
    way.kept.append(Kept("ways_1", tuple(sorted(keys)), mine, movers, plus(way.price_calls())))
    found.ways = True
    return [x for x in bars if x not in mine]


def kernel(way: Way, made: Search) -> Kernel | None:
    """What the kernels need of a route whose prices never change, where it can be told."""
    p = Hoist(way)
    steps = next((k for k in way.kept if k.price is not None), None)
    plain = large(way) and made.single and made.limited and steps is not None and fixed_prices(way.ctx, way.r)
    if not plain or steps is None or made.never or made.leaving or made.stepping:
        return None
    if way.ctx.depends.of(x for atom in steps.atoms for x in p.rest(atom.exprs)):
        return None
    found = Kernel(way, p)
    return found if found.emit(made, steps) else None


def large(way: Way) -> bool:
    """Whether the map is one for kernels."""
    return is_large(way.ctx.book) and not way.ctx.traced
