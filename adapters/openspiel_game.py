"""A rule set as a game of OpenSpiel.

In:  the parameters of a game, by `pyspiel.load_game`; OpenSpiel's histories of actions.
Out: a game and its states as Python classes, with legal actions, returns and observations.

The first node is one of chance: it draws one of `seeds` numbers, from which all dice of the game follow. After it the
game is deterministic, so that any state can be rebuilt from its history. So a state that is copied has the same dice to
come: an algorithm that searches by copies knows them, and plays better than anybody at a table could. Observations are
made from the view of the side and tell nothing of them. A side may have several turns in a row.
"""

from __future__ import annotations

import json
from typing import Any

import numpy
import pyspiel

from rulewright.runtime.view import view

from .match import CANDIDATES, Match, Rules

NAME = "rulewright"
DEFAULTS = {"book": "trc", "scenario": "", "candidates": CANDIDATES, "seeds": 1000, "longest": 4_000}
"""The parameters of a game: the rule set, its scenario, candidates a decision, how many seeds the first node draws
from, and after how many choices a game ends in a draw."""


def game_type(title: str = "a rule set of Rulewright", two_sides: bool = True) -> pyspiel.GameType:
    """What the library wants to know of a game before there is one; of three sides no two gain what the third loses."""
    return pyspiel.GameType(
        short_name=NAME,
        long_name=title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM if two_sides else pyspiel.GameType.Utility.GENERAL_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=10,
        min_num_players=1,
        provides_information_state_string=False,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=DEFAULTS,
    )


class WargameGame(pyspiel.Game):
    """The game of one rule set and scenario: `pyspiel.load_game("rulewright", {"book": "trc", …})`."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = {**DEFAULTS, **(params or {})}
        self.rules = Rules(given["book"], given["scenario"] or None, given["candidates"])
        self.seeds, self.longest = int(given["seeds"]), int(given["longest"])
        many = len(self.rules.sides)
        about = pyspiel.GameInfo(
            num_distinct_actions=self.rules.most,
            max_chance_outcomes=self.seeds,
            num_players=many,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0 if many == 2 else None,
            max_game_length=self.longest,
        )
        super().__init__(game_type(self.rules.program.title, many == 2), about, given)

    def new_initial_state(self) -> WargameState:
        return WargameState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: dict[str, Any] | None = None) -> WargameObserver:
        return WargameObserver(self.rules)


class WargameState(pyspiel.State):
    """A position; before the seed is drawn there is no game in it. The library copies all that it holds."""

    def __init__(self, game: WargameGame) -> None:
        super().__init__(game)
        self.rules, self.seeds, self.longest = game.rules, game.seeds, game.longest
        self.match: Match | None = None

    def current_player(self) -> int:
        if self.match is None:
            return int(pyspiel.PlayerId.CHANCE)
        if self.ended():
            return int(pyspiel.PlayerId.TERMINAL)
        return self.rules.sides.index(self.match.side)

    def ended(self) -> bool:
        return self.match is not None and (self.match.over or self.match.made >= self.longest)

    def is_terminal(self) -> bool:
        return self.ended()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return [(seed, 1 / self.seeds) for seed in range(self.seeds)]

    def _legal_actions(self, player: int) -> list[int]:
        return [*range(len(self.match.offered))] if self.match is not None else []

    def _apply_action(self, action: int) -> None:
        if self.match is None:
            self.match = self.rules.begin(action)
        else:
            self.match.take(action)

    def _action_to_string(self, player: int, action: int) -> str:
        if self.match is None:
            return f"seed {action}"
        return self.match.game.show(self.match.offered[action])

    def returns(self) -> list[float]:
        if self.match is None or not self.match.over:
            return [0.0] * len(self.rules.sides)
        found = self.match.returns()
        return [found[side] for side in self.rules.sides]

    def __str__(self) -> str:
        if self.match is None:
            return "the seed is not drawn yet"
        state = "over" if self.match.over else f"{self.match.side} decides {self.match.decision.name}"
        return f"{self.match.game.digest()[:16]}: {state}"


class WargameObserver:
    """The view of a player, as numbers and as text."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.tensor = numpy.zeros(rules.sight.length, numpy.float32)
        self.dict = {"position": self.tensor}

    def set_from(self, state: WargameState, player: int) -> None:
        self.tensor[:] = 0
        if state.match is not None:
            self.tensor[:] = self.rules.sight.position(view(state.match.game, self.rules.sides[player]))

    def string_from(self, state: WargameState, player: int) -> str:
        if state.match is None:
            return ""
        return json.dumps(
            view(state.match.game, self.rules.sides[player]), ensure_ascii=False, sort_keys=True, default=str
        )


pyspiel.register_game(game_type(), WargameGame)
