"""Build what is asked of a route: its paths, their ends and costs.

In:  a route whose search is built.
Out: functions over the search; results are memoised until a dependency changes.
"""

from __future__ import annotations

from ..answers import BEGIN, Key, memoised
from ..expressions.build import Expressions
from ..memo_dependencies import Rests
from ..model.expressions import (
    NONE,
    ONE,
    TRUE,
    ZERO,
    Attr,
    Call,
    Comp,
    Cond,
    Expr,
    Index,
    Lambda,
    Lit,
    Loop,
    Name,
    Neg,
    S,
    Star,
    Tup,
    all_of,
    any_of,
    compare,
    every,
    length,
    names,
)
from ..model.statements import Assign, Give, Hint, If, Param, Return, Stmt
from ..naming import HELPERS
from ..sets import refused
from .kernels import FAST_ON
from .search import REACH as REACH_HINT
from .way import Way

P, PATH, REACH, GOALS, LEAST = (Name(x) for x in ("p", "path", "reach", "goals", "least"))
LAST = Index(PATH, Neg(ONE))
COST = Attr(REACH, "cost")
PATHS, PLACES = Hint("tuple"), Hint("tuple")


def answers(way: Way) -> None:
    """Paths, ends and costs."""
    name = way.r.name
    searched(way, "reach", "every place in reach, with the cheapest way in", "search", REACH_HINT)
    if way.quick():
        assert way.goals is not None
        searched(way, "nearest", "no farther than the nearest ends", "search", REACH_HINT, way.goals)
    path = Param("path", PATHS)
    f = way.function("fits", "what is required of a whole path.", Hint("bool"), path)
    build = Expressions(way.ctx)
    f.body += [refused(rule, build) for rule in way.needs]
    f.body.append(Return(TRUE))
    paths(way)
    any_path(way)
    ends(way)
    shortest(way)
    f = way.function("cost", f"what a path of {name} costs.", None, path)
    known = all_of(PATH, compare(LAST, "in", COST), compare(Call(HELPERS["path_to"], (REACH, LAST)), "==", PATH))
    f.body += [
        Assign((REACH,), way.call("nearest" if way.quick() else "reach")),
        If(known, (Return(Index(COST, LAST)),)),
        Return(Call(HELPERS["price_of"], (PATH, way.step_call()))),
    ]
    f = way.function("accepts", f"whether a given path keeps to {name}.", Hint("bool"), path)
    tests: list[Expr] = [Call(HELPERS["follows"], (PATH, *walk_args(way))), way.call("fits", PATH)]
    if way.goals is not None:
        tests.append(compare(LAST, "in", way.goals))
    f.body.append(Return(all_of(*tests)))
    f = way.function("roam", f"the walks of {name}, wherever they end, fewer steps first.", None)
    f.body.append(Return(Call(HELPERS["roam"], walk_args(way))))


def kept(way: Way, word: str, doc: str, value: Expr, returns: Hint) -> None:
    """A memoised function; the traced twin also keeps what it asked."""
    f = way.function(word, f"{doc}.", returns)
    key, rests = Key(way.names), Rests(("route", way.r.name))
    if not way.ctx.traced:
        f.body += memoised(way.ctx, f.name, key, value, rests, way.at)
        return
    trace, above, answer = Attr(S, "trace"), Name("above"), Name("value")
    known = Call(HELPERS["tell_all"], (S, trace, Star(key.entry)))
    told = Call(HELPERS["tell_all"], (S, above, value, trace))
    f.body += [
        *key.look_up(way.ctx.slot(f.name, rests)),
        If(key.known, (Return(Index(known, ZERO)),)),
        BEGIN,
        Assign((answer, key.entry), told, way.at),
        Return(Index(answer, ZERO)),
    ]


def searched(way: Way, word: str, doc: str, search: str, returns: Hint, *goals: Expr) -> None:
    """What a search finds, kept until what it is about may have changed; then it is made anew where that is so.

    All that the search takes from the state stands in variables before its loops: where they have the same values, it
    finds the same. A kernel asks nothing of single places, so that no change of an answer shows what it saw;
    and where searches are seldom made again, nothing is looked up.
    """
    ctx, made = way.ctx, way.made
    value = way.call(search, way.starts, *goals)
    if ctx.traced or made is None or "at" in ctx.depends.of(made.rest):
        kept(way, word, doc, value, returns)
        return
    f = way.function(word, f"{doc}.", returns)
    rests = Rests(exprs=made.rest)
    hoisted = [(name, x) for name, x in made.hoisted if x != Attr(S, "here")]
    places = {k.name for k in way.kept}
    seen: list[Expr] = [Attr(Name(name), "stamp") if name in places else Name(name) for name, _ in hoisted]
    if made.budget is not None:
        hoisted.append(("limit", made.budget))
        seen.append(Name("limit"))
    if "from" in way.r.facets:
        seen.append(Name("starts"))
    for x in goals:
        hoisted.append(("goals", x))
        seen.append(Name("goals"))
    if made.rest:
        seen += names(*way.names)
    starts: Expr = Name("starts") if "from" in way.r.facets else way.starts
    given = Tup((*way.given, starts, *(Name("goals") for _ in goals)))
    slot = ctx.slot(f"{f.name}_by_value", rests)
    key = Key(way.names)
    found = (Assign((Name("value"), key.entry), value, way.at), Return(Name("value")))
    f.body += [
        *key.look_up(ctx.slot(f.name, Rests(("route", way.r.name)))),
        If(key.known, (Return(key.entry),)),
        If(any_of(*((FAST_ON,) if way.fast else ()), compare(slot, "in", Attr(S, "seldom"))), found),
        *from_nowhere(way, found),
        *(Assign((Name(name),), x) for name, x in hoisted),
        Assign(
            (Name("value"), key.entry),
            Call(HELPERS["recalled"], (S, slot, Tup(tuple(seen)), way.ref(search), given)),
            way.at,
        ),
        Return(Name("value")),
    ]


