"""The copy of a state that is taken at every decision, against `copy.deepcopy` of the same values.

A fork is another state with the answers that are kept; it is held against `copy.deepcopy` of the state and its answers,
which shares the rules with it. A fork copies little until it is written to, so a second figure makes a choice in it and
lists what is legal then, against the same in a copy that keeps no answers.
"""

from __future__ import annotations

import copy
from itertools import islice

from rulewright.compiler import load
from rulewright.runtime import RandomPlayer
from rulewright.runtime.game import Game
from rulewright.runtime.kept.fork import fork
from rulewright.runtime.players import play
from rulewright.runtime.state import State

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
    choice = next(game.legal())

    def tried(state: State) -> None:
        there = Game(state.program, state)
        there.playout(choice)
        for _ in islice(there.legal(), 20):
            pass

    kept, bare = best(lambda: tried(fork(S)), lambda: tried(S.copy()))
    note = f"{1000 * kept:.2f} ms and {1000 * bare:.2f} ms"
    return [
        Figure("a choice made in a fork ÷ in a copy without answers", kept / bare, note=note),
        Figure("copy of the state at a decision ÷ deepcopy", mine / deep, most=0.01),
        Figure("fork of the state with its kept answers ÷ deepcopy", forked / whole, most=0.003),
    ]
