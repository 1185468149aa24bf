"""Paths that are not listed: whether one of them will do.

In:  the walks of a route, fewer steps first, and a test.
Out: a path that passes it, or none; and whether that none is proved.

A list holds one path to each end. Where a rule asks more of a path than where it ends, another path to the same end may
do when the listed one does not. So all walks are looked at, in one order and up to a number that is the same
everywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ..problems import tried
from ..state import State

Path = tuple[int, ...]
MOST_ROAMED = 10_000
"""Walks that are looked at before it stays open whether a path will do."""


def first_unlisted(S: State, walks: Iterable[Path], does: Callable[[Path], bool]) -> tuple[Path | None, bool]:
    """The first walk that is more than its start and does, and whether it stays open that there is one."""
    for i, path in enumerate(tried(S, walks)):
        if i == MOST_ROAMED:
            return None, True
        if len(path) > 1 and does(path):
            return path, False
    return None, False
