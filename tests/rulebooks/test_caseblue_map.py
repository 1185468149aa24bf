"""The house maps of Case Blue: what the rules text says of a hex, sentence by sentence; one frame under all cuts."""

from __future__ import annotations

import importlib.util
import itertools
import sys
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest

from rulewright.compiler.core.maps import Map, distance, locate, neighbors, touch, touching
from rulewright.compiler.loader import load
from rulewright.compiler.read.map_blocks import read_map
from rulewright.runtime.begin import new_game
from rulewright.runtime.notation import show
from rulewright.runtime.reading import Reader

ROOT = Path(__file__).parents[2]
BOOK = ROOT / "rulebooks" / "caseblue"
FILES = {
    "rostov": BOOK / "house" / "map-rostov.rules",
    "stalingrad": BOOK / "house" / "map-stalingrad.rules",
    "whole": BOOK / "overlays" / "map-whole.rules",
}
NAMED = (
    "C62.18 F13.34 A35.35 A1.25 H16.19 G16.19 C19.35 G49.21 H59.18 H60.18 J43.35 K54.03 C43.15 E14.10 A14.02 B12.27 C7.26 "
    "C46.07 B1.25 F25.35 F22.35 B1.26 A20.14 F43.32 J4.33"
).split()
PROVING = 262  # hexes of the proving ground: two countries and two places off the map
STALINGRAD = ("Stalingrad", "Stalingrad_2", "Stalingrad_3")


@cache
def board(name: str) -> Map:
    """A map as the compiler reads it, without the rest of the book."""
    lines = FILES[name].read_text(encoding="utf-8").splitlines()
    head = next(i for i, line in enumerate(lines) if line.strip() == f"house map {name}:")
    entries = [(k.strip(), v.strip(), i) for i, (k, _, v) in enumerate(x.partition(":") for x in lines[head + 1 :])]
    found: list[object] = []
    made = read_map(entries, lambda *finding: found.append(finding))
    assert not found, found[:5]
    return made


def linked(layer: str, start: str, goal: str, of: str = "whole") -> bool:
    """Whether lines of a layer lead from one hex to another."""
    near: dict[str, set[str]] = {}
    for _, chain in board(of).lines[layer]:
        for a, b in itertools.pairwise(chain):
            near.setdefault(a, set()).add(b)
            near.setdefault(b, set()).add(a)
    seen, queue = {start}, [start]
    while queue:
        for there in near.get(queue.pop(), set()) - seen:
            seen.add(there)
            queue.append(there)
    return goal in seen


def sides(layer: str, place: str, of: str = "whole") -> set[str]:
    """The hexes beyond the sides of a hex that have a layer."""
    return {b if a == place else a for a, b in board(of).sides[layer] if place in (a, b)}


def by_the_sea(place: str, of: str = "whole") -> bool:
    """Whether a hex has water beside it."""
    return bool(set(touching(board(of).grid, place)) & set(board(of).water))


def exits() -> set[str]:
    """The hexes at the edge of the frame that rails lead to."""
    rails = {place for _, chain in board("whole").lines["rail"] for place in chain}
    return {place for place in rails if len(touching(board("whole").grid, place)) < 6}


# ------------------------------------------------------------------ the frame and its cuts
def test_figures_of_the_frame_and_the_cuts() -> None:
    counts = {name: len(board(name).hexes) + len(board(name).water) for name in FILES}
    off_map = 2  # Nikolayev and the South Edge Box
    frame = 186 * 35 + 124 * 34 + 124 * 54 + 32 * 35
    assert counts == {"rostov": 34 * 24, "stalingrad": 34 * 26, "whole": frame + off_map}


@pytest.mark.parametrize("cut", ["rostov", "stalingrad"])
def test_a_cut_is_a_part_of_the_frame(cut: str) -> None:
    part, whole = board(cut), board("whole")
    assert set(part.hexes) <= set(whole.hexes) and set(part.water) <= set(whole.water)
    inside = {*part.hexes, *part.water}
    for layer, found in whole.sides.items():
        assert set(part.sides.get(layer, ())) == {pair for pair in found if set(pair) <= inside}, layer
    for name in (
        "terrain city major village port_capacity map_set on_sheet barbell stalingrad worker_place entry_place sea coast "
        "objective don_bank rail_exit".split()
    ):
        held = {place: value for place, value in whole.fields[name].items() if place in inside}
        assert part.fields.get(name, {}) == held, name
    tracks = [*part.lines["rail"], *part.lines.get("volga_road", ())]
    assert set(part.fields["printed_gauge"]) == {x for _, chain in tracks for x in chain}


