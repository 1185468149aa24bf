"""The same values: definitions, memories, quotas, tables, routes, least sets and matchings, with sampled arguments."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from rulewright.compiler.core import nodes as c
from rulewright.compiler.core import types as t
from rulewright.compiler.examples.expressions import load_functions
from rulewright.compiler.interpret.matchings import Matching
from rulewright.compiler.interpret.routes import Route
from rulewright.compiler.interpret.world import World
from rulewright.dsl.source import NOWHERE
from rulewright.runtime.state import State

from .pair import BROKEN, Twins, outcome
from .samples import Chance, NoValue, any_value, type_of

FEW_PLANS = 100


def ask_both(twins: Twins, state: State, chance: Chance, times: int, where: str) -> None:
    """Definitions, memories and quotas; routes, matchings, tables and least sets; with sampled arguments."""
    one = State.from_plain(twins.plain, state.plain())
    names = list(twins.plain.values)
    for _ in range(times if names else 0):
        ask_definition(twins, one, chance.one(names), chance, where)
    ask_declared(twins, one, twins.oracle.at(state).W, chance, times // 2, where)


def ask_every(twins: Twins, state: State, chance: Chance, times: int, where: str) -> None:
    """Every definition so many times."""
    one = State.from_plain(twins.plain, state.plain())
    for name in twins.plain.values:
        for _ in range(times if twins.plain.values[name][1] else 1):
            ask_definition(twins, one, name, chance, where)


def ask_definition(twins: Twins, S: State, name: str, chance: Chance, where: str) -> None:
    fn, types, kind, _ = twins.plain.values[name]
    with suppress(NoValue):
        args = tuple(any_value(twins, S, x, chance) for x in types)
        theirs = outcome(twins.oracle.program.values[name][0], S, *args)
        same_value(twins, name, args, kind, outcome(fn, S, *args), theirs, where)


def same_value(twins: Twins, name: str, args: Any, kind: str, one: Any, two: Any, where: str) -> None:
    tally = twins.tally
    if "Unknown" in (one, two):
        tally.unknown += 1
        return
    if BROKEN in (one, two):
        tally.values["without a value"] += 1
        return
    tally.values["values"] += 1
    if kind.startswith("set:") and isinstance(one, tuple) and isinstance(two, tuple):
        one, two = sorted(one, key=repr), sorted(two, key=repr)
    if one != two:
        asked = repr(args)
        tally.differ(f"{where}: {name} is {one!r}, {two!r} of {asked}"[:4000])


def ask_declared(twins: Twins, S: State, W: World, chance: Chance, times: int, where: str) -> None:
    """What has no function of its own in a program's tables is printed and loaded as an example's lines are."""
    exprs = [e for _ in range(times) if (e := question(twins, S, chance)) is not None]
    lines = tuple(c.ExpectedConflict(e, span=NOWHERE) for e in exprs)
    if not lines:
        return
    example = c.Example(title="twins", case="", lines=lines, span=NOWHERE)
    functions = load_functions(twins.book, twins.plain, [example])[0]
    for i, e in enumerate(exprs):
        fn, shown = functions[i, 0, ""], f"{type(e).__name__} {e.name}"
        args = tuple(x.value for x in e.asked if isinstance(x, c.Const))
        match e:
            case c.Paths():
                same_paths(twins, e, args, outcome(fn, S), W, where)
            case c.Plans():
                same_plans(twins, S, e, args, outcome(fn, S), W, chance, where)
            case _:
                theirs = outcome(twins.oracle.ev.value, W, e, {})
                same_value(twins, shown, args, type_of(e.type), outcome(fn, S), theirs, where)


def question(twins: Twins, S: State, chance: Chance) -> Any:
    """Something that a book declares, asked with sampled arguments."""
    book = twins.book
    known: list[tuple[type, str, tuple[c.Param, ...], t.Type]] = []
    for r in book.routes.values():
        kinds = (c.PathEnds, c.Paths) if not r.legs else (c.PathEnds,)
        known += [(kind, r.name, r.params, t.set_of(t.PLACE)) for kind in kinds]
    for m in book.matchings.values():
        known += [(c.BlockedItems, m.name, m.params, m.items.type), (c.Plans, m.name, m.params, t.PLAN)]
        known.append((c.UncoveredTargets, m.name, m.params, m.targets.type))
    known += [(c.TableCell, x.name, x.params, x.type) for x in book.tables.values()]
    known += [(c.Grown, g.name, g.params, g.type) for g in book.grows.values()]
    for q in book.quotas.values():
        known += [(kind, q.name, q.definition.params, t.NUMBER) for kind in (c.QuotaLeft, c.QuotaSpent)]
    if not known:
        return None
    kind, name, params, of = chance.one(known)
    try:
        given = [any_value(twins, S, type_of(p.type), chance) for p in params]
    except NoValue:
        return None
    asked = tuple(c.Const(v, type=p.type, span=NOWHERE) for v, p in zip(given, params, strict=True))
    return kind(name, asked, type=of, span=NOWHERE)


def same_paths(twins: Twins, e: c.Paths, args: Any, paths: Any, W: World, where: str) -> None:
    """The same ends; every path listed keeps to the route, and costs what the cheapest path to that end does."""
    route = outcome(Route, twins.oracle.ev, W, e.name, args)
    mine = outcome(route.paths) if isinstance(route, Route) else route
    if BROKEN in (paths, mine) or not isinstance(route, Route) or not isinstance(paths, tuple):
        same_value(twins, f"Paths {e.name}", args, "", paths, mine, where)
        return
    known = [(path[-1], len(path) if {"length", "path"} & {*route.r.needs} else 0, route.cost(path)) for path in mine]
    theirs = [(path[-1], len(path) if {"length", "path"} & {*route.r.needs} else 0, route.cost(path)) for path in paths]
    twins.tally.values["paths"] += len(paths)
    same_value(twins, f"Paths {e.name}", args, "", theirs, known, where)
    if not all(route.accepts(path) for path in paths):
        twins.tally.differ(f"{where}: {e.name}{args} lists a path that it does not accept")


def same_plans(twins: Twins, S: State, e: c.Plans, args: Any, found: Any, W: World, chance: Chance, where: str) -> None:
    """The same plans where they are few; plans, and some a little off, are accepted alike."""
    mine = outcome(Matching, twins.oracle.ev, W, e.name, args)
    if not isinstance(mine, Matching):
        return
    there_is = loaded(twins, S, c.AnyOf(e, None, "plan", type=t.FLAG, span=NOWHERE))
    same_value(twins, f"any {e.name}", args, "", there_is, outcome(mine.any), where)
    if not isinstance(found, tuple) or not found:
        return
    if len(found) <= FEW_PLANS:
        same_value(twins, f"Plans {e.name}", args, "", found, outcome(mine.every), where)
    plan = chance.one(found)
    for one in (plan, plan[::-1], plan[1:], (*plan, *plan[:1])):
        twins.tally.values["plans"] += 1
        inside = c.IsIn(c.Const(one, type=t.PLAN, span=NOWHERE), e, type=t.FLAG, span=NOWHERE)
        if loaded(twins, S, inside) is not mine.accepts(one):
            twins.tally.differ(f"{where}: the plan {one} of {e.name}{args} is accepted by one of two")


def loaded(twins: Twins, S: State, e: c.Expr) -> Any:
    """What generated code says of an expression."""
    lines = (c.ExpectedConflict(e, span=NOWHERE),)
    example = c.Example(title="twins", case="", lines=lines, span=NOWHERE)
    return outcome(load_functions(twins.book, twins.plain, [example])[0][0, 0, ""], S)
