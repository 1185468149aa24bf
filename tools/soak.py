"""Play many random games and report: ends, choices, and how often each case fired.

Use: python tools/soak.py [--book trc] [--scenario NAME] [--games 200] [--mixes N] [--players busy]
                           [--kept FILE] [--report FILE]

Every game is checked against the book's invariants after each decision. In one game of every `--traced`
the generated code is traced line by line, so that a case counts as fired when code under it ran; in one of
every `--twins` the oracle plays the first choices too and must reach the same states.
With `--players busy` nobody is done while something useful is open: fewer games, fuller turns.
With `--kept FILE` each game is written down as it ends, and what stands there is not played again: a campaign of hours
may be stopped and gone on with. It holds for one state of the rules: delete it when they change.
With `--mixes N` each game is played under a random mix of the book's options that go together instead, N mixes.
"""

from __future__ import annotations

import argparse
import collections
import json
import multiprocessing
import random
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from twin.games import held

from rulewright.compiler import load
from rulewright.compiler.cli.progress import Progress
from rulewright.compiler.examples.executed_lines import LineTracer
from rulewright.compiler.interpret.game import Oracle, OracleGame
from rulewright.compiler.overlay.heads import read_head
from rulewright.compiler.overlay.stack import stack
from rulewright.compiler.pipeline import analyse, compile_book
from rulewright.dsl.diagnostics import Reporter
from rulewright.runtime.automatic import seat
from rulewright.runtime.players import PATIENCE

MOST = 20_000
TWINNED = 100
FEW = 20
Job = tuple[str, str | None, int, bool, bool, tuple[str, ...], int, int]
"""Rules, scenario, seed, whether it is traced and followed by the oracle, the players, most choices, patience."""


def oracle_game(name: str, scenario: str | None, seed: int) -> OracleGame:
    """The same game, played by the oracle."""
    book = compile_book(name).book
    assert book is not None
    return Oracle(book).new(scenario, seed)


def play_one(job: Job) -> dict[str, Any]:
    """One game: how it ended, how long it took, which cases its log and its code cite."""
    name, scenario, seed, traced, twin, players_of, most, patience = job
    fired: collections.Counter[str] = collections.Counter()
    tracer: LineTracer | None = None
    made, began = 0, time.process_time()
    try:
        book = load(name, folded=not traced)
        players = seat(players_of, book.program.sides, seed)
        for player in players.values():
            player.patience = patience
        other = oracle_game(name, scenario, seed) if twin else None
        if traced:
            tracer = LineTracer(book.folder)
            tracer.__enter__()
        game = book.new(scenario, seed)
        while not game.over and made < most:
            decision = game.decisions[0]
            choice = players[decision.side](game, decision)
            game.do(choice)
            game.check()
            made += 1
            if other is not None and made <= TWINNED:
                other.do(0, choice)
                told = game.program
                if apart := [x for x in told.flat if held(told, game.state, x) != held(told, other.S, x)]:
                    raise AssertionError(f"the oracle differs after choice {made}: {apart}")
    except Exception as error:  # a report names what went wrong, whatever it is
        return {"rules": name, "seed": seed, "error": f"after choice {made}: {type(error).__name__}: {error}"}
    finally:
        if tracer is not None:
            tracer.__exit__()
    for event in game.log:
        if event.get("case"):
            fired[event["case"]] += 1
    ran: set[str] = set()
    if tracer is not None:
        lines = tracer.lines
        ran = {case for module, line, case, *_ in book.source_lines() if (module, line) in lines}
    won = next((e["case"] for e in reversed(game.log) if e.get("event") == "win"), "")
    return {
        "rules": name,
        "seed": seed,
        "choices": made,
        "turns": sum(e.get("event") == "phase" and e["name"] == "turn" for e in game.log),
        "seconds": round(time.process_time() - began, 1),
        "winner": game.winner,
        "by": won,
        "over": game.over,
        "fired": dict(fired),
        "ran": sorted(ran),
    }


class Kept:
    """The games that have ended, in memory and in a file with a line each: how it was played, and what came of it.

    A line that was cut off, as when the campaign was stopped while it was written, counts as none.
    """

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self.games: dict[str, dict[str, Any]] = {}
        for line in path.read_text(encoding="utf-8").splitlines() if path and path.is_file() else []:
            with suppress(json.JSONDecodeError):
                job, made = json.loads(line)
                self.games[json.dumps(job)] = made

    def __contains__(self, job: Job) -> bool:
        return json.dumps(job) in self.games

    def of(self, job: Job) -> dict[str, Any]:
        return self.games[json.dumps(job)]

    def add(self, job: Job, made: dict[str, Any]) -> None:
        self.games[json.dumps(job)] = made
        if self.path is not None:
            with self.path.open("a", encoding="utf-8") as file:
                file.write("\n" + json.dumps([job, made]))


def played(job: Job) -> tuple[Job, dict[str, Any]]:
    """A game with how it was played: they end in any order."""
    return job, play_one(job)


def mixes(name: str, count: int, seed: int) -> list[str]:
    """Random mixes of a book's options, none of which is refused; the same for the same seed."""
    made = analyse(name)
    options = [o.name for o in made.overlays.values() if read_head(o, Reporter()).kind == "option"]
    rng = random.Random(seed)
    found: list[str] = []
    while len(found) < count:
        chosen = rng.sample(options, rng.randint(2, min(8, len(options))))
        report = Reporter()
        stack(name, made.overlays, chosen, "", lambda _: None, report)
        if not report.failed:
            found.append("+".join((name, *chosen)))
    return found


