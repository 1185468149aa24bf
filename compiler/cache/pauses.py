"""Python's garbage collector while a rule set is compiled.

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
    """Compile without searches for garbage."""
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
    """What a first compile leaves behind stays, and is not searched; to count it would take as long as to search it."""
    gc.freeze()
