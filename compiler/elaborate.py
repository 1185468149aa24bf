"""Elaborate declarations: from entries to the core.

In:  the entries of one rule set and the symbols they declare.
Out: the book in the core, each declaration with its case, exceptions and waivers in place.
Reports: RW204 an exception to nothing, RW301 a definition that may have no value, and what the
         expressions and statements find.
"""

from __future__ import annotations

from rulewright.dsl.diagnostics import Reporter

from . import core as c
from .collect import Entry
from .elaborate_examples import Examples
from .read_data import read_scenario
from .schema import Line
from .scope import Symbols


def elaborate(
    entries: list[Entry], symbols: Symbols, scenarios: list[tuple[Entry, dict[str, list[Line]]]], report: Reporter
) -> c.Book:
    """The whole book in the core."""
    return Elaborator(entries, symbols, report).run(scenarios)


class Elaborator(Examples):
    """All of it, in the order in which one thing rests on another."""

    def run(self, scenarios: list[tuple[Entry, dict[str, list[Line]]]]) -> c.Book:
        self._draft_bases()
        self._draft_rules()
        self._draft_others()
        self._draft_exceptions()
        self._draft_waivers()
        self._build_definitions()
        self._build_tables()
        self._build_routes()
        self._build_matchings()
        self._build_play()
        for entry, lines in first_choice(scenarios):
            self.report.case = entry.case
            made = read_scenario(entry, lines, self.symbols, self.report)
            if made is not None:
                self.book.scenarios[made.name] = made
        self._build_examples()
        self.report.case = ""
        return self.book


def first_choice(scenarios: list[tuple[Entry, dict[str, list[Line]]]]) -> list[tuple[Entry, dict[str, list[Line]]]]:
    """The scenarios of a rule set; the first is played where none is named. One that overlays bring goes before all."""
    brought = [x for x in scenarios if x[0].overlay]
    if len(brought) != 1:
        return scenarios
    return brought + [x for x in scenarios if not x[0].overlay]