@pytest.mark.parametrize("place", NAMED)
def test_every_hex_that_the_text_names_is_land_and_keeps_its_number(place: str) -> None:
    assert place in board("whole").hexes
    for cut in ("rostov", "stalingrad"):
        assert (place in board(cut).hexes) != (place in board(cut).boxes), "on the cut, or known beyond it"


def test_hexes_of_the_overlap_have_two_ids() -> None:
    aliases = board("whole").aliases
    assert aliases["B13.12"] == "F43.32" and aliases["D19.01"] == "G49.21" and aliases["G43.01"] == "J43.35"
    assert board("rostov").aliases["B43.15"] == "G11.35"


@pytest.mark.parametrize(
    ("one", "other"), [("G13.35", "B43.16"), ("B43.35", "A43.02"), ("J43.34", "J43.35"), ("J43.35", "G43.02")]
)
def test_seams_of_sheets_touch(one: str, other: str) -> None:
    grid = board("whole").grid
    if one == "B43.35":
        assert locate(grid, "B43.35") == locate(grid, "A43.01")
    if one == "G13.35":
        assert locate(grid, "G13.35") == locate(grid, "B45.15")
        one = "B43.15"
    assert touch(grid, board("whole").aliases.get(one, one), other)


# ------------------------------------------------------------------ sentences of the text
def test_ferries_join_each_city_hex_to_the_east_bank() -> None:
    """1.1c; no ferry but those of Stalingrad and Kamyshin."""
    whole = board("whole")
    cities = [whole.names[x] for x in STALINGRAD] + ["C62.18"]
    assert len(whole.sides["ferry"]) == len(cities)
    for city in cities:
        (beyond,) = sides("ferry", city)
        assert beyond in sides("volga", city)
        if city != "C62.18":  # the last column of the frame: its east bank lies north or south of it
            assert locate(whole.grid, beyond)[0] > locate(whole.grid, city)[0]
    assert whole.names["Kamyshin"] == "C62.18"


def test_the_volga_parts_the_banks_of_the_stalingrad_cut() -> None:
    """1.1b: without ferry or bridge nobody crosses; 1.12d: the road runs west of the river."""
    cut = board("stalingrad")
    barred = {frozenset(pair) for pair in cut.sides["volga"]}
    seen, queue = set(), [cut.names["Stalingrad"]]
    while queue:
        here = queue.pop()
        if here not in seen:
            seen.add(here)
            queue += [x for x in neighbors(cut, here) if frozenset((here, x)) not in barred]
    assert {cut.names[x] for x in (*STALINGRAD, "Krasnoarmeysk", "Svetly_Yar", "Raigorod", "Dubovka")} <= seen
    assert not {cut.names[x] for x in ("Krasnaya_Sloboda", "Srednyaya_Akhtuba")} & seen
    way = [cut.names[x] for x in ("Stalingrad_3", "Krasnoarmeysk", "Svetly_Yar", "Raigorod")]
    assert all(linked("road", a, b, "stalingrad") for a, b in itertools.pairwise(way))


def test_a_river_path_leads_from_rostov_to_the_sea_of_azov() -> None:
    """1.1i: sides of the Don that join each other, from a hex of Rostov to the sea."""
    cut = board("rostov")
    don = {frozenset(pair) for pair in cut.sides["great_river"]}
    start = {x for x in don if cut.names["Rostov"] in x}
    assert start
    seen, queue = set(start), list(start)
    while queue:
        here = queue.pop()
        around = [x for x in don - seen if x & here and all(touch(cut.grid, a, b) for a in x for b in here if a != b)]
        seen |= set(around)
        queue += around
    assert any(by_the_sea(p, "rostov") for pair in seen for p in pair)
    assert cut.fields["port_capacity"][cut.names["Rostov"]] == "3"


def test_the_rails_that_the_text_names() -> None:
    names = board("whole").names
    assert linked("multi_track", names["Kharkov"], "A35.35"), "1.8a 5: north off the map at A35.35"
    assert linked("rail", names["Poltava"], "A1.25"), "1.8a 6"
    assert linked("rail", names["Rostov"], names["Kharkov"]), "1.8a 8"
    assert linked("rail", "J43.35", "K54.03") and linked("rail", names["Rostov"], "J43.35"), "1.8b 9"
    assert linked("rail", "F13.34", names["Sevastopol"]), "1.6b"
    for place in ("A14.02", "B12.27", "A20.14", "F43.32", "G49.21", "C43.15", "E14.10"):
        assert any(place in chain for _, chain in board("whole").lines["rail"]), place
    assert linked("road", names["Stalingrad_3"], "H59.18"), "1.12d: Stalingrad to Astrakhan'"
    assert {"A35.35", "A1.25"} <= exits()


