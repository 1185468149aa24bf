"""Handle signals that end the program during a game.

In:  SIGINT (Ctrl-C), SIGTERM, and SIGHUP (the terminal was closed).
Out: `Stopped`, raised between two choices and never during one.

`Stopping` is entered once for a game; `whole()` marks a section that must not be interrupted. A signal that arrives in
such a section is raised at its end.
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
        """The exit code that shells expect: 128 plus the number of the signal, 130 after Ctrl-C."""
        return 128 + self.number


class Stopping:
    """A context that installs the signal handlers."""

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
        """A section that is not interrupted; a signal is held back until its end."""
        self.depth += 1
        try:
            yield
        finally:
            self.depth -= 1
        if self.asked is not None and not self.depth:
            raise Stopped(self.asked)
