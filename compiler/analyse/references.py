"""The reference graph of a book's declarations, and what of it play or an example can reach.

In:  the book in the core.
Out: the things that a declaration, a statement or an example names, and closures over them.

A thing is a pair of its sort and its name, such as ("define", "zone"). Time is part of the graph: a trigger on the end
of a phase is reached once something that runs holds that phase.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from typing import TypeAlias, assert_never

from ..cache.incremental import Memory
from ..core import nodes as c
from ..core.names import Name, name_asked, names_run
from ..core.walk import Declared, all_statements, definition_exprs, domains, rule_exprs, top_exprs

Thing: TypeAlias = Name

COMPUTED = frozenset(("define", "route", "matching", "grow", "quota", "memory", "table"))
"""The sorts that an expression reaches by asking for them. Not phases: to ask whether one runs does not run it."""


class References:
    """What every declaration of a book names; built once for a book.

    `memory` knows from the last compile what the same expressions, procedures and examples name.
    """

    def __init__(self, book: c.Book, memory: Memory | None = None) -> None:
        self.book = book
        self.known = (memory or Memory()).room("references")
        self.facets = {name: route.name for route in book.routes.values() for name in route.facets.values()}
        self.named: dict[Thing, frozenset[Thing]] = {}
        for name, d in book.definitions.items():
            self.named["define", name] = self.asked(definition_exprs(d))
        for name, route in book.routes.items():
            own = {("define", d) for d in route.facets.values()} | {("route", leg.route) for leg in route.legs}
            self.named["route", name] = self.asked(top_exprs(route)) | own
        for name, matching in book.matchings.items():
            self.named["matching", name] = self.asked(top_exprs(matching))
        for name, grow in book.grows.items():
            self.named["grow", name] = self.asked(top_exprs(grow))
        for name, kept in book.memories.items():
            self.named["memory", name] = self.asked(definition_exprs(kept.definition))
        for name, quota in book.quotas.items():
            self.named["quota", name] = self.asked(definition_exprs(quota.definition))
        for name, p in book.procedures.items():
            self.named["procedure", name] = self.run(p)
        for name, action in book.actions.items():
            exprs = [action.by, *domains(action.params), *(e for rule in action.rules for e in rule_exprs(rule))]
            spends = {("quota", quota) for quota, _, _ in action.spends}
            self.named["action", name] = self.asked(exprs) | spends | self.run(action.procedure)
        for trigger in book.triggers:
            self.named["trigger", trigger.id] = self.asked(top_exprs(trigger)) | self.run(trigger.procedure)
        for name, duty in book.duties.items():
            failing = self.run(duty.failing) if duty.failing is not None else frozenset()
            self.named["duty", name] = self.asked(top_exprs(duty)) | failing

    def asked(self, exprs: Iterable[c.Expr]) -> frozenset[Thing]:
        """What some expressions name, worked out once."""
        tops = tuple(exprs)
        return self.known.work(("asked", *tops), lambda: frozenset(self.by(tops)))

    def run(self, p: c.Procedure) -> frozenset[Thing]:
        """What a procedure names, worked out once."""
        return self.known.work(("run", p), lambda: frozenset(self.by_procedure(p)))

    # ------------------------------------------------------------ what is named

    def by(self, exprs: Iterable[c.Expr]) -> Iterator[Thing]:
        """The things that expressions ask about."""
        for top in exprs:
            for e in top.walk():
                name = name_asked(e)
                if name is not None and name[0] in COMPUTED:
                    yield name

    def by_procedure(self, p: c.Procedure) -> Iterator[Thing]:
        """The things that a procedure, or what may run instead of it, asks about and runs."""
        yield from self.by(top_exprs(p))
        for s in all_statements(p):
            yield from names_run(s)

    def by_example(self, example: c.Example) -> Iterator[Thing]:
        """The things that the lines of an example name."""
        for sort, name in self.known.work(("named", example), lambda: tuple(self.by_lines(example))):
            yield ("procedure", self.book.scenarios[name].sequence) if sort == "scenario" else (sort, name)

    def by_lines(self, example: c.Example) -> Iterator[Thing]:
        """The same from the example alone: a scenario stands for its sequence."""
        for line in example.lines:
            yield from self.by(line.exprs)
            match line:
                case c.RunLine():
                    yield "procedure", line.procedure
                case c.PlayLine() | c.LegalLine() | c.RefusedLine():
                    if line.sort == "action":
                        yield "action", line.name
                case c.GivenPhase():
                    yield "phase", line.phase
                case c.GivenMemory():
                    yield "memory", line.name
                case c.GivenSpent():
                    yield "quota", line.name
                case c.GivenScenario():
                    yield "scenario", line.scenario
                case _:
                    pass

    # ------------------------------------------------------------ what is reached

    def in_play(self) -> frozenset[Thing]:
        """All that some scenario can reach, what invariants and marks refer to, and what players are shown."""
        book = self.book
        roots: set[Thing] = {("procedure", s.sequence) for s in book.scenarios.values()}
        roots |= {("action", a.name) for a in book.actions.values() if a.anytime}
        roots |= {(book.definitions[x.key].sort, x.key) for x in book.shown if x.key in book.definitions}
        roots |= {("define", x.by) for x in book.veils if x.by in book.definitions}
        told = [s.margin for s in book.scenarios.values() if s.margin in book.definitions]
        roots |= {(book.definitions[name].sort, name) for name in told}
        roots |= {("define", x.definition) for x in book.previews}
        roots |= {("define", name) for name in (book.doctrine.definitions() if book.doctrine is not None else ())}
        standing: list[Declared] = [*book.invariants.values(), *book.marks.values()]
        roots |= set(self.by(e for x in standing for e in top_exprs(x)))
        return self.closure(roots)

    def closure(self, roots: Iterable[Thing], wanted: Set[Thing] = frozenset()) -> frozenset[Thing]:
        """Everything that is reached from some things; triggers and duties come with what sets them off.

        Where some things are `wanted` it ends with one of the nearest of them, and holds that one alone.
        """
        found: set[Thing] = set()
        todo = set(roots)
        while todo:
            while todo:
                if near := todo & wanted:
                    return frozenset((min(near),))
                found |= todo
                routes = {("route", self.facets[x]) for sort, x in todo if sort == "define" and x in self.facets}
                todo = routes.union(*(self.named.get(thing, ()) for thing in todo)) - found
            todo = {t for t in self.set_off(found) if t not in found}
        return frozenset(found)

    def set_off(self, found: set[Thing]) -> Iterator[Thing]:
        """The triggers and duties whose time comes where these things are reached."""
        runs = {name for sort, name in found if sort in ("procedure", "action")}
        phases = {name for sort, name in found if sort == "phase"} | {"game"}
        for trigger in self.book.triggers:
            if self.comes(trigger, runs, phases):
                yield "trigger", trigger.id
        for name, duty in self.book.duties.items():
            if phases & set(duty.phases):
                yield "duty", name

    def times(self) -> tuple[object, ...]:
        """When triggers and duties come, and which names are run: all that a closure reads beside the names."""
        book = self.book
        duties = tuple((name, tuple(duty.phases)) for name, duty in book.duties.items())
        triggers = tuple((x.id, x.event) for x in book.triggers)
        return triggers, duties, self.facets, set(book.actions), set(book.procedures)

    def comes(self, trigger: c.Trigger, runs: set[str], phases: set[str]) -> bool:
        sort, name = trigger.event
        if sort in ("start", "end"):
            return name in phases
        if name in self.book.actions or name in self.book.procedures:
            return name in runs
        return bool(runs)


Speaking: TypeAlias = (
    c.Definition
    | c.Route
    | c.Matching
    | c.Grow
    | c.Table
    | c.Memory
    | c.Quota
    | c.Procedure
    | c.Action
    | c.Trigger
    | c.Duty
)


def things(book: c.Book) -> Iterator[tuple[Thing, Speaking]]:
    """Every thing of a book with its declaration, facets, caps and bodies of memories left to what they belong to."""
    yield from ((("define", name), d) for name, d in book.definitions.items() if d.sort == "define")
    yield from ((("route", name), r) for name, r in book.routes.items())
    yield from ((("matching", name), m) for name, m in book.matchings.items())
    yield from ((("grow", name), g) for name, g in book.grows.items())
    yield from ((("table", name), t) for name, t in book.tables.items())
    yield from ((("memory", name), m) for name, m in book.memories.items())
    yield from ((("quota", name), q) for name, q in book.quotas.items())
    yield from ((("procedure", name), p) for name, p in book.procedures.items())
    yield from ((("action", name), a) for name, a in book.actions.items())
    yield from ((("trigger", t.id), t) for t in book.triggers)
    yield from ((("duty", name), d) for name, d in book.duties.items())


def speaks(book: c.Book) -> dict[Thing, frozenset[str]]:
    """The cases that speak in each thing: its own, its exceptions', bans', waivers' and contributions'."""
    return {thing: frozenset(cases_in(book, x)) for thing, x in things(book)}


def cases_in(book: c.Book, x: Speaking) -> Iterator[str]:
    """The cases that speak in one declaration, and the rows that they cover."""
    yield x.case
    match x:
        case c.Definition():
            yield from layer_cases(x.layers())
        case c.Route():
            yield from (*x.covers, *rule_cases(x.rules))
            yield from layer_cases(y for name in x.facets.values() for y in book.definitions[name].layers())
        case c.Matching():
            yield from (*x.covers, *rule_cases(x.rules))
        case c.Grow() | c.Table():
            yield from x.covers
        case c.Memory() | c.Quota():
            yield from (*x.covers, *layer_cases(x.definition.layers()))
        case c.Procedure():
            yield from procedure_cases(x)
        case c.Action():
            yield from (*x.covers, *rule_cases(x.rules), *procedure_cases(x.procedure))
        case c.Trigger():
            yield from (*x.covers, *waiver_cases(x.waivers), *procedure_cases(x.procedure))
        case c.Duty():
            yield from (*x.covers, *waiver_cases(x.waivers))
            if x.failing is not None:
                yield from procedure_cases(x.failing)
        case _:
            assert_never(x)


def layer_cases(layers: Iterable[c.Layer]) -> Iterator[str]:
    for layer in layers:
        yield from (layer.case, *layer.covers, *waiver_cases(layer.waivers))


def rule_cases(rules: Iterable[c.Rule]) -> Iterator[str]:
    for rule in rules:
        yield from (rule.case, *rule.covers, *waiver_cases(rule.waivers))


def waiver_cases(waivers: Iterable[c.Waiver]) -> Iterator[str]:
    for waiver in waivers:
        yield from (waiver.case, *waiver.covers, *waiver_cases(waiver.waivers))


def procedure_cases(p: c.Procedure) -> Iterator[str]:
    yield from (p.case, *p.covers, *(x for w in p.wrappers for x in (w.case, *w.covers)))
    yield from (s.case for s in all_statements(p))
