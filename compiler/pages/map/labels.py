"""Labels: the names of places and rivers, off rails, signs, counters and one another.

In:  a `Sheet`, its signs, the room that counters take.
Out: pieces of SVG. Each name tries eight places round its hex and takes the one that covers least.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from . import beyond, ground
from .paper import INK, LONGEST, SERIF, WIDTH, Point, num, on_paper, said, spelt, wide
from .sheet import Sheet
from .signs import Placed, reach
from .style import darker, first
from .waters import shared_side, wet_cells

Box = tuple[float, float, float, float]
Label = tuple[str, str, str]
"""Where a name stands and how large, its color if it has one, the escaped text."""
Found = tuple[float, float, float, Box]

SIZES = {1: 13.5, 2: 11.0, 3: 9.5, 4: 8.5}
GROWN = {1: 1.0, 2: 0.95, 3: 0.75, 4: 0.5}
RIVERS_GROW = 1.0
"""How much of the growth of a large map the names of each rank take part in."""
SMALLER = (1.0, 0.86, 0.74, 0.62, 0.52)
"""The sizes that a name tries on a large map until one covers nothing."""
CROSSED = {1: 1.2, 2: 0.9}
"""How much of lines a name may cross, for each unit of its length, before it tries a smaller size."""
LEAST_GROWN = {1: 0.75, 2: 0.6, 3: 0.35}
SECOND = re.compile(r"(.+)[ _]\d")
CELL = 24.0
BESIDE = 3.0
"""How bad it is for a name to lie on paper beside the sheets."""
RIVER_INK = "#2f5d8c"
STEP = 5.0
WEIGHTS = {"river": 0.7, "dotted": 0.5, "solid": 1.0}


class Room:
    """What is taken already: boxes, and points along lines with their weight."""

    def __init__(self) -> None:
        self.boxes: dict[tuple[int, int], list[tuple[Box, float]]] = {}
        self.points: dict[tuple[int, int], list[tuple[float, float, float]]] = {}
        self.rest: list[tuple[Box, float]] = []
        """Large boxes, few of them."""

    def take(self, box: Box, weight: float) -> None:
        for cell in cells(box):
            self.boxes.setdefault(cell, []).append((box, weight))

    def line(self, a: Point, b: Point, weight: float) -> None:
        many = max(1, int((abs(a[0] - b[0]) + abs(a[1] - b[1])) / STEP))
        for k in range(many + 1):
            x, y = a[0] + (b[0] - a[0]) * k / many, a[1] + (b[1] - a[1]) * k / many
            self.points.setdefault((int(x // CELL), int(y // CELL)), []).append((x, y, weight))

    def cost(self, box: Box) -> tuple[float, float]:
        """How much of what is taken a box would cover: of boxes, and of lines."""
        covered = crossed = 0.0
        seen: set[Box] = set()
        for other, weight in self.rest:
            across = min(box[2], other[2]) - max(box[0], other[0])
            down = min(box[3], other[3]) - max(box[1], other[1])
            if across > 0 and down > 0:
                covered += weight * (20 + across * down)
        for cell in cells(box):
            for other, weight in self.boxes.get(cell, ()):
                if other in seen:
                    continue
                seen.add(other)
                across = min(box[2], other[2]) - max(box[0], other[0])
                down = min(box[3], other[3]) - max(box[1], other[1])
                if across > 0 and down > 0:
                    covered += weight * (20 + across * down)
            for x, y, weight in self.points.get(cell, ()):
                if box[0] <= x <= box[2] and box[1] <= y <= box[3]:
                    crossed += weight
        return covered, crossed


def cells(box: Box) -> Iterator[tuple[int, int]]:
    for i in range(int(box[0] // CELL), int(box[2] // CELL) + 1):
        for j in range(int(box[1] // CELL), int(box[3] // CELL) + 1):
            yield i, j


def labels(sheet: Sheet, signs: Sequence[Placed], counters: Mapping[str, float]) -> list[Label]:
    """The names of a sheet, each at its place."""
    sizes = {p.place: p.size for p in signs if p.middle}
    return list(written(sheet, taken(sheet, signs, counters), counters, sizes))


HALO = "#fbf7ea"


def halos(sheet: Sheet, found: Sequence[Label]) -> Iterator[str]:
    """A pale ground for names, under rivers and lines: it parts them from patterns and covers nothing else."""
    if found:
        width = num(3 * sheet.part_grown(0.6))
        pen = f'fill="none" stroke="{HALO}" stroke-width="{width}" stroke-linejoin="round" stroke-opacity=".85"'
        yield f'<g font-family="{SERIF}" text-anchor="middle" {pen}>'
        yield from (f"<text {where}>{text}</text>" for where, _, text in found)
        yield "</g>"


def names(sheet: Sheet, found: Sequence[Label]) -> Iterator[str]:
    """The names, over a thin haze through which a river or a line can still be followed."""
    if found:
        width = num(2.2 * sheet.part_grown(0.5))
        yield f'<g fill="none" stroke="{HALO}" stroke-width="{width}" stroke-linejoin="round" stroke-opacity=".5">'
        yield from (f"<text {where}>{text}</text>" for where, _, text in found)
        yield f'</g><g fill="{INK}">'
        yield from (f"<text {where}{color}>{text}</text>" for where, color, text in found)
        yield "</g>"


def written(sheet: Sheet, room: Room, counters: Mapping[str, float], sizes: Mapping[str, float]) -> Iterator[Label]:
    """Every name at its place, the largest first; counters and signs of some size stand in their hexes."""
    by_place: dict[str, int] = {}
    for place, rank in ranks(sheet):
        by_place[place] = min(by_place.get(place, 9), rank)
    known_names = sheet.board.names
    named = [(name, where) for name, where in known_names.items() if first_of(name) not in known_names]
    if not sheet.hexed:
        known = {where for _, where in named}
        named += [(place, place) for place in sheet.shown if place not in known]
    order = sorted(named, key=lambda x: (by_place.get(x[1], 3), x[0]))
    boxed = {name for name, _ in ground.boxes(sheet)} if sheet.hexed else set()
    for name, where in order:
        if name in boxed:
            continue
        spot = spot_of(sheet, where)
        if spot is not None and sheet.inside(spot):
            gap = max(counters.get(where, 0.0), sizes.get(where, 1.0) * 5.5) + 2.5
            yield from put(sheet, room, name, [spot], by_place.get(where, 3), gap=gap)
    yield from river_names(sheet, room)


def first_of(name: str) -> str:
    """The name that another hex of one city has in print: that of Rostov_2 is Rostov; nothing else has one."""
    found = SECOND.fullmatch(name)
    return found[1] if found else ""


def spot_of(sheet: Sheet, where: str) -> Point | None:
    """The place of a name: a hex of the sheet, or the middle of a hexside."""
    if where in sheet.shown_set:
        return sheet.spots.get(where)
    one, slash, two = where.rpartition("/")
    if slash and one in sheet.shown_set and two in sheet.shown_set:
        side = shared_side(sheet.board, one, two)
        return ((side[0][0] + side[1][0]) / 2, (side[0][1] + side[1][1]) / 2) if side else None
    return None


def ranks(sheet: Sheet) -> Iterator[tuple[str, int]]:
    """The rank that each sign gives to the name of its hex."""
    for sign in sheet.style.signs(sheet.board):
        if sign.rank:
            held = sheet.held(sign.field)
            yield from (
                (place, sign.rank)
                for place, value in held.items()
                if (value is True if not sign.value else str(value) == sign.value)
            )


def taken(sheet: Sheet, signs: Sequence[Placed], counters: Mapping[str, float]) -> Room:
    """Everything that names should not cover."""
    room = Room()
    for p in signs:
        room.take(reach(p), 0.4 if p.sign.sign == "knot" else 1.5)
    for name, (x, y), size in beyond.names(sheet, wet_cells(sheet)) if sheet.hexed else ():
        half = beyond.spread(name, size) / 2
        room.take((x - half, y - size / 2, x + half, y + size / 2), 3.0)
    for _, _, size, (x, y), reach_ in ground.named_areas(sheet) if sheet.hexed else ():
        room.take((x - reach_, y + 6 - size, x + reach_, y + 8), 1.0)
    for block in ground.blank_blocks(sheet) if sheet.hexed else ():
        (x0, y0), _, (x1, y1), _ = block
        room.rest.append(((x0, y0, x1, y1), BESIDE))
    for place, r in counters.items():
        x, y = sheet.spots[place]
        room.take((x - r, y - r, x + r, y + r), 6.0)
    for stroke in sheet.style.ways(sheet.board):
        for _, chain in sheet.board.lines.get(stroke.name, ()):
            for a, b in pairwise(chain):
                if a in sheet.spots and b in sheet.spots:
                    room.line(sheet.spots[a], sheet.spots[b], WEIGHTS.get(stroke.stroke, 3.0))
    for stroke in sheet.style.sides(sheet.board):
        for one, two in sheet.board.sides.get(stroke.name, ()):
            if one in sheet.shown_set or two in sheet.shown_set:
                side = shared_side(sheet.board, one, two)
                if side is not None:
                    room.line(*side, 2.0)
    return room


def put(
    sheet: Sheet,
    room: Room,
    name: str,
    spots: Sequence[Point],
    rank: int,
    ink: str = "",
    gap: float = 6.0,
    size: float = 0.0,
) -> Iterator[Label]:
    """One name at the best of the places round its spots."""
    text = spelt(name.replace("_", " "))[:LONGEST]
    full = size or SIZES.get(rank, 9.0) * sheet.part_grown(GROWN.get(rank, 0.0))
    least = (
        full * max(SMALLER[-1], 1 / sheet.grown)
        if size
        else SIZES.get(rank, 9.0) * sheet.part_grown(LEAST_GROWN.get(rank, 0.2))
    )
    best: Found | None = None
    for size in dict.fromkeys(max(least, full * share) for share in SMALLER):
        best = best_of(sheet, room, places_round(text, size, rank, spots, gap))
        if best is None or (best[1] < 1 and best[2] <= CROSSED.get(rank, 0.2) * (best[3][2] - best[3][0])):
            break
    if best is None:
        return
    box = best[3]
    room.take(box, 4.0)
    x, y = (box[0] + box[2]) / 2, box[3] - size * 0.06
    weight = ' font-weight="bold"' if rank < 3 else ' font-style="italic"'
    where = f'x="{num(x)}" y="{num(y)}" font-size="{num(size)}"{weight}'
    color = f' fill="{ink}"' if ink else ""
    yield where, color, said(name)


def places_round(text: str, size: float, rank: int, spots: Sequence[Point], gap: float) -> Iterator[tuple[float, Box]]:
    """The boxes in which a name of a size may stand, eight round each spot, the best first, with what each is worse."""
    length, tall = wide(text, size) * (1.22 if rank < 3 else 1), size * 0.8
    for k, (x, y) in enumerate(spots):
        for i, (dx, dy) in enumerate(
            (
                (-length / 2, gap + 0.5),
                (gap, -tall / 2),
                (-length / 2, -gap - tall),
                (-gap - length, -tall / 2),
                (gap - 1, gap - 4),
                (gap - 1, -gap - tall + 4),
                (-gap - length + 1, gap - 4),
                (-gap - length + 1, -gap - tall + 4),
            )
        ):
            yield 0.35 * i + 0.1 * k, (x + dx, y + dy, x + dx + length, y + dy + tall)


def best_of(sheet: Sheet, room: Room, boxes: Iterable[tuple[float, Box]]) -> Found | None:
    """The box that covers least, and how much that is: in all, of boxes, of lines."""
    left, top, right, bottom = sheet.box
    best: Found | None = None
    for worse, box in boxes:
        outside = max(0, left + 3 - box[0], top + 3 - box[1], box[2] - right + 3, box[3] - bottom + 3)
        covered, crossed = room.cost(box)
        cost = covered + crossed + worse + 40 * outside
        if best is None or cost < best[0] - 1e-9:
            best = (cost, covered + outside, crossed, box)
    return best


def river_names(sheet: Sheet, room: Room) -> Iterator[Label]:
    """Each named line once, beside the middle of its longest chain."""
    for stroke in sheet.style.ways(sheet.board):
        longest: dict[str, tuple[str, ...]] = {}
        for name, chain in sheet.board.lines.get(stroke.name, ()):
            here = tuple(h for h in chain if h in sheet.shown_set)
            if name and len(here) > len(longest.get(name, ())):
                longest[name] = here
        for name, chain in longest.items():
            if len(chain) < 3:
                continue
            third = len(chain) // 4
            spots = [sheet.spots[h] for h in chain[third : len(chain) - third]]
            yield from put(sheet, room, name, spots, 4, darker(stroke.color, 0.72))
    for name, look in sheet.style.shapes().items():
        if sheet.hexed and look.points and "river" in look.words and not look.rank:
            continue  # a stretch of a river that has its name elsewhere
        if sheet.hexed and ("river" in look.words or look.rank > 3):
            there = [on_paper(sheet.board, at) for at in beyond.cells(sheet, look.hexes)]
            there += [(x * WIDTH, y * WIDTH) for x, y in look.points]
            ink = first(look.colors, RIVER_INK)
            size = SIZES[look.rank or 4] * (1 + (sheet.grown - 1) * RIVERS_GROW)
            spots = [p for p in there if sheet.inside(p)]
            yield from put(sheet, room, name, spots, 4, ink, size=size)
        elif "river" in look.words:
            spots = [sheet.project(p) if look.globe else p for p in look.points]
            inside = [p for p in spots if sheet.inside(p)]
            ink = first(look.colors, RIVER_INK)
            yield from put(sheet, room, name, inside[1:-1], 3, ink)
