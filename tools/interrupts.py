"""Interrupt games at random moments, and look at what they leave.

Use: python tools/interrupts.py [--times 200] [--seed 0] [--report FILE] [BOOK:SCENARIO ...]

Each game is played by `rulewright play --save` in a process of its own and is ended by Ctrl-C, a polite request, a
closed terminal, `kill -9`, or a disk that is full. Its save must then be a sound journal; the position it resumes at
must be the one that its events lead to, played again from the first; and the game must go on from there. Every sixth
game is a person's, typed over a pipe: each choice that was answered with the next question must be in the save.
"""

from __future__ import annotations

import argparse
import collections
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from rulewright.compiler import load
from rulewright.compiler.cli.desk.table import Table
from rulewright.compiler.cli.main import main as rulewright
from rulewright.compiler.loader import Loaded
from rulewright.runtime import RandomPlayer, resume
from rulewright.runtime.automatic import seat
from rulewright.runtime.begin import begun
from rulewright.runtime.journal import Journal, SaveProblem
from rulewright.runtime.players import play
from rulewright.runtime.text import Choice

WAYS: dict[str, int] = {
    "Ctrl-C": signal.SIGINT,
    "a request to end": signal.SIGTERM,
    "a closed terminal": signal.SIGHUP,
    "kill -9": signal.SIGKILL,
    "a full disk": 0,
}
"""By which signal; a disk that is full needs none."""
GAMES = ("trc:barbarossa", "tdv:campaign")
LONGEST = 1.2
FULL = 30.0
ROOM = 40_000
"""How much room at most a full disk still has, in bytes."""
AFTERWARDS = 5


@dataclass
class Left:
    """What one interrupted game left: how many choices, and what is wrong with its save."""

    way: str
    choices: int = 0
    code: int = 0
    over: bool = False
    problem: str = ""

    @property
    def early(self) -> bool:
        """The game ended by itself before the signal came; one that stops half-way with 0 did not."""
        return self.code == 0 and self.over


def in_child(run: Callable[[], int]) -> int:
    """Run something in a process of its own that knows all that this one has loaded; its number."""
    child = os.fork()
    if child:
        return child
    null = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(null, stream)
    code = 3
    try:
        code = run()
    finally:
        os._exit(code)


def interrupted(book: Loaded, scenario: str, seed: int, way: str, rng: random.Random) -> Left:
    """One game between random players, ended at a random moment; one that was over before is played again."""
    longest = LONGEST
    while True:
        with tempfile.TemporaryDirectory() as folder:
            found = one(book, scenario, seed, way, rng, Path(folder), longest)
        if not found.early or found.problem:
            return found
        longest /= 2


def one(book: Loaded, scenario: str, seed: int, way: str, rng: random.Random, folder: Path, longest: float) -> Left:
    path = folder / "game.save"
    words = ["play", book.name, "--scenario", scenario, "--players", rng.choice(["random", "busy"])]
    words += ["--seed", str(seed), "--quiet", "--save", str(path)]

    def run() -> int:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_DFL if number != signal.SIGINT else signal.default_int_handler)
        return rulewright(words)

    child = in_child(run)
    began = time.monotonic()
    while not path.exists() and time.monotonic() - began < 300:
        time.sleep(0.002)
    if way == "a full disk":
        most = path.stat().st_size + rng.randrange(ROOM)
        resource.prlimit(child, resource.RLIMIT_FSIZE, (most, most))
    until = time.monotonic() + (rng.uniform(0, longest) if WAYS[way] else FULL)
    ended = (0, 0)
    while not ended[0] and time.monotonic() < until:
        time.sleep(0.001)
        ended = os.waitpid(child, os.WNOHANG)
    if not ended[0]:  # it may end by itself just now: only what it leaves tells
        os.kill(child, WAYS[way] or signal.SIGTERM)
        ended = os.waitpid(child, 0)
    found = looked_at(book, path, way)
    found.code = os.waitstatus_to_exitcode(ended[1])
    return found


def looked_at(book: Loaded, path: Path, way: str) -> Left:
    """Whether a save is whole: it resumes where its events lead, and the game goes on."""
    found = Left(way)
    try:
        game = resume(path, lambda _: book.program)
        found.choices, found.over = len(game.journal), game.over
        again = begun(book.program, game.journal.header)
        for event in Journal.read(path).events():
            again.do(Choice.from_plain(event))
        if again.digest() != game.digest():
            found.problem = "differs from its journal"
        game.journal.go_on_in(path)
        play(game, seat(["random"], book.program.sides, 77), AFTERWARDS)
        game.journal.close()
        if resume(path, lambda _: book.program).digest() != game.digest():
            found.problem = found.problem or "does not go on"
    except (SaveProblem, OSError) as problem:
        found.problem = f"cannot be resumed: {problem}"
    return found


