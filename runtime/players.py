"""Players: random and scripted ones, over the same decisions that people answer."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from . import dice, machine
from .game import Decision, Game
from .problems import Refusal
from .program import ActionInfo, ProcedureInfo
from .spaces import Shuffle, Space
from .state import State
from .text import Args, Choice

Player = Callable[[Game, Decision], Choice]
Watch = Callable[[Game, Choice], Any]


class RandomPlayer(Shuffle):
    """Picks a kind of action, then a target; it is done seldom before nothing is left to do."""

    def __init__(self, seed: int) -> None:
        super().__init__(dice.seed(seed))

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
        found = None if self.draw(6) else self._pick(game.spaces(decision))
        return Choice(decision.id, decision.side, found[0].name, found[1]) if found is not None else None

    def _pick(self, spaces: Sequence[Space]) -> tuple[Space, Args] | None:
        for space in self.shuffle(spaces):
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


class Playout:
    """Random sides at play for good: they fill a window as soon as it opens, and nothing is noted down.

    A window is filled so where all its actions run straight through and no duty keeps it open; any other decision is
    left pending.
    """

    def __init__(self, game: Game, players: Mapping[str, Any], most: int, watch: Watch | None) -> None:
        self.game, self.players, self.most, self.watch = game, players, most, watch
        self.made = 0
        self.open: dict[int, tuple[tuple[ActionInfo, ProcedureInfo] | None, ...]] = {}
        program = game.program
        for i, offer in enumerate(program.offers if not program.duties else ()):
            actions = [program.actions[name] for name, guard in offer.actions if guard is None]
            ways = [(a, program.procedures[a.procedure]) for a in actions if not program.tries[a.name]]
            if not offer.sort and len(ways) == len(offer.actions) and all(p.straight for _, p in ways):
                self.open[i] = (*ways, None)

    def fill(self, S: State, index: int, L: dict[str, Any]) -> bool:
        """Take actions in a window until its side is done; False where it is left to others."""
        ways, who = self.open.get(index), S.program.offers[index].side
        while ways and self.made < self.most:
            side = who(S, L)
            if side is None:
                return True
            player, values, S.steps = self.players[side], None, 0
            for way in player.shuffle(ways):
                if way is None:
                    break
                action, procedure = way
                values = player.first(S, action, side)
                if values is not None:
                    local = dict(zip(procedure.params, values, strict=True))
                    local["actor"] = side
                    procedure.blocks[0](S, local)
                    break
            S.counter += 1
            self.made += 1
            if self.watch is not None:
                args = () if values is None else tuple(zip(procedure.params, values, strict=True))
                self.watch(self.game, Choice(S.counter - 1, side, "done" if values is None else action.name, args))
            if values is None:
                return True
        return False


def play(
    game: Game, players: Mapping[str, Player], most: int = 1_000_000, watch: Watch | None = None, keep: bool = True
) -> int:
    """Let the players answer until the game is over; returns how many choices were made.

    Without `keep` nothing can be undone, saved or read afterwards: for games of random players in great numbers. Then
    `watch` sees a game in the midst of what follows from the choice.
    """
    standing = any(action.anytime for action in game.program.actions.values())
    quick = not keep and not standing and all(type(p) is RandomPlayer for p in players.values())
    for player in players.values() if quick else ():
        player.ahead = dice.MANY  # type: ignore[attr-defined]
    playout = Playout(game, players, most, watch)
    while playout.made < most and not game.over:
        item = game.state.pending[0]
        player = players[item["side"]]
        game.state.log, game.state.playout = [] if keep else None, playout if quick else None
        decisions = [] if quick else game.decisions
        choice = out_of_turn(game, players, decisions)
        playout.made += 1
        if not keep and choice is None and type(player) is RandomPlayer:
            space, args = player.answer(game, item)
            choice = Choice(item["id"], item["side"], space.name, args)
            game.carry_out(item, space.name, args, space)
        else:
            choice = choice or player(game, decisions[0])
            game.do(choice, keep)
        if watch is not None:
            watch(game, choice)
        if not keep:
            machine.run(game.state)
    game.state.log, game.state.playout = [], None
    return playout.made


def out_of_turn(game: Game, players: Mapping[str, Player], decisions: list[Decision]) -> Choice | None:
    """What a player does on a standing offer, before the decision at hand is answered."""
    for decision in (d for d in decisions if d.sort == "standing"):
        interrupt = getattr(players[decision.side], "interrupt", None)
        choice: Choice | None = interrupt(game, decision) if interrupt is not None else None
        if choice is not None:
            return choice
    return None
