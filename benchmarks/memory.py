"""What a long game gains in memory a decision, against what it has to keep of one: its log and its journal.

A campaign of `tdv` is played by busy players in a process of its own, which counts every byte that the game holds.
What is remembered between changes is left out: it comes and goes with the position, and the note tells its size.
"""

from __future__ import annotations

import gc
import json
import subprocess
import sys
import tracemalloc

from rulewright.compiler import load
from rulewright.runtime import Game
from rulewright.runtime.automatic import seat
from rulewright.runtime.journal import Journal
from rulewright.runtime.players import play

from .timing import Figure

BOOK, SCENARIO, SEED, HALF = "tdv", "campaign", 1, 400
AIM = 2.0


def figures() -> list[Figure]:
    load(BOOK)
    code = "from benchmarks import memory; memory.inside()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    gained, kept, remembered = json.loads(done.stdout)
    note = f"{gained / 1024:.1f} kB and {kept / 1024:.1f} kB; {remembered / 2**20:.1f} MB remembered"
    return [
        Figure(f"a long game of {BOOK}: memory gained a decision ÷ its log and journal", gained / kept, AIM, note=note)
    ]


def inside() -> None:
    """Tells bytes a decision in the second half of a game, those of log and journal, and what is remembered then."""
    book = load(BOOK)
    tracemalloc.start()
    game = book.new(SCENARIO, seed=SEED)
    players = seat(["busy"], book.program.sides, SEED)
    held = []
    for _ in range(2):
        made = play(game, players, HALF)
        assert made == HALF, "the game is too short to tell"
        remembered = traced()
        game.state.forget()
        held.append(traced())
    forget_story(game)
    print(json.dumps([(held[1] - held[0]) / HALF, (held[1] - traced()) / (2 * HALF), remembered - held[1]]))


def forget_story(game: Game) -> None:
    """Drop the log and the journal."""
    game.log, game.journal = [], Journal(game.journal.header)


def traced() -> int:
    """The bytes that are held now."""
    gc.collect()
    return tracemalloc.get_traced_memory()[0]
