"""Rostov, November 1941, in Case Blue: where the armies stand, and the first turn of a game.

A whole game takes minutes: `rulewright play caseblue --scenario rostov --players busy,busy --quiet --check`.
"""

from __future__ import annotations

from rulewright.compiler import load
from rulewright.runtime import RandomPlayer

MOST = 3000


def test_the_first_turn_is_played_by_both_sides() -> None:
    book = load("caseblue")
    game = book.new("rostov", 4)
    first = game.state.bind_now
    players = {side: RandomPlayer(17 + i) for i, side in enumerate(book.program.sides)}
    sides, made = set(), 0
    while not game.over and game.state.bind_now == first and made < MOST:
        decision = game.decisions[0]
        sides.add(decision.side)
        game.do(players[decision.side](game, decision))
        made += 1
    game.check()
    assert sides == {"axis", "soviet"} and game.state.bind_now == first + 1
