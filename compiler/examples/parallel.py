"""A parallel `map` over forked processes.

In:  a function and a list.
Out: the results in the order of the list, as they come.
"""

from __future__ import annotations

import multiprocessing
import os
import pickle
import traceback
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

T = TypeVar("T")
R = TypeVar("R")
_COPIED: list[tuple[Callable[[Any], Any], Sequence[Any]]] = []
"""The function and the list, inherited by forked processes: neither has to be picklable."""


def parallel_map(work: Callable[[T], R], about: Sequence[T], jobs: int) -> Iterator[R]:
    """The results one by one, computed by `jobs` forked processes (0: one a core); in this one where it cannot fork."""
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
    try:
        return work(about[i])
    except Exception as error:
        passed = passable(error)
        if passed is error:
            raise
        raise passed from None


def passable(error: Exception) -> Exception:
    """An error that comes through to the waiting process; what cannot be pickled would leave it waiting."""
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return RuntimeError("".join(traceback.format_exception(error)))
    return error
