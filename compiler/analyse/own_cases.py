"""The cases of a book about what a library defines.

In:  the book, with the libraries that it uses.
Out: for each definition of a library the book's own cases: those that except it or add to it, or where there are none,
     those about what it asks in turn. Explanations cite them before the case of the library, which no player has read.
"""

from __future__ import annotations

from pathlib import PurePath

from rulewright.dsl.source import Span

from ..core import nodes as c
from ..core.walk import definition_exprs


def own_cases(book: c.Book) -> dict[str, tuple[str, ...]]:
    """Cases by the library's case and the name of the definition; only where there are some."""
    shared = {name: d for name, d in book.definitions.items() if of_library(d.base.span)}
    found = {name: about(book, d, shared, frozenset()) for name, d in shared.items()}
    return {f"{shared[name].case} {name}": cases for name, cases in found.items() if cases}


def of_library(span: Span) -> bool:
    """Whether something is written in a library (`rulebooks/lib`)."""
    return PurePath(span.file).parent.name == "lib"


def about(book: c.Book, d: c.Definition, shared: dict[str, c.Definition], above: frozenset[str]) -> tuple[str, ...]:
    """The book's cases about one definition; what holds in any case comes alone, what holds at times otherwise."""
    layers = [x for x in (*d.base.exceptions, *(y.layer for y in d.contributions)) if not of_library(x.span)]
    always = [x for x in layers if x.clauses and x.clauses[-1].guard is None]
    if layers:
        return tuple(dict.fromkeys(x.case for x in always or layers))
    asked = dict.fromkeys(e.name for top in definition_exprs(d) for e in top.walk() if isinstance(e, c.Call))
    inner = [name for name in asked if name in shared and name not in above]
    found = (x for name in inner for x in about(book, shared[name], shared, above | {d.name}))
    return tuple(dict.fromkeys(found))
