"""Say how much of each book its own phrases say: `python tools/phrase_share.py [BOOK…]`, the rows of docs/edition.md.

In:  books.
Out: how many declarations in a hundred have words at all, and how many of those that have a name are said by a phrase
     of the book, not by one that the writer made from the name. Whole numbers, rounded down.
"""

from __future__ import annotations

import sys

from rulewright.compiler.core import nodes as c
from rulewright.compiler.pipeline import analyse
from rulewright.compiler.words.cases import declared, said_of
from rulewright.compiler.words.expressions import Words
from rulewright.compiler.words.phrases import phrases_of

BOOKS = ("trc", "tdv", "fite", "fragment", "ocs", "caseblue")
NAMED = (c.Definition, c.Route, c.Matching, c.Action, c.Procedure, c.Memory, c.Quota, c.Mark)
"""Triggers, invariants, previews and the like have no name to say: their sentences are put together."""


def keys(x: object) -> tuple[str, ...]:
    """Under which names a phrase of a declaration is looked up."""
    match x:
        case c.Memory():
            return (x.definition.name,)
        case c.Mark():
            return (f"{x.owner.plain.name}.{x.name}", x.name)
        case _:
            return (str(getattr(x, "name", "")),)


def share(book: c.Book) -> tuple[int, int]:
    """Per cent of the declarations with sentences; of those with a name, of the ones with a phrase of the book."""
    phrases = phrases_of(book)
    words = Words(book, phrases)
    every = [x for _, x in declared(book)]
    named = [x for x in every if isinstance(x, NAMED)]
    own = sum(any(key in phrases for key in keys(x)) for x in named)
    return 100 * sum(bool(said_of(words, x)) for x in every) // len(every), 100 * own // len(named)


def row(name: str, book: c.Book) -> str:
    said, own = share(book)
    return f"| {name} | {said} % | {own} % |"


if __name__ == "__main__":
    for name in sys.argv[1:] or BOOKS:
        book = analyse(name).book
        assert book is not None, name
        print(row(name, book), flush=True)