def test_the_rail_runs_north_west_from_kherson() -> None:
    """1.6b: from F13.34 off the map."""
    whole = board("whole")
    x, y = locate(whole.grid, "F13.34")
    beyond = [p for p in exits() if locate(whole.grid, p)[0] < x and locate(whole.grid, p)[1] < y]
    assert any(linked("rail", "F13.34", place) for place in beyond)


def test_the_rail_runs_north_from_verkhniy_baskunchak() -> None:
    """1.9 4"""
    whole = board("whole")
    y = locate(whole.grid, "E14.10")[1]
    near = {x for _, c in whole.lines["rail"] for a, b in itertools.pairwise(c) for x in (a, b) if "E14.10" in (a, b)}
    assert any(locate(whole.grid, x)[1] < y for x in near)


def test_the_don_touches_both_ends_of_its_stretch() -> None:
    """1.13"""
    assert sides("great_river", "C7.26") and sides("great_river", "C46.07")
    assert sides("great_river", "C46.07", "stalingrad")


def test_the_dnepr_at_its_bridges() -> None:
    """1.12f: rail over the river at A14.02 and B12.27"""
    rails = {frozenset(x) for _, c in board("whole").lines["rail"] for x in itertools.pairwise(c)}
    assert any(frozenset(("A14.02", x)) in rails for x in sides("great_river", "A14.02"))
    assert any(frozenset(("B12.27", x)) in rails for x in sides("great_river", "B12.27"))


def test_cities_and_ports_that_the_text_names() -> None:
    whole = board("whole")
    for name in (
        "Rostov",
        "Stalingrad",
        "Kharkov",
        "Sevastopol",
        "Astrakhan",
        "Kamyshin",
        "Elista",
        "Salsk",
        "Frolovo",
    ):
        assert whole.fields["city"].get(whole.names[name]), name
    for name in ("Rostov", "Sevastopol", "Novorossiysk", "Tuapse", "Makhach_Kala"):
        at = whole.names[name]
        assert int(str(whole.fields["port_capacity"][at])) >= 1, name
        assert name == "Rostov" or by_the_sea(at), name
    assert (whole.names["Astrakhan"], whole.names["Astrakhan_2"]) == ("H59.18", "H60.18")
    assert whole.names["Elista"] == "H16.19", "the text has G16.19, 62 columns west of the place"
    assert distance(whole, "J4.33", whole.names["Sevastopol"]) <= 50, "3.2 1: the Crimea is within reach of landings"


def test_the_volga_is_the_only_river_of_its_class() -> None:
    """1.1b: one chain of sides from Kamyshin to Astrakhan'."""
    whole = board("whole")
    assert sides("volga", "C62.18") and (sides("volga", "H59.18") or sides("volga", "H60.18"))
    assert len(whole.sides["volga"]) < 200


# ------------------------------------------------------------------ script and book
@pytest.fixture(scope="module")
def script() -> ModuleType:
    pytest.importorskip("numpy")
    sys.path.insert(0, str(ROOT / "maps"))
    try:
        spec = importlib.util.spec_from_file_location("build_caseblue", ROOT / "maps" / "build_caseblue.py")
        assert spec and spec.loader
        made = importlib.util.module_from_spec(spec)
        sys.modules["build_caseblue"] = made
        spec.loader.exec_module(made)
    finally:
        sys.path.remove(str(ROOT / "maps"))
    return made


def test_the_fit_brings_every_anchor_to_its_hex(script: ModuleType) -> None:
    fit = script.fit_board()
    assert fit.wide == pytest.approx(7.96, abs=0.03) and fit.high == pytest.approx(7.68, abs=0.03)
    off = [script.gap(fit.flat(lat, lon), script.target(name)) for name, _, lat, lon in script.ANCHORS]
    assert (sum(x * x for x in off) / len(off)) ** 0.5 == pytest.approx(0.68, abs=0.02)
    for name, _, lat, lon in script.ANCHORS:
        assert script.spell(script.hex_of(fit.spot(lat, lon))) in name.split("+")
    assert all(script.spell(script.unspell(place)) == place for place in NAMED)


def test_every_line_of_the_tables_has_a_reason(script: ModuleType) -> None:
    for name in ("caseblue_places.tsv", "caseblue_lines.tsv"):
        assert all(row[-1].strip() for row in script.table(name)), name


