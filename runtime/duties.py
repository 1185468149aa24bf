"""Duties: what a side must have done before it may close a window.

In:  the state, and the ways in which the side may still act in the window.
Out: the duties that keep the window open, and those that it is closed on.

A duty that is unmet keeps a window open as long as something can still be done in it. One with a rule for failing it
never does: that rule runs when the window closes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from .choices.spaces import ActionSpace
from .problems import Ground
from .program import DutyInfo
from .state import State

Lacking = tuple[DutyInfo, list[tuple[Any, ...]]]
"""An unmet duty, and who lacks what."""


def unmet(S: State, failing: bool) -> Iterator[Lacking]:
    """The unmet duties: those with a rule for failing them, or those without."""
    for duty in S.program.duties:
        if (duty.failing is not None) is failing and any(p in S.phases for p in duty.phases):
            lacking = [m for m in duty.domain(S) if not duty.met(S, *m)]
            if lacking:
                yield duty, lacking


def against_closing(S: State, actions: Sequence[ActionSpace], drafted: bool) -> list[Ground]:
    """The duties that keep a window open: unmet, with no rule for failing them, and something still to do.

    Where a search for something to do ends without an answer, the window may be closed, and the log says so.
    """
    found = [Ground(case=duty.case, label=duty.name, trail=tuple(lack)) for duty, lack in unmet(S, False)]
    stuck = found and not drafted and not any(next(s.listing(), None) is not None for s in actions)
    return [] if stuck else found


def waived(S: State, actions: Sequence[ActionSpace]) -> list[tuple[DutyInfo, str]]:
    """The unmet duties that a window is closed on without proof that nothing was left to do, and what was tried."""
    left = [duty for duty, _ in unmet(S, False)]
    if not left:
        return []
    for space in actions:
        next(space.listing(), None)
    tried = [f"{space.name} ({space.undecided:,} steps)" for space in actions if space.undecided]
    return [(duty, ", ".join(tried)) for duty in left] if tried else []
