"""The scenarios of Case Blue begin, and both sides have something to do; `make soak` plays them to their end."""

from __future__ import annotations

import pytest

from rulewright.compiler import load
from rulewright.runtime import RandomPlayer
from rulewright.runtime.telling.panel import panel

CHOICES = 120


@pytest.mark.parametrize("scenario", ["rostov", "stalingrad"])
def test_a_scenario_begins(scenario: str) -> None:
    book = load("caseblue")
    game = book.new(scenario, 4)
    assert ("Points of the Soviets so far" in dict(panel(game))) == (scenario == "stalingrad")  # else it is `nothing`
    players = {side: RandomPlayer(17 + i) for i, side in enumerate(book.program.sides)}
    sides, phases = set(), set()
    for made in range(CHOICES):
        decision = game.decisions[0]
        sides.add(decision.side)
        phases |= set(game.state.phases)
        game.do(players[decision.side](game, decision))
        if made % 40 == 0:
            game.check()
    assert not game.over and sides == {"axis", "soviet"} and "movement" in phases
