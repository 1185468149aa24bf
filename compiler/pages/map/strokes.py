"""Lines over hexes and hexsides between them: rivers, railways, roads, straits.

In:  a `Sheet`.
Out: pieces of SVG, rivers below everything that crosses them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from math import hypot

from ...core.looks import Look
from .network import curve, runs
from .paper import WIDTH, Point, between, on_paper, pair, path, steps
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
    leaving = exits(sheet)
    found = [path(carried(sheet, run, leaving)) for _, chain in chains for run in runs(chain, sheet)]
    if not sheet.hexed and stroke.stroke != "dashes":  # dashes lead over water
        found = [bowed(sheet, a, b) for _, chain in chains for run in runs(chain, sheet) for a, b in pairwise(run)]
    if found:
        yield drawn("".join(found), stroke)


def exits(sheet: Sheet) -> dict[tuple[str, str], Point]:
    """Where lines leave the map: their last two hexes, and the point beyond the edge that they run on to.

    A line leaves it that ends in a hex without a name at the edge, heads outwards and meets no other line there.
    """
    if not sheet.hexed:
        return {}
    near: dict[str, dict[str, None]] = {}
    for stroke in sheet.ways():
        if stroke.stroke != "river":
            for _, chain in sheet.board.lines.get(stroke.name, ()):
                for one, two in pairwise(chain):
                    near.setdefault(one, {})[two] = None
                    near.setdefault(two, {})[one] = None
    named = {*sheet.board.names.values()}
    found: dict[tuple[str, str], Point] = {}
    for last, before in near.items():
        if len(before) == 1 and last in sheet.at and last not in named:
            (other,) = before
            beyond = outwards(sheet, other, last) if other in sheet.spots else None
            if beyond is not None:
                found[other, last] = beyond
    return found


OUT = 0.4
"""How well a line must head outwards at its last hex: the cosine of the angle."""


def outwards(sheet: Sheet, before: str, last: str) -> Point | None:
    """The middle of the place beyond the edge of the map towards which a line heads, if there is one."""
    (ax, ay), (bx, by) = sheet.spots[before], sheet.spots[last]
    x, y = sheet.at[last]
    best: tuple[float, Point] | None = None
    for dx, dy in steps(sheet.board):
        there = (x + dx, y + dy)
        if there in sheet.inner and there not in sheet.off_sheet:
            continue
        cx, cy = on_paper(sheet.board, there)
        straight = ((bx - ax) * (cx - bx) + (by - ay) * (cy - by)) / (WIDTH * (hypot(bx - ax, by - ay) or 1.0))
        if straight > OUT and (best is None or straight > best[0] + 1e-6):
            best = (straight, (cx, cy))
    return best[1] if best else None


def carried(sheet: Sheet, run: Sequence[str], leaving: dict[tuple[str, str], Point]) -> list[Point]:
    """The points of a line, and those beyond the edge of the map that it runs on to."""
    points = [sheet.spots[h] for h in run]
    head, foot = leaving.get((run[1], run[0])), leaving.get((run[-2], run[-1]))
    return [*([head] if head else []), *points, *([foot] if foot else [])]


BOWS = (0.0, 0.08, -0.08, 0.16, -0.16, 0.24, -0.24, 0.32, -0.32)
"""How far aside of the straight line a way between two points may run, as shares of its length."""


def bowed(sheet: Sheet, one: str, two: str) -> str:
    """A way between two points, with a bow round the lakes that lie between them."""
    a, b = sheet.spots[one], sheet.spots[two]
    reach = hypot(a[0] - b[0], a[1] - b[1]) / 3
    west, east = min(a[0], b[0]) - reach, max(a[0], b[0]) + reach
    north, south = min(a[1], b[1]) - reach, max(a[1], b[1]) + reach
    shores = ([sheet.project(p) if look.globe else p for p in look.points] for look in waters_of(sheet))
    lakes = [ring for ring in shores if any(west < x < east and north < y < south for x, y in ring)]

    def over(bow: float) -> int:
        line = curve([a, bend(bow), b])
        along = [between(p, q, k / 6) for p, q in pairwise(line) for k in range(6)]
        return sum(inside(p, ring) for p in along for ring in lakes)

    def bend(bow: float) -> Point:
        x, y = between(a, b)
        return x - 2 * bow * (b[1] - a[1]), y + 2 * bow * (b[0] - a[0])

    if not lakes:
        return path([a, b])
    best = min(BOWS, key=lambda bow: (over(bow), BOWS.index(bow)))
    return path([a, b]) if not best else f"M{pair(a)}Q{pair(bend(best))} {pair(b)}"


def waters_of(sheet: Sheet) -> Iterator[Look]:
    """The lakes that only the picture has."""
    return (look for look in sheet.style.shapes().values() if "water" in look.words)


def inside(p: Point, ring: Sequence[Point]) -> bool:
    """Whether a point lies within a ring."""
    within = False
    for k in range(len(ring)):
        (ax, ay), (bx, by) = ring[k - 1], ring[k]
        if (ay > p[1]) != (by > p[1]) and p[0] < (bx - ax) * (p[1] - ay) / (by - ay) + ax:
            within = not within
    return within


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
