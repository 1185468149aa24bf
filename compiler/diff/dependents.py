"""Dependencies between declarations, case by case.

In:  a book in the core.
Out: for a name (a definition, table, field, mark, action …) the cases and names that depend on it, directly or
     through others; for an example the memories that it can read.

Each piece of the core is a node of the graph with its own case: a layer of a definition, a rule, a procedure. A user of
a definition depends on its exceptions too. Unlike `analyse/references.py`, which asks what play can reach, this graph
is by case and is followed backwards, from a change to its users.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from ..core import names
from ..core import nodes as c
from ..core.names import Name, names_run
from ..core.walk import (
    Declared,
    all_statements,
    definition_exprs,
    domains,
    layer_exprs,
    rule_exprs,
    top_exprs,
    waiver_exprs,
)


@dataclass(frozen=True, slots=True)
class Piece:
    """One declaration: the name it belongs to, its case, and the names it uses."""

    owner: Name
    case: str
    asks: frozenset[Name]


@dataclass(slots=True)
class Affected:
    """The cases and names that depend on something."""

    cases: set[str] = field(default_factory=set)
    names: set[Name] = field(default_factory=set)


class Dependents:
    """The pieces of a book by the names that they use."""

    def __init__(self, book: c.Book) -> None:
        self.book = book
        self.pieces = list(pieces(book))
        self.users: defaultdict[Name, list[Piece]] = defaultdict(list)
        for p in self.pieces:
            for name in p.asks:
                self.users[name].append(p)

    def of(self, names: Iterable[Name]) -> Affected:
        """What depends on these names, they themselves included."""
        found = Affected()
        todo = sorted(set(names))
        while todo:
            name = todo.pop()
            if name in found.names:
                continue
            found.names.add(name)
            for p in self.users.get(name, ()):
                found.cases.add(p.case)
                if p.owner not in found.names:
                    todo.append(p.owner)
        found.cases.discard("")
        return found

    def read(self, name: Name) -> bool:
        """Whether anything uses a name."""
        return bool(self.users.get(name))


def asked(exprs: Iterable[c.Expr]) -> Iterator[Name]:
    """The names that expressions use."""
    for top in exprs:
        for e in top.walk():
            name = name_asked(e)
            if name is not None:
                yield name
            if e.type.sort in ("kind", "scale", "record"):
                yield e.type.sort, e.type.name


def name_asked(e: c.Expr) -> Name | None:
    """What an expression itself asks for; memories and quotas count as the definitions behind them."""
    name = names.name_asked(e)
    return ("define", name[1]) if name is not None and name[0] in ("memory", "quota") else name


def statement_names(p: c.Procedure) -> Iterator[Name]:
    """The names that the statements of a procedure use and run."""
    for s in all_statements(p):
        yield from asked(s.args)
        yield from (("define", name) if sort == "quota" else (sort, name) for sort, name in names_run(s))


def pieces(book: c.Book) -> Iterator[Piece]:
    """Every declaration of a book with the names that it uses."""
    for name, d in book.definitions.items():
        owner = owner_of(name)
        for layer in d.layers():
            own = definition_exprs(d) if layer is d.base else layer_exprs(layer)
            yield Piece(owner, layer.case, frozenset(asked(own)))
    for name, r in book.routes.items():
        exprs = [*domains(r.params), *(x for leg in r.legs for x in leg.args)]
        if r.over_test is not None:
            exprs.append(r.over_test)
        yield Piece(("route", name), r.case, frozenset({*asked(exprs), *(("route", x.route) for x in r.legs)}))
        yield from rule_pieces(("route", name), r.rules)
    for name, m in book.matchings.items():
        exprs = [*domains(m.params), m.items, m.targets, *(x for x in (m.idle, m.empty) if x is not None)]
        yield Piece(("matching", name), m.case, frozenset(asked(exprs)))
        yield from rule_pieces(("matching", name), m.rules)
    for name, g in book.grows.items():
        yield Piece(("grow", name), g.case, frozenset(asked((g.domain, g.test))))
    for name, a in book.actions.items():
        exprs = [a.by, *domains(a.params)]
        yield Piece(("action", name), a.case, frozenset({*asked(exprs), *statement_names(a.procedure)}))
        yield from rule_pieces(("action", name), a.rules)
    for name, p in book.procedures.items():
        yield Piece(("procedure", name), p.case, frozenset({*asked(domains(p.params)), *statement_names(p)}))
    for t in book.triggers:
        exprs = [*([t.guard] if t.guard is not None else []), *(x for w in t.waivers for x in waiver_exprs(w))]
        needed = {*asked(exprs), *statement_names(t.procedure)}
        if t.event[0] in ("start", "end"):
            needed.add(("phase", t.event[1]))
        elif t.event[0] == "change":
            needed.add(("define", t.event[1]))
        yield Piece(("trigger", t.id), t.case, frozenset(needed))
    for name, duty in book.duties.items():
        exprs = [duty.test, *([duty.domain] if duty.domain is not None else [])]
        exprs += [x for w in duty.waivers for x in waiver_exprs(w)]
        failing = statement_names(duty.failing) if duty.failing is not None else ()
        yield Piece(("duty", name), duty.case, frozenset({*asked(exprs), *failing}))
    for (_, name), mark in book.marks.items():
        exprs = [x for x in (mark.until_test, mark.secret_to) if x is not None]
        if exprs:
            yield Piece(("mark", name), mark.case, frozenset(asked(exprs)))


def rule_pieces(owner: Name, rules: Iterable[c.Rule]) -> Iterator[Piece]:
    for rule in rules:
        yield Piece(owner, rule.case, frozenset(asked(rule_exprs(rule))))
        for w in rule.waivers:
            yield Piece(owner, w.case, frozenset(asked(waiver_exprs(w))))


def owner_of(definition: str) -> Name:
    """A facet of a route belongs to the route."""
    route, dot, _ = definition.partition(".")
    return ("route", route) if dot else ("define", definition)


def example_names(example: c.Example) -> set[Name]:
    """The names that a worked example uses, and the procedures and actions that it runs."""
    found = set(asked(e for line in example.lines for e in line.exprs))
    for line in example.lines:
        if isinstance(line, c.RunLine):
            found.add(("procedure", line.procedure))
        elif isinstance(line, c.ChoiceLine):
            found.add(("action", line.name))
    return found


def memories_read(book: c.Book, example: c.Example) -> frozenset[str] | None:
    """The memories that can affect an example; the others need not be updated in its position.

    None where something runs in the example, since what runs may read anything.
    """
    names: list[Name] = []
    for line in example.lines:
        names += asked(line.exprs)
        if isinstance(line, c.LegalLine | c.RefusedLine) and line.sort == "action":
            names.append(("action", line.name))
        elif not isinstance(line, c.Given | c.Expected | c.ExpectedConflict):
            return None
    return memories_behind(book, names)


def memories_behind(book: c.Book, names: Iterable[Name]) -> frozenset[str]:
    """The memories that have a say in what some names stand for, directly or through others.

    What is behind an action decides whether it is legal; what it sets off when it is taken is not asked.
    """
    todo = [*names, *asked(m.until_test for m in book.marks.values() if m.until_test is not None)]
    seen: set[Name] = set()
    while todo:
        name = todo.pop()
        if name not in seen:
            seen.add(name)
            for x in declarations(book, name):
                todo += asked(top_exprs(x))
                if isinstance(x, c.Route):
                    todo += [("define", facet) for facet in x.facets.values()]
                    todo += [("route", leg.route) for leg in x.legs]
                elif isinstance(x, c.Action):
                    todo += [("define", quota) for quota, _, _ in x.spends]
    return frozenset(word for sort, word in seen if sort == "define" and word in book.memories)


def declarations(book: c.Book, name: Name) -> list[Declared]:
    """What a name stands for, where that reads anything; an action with what it does, which may be supposed."""
    sort, word = name
    action = book.actions.get(word) if sort == "action" else None
    found: dict[str, Declared | None] = {
        "define": book.definitions.get(word),
        "route": book.routes.get(word),
        "matching": book.matchings.get(word),
        "grow": book.grows.get(word),
        "action": action,
    }
    known = found.get(sort)
    return [*([] if known is None else [known]), *([] if action is None else [action.procedure])]
