"""Quick fixes: where a finding asks "did you mean", the edit that says yes.

In:  the text of a finding (its message and its help) and the text that it stands under.
Out: what to replace, and by which near names.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

MEANT = re.compile(r"did you mean ((?:\"[^\"]+\"(?: or )?)+)")
QUOTED = re.compile(r'"([^"]+)"')


@dataclass(frozen=True, slots=True)
class Fix:
    """A word from `start` to `end` of the text under a finding, and a near name to put there."""

    start: int
    end: int
    word: str
    new: str


def fixes(told: str, under: str) -> list[Fix]:
    """A fix for each near name that a finding offers; none where its word does not stand in the text."""
    meant = MEANT.search(told)
    if meant is None:
        return []
    first = told[: meant.start()]
    for word in QUOTED.findall(first):
        at = re.search(rf"(?<![A-Za-z0-9_]){re.escape(word)}(?![A-Za-z0-9_])", under)
        if at is not None:
            return [Fix(at.start(), at.end(), word, new) for new in QUOTED.findall(meant[1])]
    return []
