"""Carry out the amendments of rows, lines, columns, cells and items.

In:  one amendment and the rule set as it stands.
Out: the rule set with the rows changed (see amend_rows.py).
Reports: RW401 a declaration without rows, RW402 a row that is not there.
"""

from __future__ import annotations

from rulewright.dsl import nodes as n

from ..core.entries import declared_name
from .amend_rows import NotThere, Rowed, changed
from .stacked import Stacked


def change_rows(on: Stacked, node: n.Rows) -> None:
    hits = on.hits(node.target)
    found = [i for i in hits if isinstance(on.entries[i].node, Rowed)]
    if hits and not found:
        return no_rows(on, node)
    if len(found) != 1:
        return on.missed(node.target, len(found))
    old = on.entries[found[0]].node
    assert isinstance(old, Rowed)
    try:
        wanted, spots = changed(old, node)
    except NotThere as error:
        if not rows_changed_below(on, found[0], node):
            on.report.error("RW402", error.span, error.message, help=on.as_it_stands(error.help))
        return None
    new = on.known(("rows", old, node), lambda: wanted)
    for spot in spots:
        on.change(found[0], new, spot, node.span)
    return None


def no_rows(on: Stacked, node: n.Rows) -> None:
    """What stands there has the name, but nothing of the sort that is to be changed."""
    name = node.target.name
    others = [e.case for e in on.entries if isinstance(e.node, Rowed) and declared_name(e.node) == name]
    there = f"a table, kind or data block of that name stands in case {', '.join(others)}"
    on.report.error(
        "RW401",
        node.target.span,
        f'"{name or node.target.cases[0]}" has no {node.what}s in case {node.target.cases[0]}',
        help=there if others else "name a table, a kind, or a block of data such as a roster",
    )


def rows_changed_below(on: Stacked, at: int, node: n.Rows) -> bool:
    assert on.head is not None
    for other in on.entries[at].touched:
        before = other.before
        if other.overlay == on.head.name or not isinstance(before, Rowed):
            continue
        try:
            changed(before, node)
        except NotThere:
            continue
        on.conflict(other, node.span, f"{on.entries[at].case} {declared_name(before)}".strip())
        return True
    return False
