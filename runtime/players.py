"""Players: random and scripted ones, over the same decisions that people answer."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from . import dice
from .choices.spaces import Shuffle, Space, WordSpace
from .game import Decision, Game
from .problems import Refusal
from .telling.faults import leads_home
from .text import Choice

Player = Callable[[Game, Decision], Choice]
Watch = Callable[[Game, Choice], Any]


class RandomPlayer(Shuffle):
    """Picks a kind of action, then a target; it is done seldom before nothing is left to do."""

    def __init__(self, seed: int) -> None:
        super().__init__(dice.seed(seed))

    @leads_home
    def __call__(self, game: Game, decision: Decision) -> Choice:
        spaces = game.spaces(decision)
        ways = [s for s in spaces if not isinstance(s, WordSpace)]
        word = next((s for s in spaces if isinstance(s, WordSpace) and not s.refusals(())), None)
        choice = self._pick(decision, [*ways, word] if word is not None else ways)
        if choice is None:
            raise Refusal(f"{decision.side} has nothing legal to do at {decision.name} (case {decision.case})")
        return choice

    def interrupt(self, game: Game, decision: Decision) -> Choice | None:
        """Now and then takes up a standing offer."""
        pick, self.rng = dice.draw(self.rng, 6)
        return None if pick else self._pick(decision, game.spaces(decision))

    def _pick(self, decision: Decision, spaces: Sequence[Space]) -> Choice | None:
        for space in self.shuffle(spaces):
            args, self.rng = space.sample(self.rng)
            if args is not None:
                return Choice(decision.id, decision.side, space.name, args)
        return None


class ScriptedPlayer:
    """Gives its answers in order, as text."""

    def __init__(self, lines: Iterable[str]) -> None:
        self.lines = [x.strip() for x in lines if x.strip() and not x.lstrip().startswith("#")]

    def __call__(self, game: Game, decision: Decision) -> Choice:
        if not self.lines:
            raise Refusal(f"the script is at its end, and {decision.side} must decide {decision.name}")
        return game.read(self.lines.pop(0))


def play(game: Game, players: Mapping[str, Player], most: int = 1_000_000, watch: Watch | None = None) -> int:
    """Let the players answer until the game is over; returns how many choices were made."""
    made = 0
    while not game.over and made < most:
        decisions = game.decisions
        choice = out_of_turn(game, players, decisions)
        if choice is None:
            choice = players[decisions[0].side](game, decisions[0])
        game.do(choice)
        made += 1
        if watch is not None:
            watch(game, choice)
    return made


def out_of_turn(game: Game, players: Mapping[str, Player], decisions: list[Decision]) -> Choice | None:
    """What a player does on a standing offer, before the decision at hand is answered."""
    for decision in (d for d in decisions if d.sort == "standing"):
        interrupt = getattr(players[decision.side], "interrupt", None)
        choice: Choice | None = interrupt(game, decision) if interrupt is not None else None
        if choice is not None:
            return choice
    return None
