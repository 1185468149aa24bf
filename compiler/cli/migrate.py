"""`rulewright migrate`: the effect of an overlay on a saved game.

In:  a save and the overlays to add.
Out: whether the game replays the same, and on request the save under the new rules.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from rulewright.runtime.journal import Journal

from ..diff.migrate import carry_over, migrate
from ..loader import load


def run_migrate(args: argparse.Namespace) -> int:
    """Print the answer; exit code 1 where the game would have gone differently."""
    save = Path(args.save)
    journal = Journal.open(save)
    book = args.book or journal.header.rules
    journal.close()
    made, program = migrate(save, book, args.overlay)
    if args.format == "json":
        shown = {
            "save": str(save),
            "rules": made.rules,
            "answer": made.answer,
            "event": made.event,
            "cases": list(made.cases),
            "reason": made.reason,
        }
        print(json.dumps(shown, indent=1, ensure_ascii=False))
    else:
        print(made.answer + (f": {made.reason}" if made.reason else ""))
    if args.write:
        carry_over(save, program, load(book).program, made.upto, Path(args.write))
        if args.format == "text":
            print(f"{args.write}: {made.upto} choices under {made.rules}")
    return 0 if (made.event is None and "replays" in made.answer) or made.answer == "unaffected" else 1
