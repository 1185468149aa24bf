"""Games on two cores against one: `python -m benchmarks games`.

The same seeds are played by one process and by two; the results must be equal, and the figure, wall time of
the one divided by wall time of the other, should be at least 1.85. Each worker loads the book once before the clock
starts to matter, so enough games are played. It needs two cores that nobody else uses.
"""

from __future__ import annotations

import os
import time

from rulewright.compiler.playtest.playtest import playtest
from rulewright.compiler.playtest.records import Setting
from rulewright.compiler.playtest.run import Here
from rulewright.compiler.playtest.stage import Stage

from .timing import Figure

BOOK, SCENARIO = "trc", "battle"


def timed(games: int, jobs: int) -> tuple[float, object]:
    stage = Stage(Setting(BOOK, SCENARIO, ("random",), 20_000))
    began = time.perf_counter()
    played = playtest(stage, range(games), place=Here(jobs)).played
    return time.perf_counter() - began, played


def figures(games: int = 40) -> list[Figure]:
    one, first = timed(games, 1)
    two, second = timed(games, 2)
    assert first == second, "the same seeds gave other games"
    note = f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}"
    return [Figure(f"{SCENARIO} of {BOOK}: two cores ÷ one", one / two, least=1.85, note=note)]
