"""What is found out about a book once, however often it is asked for.

In:  a function of a book.
Out: the same function, which remembers its answers for the last few books.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TypeVar

from ..core import nodes as c

Found = TypeVar("Found")
MOST = 8
"""So many books are remembered."""


def once_a_book(make: Callable[[c.Book], Found]) -> Callable[[c.Book], Found]:
    """Remember what is found out about a book, known by the very object that it is."""
    known: dict[int, tuple[c.Book, Found]] = {}

    @wraps(make)
    def find(book: c.Book) -> Found:
        held = known.get(id(book))
        if held is None or held[0] is not book:
            if len(known) > MOST:
                known.clear()
            held = known[id(book)] = (book, make(book))
        return held[1]

    return find
