"""Values of one rule set as values of another.

In:  two programs; a value and its type.
Out: the value by which the second program holds the same thing.
Reports: `Lost`: the second rule set has no such thing.

Things go by their names: a value is printed under the first rule set and read under the second, in the notation that
saves and logs have. Where both rule sets number everything alike, values are the same.
"""

from __future__ import annotations

from typing import Any

from rulewright.runtime.notation import show
from rulewright.runtime.problems import Refusal
from rulewright.runtime.program import Program
from rulewright.runtime.reading import Reader

BARE = ("number", "ratio", "flag", "text", "month", "phase", "layer")
"""Types whose values are the same under all rules."""


class Lost(Exception):
    """Something that the second rule set does not have; without a name where it is not known what it is."""

    def __init__(self, what: str) -> None:
        super().__init__(what)
        self.what = what


class Values:
    """Carries values from one program to another."""

    def __init__(self, a: Program, b: Program) -> None:
        self.a, self.b = a, b
        alike = ("units", "scales", "turns", "records", "kinds", "readings")
        self.same = all(getattr(a, x) == getattr(b, x) for x in alike)
        self.same = self.same and (a.board.places, a.board.hexes) == (b.board.places, b.board.hexes)
        self.known: dict[tuple[str, str], Any] = {}

    def __call__(self, type: str, value: Any) -> Any:
        """A value of that type; one of unknown type is carried only where all things have the same numbers."""
        if self.same or value is None or type.partition(":")[0] in BARE:
            return value
        if not type and not numbered(value):
            return value
        if not type:
            raise Lost("")
        text = show(self.a, type, value)
        if (type, text) not in self.known:
            try:
                reader = Reader(self.b, text)
                found = reader.value(type)
                if not reader.end():
                    raise Refusal(f"{text} does not read")
            except (Refusal, LookupError) as problem:
                raise Lost(text) from problem
            self.known[type, text] = found
        return self.known[type, text]

    def unit(self, u: int) -> int | None:
        """The counter of the same name; None where there is none."""
        return self.b.unit_index.get(self.a.units[u])

    def place(self, p: int) -> int | None:
        """The hex or box of the same name."""
        return self.b.place_index.get(self.a.board.places[p])

    def owner(self, sort: str, owner: Any) -> Any:
        """Who or what bears a mark."""
        match sort:
            case "unit":
                found = self.unit(owner)
            case "place":
                found = self.place(owner)
            case "hexside":
                return self("hexside", owner)
            case _:
                return owner
        if found is None:
            raise Lost((self.a.units if sort == "unit" else self.a.board.places)[owner])
        return found


def numbered(value: Any) -> bool:
    """Whether a value may hold the number of a thing."""
    if isinstance(value, tuple | list):
        return any(map(numbered, value))
    if isinstance(value, dict):
        return any(map(numbered, value.values()))
    return isinstance(value, int) and not isinstance(value, bool)
