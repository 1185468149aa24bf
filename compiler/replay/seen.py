"""What there is to see of a position: where counters stand and how they look, signs in hexes, the shown state.

In:  a game, the drawing of its map, and the side that looks; None looks at everything.
Out: `Seen`, plain and comparable: a replay keeps the differences between two of them.

For a side nothing is told that `runtime.view` would not tell it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rulewright.runtime.game import Game
from rulewright.runtime.program import Column, Program
from rulewright.runtime.state import State
from rulewright.runtime.telling.panel import panel
from rulewright.runtime.telling.secrecy import may_see, shut, unseen
from rulewright.runtime.view import blinded

from ..core import nodes as c
from ..core.maps import Map
from ..pages.map import signs
from ..pages.map.position import pieces
from ..pages.map.sheet import Position, Sheet
from ..pages.map.style import CounterLook, Style

Stand = tuple[int, int]
"""Where a unit stands, and the number of its look."""
Mark = tuple[int, float, float]
"""A sign in a hex: the number of its drawing, and its spot from the middle of the hex."""


@dataclass(frozen=True, slots=True)
class Seen:
    units: Mapping[int, Stand]
    signs: Mapping[int, tuple[Mark, ...]]
    cups: Mapping[int, int]
    """How many units lie in a place that the side cannot look into."""
    panel: Mapping[str, str]


class Onlooker:
    """Looks at the positions of one game, one after the other; `looks` and `drawn` grow with what it has seen."""

    def __init__(self, book: c.Book, program: Program, board: Map | None, style: Style, side: str | None) -> None:
        self.program, self.board, self.style, self.side = program, board, style, side
        self.known = pieces(book)
        self.looks: dict[CounterLook, int] = {}
        self.drawn: dict[tuple[str, str], int] = {}
        self._by_fields: dict[tuple[int, tuple[tuple[str, Any], ...]], int] = {}
        told = {name for about, name, _ in style.looks if about in ("unit", "counter")} | {"side"}
        words = " ".join(look.prints for (about, _, _), look in style.looks.items() if about == "counter")
        told |= {*words.replace("-", " ").replace("/", " ").split()}
        self.marks = [x for x in program.columns if x.sort == "unit" and bare(x) in told]
        fields = {sign.field for sign in style.signs(board)} if board is not None else set()
        self.of_places = [x for x in program.columns if x.sort == "place" and bare(x) in fields]
        self._signs: tuple[Any, dict[int, tuple[Mark, ...]]] = (None, {})

    def look(self, game: Game) -> Seen:
        """The position now."""
        S = game.state
        own = game if self.side is None else blinded(game, self.side)
        return Seen(self.units(S), self.signs(S), self.cups(S), dict(panel(own, self.side)))

    # ------------------------------------------------------------ counters

    def units(self, S: State) -> dict[int, Stand]:
        on: dict[int, list[tuple[str, Any]]] = {}
        for column in self.marks:
            name = bare(column)
            for unit, value in S.each(column):
                if (value != column.start or name == "side") and self.told(S, column, unit):
                    on.setdefault(unit, []).append((name, value))
        found = {}
        for unit, at in enumerate(S.at):
            if at is not None and not (self.side is not None and unseen(S, unit, self.side)):
                found[unit] = (at, self.number(unit, tuple(on.get(unit, ()))))
        return found

    def number(self, unit: int, marks: tuple[tuple[str, Any], ...]) -> int:
        """The number of the look of a unit with these marks."""
        key = (unit, marks)
        if key not in self._by_fields:
            fields = {**self.known.get(self.program.units[unit], {}), **dict(marks)}
            look = self.style.counter(fields)
            self._by_fields[key] = self.looks.setdefault(look, len(self.looks))
        return self._by_fields[key]

    def told(self, S: State, column: Column, owner: Any) -> bool:
        return self.side is None or may_see(S, column, owner, self.side)

    def cups(self, S: State) -> dict[int, int]:
        board, side = self.program.board, self.side
        if side is None:
            return {}
        places = sorted({*board.cups, *board.seen_by} - board.uncounted)
        return {p: len(S.here[p]) for p in places if shut(board, p, side) and S.here[p]}

    # ------------------------------------------------------------ signs

    def signs(self, S: State) -> dict[int, tuple[Mark, ...]]:
        """The signs that stand in hexes by marks of the game, not by what the map prints."""
        if self.board is None or not self.of_places:
            return {}
        places, marks = self.program.board.places, dict[str, dict[str, Any]]()
        for column in self.of_places:
            for place, value in S.each(column):
                if value != column.start and place < self.program.board.hexes and self.told(S, column, place):
                    marks.setdefault(bare(column), {})[places[place]] = value
        if self._signs[0] != marks:
            self._signs = (marks, self.placed(marks))
        return self._signs[1]

    def placed(self, marks: dict[str, dict[str, Any]]) -> dict[int, tuple[Mark, ...]]:
        assert self.board is not None
        sheet = Sheet(self.board, self.style, Position(marks=marks), "r", 0, self.board.hexes, self.board.hexes)
        found: dict[int, tuple[Mark, ...]] = {}
        for p in signs.placed(sheet):
            if p.sign.field in marks and p.place in marks[p.sign.field]:
                x, y = sheet.spots[p.place]
                number = self.drawn.setdefault((p.sign.sign, p.sign.color), len(self.drawn))
                place = self.program.board.places.index(p.place)
                mark = (number, round(p.spot[0] - x, 1), round(p.spot[1] - y, 1))
                found[place] = (*found.get(place, ()), mark)
        return found


def bare(column: Column) -> str:
    """What the column is called in a style: its name without whose it is."""
    return column.name.partition("_")[2]
