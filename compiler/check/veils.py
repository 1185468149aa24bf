"""Check what is veiled: each line names something that can be, and a definition that says from whom.

In:  the book in the core, and what everything in it reads.
Out: nothing.
Reports: RW605 a veil of nothing, or one that no definition of a unit (a hex) and a side lifts.
"""

from __future__ import annotations

from rulewright.dsl.diagnostics import Reporter, did_you_mean

from ..core import nodes as c
from ..core.shown import says_so, veil_key
from .wordings import below


def check_veils(book: c.Book, report: Reporter) -> None:
    """Report lines that keep nothing from anybody."""
    for x in book.veils:
        if below(book, x.overlay):
            continue
        report.case = x.case
        if veil_key(book, x.key) is None:
            message = f'"{x.key}" is no mark of hexes, and so nothing that can be veiled'
            marks = (f"{x.key.partition('.')[0]}.{name}" for owner, name in book.marks if owner == "place")
            near = did_you_mean(x.key, marks)
            report.error("RW605", x.span, message, help=near or "veil unit, or a mark of hexes: hex.dump")
        elif not says_so(book, x.key, x.by):
            first = "u: unit" if x.key == "unit" else "h: hex"
            message = f'"{x.by}" does not say what is kept from a side'
            near = did_you_mean(x.by, (name for name in book.definitions if says_so(book, x.key, name)))
            report.error("RW605", x.span, message, help=near or f"write define {x.by}({first}, s: side) -> flag: …")
    report.case = ""
