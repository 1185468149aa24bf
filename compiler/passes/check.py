"""What must hold of the core; no pass here changes it."""

from __future__ import annotations

from dataclasses import replace

from rulewright.dsl.diagnostics import Reporter

from ..analyse import dependencies, order_exceptions, possible_conflicts
from ..analyse.references import References
from ..check import (
    assertions,
    cases,
    counters,
    doctrines,
    flow,
    loops,
    margins,
    monotone,
    phases,
    reach,
    secrets,
    shown,
    styles,
    usage,
    veils,
    wordings,
)
from ..check import map as maps
from ..check import overlay_kinds as kinds
from ..check.checked_expressions import checked_expressions
from ..core import nodes as c
from ..overlay.stack import Layer
from ..read.inventory import printed_cases
from .compiled import Compiled, given, stop_on_errors
from .elaborate import declare, elaborate, schema
from .read import amend


def order(made: Compiled) -> Compiled:
    """Find exceptions that contradict one another.

    In:  `book`.
    Reports: RW303 two exceptions that can apply together, neither outranking the other.
    """
    order_exceptions.order(given(made.book), made.report)
    return made


def check_conflicts(made: Compiled) -> Compiled:
    """Find positions that show a conflict of exceptions.

    In:  `book`.
    Reports: RW313.
    """
    possible_conflicts.possible_conflicts(given(made.book), made.report, made.memory)
    return made


def depend(made: Compiled) -> Compiled:
    """Find what every definition reads.

    In:  `book`.
    Out: `depends`, and `checked_expressions`, the expressions that checks of the whole book ask about.
    """
    book = given(made.book)
    depends = dependencies.Depends(book, made.memory)
    return replace(made, depends=depends, checked_expressions=checked_expressions(book, made.memory))


def check_circles(made: Compiled) -> Compiled:
    """Find definitions that ask one another in a circle.

    In:  `book` and `depends`.
    Reports: RW304.
    """
    dependencies.check_circles(given(made.book), given(made.depends), made.report)
    return made


def check_loops(made: Compiled) -> Compiled:
    """Find what would not end.

    In:  `book` and `checked_expressions`.
    Reports: RW305 procedures in a circle, RW306 a bound that is none, RW307, RW308 a set that does not grow.
    """
    loops.check_loops(given(made.book), made.checked_expressions, made.report)
    return made


def check_more_helps(made: Compiled) -> Compiled:
    """Check that more items help where a matching says so.

    In:  `book`.
    Reports: RW309.
    """
    monotone.check_more_helps(given(made.book), made.report)
    return made


def check_cases(made: Compiled) -> Compiled:
    """Find citations that lead nowhere.

    In:  `entries`, `book`, and the inventories beside `sources`.
    Reports: RW113.
    """
    declared, printed = set(given(made.book).cases), printed_cases(made.sources, made.file_marks)
    cases.check_cases(given(made.entries), declared, printed, made.report)
    return made


def check_phases(made: Compiled) -> Compiled:
    """Find phases, actions and triggers that never come up.

    In:  `book`.
    Reports: RW505 a phase that nothing runs, RW508 a condition that never holds, RW509 an action out of its time.
    """
    phases.check_phases(given(made.book), made.report)
    return made


def check_flow(made: Compiled) -> Compiled:
    """Find what reads well and plays wrongly.

    In:  `entries`, `book` and `checked_expressions`.
    Reports: RW507, RW510, RW511, RW512.
    """
    flow.check_flow(given(made.entries), given(made.book), made.checked_expressions, made.report, made.memory)
    return made


def check_secrets(made: Compiled) -> Compiled:
    """Find ways by which a side would learn a secret.

    In:  `book` and `depends`.
    Reports: RW601 to RW604.
    """
    secrets.check_secrets(given(made.book), given(made.depends), made.report)
    return made


def check_usage(made: Compiled) -> Compiled:
    """Find rules that would do nothing.

    In:  `book`, `symbols` and `checked_expressions`.
    Reports: RW501 to RW506.
    """
    usage.check(given(made.book), given(made.symbols), made.checked_expressions, made.report, made.memory)
    return made


def check_rules_stay(made: Compiled) -> Compiled:
    """Find doctrines that would change rules.

    In:  `layers`.
    Reports: RW801.
    """
    doctrines.check_rules_stay((layer for _, layer in made.layers), made.report)
    return made


def check_doctrine(made: Compiled) -> Compiled:
    """Find cases of a doctrine that never choose, and those that look at secrets.

    In:  `book` and `depends`.
    Reports: RW806, RW807.
    """
    doctrines.check_doctrine(given(made.book), given(made.depends), made.report)
    return made


def check_words(made: Compiled) -> Compiled:
    """Find phrases that nobody will see, or that would be filled wrongly, and what cannot be shown or told as a margin.

    In:  `book`.
    Reports: RW138 a phrase of nothing, RW139 a parameter that is not there or is left out, RW148, RW149,
             RW605 a veil of nothing, RW602 what is veiled and decides a choice.
    """
    wordings.check_words(given(made.book), made.report)
    shown.check_shown(given(made.book), made.report)
    veils.check_veils(given(made.book), made.report)
    veils.check_sight(given(made.book), made.report)
    margins.check_margins(given(made.book), made.report)
    return made


def check_styles(made: Compiled) -> Compiled:
    """Find looks of nothing.

    In:  `book`.
    Reports: RW141 a look of something that is not there.
    """
    styles.check_styles(given(made.book), made.report)
    return made


def check_drawn(made: Compiled) -> Compiled:
    """Find what is drawn without a look.

    In:  `book`.
    Reports: RW708.
    """
    if not made.report.failed:
        styles.check_drawn(given(made.book), made.report)
    return made


def check_reach(made: Compiled) -> Compiled:
    """Find rules that no game comes to, and examples that never come to the rules of their case.

    In:  `book`.
    Reports: RW513, RW516.
    """
    if made.report.failed:  # remarks are for a book that stands
        return made
    book = given(made.book)
    references = References(book, made.memory)
    reach.check_reach(book, references, made.report)
    assertions.check_assertions(book, references, made.report, made.memory)
    return made


def check_counters(made: Compiled) -> Compiled:
    """Hold the counters against the words that the rules ask for.

    In:  `book`.
    Reports: RW514, RW515, RW517, RW518.
    """
    if not made.report.failed:
        counters.check_counters(given(made.book), made.report, made.memory)
    return made


def check_lines(made: Compiled) -> Compiled:
    """Find lines of the map that no rule follows.

    In:  `entries`, `book` and `checked_expressions`.
    Reports: RW707.
    """
    maps.check_lines(given(made.entries), given(made.book), made.checked_expressions, made.report)
    return made


def check_kinds(made: Compiled) -> Compiled:
    """Find overlays that are not of the kind that they say.

    In:  `layers`, `entries` and `book`.
    Reports: RW406 a clarification that changes play, another kind that does not.
    """

    def core_of(layers: tuple[Layer, ...]) -> c.Book | None:
        """The same book under another stack, None where that does not stand; its findings are nobody's."""
        other = replace(made, layers=layers, report=Reporter(), memory=made.memory.aside())
        for step in (amend, stop_on_errors, schema, declare, elaborate, stop_on_errors):
            other = step(other)
            if other.stopped:
                return None
        return other.book

    kinds.check_kinds(made.layers, given(made.entries), given(made.book), core_of, made.report)
    return made
