"""Tell the cases of a book, of the series below it and of libraries apart.

In:  the declarations of one book, library or overlay as they are written; the cases that stand below it and in it.
Out: the same declarations, with every case as the whole rule set calls it: `ocs 12.5` where the text of the series
     says 12.5. The book at hand stays as it is written.
Reports: RW112 a mark that nothing here has, RW114 a number that only a series or library has, written without its mark.

This is the one place where a number gets its mark; everything behind it compares cases as whole words.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import replace
from typing import TypeVar

from rulewright.dsl import nodes as n
from rulewright.dsl.diagnostics import Reporter, choose

from ..cache.incremental import Room
from ..core.case_marks import mark_of, marked, number_of
from ..core.case_order import natural
from .case_numbers import CITES, DECLARES, declared_numbers, renumbered
from .collect import Collected

D = TypeVar("D", bound=n.Decl)


def marked_overlays(
    layers: Iterable[n.Overlay],
    collected: Collected,
    printed: set[str],
    room: Callable[[object], Room],
    report: Reporter,
) -> list[n.Overlay]:
    """Overlays with the marks of their cases: an overlay of the series speaks of the series in every game on it.

    `room` opens the cache of this pass, given all that its results depend on.
    """
    marks = [(layer, collected.marks.get(layer.of, "")) for layer in layers]
    known = {*collected.cases, *(e.case for e in collected.entries)}
    known |= {marked(mark, number) for layer, mark in marks for number in declared_numbers(layer)}
    cache = room((known, printed))
    return [Marks(mark, (layer,), known, printed, report).of(layer, cache) for layer, mark in marks]


class Marks:
    """What the numbers in one text mean.

    `mark` is that of the text, empty for the book at hand and for overlays of it. `known` are cases that stand
    elsewhere in the rule set, `printed` those of the inventories.
    """

    def __init__(
        self, mark: str, decls: Iterable[n.Decl], known: Collection[str], printed: Collection[str], report: Reporter
    ) -> None:
        self.mark, self.report = mark, report
        self.own = {marked(mark, number) for number in declared_numbers(tuple(decls))}
        self.known = frozenset(known)
        self.printed = frozenset(printed)
        self.case = ""
        self.names = {mark_of(case) for case in self.known} | {mark} - {""}

    def of(self, decl: D, room: Room) -> D:
        """A declaration with the marks of its cases; the same object as in the last compile where nothing changed."""
        return room.work((decl, self.mark), lambda: self.marked(decl), self.report)

    def marked(self, decl: D) -> D:
        if isinstance(decl, n.Overlay):
            body = tuple(map(self.marked, decl.body))
            return decl if all(x is y for x, y in zip(body, decl.body, strict=True)) else replace(decl, body=body)
        self.case = marked(self.mark, decl.id) if isinstance(decl, n.Case) else ""
        made: D = renumbered(decl, self.number)
        return made

    def common(self) -> tuple[object, ...]:
        """All that the marks of one declaration depend on."""
        return self.mark, self.own, self.known, self.printed

    def number(self, number: str, use: str, node: n.Node) -> str:
        """The case that a number means here."""
        if mark_of(number):
            if mark_of(number) not in self.names:
                self.foreign(number, node)
            return number
        case = marked(self.mark, number)
        if use == DECLARES or case in self.own or case in self.known or (use == CITES and case in self.printed):
            return case
        others = sorted((x for x in self.known if number_of(x) == number and mark_of(x)), key=natural)
        if not others:
            return case
        whose = " and ".join(map(mark_of, others))
        meant = " or ".join(f'"{x}"' for x in others)
        self.report.error(
            "RW114",
            node.span.find(number),
            f'"{number}" is a case of {whose}, and not of this text',
            help=f"write it with its name: did you mean {meant}?",
            case=self.case,
        )
        return others[0]

    def foreign(self, case: str, node: n.Node) -> None:
        mark, number = mark_of(case), number_of(case)
        names = sorted(self.names - {""})
        if names:
            message = f'nothing here is called "{mark}", and {case} would be a case of it'
            help = choose(mark, names, "series and libraries")
        else:
            message = f'there is no series and no library "{mark}" here'
            help = f"write {number}: without a name it is a case of this text"
        self.report.error("RW112", node.span.find(case), message, help=help, case=self.case)
