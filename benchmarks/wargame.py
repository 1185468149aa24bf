"""Random games a second of a small wargame: compiled from ridge.rules, by hand in Python, and in boardgame.io.

All three choose alike, at random; each game has its own seed. The shares of wins and the choices a game are printed
beside the figures, since equal rules must give much the same. boardgame.io is fetched by npm into a temporary folder.
The figure is the middle of five rounds, played in turns.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from rulewright.compiler import load
from rulewright.runtime import RandomPlayer
from rulewright.runtime.playout import playout

from .ridge import Ridge
from .timing import Figure, middle

HERE = Path(__file__).parent
GAMES = 60


def compiled() -> Callable[[int], tuple[int, str | None]]:
    """One random game of the compiled book: how many choices it took, and who won."""
    book = load(str(HERE / "ridge.rules"))

    def one(seed: int) -> tuple[int, str | None]:
        game = book.new(seed=seed)
        made = playout(game, {"blue": RandomPlayer(2 * seed), "red": RandomPlayer(2 * seed + 1)})
        return made, game.winner

    return one


def by_hand(seed: int) -> tuple[int, str | None]:
    game = Ridge(seed).play()
    return game.choices, game.winner


def speed(one: Callable[[int], tuple[int, str | None]], first: int) -> tuple[float, float, float]:
    """Games a second of the processor, choices a game, and the share that blue wins."""
    start = time.process_time()
    games = [one(seed) for seed in range(first, first + GAMES)]
    spent = time.process_time() - start
    return GAMES / spent, sum(x[0] for x in games) / GAMES, sum(x[1] == "blue" for x in games) / GAMES


def boardgame_io(folder: Path) -> str:
    """Fetch it; returns what stands in the way, if anything."""
    npm, node = shutil.which("npm"), shutil.which("node")
    if npm is None or node is None:
        return "npm or node is missing"
    done = subprocess.run(
        [npm, "install", "--no-audit", "--no-fund", "--prefix", str(folder), "boardgame.io@0.50"],
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
    )
    return "" if done.returncode == 0 else "npm could not fetch boardgame.io"


def other(folder: Path, seed: int) -> tuple[float, float, float]:
    command = ["node", str(HERE / "ridge.js"), str(folder), "1.5", str(seed)]
    environment = {**os.environ, "NODE_ENV": "production"}
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    told = json.loads(done.stdout)
    return told["games"] / told["seconds"], told["choices"] / told["games"], told["wins"][0] / told["games"]


def figures(rounds: int = 5) -> list[Figure]:
    ours = compiled()
    for one in (ours, by_hand):
        speed(one, 0)
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        wrong = boardgame_io(folder)
        mine, hand, theirs = [], [], []
        for i in range(rounds):
            mine.append(speed(ours, i * GAMES))
            hand.append(speed(by_hand, i * GAMES))
            if not wrong:
                theirs.append(other(folder, i))
    ratio = middle([a[0] / b[0] for a, b in zip(mine, hand, strict=True)])
    told = "; ".join(f"{name}: {show(rows)}" for name, rows in (("compiled", mine), ("by hand", hand)))
    found = [Figure("small wargame: games a second ÷ written by hand", ratio, least=1.0, note=told)]
    if wrong:
        return [*found, Figure("small wargame: games a second ÷ boardgame.io", None, least=7.0, note=wrong)]
    ratio = middle([a[0] / c[0] for a, c in zip(mine, theirs, strict=True)])
    note = f"boardgame.io: {show(theirs)}"
    return [*found, Figure("small wargame: games a second ÷ boardgame.io", ratio, least=7.0, note=note)]


def show(rows: list[tuple[float, float, float]]) -> str:
    count = len(rows)
    games, choices, blue = middle([x[0] for x in rows]), *(sum(x[i] for x in rows) / count for i in (1, 2))
    return f"{games:.0f}/s, {choices:.1f} choices, blue {blue:.1%}"
