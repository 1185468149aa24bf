"""Pause Python's garbage collector while a rule set is compiled.

Compiling allocates many objects and frees few: a collection takes time and finds nothing.

In:  nothing.
Out: a context in which no collection runs.
"""

from __future__ import annotations

import atexit
import gc
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

atexit.register(gc.freeze)  # garbage left at exit need not be collected


@contextmanager
def collector_paused() -> Iterator[None]:
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
    """Freeze what the first compile leaves behind: it lives as long as the process, and later collections skip it."""
    gc.freeze()
