"""The house map of The Russian Campaign agrees with what the rules text says about hexes."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from collections import Counter
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

from rulewright.compiler.core.maps import Map, coordinates, distance, neighbors, touch
from rulewright.compiler.read.map_blocks import read_map

ROOT = Path(__file__).parents[2]
RULES = ROOT / "rulebooks" / "trc" / "house" / "map.rules"
NAMED_HEXES = """
    EE20 EE21 FF20 FF21 FF22 GG21 GG19 HH21 I16 I18 J15 J16 J17 K15 JJ17 JJ22 KK17 KK19 KK20
    S11 S12 T13 T14 T24 T25 U24 U25 QQ5 QQ16 AA29 F18 G17 QQ12 R12 V11 W13 W14 Y22 Z22
"""
CITIES = """
    Moscow Leningrad Kiev Kharkov Stalingrad Rostov Sevastopol Odessa Berlin Warsaw Bucharest Helsinki
    Riga Tallinn Archangel Gorki Kalinin Smolensk Bryansk Kursk Voronezh Stalino Dnepropetrovsk
    Astrakhan Lvov
"""


def block_entries() -> list[tuple[str, str, int]]:
    """The raw entries of the data block, as the compiler hands them over."""
    entries = [("map", "eastern_front", 5)]
    for number, line in enumerate(RULES.read_text(encoding="utf-8").splitlines(), 1):
        if line.startswith("    ") and not line.strip().startswith("#"):
            key, _, value = line.strip().partition(":")
            entries.append((key, value.strip(), number))
    return entries


@cache
def board() -> Map:
    findings: list[tuple[int, str, str, str]] = []
    built = read_map(block_entries(), lambda *finding: findings.append(finding))
    assert findings == []
    return built


def place(name: str) -> str:
    return board().names[name]


@cache
def rail() -> dict[str, frozenset[str]]:
    """Each rail hex and those it is joined to."""
    links: dict[str, set[str]] = {}
    for _, chain in board().lines["rail"]:
        for one, other in pairwise(chain):
            links.setdefault(one, set()).add(other)
            links.setdefault(other, set()).add(one)
    return {hex_: frozenset(joined) for hex_, joined in links.items()}


def reached(start: str, without: frozenset[str] = frozenset()) -> set[str]:
    """The hexes that trains reach from a hex."""
    found, queue = {start}, [start]
    while queue:
        for near in rail()[queue.pop()] - found - without:
            found.add(near)
            queue.append(near)
    return found


def flagged(name: str) -> set[str]:
    return set(board().fields[name])


def held(field: str, value: str) -> set[str]:
    return {hex_ for hex_, mark in board().fields[field].items() if mark == value}


def barred() -> set[tuple[str, str]]:
    """Sides that units on the ground do not cross."""
    return set(board().sides["coast"]) - set(board().sides["strait"])


# ------------------------------------------------------------------ hexes the text names
def test_every_hex_that_the_text_names_is_on_the_board() -> None:
    assert set(NAMED_HEXES.split()) <= set(board().hexes)


def test_every_city_that_the_text_names_is_a_city() -> None:
    assert {place(name) for name in CITIES.split()} <= flagged("city")


def test_bryansk_is_T14_on_the_rail_to_the_junction_S11() -> None:
    assert place("Bryansk") == "T14"
    for one, other in pairwise(["T14", "T13", "S12", "S11"]):
        assert other in rail()[one]
    assert "S11" in flagged("junction")
    assert "S11" not in flagged("city")
    assert not {"T13", "S12"} & (flagged("city") | flagged("junction"))


def test_kerch_strait_is_a_coast_that_units_may_cross() -> None:
    assert place("Kerch_Strait") == "KK19/KK20"
    assert ("KK19", "KK20") in board().sides["coast"]
    assert ("KK19", "KK20") in board().sides["strait"]


def test_zones_do_not_reach_from_JJ17_to_KK17() -> None:
    assert touch(board().grid, "JJ17", "KK17")
    assert ("JJ17", "KK17") in board().sides["dashed"]


def test_only_trains_follow_the_segment_from_GG19_to_HH21() -> None:
    assert "HH20" in rail()["GG19"] and "HH20" in rail()["HH21"]
    assert set(board().sides["rail_only"]) == {("GG19", "HH20"), ("HH20", "HH21")}
    sides = {tuple(sorted(("HH20", near))) for near in neighbors(board(), "HH20")}
    assert sides <= {tuple(sorted(side)) for side in barred()}
    assert sides <= {tuple(sorted(side)) for side in board().sides["all_water"]}


def test_the_crimea_is_entered_by_land_west_of_the_causeway() -> None:
    assert {"HH21", "HH22"} <= set(neighbors(board(), "GG21"))
    assert not {side for side in barred() if set(side) <= {"GG21", "HH21", "HH22", "FF21", "FF22"}}
    assert ("GG20", "HH21") in barred()


def test_zones_of_FF21_and_FF22_both_reach_EE21_and_GG21() -> None:
    common = set(neighbors(board(), "FF21")) & set(neighbors(board(), "FF22"))
    assert common == {"EE21", "GG21"}
    for one in ("FF21", "FF22"):
        for other in ("EE21", "GG21"):
            assert not {(one, other), (other, one)} & set(board().sides["all_water"])


def test_FF21_is_a_landing_hex_beside_the_dnepr_and_on_no_river() -> None:
    rivers = {hex_ for _, chain in board().lines["river"] for hex_ in chain}
    assert "FF21" not in rivers
    assert rivers & set(neighbors(board(), "FF21"))
    assert board().fields["shore"]["FF21"] == "black_sea"


def test_JJ22_is_a_black_sea_shore_beside_a_city() -> None:
    assert board().fields["shore"]["JJ22"] == "black_sea"
    assert place("Sevastopol") in neighbors(board(), "JJ22")


def test_the_hills_of_lvov_are_mountains_outside_the_kiev_district() -> None:
    hills = {"T24", "T25", "U24"}
    assert hills <= held("terrain", "mountain")
    assert not hills & held("district", "kiev")
    assert distance(board(), place("Lvov"), "T25") <= 2


def test_the_south_edge_is_QQ5_to_QQ16() -> None:
    assert flagged("south_edge") == {f"QQ{n}" for n in range(5, 17)}
    assert {hex_ for hex_ in board().hexes if hex_.startswith("QQ")} == flagged("south_edge")


def test_pictured_neighbours_touch() -> None:
    for one, other in [("J17", "I16"), ("J17", "J16"), ("J16", "J15"), ("J16", "K15"), ("FF21", "EE20")]:
        assert other in neighbors(board(), one)
    assert distance(board(), "I18", "J17") == 2


# ------------------------------------------------------------------ ports, oil, countries, districts
def test_three_black_sea_ports_and_four_baltic_ports() -> None:
    assert held("sea_area", "black_sea") == {place(name) for name in ("Odessa", "Sevastopol", "Rostov")}
    baltic = {place(name) for name in ("Riga", "Tallinn", "Helsinki", "Leningrad")}
    assert held("sea_area", "baltic") == baltic
    assert flagged("port") == held("sea_area", "black_sea") | baltic


def test_every_port_lies_on_the_shore_of_its_sea() -> None:
    for port in flagged("port"):
        assert board().fields["shore"][port] == board().fields["sea_area"][port]


def test_oil_wells_at_maikop_and_in_rumania() -> None:
    assert place("Maikop") in flagged("oil_well")
    assert flagged("oil_well") & held("country", "rumania")


@pytest.mark.parametrize(
    ("name", "country"),
    [
        ("Berlin", "germany"),
        ("Konigsberg", "germany"),
        ("Warsaw", "poland"),
        ("Bucharest", "rumania"),
        ("Helsinki", "finland"),
        ("Riga", "russia"),
        ("Lvov", "russia"),
        ("Maikop", "russia"),
    ],
)
def test_cities_lie_in_their_countries(name: str, country: str) -> None:
    assert board().fields["country"][place(name)] == country


def test_every_hex_has_a_country_and_a_terrain() -> None:
    assert flagged("country") == flagged("terrain") == set(board().hexes)


def test_warsaw_is_a_major_city_and_major_cities_are_cities() -> None:
    assert place("Warsaw") in flagged("major_city")
    assert flagged("major_city") <= flagged("city")


def test_five_military_districts_hold_only_russian_hexes() -> None:
    districts = board().fields["district"]
    assert set(districts.values()) == {"leningrad", "baltic", "western", "kiev", "odessa"}
    assert set(districts) <= held("country", "russia")
    assert place("Leningrad") in held("district", "leningrad")
    assert place("Lvov") in held("district", "kiev")
    assert min(Counter(districts.values()).values()) >= 8


@pytest.mark.parametrize(
    ("district", "country"),
    [
        ("baltic", "germany"),
        ("western", "poland"),
        ("kiev", "poland"),
        ("kiev", "rumania"),
        ("odessa", "rumania"),
        ("leningrad", "finland"),
    ],
)
def test_each_district_faces_its_attackers(district: str, country: str) -> None:
    around = {near for hex_ in held("district", district) for near in neighbors(board(), hex_)}
    assert around & held("country", country)


def test_karelia_is_russia_north_of_row_E_and_east_of_leningrad() -> None:
    assert flagged("karelia") <= held("country", "russia")
    assert {hex_[0] for hex_ in flagged("karelia")} == set("ABCD")
    assert place("Leningrad") not in flagged("karelia")


def test_five_russian_units_find_room_in_hungary_and_none_of_its_cities() -> None:
    assert len(held("country", "hungary")) >= 5
    assert not flagged("city") & held("country", "hungary")


# ------------------------------------------------------------------ rails, rivers, shores
def test_cities_are_joined_by_rail() -> None:
    assert flagged("city") <= reached(place("Moscow"))


def test_junctions_are_exactly_the_rail_hexes_without_a_city_where_lines_part() -> None:
    parting = {hex_ for hex_, joined in rail().items() if len(joined) > 2}
    assert flagged("junction") == parting - flagged("city")


def test_rails_leave_the_board_where_the_rules_need_it() -> None:
    exits = flagged("rail_exit")
    edges = {edge: exits & flagged(edge) for edge in ("north_edge", "east_edge", "south_edge", "west_edge")}
    assert exits <= set(rail())
    assert set().union(*edges.values()) == exits
    assert len(edges["west_edge"] & held("country", "hungary")) == 1
    assert edges["west_edge"] & held("country", "germany")
    assert edges["north_edge"] & held("country", "finland")
    assert edges["north_edge"] & held("country", "russia")
    assert len(edges["east_edge"]) > 2 and edges["south_edge"] == {"QQ12"}
    assert reached(place("Gorki")) & edges["east_edge"]


def test_rails_cross_no_coast_but_the_causeway() -> None:
    causeway = set(board().sides["rail_only"])
    for one, joined in rail().items():
        for other in joined:
            assert not {(one, other), (other, one)} & (barred() - causeway)


def test_the_voronezh_to_odessa_line_lies_in_the_ukraine() -> None:
    outside = frozenset(board().hexes) - flagged("ukraine")
    assert place("Odessa") in reached(place("Voronezh"), without=outside)


def test_great_rivers_pass_their_cities() -> None:
    rivers: dict[str, set[str]] = {}
    for name, chain in board().lines["river"]:
        rivers.setdefault(name or "", set()).update(chain)
    for river, city in [
        ("Dnepr", "Kiev"),
        ("Dnepr", "Smolensk"),
        ("Dnepr", "Dnepropetrovsk"),
        ("Volga", "Stalingrad"),
        ("Volga", "Kalinin"),
        ("Volga", "Gorki"),
        ("Don", "Rostov"),
        ("Dvina", "Riga"),
        ("Vistula", "Warsaw"),
    ]:
        assert place(city) in rivers[river]


def test_each_river_is_one_piece_save_where_the_volga_leaves_the_board() -> None:
    pieces: dict[str, list[set[str]]] = {}
    for name, chain in board().lines["river"]:
        assert len(set(chain)) == len(chain)
        whole = set(chain)
        apart = []
        for piece in pieces.get(name or "", []):
            if piece & whole:
                whole |= piece
            else:
                apart.append(piece)
        pieces[name or ""] = [*apart, whole]
    assert {name: len(found) for name, found in pieces.items() if len(found) > 1} == {"Volga": 2}


@pytest.mark.parametrize(
    ("river", "into"), [("Desna", "Dnepr"), ("Beresina", "Dnepr"), ("Donets", "Don"), ("Oka", "Volga")]
)
def test_tributaries_reach_their_rivers(river: str, into: str) -> None:
    hexes: dict[str, set[str]] = {}
    for name, chain in board().lines["river"]:
        hexes.setdefault(name or "", set()).update(chain)
    assert hexes[river] & hexes[into]


def test_the_land_is_one_piece_for_units_on_the_ground() -> None:
    closed = barred()
    found, queue = {place("Moscow")}, [place("Moscow")]
    while queue:
        here = queue.pop()
        for near in neighbors(board(), here):
            if near not in found and not {(here, near), (near, here)} & closed:
                found.add(near)
                queue.append(near)
    assert set(board().hexes) - found == {"HH20"}


def test_inland_hexes_are_no_shore_save_beside_a_hex_that_is_mostly_water() -> None:
    watery = {"FF22", "KK19", place("Sevastopol"), place("Helsinki"), place("Riga"), "HH20"}
    for hex_ in board().fields["shore"]:
        around = set(neighbors(board(), hex_))
        assert len(around) < 6 or around & watery or hex_ in watery


# ------------------------------------------------------------------ shape and build
def test_north_is_up_and_east_is_right() -> None:
    def at(name: str) -> tuple[int, int]:
        return coordinates(board(), place(name))

    assert at("Leningrad")[1] < at("Moscow")[1] < at("Kharkov")[1] < at("Rostov")[1] < at("Maikop")[1]
    assert at("Berlin")[0] < at("Warsaw")[0] < at("Minsk")[0] < at("Smolensk")[0] < at("Moscow")[0]
    assert at("Bucharest")[0] < at("Odessa")[0] < at("Rostov")[0] < at("Stalingrad")[0]


def test_lines_are_short_enough_to_read() -> None:
    assert max(map(len, RULES.read_text(encoding="utf-8").splitlines())) < 110


@pytest.mark.skipif(importlib.util.find_spec("mpl_toolkits") is None, reason="needs the extra `maps`")
def test_building_again_gives_the_same_bytes() -> None:
    code = (
        "import sys; sys.path.insert(0, 'maps'); import build_trc as b;"
        "t = b.build(b.fit_board(b.read_anchors()))[1];"
        "assert t == b.RULES.read_text(encoding='utf-8')"
    )
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)
