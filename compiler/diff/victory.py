"""Which side wins more or less easily through a change.

In:  a push on a definition, or the changed part of a statement, and the book after the change.
Out: the side and the direction, where everything that asks for it decides when that side wins; else None.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from rulewright.dsl.source import Span

from ..core import nodes as c
from ..core.walk import all_procedures, declared, statements, top_exprs
from .polarity import uses
from .touched import name_asked

Won = tuple[str, int]
MOST = 40


def by_part(span: Span, sign: int, book: c.Book) -> Won | None:
    """A push on a condition that stands right before a win."""
    found = {(side, sign) for test, side in tests(book) if sign and holds(test.span, span)}
    return found.pop() if len(found) == 1 else None


def by_definition(name: str, sign: int, book: c.Book) -> Won | None:
    """A push on a definition that is asked for wins alone, itself or through others."""
    found: set[Won] = set()
    todo, seen = [(name, sign)], set()
    while todo:
        at = todo.pop()
        if at in seen:
            continue
        seen.add(at)
        if len(seen) > MOST or not at[1]:
            return None
        for where, way in users(at[0], book):
            if where is None or not way:
                return None
            if where[0] == "win":
                found.add((where[1], way * at[1]))
            else:
                todo.append((where[1], way * at[1]))
    return found.pop() if len(found) == 1 else None


def users(name: str, book: c.Book) -> Iterator[tuple[tuple[str, str] | None, int]]:
    """Who asks for a definition: another one, a win, or None for anything else; each with the push there."""

    def wanted(e: c.Expr) -> bool:
        return name_asked(e) == ("define", name)

    counted = 0
    for d in book.definitions.values():
        for layer in d.layers():
            yield from ((("define", d.name), way) for way in layer_ways(d, layer, wanted))
        counted += asked(d, wanted)
    for test, side in tests(book):
        yield from ((("win", side), way) for way in uses(test, wanted))
        counted += sum(wanted(x) for x in test.walk())
    total = sum(asked(x, wanted) for x in declared(book))
    if total != counted:
        yield None, 0


def layer_ways(d: c.Definition, layer: c.Layer, wanted: Callable[[c.Expr], bool]) -> Iterator[int]:
    for clause in layer.clauses:
        yield from uses(clause.value, wanted)
        if clause.guard is not None:
            plain = d.type.name == "flag" and isinstance(clause.value, c.Const) and clause.value.value is True
            yield from (way if plain else 0 for way in uses(clause.guard, wanted))
    for e in (*(value for _, value in layer.lets), *(w.guard for w in layer.waivers if w.guard is not None)):
        yield from (0 for _ in uses(e, wanted))


def asked(x: object, wanted: Callable[[c.Expr], bool]) -> int:
    return sum(wanted(y) for e in top_exprs(x) for y in e.walk())  # type: ignore[arg-type]


def tests(book: c.Book) -> Iterator[tuple[c.Expr, str]]:
    """The conditions on which nothing hangs but that a side wins, with that side."""
    for p in all_procedures(book):
        for body in (p.body, *(w.body for w in p.wrappers)):
            for s in statements(body):
                if isinstance(s, c.If) and not s.otherwise:
                    yield from ((s.test, side) for side in winner(s.block))
    for t in book.triggers:
        if t.guard is not None and not t.waivers:
            yield from ((t.guard, side) for side in winner(t.procedure.body))


def winner(body: tuple[c.Stmt, ...]) -> Iterator[str]:
    """The side that a block lets win and nothing else."""
    found = [s for s in body if not isinstance(s, c.Note)]
    match found:
        case [c.Win(side=c.Const(value=str(side)))]:
            yield side


def holds(outer: Span, inner: Span) -> bool:
    return outer.origin is inner.origin and (
        (outer.row, outer.column) <= (inner.row, inner.column)
        and (inner.end_row, inner.end_column) <= (outer.end_row, outer.end_column)
    )