def main() -> int:
    p = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    p.add_argument("--book", default="trc")
    p.add_argument("--scenario")
    p.add_argument("--games", type=int, default=200)
    p.add_argument("--mixes", type=int, default=0, help="play this many random mixes of options, a game each")
    p.add_argument("--players", default="random", help="random or busy, one for all sides or one a side by commas")
    p.add_argument("--seed", type=int, default=0)
    p.add_argument("--traced", type=int, default=10, help="trace the code of one game in N, 0: none")
    p.add_argument("--twins", type=int, default=50, help="follow one game in N by the oracle, 0: none")
    p.add_argument("--most", type=int, default=MOST, help="choices after which a game counts as one without an end")
    p.add_argument("--patience", type=int, default=PATIENCE, help="choices after which a random player closes a window")
    p.add_argument("--jobs", type=int, default=multiprocessing.cpu_count())
    p.add_argument("--kept", type=Path, help="a file of the games that have ended; they are not played again")
    p.add_argument("--report", type=Path)
    args = p.parse_args()
    book = load(args.book)
    scenario = args.scenario or next(iter(book.program.scenarios))
    names = mixes(args.book, args.mixes, args.seed) if args.mixes else [args.book] * args.games
    jobs = [
        (
            name,
            scenario,
            args.seed + i,
            bool(args.traced) and i % args.traced == 0,
            bool(args.twins) and i % args.twins == 0,
            tuple(args.players.split(",")),
            args.most,
            args.patience,
        )
        for i, name in enumerate(names)
    ]
    with multiprocessing.get_context("spawn").Pool(args.jobs) as pool, Progress("games", len(jobs)) as progress:
        kept = Kept(args.kept)
        left = [job for job in jobs if job not in kept]
        for nr, (job, made) in enumerate(pool.imap_unordered(played, left), 1):
            kept.add(job, made)
            progress(len(jobs) - len(left) + nr)
    results = [kept.of(job) for job in jobs]
    text = report(args, scenario, results, book.program.cases)
    if args.report is not None:
        args.report.write_text(text)
    print(text)
    print("seconds:", ", ".join(f"seed {r['seed']} {r['seconds']}" for r in results if "seconds" in r), file=sys.stderr)
    return 1 if any("error" in r or not r.get("over") for r in results) else 0


def report(args: argparse.Namespace, scenario: str, results: list[dict[str, Any]], cases: Any) -> str:
    """The report as Markdown, the same for the same games."""
    good = [r for r in results if "error" not in r]
    bad = [r for r in results if "error" in r]
    endless = [r for r in good if not r["over"]]
    ends = collections.Counter((str(r["winner"]), str(r["by"])) for r in good)
    fired: collections.Counter[str] = collections.Counter()
    ran: set[str] = set()
    for r in good:
        fired.update(r["fired"])
        ran.update(r["ran"])
    never = [c for c in cases if c not in fired and c not in ran]
    choices = sum(r["choices"] for r in good)
    mixed = f", {args.mixes} random mixes of options" if args.mixes else ""
    mixed += f", players {args.players}" if args.players != "random" else ""
    closed = f" Random players closed a window after {args.patience} choices." if args.patience != PATIENCE else ""
    lines = [
        f"# Soak: {Path(args.book.split('+')[-1]).name if '+' in args.book else args.book}, {scenario}{mixed}",
        "",
        f"{len(results)} games, {choices} choices; {len(bad)} broke, {len(endless)} did not end.{closed} "
        + (f"In one of {args.traced} the code was traced" if args.traced else "No code was traced")
        + (
            f", in one of {args.twins} the oracle reached the same states over the first {TWINNED} choices."
            if args.twins
            else "."
        ),
        "",
        *(f"- {winner} wins by {by or 'no case'}: {n}" for (winner, by), n in sorted(ends.items())),
        *(f"- BROKE: {r['rules']}, seed {r['seed']}: {r['error']}" for r in bad),
        *(f"- NO END: {r['rules']}, seed {r['seed']} after {r['choices']} choices" for r in endless),
        "",
    ]
    if len(good) <= FEW:
        lines += ["| seed | choices | turns | winner | by |", "|---|---|---|---|---|"]
        lines += [f"| {r['seed']} | {r['choices']} | {r['turns']} | {r['winner']} | {r['by']} |" for r in good]
        lines += [""]
    if args.mixes:
        used = collections.Counter(o for r in good for o in r["rules"].split("+")[1:])
        lines += ["Options in the mixes: " + ", ".join(f"{o} {n}" for o, n in sorted(used.items())) + ".", ""]
    lines += [
        "## How often each case stands in the log",
        "",
        "| case | title | times |",
        "|---|---|---|",
        *(f"| {c} | {cases.get(c, '')} | {n} |" for c, n in sorted(fired.items(), key=lambda x: (-x[1], x[0]))),
        "",
    ]
    if args.traced:
        lines += [f"## Cases whose code never ran ({len(never)} of {len(cases)})", ""]
        lines += [*(f"- {c} {cases[c]}" for c in never), ""]
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
