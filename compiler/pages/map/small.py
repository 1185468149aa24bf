"""Small maps: the part of a board round the units of a position, for examples, witnesses and errata.

In:  a book, units by place, and other places that are spoken of.
Out: one SVG without outside parts, with a title and a description for those who cannot see it; "" where no place of
     the map is spoken of. Groups of units that stand far apart get a panel each.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from rulewright.runtime.program import printed_id

from ...core import nodes as c
from ...core.maps import Map, distance, neighbors, one_map, part_with
from ..draw_map import ALWAYS, draw
from .paper import cells_of
from .position import standing
from .sheet import Position
from .style import Style, style_of

NEAR = 4
"""Places at most so many hexes apart share a panel."""
SCALE = 1.4
NAMESPACE = ' xmlns="http://www.w3.org/2000/svg"'
"""What a picture in a page of HTML does without."""


def small_map(
    book: c.Book | None,
    units: Mapping[str, Sequence[str]],
    others: Sequence[str] = (),
    *,
    title: str,
    key: str,
    style: Style | None = None,
    position: Position | None = None,
    margin: int = 1,
    panels: int = 3,
    scale: float = SCALE,
) -> str:
    """The picture, `margin` hexes round each place.

    `others` are outlined. `position` has the counters as they are in a game; without it they are as printed. `key`
    keeps the ids of pictures on one page apart. At most so many `panels`: those with most units.
    """
    board = book.map if book is not None else None
    if book is None or board is None:
        return ""
    land = set(board.hexes)
    told = list(dict.fromkeys(p for p in [*units, *others] if p in land))
    if not told:
        return ""
    if part := part_with(board, told[0]) if board.parts else None:
        board = one_map(board, part.name)
        told = [p for p in told if p in part.hexes]
        if part.mark:  # a map that shares ids with another is drawn as it is printed
            units = {printed_id(p): names for p, names in units.items() if p in told}
            position = printed(position) if position is not None else None
            others = [printed_id(p) for p in others if p in told]
            told = [printed_id(p) for p in told]
    groups = sorted(clusters(board, told), key=lambda g: -sum(p in units for p in g))[:panels]
    picture = draw(
        board,
        style or style_of(book),
        position or standing(book, units),
        patches=[patch_round(board, group, margin) for group in groups],
        lit=others,
        ids=ALWAYS,
        title=title,
        description=described(board, units, others, [p for group in groups for p in group]),
        key=key,
        scale=scale,
    )
    return picture.svg.replace(NAMESPACE, "", 1)


def printed(position: Position) -> Position:
    """A position with the ids of its places as they are printed."""
    units = {printed_id(p): pieces for p, pieces in position.units.items()}
    marks = {name: {printed_id(p): x for p, x in held.items()} for name, held in position.marks.items()}
    return replace(position, units=units, marks=marks)


def clusters(board: Map, places: Sequence[str]) -> list[list[str]]:
    """Places that lie near one another, in the order in which they are named; points lie on one panel."""
    if not board.grid.sheets:
        return [list(places)]
    found: list[list[str]] = []
    for place in places:
        near = [g for g in found if any(distance(board, place, other) <= NEAR for other in g)]
        merged = [p for g in near for p in g] + [place]
        first = found.index(near[0]) if near else len(found)
        found = [g for g in found if g not in near]
        found.insert(first, merged)
    return found


def patch_round(board: Map, places: Collection[str], margin: int) -> list[str]:
    """The hexes of the rectangle round these places; of points those that a line joins to them."""
    if not board.grid.sheets:
        return list(dict.fromkeys(x for p in places for x in (p, *neighbors(board, p))))
    at = cells_of(board, board.hexes)
    cells = [at[p] for p in places]
    rows = board.grid.staggered == "rows"
    wide, high = (2 * margin, margin) if rows else (margin, 2 * margin)
    left, right = min(x for x, _ in cells) - wide, max(x for x, _ in cells) + wide
    top, bottom = min(y for _, y in cells) - high, max(y for _, y in cells) + high
    return [h for h, (x, y) in at.items() if left <= x <= right and top <= y <= bottom]


def described(board: Map, units: Mapping[str, Sequence[str]], others: Sequence[str], near: Sequence[str]) -> str:
    """The picture in words."""
    told = [f"{' and '.join(names)} at {place}" for place, names in units.items()]
    terrain = board.fields.get("terrain", {})
    told += [f"{place} is {terrain[place]}" for place in near if place in terrain]
    if others:
        told.append("also spoken of: " + ", ".join(others))
    return "; ".join(told) + "."
