"""The names through which a data declaration is read, to find out whether anything reads it.

In:  a data declaration.
Out: the names by which rules and examples refer to its values.
"""

from __future__ import annotations

from typing import Any

from rulewright.dsl import nodes as n

from ..core import nodes as c
from ..core.entries import Entry

PLACES = frozenset({"hexes", "points", "neighbors", "distance", "units_at", "adjacent", "hex", "here", "there", "edge"})
TURNS = frozenset({"turns", "year", "month", "turn_number", "turn_after", "now"})


def data_names(entry: Entry, book: c.Book) -> set[str]:
    """The names by which others refer to a data declaration."""
    match entry.node:
        case n.Kind() | n.Scale():
            return {entry.node.name, *entry.node.values}
        case n.Record():
            return {entry.node.name}
        case n.Field():
            return {*entry.node.names}
        case n.Mark() | n.Box():
            return {entry.node.name}
        case n.Data(kind="map"):
            return {*PLACES, entry.node.name, "hex"}
        case n.Data(kind="calendar"):
            return {*TURNS, entry.node.name, "date"}
        case n.Data():
            span = entry.node.span
            units = {u.name for u in book.units if inside(u.span, span)}
            kinds = {str(value) for u in book.units if inside(u.span, span) for value in u.fields.values()}
            return {entry.node.name, *units, *(k for k in kinds if not k.isdigit())}
    return {entry.name} if entry.name else set()


def inside(one: Any, other: Any) -> bool:
    return bool(one.file == other.file and other.line <= one.line <= other.end_line)
