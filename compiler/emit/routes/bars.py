"""Build the tests that bar a step or end a path, as they stand in the loops of a search.

In:  the rules of a route, ground by ground.
Out: the tests of the search, sorted by what they read, and the functions that memoise results by place.

A test that reads one place alone is memoised by that place until a dependency changes, separately for each value of
the mover that it reads. A set that places are looked up in is computed once per search.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ...analyse.dependencies import ASKING
from ...analyse.step_columns import Placed, Steps
from ...core import nodes as c
from ...core.walk import local_names, rule_exprs
from ..bans import refusal
from ..expressions.arithmetic import conjuncts, is_fixed
from ..memo_dependencies import Rests
from ..model.expressions import (
    FALSE,
    TRUE,
    Attr,
    Call,
    Cited,
    Expr,
    Index,
    Lambda,
    Lst,
    Name,
    S,
    Tup,
    all_of,
    any_of,
    compare,
    every,
    method,
    names,
)
from ..model.statements import CONTINUE, Assign, Do, For, If, Param, Return, Stmt
from ..naming import HELPERS, mangle
from .mover import Hoist
from .parts import STEP, Atom, Kept, Test, alternatives, unfolded
from .prices import enter_price
from .way import Way, with_crossing

WHAT = {
    "held": "bars a step out of a place",
    "shut": "bars a step into a place",
    "halt": "ends a path in a place",
    "toll": "a step into a place costs",
}


def atoms(way: Way, sort: c.RuleSort) -> Iterator[Atom]:
    """The grounds of one sort, each by itself where a rule has several and no waiver speaks of them together."""
    r = way.r
    if sort == "forbid" and r.over_test is not None:
        test: c.Expr = c.Not(r.over_test, type=r.over_test.type, span=r.over_test.span)
        over = c.Rule(
            id=f"route {r.name}", sort=sort, label="", case=r.case, overlay="", test=test, guard=None, waivers=(),
            span=r.span,
        )  # fmt: skip
        yield Atom(over, (test,))
    for rule in r.rules:
        if rule.sort != sort:
            continue
        for test in alternatives(rule.test) if not rule.waivers else (rule.test,):
            one = replace(rule, test=test)
            yield Atom(one, tuple(rule_exprs(one)))


def ask(atom: Atom, p: Hoist, anywhere: bool = True) -> Test:
    """A ground as the condition that it holds; what begins a path may be exempt."""
    test = refusal(atom.rule, p.build)
    return (test if anywhere else all_of(NOT_BEGUN, test)), atom.at


NOT_BEGUN = compare(Name("there"), "not in", Name("begin"))


def ask_once(way: Way, atom: Atom, p: Hoist, anywhere: bool = True) -> Test:
    """The same for the traced twin: what a ground asks of one place is asked and told once a search."""
    asks = any(isinstance(x, ASKING) for top in atom.exprs for x in top.walk())
    if not asks or atom.looks_at() not in ({"here"}, {"there"}):
        return ask(atom, p, anywhere)
    (side,) = atom.looks_at()
    word = f"{'shut' if atom.rule.sort == 'forbid' else 'halt'}_{len(way.sets) + 1}"
    name = way.sets.use(Call(HELPERS["ByPlace"], (Lambda((side,), refusal(atom.rule, p.build)),)), word)
    test: Expr = Index(Name(name), Name(side))
    return (test if anywhere else all_of(NOT_BEGUN, test)), atom.at


def by_place(way: Way, found: list[Atom], side: str, word: str, p: Hoist) -> list[Expr]:
    """The grounds that look at one end of a step only, gathered by the values of the mover that they look at."""
    mine = [x for x in found if x.looks_at() == {side}]
    groups: dict[frozenset[str], list[Atom]] = {}
    within: dict[str, Expr] = {}
    for atom in mine:
        inside = members(way, atom, side, p)
        if inside is None:
            groups.setdefault(keys_of(atom, p), []).append(atom)
        else:
            name = way.sets.use(inside, f"within_{len(way.sets) + 1}")
            within.setdefault(name, Cited(compare(Name(side), "in", Name(name)), atom.at))
    for small in sorted(groups, key=lambda k: (len(k), sorted(k))):
        wider = [k for k in groups if small < k and len(k) == 1 and not k & set(way.names)]
        if not small and wider:
            groups[min(wider, key=sorted)] += groups.pop(small)
    made: list[Expr] = []
    for keys in sorted(groups, key=lambda k: (len(k), sorted(k))):
        kept = Kept(f"{word}_{len(made) + 1}", tuple(sorted(keys)), groups[keys])
        way.kept.append(kept)
        first = only_where(way, kept.atoms, side, p)
        kept.guard = way.sets.value(first[0]) if len(first) == 1 else TRUE if first else None
        held: Expr = Index(Name(kept.name), Name(side))
        for atom in kept.atoms:
            held = Cited(held, atom.at)
        made.append(all_of(any_of(*first), held) if first else held)
    return [*within.values(), *made]


def only_where(way: Way, found: list[Atom], side: str, p: Hoist) -> list[Expr]:
    """What must hold of a place for any of some grounds to hold, where that is one look: units, or a printed flag."""
    looks: dict[Expr, None] = {}
    for atom in found if way.ctx.folded else ():
        one = next(
            (x for part in conjuncts(atom.rule.test) for x in [one_look(way, part, side, p)] if x is not None), None
        )
        if one is None:
            return []
        looks[one] = None
    return list(looks) if len(looks) <= 2 else []


def one_look(way: Way, e: c.Expr, side: str, p: Hoist) -> Expr | None:
    said = p.build.asks.folded(e)
    if said is not None:
        return next((x for part in conjuncts(said) for x in [one_look(way, part, side, p)] if x is not None), None)
    match e:
        case c.AnyOf(c.BuiltinCall("units_at", (c.Local(name), *_))) if name == side:
            return Index(Name(way.sets.use(Attr(S, "here"), f"within_{len(way.sets) + 1}")), Name(side))
        case c.FieldOf(c.Local(name), ("place", _)) if name == side and e.type.name == "flag":
            return p(e)
        case _:
            return None


def members(way: Way, atom: Atom, side: str, p: Hoist) -> Expr | None:
    """The kept set that a place must not lie in, where that is all that a ground asks."""
    rule = atom.rule
    if rule.waivers or rule.guard is not None:
        return None
    e = unfolded(way.ctx.book, rule.test)
    match e:
        case c.IsIn(c.Local(name), c.Call(kept) as many) if name == side and kept in way.ctx.kept_sets:
            return p.build.asks.members(many) if side not in local_names(many) else None
        case _:
            return None


def keys_of(atom: Atom, p: Hoist) -> frozenset[str]:
    """What of the mover an answer depends on: its parameters or single values of them."""
    p.used = set()
    refusal(atom.rule, p.build)
    return frozenset(p.used)


def stays(way: Way, atom: Atom, p: Hoist, keys: set[str]) -> bool:
    """Whether a ground never changes and looks at no more of the mover than some values."""
    known = {*STEP, *(x.name for x in way.r.params)}
    return all(is_fixed(x, known, way.ctx.book) for x in atom.exprs) and keys_of(atom, p) <= keys


# ---------------------------------------------------------------- answers kept by place


def keep_functions(way: Way) -> None:
    """For each group of grounds about one place: the answers kept, and the function that finds them."""
    for kept in way.kept:
        if kept.price is not None:
            keep_ways(way, kept)
            continue
        side = "here" if kept.name.startswith("held") else "there"
        p = Hoist(way)
        f = way.keyed(f"{kept.name}_at", kept.keys, f"what {WHAT[kept.name.split('_')[0]]}.", Param(side, way.place))
        if kept.atoms:
            for atom in kept.atoms:
                test, at = ask(atom, p)
                f.body.append(If(test, (Return(TRUE),), (), at))
            f.body.append(Return(FALSE))
            exprs = tuple(x for atom in kept.atoms for x in atom.exprs)
            rests = Rests(exprs=tuple(x for atom in kept.atoms for x in p.rest(atom.exprs)))
        else:
            f.body.append(Return(enter_price(way)))
            exprs = (facet_call(way, "enter"),)
            rests = Rests(("define", way.r.facets["enter"]))
        whole = way.keyed(kept.name, kept.keys, "the same for every place, kept.")
        whole.body += kept_by_place(way, kept, rests, f.ref, exprs, (side,))


def facet_call(way: Way, facet: str) -> c.Expr:
    """A price as the core asks for it."""
    r, d = way.r, way.ctx.book.definitions[way.r.facets[facet]]
    known = (*(x.name for x in r.params), *STEP)
    given = tuple(c.Local(name, type=x.type, span=r.span) for name, x in zip(known, d.params, strict=False))
    return c.Call(d.name, given, type=d.type, span=r.span)


def kept_by_place(
    way: Way, kept: Kept, rests: Rests, ask_one: Expr, exprs: tuple[c.Expr, ...], ends: tuple[str, ...]
) -> list[Stmt]:
    """Answers about places, found when they are first looked up and kept apart by values of the mover.

    What `exprs` read at an `end` of a step, and the sets that places are looked for in, tell which answers a change
    of the state touches.
    """
    ctx, p = way.ctx, Hoist(way)
    look = Steps(ctx.depends, "place", kept_sets=ctx.kept_sets, lifted=p.lifts)
    placed = look.placed(way.r, ends, exprs)
    if not all(told_by(e, p, set(kept.keys)) for e in placed.sets):
        placed = Placed()
    key, given = Tup(names(*kept.keys)), Tup((S, *names(*kept.params)))
    slot = ctx.slot(f"{way.base.id}_{kept.name}", replace(rests, placed=placed.by))
    more: list[tuple[str, Expr]] = []
    if placed.sets:
        more.append(("sets", Tup(tuple(p.build.asks.members(x) for x in placed.sets))))
    if len(ends) > 1 and placed.by:
        more.append(("table", ctx.fixed.links(way.r.layers)))
    if kept.guard is not None and placed.by:
        more.append(("guard", kept.guard))
    return [Return(Call(HELPERS["place_answers"], (S, slot, key, ask_one, given), tuple(more)))]


def told_by(e: c.Expr, p: Hoist, keys: set[str]) -> bool:
    """Whether nothing but the values that answers are kept by tells a set."""
    lifted = p.lifts(e)
    if lifted is not None:
        return mangle(lifted, "the") in keys
    if isinstance(e, c.Local):
        return p.ctx.local(e.name) in keys
    return all(told_by(x, p, keys) for x in e.args)


def kept_once(way: Way, word: str, keys: tuple[str, ...], made: Expr, rests: Rests) -> list[Stmt]:
    """A value that is made when it is first asked for, kept apart for some values of the mover."""
    memo, key = Name("memo"), Name("key")
    slot = way.ctx.slot(f"{way.base.id}_{word}", rests)
    return [
        Assign((memo,), Index(Attr(S, "memo"), slot)),
        Assign((key,), Tup(names(*keys))),
        If(compare(key, "not in", memo), (Assign((Index(memo, key),), made),)),
        Return(Index(memo, key)),
    ]


def keep_ways(way: Way, kept: Kept) -> None:
    """The steps out of a place, the cheapest first, kept by place."""
    ctx, r, p = way.ctx, way.r, Hoist(way)
    assert kept.price is not None
    here, there, word = ("here", "there", "out of") if kept.name.startswith("ways") else ("there", "here", "into")
    keys = kept.params
    f = way.keyed(f"{kept.name}_at", keys, f"the steps {word} a place with their prices.", Param(here, way.place))
    body: list[Stmt] = []
    for atom in kept.atoms:
        test, at = ask(atom, p)
        body.append(If(test, (CONTINUE,), (), at))
    found = Name("found")
    body.append(Do(method(found, "append", Tup((kept.price, Name(there))))))
    over = Index(ctx.fixed.links(r.layers), Name(here))
    f.body += [
        Assign((found,), Lst(())),
        For(Name(there), over, with_crossing(tuple(body))),
        Return(every("sorted", found)),
    ]
    whole = way.keyed(kept.name, keys, "the same for every place, kept.")
    calls = tuple(facet_call(way, x) for x in ("leave", "cross", "enter") if x in r.facets)
    rests = Rests(exprs=tuple(x for atom in kept.atoms for x in p.rest(atom.exprs)) + calls)
    exprs = tuple(x for atom in kept.atoms for x in atom.exprs) + calls
    whole.body += kept_by_place(way, kept, rests, f.ref, exprs, ("here", "there"))
