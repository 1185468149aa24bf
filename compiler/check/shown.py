"""Check what players have before them: each is a mark, a binding, or a value that can be listed.

In:  the book in the core.
Out: nothing.
Reports: RW148 a name of something that cannot be shown.
"""

from __future__ import annotations

from rulewright.dsl.diagnostics import Reporter, did_you_mean

from ..core import nodes as c
from ..core.shown import can_be_shown, state_key
from .wordings import below


def check_shown(book: c.Book, report: Reporter) -> None:
    """Report names that stand for nothing, and definitions of too much to list."""
    for x in book.shown:
        if state_key(book, x.key) is not None or below(book, x.overlay):
            continue
        report.case = x.case
        known = [*can_be_shown(book)]
        help = did_you_mean(x.key, known) or "name a mark, a binding, or a definition of nothing or of one side or kind"
        report.error("RW148", x.span, f'"{x.key}" is nothing that can be shown to players', help=help)
    report.case = ""
