"""The same games: same seed, same choices; after each the same decisions, state, dice and log."""

from __future__ import annotations

import itertools
import time
from typing import Any

from rulewright.compiler.interpret.asks import Unknown
from rulewright.compiler.interpret.game import OracleGame
from rulewright.runtime.begin import new_game
from rulewright.runtime.game import Game
from rulewright.runtime.players import RandomPlayer
from rulewright.runtime.program import Program
from rulewright.runtime.state import State
from rulewright.runtime.text import show_choice

from .pair import Twins, outcome
from .samples import Chance
from .values import ask_both
from .verdicts import compare_listing, compare_verdicts

KEPT = "phases dice winner over readings soon halted turn_of_phase revealed agains shown".split()


def play_both(twins: Twins, scenario: str | None, seed: int, most: int, every: int = 4, asked: int = 0) -> None:
    """One random game on both; every few choices verdicts are compared, and so many values `asked`."""
    tally, chance = twins.tally, Chance(seed)
    began = time.process_time()
    game = new_game(twins.plain, scenario, seed)
    other = twins.oracle.new(scenario, seed)
    other.take_log()
    players = {side: RandomPlayer(31 * seed + i) for i, side in enumerate(twins.plain.sides)}
    tally.games += 1
    before = len(tally.differences)
    try:
        for number in range(most):
            where = f"{scenario} seed {seed}, after {number} choices"
            compare_position(twins, game, other, where)
            if game.over or len(tally.differences) > before:
                break
            if number % every == 0:
                compare_verdicts(twins, game, other, chance, where)
                compare_listing(twins, game, other, where)
            if asked and number % (5 * every) == 2 * every:
                ask_both(twins, game.state, chance, asked, where)
            step(twins, game, other, players, where)
            tally.choices += 1
        tally.finished += game.over
    except Unknown:
        tally.unknown += 1
    tally.seconds += time.process_time() - began


def step(twins: Twins, game: Game, other: OracleGame, players: dict[str, RandomPlayer], where: str) -> None:
    """Let a random player choose, and do it on both."""
    decisions = game.decisions
    standing = [d for d in decisions if d.sort == "standing"]
    choice = next((x for d in standing if (x := players[d.side].interrupt(game, d)) is not None), None)
    index = None
    if choice is None:
        choice, index = players[decisions[0].side](game, decisions[0]), 0
    told, logged = twins.plain, len(game.log)
    faults = [outcome(game.do, choice), outcome(other.do, index, choice)]
    if faults[0] != faults[1]:
        twins.tally.differ(f"{where}, {show_choice(told, choice)}: {faults}")
        return
    one = [x for x in game.log[logged:] if x["event"] != "choice"]
    two = other.take_log()
    if one != two:
        first = next(((a, b) for a, b in itertools.zip_longest(one, two) if a != b), None)
        twins.tally.differ(f"{where}, {show_choice(told, choice)}: the logs part: {first}")


def compare_position(twins: Twins, game: Game, other: OracleGame, where: str) -> None:
    """The same columns of the state and the same decisions."""
    S, T = game.state, other.S
    for name in (*(x for x in twins.plain.flat if x not in twins.counting), *KEPT):
        one, two = (held(twins.plain, X, name) for X in (S, T))
        if one != two:
            twins.tally.differ(f"{where}: {name} is {parted(one, two)}")
    if game.over != other.over:
        twins.tally.differ(f"{where}: over is {game.over}, {other.over}")
    offered = game.decisions
    mine = [(d.side, d.sort, d.name, d.case, d.secret) for d in offered if d.sort != "standing"]
    yours = [(d.side, d.sort, d.name, d.case, d.secret) for d in other.decisions()]
    if mine != yours:
        twins.tally.differ(f"{where}: decisions are {mine}, {yours}")
    ways = {(name, side): way for name, side, way in other.standing()} if mine == yours else {}
    for (name, side), way in ways.items():
        twins.tally.unknown += way is None
        if way is not None and way != any(d.sort == "standing" and (d.name, d.side) == (name, side) for d in offered):
            twins.tally.differ(f"{where}: the standing offer {name} of {side} is {not way}, {way}")


def held(program: Program, S: State, name: str) -> Any:
    """A column; of one by key only what is not at its start, for a key that was never set is not kept."""
    values = getattr(S, name)
    if not isinstance(values, dict) or name not in program.flat:
        return values
    starts = {f"past_{m.name}": m.start for m in program.memories} | {f"spent_{q}": 0 for q in program.quotas}
    start = program.column[name].start if name in program.column else starts[name]
    return {key: value for key, value in values.items() if value != start}


def parted(one: Any, two: Any) -> str:
    """Where two columns differ."""
    if isinstance(one, dict) and isinstance(two, dict):
        keys = [k for k in {**one, **two} if one.get(k) != two.get(k)]
        return ", ".join(f"{k}: {one.get(k)!r} and {two.get(k)!r}" for k in keys[:3])
    if isinstance(one, list) and isinstance(two, list) and len(one) == len(two):
        return ", ".join(f"{i}: {a!r} and {b!r}" for i, (a, b) in enumerate(zip(one, two, strict=True)) if a != b)[:200]
    return f"{one!r} and {two!r}"[:200]
