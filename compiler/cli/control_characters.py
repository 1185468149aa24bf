"""Escape control characters in output to a terminal.

In:  what a command prints.
Out: the same with control characters spelt out.

Names, notes and log lines come from rulebooks that anybody may have written, and an escape sequence in one could take
over the terminal. All output of a command passes through here. Exempt are our own progress line and the colors of
diagnostics, whose texts are escaped where they are rendered.
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
    """The text with control characters escaped as in JSON (ESC is `\\u001b`); line ends and tabs stay."""
    return STEERING.sub(lambda m: f"\\u{ord(m[0]):04x}", text)


def but_for_our_own(text: str) -> str:
    """The same, except for the sequences that we print ourselves: colors, and clearing the progress line."""
    kept, at = [], 0
    for own in OWN.finditer(text):
        kept += [visible(text[at : own.start()]), own[0]]
        at = own.end()
    return "".join(kept) + visible(text[at:])


@contextmanager
def visible_output(out: TextIO, err: TextIO, colored: bool) -> Iterator[None]:
    """Escape everything written to these streams; `colored` lets our own color sequences pass in the first one."""
    undo = [watched(out, but_for_our_own if colored else visible), watched(err, but_for_our_own)]
    try:
        yield
    finally:
        for stop in undo:
            stop()


def watched(stream: Any, shown: Callable[[str], str]) -> Callable[[], None]:
    """Wrap the `write` of a stream; returns the function that undoes it."""
    if not isinstance(stream, io.TextIOWrapper):
        return lambda: None
    write = stream.write
    stream.write = lambda text: write(shown(text))  # type: ignore[method-assign]
    return lambda: delattr(stream, "write")
