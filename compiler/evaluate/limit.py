"""A budget for one question.

In:  a function that a stranger's expression was compiled into.
Out: its value, or a refusal once it has taken too many steps.

Rules are checked before they run, and a choice has a step budget; an expression that somebody types has neither. Steps
are lines of Python, counted by a trace function, so that the answer is the same on every machine; the clock is only
looked at for work that hides in single steps, such as joining long sets.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from .problems import TooLong

MOST_STEPS = 4_000_000
MOST_SECONDS = 10.0
LOOK = 4_096


@contextmanager
def limited(steps: int | None = None, seconds: float = MOST_SECONDS) -> Iterator[None]:
    """Whatever runs inside ends, at the latest after so many steps."""
    most = MOST_STEPS if steps is None else steps
    before, end, taken = sys.gettrace(), time.monotonic() + seconds, 0

    def step(frame: FrameType, event: str, arg: Any) -> Any:
        nonlocal taken
        taken += 1
        if taken > most:
            raise TooLong(f"this takes more than {most:,} steps to work out; ask for less at a time")
        if not taken % LOOK and time.monotonic() > end:
            raise TooLong(f"this takes longer than {seconds:.0f} seconds to work out; ask for less at a time")
        return step

    sys.settrace(step)
    try:
        yield
    finally:
        sys.settrace(before)