def test_what_the_rules_ask_of_the_ground() -> None:
    """Fields of the rules, where the text says what they are; the rest is house."""
    whole = board("whole")
    fields = whole.fields
    assert {at: x for at, x in fields["entry_place"].items()} == {
        "G49.21": "salsk", "H16.19": "elista", "H59.18": "astrakhan", "H60.18": "astrakhan", "C43.15": "frolovo",
        **{whole.names[x]: x.lower().partition("_")[0]
           for x in "Kharkov Kharkov_2 Poltava Rostov Rostov_2 Sevastopol".split()},
    }  # fmt: skip
    assert {at: x for at, x in fields["exit"].items() if at != "F11.35"} == {"A1.25": "a1_25", "A35.35": "a35_35"}
    assert fields["exit"]["F11.35"] == "f13_34" and linked("rail", "F13.34", "F11.35"), "1.6b: north-west from F13.34"
    assert fields["rail_exit"]["A1.25"] == "west_edge" and fields["rail_exit"]["A35.35"] == "north_edge"
    assert "F11.35" not in fields["rail_exit"] and whole.names["Kamyshin"] not in fields["rail_exit"], "a terminus"
    assert fields["junction"] == {"J43.35": "armavir", "K54.03": "makhach_kala"}
    assert fields["harbour"] == {"J4.33": "novorossiysk", whole.names["Tuapse"]: "tuapse"}
    assert fields["captured_at"] == {"A20.14": "krasnogard", "F43.32": "melitopol"}
    assert {*fields["corner"]} == {"F22.35", "B1.26"} and {*fields["dnepr_bridge"]} == {"A14.02", "B12.27"}
    assert {at for at, x in fields["gate_of"].items() if x == "nikolayev"} == {"B1.25", "F25.35"}
    assert {*fields["north_mark"]} == {"C19.35"} and all(at.startswith("C") for at in fields["north_edge"])
    assert [*fields["printed_elista"]] == ["G16.19"] and set(fields["stalingrad"]) == {
        whole.names[x] for x in STALINGRAD
    }
    assert all(fields["city"].get(at) for at in fields["major"])
    oil = [*fields["oil"].values()]
    assert (oil.count("maikop"), oil.count("grozny")) == (3, 3), "1.9: three fields each"
    of_map = {at: sheet for at, sheet in fields["on_sheet"].items() if at not in fields["off_map"]}
    assert all(sheet == f"map_{at[0].lower()}" for at, sheet in of_map.items())
    sets = fields["map_set"]
    assert whole.names["Taman"] in sets and whole.names["Kerch"] not in sets, "1.12a: the Crimea is the other set's"
    assert whole.names["Rostov"] in sets and whole.names["Kharkov"] not in sets
    rails = {frozenset(x) for _, c in whole.lines["rail"] for x in itertools.pairwise(c)}
    for at in fields["barbell"]:
        assert at in sets and any((frozenset((at, x)) in rails) and x not in sets for x in neighbors(whole, at))
    assert whole.names["Poltava"] not in fields["worker_place"] and whole.names["Shakhty"] in fields["worker_place"]
    assert whole.names["Taman"] not in fields["worker_place"], "3.5f: of Case Blue the cities alone"
    y = locate(whole.grid, "E14.10")[1]
    assert fields["baskunchak_line"] and all(locate(whole.grid, at)[1] < y for at in fields["baskunchak_line"])
    ((one, other),) = whole.sides["kerch_ferry"]
    assert (one in sets) != (other in sets) and (one, other) in whole.sides["open_water"]
    assert linked("kerch_line", one, other), "1.1h: trace crosses the strait"
    assert linked("rail", one, whole.names["Kerch"]) and linked("rail", other, whole.names["Taman"])


def test_rails_and_roads_leave_the_frame() -> None:
    """1.6 and 1.8: the Baku line to the south, the Saratov line to the east, the Georgian Military Road."""
    fields, names = board("whole").fields, board("whole").names
    assert fields["rail_exit"] == {
        "A1.25": "west_edge", "C62.25": "east_edge", "J45.01": "south_edge", "K56.01": "south_edge",
        **dict.fromkeys(("A35.35", "C2.35", "C30.35", "C44.35", "E16.35"), "north_edge"),
    }  # fmt: skip
    assert linked("multi_track", names["Makhach_Kala"], "K56.01") and linked("rail", names["Petrov_Val"], "C62.25")
    assert linked("multi_track", names["Liski"], "C2.35") and not linked("rail", names["Sochi"], names["Sukhumi"])
    assert {at for at, edge in fields["road_exit"].items() if edge == "south_edge"} == {"J45.01", "K21.01", "K56.01"}
    assert fields["gate_of"]["K21.01"] == "south_edge" and linked("road", names["Prokhladny"], "K21.01")
    assert not any("rail_exit" in board(cut).fields for cut in ("rostov", "stalingrad"))


