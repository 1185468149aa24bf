"""`rulewright sim`: many random games of one rule set."""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any

from .load import load
from .sim import MOST, sim, summary


def add_sim(p: argparse.ArgumentParser) -> None:
    p.add_argument("book")
    p.add_argument("--scenario")
    p.add_argument("--games", type=int, default=100)
    p.add_argument("--seed", type=int, default=0, help="the first seed; each game takes the next")
    p.add_argument("--jobs", type=int, default=0, help="processes (default: one a core)")
    p.add_argument("--until", type=int, default=MOST, metavar="N", help="stop a game after N choices")
    p.add_argument("--format", choices=("text", "json"), default="text")
    p.add_argument("--quiet", action="store_true", help="no progress")
    p.set_defaults(run=run_sim)


def run_sim(args: argparse.Namespace) -> int:
    """Print who wins, and how; exit 1 where a game breaks."""
    program = load(args.book).program
    seeds = range(args.seed, args.seed + args.games)
    played = sim(args.book, args.scenario, seeds, args.jobs, args.until, progress(args.games, args.quiet))
    found = summary(played, program.sides)
    if args.format == "json":
        print(json.dumps(found, indent=1, ensure_ascii=False))
    else:
        print("\n".join(text(found)))
    return 1 if any("unfinished" not in p["problem"] for p in found["problems"]) else 0


def progress(games: int, quiet: bool):  # type: ignore[no-untyped-def]
    def told(done: int) -> None:
        if not quiet and sys.stderr.isatty():
            print(f"\r{done}/{games} games", end="\n" if done == games else "", file=sys.stderr, flush=True)

    return told


def text(found: dict[str, Any]) -> list[str]:
    lines = [f"{found['games']} games, {found['choices']} choices"]
    for side, won in found["wins"].items():
        low, high = won["interval"]
        lines.append(f"  {side} wins {won['games']} ({won['share']:.1%}; 95 % between {low:.1%} and {high:.1%})")
    if found["undecided"]:
        lines.append(f"  nobody wins {found['undecided']}")
    if found["how"]:
        lines.append("how:")
    for row in found["how"][:20]:
        when = f" in {row['turn']}" if row["turn"] else ""
        lines.append(f"  {row['games']:5} {row['winner']} by case {row['case']}{when}")
    lines += [f"  seed {p['seed']}: {p['problem']}" for p in found["problems"]]
    return lines
