"""Run the worked examples that two rule sets share under both, and find those whose outcome changes.

In:  two rule sets, how near each example is to a change, and how many to run at most.
Out: the examples that hold under one and not under the other.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ..core import nodes as c
from ..core.digest import Form
from ..core.names import Name
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
    shared: list[tuple[int, int, c.Example, c.Example]] = []
    for e in a.book.examples:
        other = there.get(e.title)
        rank = near(e)
        if other is not None and rank < 2 and ours(e.lines) == theirs(other.lines):
            shared.append((rank, len(shared), e, other))
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
