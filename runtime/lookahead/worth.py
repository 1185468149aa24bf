"""What a position is worth to a side, as far as the rules alone tell.

In:  a game, a side, and the scenario that is played.
Out: whether the side has won, the margin that the scenario counts, and how much more it has on the map than others.

Only three things are looked at, and a book says all of them: who has won (`win`); the number that its scenario holds
up as its `margin`, where it has one; and how many units of each side stand on the map. What a unit is good for, no
rule says in a form that all books share.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..game import Game


@dataclass(frozen=True, slots=True)
class Worth:
    """One position to one side: 1 where it has won, -1 where another has, else 0; its margin; its lead in units."""

    won: int
    margin: float
    units: int


def worth(game: Game, side: str, scenario: str) -> Worth:
    S = game.state
    won = 0 if S.winner is None else 1 if S.winner == side else -1
    return Worth(won, float(margins(game, scenario).get(side, 0)), lead(game, side))


def lead(game: Game, side: str) -> int:
    """How many more units a side has on the map than the strongest of the others."""
    S = game.state
    count = dict.fromkeys(game.program.sides, 0)
    sides, ground = S.unit_side, S.ground
    for unit, place in enumerate(S.at):
        if place is not None and place in ground and sides[unit] in count:
            count[sides[unit]] += 1
    others = [n for other, n in count.items() if other != side]
    return count.get(side, 0) - max(others, default=0)


def margins(game: Game, scenario: str) -> dict[str, Any]:
    """Each side's number less the best of the others, where the scenario has one."""
    program, S = game.program, game.state
    known = program.scenarios.get(scenario)
    if known is None or not known.margin or len(program.sides) < 2:
        return {}
    if known.margin.startswith("value "):
        held = {side: game.value(known.margin[6:], side) for side in program.sides}
    else:
        held = {side: S.held(program.column[known.margin], side) for side in program.sides}
    return {side: mine - max(held[x] for x in held if x != side) for side, mine in held.items()}


# ---------------------------------------------------------------- many positions


WINS, MARGIN, UNITS = 2.0, 1.0, 0.25
"""What the three count for against one another, each of the last two in units of its own spread."""


@dataclass(frozen=True, slots=True)
class Spread:
    """How far margins and leads lie apart among all games that were tried for one decision."""

    margin: float
    units: float

    @staticmethod
    def of(found: Sequence[Worth]) -> Spread:
        return Spread(deviation([x.margin for x in found]), deviation([float(x.units) for x in found]))

    def score(self, found: Sequence[Worth]) -> float:
        """The mean worth of some games, comparable among those of one decision."""
        count = len(found)
        total = WINS * sum(x.won for x in found)
        if self.margin:
            total += MARGIN * sum(x.margin for x in found) / self.margin
        if self.units:
            total += UNITS * sum(x.units for x in found) / self.units
        return total / count


def deviation(values: Sequence[float]) -> float:
    if not values:
        return 0.0
    mean = sum(values) / len(values)
    return float((sum((x - mean) ** 2 for x in values) / len(values)) ** 0.5)
