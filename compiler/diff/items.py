"""The items of the errata sheets between two rule sets, and which item caused each fact.

In:  two rule sets, and the facts between them.
Out: each overlay that only the second has in force, with its head and cases; and for each fact the items behind it.

An item is one case of an overlay. A fact belongs to the item that added its declaration, amended the changed part,
struck it, or changed the printed value; if several touched a declaration, to the one whose text has the new part.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from rulewright.dsl import nodes as n
from rulewright.dsl.diagnostics import Reporter
from rulewright.dsl.source import Span

from ..core.entries import Entry, Touch, declared_name
from ..overlay.heads import MONTHS, Head, read_head
from ..pipeline import Compiled
from ..read.collect import collect


@dataclass(frozen=True, slots=True)
class Item:
    """One case of a sheet."""

    overlay: str
    case: str
    title: str
    nature: str
    already: bool

    def as_json(self) -> dict[str, Any]:
        return {
            "overlay": self.overlay,
            "case": self.case,
            "title": self.title,
            "nature": self.nature,
            "already": self.already,
        }


@dataclass(frozen=True, slots=True)
class Sheet:
    """An overlay that only the second rule set has in force."""

    head: Head
    items: tuple[Item, ...]
    entries: tuple[Entry, ...]

    @property
    def told(self) -> str:
        """Title, kind, source and date on one line."""
        date = day(self.head.date) if self.head.date else ""
        parts = (self.head.title or self.head.name, self.head.kind, self.head.source, date)
        return ", ".join(x for x in parts if x)

    def as_json(self) -> dict[str, Any]:
        h = self.head
        date = "-".join(f"{x:02}" for x in h.date) if h.date else None
        return {
            "name": h.name, "sort": h.sort, "title": h.title or None, "nature": h.kind, "source": h.source or None,
            "date": date, "items": [i.as_json() for i in self.items],
        }  # fmt: skip


def day(date: tuple[int, int, int]) -> str:
    year, month, number = date
    return " ".join(x for x in (str(number) if number else "", MONTHS[month - 1] if month else "", str(year)) if x)


def sheets(a: Compiled, b: Compiled) -> list[Sheet]:
    """The overlays that only the second rule set has in force, in their order."""
    assert a.book is not None and b.book is not None
    found = []
    for name in b.book.overlays:
        overlay = b.overlays.get(name)
        if name in a.book.overlays or overlay is None:
            continue
        head = read_head(overlay, Reporter())
        entries = tuple(collect(overlay.body, Reporter(), name).entries)
        items: dict[str, Item] = {}
        for case in overlay.body:
            if isinstance(case, n.Case):
                items[case.id] = Item(name, case.id, case.title, case.sort or head.kind, bool(case.already))
        found.append(Sheet(head, tuple(items.values()), entries))
    return found


class Origins:
    """Finds the items behind facts."""

    def __init__(self, found: list[Sheet]) -> None:
        self.items = {(i.overlay, i.case): i for s in found for i in s.items}
        self.entries = [e for s in found for e in s.entries if not e.already]

    def of(self, f: Any) -> tuple[Item, ...]:
        """The items that caused a fact."""
        named = [self.items[k] for k in self.keys(f) if k in self.items]
        return tuple(dict.fromkeys(named))

    def keys(self, f: Any) -> Iterator[tuple[str, str]]:
        if not self.items:
            return
        new: Entry | None = f.new
        if f.element in ("unit", "map feature", "set-up", "map", "calendar", "scenario", "phrase", "look"):
            yield from self.data(f)
        if new is not None:
            touched = [t for t in new.touched if (t.overlay, t.case) in self.items]
            near = [t for t in touched if self.made(t, f)]
            if new.overlay and not near:
                yield new.overlay, new.case
            yield from ((t.overlay, t.case) for t in near or touched)
        elif f.element == "case" and f.kind == "added":
            yield from (k for k in self.items if k[1] == f.case)
        else:
            yield from self.amending(f)

    def made(self, touch: Touch, f: Any) -> bool:
        """Whether the new text of a fact is in the item that touched the declaration."""
        part = f.part.after if f.part is not None else None
        if f.element == "cell":
            return False
        return isinstance(part, n.Node) and inside(part.span, touch.span)

    def data(self, f: Any) -> Iterator[tuple[str, str]]:
        """The items that changed a counter, a hex, or a block of data."""
        names = {x.strip() for x in (*f.name.split(","), *f.where.split(","))}
        hits = False
        for e in self.entries:
            match e.node:
                case n.AmendPrinted() if printed_by(e.node, f, names):
                    hits = True
                    yield e.overlay, e.case
        if hits:
            return
        for e in self.entries:
            target = getattr(e.node, "target", None)
            if (
                isinstance(target, n.Target) and f.case in target.cases and not isinstance(e.node, n.Except | n.Waive)
            ) or (isinstance(e.node, n.Data) and (e.case == f.case or e.node.name in names)):
                yield e.overlay, e.case

    def amending(self, f: Any) -> Iterator[tuple[str, str]]:
        """The items that struck, moved or renamed a declaration that no longer exists."""
        old: Entry | None = f.old
        gone = declared_name(old.node) if old is not None else ""
        for e in self.entries:
            target = getattr(e.node, "target", None)
            match e.node:
                case n.Strike() | n.Replace() if isinstance(target, n.Target) and f.case in target.cases:
                    about = getattr(old.node, "target", None) if old is not None else None
                    if target.name is None or target.name in (gone, f.name, about):
                        yield e.overlay, e.case
                case n.MoveCase() | n.Rename():
                    if f.kind in ("renumbered", "renamed", "moved"):
                        yield e.overlay, e.case


def printed_by(node: n.AmendPrinted, f: Any, names: set[str]) -> bool:
    """Whether an amendment of something printed is behind a fact about these names."""
    if f.element == "set-up":
        return node.unit and node.thing in names and node.scenario == f.name
    if f.element == "unit" and f.where == "start":
        return node.unit and node.thing in names and node.field == "hex" and node.scenario is None
    if f.element == "map feature" and f.name == f"side {node.field}":
        sides = {x.strip() for x in (*f.before.split(","), *f.after.split(","))}
        return "/".join(sorted(node.thing.split("/"))) in sides
    return node.thing in names and node.field in (*f.where.split(", "), f.name)


def inside(span: Span, outer: Span) -> bool:
    return span.origin is outer.origin and (
        (outer.row, outer.column) <= (span.row, span.column)
        and (span.end_row, span.end_column) <= (outer.end_row, outer.end_column)
    )
