"""The Dark Valley from June 1941: a campaign that ends in a victory, and a short scenario."""

from __future__ import annotations

import pytest

from rulewright.compiler import load
from rulewright.runtime import RandomPlayer
from rulewright.runtime.players import play as play_out

MOST = 6000


@pytest.fixture(scope="module")
def book():
    return load("tdv")


def play(book, scenario: str, seed: int):
    """One random game; invariants are checked after every decision."""
    game = book.new(scenario, seed)
    players = {side: RandomPlayer(seed * 1009 + i) for i, side in enumerate(book.program.sides)}
    play_out(game, players, most=MOST, watch=lambda game, _: game.check())
    return game


def test_a_random_campaign_ends_in_a_victory_of_chapter_3(book) -> None:
    game = play(book, "campaign", 1)
    assert game.over and game.winner in ("axis", "soviet")
    assert any(e["event"] == "win" and e["case"].startswith("3.2") for e in game.log)


@pytest.mark.parametrize("seed", [1, 2])
def test_the_short_scenario_plays_to_its_end(book, seed: int) -> None:
    game = play(book, "blau", seed)
    assert game.over and game.winner in ("axis", "soviet")
