"""`rulewright sim`: simulate many games of one rule set.

In:  a rule set, a scenario, seeds and automatic players.
Out: wins by side with their intervals, as text or JSON.
"""

from __future__ import annotations

import argparse
import json
from typing import Any

from rulewright.runtime.players import AUTOMATIC

from ..simulate import MOST, sim, summary
from .faults import Usage, near
from .options import compiled, count, positive, scenario_of
from .progress import Progress

CAVEAT = "such players find faults in rules; who wins between them says little about balance"


def add_sim(p: argparse.ArgumentParser) -> None:
    p.add_argument("book")
    p.add_argument("--scenario")
    p.add_argument("--games", type=positive, default=100)
    p.add_argument("--players", default="random", help="random or busy, one for all sides or one a side by commas")
    p.add_argument("--seed", type=int, default=0, help="the first seed; each game takes the next")
    p.add_argument("--jobs", type=count, default=0, help="processes (default: one a core)")
    p.add_argument("--until", type=positive, default=MOST, metavar="N", help="stop a game after N choices")
    p.add_argument("--format", choices=("text", "json"), default="text")
    p.add_argument("--quiet", action="store_true", help="no progress")
    p.set_defaults(run=run_sim)


def run_sim(args: argparse.Namespace) -> int:
    """Print who wins, and how; exit code 1 where a game ends in a fault."""
    loaded = compiled(args.book)
    scenario = scenario_of(loaded, args.scenario)
    players = automatic(args.players, loaded.program.sides)
    seeds = range(args.seed, args.seed + args.games)
    with Progress("games", args.games, args.quiet) as progress:
        played = sim(args.book, scenario, seeds, args.jobs, args.until, progress, players)
    found = summary(played, loaded.program.sides, players)
    if args.format == "json":
        print(json.dumps(found, indent=1, ensure_ascii=False))
    else:
        print("\n".join(text(found)))
    return 1 if any("unfinished" not in p["problem"] for p in found["problems"]) else 0


def automatic(text: str, sides: tuple[str, ...]) -> tuple[str, ...]:
    """The players of a simulation; persons and scripts are refused."""
    words = tuple(text.split(","))
    if strange := [word for word in words if word not in AUTOMATIC]:
        raise Usage(f'"{strange[0]}" does not play by itself', near(strange[0], AUTOMATIC, "players"))
    if len(words) not in (1, len(sides)):
        raise Usage(f"name one player for all sides, or one each ({', '.join(sides)}), by commas")
    return words


def text(found: dict[str, Any]) -> list[str]:
    playing = ", ".join(f"{side} {word}" for side, word in found["players"].items())
    lines = [f"{found['games']} games, {found['choices']} choices ({playing})", CAVEAT]
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
