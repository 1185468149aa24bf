"""The search budget for one fact of a diff.

In:  how many facts are searched, and how many positions the user asked for.
Out: positions to try, steps of the interpreter to prove what was found, and whether mixed rule sets are compiled.

The budget is counted in positions and steps, never in seconds, so that the same diff gives the same witnesses on every
machine. The facts of a large diff share a fixed total.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

POSITIONS = 300
"""Positions for one fact, at most."""
SHARED = 4_000
"""Positions for all facts of a diff, unless a person asks for more."""
FEWEST = 24
STEPS = 20_000_000
"""Steps of the interpreter for the proofs of one fact, at most."""
SHARED_STEPS = 20_000_000
COMPILED = 24
"""With more facts than this, no rule set in between is compiled to search in."""


@dataclass(frozen=True, slots=True)
class Effort:
    """The budget of one fact."""

    positions: int = POSITIONS
    steps: int = STEPS
    between: bool = True

    @property
    def half(self) -> Effort:
        return replace(self, positions=self.positions // 2)

    @property
    def doubts(self) -> int:
        """How often the search continues after it found a difference that the fact did not cause."""
        return 5 if self.between else 2

    @staticmethod
    def of(facts: int, positions: int | None = None) -> Effort:
        """The budget for each of so many facts."""
        count = max(1, facts)
        share = max(FEWEST, min(POSITIONS, SHARED // count))
        return Effort(positions or share, min(STEPS, SHARED_STEPS // count), count <= COMPILED)


COSTS = ("unit", "cell", "map feature", "definition", "exception", "contribution", "prohibition")
"""Elements in the order in which their facts are searched: what can be asked without running anything comes first."""


def cost(element: str) -> int:
    """How dear the search for a fact of this element is likely to be, by rank."""
    return COSTS.index(element) if element in COSTS else len(COSTS)


class Patience:
    """The remaining steps of the interpreter."""

    def __init__(self, steps: int = STEPS) -> None:
        self.left = steps
