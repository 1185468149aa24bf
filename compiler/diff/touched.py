"""Find what rests on what, case by case.

In:  a book in the core.
Out: for a name (a definition, table, field, mark, action …) the cases and names that ask for it, directly or
     through others.

Each piece of the core is a node with its own case: a layer of a definition, a rule, a procedure. A
change of an exception is felt by whoever asks for the definition that it excepts.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from ..analyse.dependencies import ASKING, asked_by
from ..core import nodes as c
from ..core.walk import all_statements, definition_exprs, domains, layer_exprs, rule_exprs, waiver_exprs

Name = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Piece:
    """One declaration: the name it belongs to, its case, and the names it asks for."""

    owner: Name
    case: str
    asks: frozenset[Name]


@dataclass(slots=True)
class Touched:
    """All that rests on something."""

    cases: set[str] = field(default_factory=set)
    names: set[Name] = field(default_factory=set)


class Touch:
    """The uses of a book, turned round."""

    def __init__(self, book: c.Book) -> None:
        self.book = book
        self.pieces = list(pieces(book))
        self.users: defaultdict[Name, list[Piece]] = defaultdict(list)
        for p in self.pieces:
            for name in p.asks:
                self.users[name].append(p)

    def of(self, names: Iterable[Name]) -> Touched:
        """What rests on these names, they themselves included."""
        found = Touched()
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
        """Whether anything asks for a name."""
        return bool(self.users.get(name))


def asked(exprs: Iterable[c.Expr]) -> Iterator[Name]:
    """The names that expressions ask for."""
    for top in exprs:
        for e in top.walk():
            info = e.info
            if isinstance(e, ASKING):
                yield asked_by(e)
            elif e.op in ("table", "memory", "bind", "reading"):
                yield {"memory": "define"}.get(e.op, e.op), str(info)
            elif e.op == "mark":
                yield "mark", str(info)
            elif e.op == "field":
                yield "field", str(info[1])
            elif e.op == "box":
                yield "box", str(info)
            elif e.op == "builtin" and info in ("links", "linked", "on_line") and e.args:
                yield "layer", str(e.args[0].info)
            elif e.op == "in_phase":
                yield "phase", str(info)
            if e.type.sort in ("kind", "scale", "record"):
                yield e.type.sort, e.type.name


def statement_names(p: c.Procedure) -> Iterator[Name]:
    for s in all_statements(p):
        yield from asked(s.args)
        if s.op == "do":
            yield "procedure", str(s.info)
        elif s.op == "offer":
            yield from (("action", name) for name, _ in s.info.actions)
        elif s.op == "phase":
            yield "phase", str(s.info[0])
        elif s.op == "spend":
            yield "define", str(s.info)


def pieces(book: c.Book) -> Iterator[Piece]:
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
        names = {*asked(exprs), *statement_names(t.procedure)}
        if t.event[0] in ("start", "end"):
            names.add(("phase", t.event[1]))
        elif t.event[0] == "change":
            names.add(("define", t.event[1]))
        yield Piece(("trigger", t.id), t.case, frozenset(names))
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
    """What a worked example asks for and sets off."""
    found = set(asked(e for line in example.lines for e in line.exprs))
    for line in example.lines:
        if isinstance(line, c.RunLine):
            found.add(("procedure", line.procedure))
        elif isinstance(line, c.ChoiceLine):
            found.add(("action", line.name))
    return found