def test_the_southern_coast_is_that_of_the_errata() -> None:
    """3.2 of the errata: south of hexrow 17 of Map F."""
    coast, names = board("whole").fields["coast"], board("whole").names
    south = {x for x in names if coast.get(names[x]) == "southern_coast"}
    assert {"Sevastopol", "Kerch", "Novorossiysk", "Tuapse"} <= south
    assert not {"Kherson", "Melitopol", "Mariupol", "Taganrog", "Yeisk"} & south
    rows = {place: int(place.partition(".")[2]) for place in coast if place.startswith("F")}
    assert all((coast[place] == "southern_coast") == (row < 17) for place, row in rows.items())


def test_the_seas_and_their_ports() -> None:
    """1.7: of which sea a port is; 3.2: where Seaborne Assaults start and end."""
    whole = board("whole")
    seas = whole.fields["sea"]
    ports = {name: seas.get(at) for name, at in whole.names.items() if at in whole.fields["port_capacity"]}
    assert {x for x, sea in ports.items() if sea == "azov"} == set(
        "Rostov Taganrog Azov Mariupol Berdyansk Yeisk".split()
    )
    assert {x for x, sea in ports.items() if sea == "caspian"} == {"Makhach_Kala"}
    landing = {whole.names[x] for x, sea in ports.items() if sea == "black_sea"}
    assert {*whole.fields["black_sea"]} == landing and {*whole.fields["novorossiysk"]} == {"J4.33"}
    assert whole.names["Sevastopol"] in landing and len(landing) == 7
    assert all(by_the_sea(at) for at in whole.fields["coast"])


def test_the_south_bank_of_the_don() -> None:
    """1.13: a hex in each column from C7.26 to C46.07, with the river on its north side."""
    whole = board("whole")
    bank = {*whole.fields["don_bank"]}
    assert {int(at[1:].split(".")[0]) for at in bank} == {*range(7, 47)} and len(bank) == 40 and "C7.26" in bank
    for at in bank:
        column, row = at[1:].split(".")
        assert f"C{column}.{int(row) + 1:02}" in sides("great_river", at)


def test_the_maps_stand_in_the_book_beside_the_proving_ground() -> None:
    program = load("caseblue").program
    sizes = {name: end - first for name, (first, end) in program.board.maps.items()}
    assert sizes == {
        "proving_ground": PROVING,
        "rostov": len(board("rostov").hexes),
        "stalingrad": len(board("stalingrad").hexes),
    }
    assert {x.map for x in program.scenarios.values()} == set(sizes)
    for scenario in program.scenarios:
        game = new_game(program, scenario, 1)
        assert game.state.map == program.scenarios[scenario].map and not game.over


def test_the_whole_frame_compiles_and_loads() -> None:
    program = load("caseblue+whole").program
    assert program.board.maps == {
        "proving_ground": (0, PROVING),
        "whole": (PROVING, PROVING + len(board("whole").hexes)),
    }
    for place in NAMED:
        assert show(program, "place", Reader(program, f"@{place}").value("place")) == f"@{place}"
    assert show(program, "place", Reader(program, "@B13.12").value("place")) == "@F43.32"
    game = new_game(program, "rostov", 1)
    assert game.state.map == "whole"
    whole_names = board("whole").names

    def asked(name: str, side: str) -> set[str]:
        return {program.board.places[x] for x in program.values[name][0](game.state, side)}

    assert asked("open_exits", "axis") == {"A1.25", "F11.35"}, "1.12b: German gauge leads from railheads to the west"
    east_and_south = {"C62.25", "J45.01", "K56.01"}
    assert asked("open_exits", "soviet") == {"A35.35", "C2.35", "C30.35", "C44.35", "E16.35", *east_and_south}
    assert "A11.19" in asked("entry_hexes", "axis"), "1.8a 6: Poltava, by A1.25"
    assert {"C19.35", "C62.35", "C43.15", "S1.01"} <= asked("entry_hexes", "soviet")
    assert {"K21.01", "C62.20"} <= asked("entry_hexes", "soviet"), "1.8: roads at the edge of the map"
    assert {"H59.18", "K54.03", "S1.01"} <= asked("sources", "soviet")
    assert asked("sea_ports", "soviet") == {whole_names[x] for x in "Sevastopol Tuapse Novorossiysk Makhach_Kala".split()}
