"""The campaign of The Russian Campaign from May/June 1941 to a victory, by its own rules."""

import os
import subprocess
import sys

import pytest

from rulewright.compiler import load
from rulewright.runtime import Choice, RandomPlayer

MOST = 6000


@pytest.fixture(scope="module")
def book():
    return load("trc")


def campaign(book, seed):
    """One random campaign; invariants are checked after every decision."""
    game = book.new("barbarossa", seed)
    players = {side: RandomPlayer(seed * 1009 + i) for i, side in enumerate(book.program.sides)}
    made = []
    while not game.over and len(made) < MOST:
        decision = game.decisions[0]
        choice = players[decision.side](game, decision)
        game.do(choice)
        game.check()
        made.append(choice.plain())
    return game, made


@pytest.mark.parametrize("seed", [1, 2])
def test_a_random_campaign_ends_in_a_victory_and_replays_to_the_same_state(book, seed):
    game, made = campaign(book, seed)
    assert game.over and game.winner in ("axis", "russian")
    assert any(e["event"] == "win" and e["case"].startswith(("25.", "4.3", "20.")) for e in game.log)
    again = book.new("barbarossa", seed)
    for plain in made:
        again.do(Choice.from_plain(plain))
    assert again.digest() == game.digest()


def test_a_campaign_is_the_same_in_another_process_and_under_another_hash_seed(book):
    code = (
        "from rulewright.compiler import load\nfrom rulewright.runtime import RandomPlayer, play\n"
        "book = load('trc')\ngame = book.new('barbarossa', 3)\n"
        "play(game, {s: RandomPlayer(3 + i) for i, s in enumerate(book.program.sides)}, most=160)\nprint(game.digest())"
    )
    found = set()
    for seed in ("0", "77"):
        env = {**os.environ, "PYTHONHASHSEED": seed}
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=env)
        found.add(done.stdout.strip())
    assert len(found) == 1
