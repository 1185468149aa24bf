"""Run one campaign and write its report; exit 1 where a fault was found."""

from __future__ import annotations

import argparse
import importlib
import sys
import time
from pathlib import Path

from . import CAMPAIGNS
from .runner import Enough, Tally, report


def main() -> int:
    p = argparse.ArgumentParser(prog="fuzz", description=__doc__)
    p.add_argument("campaign", choices=CAMPAIGNS)
    p.add_argument("--count", type=int, help="how many inputs (default: the long run)")
    p.add_argument("--seed", type=int, default=0)
    p.add_argument("--only", type=int, metavar="I", help="this one input again")
    p.add_argument("--minutes", type=float, metavar="M", help="stop after so long")
    p.add_argument("--report", type=Path)
    args = p.parse_args()
    campaign = importlib.import_module(f"fuzz.{args.campaign}")
    tally = Tally(seed=args.seed, only=args.only, told=True)
    if args.minutes is not None:
        tally.until = time.monotonic() + 60 * args.minutes
    try:
        campaign.run(tally, campaign.COUNT if args.count is None else args.count)
    except (Enough, KeyboardInterrupt):
        tally.notes.append("This run was stopped before its end, when its time was up.")
    text = report(campaign, tally)
    if args.report is not None:
        args.report.parent.mkdir(parents=True, exist_ok=True)
        args.report.write_text(text, encoding="utf-8")
    print(text)
    return 1 if tally.faults else 0


if __name__ == "__main__":
    sys.exit(main())
