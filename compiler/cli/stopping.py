"""Signals that end a program, while a game is played.

In:  SIGINT (Ctrl-C), SIGTERM and SIGHUP (a terminal that is closed).
Out: `Stopped`, raised between two choices and never in the midst of one.

`Stopping` is entered once for a game; `whole()` encloses whatever must not be cut in two. A signal that comes then is
raised at its end.
"""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator
from typing import Any

SIGNALS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))


class Stopped(KeyboardInterrupt):
    """A signal has asked the program to end."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number

    @property
    def code(self) -> int:
        """The exit code that shells use for it: 130 after Ctrl-C."""
        return 128 + self.number


class Stopping:
    """Takes the signals over for a while."""

    def __init__(self) -> None:
        self.asked: int | None = None
        self.depth = 0
        self.before: dict[int, Any] = {}

    def __enter__(self) -> Stopping:
        if threading.current_thread() is threading.main_thread():
            for number in SIGNALS:
                self.before[number] = signal.signal(number, self.hear)
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self.before.items():
            signal.signal(number, handler)
        self.before = {}

    def hear(self, number: int, _: Any) -> None:
        self.asked = number
        if not self.depth:
            raise Stopped(number)

    @contextlib.contextmanager
    def whole(self) -> Iterator[None]:
        """What is done inside is done whole; a signal waits."""
        self.depth += 1
        try:
            yield
        finally:
            self.depth -= 1
        if self.asked is not None and not self.depth:
            raise Stopped(self.asked)
