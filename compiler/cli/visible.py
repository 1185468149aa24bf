"""Text of others on a terminal: what would steer it is spelt out, not sent.

Names, notes and lines of the log come from rulebooks that anybody may have written. While a command runs, whatever it
prints passes through here; only its own progress line and the colors of diagnostics, whose texts are made visible where
they are rendered, keep their control characters.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TextIO

STEERING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
OWN = re.compile(r"\r\x1b\[K|\x1b\[[0-9;]*m")


def visible(text: str) -> str:
    """The text with control characters spelt as JSON spells them (ESC is `\\u001b`); line ends and tabs stay."""
    return STEERING.sub(lambda m: f"\\u{ord(m[0]):04x}", text)


def but_for_our_own(text: str) -> str:
    """The same, but for the sequences that we print ourselves."""
    kept, at = [], 0
    for own in OWN.finditer(text):
        kept += [visible(text[at : own.start()]), own[0]]
        at = own.end()
    return "".join(kept) + visible(text[at:])


@contextmanager
def visible_output(out: TextIO, err: TextIO, colored: bool) -> Iterator[None]:
    """Make all visible that is written to these streams; `colored` lets our own sequences pass in the first one."""
    undo = [watched(out, but_for_our_own if colored else visible), watched(err, but_for_our_own)]
    try:
        yield
    finally:
        for stop in undo:
            stop()


def watched(stream: Any, shown: Callable[[str], str]) -> Callable[[], None]:
    """Have a stream write only what is shown; what ends that."""
    if not isinstance(stream, io.TextIOWrapper):
        return lambda: None
    write = stream.write
    stream.write = lambda text: write(shown(text))  # type: ignore[method-assign]
    return lambda: delattr(stream, "write")
