"""Waters on hexsides: straits and the shores of lakes as one shape with the seas and lakes that they touch.

In:  a `Sheet`.
Out: pieces of SVG: first the shores (`shores`, below the seas and lakes), then the water (`waters`, above them). A
     narrow water runs into each sea, lake or other narrow water at its ends, and comes to a point on land.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import hypot, sqrt

from ...core.maps import Map, locate
from . import beyond
from .outline import chains
from .paper import Cell, Point, between, corners, key, num, on_paper, path, steps
from .sheet import Sheet
from .style import Stroke, darker

HALF = 1.75
"""Half the width of a narrow water, for each unit of its stroke."""
POINTED = 17.0
"""How long its end is where it comes to a point."""
BEYOND = 5.0
"""How far it goes on beyond the last corner there."""
INTO = 0.6
STEPS = 5
SHORE = 1.3
UNEVEN = 0.16


def shores(sheet: Sheet) -> Iterator[str]:
    """The shores of narrow waters and small lakes, to be drawn before the waters that they run into."""
    width = num(2 * SHORE * sheet.part_grown(0.4))
    for d, color in outlines(sheet):
        pen = f'stroke="{darker(color, 0.5)}" stroke-width="{width}" stroke-linejoin="round"'
        yield f'<path d="{d}" fill="none" {pen}/>'


def waters(sheet: Sheet) -> Iterator[str]:
    """Narrow waters and small lakes; where they meet the sea no shore lies between."""
    for d, color in outlines(sheet):
        yield f'<path d="{d}" fill="{color}"/>'


def outlines(sheet: Sheet) -> Iterator[tuple[str, str]]:
    """Each kind of narrow water, and each small lake, with its color."""
    yield from beyond.lakes(sheet)
    for stroke, shapes in narrow(sheet):
        yield "".join(path(shape, closed=True) for shape in shapes), stroke.color


def narrow(sheet: Sheet) -> list[tuple[Stroke, list[list[Point]]]]:
    """Each kind of narrow water with the outlines of its parts."""
    found = []
    wet = wet_cells(sheet)
    around: dict[Cell, list[Point]] = {}
    for at in wet:
        for corner in corners(sheet.board, on_paper(sheet.board, at)):
            around.setdefault(key(corner), []).append(on_paper(sheet.board, at))
    edges = {s: edges_of(sheet, s) for s in sheet.sides() if s.stroke == "channel"}
    parts = {s: chains(sides) for s, sides in edges.items() if sides}
    ends: dict[Cell, int] = {}
    for chains_ in parts.values():
        for chain in chains_:
            for corner in {key(p) for p in chain} - {key(chain[0]), key(chain[-1])}:
                ends[corner] = ends.get(corner, 0) + 2
            for corner in (key(chain[0]), key(chain[-1])):
                ends[corner] = ends.get(corner, 0) + 1
    for stroke, chains_ in parts.items():
        shapes = []
        for chain in chains_:
            line, open_ = list(chain), [True, True]
            for k in (0, -1):
                corner = key(chain[k])
                seas = around.get(corner)
                if seas:
                    middle = sum(x for x, _ in seas) / len(seas), sum(y for _, y in seas) / len(seas)
                    more = between(chain[k], middle, INTO)
                    line = [more, *line] if k == 0 else [*line, more]
                elif ends[corner] < 2:
                    open_[k] = False
                    back = chain[1] if k == 0 else chain[-2]
                    far = hypot(chain[k][0] - back[0], chain[k][1] - back[1])
                    more = between(back, chain[k], 1 + BEYOND / far)
                    line = [more, *line] if k == 0 else [*line, more]
            shapes.append(band(line, stroke.width * HALF, (open_[0], open_[1])))
        found.append((stroke, shapes))
    return found


def band(line: Sequence[Point], half: float, open_: tuple[bool, bool]) -> list[Point]:
    """The outline of a water along a line: round where it goes on, pointed where it ends, never quite even."""
    points = sampled(line)
    gone = [0.0]
    for a, b in pairwise(points):
        gone.append(gone[-1] + hypot(b[0] - a[0], b[1] - a[1]))
    left, right = [], []
    pointed = min(POINTED, gone[-1] / 2)
    for k, (x, y) in enumerate(points):
        a, b = points[max(0, k - 1)], points[min(len(points) - 1, k + 1)]
        far = hypot(b[0] - a[0], b[1] - a[1]) or 1.0
        nx, ny = (a[1] - b[1]) / far, (b[0] - a[0]) / far
        wide = half
        for end, along in ((0, gone[k]), (1, gone[-1] - gone[k])):
            if not open_[end] and along < pointed:
                wide = min(wide, half * sqrt(max(0.0, 1 - (1 - along / pointed) ** 2)))
        grain = key((x, y))
        more, less = (1 + UNEVEN * ((grain[0] * m + grain[1] * n) % 13 / 6 - 1) for m, n in ((7, 5), (3, 11)))
        left.append((x + nx * wide * more, y + ny * wide * more))
        right.append((x - nx * wide * less, y - ny * wide * less))
    return [*left, *reversed(right)]


def sampled(line: Sequence[Point]) -> list[Point]:
    """Points along the smooth curve that bends at the points of a line."""
    if len(line) < 3:
        return [between(line[0], line[-1], k / STEPS) for k in range(STEPS + 1)]
    found = [line[0]]
    for a, b, c in zip(line, line[1:], line[2:], strict=False):
        one, two = between(a, b), between(b, c)
        found += [between(between(one, b, k / STEPS), between(b, two, k / STEPS), k / STEPS) for k in range(STEPS + 1)]
    return [*found, line[-1]]


def edges_of(sheet: Sheet, stroke: Stroke) -> list[tuple[Point, Point]]:
    """The sides of one kind that a sheet shows."""
    found = []
    for one, two in sheet.board.sides.get(stroke.name, ()):
        if one in sheet.shown_set or two in sheet.shown_set:
            side = shared_side(sheet.board, one, two)
            if side is not None:
                found.append(side)
    return found


def round_the_rim(sheet: Sheet, edges: Sequence[tuple[Point, Point]]) -> list[tuple[Point, Point]]:
    """The sides at the edge of the map by which a river goes on that would leave the map and come back at once."""
    many = Counter(key(p) for side in edges for p in side)
    ends = {at for at, n in many.items() if n == 1}
    outer: dict[Cell, list[Point]] = {}
    for at in sheet.at.values():
        around = corners(sheet.board, on_paper(sheet.board, at))
        if ends.isdisjoint(map(key, around)):
            continue
        for k, (dx, dy) in enumerate(steps(sheet.board)):
            if (at[0] + dx, at[1] + dy) not in sheet.inner:
                a, b = around[k], around[(k + 1) % 6]
                outer.setdefault(key(a), [a]).append(b)
                outer.setdefault(key(b), [b]).append(a)
    found: dict[tuple[Cell, Cell], tuple[Point, Point]] = {}
    for end in sorted(ends & outer.keys()):
        here, *ways = outer[end]
        for middle in ways:
            if key(middle) in ends:
                found.setdefault((min(end, key(middle)), max(end, key(middle))), (here, middle))
                continue
            for last in outer.get(key(middle), [])[1:]:
                if key(last) in ends and key(last) != end:
                    found.setdefault((min(end, key(middle)), max(end, key(middle))), (here, middle))
                    found.setdefault((min(last_ := key(last), key(middle)), max(last_, key(middle))), (middle, last))
    return list(found.values())


def channel_corners(sheet: Sheet) -> set[Cell]:
    """The corners that narrow waters touch."""
    kinds = [s for s in sheet.sides() if s.stroke == "channel"] if sheet.hexed else []
    return {key(p) for s in kinds for side in edges_of(sheet, s) for p in side}


def wet_cells(sheet: Sheet) -> set[Cell]:
    """The cells of open water: the sea round the land, and the hexes that are drawn as water."""
    if not sheet.hexed:
        return set()
    style, board = sheet.style, sheet.board
    found: set[Cell] = set()
    for fill in style.fills(board):
        if fill.water:
            held = board.fields.get(fill.field, {})
            found |= {sheet.at[h] for h, v in held.items() if h in sheet.at and (v is True or str(v) == fill.value)}
    if style.coast:
        dry = {at for h, at in sheet.at.items() if h not in sheet.wet}
        found |= sheet.inner - dry - sheet.off_sheet - beyond.land(sheet)
    return found


def centre_of(board: Map, place: str) -> Point:
    at = locate(board.grid, place)
    return on_paper(board, at) if at is not None else (0.0, 0.0)


def shared_side(board: Map, one: str, two: str) -> tuple[Point, Point] | None:
    """The ends of the side between two hexes."""
    here, there = ({key(p): p for p in corners(board, centre_of(board, h))} for h in (one, two))
    shared = [here[k] for k in sorted(here) if k in there]
    return (shared[0], shared[1]) if len(shared) == 2 else None
