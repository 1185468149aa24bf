"""Check what scenarios name as their margin: a number of each side.

In:  the book in the core.
Out: nothing.
Reports: RW149 a margin that is no number of a side.
"""

from __future__ import annotations

from rulewright.dsl.diagnostics import Reporter, did_you_mean

from ..core import nodes as c
from ..core.shown import margins


def check_margins(book: c.Book, report: Reporter) -> None:
    """Report margins that stand for nothing, or for something else than a number of a side."""
    known = [*margins(book)]
    for scenario in book.scenarios.values():
        if scenario.margin and scenario.margin not in known:
            report.case = scenario.case
            help = (
                did_you_mean(scenario.margin, known) or "name a definition of one side that gives a number, or a mark"
            )
            message = f'the margin of the scenario {scenario.name}, "{scenario.margin}", is no number of a side'
            report.error("RW149", scenario.span, message, help=help)
    report.case = ""
