"""Collect declarations.

In:  the syntax nodes of a book's files.
Out: a flat list of entries, each declaration with the case, overlay, provenance and guards it stands under.
Reports: RW110 a declaration outside a case, RW111 `covers` with no declaration before it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import partial

from rulewright.dsl import nodes as n
from rulewright.dsl.diagnostics import Reporter

from ..cache.incremental import Room
from ..core.entries import Entry


@dataclass(slots=True)
class Collected:
    book: n.Book | None
    uses: list[str]
    entries: list[Entry]
    overlays: dict[str, n.Overlay]
    cases: dict[str, tuple[str, n.Case]]
    marks: dict[str, str] = field(default_factory=dict)
    """The mark of each book here, by the name that it gives itself: empty for the one at hand."""


def collect(
    decls: Iterable[n.Decl], report: Reporter, overlay: str = "", room: Room | None = None, source: str = ""
) -> Collected:
    """Flatten the declarations of the book or library `source`, or of one overlay's body."""
    found = Collected(None, [], [], {}, {})
    room = room or Room()
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
                found.entries += room.work(
                    (decl, overlay), partial(case_entries, decl, overlay, report, source), report
                )
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


def case_entries(decl: n.Case, overlay: str, report: Reporter, source: str = "") -> list[Entry]:
    inner = flatten(decl.body, decl.id, decl.title, overlay, report)
    if decl.sort:
        inner = [replace(e, sort=e.sort or decl.sort, already=e.already or decl.already) for e in inner]
    return [replace(e, source=source) for e in inner] if source else inner


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
                entries.append(
                    Entry(node=decl, case=case, title=title, overlay=overlay, under=under, house=house, as_written=decl)
                )
    return entries
