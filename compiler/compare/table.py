"""The comparison: one concept, all books.

In:  a concept, and rule sets.
Out: for each its answers in words and its traits; and which traits some have and others lack.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rulewright.dsl.diagnostics import choose

from ..core import nodes as c
from ..pages.html import short
from ..words.expressions import Words
from ..words.phrases import phrases_of
from ..words.said import Said
from .answers import Answer, answers, named
from .concepts import WIN, BadConcepts, Concept, own_file, own_names
from .traits import Traits


@dataclass(frozen=True, slots=True)
class OfBook:
    """What one book says of the concept."""

    name: str
    title: str
    answers: tuple[Answer, ...]
    traits: Mapping[str, tuple[str, ...]]
    """What is proved of it, each with the cases that show it."""
    lacks: str
    """Why there is nothing to say; empty where there is something."""


@dataclass(frozen=True, slots=True)
class Comparison:
    concept: Concept
    books: tuple[OfBook, ...]

    @property
    def shared(self) -> list[str]:
        """The traits that all books have that know the concept."""
        those = self.speaking
        return [t for t in those[0].traits if all(t in b.traits for b in those)] if those else []

    @property
    def speaking(self) -> list[OfBook]:
        """The books that know the concept."""
        return [b for b in self.books if not b.lacks]

    @property
    def differences(self) -> list[tuple[str, dict[str, tuple[str, ...]]]]:
        """The traits that some books have and others do not, with those that have them and the cases there."""
        those = self.speaking
        every = dict.fromkeys(t for b in those for t in b.traits)
        found = [(t, {b.name: b.traits[t] for b in those if t in b.traits}) for t in every]
        return [(t, names) for t, names in found if len(names) < len(those)]

    def as_json(self) -> dict[str, Any]:
        return {
            "concept": self.concept.name,
            "title": self.concept.title,
            "question": self.concept.question,
            "books": [
                {
                    "book": b.name,
                    "title": b.title,
                    "lacks": b.lacks or None,
                    "traits": {t: list(cases) for t, cases in b.traits.items()},
                    "answers": [
                        {
                            "sort": a.key[0],
                            "name": a.key[1],
                            "case": a.case,
                            "house": a.house,
                            "said": [tree(s) for s in a.said],
                        }
                        for a in b.answers
                    ],
                }
                for b in self.books
            ],
            "shared": self.shared,
            "differences": [
                {"trait": t, "books": {b: list(cases) for b, cases in names.items()}} for t, names in self.differences
            ],
        }


def tree(s: Said) -> dict[str, Any]:
    return {"text": s.text, "items": [tree(x) for x in s.items]} if s.items else {"text": s.text}


def compared(concept: Concept, known: Mapping[str, Concept], books: Sequence[tuple[str, c.Book]]) -> Comparison:
    """The concept in each of these books, by name."""
    return Comparison(concept, tuple(of_book(concept, known, name, book) for name, book in books))


def of_book(concept: Concept, known: Mapping[str, Concept], name: str, book: c.Book) -> OfBook:
    w = Words(book, phrases_of(book))
    own = own_names(name, known)
    check_names(own, name, book)
    for concept_name, names in of_series(known, book).items():
        own[concept_name] = tuple(dict.fromkeys((*own.get(concept_name, ()), *names)))
    found = {x.name: answers(book, w, x, own.get(x.name, ())) for x in known.values()}
    mine = found[concept.name]
    if not mine:
        sought = [x for x in (*concept.names, *own.get(concept.name, ())) if x != WIN]
        lacks = f"none of its declarations is called {' or '.join(sought)}" if sought else "no side ever wins in it"
        return OfBook(short(name), book.title, (), {}, lacks)
    traits = Traits(book, w, known, found).of(concept)
    return OfBook(short(name), book.title, tuple(mine), traits, "")


def of_series(known: Mapping[str, Concept], book: c.Book) -> dict[str, tuple[str, ...]]:
    """The names that the series below a book answers a concept by, as far as the book has taken them over."""
    found: dict[str, tuple[str, ...]] = {}
    for mark in sorted({case.partition(" ")[0] for case in book.cases if " " in case}):
        for concept, names in own_names(mark, known).items():
            here = tuple(x for x in names if x == WIN or any(named(book, x)))
            found[concept] = (*found.get(concept, ()), *here)
    return found


def check_names(own: Mapping[str, tuple[str, ...]], name: str, book: c.Book) -> None:
    """Every name of a book's own file is there."""
    for concept, names in own.items():
        for x in names:
            if x != WIN and not any(named(book, x)):
                every = {*book.definitions, *book.routes, *book.actions, *book.procedures, *book.tables, *book.duties}
                help = choose(x, sorted(every), "names") or "strike it"
                raise BadConcepts(f'{own_file(name)}: {concept} names "{x}", which {short(name)} does not have; {help}')
