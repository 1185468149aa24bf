"""Rolls that are stored in marks: probabilities are not traced through them, and the diff says so.

In:  a book in the core, and the names and spans that a fact changes or that depend on it.
Out: the marks that store a roll and occur in one expression with one of these, each with the case of the mark.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.dsl.source import Span

from ...core import nodes as c
from ...core.names import Name
from ...core.walk import all_procedures, declared, statements, top_exprs
from ..dependents import name_asked
from ..facts import inside


class KeptRolls:
    """The marks of one book that store rolls."""

    def __init__(self, book: c.Book) -> None:
        self.book = book
        self.marks = {key: book.marks[key].case for p in all_procedures(book) for key in kept(p) if key in book.marks}
        self.read: list[tuple[c.Expr, list[tuple[str, str]]]] = []
        for x in declared(book) if self.marks else ():
            for e in top_exprs(x):
                found = [key for y in e.walk() if (key := mark_of(y)) in self.marks and key is not None]
                if found:
                    self.read.append((e, found))

    def beside(self, names: set[Name], span: Span | None) -> dict[str, str]:
        """The marks, with their cases, in one expression with these names or within this span."""
        found: dict[str, str] = {}
        for e, keys in self.read:
            here = span is not None and e.span.origin is span.origin and inside(e, span)
            if here or any(name_asked(x) in names for x in e.walk()):
                found |= {key[1]: self.marks[key] for key in keys}
        return found


def kept(p: c.Procedure) -> Iterator[tuple[str, str]]:
    """The marks that a procedure sets to a roll made in it."""
    rolled: set[str] = set()
    for s in (s for body in (p.body, *(w.body for w in p.wrappers)) for s in statements(body)):
        match s:
            case c.Roll():
                rolled.add(s.name)
            case c.Let() if names_in(s.value) & rolled:
                rolled.add(s.name)
            case c.SetMark() if any(names_in(e) & rolled for e in s.args):
                yield s.key
            case _:
                pass


def names_in(e: c.Expr) -> set[str]:
    return {x.name for x in e.walk() if isinstance(x, c.Local)}


def mark_of(e: c.Expr) -> tuple[str, str] | None:
    if not isinstance(e, c.MarkOf):
        return None
    return (e.of.type.plain.name if e.of is not None else "game", e.name)