def persons(book: Loaded, scenario: str, seed: int, rng: random.Random, folder: Path) -> Left:
    """A game that two persons type, killed after some answer: what was answered is in the save."""
    path, choices = folder / "game.save", rng.randrange(1, 25)
    mine = book.new(scenario, seed)
    players = {side: RandomPlayer(seed + i) for i, side in enumerate(book.program.sides)}
    table = Table(book, mine, dict.fromkeys(book.program.sides))
    start = "import sys; from rulewright.compiler.cli.main import main; sys.exit(main(sys.argv[1:]))"
    words = ["play", book.name, "--scenario", scenario, "--seed", str(seed), "--plain", "--quiet", "--save", str(path)]
    with subprocess.Popen(
        [sys.executable, "-c", start, *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as child:
        assert child.stdin is not None and child.stdout is not None
        asked(child.stdout.fileno())
        answered = 0
        while answered < choices and not mine.over:
            decision = mine.decisions[0]
            forced = table.forced(decision)
            if forced is not None:  # nobody is asked
                mine.do(forced)
                continue
            choice = players[decision.side](mine, decision)
            child.stdin.write((mine.show(choice) + "\n").encode())
            child.stdin.flush()
            mine.do(choice)
            asked(child.stdout.fileno())
            answered += 1
        child.kill()
    found = looked_at(book, path, "kill -9 of a person's game")
    if not found.problem and found.choices < answered:
        found.problem = f"lost {answered - found.choices} of {answered} choices that were answered"
    return found


def asked(handle: int) -> None:
    """Read until the next question."""
    seen = b""
    while not seen.endswith(b"> "):
        more = os.read(handle, 65536)
        if not more:
            return
        seen = (seen + more)[-64:]


def campaign(games: list[str], times: int, seed: int) -> dict[str, list[Left]]:
    """So many interrupts, the games and the ways in turn."""
    rng = random.Random(seed)
    found: dict[str, list[Left]] = {name: [] for name in games}
    books = {name: load(name.rpartition(":")[0]) for name in games}
    for at in range(times):
        name = games[at % len(games)]
        scenario = name.rpartition(":")[2]
        if at // len(games) % 6 == 5:
            with tempfile.TemporaryDirectory() as folder:
                found[name].append(persons(books[name], scenario, at, rng, Path(folder)))
        else:
            way = list(WAYS)[at // len(games) % len(WAYS)]
            found[name].append(interrupted(books[name], scenario, at, way, rng))
        if sys.stderr.isatty():
            print(f"\r{at + 1} of {times}", end="", file=sys.stderr)
    return found


def report(found: dict[str, list[Left]], seed: int) -> str:
    every = [left for lefts in found.values() for left in lefts]
    bad = [left for left in every if left.problem]
    differ = sum("differs" in left.problem for left in bad)
    lines = [
        "# Interrupted games",
        "",
        f"`python tools/interrupts.py --times {len(every)} --seed {seed}` (or `make interrupts`): {len(every)} games",
        f"ended at random moments. {differ} saves differ from their journal; {len(bad) - differ} cannot be resumed or",
        "lost a choice.",
        "",
        "| game | ended by | times | choices in the save | exit codes | at fault |",
        "|---|---|---|---|---|---|",
    ]
    for name, lefts in found.items():
        by_way: dict[str, list[Left]] = collections.defaultdict(list)
        for left in lefts:
            by_way[left.way].append(left)
        for way, those in by_way.items():
            few, many = min(x.choices for x in those), max(x.choices for x in those)
            codes = ", ".join(map(str, sorted({x.code for x in those}))) if "person" not in way else "-9"
            wrong = sum(bool(x.problem) for x in those)
            lines.append(f"| {name} | {way} | {len(those)} | {few} to {many} | {codes} | {wrong} |")
    lines += ["", *(f"- {left.way}, after {left.choices} choices: {left.problem}" for left in bad)]
    return "\n".join(lines).rstrip() + "\n"


def main() -> int:
    p = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    p.add_argument("games", nargs="*", default=list(GAMES), metavar="BOOK:SCENARIO")
    p.add_argument("--times", type=int, default=200)
    p.add_argument("--seed", type=int, default=0)
    p.add_argument("--report", type=Path)
    args = p.parse_args()
    found = campaign(args.games, args.times, args.seed)
    text = report(found, args.seed)
    if args.report is not None:
        args.report.write_text(text)
    print(text)
    return 1 if any(left.problem for lefts in found.values() for left in lefts) else 0


if __name__ == "__main__":
    sys.exit(main())
