"""What one game of a playtest tells, as plain data.

In:  a game that has been played.
Out: `Played`, which can be compared, sent to another process and kept in a file; counts of losses and look-ups add up.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from typing import Any

UNFINISHED, CONFLICT, FAULT = "unfinished", "conflict", "fault"
"""Why a game has no result: too many choices, exceptions that contradict one another, rules that cannot go on."""

Tally = dict[str, int]
Number = int | float


@dataclass(frozen=True, slots=True)
class Setting:
    """Which games are played: rules, scenario, the words of the contestants, when a game is stopped, and whether the
    cases that run are recorded."""

    book: str
    scenario: str
    players: tuple[str, ...]
    until: int
    cases: bool = True


@dataclass(frozen=True, slots=True)
class Task:
    """One game: its seed, and which contestant sits on each side."""

    seed: int
    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """How one game went.

    `margin` is each side's number at the end, less the best of the others, where the scenario has one; `shown` are the
    numbers that the book shows, by name and owner. `left` counts the units of a side that left the map, by where they
    went, `came` those that came onto it, by where they were. `reads` are look-ups of dice: `TABLE|COLUMN|RESULT|SIDE`.
    `duties` are, by name, how many were owed, and how many were not done, when a window of theirs closed.
    `ran` are the cases that ran.
    """

    seed: int
    seats: tuple[int, ...]
    winner: str | None = None
    case: str = ""
    turn: str = ""
    choices: int = 0
    problem: str = ""
    sort: str = ""
    margin: dict[str, Number] = field(default_factory=dict)
    shown: dict[str, Number] = field(default_factory=dict)
    left: dict[str, Tally] = field(default_factory=dict)
    came: dict[str, Tally] = field(default_factory=dict)
    reads: Tally = field(default_factory=dict)
    duties: dict[str, tuple[int, int]] = field(default_factory=dict)
    ran: tuple[str, ...] = ()

    def share(self, sides: tuple[str, ...], contestant: int) -> float:
        """What the game gave to a contestant: a win one, a draw the same for all."""
        if self.winner is None:
            return 1 / len(sides)
        return float(self.seats[sides.index(self.winner)] == contestant)

    def text(self) -> str:
        """The record as one line of text; the same record, the same bytes."""
        return json.dumps(asdict(self), ensure_ascii=False, separators=(",", ":"))

    @staticmethod
    def read(text: str) -> Played:
        found: dict[str, Any] = json.loads(text)
        found["seats"], found["ran"] = tuple(found["seats"]), tuple(found["ran"])
        found["duties"] = {name: (owed, undone) for name, (owed, undone) in found["duties"].items()}
        return Played(**found)


def number(value: Any) -> Number:
    """An exact number as one that is written down: a fraction becomes a decimal."""
    return value if isinstance(value, int) else float(value)
