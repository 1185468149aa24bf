"""Paper: where hexes lie, and how numbers, paths and words are written in SVG.

In:  a `Map`, coordinates, texts of rulebooks.
Out: points on paper (one hex is `WIDTH` wide), and pieces of SVG in which every text is escaped.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from math import cos, pi, sin, sqrt
from xml.sax.saxutils import escape

from ...core.maps import Map, locate

Point = tuple[float, float]
Cell = tuple[int, int]

WIDTH = 46.0
LONGEST = 30
INK = "#22303a"
SERIF = "Georgia,'DejaVu Serif',serif"
SANS = "Helvetica,'DejaVu Sans',sans-serif"
STEERING = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufffe\uffff]")


# ---------------------------------------------------------------- hexes on paper


def on_paper(board: Map, at: Cell) -> Point:
    """The centre of a hex by its doubled coordinates."""
    pitch = WIDTH * sqrt(3) / 2
    if board.grid.staggered == "rows":
        return at[0] * WIDTH / 2, at[1] * pitch
    return at[0] * pitch, at[1] * WIDTH / 2


def steps(board: Map) -> tuple[Cell, ...]:
    """The six steps in the order of the sides that `corners` gives."""
    if board.grid.staggered == "rows":
        return (1, -1), (2, 0), (1, 1), (-1, 1), (-2, 0), (-1, -1)
    return (0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1)


def corners(board: Map, spot: Point, size: float = 1.0) -> list[Point]:
    """Corners clockwise, so that side k (towards step k) runs from corner k to corner k+1."""
    turn = -pi / 2 if board.grid.staggered == "rows" else -2 * pi / 3
    return [turned(spot, size * WIDTH / sqrt(3), turn + k * pi / 3) for k in range(6)]


def cells_of(board: Map, places: Sequence[str]) -> dict[str, Cell]:
    """The doubled coordinates of hexes."""
    found = ((place, locate(board.grid, place)) for place in places)
    return {place: at for place, at in found if at is not None}


def turned(middle: Point, radius: float, angle: float) -> Point:
    return middle[0] + radius * cos(angle), middle[1] + radius * sin(angle)


def between(a: Point, b: Point, share: float = 0.5) -> Point:
    return a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share


def key(point: Point) -> Cell:
    """Points that are one on paper have one key."""
    return round(point[0] * 8), round(point[1] * 8)


# ---------------------------------------------------------------- SVG


def num(value: float) -> str:
    """A number with one decimal, without trailing zeros or a minus zero."""
    text = f"{value:.1f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def pair(point: Point) -> str:
    return f"{num(point[0])} {num(point[1])}"


def path(points: Sequence[Point], closed: bool = False) -> str:
    return "M" + "L".join(pair(point) for point in points) + ("z" if closed else "")


def smooth_ring(loop: Sequence[Point]) -> str:
    """A closed curve that bends at the corners of the loop (quadratic, through the middles)."""
    ring = [*loop, loop[0]]
    middles = [between(a, b) for a, b in pairwise(ring)]
    text = f"M{pair(middles[-1])}"
    for corner, middle in zip(loop, middles, strict=True):
        text += f"Q{pair(corner)} {pair(middle)}"
    return text + "z"


def smooth_way(points: Sequence[Point]) -> str:
    """An open curve from the first point to the last that bends at those between."""
    if len(points) < 3:
        return path(points)
    text = f"M{pair(points[0])}L{pair(between(points[0], points[1]))}"
    for one, two in pairwise(points[1:]):
        text += f"Q{pair(one)} {pair(between(one, two))}"
    return text + f"L{pair(points[-1])}"


def spelt(text: str) -> str:
    """The text with whatever would steer a reader or break the picture spelt out (U+202E is `\\u202e`)."""
    return STEERING.sub(lambda m: f"\\u{ord(m[0]):04x}", text)


def said(name: str, longest: int = LONGEST) -> str:
    """A name as it is printed: with spaces, cut where it is too long, escaped."""
    text = spelt(name.replace("_", " "))
    return escape(text if len(text) <= longest else text[: longest - 1] + "…")


def wide(text: str, size: float) -> float:
    """About how wide a text is on paper."""
    return 0.54 * size * len(text)
