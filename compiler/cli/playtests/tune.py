"""`rulewright tune`: search better weights for a doctrine, and confirm them.

In:  a rule set, one of its doctrines, who plays the other side.
Out: the weights that were found and what they are worth on fresh seeds; an overlay with them.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from rulewright.runtime.problems import Refusal

from ..faults import Usage
from ..options import compiled, count, positive, scenario_of
from ..progress import Progress


def add_tune(p: argparse.ArgumentParser) -> None:
    p.add_argument("book")
    p.add_argument("doctrine", help="a doctrine with weights, by name or path, at some level (NAME:hard)")
    p.add_argument("--against", default="random", metavar="B", help="who plays the other side")
    p.add_argument("--scenario")
    p.add_argument("--search", choices=("halving", "nevergrad"), default="halving")
    p.add_argument("--points", type=positive, default=16, help="how many weights are tried (default 16)")
    p.add_argument("--seeds", type=positive, default=4, help="seeds for each at first (default 4)")
    p.add_argument("--confirm", type=positive, default=50, metavar="N", help="fresh seeds to confirm with (default 50)")
    p.add_argument("--seed", type=int, default=0, help="the first seed")
    p.add_argument("--until", type=positive, default=20_000, metavar="N", help="stop a game after N choices")
    p.add_argument(
        "-o", "--output", type=Path, metavar="FILE", help="write an overlay with the weights that were found"
    )
    p.add_argument("--jobs", type=count, default=0, help="processes (default: one a core)")
    p.add_argument("--format", choices=("text", "json"), default="text")
    p.add_argument("--quiet", action="store_true", help="do not tell each point")
    p.set_defaults(run=run_tune)


def run_tune(args: argparse.Namespace) -> int:
    """Print what was found; exit code 0 whatever it is."""
    from ...playtest.records import Setting
    from ...playtest.run import Here
    from ...playtest.tune import Trial, text, tune

    loaded = compiled(args.book)
    scenario = scenario_of(loaded, args.scenario) or ""
    try:
        setting = Setting(args.book, scenario, (args.doctrine,), args.until, False)
        trial = Trial(setting, args.against, Here(args.jobs))
        with Progress("points", 0, args.quiet) as progress:
            best, found = tune(trial, args.search, args.points, args.seeds, args.confirm, args.seed, progress.say)
    except Refusal as refused:
        raise Usage(str(refused)) from None
    print(json.dumps(found, indent=1, ensure_ascii=False) if args.format == "json" else "\n".join(text(found)))
    if args.output is not None and best == trial.weighed.now:
        print(f"{args.output} is not written: nothing better was found", file=sys.stderr)
    elif args.output is not None:
        sure = found["confirmed"]
        title = f"{trial.weighed.name}: {sure['gain']:+g} {found['measure']} on {sure['seeds']} fresh seeds"
        args.output.write_text(trial.weighed.overlay(best, args.output.stem, title), encoding="utf-8")
    return 0
