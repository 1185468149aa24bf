"""Chapters 8 and 9 of The Dark Valley in play: the two house scenarios with air, trains, ships, landings and drops."""

from __future__ import annotations

import pytest

from rulewright.compiler import load
from rulewright.runtime import RandomPlayer
from rulewright.runtime.players import play

MOST = 3000


@pytest.fixture(scope="module")
def book():
    return load("tdv")


@pytest.mark.parametrize(("scenario", "seed"), [("smolensk_air", 2), ("smolensk_air", 4), ("crimea", 1), ("crimea", 4)])
def test_every_position_keeps_its_promises(book, scenario: str, seed: int) -> None:
    game = book.new(scenario, seed)
    players = {side: RandomPlayer(seed * 31 + i) for i, side in enumerate(book.program.sides)}
    play(game, players, most=MOST, watch=lambda game, _: game.check())
    assert game.over and game.winner in ("axis", "soviet")


def test_the_crimea_uses_every_journey(book) -> None:
    """Over a few games each way of travelling of chapter 9 is taken at least once, a landing excepted: it is rare."""
    taken: set[str] = set()
    for seed in range(1, 7):
        game = book.new("crimea", seed)
        players = {side: RandomPlayer(seed * 31 + i) for i, side in enumerate(book.program.sides)}
        while not game.over and game.decisions[0].name not in ("picked", "opener"):
            decision = game.decisions[0]
            choice = players[decision.side](game, decision)
            taken.add(choice.name)
            game.do(choice)
    assert {"axis_train", "axis_ship", "soviet_train", "soviet_ship", "shift_base", "shift_air"} <= taken
    assert taken & {"air_drop", "air_transport"}
