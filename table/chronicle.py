"""The log of one side as lines, read on as the game goes on, with the moments that one can go back to.

In:  a game and a side ("" looks on).
Out: lines as pieces (see `linked.py`), each with the number of the moment it belongs to; the position at a moment.

A moment is what a side saw after a choice that it may read; moments count what the side saw and nothing else, so that
their numbers do not tell how often others chose in secret.
"""

from __future__ import annotations

from typing import Any

from rulewright.runtime.game import Game
from rulewright.runtime.problems import Refusal
from rulewright.runtime.telling.diary import Diary, without_told_rolls
from rulewright.runtime.view import blinded, earlier, entry_for

from .linked import Part, with_both

Line = tuple[list[Part], int]


class Chronicle:
    def __init__(self, side: str) -> None:
        self.side = side
        self.edition = 0
        """Grows when lines that were told are taken back, so that a page begins anew."""
        self._start()

    def _start(self) -> None:
        self.lines: list[Line] = []
        self.moments: list[int] = []
        self.read = 0
        self.last: dict[str, Any] | None = None
        self.diary: Diary | None = None
        self.made = 0
        self.last_by = ""
        """Which side made the last choice that can be read."""

    def follow(self, game: Game) -> None:
        """Read what has happened since."""
        log = game.log
        if self.read > len(log) or (self.read and log[self.read - 1] is not self.last):
            self._start()
            self.edition += 1
        if self.diary is None:
            self.diary = Diary(game.program, self.side)
            self.made = len(game.journal) - sum(e["event"] == "choice" for e in log)
            self.moments.append(self.made)
        for entry, moment in self._own(game, log[self.read :]):
            self._tell(self.diary.entry(entry), moment, game)
        self._tell(self.diary.end_march(), len(self.moments) - 1, game)
        self.read, self.last = len(log), log[-1] if log else None

    def _own(self, game: Game, entries: list[dict[str, Any]]) -> list[tuple[dict[str, Any], int]]:
        """The entries that the side may read, each with its moment."""
        found: list[dict[str, Any]] = []
        moments: dict[int, int] = {}
        for entry in entries:
            own = entry_for(game, entry, self.side)
            if entry["event"] == "choice":
                self.made += 1
                if own is not None:
                    self.moments.append(self.made)
                    self.last_by = entry["side"]
            if own is not None:
                found.append(own)
                moments[id(own)] = len(self.moments) - 1
        return [(e, moments[id(e)]) for e in without_told_rolls(found)]

    def _tell(self, lines: Any, moment: int, game: Game) -> None:
        self.lines += [(with_both(game.program, line), moment) for line in lines]

    def at(self, game: Game, moment: int) -> Game:
        """The position that the side saw at a moment."""
        if not 0 <= moment < len(self.moments):
            raise Refusal("there is no such moment")
        return blinded(earlier(game, self.moments[moment]), self.side)
