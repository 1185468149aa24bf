"""Play many random games and report: ends, choices, and how often each case fired.

Use: python tools/soak.py [--book trc] [--scenario NAME] [--games 200] [--seed 0] [--traced 10] [--report FILE]

Every game is checked against the book's invariants after each decision. In one game of every `--traced`
the generated code is traced line by line, so that a case counts as fired when code under it ran; in one
of every fifty the reference interpreter plays the first choices too and must reach the same states (it is slow).
"""

from __future__ import annotations

import argparse
import collections
import json
import multiprocessing
import sys
import time
from pathlib import Path
from typing import Any

from rulewright.compiler import load
from rulewright.compiler.interpret import interpret
from rulewright.compiler.pipeline import compile_book
from rulewright.compiler.trace_lines import LineTracer
from rulewright.runtime import RandomPlayer, new_game
from rulewright.runtime.game import Game

MOST = 20_000
TWINNED = 10


def play_one(job: tuple[str, str | None, int, bool, bool]) -> dict[str, Any]:
    """One game: how it ended, how long it took, which cases its log and its code cite."""
    name, scenario, seed, traced, twin = job
    book = load(name)
    players = {side: RandomPlayer(seed * 1009 + i) for i, side in enumerate(book.program.sides)}
    tracer = LineTracer(str(book.folder / "rules.py"))
    fired: collections.Counter[str] = collections.Counter()
    began = time.perf_counter()
    other: Game | None = None
    if twin:
        other = new_game(interpret(compile_book(name)), scenario, seed)
    try:
        if traced:
            tracer.__enter__()
        game = book.new(scenario, seed)
        made = 0
        while not game.over and made < MOST:
            decision = game.decisions[0]
            choice = players[decision.side](game, decision)
            game.do(choice)
            game.check()
            made += 1
            if other is not None and made <= TWINNED:
                other.do(choice)
                if other.digest() != game.digest():
                    raise AssertionError(f"the interpreter differs after choice {made}")
    except Exception as error:  # a report names what went wrong, whatever it is
        return {"seed": seed, "error": f"{type(error).__name__}: {error}"}
    finally:
        if traced:
            tracer.__exit__()
    for event in game.log:
        if event.get("case"):
            fired[event["case"]] += 1
    ran: set[str] = set()
    if traced:
        for line, case, *_ in json.loads((book.folder / "map.json").read_text()):
            if line in tracer.lines:
                ran.add(case)
    return {
        "seed": seed,
        "choices": made,
        "seconds": time.perf_counter() - began,
        "winner": game.winner,
        "over": game.over,
        "digest": game.digest(),
        "fired": dict(fired),
        "ran": sorted(ran),
    }


def main() -> int:
    p = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    p.add_argument("--book", default="trc")
    p.add_argument("--scenario")
    p.add_argument("--games", type=int, default=200)
    p.add_argument("--seed", type=int, default=0)
    p.add_argument("--traced", type=int, default=10)
    p.add_argument("--jobs", type=int, default=multiprocessing.cpu_count())
    p.add_argument("--report", type=Path)
    args = p.parse_args()
    book = load(args.book)
    scenario = args.scenario or next(iter(book.program.scenarios))
    jobs = [(args.book, scenario, args.seed + i, i % args.traced == 0, i % 50 == 0) for i in range(args.games)]
    with multiprocessing.get_context("spawn").Pool(args.jobs) as pool:
        results = []
        for done in pool.imap(play_one, jobs):
            results.append(done)
            if sys.stderr.isatty():
                print(f"\r{len(results)}/{len(jobs)}", end="", file=sys.stderr)
    text = report(args.book, scenario, results, book.program.cases)
    if args.report is not None:
        args.report.write_text(text)
    print(text)
    return 1 if any("error" in r or not r.get("over") for r in results) else 0


def report(name: str, scenario: str, results: list[dict[str, Any]], cases: Any) -> str:
    """The report as Markdown, the same for the same games."""
    good = [r for r in results if "error" not in r]
    bad = [r for r in results if "error" in r]
    endless = [r for r in good if not r["over"]]
    winners = collections.Counter(str(r["winner"]) for r in good)
    fired: collections.Counter[str] = collections.Counter()
    ran: set[str] = set()
    for r in good:
        fired.update(r["fired"])
        ran.update(r["ran"])
    never = [c for c in cases if c not in fired and c not in ran]
    choices = sum(r["choices"] for r in good)
    lines = [
        f"# Soak: {name}, {scenario}",
        "",
        f"{len(results)} games, {choices} choices; {len(bad)} broke, {len(endless)} did not end.",
        "Winners: " + ", ".join(f"{w} {n}" for w, n in sorted(winners.items())) + ".",
        "",
        *(f"- seed {r['seed']}: {r['error']}" for r in bad),
        *(f"- seed {r['seed']}: no end after {r['choices']} choices" for r in endless),
        "",
        "## How often each case stands in the log",
        "",
        "| case | title | times |",
        "|---|---|---|",
        *(f"| {c} | {cases.get(c, '')} | {n} |" for c, n in sorted(fired.items(), key=lambda x: (-x[1], x[0]))),
        "",
        f"## Cases whose code never ran ({len(never)} of {len(cases)})",
        "",
        *(f"- {c} {cases[c]}" for c in never),
        "",
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
