"""Draw maps.

In:  a `Map`, optionally the units on it (hex -> short names) and a hex to look around.
Out: one self-contained SVG, the same bytes for the same map.

The picture is built in layers from the sea upward: land with a smoothed shore, terrain, hex
grid, borders, rivers, rails, sides, places, units. Field names are looked up if the map has
them (terrain, country, district, city, major_city, port, oil_well, junction); a map without
them is drawn as a plain grid. A map of points stands on a circle.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from math import cos, pi, sin, sqrt
from xml.sax.saxutils import escape

from ..core.maps import Map, Side, distance, hex_at, locate

Point = tuple[float, float]

WIDTH = 46.0
REACH = 4
_NONE: Mapping[str, Sequence[str]] = {}

_STYLE = """
.sea{fill:#bcd6e6}.dot{fill:#8fb3cb}.land{fill:#f3ecd6}.shore{fill:none;stroke:#22303a;stroke-width:2.2;stroke-linejoin:round}
.shoal{fill:none;stroke:#a3c6db;stroke-width:9;stroke-linejoin:round}
.woods{fill:#c3d6a0}.mountain{fill:#d8bd94}.swamp{fill:#bfd8c8}.hills{fill:#e6d3ae}.rough{fill:#e2d2b4}.desert{fill:#f2e2b0}
.tree{fill:#6f9154}.peak{fill:#8d6f4a;stroke:#6b5233;stroke-width:.6}.tuft{stroke:#4f8a80;stroke-width:1.3;fill:none}
.grid{fill:none;stroke:#b9ae92;stroke-width:.6}
.id{font:6.4px sans-serif;fill:#8d8468;text-anchor:middle}
.border{fill:none;stroke:#a33a2c;stroke-width:2.6;stroke-dasharray:7 3 1.5 3;stroke-linecap:round;opacity:.85}
.district{fill:none;stroke:#a0762a;stroke-width:2;stroke-dasharray:1 4;stroke-linecap:round}
.river{fill:none;stroke:#3f7fb5;stroke-width:4.2;stroke-linejoin:round;stroke-linecap:round}
.bed{fill:none;stroke:#dfeef6;stroke-width:6.4;stroke-linejoin:round;stroke-linecap:round;opacity:.8}
.rail{fill:none;stroke:#3a3632;stroke-width:1.3;stroke-linejoin:round}
.tie{fill:none;stroke:#3a3632;stroke-width:4.2;stroke-dasharray:1 5;stroke-linejoin:round}
.road{fill:none;stroke:#a5673f;stroke-width:1.8}
.wet{stroke:#22303a;stroke-width:4.6;stroke-linecap:round}.wash{stroke:#9cc4dc;stroke-width:2.6;stroke-linecap:round}
.dashed{stroke:#fff;stroke-width:2.6;stroke-dasharray:4 3}.strait{stroke:#c8452f;stroke-width:2.2;fill:none}
.town{fill:#fff;stroke:#22303a;stroke-width:1.6}.core{fill:#c8452f;stroke:#22303a;stroke-width:1.6}.ring{fill:#fff;stroke:#22303a;stroke-width:1.6}
.knot{fill:#3a3632}.oil{fill:#22303a;stroke:#22303a}.port{fill:none;stroke:#1d4f7c;stroke-width:1.5;stroke-linecap:round}
.name{font:italic 9px Georgia,serif;fill:#22303a;text-anchor:middle}
.halo{stroke:#fbf7ea;stroke-width:3;stroke-linejoin:round;opacity:.85}
.big{font:bold 11.5px Georgia,serif}.waters{font:italic 8px Georgia,serif;fill:#245a86}
.realm{font:16px Georgia,serif;letter-spacing:5px;fill:#7d5a46;opacity:.6;text-anchor:middle}
.unit{fill:#fffdf5;stroke:#22303a;stroke-width:1}.tag{font:7px sans-serif;text-anchor:middle;fill:#22303a}
.frame{fill:none;stroke:#22303a;stroke-width:3}.legend{font:10px Georgia,serif;fill:#22303a}
"""


def draw_map(board: Map, units: Mapping[str, Sequence[str]] = _NONE, around: str | None = None) -> str:
    """The board as SVG; with `around`, only the part within four hexes of that hex."""
    return _Drawing(board, units, around).svg()


class _Drawing:
    """One picture: where the hexes lie on paper, and the layers in order."""

    def __init__(self, board: Map, units: Mapping[str, Sequence[str]], around: str | None) -> None:
        self.board, self.units = board, units
        near = around if around is not None and locate(board.grid, around) else None
        self.whole = near is None
        shown = [h for h in board.hexes if near is None or distance(board, near, h) <= REACH + 1]
        self.shown = tuple(shown)
        self.shown_set = frozenset(shown)
        self.spots = spots(board, [*board.hexes, *board.water])
        self.wet = {*board.water}
        focus = [h for h in shown if near is None or distance(board, near, h) <= REACH]
        xs, ys = zip(*(self.spots[h] for h in focus), strict=True) if focus else ((0.0,), (0.0,))
        rows = board.grid.staggered == "rows"
        pad_x, pad_y = (WIDTH / 2, WIDTH * 0.45) if rows else (WIDTH * 0.45, WIDTH / 2)
        self.box = (min(xs) - pad_x, min(ys) - pad_y, max(xs) + pad_x, max(ys) + pad_y)

    def svg(self) -> str:
        left, top, right, bottom = self.box
        legend = 30.0
        view = f"{_n(left - 6)} {_n(top - 6)} {_n(right - left + 12)} {_n(bottom - top + 12 + legend)}"
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{view}" width="{_n(right - left + 12)}"'
            f' height="{_n(bottom - top + 12 + legend)}" role="img">',
            f"<title>{escape(self.board.name.replace('_', ' '))}</title>",
            f"<style>{_STYLE}</style>",
            f'<clipPath id="page"><rect {self._rect()}/></clipPath>',
            *self._definitions(),
            '<g clip-path="url(#page)">',
            f'<rect class="sea" {self._rect()}/>',
            *self._layers(),
            "</g>",
            f'<rect class="frame" {self._rect()}/>',
            *self._legend(bottom + legend - 4),
            "</svg>",
        ]
        return "\n".join(parts) + "\n"

    def _rect(self) -> str:
        left, top, right, bottom = self.box
        return f'x="{_n(left)}" y="{_n(top)}" width="{_n(right - left)}" height="{_n(bottom - top)}"'

    def _layers(self) -> Iterator[str]:
        if not self.board.grid.sheets:
            yield from self._lines()
            yield from self._places()
            yield from self._counters()
            return
        yield from self._sea_dots()
        yield from self._land()
        yield from self._realms()
        yield from self._borders("district")
        yield from self._borders("country", "border")
        yield from self._lines()
        yield from self._sides()
        yield from self._ids()
        yield from self._places()
        yield from self._counters()

    # -------------------------------------------------------------- land and sea
    def _definitions(self) -> Iterator[str]:
        if self.board.grid.sheets:
            self.coast = " ".join(_smooth(loop) for loop in self._shores())
            yield f'<clipPath id="land"><path d="{self.coast}" clip-rule="evenodd"/></clipPath>'

    def _sea_dots(self) -> Iterator[str]:
        centres = (self._paper(at) for at in self._lattice() if hex_at(self.board.grid, at) not in self.spots)
        dots = "".join(f"M{_n(x - 1.2)} {_n(y)}h2.4" for x, y in centres)
        yield f'<path d="{dots}" stroke="#8fb3cb" stroke-width="2.4"/>'

    def _land(self) -> Iterator[str]:
        yield f'<path class="shoal" d="{self.coast}"/>'
        yield f'<path class="land" d="{self.coast}" fill-rule="evenodd"/>'
        kinds = self.board.fields.get("terrain", {})
        yield '<g clip-path="url(#land)">'
        for kind in sorted({str(value) for value in kinds.values()} - {"clear"}):
            places = [h for h in self.shown if kinds.get(h) == kind]
            outline = "".join(_path(self._corners(h), closed=True) for h in places)
            yield f'<path class="{escape(kind)}" d="{outline}"/>'
            yield from (mark for h in places for mark in _marks(kind, self.spots[h]))
        grid = "".join(_path(self._corners(h), closed=True) for h in self.shown)
        yield f'<path class="grid" d="{grid}"/>'
        yield "</g>"
        yield f'<path class="shore" d="{self.coast}"/>'

    def _shores(self) -> list[list[Point]]:
        """Loops around the land; beyond the edge of the board land goes on, so the frame cuts it."""
        dry = (h for h in self.board.hexes if h not in self.wet)
        land = {at for h in dry if (at := locate(self.board.grid, h)) is not None}
        inner = set(self._lattice())
        steps = _steps(self.board)
        beyond = {(x + dx, y + dy) for x, y in land for dx, dy in steps} - inner
        land |= beyond
        nexts: dict[tuple[int, int], list[Point]] = {}
        starts: dict[tuple[int, int], Point] = {}
        for x, y in sorted(land):
            corners = self._around(self._paper((x, y)))
            for k, (dx, dy) in enumerate(steps):
                if (x + dx, y + dy) not in land:
                    a, b = corners[k], corners[(k + 1) % 6]
                    nexts.setdefault(_key(a), []).append(b)
                    starts[_key(a)] = a
        loops = []
        while nexts:
            first = min(nexts)
            loop, here = [starts[first]], first
            while nexts.get(here):
                there = nexts[here].pop()
                if not nexts[here]:
                    del nexts[here]
                loop.append(there)
                here = _key(there)
            loops.append(loop[:-1])
        return loops

    def _lattice(self) -> list[tuple[int, int]]:
        """Every grid position within the bounds of the playable hexes, sea included."""
        if not hasattr(self, "_cells"):
            found = [at for h in self.board.hexes if (at := locate(self.board.grid, h)) is not None]
            xs, ys = [x for x, _ in found], [y for _, y in found]
            odd = (found[0][0] + found[0][1]) % 2 if found else 0
            spans = range(min(xs), max(xs) + 1), range(min(ys), max(ys) + 1)
            self._cells = [(x, y) for y in spans[1] for x in spans[0] if (x + y) % 2 == odd]
        return self._cells

    # -------------------------------------------------------------- borders, lines, sides
    def _borders(self, name: str, style: str = "") -> Iterator[str]:
        held = self.board.fields.get(name, {})
        path = ""
        for place in self.shown if held else ():
            at = locate(self.board.grid, place)
            corners = self._corners(place)
            for k, (dx, dy) in enumerate(_steps(self.board)[:3]):
                near = hex_at(self.board.grid, (at[0] + dx, at[1] + dy)) if at else None
                if near in self.spots and near not in self.wet and held.get(place) != held.get(near):
                    path += _path([corners[k], corners[(k + 1) % 6]])
        if path:
            yield f'<path class="{style or name}" d="{path}"/>'

    def _lines(self) -> Iterator[str]:
        rivers = [chain for layer in ("river",) for _, chain in self.board.lines.get(layer, ())]
        yield from (f'<path class="bed" d="{self._curve(chain)}"/>' for chain in rivers)
        yield from (f'<path class="river" d="{self._curve(chain)}"/>' for chain in rivers)
        for layer, chains in self.board.lines.items():
            if layer != "river":
                path = "".join(_path([self.spots[h] for h in chain]) for _, chain in chains)
                if layer == "rail":
                    yield f'<path class="tie" d="{path}"/>'
                yield f'<path class="{"rail" if layer == "rail" else "road"}" d="{path}"/>'

    def _curve(self, chain: Sequence[str]) -> str:
        """A smooth way through the middles of the sides, bending at the centres."""
        spots = [_sway(h, self.spots[h]) for h in chain]
        spring = self._mouth(chain[0])
        path = f"M{_p(spring or spots[0])}"
        for one, two in pairwise(spots):
            middle = ((one[0] + two[0]) / 2, (one[1] + two[1]) / 2)
            path += f"Q{_p(one)} {_p(middle)}"
        mouth = self._mouth(chain[-1])
        return path + (f"Q{_p(spots[-1])} {_p(mouth)}" if mouth else f"L{_p(spots[-1])}")

    def _mouth(self, place: str) -> Point | None:
        """The middle of the side by which a river's last hex meets the sea, if it does."""
        at, inner = locate(self.board.grid, place), set(self._lattice())
        for dx, dy in _steps(self.board) if at else ():
            near = (at[0] + dx, at[1] + dy) if at else (0, 0)
            there = hex_at(self.board.grid, near)
            if near in inner and (there not in self.spots or there in self.wet):
                (ax, ay), (bx, by) = self.spots[place], self._paper(near)
                return (ax + bx) / 2, (ay + by) / 2
        return None

    def _sides(self) -> Iterator[str]:
        for name, style in (("coast", "wash"), ("dashed", "dashed")):
            for side in self.board.sides.get(name, ()):
                if set(side) <= self.shown_set - self.wet:
                    path = _path(self._side(side))
                    yield f'<path class="wet" d="{path}"/><path class="{style}" d="{path}"/>'
        for side in self.board.sides.get("strait", ()):
            if set(side) <= self.shown_set:
                (ax, ay), (bx, by) = self.spots[side[0]], self.spots[side[1]]
                near = [(ax + (bx - ax) * k, ay + (by - ay) * k) for k in (0.32, 0.68)]
                yield f'<path class="strait" d="{_path(near)}"/>'

    def _side(self, side: Side) -> tuple[Point, Point]:
        one, two = ({_key(c): c for c in self._corners(h)} for h in side)
        shared = [one[key] for key in sorted(one) if key in two]
        return shared[0], shared[1]

    # -------------------------------------------------------------- words and signs
    def _ids(self) -> Iterator[str]:
        for place in self.shown:
            x, y = self.spots[place]
            yield f'<text class="id" x="{_n(x)}" y="{_n(y - WIDTH * 0.36)}">{escape(place)}</text>'

    def _realms(self) -> Iterator[str]:
        """The name of each country at the middle of its hexes."""
        held = self.board.fields.get("country", {}) if self.whole else {}
        chains = [chain for layer in self.board.lines.values() for _, chain in layer]
        busy = {*self.board.names.values(), *(h for chain in chains for h in chain)}
        rough = {h for h, kind in self.board.fields.get("terrain", {}).items() if kind != "clear"}
        for value in sorted({str(v) for v in held.values()}):
            spots = {h: self.spots[h] for h in self.shown if held.get(h) == value}
            if len(spots) > 5:
                mx, my = (sum(spot[k] for spot in spots.values()) / len(spots) for k in (0, 1))
                cost = {h: 60 * (h in busy) + 150 * (h in rough) for h in spots}
                off = {h: abs(x - mx) + abs(y - my) + cost[h] for h, (x, y) in spots.items()}
                x, y = spots[min(off, key=lambda h: (off[h], h))]
                x = min(max(x, self.box[0] + 9 * len(value)), self.box[2] - 9 * len(value))
                yield f'<text class="realm" x="{_n(x)}" y="{_n(y + 8)}">{escape(value.upper())}</text>'

    def _places(self) -> Iterator[str]:
        flags = {name: self.board.fields.get(name, {}) for name in ("city", "major_city", "port", "oil_well")}
        for place in self.shown:
            x, y = self.spots[place]
            if place in self.board.fields.get("junction", {}):
                yield f'<circle class="knot" cx="{_n(x)}" cy="{_n(y)}" r="2.6"/>'
            if place in flags["major_city"]:
                yield f'<rect class="ring" x="{_n(x - 7)}" y="{_n(y - 7)}" width="14" height="14"/>'
                yield f'<rect class="core" x="{_n(x - 4)}" y="{_n(y - 4)}" width="8" height="8"/>'
            elif place in flags["city"] or not self.board.grid.sheets:
                yield f'<circle class="town" cx="{_n(x)}" cy="{_n(y)}" r="5"/>'
            if place in flags["oil_well"]:
                yield f'<path class="oil" d="{_triangle(x, y + 6, 5, 14)}"/>'
            if place in flags["port"]:
                sign = f"M{_n(x + 13)} {_n(y - 7)}v11m-4 -4q0 5 4 5q4 0 4 -5m-7 -5h6"
                yield f'<path class="port" d="{sign}"/>'
        labels = dict(self.board.names) or {h: h for h in self.shown if not self.board.grid.sheets}
        for name, place in labels.items():
            if place in self.shown_set:
                x, y = self.spots[place]
                x = min(max(x, self.box[0] + 3 * len(name)), self.box[2] - 3 * len(name))
                style = "name big" if place in flags["major_city"] else "name"
                text = escape(name.replace("_", " "))
                yield from _label(style, (x, y - 10 if place in flags["oil_well"] else y + 16.5), text)
        yield from self._river_names()

    def _river_names(self) -> Iterator[str]:
        """Each river named once, at the middle hex of its longest chain."""
        longest: dict[str, tuple[str, ...]] = {}
        for name, chain in self.board.lines.get("river", ()):
            if name and len(chain) > len(longest.get(name, ())):
                longest[name] = chain
        busy = set(self.board.names.values())
        for name, chain in longest.items():
            free = [h for h in chain if h not in busy and h in self.shown_set]
            if free:
                x, y = self.spots[free[len(free) // 2]]
                yield from _label("name waters", (x, y + 14), escape(name.replace("_", " ")))

    def _counters(self) -> Iterator[str]:
        for place in self.shown:
            for k, unit in enumerate(self.units.get(place, ())):
                x, y = self.spots[place][0] - 12 + 2.5 * k, self.spots[place][1] - 9 - 2.5 * k
                yield f'<rect class="unit" x="{_n(x)}" y="{_n(y)}" width="24" height="18" rx="2"/>'
                yield f'<text class="tag" x="{_n(x + 12)}" y="{_n(y + 12)}">{escape(unit)}</text>'

    def _legend(self, y: float) -> Iterator[str]:
        """A line of signs below the frame: those that this map uses."""
        x, fields = self.box[0] + 4, self.board.fields
        for kind in sorted({str(value) for value in fields.get("terrain", {}).values()} - {"clear"}):
            yield f'<rect class="{escape(kind)}" x="{_n(x)}" y="{_n(y - 12)}" width="20" height="15"/>'
            yield f'<g transform="translate({_n(x + 10)} {_n(y - 5)}) scale(.45)">'
            yield from _marks(kind, (0.0, 0.0))
            yield f'</g><text class="legend" x="{_n(x + 25)}" y="{_n(y)}">{escape(kind)}</text>'
            x += 90
        signs = {
            "major_city": '<rect class="ring" x="-7" y="-7" width="14" height="14"/>'
            '<rect class="core" x="-4" y="-4" width="8" height="8"/>',
            "city": '<circle class="town" r="5"/>',
            "junction": '<circle class="knot" r="2.6"/>',
            "oil_well": '<path class="oil" d="M-5 6L0 -8L5 6z"/>',
            "port": '<path class="port" d="M0 -6v11m-4 -4q0 5 4 5q4 0 4 -5m-7 -5h6"/>',
            "country": '<path class="border" d="M-10 0h20"/>',
            "district": '<path class="district" d="M-10 0h20"/>',
        }
        for name, sign in signs.items():
            if name in fields:
                yield f'<g transform="translate({_n(x + 8)} {_n(y - 4)})">{sign}</g>'
                yield f'<text class="legend" x="{_n(x + 22)}" y="{_n(y)}">{name.replace("_", " ")}</text>'
                x += 92

    # -------------------------------------------------------------- paper
    def _paper(self, at: tuple[int, int]) -> Point:
        return _on_paper(self.board, at)

    def _corners(self, place: str) -> list[Point]:
        return self._around(self.spots[place])

    def _around(self, spot: Point) -> list[Point]:
        """Corners clockwise, so that side k (towards step k) runs from corner k to corner k+1."""
        turn = -pi / 2 if self.board.grid.staggered == "rows" else -2 * pi / 3
        return [_turned(spot, WIDTH / sqrt(3), turn + k * pi / 3) for k in range(6)]


def spots(board: Map, places: Iterable[str]) -> dict[str, Point]:
    if board.grid.sheets:
        found = ((place, locate(board.grid, place)) for place in places)
        return {place: _on_paper(board, at) for place, at in found if at is not None}
    ring = list(places)
    radius = 30.0 * max(3, len(ring)) / pi
    return {place: _turned((0, 0), radius, 2 * pi * k / len(ring)) for k, place in enumerate(ring)}


def _turned(middle: Point, radius: float, angle: float) -> Point:
    return middle[0] + radius * cos(angle), middle[1] + radius * sin(angle)


def _on_paper(board: Map, at: tuple[int, int]) -> Point:
    pitch = WIDTH * sqrt(3) / 2
    if board.grid.staggered == "rows":
        return at[0] * WIDTH / 2, at[1] * pitch
    return at[0] * pitch, at[1] * WIDTH / 2


def _steps(board: Map) -> tuple[tuple[int, int], ...]:
    """The six steps in the order of the sides that `_around` gives."""
    if board.grid.staggered == "rows":
        return (1, -1), (2, 0), (1, 1), (-1, 1), (-2, 0), (-1, -1)
    return (0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1)


def _smooth(loop: Sequence[Point]) -> str:
    """A closed curve that bends at the corners of the loop (quadratic, through the middles)."""
    ring = [*loop, loop[0]]
    middles = [((a[0] + b[0]) / 2, (a[1] + b[1]) / 2) for a, b in pairwise(ring)]
    path = f"M{_p(middles[-1])}"
    for corner, middle in zip(loop, middles, strict=True):
        path += f"Q{_p(corner)} {_p(middle)}"
    return path + "z"


def _sway(place: str, spot: Point) -> Point:
    """A small fixed shift by id, so that long straight rivers wander a little."""
    seed = sum((k + 3) * ord(letter) for k, letter in enumerate(place))
    angle = 2 * pi * (seed * 7 % 24) / 24
    return _turned(spot, 7, angle)


def _marks(kind: str, spot: Point, size: float = 1.0) -> Iterator[str]:
    """The little signs of a terrain, at fixed places round the centre of its hex."""
    for dx, dy in ((-12, -4), (2, -11), (12, 1), (-4, 8), (9, 12), (-14, 11)):
        x, y = spot[0] + dx * size, spot[1] + dy * size
        if kind == "woods":
            yield f'<path class="tree" d="{_triangle(x, y + 4, 3, 9)}"/>'
        elif kind == "mountain" and (dx + dy) % 3 != 1:
            yield f'<path class="peak" d="{_triangle(x, y + 5, 7, 11)}"/>'
        elif kind == "swamp":
            yield f'<path class="tuft" d="M{_n(x - 5)} {_n(y)}h10m-7 0v-3m2 3v-5m2 5v-3"/>'


def _triangle(x: float, base: float, half: float, height: float) -> str:
    return _path([(x - half, base), (x, base - height), (x + half, base)], closed=True)


def _label(style: str, spot: Point, text: str) -> Iterator[str]:
    """Words over a pale halo of themselves, drawn twice so that every viewer shows it."""
    where = f'x="{_n(spot[0])}" y="{_n(spot[1])}"'
    yield f'<text class="{style} halo" {where}>{text}</text><text class="{style}" {where}>{text}</text>'


def _path(points: Sequence[Point], closed: bool = False) -> str:
    return "M" + "L".join(_p(point) for point in points) + ("z" if closed else "")


def _p(point: Point) -> str:
    return f"{_n(point[0])} {_n(point[1])}"


def _key(point: Point) -> tuple[int, int]:
    return round(point[0] * 8), round(point[1] * 8)


def _n(value: float) -> str:
    """A number with one decimal, without trailing zeros or a minus zero."""
    text = f"{value:.1f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text
