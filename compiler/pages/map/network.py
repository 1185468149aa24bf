"""The network of rivers: where each runs, from where it rises to the water that it runs into.

In:  a `Sheet`: rivers along hexsides, through hexes, and courses that only the picture has.
Out: `courses`: the points at which each bends. A tributary ends on the line of the river that it joins; a mouth reaches
     into the sea or lake, or over the edge of the map; a river that the hexes leave short of all waters is carried on
     along hexsides to the nearest. Nothing in play rests on any of this.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from heapq import heappop, heappush
from itertools import pairwise
from math import cos, hypot, pi, sin

from ...core.looks import COMPASS
from .outline import chains, joined
from .paper import WIDTH, Cell, Point, between, corners, key, on_paper, steps, turned
from .sheet import LINES_GROW, Sheet
from .style import Stroke, number, stroke_of
from .waters import channel_corners, shared_side, wet_cells

INTO = 0.6
"""How far a mouth reaches from its corner towards the middle of the water."""
CARRIED = 4
"""How many hexsides a river is carried on at most."""
SNAP = 1.3
"""How near, in hexes, the end of a course of the picture must lie to a river's end to go on from there."""
JOIN = 0.9
"""How near to a river's line it must lie to join it."""
OUTLET = 4
"""How many corners from its end an arm may leave a river that flows out by it."""
ASIDE = 21.0
"""How far off the middle of its hex a river is drawn towards which its town looks: the curve runs at half of that."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Course:
    """A river as drawn: the points at which it bends, its look, and whether either end is one where it rises."""

    points: tuple[Point, ...]
    stroke: Stroke
    rises: tuple[bool, bool] = (True, True)


def courses(sheet: Sheet) -> list[Course]:
    """The rivers of a sheet, from the widest on, joined with one another and with the waters."""
    network = Network(sheet)
    by_width = sorted(sheet.sides(), key=lambda s: -s.width)
    for stroke in by_width:
        if stroke.stroke == "river":
            network.along_sides(stroke)
    for stroke in sorted(sheet.ways(), key=lambda s: -s.width):
        if stroke.stroke == "river":
            network.through_hexes(stroke)
    network.go_on()
    network.of_the_picture()
    network.carry_on()
    return network.found


class Network:
    """Rivers one after another, the widest first; each knows where the lines of those before it run."""

    def __init__(self, sheet: Sheet) -> None:
        self.sheet = sheet
        self.found: list[Course] = []
        self.lines: dict[Cell, Point] = {}
        """Where the line of a river runs by a corner, or by the middle of a hex."""
        self.groups: dict[Cell, Cell] = {}
        self.landed: set[Cell] = set()
        """The corners of one river system, and the systems that have reached a water."""
        self.wet = wet_cells(sheet)
        self.channels = channel_corners(sheet)
        self.keys: list[list[Cell]] = []
        """The corners or hexes of each course, as its data have them."""
        self.outlets: set[tuple[Cell, Stroke]] = set()
        """Where an arm leaves a river for the water."""
        self.ends: list[tuple[Cell, int, int]] = []
        self.passed: dict[Cell, int] = {}
        """The ends at which rivers rise, and how many rivers run by each corner or hex."""
        self.around: dict[Cell, list[Cell]] = {}
        for x, y in {*sheet.inner, *self.wet} if sheet.hexed else ():
            for corner in corners(sheet.board, on_paper(sheet.board, (x, y))):
                self.around.setdefault(key(corner), []).append((x, y))

    # ------------------------------------------------------------ along hexsides

    def along_sides(self, stroke: Stroke) -> None:
        sheet = self.sheet
        edges = []
        for one, two in sheet.board.sides.get(stroke.name, ()):
            if one in sheet.spots and sheet.near(one) and (one in sheet.shown_set or two in sheet.shown_set):
                side = shared_side(sheet.board, one, two)
                if side is not None:
                    edges.append(side)
        for chain in sorted(joined(chains(edges)), key=lambda c: (-len(c), key(c[0]))):
            self.add(chain, bent(chain), stroke)

    def add(self, corners_: Sequence[Point], points: Sequence[Point], stroke: Stroke) -> None:
        """One chain: its ends meet what is there already."""
        keys = [key(p) for p in corners_]
        for a, b in pairwise(keys):
            self.group(a, b)
        points = list(points)
        rises = [False, False]
        inner, outer = (keys[0], corners_[-1]) if keys[0] in self.lines else (keys[-1], corners_[0])
        if inner in self.lines and key(outer) not in self.lines and self.mouth(outer) is not None:
            self.outlets.add((inner, stroke))
        for k, end in ((0, keys[0]), (-1, keys[-1])):
            if end in self.lines:
                points[k] = self.lines[end]
                continue
            into = self.mouth(corners_[k])
            if into is not None:
                self.landed.add(self.root(end))
                points = [into, *points] if k == 0 else [*points, into]
            elif end in self.channels:
                self.landed.add(self.root(end))
            else:
                rises[k] = True
        self.keep(keys, points, Course(points=tuple(points), stroke=stroke, rises=(rises[0], rises[1])))

    def keep(self, keys: Sequence[Cell], points: Sequence[Point], course: Course) -> None:
        """Remember a course, and where it runs by each of its corners."""
        for k in (0, -1):
            if course.rises[k]:
                self.ends.append((keys[k], len(self.found), k))
        self.found.append(course)
        self.keys.append(list(keys))
        near = curve(points)
        for at in dict.fromkeys(keys):
            self.passed[at] = self.passed.get(at, 0) + 1
            x, y = at[0] / 8, at[1] / 8
            self.lines.setdefault(at, min(near, key=lambda p: (round(hypot(p[0] - x, p[1] - y), 6), p)))

    def mouth(self, corner: Point) -> Point | None:
        """A point in the water that touches a corner, or beyond the edge of the map; nothing in the midst of land."""
        touched = self.around.get(key(corner), [])
        wet = [on_paper(self.sheet.board, at) for at in touched if at in self.wet]
        if wet:
            middle = sum(x for x, _ in wet) / len(wet), sum(y for _, y in wet) / len(wet)
            return between(corner, middle, INTO)
        blank = [on_paper(self.sheet.board, at) for at in touched if at in self.sheet.off_sheet]
        if blank:
            return blank[0]
        if len(touched) < 3 and touched:
            inside = [on_paper(self.sheet.board, at) for at in touched]
            middle = sum(x for x, _ in inside) / len(inside), sum(y for _, y in inside) / len(inside)
            return between(corner, middle, -2.0)
        return None

    # ------------------------------------------------------------ systems

    def root(self, at: Cell) -> Cell:
        while at in self.groups:
            at = self.groups[at]
        return at

    def group(self, one: Cell, two: Cell) -> None:
        a, b = self.root(one), self.root(two)
        if a != b:
            self.groups[max(a, b)] = min(a, b)
            if max(a, b) in self.landed:
                self.landed.add(min(a, b))

    def carry_on(self) -> None:
        """River systems that reach no water are carried on along hexsides, from the end that lies nearest to one."""
        if not self.sheet.hexed:
            return
        best: dict[Cell, tuple[int, int, int, list[Point]]] = {}
        for nr, course in enumerate(self.found):
            for k in (0, -1):
                end = course.points[k]
                if not course.rises[k] or key(end) not in self.around:
                    continue
                root = self.root(key(end))
                if root in self.landed:
                    continue
                way = self.way(end, root)
                if way and (root not in best or len(way) < best[root][0]):
                    best[root] = (len(way), nr, k, way)
        for _, nr, k, way in best.values():
            course = self.found[nr]
            last = way[-1]
            into = self.lines.get(key(last)) or self.mouth(last)
            more = [*bent([course.points[k], *way])[1:-1], last]
            more = [*more[:-1], into] if key(last) in self.lines and into else [*more, *([into] if into else [])]
            points = (*reversed(more), *course.points) if k == 0 else (*course.points, *more)
            rises = (False, course.rises[1]) if k == 0 else (course.rises[0], False)
            self.found[nr] = replace(course, points=tuple(points), rises=rises)

    def way(self, start: Point, root: Cell) -> list[Point]:
        """The corners from one to the nearest that touches a water or another river; none where that is far."""
        queue: list[tuple[int, Cell, tuple[Point, ...]]] = [(0, key(start), ())]
        seen: set[Cell] = set()
        while queue:
            many, here, way = heappop(queue)
            if here in seen or many > CARRIED:
                continue
            seen.add(here)
            other = here in self.lines and self.root(here) != root
            touched = self.around.get(here, [])
            if many and (other or here in self.channels or any(at in self.wet for at in touched)):
                return list(way)
            if many and here in self.lines:
                continue
            for at in touched:
                ring = corners(self.sheet.board, on_paper(self.sheet.board, at))
                for k, corner in enumerate(ring):
                    if key(corner) == here:
                        for near in (ring[k - 1], ring[(k + 1) % 6]):
                            heappush(queue, (many + 1, key(near), (*way, near)))
        return []

    # ------------------------------------------------------------ through hexes

    def through_hexes(self, stroke: Stroke) -> None:
        sheet = self.sheet
        lines = [
            [sheet.spots[h] for h in run]
            for _, chain in sheet.board.lines.get(stroke.name, ())
            for run in runs(chain, sheet)
        ]
        places = {key(spot): place for place, spot in sheet.spots.items()}
        for chain in sorted(joined(lines), key=lambda c: (-len(c), key(c[0]))):
            keys = [key(p) for p in chain]
            run = [places[k] for k in keys]
            points = [aside(sheet, h) for h in run] if sheet.hexed else list(chain)
            rises = [False, False]
            for k, end in ((0, keys[0]), (-1, keys[-1])):
                into = self.shore(run[k])
                if end in self.lines:
                    points[k] = self.lines[end]
                elif into is not None:
                    points = [into, *points] if k == 0 else [*points, into]
                else:
                    rises[k] = True
            self.keep(keys, points, Course(points=tuple(points), stroke=stroke, rises=(rises[0], rises[1])))

    def shore(self, place: str) -> Point | None:
        """A point in the water beside a river's last hex, or off the map beside it, if there is one."""
        at = self.sheet.at.get(place)
        for dx, dy in steps(self.sheet.board) if at else ():
            near: Cell = (at[0] + dx, at[1] + dy) if at else (0, 0)
            if near in self.wet:
                return between(self.sheet.spots[place], on_paper(self.sheet.board, near), 0.6)
        for dx, dy in steps(self.sheet.board) if at and self.sheet.hexed else ():
            near = (at[0] + dx, at[1] + dy) if at else (0, 0)
            if near not in self.sheet.inner:
                return on_paper(self.sheet.board, near)
        return None

    def go_on(self) -> None:
        """A river does not rise where another river that is drawn thinner runs on from it."""
        for end, nr, k in self.ends:
            if self.passed[end] > 1:
                one, two = self.found[nr].rises
                self.found[nr] = replace(self.found[nr], rises=(False, two) if k == 0 else (one, False))
        for nr, course in enumerate(self.found):
            if all(course.rises):  # it flows out by an arm that leaves it near one of its ends
                first, last = self.keys[nr][:OUTLET], self.keys[nr][-OUTLET:]
                rises = tuple(not any((at, course.stroke) in self.outlets for at in part) for part in (first, last))
                self.found[nr] = replace(course, rises=(rises[0], rises[1]))

    # ------------------------------------------------------------ of the picture

    def of_the_picture(self) -> None:
        """Courses that stand in the style as places in hexes: on from the ends of rivers, or up to their lines."""
        for name, look in self.sheet.style.shapes().items():
            if "river" not in look.words or not look.points or not self.sheet.hexed:
                continue
            points = [(x * WIDTH, y * WIDTH) for x, y in look.points]
            stroke = stroke_of(name, look, self.usual_color(), "river", 3.0)
            stroke = replace(stroke, name="", width=stroke.width * self.sheet.part_grown(LINES_GROW))
            rises = [True, True]
            for k in (0, -1):
                held = self.end_near(points[k])
                if held is not None:
                    nr, end = held
                    other = self.found[nr]
                    points[k] = other.points[end]
                    rest = (False, other.rises[1]) if end == 0 else (other.rises[0], False)
                    self.found[nr] = replace(other, rises=rest)
                    self.landed.add(self.root(key(other.points[end])))
                    rises[k] = False
                elif (line := self.line_near(points[k])) is not None:
                    points[k] = line
                    rises[k] = False
                else:
                    rises[k] = k == 0
            self.found.append(Course(points=tuple(points), stroke=stroke, rises=(rises[0], rises[1])))

    def usual_color(self) -> str:
        found = [c.stroke for c in self.found]
        return found[-1].color if found else "#5b93bf"

    def end_near(self, spot: Point) -> tuple[int, int] | None:
        """The nearest end at which a river rises, as the number of its course and the end."""
        ends = [
            (hypot(c.points[k][0] - spot[0], c.points[k][1] - spot[1]), nr, k)
            for nr, c in enumerate(self.found)
            for k in (0, -1)
            if c.rises[k]
        ]
        near = min(ends, default=(9e9, 0, 0))
        return (near[1], near[2]) if near[0] < SNAP * WIDTH else None

    def line_near(self, spot: Point) -> Point | None:
        near = min(((hypot(p[0] - spot[0], p[1] - spot[1]), p) for p in self.lines.values()), default=(9e9, (0.0, 0.0)))
        return near[1] if near[0] < JOIN * WIDTH else None


