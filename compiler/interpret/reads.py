"""Which names of phases a condition can come to ask about.

In:  a trigger that waits for a condition.
Out: the bound names that the condition reads, directly or through what it asks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..core import nodes as c
from ..core.walk import definition_exprs, rule_exprs, waiver_exprs


def bindings_of(book: c.Book, trigger: c.Trigger) -> tuple[str, ...]:
    """The names bound by phases that a trigger's condition can look at."""
    todo = [x for w in trigger.waivers for x in waiver_exprs(w)]
    todo += [trigger.guard] if trigger.guard is not None else []
    seen: set[tuple[str, str]] = set()
    found: set[str] = set()
    while todo:
        for e in todo.pop().walk():
            if isinstance(e, c.Bound):
                found.add(e.name)
            for sort, name in named(e):
                if (sort, name) not in seen:
                    seen.add((sort, name))
                    todo += exprs_of(book, sort, name)
    return tuple(sorted(found))


def named(e: c.Expr) -> Iterator[tuple[str, str]]:
    """What an expression asks by name, but for what is remembered: that is a value of its own."""
    match e:
        case c.Call(name=name) | c.QuotaCap(name=name) | c.QuotaLeft(name=name) | c.QuotaSpent(name=name):
            yield "define", name
        case c.Paths(name=name) | c.PathEnds(name=name) | c.ShortestPaths(name=name) | c.PathCost(name=name):
            yield "route", name
        case c.Plans(name=name) | c.BlockedItems(name=name) | c.UncoveredTargets(name=name):
            yield "matching", name
        case c.Grown(name=name):
            yield "grow", name
        case _:
            return


def exprs_of(book: c.Book, sort: str, name: str) -> list[c.Expr]:
    match sort:
        case "define":
            return list(definition_exprs(book.definitions[name]))
        case "route":
            return list(route_exprs(book, book.routes[name]))
        case "matching":
            m = book.matchings[name]
            found = [m.items, m.targets, *(x for x in (m.idle, m.empty) if x is not None)]
            return [*found, *of_rules(m.rules)]
        case _:
            g = book.grows[name]
            return [g.domain, g.test]


def route_exprs(book: c.Book, r: c.Route) -> Iterator[c.Expr]:
    yield from of_rules(r.rules)
    if r.over_test is not None:
        yield r.over_test
    for facet in r.facets.values():
        yield from definition_exprs(book.definitions[facet])
    for leg in r.legs:
        yield from leg.args
        yield from route_exprs(book, book.routes[leg.route])


def of_rules(rules: Iterable[c.Rule]) -> Iterator[c.Expr]:
    return (x for rule in rules for x in rule_exprs(rule))
