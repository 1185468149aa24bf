"""Printed values of counters and the board, for display.

In:  a loaded rule set; the fields of units and places are read from its compiled data module.
Out: short words for units and places. The names of fields are looked up if a book has them
     (terrain, city, strength, movement …); a book without them is told with less.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from rulewright.runtime.game import Game
from rulewright.runtime.program import Program, printed_id

POINTS = ("attack", "strength", "defense", "movement")
CITIES = ("major_city", "victory_city", "victory_hex", "metropolis", "city", "town")
HELD = ("holder", "control", "controller", "owner")
GLYPHS = {
    "woods": "♣",
    "forest": "♣",
    "mountain": "▲",
    "hills": "∩",
    "rough": "∩",
    "swamp": "≈",
    "lake": "≋",
    "sea": "≋",
    "desert": "░",
}
MARKS = (("fortress", "#"), ("fort", "#"), ("oil_well", "o"), ("oil", "o"), ("river", "~"), ("rail", "="))


class Facts:
    """The printed fields of one rule set, by unit and by place."""

    def __init__(self, program: Program, data: object) -> None:
        self.program, self.board = program, program.board
        found = vars(data)
        self.of_place: dict[str, tuple[Any, ...]] = found["FIELDS_OF_PLACE"]
        self.of_unit: dict[str, tuple[Any, ...]] = found["FIELDS_OF_UNIT"]

    # ------------------------------------------------------------ places

    @cached_property
    def named(self) -> dict[int, str]:
        """Places by their names in the book."""
        names = reversed(list(self.board.names.items()))
        return {p: printed_id(name).replace("_", " ") for name, p in names if isinstance(p, int)}

    def place(self, place: int) -> str:
        """A place as its number and name."""
        name = self.named.get(place, "")
        return f"{printed_id(self.board.places[place])} {name}".rstrip()

    def glyphs(self, place: int) -> dict[str, str]:
        """The features of a place, each with its symbol, the most important first."""
        found: dict[str, str] = {}
        if (city := self.city(place)) is not None:
            found[city.replace("_", " ")] = "★" if city in CITIES[:4] else "◆"
        terrain = self._at("terrain", place)
        if isinstance(terrain, str) and terrain != "clear":
            found[terrain.replace("_", " ")] = GLYPHS.get(terrain, terrain[0])
        return found | {field.replace("_", " "): sign for field, sign in MARKS if self._at(field, place)}

    def city(self, place: int) -> str | None:
        return next((field for field in CITIES if self._at(field, place)), None)

    def terrain(self, place: int) -> str:
        found = self._at("terrain", place)
        return found if isinstance(found, str) else ""

    def lies_in(self, place: int) -> str:
        """All printed fields of a place that are not empty."""
        told = []
        for field, rows in sorted(self.of_place.items()):
            value = rows[place] if place < len(rows) else None
            if value is True:
                told.append(field.replace("_", " "))
            elif value not in (None, False, ()):
                told.append(f"{field.replace('_', ' ')} {value}")
        return ", ".join(told)

    def _at(self, field: str, place: int) -> Any:
        rows: Sequence[Any] = self.of_place.get(field, ())
        return rows[place] if place < len(rows) else None

    # ------------------------------------------------------------ units

    def points(self, unit: int) -> str:
        """The printed numbers of a counter, as `8-8`."""
        said = [str(self.of_unit[f][unit]) for f in POINTS if f in self.of_unit and unit < len(self.of_unit[f])]
        return "-".join(said) if set(said) - {"0"} else ""

    def unit(self, unit: int) -> str:
        """A counter as text: numbers, type, and whether these are house values."""
        kinds = self.of_unit.get("type", ())
        kind = str(kinds[unit]).replace("_", " ") if unit < len(kinds) else ""
        house = self.program.house.get(f'"{self.program.units[unit]}"', "")
        return " ".join(filter(None, (self.points(unit), kind, house and f"({house})")))

    def tag(self, unit: int) -> str:
        """An abbreviation of a counter: `47 Panzer` is `47Pan`."""
        words = self.program.units[unit].split()
        return "".join(w if w[0].isdigit() else w[:3] if len(words) < 3 else w[:2] for w in words)

    # ------------------------------------------------------------ who holds what

    def holder(self, game: Game, place: int) -> str | None:
        """The side that controls a place, if the book has a definition or memory for that."""
        values = self.program.values
        for name in HELD:
            if name in values and values[name][1] == ("place",) and values[name][2] == "kind:side":
                held = game.value(name, place)
                return held if held in self.program.sides else None
        for name in HELD:
            memory = getattr(game.state, "past_" + name, None)
            if isinstance(memory, dict) and memory.get(place, memory.get((place,))) in self.program.sides:
                return str(memory.get(place, memory.get((place,))))
        return None
