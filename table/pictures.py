"""The pictures of a table: the map as one image, counters and marks as pieces to lay over it.

In:  a loaded rule set and the map that a game is played on.
Out: the map as SVG, the board as data for the page (spots, names, neighbours), the face of a counter as it is now.

All of this is printed matter: what a side may not know is decided by who asks for a face, see `scene.py`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from rulewright.compiler.core import nodes as c
from rulewright.compiler.core.maps import Map, one_map
from rulewright.compiler.pages.draw_map import ALWAYS, Picture, draw
from rulewright.compiler.pages.map.counters import counter, sprite
from rulewright.compiler.pages.map.paper import corners, num
from rulewright.compiler.pages.map.position import pieces
from rulewright.compiler.pages.map.sheet import Piece
from rulewright.compiler.pages.map.signs import sign
from rulewright.compiler.pages.map.style import Sign, Style, style_of
from rulewright.compiler.seat.facts import Facts
from rulewright.runtime.program import printed_id
from rulewright.runtime.telling.words import heading
from rulewright.runtime.telling.words import place as said_place

if TYPE_CHECKING:
    from rulewright.compiler.loader import Loaded

KEY = "u"
POINT = 17.0
MOST = 12
DRAWN: dict[tuple[str, str], Picture] = {}
"""Maps that were drawn, by the rules and the map; the largest one takes seconds."""
SLOTS = ((-14.0, 10.0), (14.0, 10.0), (0.0, 15.0), (-14.0, -8.0))


class Pictures:
    """The printed matter of one rule set on one map."""

    def __init__(self, loaded: Loaded, map: str = "") -> None:
        from rulewright.compiler.loader import analysed

        self.loaded, self.program, self.map = loaded, loaded.program, map
        book = analysed(loaded).book
        assert book is not None
        self.book: c.Book = book
        self.style: Style = style_of(book)
        self.printed = pieces(book)
        self.facts = Facts(loaded.program, loaded.data())
        self.ground = self.program.grounds[map] if map in self.program.grounds else self.program.grounds[""]
        whole = book.map
        assert whole is not None
        self.board: Map = one_map(whole, map) if map else whole
        self.faces: dict[str, int] = {}
        self._looks: dict[Any, int] = {}

    @cached_property
    def drawn(self) -> Picture:
        """The map on paper; tables of the same rules share it."""
        key = (self.program.rules_hash, self.map)
        if key not in DRAWN:
            while len(DRAWN) >= MOST:
                DRAWN.pop(next(iter(DRAWN)), None)
            DRAWN[key] = draw(self.board, self.style, None, ids=ALWAYS, title=self.book.title or self.book.name)
        return DRAWN[key]

    @property
    def svg(self) -> str:
        return self.drawn.svg

    @cached_property
    def size(self) -> tuple[float, float]:
        box = self.svg.split('viewBox="0 0 ', 1)[1].split('"', 1)[0].split()
        return float(box[0]), float(box[1])

    @cached_property
    def spots(self) -> dict[int, tuple[float, float]]:
        """Where the middle of each place of this map lies on the picture."""
        index, found = self.program.place_index, self.drawn.spots
        return {index[name]: found[name] for name in self.board.hexes if name in found and name in index}

    @cached_property
    def side_colors(self) -> dict[str, str]:
        return {side: self.style.counter({"side": side}).color for side in self.program.sides}

    def board_data(self) -> dict[str, Any]:
        """All that the page needs once: places, names, spots, neighbours, the hex, the units, the symbols."""
        program = self.program
        hexed = bool(self.board.grid.sheets)
        wide, high = self.size
        around = corners(self.board, (0.0, 0.0), 0.98) if hexed else []
        return {
            "title": self.book.title or self.book.name,
            "rules": program.name,
            "width": wide,
            "height": high,
            "hex": " ".join(f"{num(x)},{num(y)}" for x, y in around),
            "point": 0 if hexed else POINT,
            "sides": {side: heading(program, "kind:side", side) for side in program.sides},
            "colors": self.side_colors,
            "places": {
                p: [printed_id(program.board.places[p]), self.named(p), num(x), num(y)]
                for p, (x, y) in sorted(self.spots.items())
            },
            "near": {p: [q for q in program.board.neighbors[p] if q in self.spots] for p in sorted(self.spots)},
            "lies": {p: text for p in sorted(self.spots) if (text := self.facts.lies_in(p))},
            "boxes": {
                p: said_place(program, p).removeprefix("the ")
                for p in range(program.board.hexes, len(program.board.places))
            },
            "units": [[name, self.facts.unit(u)] for u, name in enumerate(program.units)],
            "symbols": list(symbols_with(KEY)),
        }

    def named(self, place: int) -> str:
        return self.facts.named.get(place, "")

    # ------------------------------------------------------------ counters and marks

    def face(self, unit: int, marks: Mapping[str, Any]) -> int:
        """The number of the face that a unit shows, with these marks on it."""
        known = (unit, *sorted((k, str(v)) for k, v in marks.items()))
        found = self._looks.get(known)
        if found is None:
            name = self.program.units[unit]
            piece = Piece(name=name, fields={**self.printed.get(name, {}), **marks})
            drawn = counter(piece, self.style, KEY, (0.0, 0.0))
            found = self._looks[known] = self.faces.setdefault(drawn, len(self.faces))
        return found

    @cached_property
    def signs(self) -> dict[str, list[Sign]]:
        """The signs for marks of hexes, by the name of the mark."""
        found: dict[str, list[Sign]] = {}
        for each in self.style.signs(self.board):
            if each.sign:
                found.setdefault(each.field, []).append(each)
        return found

    def mark(self, name: str, value: Any, slot: int) -> str:
        """A mark of a hex as a piece of SVG round its middle; "" where the book has no sign for it."""
        for each in self.signs.get(name, ()):
            if (value is True and not each.value) or str(value) == each.value:
                return sign(each.sign, SLOTS[slot % len(SLOTS)], each.color, 0.85)
        return ""


def symbols_with(key: str) -> Iterator[str]:
    """The unit symbols, with ids of their own."""
    for name, drawn in sorted(sprite().items()):
        yield drawn.replace(f'id="{name}"', f'id="{key}s-{name}"', 1)
