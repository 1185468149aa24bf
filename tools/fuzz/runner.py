"""What the campaigns share: seeds, a watch, counts, progress and the report.

An input is known by its number: `tally.dice(i)` is the same random source in every run with the same seed,
so `--only I` gives that one input again.
"""

from __future__ import annotations

import contextlib
import random
import signal
import sys
import threading
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

SLOW = 5.0
HANGS = 30
MOST_SHOWN = 40


class Hangs(BaseException):
    """An input that takes longer than anybody waits; no handler for plain exceptions may swallow it."""


class Enough(BaseException):
    """The time that was given is up."""


class Wrong(Exception):
    """An answer that is not one of those allowed."""


@dataclass
class Tally:
    """What was tried, what came of it, and what went wrong."""

    seed: int = 0
    only: int | None = None
    told: bool = False
    short: bool = False
    """A run of seconds: small books only."""
    tried: Counter[str] = field(default_factory=Counter)
    answers: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    slowest: tuple[float, str] = (0.0, "")
    notes: list[str] = field(default_factory=list)
    until: float | None = None
    _last: float = 0.0

    @property
    def inputs(self) -> int:
        return sum(self.tried.values())

    def numbers(self, count: int) -> range:
        return range(count) if self.only is None else range(self.only, self.only + 1)

    def dice(self, *words: object) -> random.Random:
        return random.Random(" ".join(map(str, (self.seed, *words))))

    def answer(self, sort: str) -> None:
        self.answers[sort] += 1

    @contextlib.contextmanager
    def trial(self, sort: str, name: str, shown: Callable[[], str] = str, many: int = 1) -> Iterator[None]:
        """One input: whatever leaves the block as an exception is a fault, and so is slowness."""
        self.tried[sort] += many
        self._tell()
        start = time.process_time()
        try:
            with patience(HANGS):
                yield
        except Wrong as wrong:
            self.fault(f"{sort} {name}: {wrong}", shown())
        except Exception as error:
            last = traceback.extract_tb(error.__traceback__)[-1]
            at = ":".join((last.filename.rsplit("/", 1)[-1], str(last.lineno)))
            self.fault(f"{sort} {name}: {type(error).__name__}: {error} at {at}"[:400], shown())
        except Hangs:
            self.fault(f"{sort} {name}: no answer within {HANGS} s", shown())
        took = time.process_time() - start
        if took / many > self.slowest[0]:
            self.slowest = (took / many, f"{sort} {name}")
        if SLOW * many < took:
            self.fault(f"{sort} {name}: {took:.1f} s", shown())

    def fault(self, what: str, shown: str = "") -> None:
        self.faults.append(what + ("\n" + shown if shown else ""))
        if self.told:
            print(f"\nFAULT {self.faults[-1][:1500]}", file=sys.stderr, flush=True)

    def _tell(self) -> None:
        now = time.monotonic()
        if self.until is not None and now > self.until:
            raise Enough
        if self.told and now - self._last > 10:
            self._last = now
            print(f"{self.inputs:,} inputs, {len(self.faults)} faults", file=sys.stderr, flush=True)


@contextlib.contextmanager
def patience(seconds: int) -> Iterator[None]:
    """Raise `Hangs` in the block after so long; only a main thread can be interrupted."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def ring(*_: Any) -> None:
        raise Hangs

    before = [signal.signal(s, ring) for s in (signal.SIGPROF, signal.SIGALRM)]
    signal.setitimer(signal.ITIMER_PROF, seconds)  # of work
    signal.alarm(10 * seconds)  # of waiting for something that never comes
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.alarm(0)
        for s, handler in zip((signal.SIGPROF, signal.SIGALRM), before, strict=True):
            signal.signal(s, handler)


def report(campaign: Any, tally: Tally) -> str:
    """The report as Markdown; but for the slowest time it is the same for the same seed and count."""
    lines = [f"# Fuzz: {campaign.TITLE}", "", campaign.WHAT.strip(), ""]
    lines += [
        f"{tally.inputs:,} inputs with seed {tally.seed}, {len(tally.faults)} faults. "
        f"The slowest input took {tally.slowest[0]:.2f} s ({tally.slowest[1]}).",
        "",
    ]
    lines += table("input", tally.tried) + table("answer", tally.answers)
    lines += [line for note in tally.notes for line in (note, "")]
    for fault in tally.faults[:MOST_SHOWN]:
        first, _, rest = fault.partition("\n")
        lines += [f"- FAULT {first}", *(["", *("      " + x for x in rest.split("\n")[:30]), ""] if rest else [])]
    if len(tally.faults) > MOST_SHOWN:
        lines += [f"- and {len(tally.faults) - MOST_SHOWN} more"]
    return "\n".join(lines).rstrip() + "\n"


def table(head: str, counts: Counter[str]) -> list[str]:
    if not counts:
        return []
    rows = (f"| {name} | {n:,} |" for name, n in sorted(counts.items(), key=lambda x: (-x[1], x[0])))
    return [f"| {head} | times |", "|---|---|", *rows, ""]
