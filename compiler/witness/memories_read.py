"""Memories that the statements of an example can read.

In:  a book in the core and an example.
Out: their names, where the example sets up a position and asks for values; None where something runs in it, since
     what runs may read anything.
"""

from __future__ import annotations

from ..core import nodes as c
from ..core.walk import Declared, top_exprs
from ..diff.touched import Name, asked


def memories_read(book: c.Book, example: c.Example) -> frozenset[str] | None:
    """The memories that have a say in an example; the others need not look at its position."""
    if not all(isinstance(line, c.Given | c.Expected | c.ExpectedConflict) for line in example.lines):
        return None
    todo: list[Name] = list(asked(e for line in example.lines for e in line.exprs))
    todo += asked(m.until_test for m in book.marks.values() if m.until_test is not None)
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
    return frozenset(word for sort, word in seen if sort == "define" and word in book.memories)


def declarations(book: c.Book, name: Name) -> list[Declared]:
    """What a name stands for, where that reads anything."""
    sort, word = name
    found: dict[str, Declared | None] = {
        "define": book.definitions.get(word),
        "route": book.routes.get(word),
        "matching": book.matchings.get(word),
        "grow": book.grows.get(word),
    }
    known = found.get(sort)
    return [] if known is None else [known]
