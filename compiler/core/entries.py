"""Entries: the declarations of a rule set, each with the case, overlay and provenance that it stands under."""

from __future__ import annotations

from dataclasses import dataclass

from rulewright.dsl import nodes as n
from rulewright.dsl.source import Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Touch:
    """What an overlay's case did to a declaration: at which spot of it, and how it read before."""

    overlay: str
    case: str
    spot: tuple[object, ...]
    before: n.Decl
    span: Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One declaration and what it stands under.

    `source` is the book or library that it stands in. `overlay` brought it, and `touched` says which overlays
    changed it since. In an overlay `sort`
    is the kind that its case states, and `already` that the book is said to hold it.
    """

    node: n.Decl
    case: str
    title: str = ""
    overlay: str = ""
    source: str = ""
    house: bool = False
    under: tuple[n.Expr, ...] = ()
    covers: tuple[str, ...] = ()
    sort: str = ""
    already: bool = False
    touched: tuple[Touch, ...] = ()
    as_written: n.Decl | None = None

    @property
    def name(self) -> str:
        return declared_name(self.node)


def declared_name(node: n.Decl) -> str:
    """The name by which amendments find a declaration."""
    match node:
        case n.Define() | n.Remember() | n.Quota() | n.Grow() | n.Route() | n.Matching() | n.Action():
            return node.name
        case n.Preview() | n.Procedure() | n.Table() | n.Data() | n.Mark() | n.Duty() | n.Invariant() | n.Box():
            return node.name
        case n.Kind() | n.Scale() | n.Record() | n.Unclear():
            return node.name
        case n.Add():
            return node.name
        case n.Except() | n.Instead():
            return node.target.name or ""
        case n.Rule():
            return node.label or node.target or ""
        case n.Prefer():
            return node.target
        case n.Trigger():
            return node.event.name if node.event else ""
        case n.Field():
            return node.names[0]
        case n.Example():
            return node.title
        case _:
            return ""
