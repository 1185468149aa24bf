"""Validate message headers before the server library reads them.

In:  the standard input of the server.
Out: the same stream, every header in the one form that the library accepts (`Content-Length: 12`).
Reports: in `problem`, why a header is malformed. The stream then ends, since the start of the next message is unknown.
"""

from __future__ import annotations

import re
from typing import BinaryIO

LENGTH = re.compile(rb"content-length\s*:\s*(.*?)\s*", re.IGNORECASE)
MOST = 1 << 28
"""The largest body that is read, in bytes; a whole rulebook has a few million."""
LONGEST = 1 << 16


class Frames:
    """A stream with the methods that the server library uses."""

    def __init__(self, stream: BinaryIO) -> None:
        self.stream = stream
        self.problem = ""
        self.length: int | None = None
        self.begun = False

    def readline(self) -> bytes:
        """The next header; empty at the end of the stream and after a malformed header."""
        if self.problem:
            return b""
        line = self.stream.readline(LONGEST)
        if not line:
            return b""
        if not line.strip():
            return self.end_of_headers()
        self.begun = True
        found = LENGTH.fullmatch(line.rstrip(b"\r\n"))
        if found is None:
            return line
        digits = found[1]
        if re.fullmatch(rb"[0-9]{1,18}", digits) is None or not 0 < int(digits) <= MOST:
            return self.fail(f'the Content-Length "{digits[:40].decode("ascii", "backslashreplace")}" is no length')
        self.length = int(digits)
        return b"Content-Length: %d\r\n" % self.length

    def end_of_headers(self) -> bytes:
        if self.begun and self.length is None:
            return self.fail("a message has no Content-Length")
        self.begun, self.length = False, None
        return b"\r\n"

    def fail(self, problem: str) -> bytes:
        self.problem = problem
        return b""

    def read(self, size: int = -1) -> bytes:
        """The body of a message."""
        return self.stream.read(size)
