"""Seeded games give the same hash at every step, whatever process, hash seed or Python plays them."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from rulewright.compiler.loader import write
from rulewright.compiler.pipeline import compile_book

LINKS = Path(__file__).resolve().parent.parent / "types"
GAMES = 3

PLAY = f"""
import hashlib
import trc
from rulewright.runtime import RandomPlayer, new_game

total = hashlib.sha256()
for seed in range({GAMES}):
    game = new_game(trc.PROGRAM, "battle", seed)
    players = {{side: RandomPlayer(seed * 7 + i) for i, side in enumerate(trc.PROGRAM.sides)}}
    while not game.over:
        decision = game.decisions[0]
        game.do(players[decision.side](game, decision))
        total.update(game.digest().encode())
print(total.hexdigest())
"""


@pytest.fixture(scope="module")
def compiled(tmp_path_factory):
    folder = tmp_path_factory.mktemp("compiled")
    write(compile_book("trc"), folder / "trc")
    return folder


def another_python():
    """Another Python of 3.11 or newer where one is at hand, else this one; only the runtime is needed to play."""
    for name in ("python3.13", "python3.14", "python3.12"):
        path = shutil.which(name)
        works = path and subprocess.run([path, "-c", "import sqlite3"], capture_output=True).returncode == 0
        if works and f"{sys.version_info.minor}" != name.rpartition(".")[2]:
            return path
    return sys.executable


def hash_of(python, compiled, seed):
    env = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}
    env |= {"PYTHONPATH": f"{LINKS}{os.pathsep}{compiled}", "PYTHONHASHSEED": seed}
    done = subprocess.run([python, "-c", PLAY], capture_output=True, text=True, env=env)
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout.strip()


def test_games_are_the_same_everywhere(compiled):
    assert hash_of(sys.executable, compiled, "0") == hash_of(another_python(), compiled, "31")
