"""All figures, each with its aim: `python -m benchmarks [NAME …]` or `make bench`.

A figure is a ratio of times taken side by side in this run, so that it says much the same on any machine.
"""

from __future__ import annotations

import argparse
import importlib
import sys
import time

NAMES = {
    "functions": "generated functions against Python by hand",
    "traced": "the traced twin against the plain rules",
    "searches": "reach and supply on a large map against C",
    "wargame": "random games a second, against Python by hand and boardgame.io",
    "busy": "busy play of the large books against trc",
    "doctrine": "a campaign of trc by doctrine against one at random",
    "listing": "the longest listing of choices against a parse",
    "copying": "the copy of a state",
    "supposing": "what is supposed on a large map against a small one",
    "scaling": "ten times the text, the map, the units",
    "campaign": "a random campaign: speed, memory, profile",
    "memory": "what a long game gains in memory",
    "compile": "a compile against a bare parse, cold and after an edit",
    "diff": "the facts of a diff against a parse",
    "evidence": "a diff with witnesses against a parse",
    "coverage": "coverage against test, for the first time and again",
    "overlays": "loading with five overlays against loading without",
    "series": "Case Blue: a choice of a busy player, the load of the whole frame, against a parse",
    "war": "Fire in the East whole: a busy choice, the choices of one unit in set-up, memory",
    "games": "games on two cores against one",
    "startup": "how fast the command opens",
    "table": "the table in a browser: a click, the largest map, weight, a cold start",
    "editor": "a keystroke and a rename in the language server against a cold check",
}


def main() -> int:
    asked = argparse.ArgumentParser(prog="python -m benchmarks", description="Print the figures, each with its aim.")
    asked.add_argument("names", nargs="*", help="which: " + "; ".join(f"{k} ({v})" for k, v in NAMES.items()))
    asked.add_argument("--strict", action="store_true", help="fail where an aim is missed")
    given = asked.parse_args()
    unknown = [name for name in given.names if name not in NAMES]
    if unknown:
        asked.error(f"no such figure: {', '.join(unknown)}; there are {', '.join(NAMES)}")
    missed = 0
    print(f"{'figure':64} {'measured':>9}  {'aim':>8}")
    for name in given.names or NAMES:
        start = time.perf_counter()
        for figure in importlib.import_module(f"benchmarks.{name}").figures():
            print(figure, flush=True)
            missed += figure.reached is False
        print(f"  {name}: {NAMES[name]}, {time.perf_counter() - start:.0f} s", file=sys.stderr, flush=True)
    print(f"{missed} aims missed" if missed else "every aim with a figure is reached")
    return 1 if missed and given.strict else 0


if __name__ == "__main__":
    sys.exit(main())
