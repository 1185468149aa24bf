"""Loading a compiled book with five overlays against loading it without: `python benchmarks/overlays.py`.

Both rule sets are compiled beforehand; each round loads one and then the other in a fresh process, so that
imports count. The figure is the ratio of the medians of processor time; it should be at most 1.2.
"""

from __future__ import annotations

import statistics
import subprocess
import sys

from rulewright.compiler import load

BOOK = "trc"
OVERLAYS = ("26.1", "26.3", "26.7", "26.12", "26.17")
CODE = "import sys, time; from rulewright.compiler import load; a = time.process_time(); load(sys.argv[1]); print(time.process_time() - a)"


def timed(name: str) -> float:
    done = subprocess.run([sys.executable, "-c", CODE, name], capture_output=True, text=True, check=True)
    return float(done.stdout)


def main(rounds: int = 9) -> None:
    names = (BOOK, "+".join((BOOK, *OVERLAYS)))
    for name in names:
        load(name)
    times: dict[str, list[float]] = {name: [] for name in names}
    for _ in range(rounds):
        for name in names:
            times[name].append(timed(name))
    plain, stacked = (statistics.median(times[name]) for name in names)
    print(f"load {names[1]} / load {BOOK}: {stacked / plain:.2f} (at most 1.2), {rounds} rounds")


if __name__ == "__main__":
    main()
