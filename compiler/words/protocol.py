"""The protocol by which the parts of the writer of expressions ask for one another: none imports the other."""

from __future__ import annotations

from typing import Protocol

from ..core import nodes as c
from .english import Noun
from .phrases import Phrase
from .scope import Scope


class Writer(Protocol):
    """Whoever says expressions of a book; `place` is what a place of its map is called."""

    book: c.Book
    place: str

    def noun(self, e: c.Expr, scope: Scope) -> Noun: ...
    def clause(self, e: c.Expr, scope: Scope, positive: bool = True) -> str: ...
    def phrase(self, *keys: str) -> Phrase | None: ...
