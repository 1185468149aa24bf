"""The positions that a game can go back to.

In:  the position before each choice.
Out: the nearest one that was kept; the choices between it and the one that is wanted are played again.
"""

from __future__ import annotations

from typing import Any

RECENT = 100
"""So many positions before the last choices are kept for undoing them, and of earlier ones one in as many."""

Plain = dict[str, Any]


class Past(list[tuple[Plain | None, int]]):
    """For each choice that can be undone: the position before it, None where it is not kept, and where it is logged."""

    def add(self, before: Plain, logged: int) -> None:
        """One choice more; an older position is let go."""
        self.append((before, logged))
        old = len(self) - RECENT
        if old > 0 and old % RECENT:
            self[old] = (None, self[old][1])

    def nearest(self, at: int) -> tuple[int, Plain]:
        """The last choice up to this one whose position was kept, and that position."""
        return next((i, before) for i in range(at, -1, -1) if (before := self[i][0]) is not None)
