"""Busy play of the large books against trc: decisions a second, played in turns.

Games of all books are played by busy players over and over; the figure is the middle of the rounds.
"""

from __future__ import annotations

import time

from rulewright.compiler import load
from rulewright.runtime.players import BusyPlayer, play

from .timing import Figure, middle

GAMES = {"trc": ("barbarossa", 400), "fite": ("niemen", 400), "tdv": ("campaign", 400), "caseblue": ("rostov", 100)}
AIMS = {"fite": 0.35}
ROUNDS = 5


def speed(name: str, seed: int) -> float:
    """Decisions a second of one game, or of its beginning."""
    scenario, most = GAMES[name]
    book = load(name)
    game = book.new(scenario, seed=seed)
    players = {side: BusyPlayer(seed * 10 + i) for i, side in enumerate(book.program.sides)}
    start = time.process_time()
    made = play(game, players, most)
    return made / (time.process_time() - start)


def figures() -> list[Figure]:
    for name in GAMES:
        speed(name, 0)
    rounds = [{name: speed(name, seed) for name in GAMES} for seed in range(1, ROUNDS + 1)]
    found = []
    for name in GAMES:
        if name != "trc":
            ratio = middle([r[name] / r["trc"] for r in rounds])
            note = f"middle of {ROUNDS} games each: {middle([r[name] for r in rounds]):.0f}/s"
            found.append(Figure(f"busy play, decisions a second: {name} ÷ trc", ratio, least=AIMS.get(name), note=note))
    return found
