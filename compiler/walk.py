"""Walk trees: every node below a syntax node, every expression and statement of a book.

In:  a syntax node, or the book in the core.
Out: what lies below it, in reading order.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import fields
from typing import Any

from rulewright.dsl import nodes as n

from . import core as c
from .depends import definition_exprs, rule_exprs, waiver_exprs


def below(value: Any) -> Iterator[n.Node]:
    """A syntax node and all nodes below it, in reading order."""
    stack = [value]
    while stack:
        x = stack.pop()
        if isinstance(x, tuple):
            stack.extend(reversed(x))
        elif isinstance(x, n.Node):
            yield x
            stack.extend(getattr(x, f.name) for f in reversed(fields(x)) if f.name != "span")


def all_exprs(book: c.Book) -> list[c.Expr]:
    """Every expression of the book but those of its examples, at the top and below."""
    return [e for top in top_exprs(book) for e in top.walk()]


def top_exprs(book: c.Book) -> Iterator[c.Expr]:
    for d in book.definitions.values():
        yield from definition_exprs(d)
    for r in book.routes.values():
        yield from domains(r.params)
        yield from (x for rule in r.rules for x in rule_exprs(rule))
        yield from (x for leg in r.legs for x in leg.args)
        if r.over_test is not None:
            yield r.over_test
    for m in book.matchings.values():
        yield from domains(m.params)
        yield from (m.items, m.targets)
        yield from (x for x in (m.idle, m.empty) if x is not None)
        yield from (x for rule in m.rules for x in rule_exprs(rule))
    for a in book.actions.values():
        yield a.by
        yield from (x for rule in a.rules for x in rule_exprs(rule))
    for g in book.grows.values():
        yield from (g.domain, g.test)
    for t in book.triggers:
        if t.guard is not None:
            yield t.guard
        yield from (x for w in t.waivers for x in waiver_exprs(w))
    for duty in book.duties.values():
        yield duty.test
        if duty.domain is not None:
            yield duty.domain
        yield from (x for w in duty.waivers for x in waiver_exprs(w))
    for mark in book.marks.values():
        yield from (x for x in (mark.until_test, mark.secret_to) if x is not None)
    for i in book.invariants.values():
        yield i.test
    for p in all_procedures(book):
        yield from domains(p.params)
        yield from (x for s in statements(p.body) for x in s.args)
        for w in p.wrappers:
            if w.guard is not None:
                yield w.guard
            yield from (x for s in statements(w.body) for x in s.args)


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
