"""Run the worked examples of two rule sets under both, and find those whose outcome changes.

In:  two rule sets, how near each example is to a change, and how many to run at most.
Out: the examples that hold under one and not under the other.

An example that one of the two brings or strikes is run under the other as well, where that knows all that it names;
which case refuses a choice is not asked there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from rulewright.dsl import nodes as n
from rulewright.dsl.diagnostics import Reporter

from ..core import nodes as c
from ..core.digest import Form
from ..core.names import Name
from ..elaborate.declarations import Elaborator
from ..examples.run import Outcome, run_examples
from ..examples.workers import ENDLESS, Until, spread
from ..loader import NotCompiled, load_compiled
from ..pipeline import Compiled
from .dependents import example_names


@dataclass(frozen=True, slots=True)
class Turned:
    """An example whose outcome changes."""

    case: str
    title: str
    before: str
    after: str
    names: frozenset[Name]
    held: bool = True
    """Whether it holds before the change."""

    def as_json(self) -> dict[str, Any]:
        return {"case": self.case, "title": self.title, "before": self.before, "after": self.after}


def changed_examples(
    a: Compiled,
    b: Compiled,
    near: Callable[[c.Example], int],
    most: int,
    jobs: int = 1,
    until: Until = ENDLESS,
) -> tuple[list[Turned], int]:
    """Shared examples with another outcome, and how many were not run in time.

    The nearest are run first, and no more than `most`.
    """
    assert a.book is not None and b.book is not None
    ours, theirs = Form(a.book), Form(b.book)
    there = {e.title: e for e in b.book.examples}
    here = {e.title for e in a.book.examples}
    shared: list[tuple[int, int, c.Example, c.Example]] = []
    for e in a.book.examples:
        rank = near(e)
        other = there.get(e.title) if rank < 2 else None
        if other is not None and ours(e.lines) == theirs(other.lines):
            shared.append((rank, len(shared), e, other))
        elif other is None and rank < 2 and (read := read_by(b, e, a)) is not None:
            shared.append((rank, len(shared), e, read))
    for e in b.book.examples:
        rank = near(e) if e.title not in here else 2
        if rank < 2 and (read := read_by(a, e, b)) is not None:
            shared.append((rank - 1, len(shared), read, e))
    shared.sort(key=lambda x: x[:2])
    chosen = shared[:most]
    if not chosen:
        return [], 0
    books = a.book, b.book
    try:
        programs = load_compiled(a).program, load_compiled(b).program
    except NotCompiled:
        return [], 0
    bundles = [chosen[i : i + TOGETHER] for i in range(0, len(chosen), TOGETHER)]

    def run(i: int) -> list[Turned]:
        before = run_examples(books[0], programs[0], [e for _, _, e, _ in bundles[i]])
        after = run_examples(books[1], programs[1], [e for _, _, _, e in bundles[i]])
        return turned(before, after)

    found: dict[int, list[Turned]] = {}
    for done in spread(len(bundles), run, jobs, until):
        if done.result is not None:
            found[done.piece] = done.result
    late = sum(len(bundle) for i, bundle in enumerate(bundles) if i not in found)
    return [x for i in sorted(found) for x in found[i]], late


def read_by(made: Compiled, e: c.Example, home: Compiled) -> c.Example | None:
    """An example of one rule set as the other reads it; None where it names something unknown there."""
    found = (x.node for x in home.entries or () if isinstance(x.node, n.Example) and x.node.title == e.title)
    node = next(found, None)
    if node is None or made.symbols is None:
        return None
    report = Reporter()
    lines = [Elaborator([], made.symbols, report)._example_line(line) for line in bare(node).lines]
    if report.failed or not lines or None in lines:
        return None
    return replace(e, lines=tuple(x for x in lines if x is not None))


def bare(node: n.Example) -> n.Example:
    """An example that does not ask which case refuses a choice."""
    lines = (replace(x, words=()) if x.sort == "refused" else x for x in node.lines)
    return replace(node, lines=tuple(lines))


TOGETHER = 6
"""How many examples are run in one piece of work."""


def turned(before: list[Outcome], after: list[Outcome]) -> list[Turned]:
    """The examples that hold on one side only."""
    return [
        Turned(y.example.case, y.example.title, word(x), word(y), frozenset(example_names(y.example)), x.passed)
        for x, y in zip(before, after, strict=True)
        if x.passed != y.passed
    ]


def word(outcome: Any) -> str:
    return "holds" if outcome.passed else f"fails: {outcome.failures[0][1]}"
