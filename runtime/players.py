"""Players: random and scripted ones, over the same decisions that people answer."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from . import dice, machine
from .game import Decision, Game
from .problems import Refusal
from .spaces import Space
from .text import Args, Choice

Player = Callable[[Game, Decision], Choice]
Watch = Callable[[Game, Choice], Any]


class RandomPlayer:
    """Picks a kind of action, then a target; it is done seldom before nothing is left to do."""

    def __init__(self, seed: int) -> None:
        self.rng = dice.seed(seed)

    def __call__(self, game: Game, decision: Decision) -> Choice:
        space, args = self.answer(game, game.item(decision))
        return Choice(decision.id, decision.side, space.name, args)

    def answer(self, game: Game, item: dict[str, Any]) -> tuple[Space, Args]:
        """One of the ways to answer a pending item, and with what."""
        found = self._pick(game.ways(item))
        if found is None:
            raise Refusal(f"{item['side']} has nothing legal to do (case {item['case']})")
        return found

    def interrupt(self, game: Game, decision: Decision) -> Choice | None:
        """Now and then takes up a standing offer."""
        pick, self.rng = dice.draw(self.rng, 6)
        found = None if pick else self._pick(game.spaces(decision))
        return Choice(decision.id, decision.side, found[0].name, found[1]) if found is not None else None

    def _pick(self, spaces: Sequence[Space]) -> tuple[Space, Args] | None:
        order, self.rng = dice.shuffle(self.rng, spaces)
        for space in order:
            args, self.rng = space.sample(self.rng)
            if args is not None:
                return space, args
        return None


class ScriptedPlayer:
    """Gives its answers in order, as text."""

    def __init__(self, lines: Iterable[str]) -> None:
        self.lines = [x.strip() for x in lines if x.strip() and not x.lstrip().startswith("#")]

    def __call__(self, game: Game, decision: Decision) -> Choice:
        if not self.lines:
            raise Refusal(f"the script is at its end, and {decision.side} must decide {decision.name}")
        return game.read(self.lines.pop(0))


def play(
    game: Game, players: Mapping[str, Player], most: int = 1_000_000, watch: Watch | None = None, keep: bool = True
) -> int:
    """Let the players answer until the game is over; returns how many choices were made.

    Without `keep` nothing can be undone, saved or read afterwards: for games of random players in great numbers.
    """
    made = 0
    standing = any(action.anytime for action in game.program.actions.values())
    game.state.log = [] if keep else None
    while made < most and not game.over:
        item = game.state.pending[0]
        player = players[item["side"]]
        quick = not keep and type(player) is RandomPlayer
        decisions = game.decisions if standing or not quick else []
        choice = out_of_turn(game, players, decisions)
        if quick and choice is None:
            space, args = player.answer(game, item)  # type: ignore[attr-defined]
            if watch is not None:
                choice = Choice(item["id"], item["side"], space.name, args)
            game.carry_out(item, space.name, args, space)
            machine.run(game.state)
        else:
            choice = choice or player(game, decisions[0])
            game.do(choice, keep)
        made += 1
        if watch is not None and choice is not None:
            watch(game, choice)
    game.state.log = []
    return made


def out_of_turn(game: Game, players: Mapping[str, Player], decisions: list[Decision]) -> Choice | None:
    """What a player does on a standing offer, before the decision at hand is answered."""
    for decision in (d for d in decisions if d.sort == "standing"):
        interrupt = getattr(players[decision.side], "interrupt", None)
        choice: Choice | None = interrupt(game, decision) if interrupt is not None else None
        if choice is not None:
            return choice
    return None
