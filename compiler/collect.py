"""Collect declarations.

In:  the syntax nodes of a book's files.
Out: a flat list of entries, each declaration with the case, overlay, provenance and guards it stands under.
Reports: RW110 a declaration outside a case, RW111 `covers` with no declaration before it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from rulewright.dsl import nodes as n
from rulewright.dsl.diagnostics import Reporter
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

    `overlay` brought it, and `touched` says which overlays changed it since. In an overlay `sort`
    is the kind that its case states, and `already` that the book is said to hold it.
    """

    node: n.Decl
    case: str
    title: str = ""
    overlay: str = ""
    house: bool = False
    under: tuple[n.Expr, ...] = ()
    covers: tuple[str, ...] = ()
    sort: str = ""
    already: bool = False
    touched: tuple[Touch, ...] = ()

    @property
    def name(self) -> str:
        return declared_name(self.node)


@dataclass(slots=True)
class Collected:
    book: n.Book | None
    uses: list[str]
    entries: list[Entry]
    overlays: dict[str, n.Overlay]
    cases: dict[str, tuple[str, n.Case]]


def collect(decls: Iterable[n.Decl], report: Reporter, overlay: str = "") -> Collected:
    """Flatten the declarations of a book, or of one overlay's body."""
    found = Collected(None, [], [], {}, {})
    for decl in decls:
        match decl:
            case n.Book():
                found.book = found.book or decl
            case n.Use():
                found.uses.append(decl.name)
            case n.Overlay():
                found.overlays[decl.name] = decl
            case n.Case():
                report.case = decl.id
                found.cases.setdefault(decl.id, (decl.title, decl))
                inner = flatten(decl.body, decl.id, decl.title, overlay, report)
                if decl.sort:
                    inner = [replace(e, sort=e.sort or decl.sort, already=e.already or decl.already) for e in inner]
                found.entries.extend(inner)
                report.case = ""
            case n.Note():
                pass
            case _:
                report.error(
                    "RW110",
                    decl.span,
                    "this declaration belongs to no case",
                    help='put it into a block that opens with case NUMBER "Title":',
                )
    return found


def flatten(
    body: Iterable[n.Decl],
    case: str,
    title: str,
    overlay: str,
    report: Reporter,
    under: tuple[n.Expr, ...] = (),
    house: bool = False,
) -> list[Entry]:
    entries: list[Entry] = []
    for decl in body:
        match decl:
            case n.Note():
                continue
            case n.Under():
                entries += flatten(decl.body, case, title, overlay, report, (*under, decl.guard), house)
            case n.House():
                entries += flatten((decl.decl,), case, title, overlay, report, under, True)
            case n.Covers():
                if not entries:
                    report.error(
                        "RW111",
                        decl.span,
                        "this covers line has no declaration before it",
                        help="write it right after the declaration that carries those cases",
                    )
                    continue
                last = entries[-1]
                entries[-1] = replace(last, covers=last.covers + decl.cases)
            case n.Case():
                entries += flatten(decl.body, decl.id, decl.title, overlay, report, under, house)
            case _:
                entries.append(Entry(node=decl, case=case, title=title, overlay=overlay, under=under, house=house))
    return entries


def declared_name(node: n.Decl) -> str:
    """The name by which amendments find a declaration."""
    match node:
        case n.Define() | n.Remember() | n.Quota() | n.Grow() | n.Route() | n.Matching() | n.Action():
            return node.name
        case n.Procedure() | n.Table() | n.Data() | n.Mark() | n.Duty() | n.Invariant() | n.Box():
            return node.name
        case n.Kind() | n.Scale() | n.Record() | n.Unclear():
            return node.name
        case n.Add():
            return node.name
        case n.Except() | n.Instead():
            return node.target.name or ""
        case n.Rule():
            return node.label or node.target or ""
        case n.Trigger():
            return node.event.name if node.event else ""
        case n.Field():
            return node.names[0]
        case n.Example():
            return node.title
        case _:
            return ""
