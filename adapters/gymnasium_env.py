"""One side of a game as an environment of Gymnasium.

In:  rules, the side that learns, the words of who plays the others, a seed at each reset.
Out: observations, rewards at the end (1 won, -1 lost, 0 drawn); `choices()` says what the numbers stand for.

An observation is a dictionary: `position`, the view of the side as numbers; `candidates`, four whole numbers for each
choice on offer; `mask`, which of them are there. An action is the number of a candidate; one beyond those on offer
stands for the remainder by how many there are, so that every action of the space can be taken.
"""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy
from gymnasium import spaces

from rulewright.compiler.players import EACH, find_seat
from rulewright.runtime.players import Player
from rulewright.runtime.problems import Refusal
from rulewright.runtime.view import view

from .match import CANDIDATES, MOST, Match, Rules

Observation = dict[str, numpy.ndarray[Any, Any]]


class WargameEnv(gymnasium.Env[Observation, int]):
    """The game of one side, the others played by somebody."""

    metadata = {"render_modes": ["ansi"]}  # noqa: RUF012 - Gymnasium wants it so
    render_mode = "ansi"

    def __init__(
        self,
        book: str,
        scenario: str | None = None,
        side: str | None = None,
        others: str = "random",
        candidates: int = CANDIDATES,
        most: int = MOST,
    ) -> None:
        self.rules = Rules(book, scenario, candidates)
        self.side = side or self.rules.sides[0]
        if self.side not in self.rules.sides:
            raise Refusal(f'there is no side "{self.side}": {", ".join(self.rules.sides)}')
        rest = [x for x in self.rules.sides if x != self.side]
        self.seats = {x: find_seat(self.rules.loaded, others, x) for x in rest}
        self.most = most
        self.observation_space = observed(self.rules)
        self.action_space = spaces.Discrete(candidates)
        self.players: dict[str, Player] = {}
        self.match: Match | None = None

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """A new game; without a seed the next of a series that the last seed began."""
        super().reset(seed=seed)
        game = int(self.np_random.integers(2**31))
        numbers = {side: i for i, side in enumerate(self.rules.sides)}
        self.players = {side: seat.make(game * EACH + numbers[side]) for side, seat in self.seats.items()}
        self.match = self.rules.begin(game)
        self.match.let(self.players)
        return self.observed(), self.told()

    def step(self, action: int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Take a candidate, and let the others play until this side is asked again."""
        match = self.begun()
        match.take(int(action) % len(match.offered))
        match.let(self.players)
        reward = match.returns()[self.side] if match.over else 0.0
        return self.observed(), reward, match.over, not match.over and match.made >= self.most, self.told()

    def render(self) -> str:
        """What the side is asked, and what it may choose, in words."""
        match = self.begun()
        return "\n".join([f"{self.side}: " + (match.decision.name if not match.over else "over"), *self.choices()])

    # ------------------------------------------------------------ what is seen

    def begun(self) -> Match:
        if self.match is None:
            raise gymnasium.error.ResetNeeded("call reset first")
        return self.match

    def observed(self) -> Observation:
        return observation(self.begun(), self.side)

    def choices(self) -> list[str]:
        """The candidates in the words of the log."""
        match = self.begun()
        return [match.game.show(x) for x in match.offered] if not match.over and match.side == self.side else []

    def told(self) -> dict[str, Any]:
        """How many choices were made so far, those of the others included."""
        return {"made": self.begun().made}


def observed(rules: Rules) -> spaces.Dict:
    """The space of observations; `action_mask` is what PettingZoo calls it."""
    high = numpy.tile(numpy.array(rules.sight.bounds, dtype=numpy.int64), (rules.most, 1))
    return spaces.Dict(
        {
            "position": spaces.Box(-numpy.inf, numpy.inf, (rules.sight.length,), numpy.float32),
            "candidates": spaces.Box(numpy.zeros_like(high), high, high.shape, numpy.int64),
            "mask": spaces.Box(0, 1, (rules.most,), numpy.int8),
        }
    )


def observation(match: Match, side: str) -> Observation:
    """What a side sees: nothing that its view does not hold."""
    rules, rows = match.rules, match.rows(side)
    candidates = numpy.zeros((rules.most, 4), dtype=numpy.int64)
    candidates[: len(rows)] = rows or candidates[:0]
    mask = numpy.zeros(rules.most, dtype=numpy.int8)
    mask[: len(rows)] = 1
    position = numpy.array(rules.sight.position(view(match.game, side)), dtype=numpy.float32)
    return {"position": position, "candidates": candidates, "mask": mask}
