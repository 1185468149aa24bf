"""The five scenarios of The Russian Campaign, each from its set-up to a verdict."""

import pytest

from rulewright.compiler import load
from rulewright.runtime import RandomPlayer

MOST = 4000
FIRST = {
    "27.2": "breaking_storm",
    "27.3": "barbarossa_1942",
    "27.4": "fall_blau",
    "27.5": "zitadelle",
    "27.6": "bagration",
}
LINED_UP = ("27.4", "27.5", "27.6")


@pytest.mark.parametrize("case", FIRST)
def test_a_scenario_is_played_by_default_and_ends_in_a_verdict(case):
    book = load(f"trc+{case}")
    assert next(iter(book.program.scenarios)) == FIRST[case]
    game = book.new(None, 1)
    players = {side: RandomPlayer(1009 + i) for i, side in enumerate(book.program.sides)}
    made = placed = 0
    while not game.over and made < MOST:
        decision = game.decisions[0]
        choice = players[decision.side](game, decision)
        placed += choice.name == "redeploy"
        game.do(choice)
        game.check()
        made += 1
    assert game.winner in ("axis", "russian")
    assert (placed > 0) == (case in LINED_UP)
