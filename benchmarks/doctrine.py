"""A campaign of trc played by doctrines against one played at random, both as playouts: decisions a second.

Each side plays the book's own doctrine at the level `normal`. Both kinds of games are played in turns, to the same
number of choices at most; the figure is the middle of the rounds.
"""

from __future__ import annotations

import time

from rulewright.compiler.loader import load
from rulewright.compiler.players import EACH, OWN, find_seat
from rulewright.runtime.playout import playout

from .timing import Figure, middle

BOOK, SCENARIO, MOST = "trc", "barbarossa", 600
ROUNDS = 5


def speed(word: str, seed: int) -> float:
    """Decisions a second of one game, or of its beginning."""
    book = load(BOOK)
    game = book.new(SCENARIO, seed=seed)
    seats = [(side, find_seat(book, word, side)) for side in book.program.sides]
    players = {side: seat.make(seed * EACH + i) for i, (side, seat) in enumerate(seats)}
    start = time.process_time()
    made = playout(game, players, MOST)
    return made / (time.process_time() - start)


def figures() -> list[Figure]:
    words = (OWN, "random")
    for word in words:
        speed(word, 0)
    rounds = [{word: speed(word, seed) for word in words} for seed in range(1, ROUNDS + 1)]
    ratio = middle([r[OWN] / r["random"] for r in rounds])
    told = ", ".join(f"{word} {middle([r[word] for r in rounds]):.0f}/s" for word in words)
    return [Figure(f"{BOOK} by doctrine ÷ at random, decisions a second", ratio, least=0.3, note=told)]
