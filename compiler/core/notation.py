"""Print values of a book in the core, in the one notation that the runtime has (runtime/notation.py).

In:  a value, its type in the core, and the book.
Out: its text as the language writes it (`shown`), or by name alone (`named`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rulewright.runtime.notation import label, show
from rulewright.runtime.program import printed_id

from . import nodes as c
from .texts import record_texts, type_text
from .types import Type

MOST_BOOKS = 8


@dataclass(frozen=True, slots=True)
class Board:
    places: tuple[str, ...]
    hexes: int


@dataclass(frozen=True, slots=True)
class BookNames:
    """The names of a book, as printing asks for them; `book` is held so that it stays the one that they are of."""

    book: c.Book
    units: tuple[str, ...]
    board: Board
    place_index: Mapping[str, int]
    scales: Mapping[str, tuple[str, ...]]
    turns: tuple[tuple[str, int, str], ...]
    records: Mapping[str, tuple[tuple[str, str], ...]]

    def words(self, kind: str) -> tuple[str, ...]:
        if kind in self.book.unclear:
            return tuple(reading for reading, _ in self.book.unclear[kind].readings)
        return tuple(self.book.kinds.get(kind, ()))


_KNOWN: dict[int, BookNames] = {}


def names_of(book: c.Book) -> BookNames:
    """The names of a book; of the last few books they are kept."""
    found = _KNOWN.get(id(book))
    if found is None:
        calendar = book.calendar
        found = BookNames(
            book=book,
            units=tuple(u.name for u in book.units),
            board=Board(tuple(book.places), book.hexes),
            place_index={
                **{printed_id(name): i for i, name in reversed([*enumerate(book.places)])},
                **{name: i for i, name in enumerate(book.places)},
            },
            scales={name: tuple(steps) for name, steps in book.scales.items()},
            turns=tuple((word, year, "") for word, year, _ in calendar.turns) if calendar is not None else (),
            records=record_texts(book),
        )
        while len(_KNOWN) >= MOST_BOOKS:
            del _KNOWN[next(iter(_KNOWN))]
        _KNOWN[id(book)] = found
    return found


def shown(value: Any, type: Type | None, book: c.Book) -> str:
    """A value as the language writes it."""
    return show(names_of(book), type_text(type.plain, book) if type is not None else "", value)


def named(value: Any, type: Type | None, book: c.Book) -> str:
    """A value as it is named in a heading or a list, and in the keys of a table."""
    return label(names_of(book), type_text(type.plain, book) if type is not None else "", value)
