"""Random campaigns of `trc`: decisions a second, peak memory, and where the time goes.

The games are played in a process of their own, so that its peak of memory is theirs; then one of them once more under
the profiler for the top five by their own time. Seconds are those of the machine at hand; the shares are comparable.
"""

from __future__ import annotations

import cProfile
import json
import pstats
import subprocess
import sys
import time
from pathlib import Path

from rulewright.compiler import load
from rulewright.runtime import RandomPlayer
from rulewright.runtime.players import play

from .timing import Figure

BOOK, SCENARIO, SEEDS = "trc", "barbarossa", range(1, 7)


def campaign(seed: int) -> int:
    """How many decisions a game took."""
    book = load(BOOK)
    game = book.new(SCENARIO, seed=seed)
    players = {side: RandomPlayer(seed * 10 + i) for i, side in enumerate(book.program.sides)}
    return play(game, players)


def inside() -> None:
    """Play them all; tells decisions, seconds of the processor and megabytes."""
    load(BOOK)
    start = time.process_time()
    made = sum(campaign(seed) for seed in SEEDS)
    spent = time.process_time() - start
    print(json.dumps([made, spent, peak()]))


def peak() -> float | None:
    """The most memory this process has held, in megabytes, where the system tells."""
    status = Path("/proc/self/status")
    lines = status.read_text().split("\n") if status.is_file() else []
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM:")), None)


def figures() -> list[Figure]:
    load(BOOK)
    code = "from benchmarks import campaign; campaign.inside()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    made, spent, most = json.loads(done.stdout)
    profile = cProfile.Profile()
    profile.runcall(campaign, SEEDS[0])
    rows = pstats.Stats(profile).get_stats_profile().func_profiles
    total = sum(row.tottime for row in rows.values())
    top = sorted(rows.items(), key=lambda item: -item[1].tottime)[:5]
    note = f"{len(SEEDS)} games, {made} decisions, {spent:.1f} s"
    return [
        Figure(f"campaigns of {BOOK}: decisions a second", made / spent, note=note),
        Figure("campaigns: peak memory, MB", most),
        *(Figure(f"campaign, by own time: {name}", row.tottime / total, note="share") for name, row in top),
    ]
