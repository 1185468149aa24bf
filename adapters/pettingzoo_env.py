"""All sides of a game as an environment of PettingZoo (agents in turn).

In:  rules, a seed at each reset, numbers of candidates.
Out: for each side its observation with the mask of its candidates, rewards at the end, who is asked.

The agents are the sides. Whoever the rules ask is selected, as often in a row as they ask. An observation has two
parts: `observation`, with `position` and `candidates` as in `gymnasium_env.py`, and `action_mask`. Only what the mask
shows is legal.
"""

from __future__ import annotations

from typing import Any

import numpy
from gymnasium import spaces
from pettingzoo import AECEnv

from rulewright.runtime.problems import Refusal

from .gymnasium_env import observation, observed
from .match import CANDIDATES, MOST, Match, Rules


class raw_env(AECEnv):
    """A game of all its sides."""

    metadata = {"name": "rulewright_v0", "render_modes": ["ansi"], "is_parallelizable": False}  # noqa: RUF012

    def __init__(self, book: str, scenario: str | None = None, candidates: int = CANDIDATES, most: int = MOST) -> None:
        super().__init__()
        self.rules, self.most, self.render_mode = Rules(book, scenario, candidates), most, "ansi"
        self.possible_agents = [*self.rules.sides]
        whole = observed(self.rules)
        parts = spaces.Dict({"position": whole["position"], "candidates": whole["candidates"]})
        seen = spaces.Dict({"observation": parts, "action_mask": whole["mask"]})
        self.observation_spaces = dict.fromkeys(self.possible_agents, seen)
        self.action_spaces = {side: spaces.Discrete(candidates) for side in self.possible_agents}
        self.random = numpy.random.default_rng()
        self.match: Match | None = None

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """A new game."""
        if seed is not None:
            self.random = numpy.random.default_rng(seed)
        self.match = self.rules.begin(int(self.random.integers(2**31)))
        self.agents = [*self.possible_agents]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {side: {} for side in self.agents}
        self.agent_selection = self.match.side

    def step(self, action: int | None) -> None:
        """The selected side takes a candidate."""
        side = self.agent_selection
        if self.terminations[side] or self.truncations[side]:
            self._was_dead_step(action)
            return
        match = self.begun()
        if action is None or not 0 <= int(action) < len(match.offered):
            raise Refusal(f"{action} is no candidate: there are {len(match.offered)}")
        match.take(int(action))
        self._cumulative_rewards[side] = 0.0
        ended = match.over
        self.rewards = match.returns() if ended else dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, ended)
        self.truncations = dict.fromkeys(self.agents, not ended and match.made >= self.most)
        self.agent_selection = side if ended else match.side
        self._accumulate_rewards()

    def observe(self, agent: str) -> dict[str, Any]:
        whole = observation(self.begun(), agent)
        mask = whole.pop("mask")
        return {"observation": whole, "action_mask": mask}

    def render(self) -> str:
        match = self.begun()
        if match.over:
            return f"won by {match.game.winner or 'nobody'}"
        return "\n".join([f"{match.side}: {match.decision.name}", *map(match.game.show, match.offered)])

    def close(self) -> None:
        pass

    def begun(self) -> Match:
        if self.match is None:
            raise Refusal("call reset first")
        return self.match


def env(book: str, scenario: str | None = None, candidates: int = CANDIDATES, most: int = MOST) -> AECEnv:
    """The game with PettingZoo's own checks around it."""
    from pettingzoo.utils import wrappers

    return wrappers.OrderEnforcingWrapper(raw_env(book, scenario, candidates, most))
