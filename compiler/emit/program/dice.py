"""The tables in which each roll is read.

In:  the book in the core.
Out: by `CASE NAME` of a roll, each table with the place of the die among its parameters: it is looked up at once, or
     handed on to definitions that look it up.

Statistics of play count a look-up by what stands besides the die: the column.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...core import nodes as c
from ...core.walk import all_procedures, all_statements, definition_exprs

Reading = tuple[str, int]
"""A table, and the place of the die among its parameters."""


def tables_of_rolls(book: c.Book) -> dict[str, tuple[Reading, ...]]:
    """Every roll that is read in a table, in a fixed order."""
    found: dict[str, dict[Reading, None]] = {}
    for procedure in all_procedures(book):
        body = all_statements(procedure)
        for roll in (s for s in body if isinstance(s, c.Roll)):
            for top in (e for s in body for e in s.args):
                rows = found.setdefault(f"{procedure.case} {roll.name}", {})
                rows.update(dict.fromkeys(readings(top, roll.name, book, frozenset())))
    return {roll: tuple(rows) for roll, rows in found.items() if rows}


def readings(top: c.Expr, die: str, book: c.Book, within: frozenset[str]) -> Iterator[Reading]:
    """The look-ups in an expression whose key is made of a local value."""
    for e in top.walk():
        if not isinstance(e, c.TableCell | c.Call):
            continue
        places = [i for i, arg in enumerate(e.args) if isinstance(arg, c.Expr) and mentions(arg, die)]
        if isinstance(e, c.TableCell):
            yield from ((e.name, i) for i in places[:1])
        elif e.name in book.definitions and e.name not in within:
            called = book.definitions[e.name]
            for i in places:
                for inner in definition_exprs(called):
                    yield from readings(inner, called.params[i].name, book, within | {e.name})


def mentions(e: c.Expr, name: str) -> bool:
    return any(isinstance(x, c.Local) and x.name == name for x in e.walk())
