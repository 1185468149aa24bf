"""What happens in one game: losses, dice that are looked up, duties.

In:  each choice of a playout, each event of its log, each look-up of a table in which dice are read.
Out: counts of them.

Units that leave the map are counted from one choice to the next: one that goes and returns within a choice is not
seen. A look-up is counted once a roll, the first that follows it, and belongs to the side whose action, or whose
closing of a window, led to it. Look-ups while a player thinks are not counted.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from rulewright.runtime.choices.owed import unmet
from rulewright.runtime.game import Game
from rulewright.runtime.notation import show
from rulewright.runtime.text import Choice

from .records import Tally


class Observer:
    """The counts of one game; it stands in for the log of a playout."""

    def __init__(self, game: Game) -> None:
        self.program = game.program
        self.types = {name: self.program.signature(name) for rows in self.program.dice.values() for name, _ in rows}
        self.won = ""
        self.thinking = False
        self.side = ""
        self.awaited: dict[str, int] = {}
        self.reads: Counter[tuple[str, Any, Any, str]] = Counter()
        self.left: Counter[tuple[str, int | None]] = Counter()
        self.came: Counter[tuple[str, int | None]] = Counter()
        self.duties: dict[str, list[int]] = {}
        self.at = [*game.state.at]

    def __bool__(self) -> bool:
        """Nothing of it is ever taken into a game's own log."""
        return False

    # ------------------------------------------------------------ told by the game

    def append(self, event: dict[str, Any]) -> None:
        """Something that happens."""
        if event["event"] == "roll":
            self.awaited = dict(self.program.dice.get(f"{event['case']} {event['name']}", ()))
        elif event["event"] == "win":
            self.won = event["case"]

    def looked_up(self, table: str, key: Any, value: Any) -> None:
        """A table in which some roll is read is read."""
        if not self.thinking and table in self.awaited:
            place = self.awaited.pop(table)
            column = key[:place] + key[place + 1 :] if isinstance(key, tuple) else ()
            self.reads[table, column, value, self.side] += 1

    def watch(self, game: Game, choice: Choice) -> None:
        """A choice is made."""
        self.places(game)
        if choice.name in self.program.actions or choice.name == "done":
            self.side = choice.side
        if choice.name == "done" and self.program.duties:
            self.close(game)

    def places(self, game: Game) -> None:
        """Who has left the map since, and who has come."""
        at = game.state.at
        if at == self.at:
            return
        ground, sides = game.state.ground, game.state.unit_side
        for u, (old, new) in enumerate(zip(self.at, at, strict=True)):
            if old != new:
                was, now = old in ground, new in ground
                if was and not now:
                    self.left[sides[u], new] += 1
                elif now and not was:
                    self.came[sides[u], old] += 1
        self.at = [*at]

    def close(self, game: Game) -> None:
        """A window closes: what was owed in it, and what was not done."""
        S = game.state
        undone = {duty.name: len(lacking) for failing in (False, True) for duty, lacking in unmet(S, failing)}
        for duty in self.program.duties:
            if any(p in S.phases for p in duty.phases):
                owed = len(list(duty.domain(S)))
                if owed:
                    row = self.duties.setdefault(duty.name, [0, 0])
                    row[0] += owed
                    row[1] += undone.get(duty.name, 0)

    # ------------------------------------------------------------ as plain data

    def by_place(self, counts: Counter[tuple[str, int | None]]) -> dict[str, Tally]:
        """Counts by side and the name of a place, in the order of names."""
        places = self.program.board.places
        rows = sorted((side, "nowhere" if at is None else places[at], n) for (side, at), n in counts.items())
        found: dict[str, Tally] = {}
        for side, place, n in rows:
            found.setdefault(side, {})[place] = n
        return found

    def columns(self) -> Tally:
        """Look-ups by `TABLE|COLUMN|RESULT|SIDE`."""
        found: Counter[str] = Counter()
        for (table, column, value, side), n in self.reads.items():
            types, result = self.types[table]
            place = next(i for rows in self.program.dice.values() for name, i in rows if name == table)
            others = [*types[:place], *types[place + 1 :]]
            words = ", ".join(show(self.program, t, x) for t, x in zip(others, column, strict=False))
            found["|".join((table, words, show(self.program, result, value), side))] += n
        return dict(sorted(found.items()))
