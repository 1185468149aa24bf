"""Games per second on two cores against one: `python benchmarks/games.py [GAMES]`.

The same seeds are played by one process and by two; the results must be equal, and the figure, wall time of
the one divided by wall time of the other, should be at least 1.7. Each worker loads the book once before the clock
starts to matter, so play enough games (40 by default).
"""

from __future__ import annotations

import sys
import time

from rulewright.compiler.sim import sim

BOOK, SCENARIO = "trc", "battle"


def timed(games: int, jobs: int) -> tuple[float, object]:
    began = time.perf_counter()
    played = sim(BOOK, SCENARIO, range(games), jobs)
    return time.perf_counter() - began, played


def main() -> None:
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 40
    one, first = timed(games, 1)
    two, second = timed(games, 2)
    assert first == second, "the same seeds gave other games"
    print(
        f"{SCENARIO} of {BOOK}: {games / one:.2f} games/s on one core, {games / two:.2f} on two: {one / two:.2f} (at least 1.7)"
    )


if __name__ == "__main__":
    main()