def from_nowhere(way: Way, found: tuple[Stmt, ...]) -> list[Stmt]:
    """What is off the map goes nowhere, before anything is asked of the place where it would stand."""
    if "from" not in way.r.facets:
        return []
    starts = Name("starts")
    return [Assign((starts,), way.starts), If(compare(starts, "==", Tup((Lit(None),))), found)]


def walk_args(way: Way) -> tuple[Expr, ...]:
    """What the walks of the runtime ask for: where to begin, what joins places, how far, and a step at a time.

    How far and over which jumps is asked only where a walk begins: it may be about the place where it does.
    """
    table = way.ctx.fixed.links(way.r.layers)
    budget, jumps = (Lambda((), way.facet[x]) if x in way.facet else NONE for x in ("budget", "jump"))
    return (way.starts, table, budget, way.step_call(), way.stops_call(), jumps)


def paths(way: Way) -> None:
    f = way.function("", f"the paths of {way.r.name}, one to each end.", PATHS)
    check: list[Expr] = [way.call("fits", P)]
    if way.goals is not None:
        f.body.append(Assign((GOALS,), every("frozenset", way.goals)))
        check.append(compare(Index(P, Neg(ONE)), "in", GOALS))
    else:
        check.append(compare(length(P), ">", ONE))
    if "length" in way.r.needs or "path" in way.r.needs:
        every_walk = Call(HELPERS["each"], (S, Call(HELPERS["walks"], walk_args(way))))
        f.body.append(Return(Call(HELPERS["one_each"], (Comp(P, (Loop(P, every_walk, (all_of(*check),)),), "[]"),))))
    elif "start" in way.r.needs:
        run = Lambda(("start",), way.call("search", Tup((Name("start"),))))
        f.body.append(Return(Call(HELPERS["from_each"], (way.starts, run, Lambda(("p",), all_of(*check))))))
    else:
        f.body.append(Assign((REACH,), way.call("reach")))
        last = Index(Attr(REACH, "last"), P)
        inside = compare(P, "in", GOALS) if way.goals is not None else compare(last, ">=", ZERO)
        found = Comp(Call(HELPERS["path_to"], (REACH, P)), (Loop(P, every("sorted", COST), (inside,)),))
        f.body.append(Return(every("tuple", Comp(P, (Loop(P, found, (check[0],)),)) if way.needs else found)))


def any_path(way: Way) -> None:
    if way.alike is not None:
        return
    doc = f"whether {way.r.name} has any path"
    if not way.quick():
        f = way.function("any", f"{doc}.", Hint("bool"))
        f.body.append(Return(every("bool", Call(way.base, way.given))))
        return
    value = way.call("found", way.starts, way.goal_set)
    if way.ctx.traced:
        f = way.function("any", f"{doc}.", Hint("bool"))
        f.body += [BEGIN, *way.telling().told(Give(value, Lit(way.r.case), way.at))]
    else:
        searched(way, "any", doc, "found", Hint("bool"), way.goal_set)


def ends(way: Way) -> None:
    doc = f"where {way.r.name} can end"
    if "length" in way.r.needs or "path" in way.r.needs or way.needs:
        last = Comp(Index(P, Neg(ONE)), (Loop(P, Call(way.base, way.given)),))
        kept(way, "ends", doc, Call(HELPERS["unique"], (last,)), PLACES)
    else:
        inside = way.goal_set if way.goals is not None else NONE
        kept(way, "ends", doc, Call(HELPERS["ends_of"], (way.call("reach"), inside)), PLACES)


def shortest(way: Way) -> None:
    f = way.function("shortest", f"the paths of {way.r.name} of the least cost.", PATHS)
    lowest = HELPERS["lowest"]
    if way.quick():
        assert way.goals is not None
        found, cost = Name("ends"), Index(COST, P)
        inside = Comp(P, (Loop(P, every("frozenset", way.goals), (compare(P, "in", COST),)),))
        least = Call(lowest, (Comp(cost, (Loop(P, found),)),))
        path = Call(HELPERS["path_to"], (REACH, P))
        f.body += [
            Assign((REACH,), way.call("nearest")),
            Assign((found,), every("sorted", inside)),
            Assign((LEAST,), Cond(found, least, ZERO)),
            Return(every("tuple", Comp(path, (Loop(P, found, (compare(cost, "==", LEAST),)),)))),
        ]
        return
    ways, x = Name("ways"), Name("x")
    cost = Index(x, ZERO)
    priced = Comp(Tup((way.call("cost", P), P)), (Loop(P, Call(way.base, way.given)),), "[]")
    f.body += [
        Assign((ways,), priced),
        Assign((LEAST,), Cond(ways, Call(lowest, (Comp(cost, (Loop(x, ways),)),)), ZERO)),
        Return(every("tuple", Comp(Index(x, ONE), (Loop(x, ways, (compare(cost, "==", LEAST),)),)))),
    ]
