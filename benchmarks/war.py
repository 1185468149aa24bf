"""The campaign of Fire in the East against a bare parse of trc: choices of a busy player, set-up, memory.

Both sides set up by the list; then two busy players play on the whole map. One figure is the 95th percentile of what a
choice takes, listing and carrying it out; another the same of listing all places where one unit may be set up. The
memory is the most that the process held. Lark parses trc before and after; times are of the processor.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
from itertools import islice
from typing import Any

from rulewright.compiler import load
from rulewright.runtime import Choice, Game
from rulewright.runtime.players import BusyPlayer

from .compile import bare_parse
from .series import TRC
from .timing import Figure

BOOK, SCENARIO, SEED = "fite", "war", 1
MOST, UNITS = 1200, 200


def by_the_list(game: Game) -> list[float]:
    """Lay out both sides by the list; tells the seconds that it took to list where each of some units may go."""
    listed: list[float] = []
    while (decision := game.decisions[0]).name == "by_list" or decision.name.startswith("deploy"):
        if decision.name == "by_list":
            if not listed:
                listed = [ways_of(game, u) for u in islice(waiting(game), UNITS)]
            game.do(Choice(decision.id, decision.side, "by_list", (("", True),)))
        else:
            game.do(Choice(decision.id, decision.side, "done", ()))
    return listed


def waiting(game: Game) -> Any:
    """The units that the side may set up now."""
    return iter(game.program.values["to_deploy"][0](game.state))


def ways_of(game: Game, unit: int) -> float:
    """The seconds in which all places are listed where a unit may be set up."""
    first = [unit]

    def pick(members: Any, sets: bool) -> Any:
        return (first.pop(),) if first else members

    start = time.process_time()
    for _ in game.program.actions["deploy"].ways(game.state, "soviet", pick):
        pass
    return time.process_time() - start


def inside() -> None:
    """Plays, and tells the times of choices and listings, and the most megabytes that were held."""
    book = load(BOOK)
    game = book.new(SCENARIO, seed=SEED)
    listed = by_the_list(game)
    players = {side: BusyPlayer(SEED * 10 + i) for i, side in enumerate(book.program.sides)}
    taken: list[float] = []
    while not game.over and len(taken) < MOST:
        start = time.process_time()
        decision = game.decisions[0]
        game.do(players[decision.side](game, decision))
        taken.append(time.process_time() - start)
    print(json.dumps([sorted(taken), sorted(listed), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024]))


def figures() -> list[Figure]:
    load(BOOK)
    before = bare_parse(TRC)
    code = "from benchmarks import war; war.inside()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    taken, listed, held = json.loads(done.stdout)
    parse = (before + bare_parse(TRC)) / 2

    def late(times: list[float]) -> float:
        return times[int(len(times) * 0.95)] / parse

    note = f"{len(taken)} choices, median {taken[len(taken) // 2] / parse:.4f}, longest {taken[-1] / parse:.2f}"
    said = f"{len(listed)} units, 95th percentile, longest {listed[-1] / parse:.4f}"
    return [
        Figure(f"busy in {SCENARIO}, 95th percentile ÷ a bare parse of trc", late(taken), most=0.16, note=note),
        Figure("the choices of one unit in set-up ÷ a bare parse of trc", late(listed), most=0.08, note=said),
        Figure(f"memory of {SCENARIO}, MB", held, most=1024),
    ]
