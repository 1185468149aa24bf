"""Columns of the state whose change may fire a trigger.

In:  the book, and the dependencies.
Out: names of columns. After a statement that writes one of them a trigger may step in; after any other none can.
"""

from __future__ import annotations

from ..core import nodes as c
from ..core.walk import waiver_exprs
from .dependencies import Depends, column_name


def trigger_columns(book: c.Book, depends: Depends) -> set[str]:
    """What conditions of triggers depend on, through memories and marks that lapse."""
    risky: set[str] = set()
    changes = {t.event[1] for t in book.triggers if t.event[0] == "change"}
    for t in book.triggers:
        if t.event[0] == "soon" and t.guard is not None:
            risky |= depends.of([t.guard, *(x for w in t.waivers for x in waiver_exprs(w))])
        if t.event in (("happens", "enter"), ("happens", "leave")):
            risky.add("at")
    for name in changes:
        risky |= depends.named("define", name)
    before = 0
    while len(risky) > before:
        before = len(risky)
        for name, m in book.memories.items():
            if m.how in ("always", "ever") and f"past_{name}" in risky:
                risky |= depends.named("define", name)
        for mark in book.marks.values():
            if mark.until_test is not None and column_name(mark.owner.name, mark.name) in risky:
                risky |= depends.of([mark.until_test])
    return risky
