"""Types and places of the rules as texts: what generated modules and words name them by.

In:  a type, an answer, or a place in a rulebook.
Out: its text; the interpreter says the same.
"""

from __future__ import annotations

from rulewright.dsl.source import Span

from . import nodes as c
from .types import Type


def type_text(t: Type, book: c.Book | None = None) -> str:
    """A type as the runtime reads it; a book knows what its plans sort onto what."""
    if t.of is not None:
        return f"{t.sort}:{type_text(t.of, book)}"
    if t.sort in ("kind", "scale", "record"):
        return f"{t.sort}:{t.name}"
    if t.name == "plan" and book is not None and t.via in book.matchings:
        m = book.matchings[t.via]
        return f"plan:{type_text(m.items.type.of or m.items.type)}|{type_text(m.targets.type.of or m.targets.type)}"
    return t.name


def record_texts(book: c.Book) -> dict[str, tuple[tuple[str, str], ...]]:
    """The members of every record with their types."""
    return {name: tuple((m, type_text(t, book)) for m, t in members) for name, members in book.records.items()}


def answer_text(book: c.Book, ask: c.Ask) -> str:
    """The type of an answer, with what a plan sorts onto what and what shares are given to."""
    if ask.type.name == "shares" and ask.source is not None and ask.source.type.of is not None:
        return f"shares:{type_text(ask.source.type.of)}"
    return type_text(ask.type, book)


def file_line(span: Span) -> str:
    return f"{span.file.rpartition('/')[2]}:{span.line}"
