"""Texts in generated modules: types, answers, titles and places of the rulebook.

In:  a type, an answer, a title, or a place in a rulebook.
Out: its text in a generated module; the interpreter says the same.
"""

from __future__ import annotations

from rulewright.dsl.source import Span

from ..core import nodes as c
from ..core.texts import file_line, type_text
from ..core.types import NUMBER, Type

SAID: list[tuple[Span, str]] = []
"""The places that were named since a chunk was begun (see chunks.py)."""


def told_texts(book: c.Book) -> dict[str, tuple[tuple[str, ...], str]]:
    """The types of what a trace may name though it cannot be asked from outside: tables and least sets."""
    named: list[c.Table | c.Grow] = [*book.tables.values(), *book.grows.values()]
    return {x.name: (tuple(type_text(p.type, book) for p in x.params), type_text(x.type, book)) for x in named}


def member_text(e: c.Expr | None) -> str:
    """The type of a member of a set."""
    head, _, inner = type_text(e.type).partition(":") if e is not None else ("", "", "")
    return inner if head in ("set", "list") else head


def where(span: Span) -> str:
    """The file and line that generated code names; a chunk notes them down, for lines move."""
    SAID.append((span, file_line(span)))
    return SAID[-1][1]


ASKED_FOR = ("define", "quota", "facet", "memory")
"""The sorts of definitions that can be asked from outside."""


def asked_type(book: c.Book, d: c.Definition) -> Type:
    """What asking for a definition gives, or for what is remembered: how often a flag held is a number."""
    return NUMBER if d.sort == "memory" and book.memories[d.name].how == "counting" else d.type


def key_of(m: c.Memory) -> str:
    """What the only key of a memory is, where that is a unit or a place."""
    types = [p.type.plain.name for p in m.definition.params]
    return types[0] if types in (["unit"], ["place"]) else ""


def said(r: c.Rule) -> str:
    """What a rule without a label is called: its own words."""
    if r.label:
        return r.label
    text = " ".join(r.test.span.text.split())
    return f"needs {text}" if r.sort == "require" else text
