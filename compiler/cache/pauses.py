"""Pause Python's garbage collector while a rule set is compiled.

Trees are made in great numbers and kept: a search for garbage among them takes time and finds none.
"""

from __future__ import annotations

import atexit
import gc
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

atexit.register(gc.freeze)  # what a process leaves behind need not be searched for garbage when it ends


@contextmanager
def no_pauses() -> Iterator[None]:
    """Compile with the garbage collector paused."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            freeze_once()
            gc.enable()


@cache
def freeze_once() -> None:
    """Freeze what a first compile leaves behind: it is never collected, and counting it would cost a collection."""
    gc.freeze()
