"""What a choice leads to on average, over the exact chances of its dice: how the level `hard` looks ahead.

In:  a position as a side sees it, a choice, who answers what is asked on the way, and what a position is worth.
Out: the expected worth at the next window, and whether any die was rolled; None where it cannot be worked out.

Each sum of the dice of a roll is walked once and weighs as many ways as it has. What the side itself is asked on the
way it answers as it would; what others are asked is answered by the first thing that is legal. A draw from a cup is
blind, so one card stands for all.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from ..dice import new_dice
from ..game import Decision, Game
from ..kept.fork import fork
from ..problems import NONSENSE, Fault, Refusal
from ..state import State
from ..text import Choice

RUNS = 80
"""So many ways for dice to fall are walked at most."""
QUESTIONS = 8
"""So many questions are answered on the way."""
Answer = Callable[[Game, Decision], Choice]
Worth = Callable[[State], Any]
Rolled = tuple[int, int, int]
"""How many dice of how many sides, and their sum."""


def expected(position: State, choice: Choice, answer: Answer, worth: Worth) -> tuple[Fraction, bool] | None:
    """The mean worth of what a choice leads to; and whether dice decide it."""
    todo: list[tuple[Rolled, ...]] = [()]
    total, runs, rolling = Fraction(0), 0, False
    while todo:
        given = todo.pop()
        runs += 1
        if runs > RUNS:
            return None
        found = walk(position, choice, answer, given)
        if found is None:
            return None
        S, rolls = found
        rolling = rolling or bool(rolls)
        for k in range(len(given), len(rolls)):
            count, sides, sum_ = rolls[k]
            todo += [(*rolls[:k], (count, sides, other)) for other in ways(count, sides) if other != sum_]
        chance = Fraction(1)
        for count, sides, sum_ in rolls:
            chance *= Fraction(ways(count, sides)[sum_], sides**count)
        try:
            total += chance * Fraction(worth(S))
        except (Fault, *NONSENSE):
            return None
    return total, rolling


def walk(
    position: State, choice: Choice, answer: Answer, given: tuple[Rolled, ...]
) -> tuple[State, tuple[Rolled, ...]] | None:
    """The position after a choice where the first rolls fall as given, and all rolls that were made."""
    S = fork(position)
    S.dice, S.log, S.drafts = new_dice(0, [face for roll in given for face in faces(*roll)]), [], list(S.drafts)
    game = Game(S.program, S)
    try:
        game.playout(choice)
        for _ in range(QUESTIONS):
            asked = [d for d in game.pending if d.sort == "ask"]
            if game.over or not asked:
                break
            game.playout(answer(game, asked[0]) if asked[0].side == choice.side else first_legal(game, asked[0]))
    except (Fault, Refusal, *NONSENSE):
        return None
    told = [e for e in game.state.log or () if e["event"] == "roll"]
    return game.state, tuple((len(e["faces"]), e["sides"], sum(e["faces"])) for e in told)


def first_legal(game: Game, decision: Decision) -> Choice:
    """The first thing that somebody else may answer."""
    for space in game.spaces(decision):
        for args in space.listing():
            return Choice(decision.id, decision.side, space.name, args)
    raise Refusal("nothing can be answered")


def ways(count: int, sides: int) -> dict[int, int]:
    """In how many ways some dice come to each sum."""
    found = {0: 1}
    for _ in range(count):
        after: dict[int, int] = {}
        for sum_, n in found.items():
            for face in range(1, sides + 1):
                after[sum_ + face] = after.get(sum_ + face, 0) + n
        found = after
    return found


def faces(count: int, sides: int, sum_: int) -> list[int]:
    """Faces with this sum."""
    found = []
    for left in range(count - 1, -1, -1):
        face = min(sides, sum_ - left)
        found.append(face)
        sum_ -= face
    return found
