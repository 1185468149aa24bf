"""Lines over hexes and hexsides between them: rivers, railways, roads, straits.

In:  a `Sheet`.
Out: pieces of SVG, rivers below everything that crosses them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from .network import runs
from .paper import Point, between, path
from .pens import drawn
from .rivers import rivers
from .sheet import LINES_GROW, Sheet
from .style import Stroke
from .waters import centre_of, shared_side


def ways(sheet: Sheet) -> Iterator[str]:
    """Sides and lines, each as the style says; water first, so that bridges cross it."""
    sides, lines = sheet.sides(), sheet.ways()
    if not sheet.hexed:  # those of hexes are drawn with the ground, below its waters
        yield from rivers(sheet)
    for stroke in sides:
        if stroke.stroke != "river":
            yield from side(sheet, stroke)
    for stroke in lines:
        if stroke.stroke != "river":
            yield from line(sheet, stroke)


def line(sheet: Sheet, stroke: Stroke) -> Iterator[str]:
    """One layer of lines."""
    chains = sheet.board.lines.get(stroke.name, ())
    found = [path([sheet.spots[h] for h in run]) for _, chain in chains for run in runs(chain, sheet)]
    if found:
        yield drawn("".join(found), stroke)


def side(sheet: Sheet, stroke: Stroke) -> Iterator[str]:
    """One kind of hexside."""
    edges: list[tuple[Point, Point]] = []
    links: list[tuple[Point, Point]] = []
    for one, two in sheet.board.sides.get(stroke.name, ()):
        if one not in sheet.shown_set and two not in sheet.shown_set:
            continue
        shared = shared_side(sheet.board, one, two)
        if shared is not None:
            edges.append(shared)
            ends = [centre_of(sheet.board, h) for h in (one, two)]
            links.append((between(ends[0], ends[1], 0.3), between(ends[0], ends[1], 0.7)))
    if not edges:
        return
    if stroke.stroke == "link":
        yield drawn("".join(path(x) for x in links), stroke)
    elif stroke.stroke == "channel":  # its water is drawn with the seas
        if stroke.link:
            width = 3.0 * sheet.part_grown(LINES_GROW)
            yield drawn("".join(path(x) for x in links), replace(stroke, stroke="link", width=width, color=stroke.link))
    else:
        yield drawn("".join(path(x) for x in edges), stroke)
