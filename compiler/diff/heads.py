"""Changes in the heads of overlays: the lines before the first case, about the overlay and its stacking.

In:  the overlays that two rule sets have.
Out: for each overlay that both have, each changed line of its head.

A head decides which overlays may be stacked and in which order; how a stack plays is decided by cases alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rulewright.dsl import nodes as n
from rulewright.dsl.diagnostics import Reporter

from ..overlay.heads import Head, read_head
from ..overlay.stack import numbers
from .data import Change

PARTS = (
    "sort",
    "title",
    "kind",
    "source",
    "date",
    "includes",
    "requires",
    "excludes",
    "supersedes",
    "after",
    "priority",
)


def head_changes(
    ours: Mapping[str, n.Overlay], theirs: Mapping[str, n.Overlay]
) -> Iterator[tuple[Change, n.Overlay, n.Overlay]]:
    """The changes in the heads of overlays that both sides have, with the overlays."""
    for name in sorted(set(ours) & set(theirs)):
        old, new = ours[name], theirs[name]
        if written(old) == written(new):
            continue
        before, after = read_head(old, Reporter()), read_head(new, Reporter())
        case = next(iter(numbers(new) or numbers(old)), "")
        for part in PARTS:
            x, y = said(before, part), said(after, part)
            if x != y:
                kind = "added" if not x else "struck" if not y else "amended"
                yield Change(kind, "overlay", case, name, part, x, y), old, new


def written(overlay: n.Overlay) -> tuple[str, ...]:
    return overlay.sort, overlay.title, *(" ".join(line.text.split()) for line in overlay.heads)


def said(head: Head, part: str) -> str:
    """One part of a head in normal form; empty where it is absent. The order of lists does not count."""
    value = getattr(head, part)
    if isinstance(value, str):
        return value
    if isinstance(value, int):
        return str(value) if value else ""
    if part == "date":
        return "{:04}-{:02}-{:02}".format(*value) if value else ""
    return ", ".join(sorted(value))
