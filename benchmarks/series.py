"""Case Blue on its series against a bare parse of trc: a choice of a busy player, and the load of the whole frame.

Games of Rostov are played by two busy players; the figure is the 95th percentile of what one choice takes, listing and
carrying it out. The frame of all sheets is loaded in processes of their own, first with an empty cache, then with what
the first one left, bytecode included. Times are of the processor; Lark parses trc before and after.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from rulewright.compiler import load
from rulewright.runtime.players import BusyPlayer

from .compile import bare_parse, environment
from .overlays import CODE
from .timing import Figure

TRC = Path(__file__).resolve().parent.parent / "rulebooks" / "trc"
BOOK, SCENARIO, FRAME = "caseblue", "rostov", "caseblue+whole"
SEEDS, MOST = range(1, 3), 400


def choices(seed: int) -> list[float]:
    """The seconds of each choice of one game, or of its beginning."""
    book = load(BOOK)
    game = book.new(SCENARIO, seed=seed)
    players = {side: BusyPlayer(seed * 10 + i) for i, side in enumerate(book.program.sides)}
    found: list[float] = []
    while not game.over and len(found) < MOST:
        start = time.process_time()
        decision = game.decisions[0]
        game.do(players[decision.side](game, decision))
        found.append(time.process_time() - start)
    return found


def loads() -> tuple[float, float]:
    """Seconds of the first load of the frame, and of a later one."""
    with tempfile.TemporaryDirectory() as cache:
        env = {**environment(), "RULEWRIGHT_CACHE": cache}
        command = [sys.executable, "-c", CODE, FRAME]
        spent = [subprocess.run(command, env=env, capture_output=True, text=True, check=True) for _ in range(4)]
        first, *later = (float(done.stdout) for done in spent)
    return first, statistics.median(later)


def figures() -> list[Figure]:
    before = bare_parse(TRC)
    taken = sorted(t for seed in SEEDS for t in choices(seed))
    first, later = loads()
    parse = (before + bare_parse(TRC)) / 2
    late = taken[int(len(taken) * 0.95)]
    note = f"{len(taken)} choices, median {taken[len(taken) // 2] / parse:.4f}, longest {taken[-1] / parse:.2f}"
    return [
        Figure(f"a choice in {SCENARIO}, 95th percentile ÷ a bare parse of trc", late / parse, most=0.1, note=note),
        Figure(f"first load of {FRAME} ÷ a bare parse of trc", first / parse, most=4.0),
        Figure(f"a later load of {FRAME} ÷ a bare parse of trc", later / parse, most=1.1),
    ]
