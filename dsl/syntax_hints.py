"""Turn a parser's complaint into a sentence for an author."""

from __future__ import annotations

from typing import Any


def hint(line: str, column: int, token: Any, expected: set[str]) -> tuple[str, str]:
    """A message and what to do next."""
    what = "the end of the line" if token is None or not str(token).strip() else f'"{str(token).strip()}"'
    return f"{what} does not fit here", "see docs/language.md for the form of this line"
