"""A sheet: one piece of a map on paper, with everything that the layers ask about it.

In:  a `Map` (or a piece of it), its style, the position on it, a key that keeps the ids of pictures on one page apart.
Out: `Sheet`, with the spots of hexes and the frame.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ...core.maps import Map, hex_at
from .outline import lattice
from .paper import WIDTH, Cell, Point, cells_of, on_paper
from .points import lay_out
from .style import Stroke, Style


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """One unit on the map: its name, and its fields and marks."""

    name: str
    fields: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Position:
    """What stands on the map and changes in play: units by place, marks of hexes by name and place."""

    units: Mapping[str, Sequence[Piece]] = field(default_factory=dict)
    marks: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


FITS = 1600.0
"""A map so wide can be read as a whole: what is printed on it is as large as on a page of so many dots."""
TALL = 1.5
"""How much higher than wide a map may be before its height counts."""
MOST_GROWN = 5.0
LINES_GROW = 0.55
"""How much of the growth of a large map its lines take part in."""


class Sheet:
    def __init__(
        self,
        board: Map,
        style: Style,
        position: Position,
        key: str,
        nr: int,
        shown: Sequence[str],
        focus: Collection[str],
    ) -> None:
        self.board, self.style, self.position = board, style, position
        self.key, self.own_key = key, f"{key}{nr or ''}"
        self.hexed = bool(board.grid.sheets)
        self.shown = tuple(shown)
        self.shown_set = frozenset(shown)
        self.wet = frozenset(board.water)
        self.at: dict[str, Cell] = cells_of(board, [*board.hexes, *board.water]) if self.hexed else {}
        self.spots: dict[str, Point]
        if self.hexed:
            self.spots = {place: on_paper(board, at) for place, at in self.at.items()}
        else:
            self.spots, self.project = lay_out(board, style)
        at_home = {board.names.get(name, name): bank for name, bank in style.banks().items()}
        self.banks = {place: bank for place, bank in at_home.items() if place in self.spots}
        self.inner = lattice(self.at[h] for h in board.hexes if h in self.at)
        self.off_sheet = self._off_sheet()
        self.box = self._frame([self.spots[h] for h in shown if h in focus and h in self.spots])

    def _frame(self, spots: Sequence[Point]) -> tuple[float, float, float, float]:
        xs, ys = ([s[k] for s in spots] or [0.0] for k in (0, 1))
        if not self.hexed:
            return min(xs) - 46, min(ys) - 34, max(xs) + 46, max(ys) + 40
        rows = self.board.grid.staggered == "rows"
        across, down = (WIDTH / 2, WIDTH * 0.52) if rows else (WIDTH * 0.52, WIDTH / 2)
        return min(xs) - across, min(ys) - down, max(xs) + across, max(ys) + down

    def _off_sheet(self) -> frozenset[Cell]:
        """The cells within the bounds of the map that lie on none of its printed sheets."""
        grid = self.board.grid
        if any(x.columns is None for x in grid.sheets) or len(grid.sheets) < 2:
            return frozenset()
        return frozenset(at for at in self.inner if hex_at(grid, at) is None)

    def near(self, place: str) -> bool:
        """Whether a hex lies on the sheet or just beyond its frame."""
        x, y = self.spots[place]
        left, top, right, bottom = self.box
        return left - 2 * WIDTH < x < right + 2 * WIDTH and top - 2 * WIDTH < y < bottom + 2 * WIDTH

    def inside(self, spot: Point) -> bool:
        """Whether a point lies within the frame."""
        return self.box[0] < spot[0] < self.box[2] and self.box[1] < spot[1] < self.box[3]

    @property
    def wide(self) -> float:
        return self.box[2] - self.box[0]

    @property
    def high(self) -> float:
        return self.box[3] - self.box[1]

    @property
    def grown(self) -> float:
        """How much larger than on a small map its main names are, so that they can be read where all of it is seen."""
        return min(MOST_GROWN, max(1.0, max(self.wide, self.high / TALL) / FITS))

    def part_grown(self, share: float) -> float:
        """How much larger something is that takes part in the growth by a share only."""
        return 1 + (self.grown - 1) * share

    def sides(self) -> list[Stroke]:
        """How hexsides are drawn on this sheet."""
        return [self.drawn_larger(stroke) for stroke in self.style.sides(self.board)]

    def ways(self) -> list[Stroke]:
        """How lines over hexes are drawn on it."""
        return [self.drawn_larger(stroke) for stroke in self.style.ways(self.board)]

    def borders(self) -> list[Stroke]:
        """How the borders of areas are drawn on it."""
        return [self.drawn_larger(stroke) for stroke in self.style.borders(self.board)]

    def drawn_larger(self, stroke: Stroke) -> Stroke:
        grown = self.part_grown(LINES_GROW)
        return replace(stroke, width=stroke.width * grown, grown=grown) if grown > 1 else stroke

    def held(self, name: str) -> Mapping[str, Any]:
        """What a field or mark says of each hex."""
        return {**self.board.fields.get(name, {}), **self.position.marks.get(name, {})}
