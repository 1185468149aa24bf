"""Loading a compiled book with five overlays against loading it without: `python -m benchmarks overlays`.

Both rule sets are compiled beforehand; each round loads one and then the other in a fresh process, so that
imports count. The figure is the ratio of the medians of processor time; it should be at most 1.2.
"""

from __future__ import annotations

import statistics
import subprocess
import sys

from rulewright.compiler import load

from .compile import environment
from .timing import Figure

BOOK = "trc"
OVERLAYS = ("26.1", "26.3", "26.7", "26.12", "26.17")
CODE = """import sys, time
from rulewright.compiler import load
began = time.process_time()
load(sys.argv[1])
print(time.process_time() - began)"""


def timed(name: str) -> float:
    command = [sys.executable, "-c", CODE, name]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment())
    return float(done.stdout)


def figures(rounds: int = 9) -> list[Figure]:
    names = (BOOK, "+".join((BOOK, *OVERLAYS)))
    for name in names:
        load(name)
    times: dict[str, list[float]] = {name: [] for name in names}
    for _ in range(rounds):
        for name in names:
            times[name].append(timed(name))
    plain, stacked = (statistics.median(times[name]) for name in names)
    return [Figure(f"load of {names[1]} ÷ load of {BOOK}", stacked / plain, most=1.2)]
