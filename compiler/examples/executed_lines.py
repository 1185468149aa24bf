"""Which lines of a generated module run."""

from __future__ import annotations

import sys
from types import FrameType
from typing import Any


class LineTracer:
    """A context in which the executed lines of one file are collected, afresh each time."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.lines: set[int] = set()

    def __enter__(self) -> LineTracer:
        self.lines = set()
        self._old = sys.gettrace()
        sys.settrace(self._call)
        return self

    def __exit__(self, *_: object) -> None:
        sys.settrace(self._old)

    def _call(self, frame: FrameType, event: str, _: Any) -> Any:
        if frame.f_code.co_filename != self.file:
            return None
        self.lines.add(frame.f_lineno)
        return self._line

    def _line(self, frame: FrameType, event: str, _: Any) -> Any:
        if event == "line":
            self.lines.add(frame.f_lineno)
        return self._line
