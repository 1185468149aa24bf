"""A whole book in English, case by case.

In:  a book in the core, and its phrases.
Out: for each case the sentences of its declarations, in the order of the text. What a case says about a declaration of
     another case appears under both: in the list of that declaration, and under the case that says it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Any

from rulewright.dsl.source import Span

from ..core import nodes as c
from . import declarations as d
from .definitions import definition
from .expressions import Words
from .phrases import phrases_of
from .said import Said

Declaration = Any
"""A declaration of the core that has words: `SAYERS` lists their classes."""

SAYERS: dict[type, Callable[[Words, Any], list[Said]]] = {
    c.Definition: definition,
    c.Route: d.route,
    c.Matching: d.matching,
    c.Action: d.action,
    c.Procedure: d.procedure,
    c.Trigger: d.trigger,
    c.Duty: d.duty,
    c.Memory: d.memory,
    c.Quota: d.quota,
    c.Grow: d.grow,
    c.Mark: d.mark,
    c.Invariant: d.invariant,
    c.Unclear: d.unclear,
}


def declared(book: c.Book) -> Iterator[tuple[Span, Declaration]]:
    """Every declaration that has sentences, with its position in the text."""
    for x in book.definitions.values():
        if x.sort == "define":
            yield x.base.span, x
    for found in (book.routes, book.matchings, book.actions, book.procedures, book.duties, book.memories):
        yield from ((x.span, x) for x in found.values())
    for more in (book.quotas, book.grows, book.marks, book.invariants, book.unclear):
        yield from ((x.span, x) for x in more.values())
    yield from ((x.span, x) for x in book.triggers)


def said_of(words: Words, declaration: Declaration) -> list[Said]:
    """The sentence of one declaration."""
    return SAYERS[type(declaration)](words, declaration)


def by_case(book: c.Book, language: str = "en") -> dict[str, list[Said]]:
    """The sentences of every case, its own declarations in the order of the text, then what it says about others."""
    words = Words(book, phrases_of(book, language))
    own: dict[str, list[tuple[Span, list[Said]]]] = defaultdict(list)
    about: dict[str, list[Said]] = defaultdict(list)
    for span, x in declared(book):
        said = said_of(words, x)
        case = case_of(x)
        own[case].append((span, said))
        for top in said:
            for inner in top.walk():
                if inner.case and inner.case != case:
                    about[inner.case].append(Said(f"About {case}: {top.text.rstrip(':.')}.", (inner,), inner.case))
    found: dict[str, list[Said]] = {}
    for case in book.cases:
        mine = sorted(own.get(case, ()), key=lambda x: (x[0].file, x[0].line, x[0].column))
        found[case] = [s for _, several in mine for s in several] + about.get(case, [])
    return found


def case_of(x: Declaration) -> str:
    return str(x.case)
