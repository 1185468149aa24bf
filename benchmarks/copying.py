"""The copy of a state that is taken at every decision, against `copy.deepcopy` of the same values.

A fork is another state with the answers that are kept; it is held against `copy.deepcopy` of the state and its answers,
which shares the rules with it.
"""

from __future__ import annotations

import copy

from rulewright.compiler import load
from rulewright.runtime import RandomPlayer
from rulewright.runtime.kept.fork import fork
from rulewright.runtime.players import play

from .timing import Figure, best


def figures() -> list[Figure]:
    book = load("trc")
    game = book.new("battle", seed=1)
    players = {side: RandomPlayer(i) for i, side in enumerate(book.program.sides)}
    play(game, players, most=25)
    S = game.state
    plain = S.plain()
    assert S.plain() == copy.deepcopy(plain)
    mine, deep = best(S.plain, lambda: copy.deepcopy(plain))
    for _ in game.legal():
        pass
    forked, whole = best(lambda: fork(S), lambda: copy.deepcopy(S, {id(S.program): S.program}))
    return [
        Figure("copy of the state at a decision ÷ deepcopy", mine / deep, most=0.01),
        Figure("fork of the state with its kept answers ÷ deepcopy", forked / whole, most=0.003),
    ]
