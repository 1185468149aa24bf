"""Where text stands: origins and spans.

An Origin is one block of text (a case block, or the head of a file) with the file it
came from and the line it starts at. Spans count lines from the start of their block, so
that a block remembered from an earlier run can be set down at another line unchanged.
"""

from __future__ import annotations

import re
from dataclasses import dataclass


class Origin:
    """One block of source text; `line` is where its first line stands in `file`."""

    __slots__ = ("file", "line", "text")

    def __init__(self, file: str, line: int = 1, text: str = "") -> None:
        self.file = file
        self.line = line
        self.text = text

    def __reduce__(self) -> tuple[type[Origin], tuple[str, int, str]]:
        return (Origin, (self.file, self.line, self.text))


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of text, from (line, column) to (end_line, end_column), counted from 1 in its block."""

    origin: Origin
    row: int
    column: int
    end_row: int
    end_column: int

    def __reduce__(self) -> tuple[type[Span], tuple[Origin, int, int, int, int]]:
        return (Span, (self.origin, self.row, self.column, self.end_row, self.end_column))

    @property
    def file(self) -> str:
        return self.origin.file

    @property
    def line(self) -> int:
        return self.origin.line + self.row - 1

    @property
    def end_line(self) -> int:
        return self.origin.line + self.end_row - 1

    @property
    def text(self) -> str:
        """The text itself, of one line or several."""
        lines = self.origin.text.split("\n")[self.row - 1 : self.end_row]
        if not lines:
            return ""
        lines[-1] = lines[-1][: self.end_column - 1]
        lines[0] = lines[0][self.column - 1 :]
        return "\n".join(lines)

    def find(self, word: str) -> Span:
        """Where a word first stands in this stretch of text; all of it where it does not."""
        found = re.search(rf"(?<!\w){re.escape(word)}(?!\w)", self.text)
        if found is None or not word:
            return self
        before = self.text[: found.start()].split("\n")
        row = self.row + len(before) - 1
        column = len(before[-1]) + (self.column if len(before) == 1 else 1)
        return Span(self.origin, row, column, row, column + len(word))

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


NOWHERE = Span(Origin("<none>"), 1, 1, 1, 1)
