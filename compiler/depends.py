"""Find what everything rests on.

In:  the book in the core.
Out: for each definition, route, matching and memory the columns of the state that it reads, directly or
     through others; and whether an expression is fixed for the whole game.
Reports: RW304 definitions that ask one another in a circle.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from rulewright.dsl.diagnostics import Reporter

from . import core as c
from .builtins import BUILTINS

ASKED = {
    "call": "define",
    "cap": "define",
    "left": "define",
    "spent": "define",
    "route": "route",
    "ends": "route",
    "shortest": "route",
    "route_cost": "route",
    "matching": "matching",
    "blocked": "matching",
    "uncovered": "matching",
    "grow": "grow",
}


OF_THE_GAME = {"reading", "suppose", "usual", "keep"}
"""What can differ from one game to another, or from one moment to the next, without a look at any column."""


def column_name(owner: str, name: str) -> str:
    return f"{owner}_{name}"


class Depends:
    """What each named thing reads; built once for a book."""

    def __init__(self, book: c.Book) -> None:
        self.book = book
        self.direct: dict[tuple[str, str], set[str]] = {}
        self.moved: set[tuple[str, str]] = set()
        self.calls: dict[tuple[str, str], set[tuple[str, str]]] = {}
        for key, exprs in self._all():
            reads: set[str] = set()
            calls: set[tuple[str, str]] = set()
            for e in (x for top in exprs for x in top.walk()):
                self._look_at(e, reads, calls)
                if e.op in OF_THE_GAME or (e.op == "builtin" and e.info == "winner"):
                    self.moved.add(key)
            self.direct[key] = reads
            self.calls[key] = calls
        for name, route in book.routes.items():
            self.calls["route", name] |= {("define", d) for d in route.facets.values()}
            self.calls["route", name] |= {("route", leg.route) for leg in route.legs}
        self.closed = self._close()
        self._owners: dict[str, tuple[int, set[str]] | None] = {}
        self._splits: dict[tuple[str, int], tuple[set[str], set[str]]] = {}

    def of(self, exprs: Iterable[c.Expr]) -> set[str]:
        """The columns that some expressions read."""
        reads: set[str] = set()
        calls: set[tuple[str, str]] = set()
        for e in exprs:
            self._look(e, reads, calls)
        for call in calls:
            reads |= self.closed.get(call, set())
        return reads

    def named(self, sort: str, name: str) -> set[str]:
        return self.closed.get((sort, name), set())

    def still(self, sort: str, name: str) -> bool:
        """Whether something named rests on printed values and the map alone, in every game that is played."""
        if self.closed.get((sort, name), {""}):
            return False
        seen, todo = {(sort, name)}, [(sort, name)]
        while todo:
            key = todo.pop()
            if key in self.moved or key not in self.calls:
                return False
            todo += self.calls[key] - seen
            seen |= self.calls[key]
        return True

    def own(self, name: str) -> tuple[int, set[str]] | None:
        """The parameter that a definition looks up columns for, and those that it reads at no other owner.

        When such a column changes for one unit or place, only the answers about that one are lost.
        """
        if name not in self._owners:
            self._owners[name] = self._own(name)
        return self._owners[name]

    def _own(self, name: str) -> tuple[int, set[str]] | None:
        d = self.book.definitions[name]
        for i, p in enumerate(d.params):
            if p.type.plain.name in ("unit", "place") and not p.type.many:
                mine, others = self._split(name, i)
                if mine - others:
                    return i, mine - others
        return None

    def _split(self, name: str, i: int) -> tuple[set[str], set[str]]:
        """The columns that a definition reads for its parameter alone, and those that it reads otherwise."""
        if (name, i) not in self._splits:
            self._splits[name, i] = self._split_up(name, i)
        return self._splits[name, i]

    def _split_up(self, name: str, i: int) -> tuple[set[str], set[str]]:
        d = self.book.definitions[name]
        tops, var = list(definition_exprs(d)), d.params[i].name
        mine: set[str] = set()
        others: set[str] = set()
        named_anew = any(e.op != "local" and e.info == var for top in tops for e in top.walk())
        for e in (e for top in tops for e in top.walk()):
            at = next((k for k, a in enumerate(e.args) if a.op == "local" and a.info == var), None)
            if e.op == "suppose" or named_anew:
                return set(), self.named("define", name)
            if e.op == "call" and at is not None:
                inner, rest = self._split(str(e.info), at)
                mine |= inner
                others |= rest
                continue
            direct = at == 0 and (e.op in ("mark", "at") or (e.op == "builtin" and e.info == "units_at"))
            reads, calls = mine if direct else others, set[tuple[str, str]]()
            self._look_at(e, reads, calls)
            for call in calls:
                others |= self.named(*call)
        return mine, others

    def _look(self, top: c.Expr, reads: set[str], calls: set[tuple[str, str]]) -> None:
        for e in top.walk():
            self._look_at(e, reads, calls)

    def _look_at(self, e: c.Expr, reads: set[str], calls: set[tuple[str, str]]) -> None:
        match e.op:
            case "mark":
                owner = e.args[0].type.plain.name if e.args else "game"
                reads.add(column_name(owner, str(e.info)))
            case "at":
                reads.add("at")
            case "bind":
                reads.add(f"bind_{e.info}")
            case "memory":
                reads.add(f"past_{e.info}")
            case "left" | "spent":
                reads.add(f"spent_{e.info}")
            case "in_phase":
                reads.add("phases")
            case "builtin":
                found = BUILTINS.get(str(e.info))
                reads.update("unit_side" if r == "m_side" else r for r in (found.reads if found else ()))
            case _:
                pass
        if e.op in ASKED:
            calls.add((ASKED[e.op], str(e.info)))

    def _all(self) -> Iterator[tuple[tuple[str, str], list[c.Expr]]]:
        for name, d in self.book.definitions.items():
            yield ("define", name), list(definition_exprs(d))
        for name, r in self.book.routes.items():
            exprs = [x for rule in r.rules for x in rule_exprs(rule)]
            if r.over_test is not None:
                exprs.append(r.over_test)
            exprs += [a for leg in r.legs for a in leg.args]
            yield ("route", name), exprs
        for name, m in self.book.matchings.items():
            exprs = [m.items, m.targets, *(x for x in (m.idle, m.empty) if x is not None)]
            exprs += [x for rule in m.rules for x in rule_exprs(rule)]
            yield ("matching", name), exprs
        for name, g in self.book.grows.items():
            yield ("grow", name), [g.domain, g.test]

    def _close(self) -> dict[tuple[str, str], set[str]]:
        closed = {k: set(v) for k, v in self.direct.items()}
        changed = True
        while changed:
            changed = False
            for key, calls in self.calls.items():
                before = len(closed[key])
                for call in calls:
                    closed[key] |= closed.get(call, set())
                changed = changed or len(closed[key]) != before
        return closed


def hidden_memories(book: c.Book, depends: Depends) -> dict[str, tuple[str, ...]]:
    """The memories that rest on secret marks, each with those marks: what they tell is as secret."""
    secret = {column_name(owner, name) for (owner, name), m in book.marks.items() if m.secret_to is not None}
    rests = {name: depends.named("define", name) & secret for name in book.memories}
    for _ in rests:
        for name in rests:
            for other in book.memories:
                if f"past_{other}" in depends.named("define", name):
                    rests[name] = rests[name] | rests[other]
    return {name: tuple(sorted(found)) for name, found in rests.items() if found}


def rule_exprs(rule: c.Rule) -> Iterator[c.Expr]:
    yield rule.test
    if rule.guard is not None:
        yield rule.guard
    for w in rule.waivers:
        yield from waiver_exprs(w)


def waiver_exprs(w: c.Waiver) -> Iterator[c.Expr]:
    if w.guard is not None:
        yield w.guard
    for inner in w.waivers:
        yield from waiver_exprs(inner)


def layer_values(layer: c.Layer) -> Iterator[c.Expr]:
    """What a layer itself says, without its waivers and exceptions."""
    for _, value in layer.lets:
        yield value
    for clause in layer.clauses:
        yield clause.value
        if clause.guard is not None:
            yield clause.guard


def layer_exprs(layer: c.Layer) -> Iterator[c.Expr]:
    yield from layer_values(layer)
    for w in layer.waivers:
        yield from waiver_exprs(w)
    for e in layer.exceptions:
        yield from layer_exprs(e)


def definition_exprs(d: c.Definition) -> Iterator[c.Expr]:
    yield from layer_exprs(d.base)
    for contribution in d.contributions:
        yield from layer_exprs(contribution.layer)
    for stage in d.stages:
        yield from (x for x in (stage.most, stage.least) if x is not None)
    for p in d.params:
        if p.domain is not None:
            yield p.domain


def check_circles(book: c.Book, depends: Depends, report: Reporter) -> None:
    """Definitions may not ask one another in a circle, except through a `grow`."""
    state: dict[tuple[str, str], int] = {}
    names: dict[str, Any] = {"define": book.definitions, "route": book.routes, "matching": book.matchings}

    def visit(key: tuple[str, str], trail: list[tuple[str, str]]) -> None:
        if key[0] == "grow" or state.get(key) == 2:
            return
        if state.get(key) == 1:
            circle = [*trail[trail.index(key) :], key]
            thing = names[key[0]].get(key[1])
            if thing is None:
                return
            span = thing.base.span if isinstance(thing, c.Definition) else thing.span
            report.error(
                "RW304",
                span,
                "these ask one another in a circle: " + " → ".join(k[1] for k in circle),
                help="write the set that grows as: grow NAME(…) -> set of … from …: …, or remember one of them",
                case=thing.case,
            )
            return
        state[key] = 1
        for call in sorted(depends.calls.get(key, ())):
            visit(call, [*trail, key])
        state[key] = 2

    for key in sorted(depends.calls):
        if state.get(key) is None:
            visit(key, [])
