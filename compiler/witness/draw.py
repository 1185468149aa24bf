"""Draw the position of a witness: the patch of the map round its units, as a small picture.

In:  a book, the units of the position by place and the other places that are spoken of.
Out: one SVG without outside parts, with a title and a description for those who cannot see it; nothing
     where no place of the map is spoken of.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..core import nodes as c
from ..core.maps import Map, distance, locate, neighbors, touching
from ..pages.draw_map import ALWAYS, draw
from ..pages.map.position import standing
from ..pages.map.style import style_of

LARGEST = 16
SCALE = 1.4
NAMESPACE = ' xmlns="http://www.w3.org/2000/svg"'
"""What a picture in a page of HTML does without."""


def draw_witness(
    book: c.Book | None, units: Mapping[str, Sequence[str]], others: Sequence[str], title: str, key: str
) -> str:
    """The picture; `key` keeps its ids apart from those of other pictures on the page."""
    board = book.map if book is not None else None
    if book is None or board is None:
        return ""
    land = set(board.hexes)
    told = [p for p in [*units, *others] if p in land]
    centre = [p for p in units if p in land] or told
    if not told:
        return ""
    if board.grid.sheets:
        near = [p for p in told if distance(board, centre[0], p) <= LARGEST]
        patch = [x for p in near for x in (p, *touching(board.grid, p)) if locate(board.grid, x)]
    else:
        near = told
        patch = [x for p in told for x in (p, *neighbors(board, p))]
    picture = draw(
        board,
        style_of(book),
        standing(book, units),
        patch=patch,
        lit=others,
        ids=ALWAYS,
        title=title,
        description=described(board, units, others, near),
        key=key,
        scale=SCALE,
    )
    return picture.svg.replace(NAMESPACE, "", 1)


def described(board: Map, units: Mapping[str, Sequence[str]], others: Sequence[str], near: Sequence[str]) -> str:
    """The picture in words."""
    told = [f"{' and '.join(names)} at {place}" for place, names in units.items()]
    terrain = board.fields.get("terrain", {})
    told += [f"{place} is {terrain[place]}" for place in near if place in terrain]
    if others:
        told.append("also spoken of: " + ", ".join(others))
    return "; ".join(told) + "."
