"""Facts of overlay heads: what an overlay says about itself and what it goes with.

In:  the overlays that two rule sets know.
Out: for each overlay that both know, each line of its head that says something else.

A head decides which rule sets may be stacked and in which order; how a stacked one plays is told by its cases.
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
    """What changed in the heads of overlays that both sides know, with the overlays."""
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
    """What a head says of one part, in one form; empty where it says nothing. Lists are sets of names."""
    value = getattr(head, part)
    if isinstance(value, str):
        return value
    if isinstance(value, int):
        return str(value) if value else ""
    if part == "date":
        return "{:04}-{:02}-{:02}".format(*value) if value else ""
    return ", ".join(sorted(value))
