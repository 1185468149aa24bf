"""Work spread over the cores of the machine.

In:  what is to be done, and a list of what it is done to.
Out: the results in the order of the list, as they come.
"""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

T = TypeVar("T")
R = TypeVar("R")
_COPIED: list[tuple[Callable[[Any], Any], Sequence[Any]]] = []
"""What processes take over when they are copied from this one: the work, and what it is done to."""


def parallel_map(work: Callable[[T], R], about: Sequence[T], jobs: int) -> Iterator[R]:
    """The results one by one; processes that are copies of this one share the work (0: one a core)."""
    jobs = min(jobs or os.cpu_count() or 1, len(about))
    if jobs <= 1 or "fork" not in multiprocessing.get_all_start_methods():
        yield from map(work, about)
        return
    _COPIED[:] = [(work, about)]
    try:
        with multiprocessing.get_context("fork").Pool(jobs) as pool:
            yield from pool.imap(work_number, range(len(about)))
    finally:
        _COPIED.clear()


def work_number(i: int) -> Any:
    [(work, about)] = _COPIED
    return work(about[i])
