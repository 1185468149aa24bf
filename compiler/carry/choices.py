"""The lawful choices of a position that may not fit the rules it is held against.

In:  a game, and the side that is asked about; all sides without one.
Out: its lawful choices as they are listed, one way to answer after another; afterwards which ways could not be worked
     out, with the case and why, and whether a search ended without an answer.

Where a rule cannot be worked out, the other ways to answer are listed all the same.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.runtime.choices.spaces import Space, WordSpace
from rulewright.runtime.game import Decision, Game
from rulewright.runtime.problems import NONSENSE, Fault
from rulewright.runtime.text import Choice


class Choices:
    """The lawful choices of a game; `faults` and `open` hold when they have been gone through."""

    def __init__(self, game: Game, side: str | None = None) -> None:
        self.game, self.side = game, side
        self.faults: list[tuple[str, str]] = []
        self.open = False

    def __iter__(self) -> Iterator[Choice]:
        for decision in self.decisions():
            if self.side is None or decision.side == self.side:
                for space in self.spaces(decision):
                    yield from self.of(decision, space)

    def decisions(self) -> list[Decision]:
        try:
            return self.game.decisions
        except (*NONSENSE, Fault) as problem:  # a standing offer that cannot be worked out
            self.failed(problem, "")
            return self.game.pending

    def spaces(self, decision: Decision) -> list[Space]:
        try:
            return self.game.spaces(decision)
        except (*NONSENSE, Fault) as problem:
            self.failed(problem, decision.case)
            return []

    def of(self, decision: Decision, space: Space) -> Iterator[Choice]:
        try:
            for args in space.listing():
                yield Choice(decision.id, decision.side, space.name, args)
        except (*NONSENSE, Fault) as problem:
            self.failed(problem, decision.case)
        self.open = self.open or (not isinstance(space, WordSpace) and space.undecided > 0)

    def failed(self, problem: Exception, case: str) -> None:
        said, why = trouble(problem)
        self.faults.append((said or case, why))


def trouble(problem: Exception) -> tuple[str, str]:
    """The case in which something cannot be worked out, and why."""
    if isinstance(problem, Fault):
        return problem.case, problem.message
    return "", "a value that a rule asks for is not there"
