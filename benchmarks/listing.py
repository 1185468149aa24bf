"""The longest listings of choices: `buy_back` of tdv, where each way is tried by supposing a unit in another hex.

A busy player plays a campaign; the window with the most ways to buy units back is listed whole, once, as it stands in
the game. Lark parses the book before and after. Times are of the processor.
"""

from __future__ import annotations

import time
from pathlib import Path

from rulewright.compiler import load
from rulewright.runtime.players import BusyPlayer

from .compile import bare_parse
from .timing import Figure

TDV = Path(__file__).resolve().parent.parent / "rulebooks" / "tdv"
ACTION, SCENARIO, SEED, MOST = "buy_back", "campaign", 1, 1000


def listings() -> list[tuple[int, float]]:
    """How many ways each window had, and the seconds to list them."""
    book = load("tdv")
    game = book.new(SCENARIO, seed=SEED)
    players = {side: BusyPlayer(SEED * 10 + i) for i, side in enumerate(book.program.sides)}
    found: list[tuple[int, float]] = []
    for _ in range(MOST):
        if game.over:
            break
        decision = game.decisions[0]
        for space in game.spaces(decision) if ACTION in decision.name.split() else ():
            if space.name == ACTION:
                start = time.process_time()
                count = sum(1 for _ in space.listing())
                found.append((count, time.process_time() - start))
        game.do(players[decision.side](game, decision))
    return found


def figures() -> list[Figure]:
    before = bare_parse(TDV)
    count, spent = max(listings())
    parse = (before + bare_parse(TDV)) / 2
    note = f"{count} choices"
    return [Figure(f"the longest listing of {ACTION} ÷ a bare parse of tdv", spent / parse, most=1.6, note=note)]
