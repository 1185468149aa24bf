"""A whole random campaign of `trc`: decisions a second, peak memory, and where the time goes.

The game is played twice from the same seed: once for the clock, once under the profiler for the top five by their
own time. Only the figures that the machine does not decide alone are comparable from run to run: the profile's shares.
"""

from __future__ import annotations

import cProfile
import pstats
import resource
import time

from rulewright.compiler import load
from rulewright.runtime import RandomPlayer
from rulewright.runtime.players import play

from .timing import Figure

BOOK, SCENARIO, SEED = "trc", "barbarossa", 3


def campaign(most: int) -> tuple[int, float]:
    """How many decisions were made, and the seconds of the processor that they took."""
    book = load(BOOK)
    game = book.new(SCENARIO, seed=SEED)
    players = {side: RandomPlayer(SEED * 10 + i) for i, side in enumerate(book.program.sides)}
    start = time.process_time()
    made = play(game, players, most=most)
    return made, time.process_time() - start


def figures(most: int = 4000) -> list[Figure]:
    made, spent = campaign(most)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    profile = cProfile.Profile()
    profile.runcall(campaign, min(most, 600))
    stats = pstats.Stats(profile)
    total = sum(row[2] for row in stats.stats.values())  # type: ignore[attr-defined]
    rows = sorted(stats.stats.items(), key=lambda item: -item[1][2])[:5]  # type: ignore[attr-defined]
    return [
        Figure(f"campaign of {BOOK}: decisions a second", made / spent, note=f"{made} decisions, {spent:.1f} s"),
        Figure("campaign: peak memory, MB", peak),
        *(
            Figure(f"campaign, by own time: {place[0].rpartition('/')[2]} {place[2]}", row[2] / total, note="share")
            for place, row in rows
        ),
    ]
