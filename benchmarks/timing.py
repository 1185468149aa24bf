"""Times and figures, shared by all benchmarks.

Two ways to do a thing are timed in turns, by processor time, so that a busy machine weighs on both alike. The
best round of each counts: whatever else the machine does can only make a round longer.
"""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

Work = Callable[[], Any]


@dataclass(frozen=True, slots=True)
class Figure:
    """One line of the report: what was measured, the value, and the aim (`most` or `least`), if there is one."""

    name: str
    value: float | None
    most: float | None = None
    least: float | None = None
    note: str = ""

    @property
    def reached(self) -> bool | None:
        if self.value is None or (self.most is None and self.least is None):
            return None
        return (self.most is None or self.value <= self.most) and (self.least is None or self.value >= self.least)

    def __str__(self) -> str:
        value = "—" if self.value is None else f"{self.value:.4f}" if abs(self.value) < 0.1 else f"{self.value:.2f}"
        aim = f"≤ {self.most:g}" if self.most is not None else f"≥ {self.least:g}" if self.least is not None else ""
        said = {True: "reached", False: "MISSED", None: ""}[self.reached]
        return f"{self.name:64} {value:>9}  {aim:>8}  {said:8} {self.note}".rstrip()


def once(work: Work) -> float:
    """Seconds of the processor that one call takes."""
    start = time.process_time()
    work()
    return time.process_time() - start


def calls_for(work: Work, least: float = 0.02) -> int:
    """How many calls make a round long enough to be timed."""
    calls = 1
    while True:
        spent = once(lambda n=calls: [work() for _ in range(n)])  # type: ignore[misc]
        if spent >= least:
            return calls
        calls = max(calls + 1, int(calls * min(10.0, 1.5 * least / max(spent, 1e-6))))


def best(*works: Work, rounds: int = 9, least: float = 0.02) -> list[float]:
    """Seconds a call of each, the best of several rounds taken in turns; a call before them warms up."""
    for work in works:
        work()
    counts = [calls_for(work, least) for work in works]
    times: list[list[float]] = [[] for _ in works]
    collecting = gc.isenabled()
    gc.disable()
    try:
        for _ in range(rounds):
            for work, calls, found in zip(works, counts, times, strict=True):
                start = time.process_time()
                for _ in range(calls):
                    work()
                found.append((time.process_time() - start) / calls)
            gc.collect()
    finally:
        if collecting:
            gc.enable()
    return [min(found) for found in times]


def middle(values: list[float]) -> float:
    return statistics.median(values)
