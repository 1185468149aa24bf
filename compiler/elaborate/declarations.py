"""Elaborate declarations: from entries to the core.

In:  the entries of one rule set and the symbols they declare.
Out: the book in the core, each declaration with its case, exceptions and waivers in place.
Reports: RW204 an exception to nothing, RW301 a definition that may have no value, and what the
         expressions and statements find.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rulewright.dsl import nodes as n
from rulewright.dsl.diagnostics import Reporter

from ..cache.incremental import Memory
from ..core import nodes as c
from ..core.entries import Entry
from ..core.maps import numbers_of
from ..read.amend_printed import amend_placed, check_scenarios
from ..read.scenarios import read_scenario
from ..read.schema import Line
from ..read.symbols import Signature, Symbols
from .defeats import draft_exceptions, draft_waivers
from .doctrines import build_doctrine
from .examples import Examples
from .previews import build_previews

Unread = tuple[Entry, dict[str, list[Line]]]
"""A scenario whose lines are of the right shape."""


def elaborate(
    entries: list[Entry],
    symbols: Symbols,
    scenarios: list[Unread],
    report: Reporter,
    memory: Memory | None = None,
    layers: Sequence[n.Overlay] = (),
) -> c.BookDraft:
    """The whole book in the core; of the overlays in force, a doctrine says how somebody plays it."""
    return Elaborator(entries, symbols, report, memory).run(scenarios, layers)


class Elaborator(Examples):
    """All of it, in the order in which one thing depends on another."""

    def run(self, scenarios: list[Unread], layers: Sequence[n.Overlay] = ()) -> c.BookDraft:
        self._draft_bases()
        self._draft_rules()
        self._draft_others()
        draft_exceptions(self)
        draft_waivers(self)
        names = interface(self.symbols)
        self.room = self.memory.room("elaborate definitions", names)
        self._build_definitions()
        self._build_tables()
        self._build_routes()
        self._build_matchings()
        plans = [(name, m.targets.type) for name, m in self.book.matchings.items()]
        self.room = self.memory.room("elaborate play", (names, plans))
        self._build_play()
        build_previews(self)
        self.book.doctrine = build_doctrine(self, layers)
        for entry, lines in first_choice(scenarios, self.report):
            self.report.case = entry.case
            made = read_scenario(entry, lines, self.symbols, self.report)
            if made is not None:
                self.book.scenarios[made.name] = amend_placed(made, self.entries, self.symbols, self.report)
        check_scenarios(self.entries, self.symbols, self.report)
        answers = [(a.name, a.type) for a in self.book.asks]
        stages = [(s.name, s.map) for s in self.book.scenarios.values()]
        rests_on = (names, plans, answers, stages, numbers_of(self.book.map))
        self.room = self.memory.room("elaborate examples", rests_on)
        self._build_examples()
        self.report.case = ""
        return self.book


def first_choice(scenarios: list[Unread], report: Reporter) -> list[Unread]:
    """The scenarios of a rule set; the first is played where none is named.

    That is the only one that overlays bring; else the one that says `default: yes`; else the one of the lowest case.
    """
    stated = [x for x in scenarios if "default" in x[1]]
    for entry, lines in stated[1:]:
        report.error(
            "RW123",
            lines["default"][0].span,
            f'two scenarios are the default one; "{stated[0][0].name}" of case {stated[0][0].case} says so too',
            help="strike one of the two default: lines",
            case=entry.case,
        )
    brought = [x for x in scenarios if x[0].overlay]
    first = brought if len(brought) == 1 else stated
    return first + [x for x in scenarios if x not in first]


def interface(symbols: Symbols) -> Any:
    """All that a body can see of the rest of the book: names in their order, with kinds, types and parameters.

    A body that is remembered was resolved against this; when it differs, every body is resolved anew.
    """
    book = symbols.book

    def signed(table: dict[str, Signature]) -> list[Any]:
        return [(name, s.sort, s.params, s.type) for name, s in table.items()]

    return (
        [*book.kinds.items()],
        [*book.scales.items()],
        [*book.records.items()],
        [(key, f.type) for key, f in book.fields.items()],
        [(key, m.type, m.start, m.owner) for key, m in book.marks.items()],
        [*book.bindings.items()],
        [*book.phases],
        [(name, u.readings) for name, u in book.unclear.items()],
        book.calendar,
        [*symbols.units.items()],
        [*symbols.places.items()],
        [*symbols.names.items()],
        [*symbols.shared.items()],
        [*symbols.layers],
        [*symbols.matchings.items()],
        signed(symbols.callables),
        signed(symbols.procedures),
        signed(symbols.actions),
    )
