"""The spot where parsing stopped.

In:  a line, a column, the token there and the terminals that could have stood there.
Out: a `Spot`: the piece of text, what stands before it, and what was expected.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from ..builder.base import strip_comment

Hint = tuple[str, str] | None


PIECE = re.compile(r"[^\W\d_]\w*|\w+|\s+|[=<>!&|+*/:.-]+|.")


WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


ENDS = frozenset(("_NL", "_DEDENT", "$END"))


@dataclass(frozen=True, slots=True)
class Spot:
    """Where parsing stopped: the piece of text there, what stands before it, what was expected."""

    before: str
    word: str
    kind: str
    after: str
    expected: frozenset[str]

    @property
    def first(self) -> str:
        match = WORD.match((self.before + self.word).lstrip())
        return match.group() if match else ""

    @property
    def prior(self) -> str:
        words = re.findall(r"\S+$", self.before.rstrip())
        tail = re.search(r"[A-Za-z_][A-Za-z0-9_]*$", words[-1]) if words else None
        return tail.group() if tail else ""

    @property
    def starts(self) -> bool:
        return not self.before.strip()

    @property
    def ends(self) -> bool:
        return self.kind in ENDS

    @property
    def wants_value(self) -> bool:
        return "NUMBER" in self.expected and "NAME" in self.expected

    @property
    def had_value(self) -> bool:
        return "MINUS" in self.expected and not self.wants_value


def spot_at(line: str, column: int, token: Any, expected: Iterable[str]) -> Spot:
    code = strip_comment(line)
    kind = getattr(token, "type", "") if token is not None else ""
    before, rest = code[: column - 1], code[column - 1 :]
    piece = PIECE.match(rest)
    word = piece.group() if piece else ""
    if kind not in ("", "RAW", "HEAD", "NATURE", *ENDS, "_INDENT") and str(token).strip():
        word = str(token)
    wanted = frozenset(expected)
    if before.rstrip().endswith('"'):
        wanted -= {"STRING"}  # any prose may go on as a further text: true everywhere, and no help here
    return Spot(before, word, kind, rest[len(word) :], wanted)
