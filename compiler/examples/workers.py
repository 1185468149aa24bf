"""Run tasks in several processes, with a deadline.

In:  the number of tasks, a function that runs one, the number of processes, and the deadline.
Out: the tasks with their results, as they come; a task that did not finish in time, or crashed its process, has none.

Processes are forked where the system can: they start with everything loaded, and one that exceeds the deadline can be
killed. Elsewhere the tasks run in turn, and the clock is checked between two tasks. `examples/parallel.py` is the
simpler map without a deadline, in the order of its input.
"""

from __future__ import annotations

import gc
import multiprocessing
import signal
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from typing import Any, Generic, TypeVar

T = TypeVar("T")
Work = Callable[[int], T]


@dataclass(slots=True)
class Worker:
    """One process, and its current task."""

    process: Any
    line: Connection
    piece: int = -1


@dataclass(frozen=True, slots=True)
class Done(Generic[T]):
    """A task; `late` where it did not finish before the deadline."""

    piece: int
    result: T | None
    late: bool = False


@dataclass(slots=True)
class Until:
    """When the time is up, by the clock that only goes forward; never, unless that is said."""

    at: float | None = None

    def left(self) -> float | None:
        """The seconds that are left; None where there is no end."""
        return None if self.at is None else max(0.0, self.at - time.monotonic())


ENDLESS = Until()


def can_fork() -> bool:
    free = not multiprocessing.current_process().daemon
    return free and sys.platform.startswith("linux") and "fork" in multiprocessing.get_all_start_methods()


def spread(count: int, work: Work[T], processes: int, until: Until) -> Iterator[Done[T]]:
    """Every piece of work, in the order in which they are done."""
    if count and can_fork() and (processes > 1 or until.left() is not None):
        yield from forked(count, work, max(1, min(processes, count)), until)
        return
    for piece in range(count):
        late = until.left() == 0
        yield Done(piece, None, True) if late else Done(piece, work(piece))


def forked(count: int, work: Work[T], processes: int, until: Until) -> Iterator[Done[T]]:
    gc.freeze()  # children leave these pages alone; a collection first would walk every rule set in memory at each call
    context = multiprocessing.get_context("fork")
    workers: list[Worker] = []
    waiting = list(range(count))
    try:
        for _ in range(processes if until.left() != 0 else 0):
            ours, theirs = context.Pipe()
            process = context.Process(target=serve, args=(theirs, work), daemon=True)
            process.start()
            theirs.close()
            workers.append(Worker(process, ours))
        for worker in workers:
            give(worker, waiting)
        while any(w.piece >= 0 for w in workers):
            busy = {w.line: w for w in workers if w.piece >= 0}
            ready = wait(list(busy), until.left())
            if not ready:
                break
            for line in ready:
                worker = busy[line]  # type: ignore[index]
                piece = worker.piece
                try:
                    result = worker.line.recv()
                except (EOFError, OSError):  # the process crashed; its current task has no result
                    worker.piece = -1
                    yield Done(piece, None)
                    continue
                give(worker, waiting)
                yield Done(piece, result)
        for piece in sorted([*(w.piece for w in workers if w.piece >= 0), *waiting]):
            yield Done(piece, None, True)
    finally:
        for worker in workers:
            worker.process.kill()
            worker.process.join()
            worker.line.close()
        gc.unfreeze()


def give(worker: Worker, waiting: list[int]) -> None:
    """Give a process the next task, if there is one."""
    worker.piece = waiting.pop(0) if waiting else -1
    if worker.piece >= 0:
        worker.line.send(worker.piece)


def serve(line: Connection, work: Work[Any]) -> None:
    """Run tasks from the pipe until the process is ended."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.enable()
    while True:
        try:
            piece = line.recv()
        except (EOFError, OSError):
            return
        line.send(work(piece))
