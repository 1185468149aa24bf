"""What is owed: the duties of the running phases that are not met.

In:  the state.
Out: each unmet duty, and who lacks what; the units that it is about.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..program import DutyInfo
from ..state import State

Lacking = tuple[DutyInfo, list[tuple[Any, ...]]]
"""An unmet duty, and who lacks what."""


def unmet(S: State, failing: bool) -> Iterator[Lacking]:
    """The unmet duties: those with a rule for failing them, or those without."""
    for duty in S.program.duties:
        if (duty.failing is not None) is failing and any(p in S.phases for p in duty.phases):
            lacking = [m for m in duty.domain(S) if not duty.met(S, *m)]
            if lacking:
                yield duty, lacking


def owes(S: State) -> bool:
    """Whether a window may not be closed while something can still be done in it."""
    return next(unmet(S, False), None) is not None


def concerned(S: State) -> frozenset[int]:
    """The units that unmet duties keep a window open for: those that lack something, or that stand where it lacks."""
    found: set[int] = set()
    for duty, lacking in unmet(S, False):
        for values in lacking:
            if duty.type == "unit":
                found.update(values)
            elif duty.type == "place":
                found.update(u for place in values for u in S.here[place])
    return frozenset(found)
