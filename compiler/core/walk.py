"""Walk trees: every node below a syntax node, every expression and statement of a book.

In:  a syntax node, or the book in the core.
Out: what lies below it, in reading order.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import fields
from typing import Any, assert_never

from rulewright.dsl import nodes as n

from . import nodes as c


def below(value: n.Node | tuple[n.Node, ...]) -> Iterator[n.Node]:
    """A syntax node and all nodes below it, in reading order."""
    stack: list[Any] = [value]
    while stack:
        x = stack.pop()
        if isinstance(x, tuple):
            stack.extend(y for y in reversed(x) if isinstance(y, tuple | n.Node))
        else:
            yield x
            for name in inner_fields(type(x)):
                y = getattr(x, name)
                if isinstance(y, tuple | n.Node):
                    stack.append(y)


def inner_fields(kind: type[n.Node]) -> tuple[str, ...]:
    """The fields of a kind of node but its span, the last one first."""
    found = _FIELDS.get(kind)
    if found is None:
        found = _FIELDS[kind] = tuple(f.name for f in reversed(fields(kind)) if f.name != "span")
    return found


_FIELDS: dict[type[n.Node], tuple[str, ...]] = {}


Declared = (
    c.Definition | c.Route | c.Matching | c.Action | c.Grow | c.Trigger | c.Duty | c.Mark | c.Invariant | c.Procedure
)


def declared(book: c.Book) -> list[Declared]:
    """All declarations that hold expressions."""
    found: list[Declared] = [*book.definitions.values(), *book.routes.values(), *book.matchings.values()]
    found += [*book.actions.values(), *book.grows.values(), *book.triggers, *book.duties.values()]
    found += [*book.marks.values(), *book.invariants.values(), *all_procedures(book)]
    return found


def top_exprs(x: Declared) -> Iterator[c.Expr]:
    """The expressions of one declaration; what an action, a trigger or a duty runs is a procedure of its own."""
    match x:
        case c.Definition():
            yield from definition_exprs(x)
        case c.Route():
            yield from domains(x.params)
            yield from (y for rule in x.rules for y in rule_exprs(rule))
            yield from (y for leg in x.legs for y in leg.args)
            if x.over_test is not None:
                yield x.over_test
        case c.Matching():
            yield from domains(x.params)
            yield from (x.items, x.targets)
            yield from (y for y in (x.idle, x.empty) if y is not None)
            yield from (y for rule in x.rules for y in rule_exprs(rule))
        case c.Action():
            yield x.by
            yield from (y for rule in x.rules for y in rule_exprs(rule))
        case c.Grow():
            yield from (x.domain, x.test)
        case c.Trigger():
            if x.guard is not None:
                yield x.guard
            yield from (y for w in x.waivers for y in waiver_exprs(w))
        case c.Duty():
            yield x.test
            if x.domain is not None:
                yield x.domain
            yield from (y for w in x.waivers for y in waiver_exprs(w))
        case c.Mark():
            yield from (y for y in (x.until_test, x.secret_to) if y is not None)
        case c.Invariant():
            yield x.test
        case c.Procedure():
            yield from domains(x.params)
            yield from (y for s in statements(x.body) for y in s.args)
            for w in x.wrappers:
                if w.guard is not None:
                    yield w.guard
                yield from (y for s in statements(w.body) for y in s.args)
        case _:
            assert_never(x)


def domains(params: Iterable[c.Param]) -> Iterator[c.Expr]:
    return (p.domain for p in params if p.domain is not None)


def all_procedures(book: c.Book) -> list[c.Procedure]:
    """Procedures and sequences, and what actions, triggers and failed duties do."""
    found = list(book.procedures.values())
    found += [a.procedure for a in book.actions.values()]
    found += [t.procedure for t in book.triggers]
    found += [d.failing for d in book.duties.values() if d.failing is not None]
    return found


def all_statements(p: c.Procedure) -> list[c.Stmt]:
    """The statements of a procedure and of all that may run instead of it."""
    return [*statements(p.body), *(s for w in p.wrappers for s in statements(w.body))]


def statements(body: tuple[c.Stmt, ...]) -> list[c.Stmt]:
    """The statements of a block and of the blocks in it."""
    found = []
    for s in body:
        found += [s, *statements(s.body), *statements(s.other)]
    return found


def local_names(*exprs: c.Expr | None) -> frozenset[str]:
    """The names of all parameters, answers and variables that some expressions look at."""
    return frozenset(x.name for top in exprs if top is not None for x in top.walk() if isinstance(x, c.Local))


def binds(e: c.Expr, names: Collection[str]) -> bool:
    """Whether an expression has a variable of its own under one of these names."""
    return any(isinstance(x, c.Loop) and x.var in names for x in e.walk())


def asks_usual(*exprs: c.Expr) -> bool:
    """Whether an exception asks what holds without it."""
    return any(isinstance(x, c.Usual) for top in exprs for x in top.walk())


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


def question_homes(book: c.Book) -> Iterator[tuple[str, c.Procedure]]:
    """Every procedure with the name that its questions are filed under: its own, or that of its action or duty.

    What a trigger does has no name; its questions go by theirs alone.
    """
    yield from book.procedures.items()
    yield from ((a.name, a.procedure) for a in book.actions.values())
    yield from ((d.name, d.failing) for d in book.duties.values() if d.failing is not None)
    yield from (("", t.procedure) for t in book.triggers)


def question_key(home: str, ask: c.Ask) -> str:
    """How a phrase names a question."""
    return f"{home}.{ask.name}" if home else ask.name
