"""Duties: what a side must have done before it may close a window.

In:  the state, and the ways in which the side may still act in the window.
Out: the duties that keep the window open, and those that it is closed on.

A duty that is unmet keeps a window open as long as something can still be done in it; it keeps it open too where the
search for something to do came to its end without an answer, and says so. One with a rule for failing it never does:
that rule runs when the window closes.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..problems import Ground
from ..state import State
from .owed import concerned, unmet
from .spaces import ActionSpace, WordSpace

UNDECIDED = "{} may still be possible: no way was found in {:,} steps, and it is not shown that there is none"


def against_closing(S: State, actions: Sequence[ActionSpace], back: WordSpace) -> list[Ground]:
    """The duties that keep a window open: unmet, with no rule for failing them, and something still to do or undo."""
    found = [Ground(case=duty.case, label=duty.name, trail=tuple(lack)) for duty, lack in unmet(S, False)]
    if not found or not back.refusals(()):
        return found
    among = concerned(S)  # they are asked first: most often one of them is why the duty is unmet, and can still act
    if any(s.open_among(among) for s in actions) or any(next(s.listing(), None) is not None for s in actions):
        return found
    undecided = [Ground(case=s.info.case, label=UNDECIDED.format(s.name, s.undecided)) for s in actions if s.undecided]
    return [*found, *undecided] if undecided else []
