"""Quick fixes for diagnostics that ask "did you mean".

In:  the message and help of a diagnostic, and the source text under it.
Out: which word to replace, and by which suggested names.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

MEANT = re.compile(r"did you mean ((?:\"[^\"]+\"(?: or )?)+)")
QUOTED = re.compile(r'"([^"]+)"')


@dataclass(frozen=True, slots=True)
class Fix:
    """A word from `start` to `end` of the text under a diagnostic, and a suggested name to put there."""

    start: int
    end: int
    word: str
    new: str


def fixes(told: str, under: str) -> list[Fix]:
    """A fix for each suggested name; none where the wrong word is not in the text."""
    meant = MEANT.search(told)
    if meant is None:
        return []
    first = told[: meant.start()]
    for word in QUOTED.findall(first):
        at = re.search(rf"(?<![A-Za-z0-9_]){re.escape(word)}(?![A-Za-z0-9_])", under)
        if at is not None:
            return [Fix(at.start(), at.end(), word, new) for new in QUOTED.findall(meant[1])]
    return []
