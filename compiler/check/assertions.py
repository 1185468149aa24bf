"""Find examples that prove nothing about the case that they stand in.

In:  the book in the core, and its graph of references.
Out: nothing.
Reports: RW516 an example without a line that can fail; a remark where one never comes to a rule of its case.

What an example can come to is followed through definitions, routes, procedures, actions and the triggers that they set
off. Cases that also print data (a map, counters, fields, boxes) are left alone: an example may read that anywhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from rulewright.dsl.diagnostics import Reporter

from ..analyse.references import References, Thing, speaks
from ..analyse.value_ranges import Foreseen
from ..cache.incremental import Memory
from ..core import nodes as c
from ..core.digest import Form


def check_assertions(book: c.Book, references: References, report: Reporter, memory: Memory) -> None:
    """Warn of examples that cannot fail, and tell of those that hold whatever the rules of their case say.

    The second is a remark: a case may hold by construction, and an example shows that it does.
    """
    spoken = speaks(book)
    things_of: dict[str, set[Thing]] = {}
    for thing, cases in spoken.items():
        for case in cases:
            things_of.setdefault(case, set()).add(thing)
    parts: dict[str, set[str]] = {}
    for case in things_of:
        for whole in wholes(case):
            parts.setdefault(whole, set()).add(case)
    printed = cases_with_data(book)
    sequences = [(name, x.sequence) for name, x in book.scenarios.items()]
    common = references.named, references.times(), spoken, printed, sequences
    room = memory.room("examples that come to their case", common)
    sure = Sure(book)
    for example in book.examples:
        if not any(asserts(line) and not sure.line(line) for line in example.lines):
            report.warning(
                "RW516",
                example.span,
                f'the example "{example.title}" states nothing that could fail',
                help="end it with expect, refused or legal, or play a choice",
                case=example.case,
            )
            continue
        wanted = {example.case, *example.covers}
        own = {case for w in wanted for case in parts.get(w, ())}
        if not own or any(case in printed for case in (*own, *wanted)):
            continue
        rules = frozenset().union(*(things_of[case] for case in own))
        if not room.work((example,), partial(comes_to, references, example, rules)):
            report.remark(
                "RW516",
                example.span,
                f'the example "{example.title}" comes to no rule of case {example.case}',
                help="let it ask for something that the case declares, or move it to the case that it proves",
                case=example.case,
            )


def comes_to(references: References, example: c.Example, rules: frozenset[Thing]) -> bool:
    """Whether what an example names leads to one of some rules."""
    return bool(references.closure(references.by_example(example), rules) & rules)


def asserts(line: c.ExampleLine) -> bool:
    """Whether a line can fail: what is expected, judged or played."""
    return not isinstance(line, c.Given | c.RunLine)


class Sure:
    """Which conditions hold in every position: one that is true, or that compares something with itself."""

    def __init__(self, book: c.Book) -> None:
        self.form, self.foreseen = Form(book), Foreseen(book)

    def line(self, line: c.ExampleLine) -> bool:
        return isinstance(line, c.Expected) and self.holds(line.test)

    def holds(self, e: c.Expr) -> bool:
        """Whether a condition holds, and its answer comes about, whatever the position."""
        match e:
            case c.Const():
                return e.value is True
            case c.And():
                return self.holds(e.left) and self.holds(e.right)
            case c.Or():
                return self.holds(e.left) or (self.holds(e.right) and self.foreseen.is_sure(e.left))
            case c.Equal() | c.AtMost() | c.AtLeast():
                return self.foreseen.is_sure(e) and self.form(e.left) == self.form(e.right)
            case _:
                return False


def wholes(case: str) -> Iterator[str]:
    """A case and those that it is part of: 13.4/p2, 13.4, 13."""
    yield case
    yield from (case[:i] for i, letter in enumerate(case) if letter in "./")


def cases_with_data(book: c.Book) -> set[str]:
    """The cases that print something: fields, marks, kinds, counters, maps, calendars and scenarios."""
    found = {d.case for d in book.fields.values()} | {d.case for d in book.marks.values()}
    found |= {d.case for d in book.units} | {d.case for d in book.scenarios.values()}
    found |= {case for cases in book.data_cases.values() for case in cases}
    return found
