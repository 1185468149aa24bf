"""Trace which lines of a compiled package are executed.

In:  the folder of the package.
Out: (module, line) pairs. This is Python's trace function: exact but slow; `instrumented.py` is the fast way.
"""

from __future__ import annotations

import ast
import sys
from functools import lru_cache
from pathlib import Path
from types import FrameType
from typing import Any

Line = tuple[str, int]
"""A module of the package, and one of its lines."""


class LineTracer:
    """A context that collects the executed lines of the modules of a folder; each use starts empty."""

    def __init__(self, folder: Path) -> None:
        self.modules = {str(path): path.stem for path in folder.glob("chapter_*.py")}
        self.ran: set[tuple[str, int]] = set()

    @property
    def lines(self) -> set[Line]:
        """The executed lines; if one line of a statement ran, all its lines count."""
        found = {(self.modules[file], line) for file, line in self.ran}
        for file in {file for file, _ in self.ran}:
            module = self.modules[file]
            for first, last in heads(file):
                inside = [(module, i) for i in range(first, last + 1)]
                if any(x in found for x in inside):
                    found.update(inside)
        return found

    def __enter__(self) -> LineTracer:
        self.ran = set()
        self._old = sys.gettrace()
        sys.settrace(self._call)
        return self

    def __exit__(self, *_: object) -> None:
        sys.settrace(self._old)

    def _call(self, frame: FrameType, event: str, _: Any) -> Any:
        if frame.f_code.co_filename not in self.modules:
            return None
        self.ran.add((frame.f_code.co_filename, frame.f_lineno))
        return self._line

    def _line(self, frame: FrameType, event: str, _: Any) -> Any:
        if event == "line":
            self.ran.add((frame.f_code.co_filename, frame.f_lineno))
        return self._line


@lru_cache(maxsize=200)
def heads(file: str) -> tuple[tuple[int, int], ...]:
    """The first and last line of every multi-line statement, without its nested blocks."""
    found = []
    for node in ast.walk(tree_of(file)):
        if isinstance(node, ast.stmt) and not isinstance(node, ast.FunctionDef):
            last: Any = node
            if isinstance(node, ast.If):
                last = node.test
            elif isinstance(node, ast.For):
                last = node.iter
            if last.end_lineno > node.lineno:
                found.append((node.lineno, last.end_lineno))
    return tuple(found)


@lru_cache(maxsize=200)
def tree_of(file: str) -> ast.Module:
    return ast.parse(Path(file).read_text(encoding="utf-8"))
