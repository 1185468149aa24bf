"""Check termination: procedures that run one another in a circle, loops without a bound, growing sets that may shrink.

In:  the book in the core.
Out: nothing.
Reports: RW305 procedures that run one another in a circle, RW306 a bound that is no bound,
         RW307 a grow that asks for what it does not hold (not monotone), RW308 a grow that may do so.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import assert_never

from rulewright.dsl.diagnostics import Reporter

from ..analyse.dependencies import asked_by
from ..analyse.inline import is_heavy
from ..core import nodes as c
from ..core.types import PLACE, UNIT, Type
from ..core.walk import all_procedures, all_statements, definition_exprs, layer_exprs, waiver_exprs
from .checked_expressions import WHOLE, deep

MOST = 100_000
MOST_COMBINED = 100_000_000


def check_loops(book: c.Book, exprs: list[c.Expr], report: Reporter) -> None:
    """Report what could run for ever, or too long for play."""
    circles(book, report)
    bounds(book, exprs, report)
    towers(book, report)
    for grow in book.grows.values():
        found = Polarity(book, grow.name).of(grow.test)
        if "-" in found:
            report.error(
                "RW307",
                grow.test.span,
                f'"{grow.name}" grows by what it does not hold, so it may never settle',
                help="ask only whether something is in it: drop the not, no or every, or define the rest apart",
                case=grow.case,
            )
        elif "?" in found:
            report.warning(
                "RW308",
                grow.test.span,
                f'it cannot be told whether "{grow.name}" only grows',
                help="ask for its members with in or any, not through a number, a choice of clauses or an argument",
                case=grow.case,
            )


def circles(book: c.Book, report: Reporter) -> None:
    """Procedures may not run one another in a circle."""
    runs = {
        name: sorted({s.name for s in all_statements(p) if isinstance(s, c.Do)}) for name, p in book.procedures.items()
    }
    state: dict[str, int] = {}

    def visit(name: str, trail: list[str]) -> None:
        if state.get(name) == 2 or name not in runs:
            return
        if state.get(name) == 1:
            circle = [*trail[trail.index(name) :], name]
            p = book.procedures[name]
            report.error(
                "RW305",
                p.span,
                "these run one another in a circle: " + " → ".join(circle),
                help="write it as a loop: repeat at most NUMBER while CONDITION: …",
                case=p.case,
            )
            return
        state[name] = 1
        for other in runs[name]:
            visit(other, [*trail, name])
        state[name] = 2

    for name in runs:
        visit(name, [])


def bounds(book: c.Book, exprs: list[c.Expr], report: Reporter) -> None:
    for p in all_procedures(book):
        for s in all_statements(p):
            if not isinstance(s, c.Repeat):
                continue
            most = number(s.most)
            if most is not None and not 0 < most <= MOST:
                report.error(
                    "RW306",
                    s.most.span,
                    f"a loop of at most {most} rounds" + (" never runs" if most <= 0 else " has no real bound"),
                    help=f"bound it between 1 and {MOST:,}, or loop over a set: for each NAME in SET: …",
                    case=s.case,
                )
    for memory in book.memories.values():
        kept = math.prod(size(book, p.type) for p in memory.definition.params)
        if kept > MOST:
            report.error(
                "RW306",
                memory.span,
                f'"{memory.name}" would keep {kept:,} values',
                help=f"keep it below {MOST:,}: remember something of one thing, or of two that are few",
                case=memory.case,
            )
    for e in exprs:
        if deep(e) and combinations(book, e) > MOST_COMBINED:
            report.error(
                "RW306",
                e.span,
                f"this asks about {combinations(book, e):,} combinations",
                help="go through what is near or meant, not through everything within everything",
            )
        if isinstance(e, c.Range):
            low, high = number(e.low), number(e.high)
            if low is not None and high is not None and high - low >= MOST:
                report.error(
                    "RW306", e.span, f"a range of {high - low + 1} numbers is too long", help=f"keep it below {MOST:,}"
                )


def towers(book: c.Book, report: Reporter) -> None:
    """Definitions whose calls multiply: each asks the next twice or more, so the cost is exponential in the depth."""
    calls: dict[str, list[str]] = {}
    for name, d in book.definitions.items():
        inner = [e for top in definition_exprs(d) for e in top.walk()]
        looping = any(is_heavy(e) for e in inner)  # its results are memoised: it is asked once for each argument
        asked = (e.name for e in inner if isinstance(e, c.Call))
        calls[name] = [] if looping else [x for x in asked if x in book.definitions]
    weights: dict[str, int] = {}
    opened: set[str] = set()  # a circle, which is a finding of its own, is gone round once
    todo = list(calls)
    while todo:
        name = todo[-1]
        if name in opened:
            todo.pop()
            weights.setdefault(name, 1 + sum(weights.get(other, 1) for other in calls[name]))
        else:
            opened.add(name)
            todo += [other for other in calls[name] if other not in opened]
    for name in (n for n, weight in weights.items() if weight > MOST_COMBINED):
        d = book.definitions[name]
        report.error(
            "RW306",
            d.base.span,
            f'to know "{name}", other definitions are asked more than {MOST_COMBINED:,} times',
            help="let each definition ask another once: give what it asks a name with let",
            case=d.case,
        )
        return


def size(book: c.Book, type: Type) -> int:
    """How many values a type has; 1 where that is not known."""
    if type.sort == "kind":
        return len(book.kinds[type.name])
    return len({"unit": book.units, "place": book.places}.get(type.name, (None,)))


def combinations(book: c.Book, e: c.Expr) -> int:
    """How often the innermost part of nested loops over everything is evaluated."""
    inner = max((combinations(book, a) for a in e.args), default=1)
    match e:
        case c.Loop(base=c.BuiltinCall(name=name)) if name in WHOLE:
            return inner * size(book, UNIT if name in ("units", "counters") else PLACE)
        case _:
            return inner


def number(e: c.Expr) -> int | None:
    match e:
        case c.Negative():
            inner = number(e.value)
            return None if inner is None else -inner
        case c.Const(value=int() as value) if not isinstance(value, bool):
            return value
        case _:
            return None


class Polarity:
    """How an expression asks for a growing set: `+` can only profit from more members, `-` can only
    lose by them, `?` may do either."""

    def __init__(self, book: c.Book, name: str) -> None:
        self.book = book
        self.name = name
        self.known: dict[tuple[str, str], set[str]] = {}

    def of(self, e: c.Expr) -> set[str]:
        e = c.known(e)
        match e:
            case c.Grown() if e.name == self.name:
                return {"+"} | self.unsure(e.asked)
            case c.And() | c.Or() | c.Union() | c.Plus() | c.Filter() | c.AnyOf() | c.CountOf() | c.Each() | c.EachOf():
                return self.all(e.args)
            case c.SetOf() | c.ListOf():
                return self.all(e.items)
            case c.Not():
                return flipped(self.of(e.value))
            case c.EveryOf():
                return flipped(self.of(e.base)) | (self.of(e.test) if e.test is not None else set())
            case c.Without() | c.Minus() | c.More() | c.AtLeast():
                return self.of(e.left) | flipped(self.of(e.right))
            case c.Less() | c.AtMost():
                return flipped(self.of(e.left)) | self.of(e.right)
            case c.IsIn():
                return unsure(self.of(e.item)) | self.of(e.many)
            case c.Call() | c.QuotaCap() | c.Paths() | c.PathEnds() | c.ShortestPaths() | c.Grown():
                return self.unsure(e.args) | self.named(*asked_by(e))
            case c.QuotaLeft() | c.QuotaSpent() | c.PathCost() | c.OfMatching():
                return self.unsure(e.args) | unsure(self.named(*asked_by(e)))
            case c.Const() | c.Local() | c.MarkOf() | c.FieldOf() | c.PlaceOf() | c.BuiltinCall() | c.Member():
                return self.unsure(e.args)
            case c.Equal() | c.Unequal() | c.Between() | c.Within() | c.Times() | c.Over() | c.Negative():
                return self.unsure(e.args)
            case c.SumOf() | c.Highest() | c.Lowest() | c.Range() | c.FirstOf() | c.RecordOf() | c.TableCell():
                return self.unsure(e.args)
            case c.OnScale() | c.Shifted() | c.Rank() | c.Other() | c.Remembered() | c.BoxOf() | c.Suppose():
                return self.unsure(e.args)
            case c.Bound() | c.Reading() | c.InPhase() | c.Usual() | c.Keep() | c.Choose() | c.Total():
                return self.unsure(e.args)
            case _:
                assert_never(e)

    def all(self, exprs: tuple[c.Expr, ...]) -> set[str]:
        return set().union(*(self.of(x) for x in exprs))

    def unsure(self, exprs: tuple[c.Expr, ...]) -> set[str]:
        return unsure(self.all(exprs))

    def named(self, sort: str, name: str) -> set[str]:
        """The same of a declaration; one that is being looked at already adds nothing new."""
        key = (sort, name)
        if key in self.known:
            return self.known[key]
        self.known[key] = set()
        found: set[str] = set()
        if sort == "define" and name in self.book.definitions:
            d = self.book.definitions[name]
            found = self.layer(d.base, d.type.name == "flag")
            for contribution in d.contributions:
                found |= unsure(self.all(tuple(layer_exprs(contribution.layer))))
        elif sort == "route" and name in self.book.routes:
            found = self.route(self.book.routes[name])
        elif sort == "grow" and name in self.book.grows:
            grow = self.book.grows[name]
            found = self.of(grow.domain) | self.of(grow.test)
        elif sort == "matching" and name in self.book.matchings:
            m = self.book.matchings[name]
            found = self.all((m.items, m.targets, *(x for r in m.rules for x in (r.test, r.guard) if x is not None)))
        self.known[key] = found
        return found

    def layer(self, layer: c.Layer, flag: bool) -> set[str]:
        """A list of clauses profits where each value does, and no condition chooses by the set."""
        found: set[str] = set()
        for clause in layer.clauses:
            guard = self.of(clause.guard) if clause.guard is not None else set()
            yes = flag and isinstance(clause.value, c.Const) and clause.value.value is True
            found |= self.of(clause.value) | (guard if yes else unsure(guard))
        found |= self.unsure(tuple(value for _, value in layer.lets))
        for w in layer.waivers:
            found |= unsure(self.all(tuple(waiver_exprs(w))))
        for e in layer.exceptions:
            found |= unsure(self.all(tuple(layer_exprs(e))))
        return found

    def route(self, r: c.Route) -> set[str]:
        found: set[str] = set()
        for facet, name in r.facets.items():
            inner = self.named("define", name)
            found |= inner if facet in ("from", "to", "jump", "budget") else flipped(inner)
        for rule in r.rules:
            found |= self.of(rule.test) if rule.sort == "require" else flipped(self.of(rule.test))
            found |= flipped(self.of(rule.guard)) if rule.guard is not None else set()
            found |= self.all(tuple(self.waivers(rule)))
        for leg in r.legs:
            found |= self.named("route", leg.route) | self.unsure(leg.args)
        return found

    def waivers(self, rule: c.Rule) -> Iterator[c.Expr]:
        for w in rule.waivers:
            yield from waiver_exprs(w)


def flipped(found: set[str]) -> set[str]:
    return {{"+": "-", "-": "+", "?": "?"}[x] for x in found}


def unsure(found: set[str]) -> set[str]:
    return {"?"} if found else set()
