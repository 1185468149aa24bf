"""Resolve names that are declared more than once, by the type that the compiler gave each use.

In:  the book in the core.
Out: by file, line and end column of an expression, what its last word refers to: a value of a kind, a field or mark of
     an owner, a member of a record.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from rulewright.dsl import nodes as n

from ..core import nodes as c
from ..core.types import PRIMITIVES, Type
from ..core.walk import declared, top_exprs

Meaning = tuple[str, str]
Meanings = dict[tuple[str, int, int], Meaning]


def meanings(book: c.Book) -> Meanings:
    """What the expressions of a book refer to, as far as their types decide it."""
    found: Meanings = {}
    for top in exprs(book):
        for e in top.walk():
            meaning = meaning_of(e)
            if meaning is not None:
                found[e.span.file, e.span.end_line, e.span.end_column] = meaning
            if isinstance(e, c.Call):
                found[e.span.file, e.span.line, e.span.column + len(e.name)] = ("call", "")
    return found


def exprs(book: c.Book) -> Iterator[c.Expr]:
    for x in declared(book):
        yield from top_exprs(x)
    for example in book.examples:
        yield from (e for line in example.lines for e in line.exprs)


def meaning_of(e: c.Expr) -> Meaning | None:
    """What the last word of an expression refers to; None where a name of its sort cannot be ambiguous."""
    e = c.known(e)
    match e:
        case c.Const():
            return ("value", e.type.plain.name) if e.type.plain.sort in ("kind", "scale") else None
        case c.MarkOf():
            return None if e.of is None else ("mark", owner(e.of.type))
        case c.FieldOf():
            return "field", owner(e.of.type)
        case c.Member():
            return "part", e.of.type.plain.name
        case c.Call():
            return "call", ""
        case c.Local() | c.Usual() | c.Keep() | c.Bound() | c.Reading() | c.InPhase() | c.Total() | c.PlaceOf():
            return None
        case c.Named() | c.OnScale() | c.Shifted() | c.Rank() | c.Other() | c.Binary() | c.Not() | c.Negative():
            return None
        case c.Between() | c.Within() | c.IsIn() | c.SetOf() | c.ListOf() | c.Range() | c.FirstOf():
            return None
        case c.Tested() | c.Filter() | c.Folded() | c.Suppose() | c.Choose():
            return None
        case _:
            assert_never(e)


def owner(type: Type) -> str:
    inner = type.of if type.many and type.of is not None else type
    return inner.plain.name


def fits(node: n.Decl, meaning: Meaning) -> bool:
    """Whether a declaration is a candidate for a use."""
    sort, of = meaning
    match node:
        case n.Kind() | n.Scale() | n.Unclear():
            return sort == "value" and node.name == of
        case n.Field():
            return sort == "field" and same_owner(node.owner, of)
        case n.Mark():
            return sort == "mark" and same_owner(node.owner, of)
        case n.Record():
            return sort == "part" and node.name == of
        case n.Define() | n.Remember() | n.Grow() | n.Table():
            return sort == "call"
        case _:
            return False


def same_owner(written: str, type: str) -> bool:
    found = PRIMITIVES.get(written)
    return (found.name if found is not None else written) == type
