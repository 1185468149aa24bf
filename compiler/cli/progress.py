"""Progress bars for long work.

In:  how much is done, of how much.
Out: a bar on standard error where that is a terminal, erased at the end; lines printed through `say` stay above it. The
     time left is estimated from the pace so far.
"""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Iterator

EVERY = 0.1
WIDTH = 24


class Progress:
    """A progress bar; call it with how much is done, and with the total if that was not known before."""

    def __init__(self, what: str, total: int = 0, quiet: bool = False) -> None:
        self.what, self.total = what, total
        self.shown = not quiet and watched()
        self.since = time.monotonic()
        self.last = 0.0
        encoding = getattr(sys.stderr, "encoding", "") or ""
        self.signs = "█░" if "utf" in encoding.lower() else "#."

    def __call__(self, done: int, total: int | None = None) -> None:
        self.total = self.total if total is None else total
        now = time.monotonic()
        if not self.shown or (now - self.last < EVERY and done < self.total):
            return
        self.last = now
        self.write(self.line(done, now - self.since))

    def line(self, done: int, spent: float) -> str:
        share = min(1.0, done / self.total) if self.total else 0.0
        full = round(share * WIDTH)
        left = f"  {minutes(spent / share - spent)} left" if 0 < share < 1 and spent > 1 else ""
        return f"{self.what} {self.signs[0] * full}{self.signs[1] * (WIDTH - full)} {done}/{self.total}{left}"

    def write(self, text: str) -> None:
        print(f"\r\x1b[K{text[: columns() - 1]}", end="", file=sys.stderr, flush=True)

    def say(self, text: str) -> None:
        """Print a permanent line above the bar."""
        if self.shown:
            print(f"\r\x1b[K{text[: columns() - 1]}", file=sys.stderr, flush=True)

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_: object) -> None:
        if self.shown and self.last:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


@contextlib.contextmanager
def busy(what: str, quiet: bool = False) -> Iterator[None]:
    """Show a word while work of unknown length runs."""
    shown = not quiet and watched()
    if shown:
        print(f"\r\x1b[K{what} …", end="", file=sys.stderr, flush=True)
    try:
        yield
    finally:
        if shown:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def watched() -> bool:
    """Whether standard error is a terminal that can erase a line."""
    return sys.stderr.isatty() and os.environ.get("TERM", "dumb") not in ("dumb", "unknown", "")


def columns() -> int:
    try:
        return os.get_terminal_size(sys.stderr.fileno()).columns or 80
    except OSError:
        return 80


def minutes(seconds: float) -> str:
    return f"{int(seconds) // 60}:{int(seconds) % 60:02}"
