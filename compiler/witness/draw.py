"""Draw the position of a witness: the part of the map around its units.

In:  a map, the units of the position by place, and other places that the witness mentions.
Out: one self-contained SVG with a title and a description for screen readers; empty where no place is mentioned.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import cos, pi, sin, sqrt
from xml.sax.saxutils import escape, quoteattr

from ..core.maps import Map, distance, locate, touching
from ..pages.draw_map import WIDTH, spots

LARGEST = 16
FILL = {"woods": "#c3d6a0", "mountain": "#d8bd94", "swamp": "#bfd8c8", "hills": "#e6d3ae", "rough": "#e2d2b4"}


def draw_witness(
    board: Map | None, units: Mapping[str, Sequence[str]], others: Sequence[str], title: str, key: str
) -> str:
    """The picture; `key` makes its ids unique on a page."""
    if board is None or not board.grid.sheets:
        return ""
    told = [p for p in [*units, *others] if p in set(board.hexes)]
    centre = [p for p in units if p in set(board.hexes)] or told
    if not told:
        return ""
    near = [p for p in told if distance(board, centre[0], p) <= LARGEST]
    patch = list(dict.fromkeys(x for p in near for x in (p, *touching(board.grid, p)) if locate(board.grid, x)))
    land = set(board.hexes)
    at = spots(board, patch)
    xs, ys = [x for x, _ in at.values()], [y for _, y in at.values()]
    left, top = min(xs) - WIDTH * 0.62, min(ys) - WIDTH * 0.62
    wide, high = max(xs) - left + WIDTH * 0.62, max(ys) - top + WIDTH * 0.62
    parts = [
        f'<svg viewBox="{num(left)} {num(top)} {num(wide)} {num(high)}"'
        f' width="{num(wide * 1.4)}" height="{num(high * 1.4)}" role="img"'
        f" aria-labelledby={quoteattr(f'{key}-t {key}-d')}>",
        f'<title id="{key}-t">{escape(title)}</title>',
        f'<desc id="{key}-d">{escape(described(board, units, others, near))}</desc>',
    ]
    terrain = board.fields.get("terrain", {})
    for place, (x, y) in at.items():
        fill = FILL.get(str(terrain.get(place, "")), "#f3ecd6") if place in land else "#bcd6e6"
        edge = ' stroke="#b02a1c" stroke-width="2.4"' if place in others else ' stroke="#8d8468" stroke-width="0.8"'
        parts.append(f'<polygon points="{corners(board, x, y)}" fill="{fill}"{edge}/>')
        parts.append(
            f'<text x="{num(x)}" y="{num(y - 13)}" font-size="6.5" font-family="sans-serif" text-anchor="middle"'
            f' fill="#5a5340">{escape(place)}</text>'
        )
    for place, names in units.items():
        if place not in at:
            continue
        x, y = at[place]
        for k, name in enumerate(names[:3]):
            up = y - 8 + k * 9.5
            parts.append(
                f'<rect x="{num(x - 19)}" y="{num(up)}" width="38" height="9" fill="#fffdf5" stroke="#22303a"/>'
                f'<text x="{num(x)}" y="{num(up + 6.8)}" font-size="6" font-family="sans-serif" text-anchor="middle"'
                f' fill="#22303a">{escape(name[:14])}</text>'
            )
    return "\n".join([*parts, "</svg>"])


def described(board: Map, units: Mapping[str, Sequence[str]], others: Sequence[str], near: Sequence[str]) -> str:
    """The description of the picture."""
    told = [f"{' and '.join(names)} at {place}" for place, names in units.items()]
    terrain = board.fields.get("terrain", {})
    told += [f"{place} is {terrain[place]}" for place in near if place in terrain]
    if others:
        told.append("also spoken of: " + ", ".join(others))
    return "; ".join(told) + "."


def corners(board: Map, x: float, y: float) -> str:
    turn = -pi / 2 if board.grid.staggered == "rows" else -2 * pi / 3
    size = WIDTH / sqrt(3)
    points = ((x + size * cos(turn + k * pi / 3), y + size * sin(turn + k * pi / 3)) for k in range(6))
    return " ".join(f"{num(px)},{num(py)}" for px, py in points)


def num(value: float) -> str:
    return f"{value:.1f}".rstrip("0").rstrip(".")