# ---------------------------------------------------------------- lines


def bent(chain: Sequence[Point]) -> list[Point]:
    """A chain of corners, each a little off its place: a river is no fence."""
    if len(chain) < 3:
        return list(chain)
    moved = [turned(p, 3.2, 2 * pi * ((key(p)[0] * 31 + key(p)[1] * 17) % 24) / 24) for p in chain[1:-1]]
    return [chain[0], *moved, chain[-1]]


def curve(points: Sequence[Point]) -> list[Point]:
    """Points on the line that bends at these."""
    if len(points) < 3:
        return list(points)
    found = [points[0]]
    for a, b, c in zip(points, points[1:], points[2:], strict=False):
        one, two = between(a, b), between(b, c)
        found += [one, between(between(one, b), between(b, two)), two]
    return [*found, points[-1]]


def runs(chain: Sequence[str], sheet: Sheet) -> Iterator[list[str]]:
    """The parts of a chain that lie on this sheet or just beyond it."""
    run: list[str] = []
    for place in chain:
        if place in sheet.spots and sheet.near(place):
            run.append(place)
        elif run:
            if len(run) > 1:
                yield run
            run = []
    if len(run) > 1:
        yield run


def sway(place: str, spot: Point) -> Point:
    """A small fixed shift by id, so that long straight rivers wander a little."""
    return turned(spot, 7, 2 * pi * (number(place) * 7 % 24) / 24)


def aside(sheet: Sheet, place: str) -> Point:
    """Where a river bends in a hex: off the town, if one stands on a bank there; else near the middle."""
    bank = sheet.banks.get(place)
    x, y = sheet.spots[place]
    if not bank:
        return sway(place, (x, y))
    turn = 2 * pi * COMPASS.index(bank) / len(COMPASS)
    return x - ASIDE * sin(turn), y + ASIDE * cos(turn)
