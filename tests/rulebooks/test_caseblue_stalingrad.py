"""Stalingrad, November 1942: both sides play its first turn."""

from __future__ import annotations

from rulewright.compiler import load
from rulewright.runtime import RandomPlayer

MOST = 2500


def test_both_sides_play_the_first_turn() -> None:
    game = load("caseblue").new("stalingrad", 1)
    players = {"axis": RandomPlayer(11), "soviet": RandomPlayer(12)}
    seen: set[tuple[str, str]] = set()
    first, made = game.state.bind_now, 0
    while not game.over and game.state.bind_now == first and made < MOST:
        decision = game.decisions[0]
        seen.add((decision.side, game.state.phases[-1]))
        game.do(players[decision.side](game, decision))
        made += 1
        if made % 25 == 0:
            game.check()
    assert not game.over and game.state.bind_now == first + 1
    assert {(side, phase) for side in players for phase in ("movement", "combat")} <= seen
