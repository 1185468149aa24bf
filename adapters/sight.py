"""What a learner sees: a position as numbers, from the view of a side and nothing else; a choice as numbers.

In:  the program; a view (`runtime/view.py`), a choice of one's own.
Out: a list of numbers of one length for all positions of a rule set; four whole numbers a choice.

A position is, in this order: which side looks; the names that phases bind; the marks of the game and of sides; for each
unit whether it is seen, where it lies on the map (from 0 to 1 across and down) or in a box, whether it is one's own,
and its marks. Marks of places and hexsides, and memories, are left out. Words of kinds count from 1, turns from 0;
fractions become decimals.

A choice is: its kind of action (from 1), the first unit and the first place that it names (from 1, 0 for none; of a
path the end), and how many things it names or the number that it gives.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rulewright.runtime.program import Column, Program, printed_id
from rulewright.runtime.text import WORDS, Choice

SEEN = 5
"""Numbers of a unit besides its marks."""


class Sight:
    """The numbers of one rule set."""

    def __init__(self, program: Program) -> None:
        self.program = program
        board = program.board
        boxes = range(board.hexes, len(board.places))
        self.places = {
            name: {printed_id(board.places[i]): i for i in (*boxes, *hexes)}
            for name, (hexes, _) in program.grounds.items()
        }
        across = [x for x, _ in board.coordinates] or [0]
        down = [y for _, y in board.coordinates] or [0]
        self.corner = min(across), min(down)
        self.room = max(1, max(across) - min(across)), max(1, max(down) - min(down))
        sorts: dict[str, list[Column]] = {"game": [], "key": [], "unit": []}
        for column in program.columns:
            if column.sort in sorts and column.name != "unit_side":
                sorts[column.sort].append(column)
        self.of_game, self.of_keys, self.of_units = sorts["game"], sorts["key"], sorts["unit"]
        asked = dict.fromkeys(x.name for x in program.asks)
        self.kinds = {name: i for i, name in enumerate((*WORDS, *program.actions, *asked), 1)}

    @property
    def length(self) -> int:
        """How many numbers a position has."""
        program = self.program
        keys = sum(len(c.keys) for c in self.of_keys)
        each = SEEN + len(self.of_units)
        return len(program.sides) + len(program.bindings) + len(self.of_game) + keys + each * len(program.units)

    @property
    def bounds(self) -> tuple[int, int, int, int]:
        """How many values each number of a choice has."""
        program = self.program
        return len(self.kinds) + 1, len(program.units) + 1, len(program.board.places) + 1, 1000

    # ------------------------------------------------------------ positions

    def position(self, seen: dict[str, Any]) -> list[float]:
        """The numbers of a view."""
        program, mine, marks = self.program, seen["side"], seen["marks"]
        found = [float(side == mine) for side in program.sides]
        for name, type_ in program.bindings.items():
            found.append(self.number(type_, seen["bound"].get(name)))
        for column in self.of_game:
            rows = marks.get(column.name)
            found.append(self.number(column.type, next(iter(rows.values())) if rows else column.start))
        for column in self.of_keys:
            rows = marks.get(column.name, {})
            found += [self.number(column.type, rows.get(str(key), column.start)) for key in column.keys]
        places = self.places[seen.get("map", next(iter(self.places)))]
        for name in program.units:
            known = seen["units"].get(name)
            found += self.place(places.get(known["place"])) if known is not None else [0.0] * (SEEN - 1)
            found.append(0.0 if known is None else 1.0 if known["side"] == mine else -1.0)
            for column in self.of_units:
                rows = marks.get(column.name, {})
                found.append(self.number(column.type, rows.get(name, column.start)) if known is not None else 0.0)
        return found

    def place(self, at: int | None) -> list[float]:
        """Seen, across, down, in a box."""
        if at is None or at >= len(self.program.board.coordinates):
            return [1.0, 0.0, 0.0, float(at is not None)]
        x, y = self.program.board.coordinates[at]
        return [1.0, (x - self.corner[0]) / self.room[0], (y - self.corner[1]) / self.room[1], 0.0]

    def number(self, type_: str, value: Any) -> float:
        """A value of a view, as text or as it is kept, as a number."""
        if value is None or isinstance(value, bool | int | Fraction):
            return float(value or 0)
        text, program = str(value), self.program
        words = program.words(type_.partition(":")[2]) if type_.startswith("kind:") else ()
        if text in words:
            return float(words.index(text) + 1)
        if text in ("true", "yes"):
            return 1.0
        if type_ == "turn":
            return float(next((i for i, turn in enumerate(program.turns) if turn[0] == text), 0))
        if text.strip('"') in program.unit_index:
            return float(program.unit_index[text.strip('"')] + 1)
        try:
            return float(Fraction(text))
        except (ValueError, ZeroDivisionError):
            return 0.0

    # ------------------------------------------------------------ choices

    def choice(self, choice: Choice) -> list[int]:
        """The numbers of a choice."""
        program = self.program
        types = {p.name: p.type for p in program.actions[choice.name].params} if choice.name in program.actions else {}
        types = types or {"": next((a.type for a in program.asks if a.name == choice.name), "")}
        unit = place = number = 0
        for name, value in choice.args:
            type_ = types.get(name, "")
            flat = [x for x in value if isinstance(x, int)] if isinstance(value, tuple) else [value]
            if type_.endswith("unit") and flat and not unit:
                unit = flat[0] + 1
            elif type_ == "path" and flat and not place:
                place = flat[-1] + 1
            elif type_.endswith("place") and flat and not place:
                place = flat[0] + 1
            number += len(flat) if isinstance(value, tuple) else int(value) if type_ in ("number", "flag") else 1
        return [self.kinds[choice.name], unit or 0, place or 0, max(0, min(number, 999))]
