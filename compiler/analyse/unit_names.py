"""Names in procedures that stand for units, so that what a side may not see is not told by one of them.

In:  the book in the core.
Out: by procedure, the names in it that hold a unit or several: arguments, `let`s, members of loops, answers, draws.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..core import nodes as c
from ..core.shown import of_units
from ..core.types import Type
from ..core.walk import all_procedures
from .secret_flows import each_statement


def names_of_units(book: c.Book) -> dict[str, tuple[str, ...]]:
    """The names that hold units, by the name that the runtime has for the procedure."""
    acting = {id(a.procedure) for a in book.actions.values()}
    found: dict[str, tuple[str, ...]] = {}
    for p in all_procedures(book):
        names = {x.name for x in p.params if of_units(x.type)}
        for body in (p.body, *(w.body for w in p.wrappers)):
            names |= {name for s in each_statement(body) for name, type in named(s) if of_units(type)}
        if names:
            found[f"action {p.name}" if id(p) in acting else p.name] = tuple(sorted(names))
    return dict(sorted(found.items()))


def named(s: c.Stmt) -> Iterator[tuple[str, Type]]:
    """The names that a statement gives to values, each with its type."""
    match s:
        case c.Let():
            yield s.name, s.value.type
        case c.ForEach():
            yield s.var, s.source.type
        case c.AskSide():
            yield s.ask.name, s.ask.type
        case c.Draw():
            yield s.name, s.source.type
        case _:
            pass
