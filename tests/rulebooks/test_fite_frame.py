"""The frame of Fire in the East: rules 3 to 8 are there, the house patch and charts agree with the text."""

from __future__ import annotations

import csv
from fractions import Fraction
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from rulewright.compiler import load
from rulewright.compiler.core.maps import Map, coordinates, distance, neighbors, one_map
from rulewright.compiler.pipeline import analyse
from rulewright.runtime.players import RandomPlayer, play

BOOK = Path(__file__).parents[2] / "rulebooks" / "fite"
NAMED = {
    "Velikie_Luki": "1B/2601", "Smolensk": "2A/3532", "Vyazma": "2A/3425", "Moskva": "2A/3317", "Kiev": "3B/0607",
    "Odessa": "3B/2510", "Murmansk": "6A/1617", "Kandalaksha": "6A/2420", "Rovaniemi": "5B/2502",
    "Hango": "1B/0515", "Kronshtadt": "2A/0832",
}  # fmt: skip
DNEPR = "0807 0806 0906 1005 1004 1104 1203".split()


def board() -> Map:
    """The proving ground of the examples."""
    return one_map(book().map, "front")


@cache
def book() -> Any:
    return analyse(str(BOOK)).book


def held(field: str, value: str | bool) -> set[str]:
    return {place for place, mark in board().fields[field].items() if mark == value}


def cell(table: str, *key: str) -> Any:
    return book().tables[table].cells[key]


def inventory() -> list[dict[str, str]]:
    with (BOOK / "inventory.tsv").open(encoding="utf-8") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def test_every_row_of_rules_3_to_8_is_declared() -> None:
    made = analyse(str(BOOK))
    assert made.entries is not None
    declared = {e.case for e in made.entries if type(e.node).__name__ != "Example"}
    declared |= {case for e in made.entries for case in e.covers}
    wanted = {
        r["case"]
        for r in inventory()
        if r["executable"] in ("rule", "data") and r["case"][:1] in "345678" and r["case"][1:2] in "./"
    }
    assert len(wanted) == 68
    assert wanted - declared == set()


@pytest.mark.parametrize("name", NAMED)
def test_places_stand_where_the_text_puts_them(name: str) -> None:
    assert board().names[name] == NAMED[name]


def test_sheets_share_a_row_and_a_column() -> None:
    """Row 51 of a northern sheet is row 1 of the one below; column 33 in the east is column 1 in the west."""
    assert coordinates(board(), "5B/5107")[1] + 1 == coordinates(board(), "1B/0207")[1]
    assert {"5B/5107", "5B/5108"} <= set(neighbors(board(), "1B/0207"))
    assert distance(board(), "1B/3101", "2A/3132") == 1
    assert distance(board(), "6A/5132", "2A/0232") == 1


def test_the_dnepr_of_the_flotilla_example_is_a_chain() -> None:
    assert all(distance(board(), f"3B/{one}", f"3B/{other}") == 1 for one, other in pairwise(DNEPR))


def test_moskva_is_one_full_hex_and_six_partial_ones_around_it() -> None:
    centre = board().names["Moskva"]
    assert centre in held("city", "full")
    assert set(neighbors(board(), centre)) == held("metropolis", "moskva") - {centre}
    assert set(neighbors(board(), centre)) <= held("city", "partial")


def test_two_lines_cross_in_polotsk() -> None:
    polotsk = board().names["Polotsk"]
    chains = [chain for _, chain in board().lines["rail"] if polotsk in chain]
    through = next(chain for chain in chains if "1B/3008" in chain)
    lateral = next(chain for chain in chains if "1B/3005" in chain)
    assert through != lateral
    assert "1B/2804" in through and "1B/2806" in lateral
    assert {"1B/2806", "1B/3005"} <= set(neighbors(board(), polotsk))


def test_the_line_under_construction_joins_its_two_ends() -> None:
    ((_, chain),) = board().lines["building"]
    assert {chain[0], chain[-1]} == {"6A/4407", "6A/3818"}
    assert not any({one, other} <= set(rail) for one, other in pairwise(chain) for _, rail in board().lines["rail"])


def test_every_city_size_and_every_sort_of_ground_is_there() -> None:
    assert {"reference", "dot", "partial", "full"} == set(board().fields["city"].values())
    assert set(book().kinds["terrain"]) - set(board().fields["terrain"].values()) == {"clear", "intermittent_lake"}
    assert {"zone_a", "zone_b", "zone_d"} == set(board().fields["weather_zone"].values())


def test_the_terrain_chart_says_what_the_text_says() -> None:
    """Clear ground one point, woods two, a river one more, and somewhere half the rating and one."""
    for gait in ("motor_gait", "mountain_gait", "foot_gait"):
        assert cell("entry", "clear", gait, "clear")[1:] == (1, 0)
        assert cell("entry", "woods", gait, "clear")[1:] == (2, 0)
    assert cell("crossing_price", "water", "clear") == 1
    assert any(toll[1:] == (1, Fraction(1, 2)) for toll in book().tables["entry"].cells.values())


def test_a_zone_is_dearer_to_change_than_to_leave() -> None:
    for gait in ("motor_gait", "mountain_gait", "foot_gait"):
        assert cell("zone_costs", gait, "into_zone") > cell("zone_costs", gait, "into_free") > 0


@pytest.mark.parametrize(("scenario", "seed"), [("niemen", 1), ("niemen", 2), ("onega", 3)])
def test_house_scenarios_play_to_an_end(scenario: str, seed: int) -> None:
    loaded = load(str(BOOK))
    game = loaded.new(scenario, seed=seed)
    players = {s: RandomPlayer(seed * 7 + i) for i, s in enumerate(loaded.program.sides)}
    assert play(game, players, 3000) < 3000
    assert game.over and game.winner in ("axis", "soviet")
    game.check()


def test_stacks_of_the_house_scenario_fit() -> None:
    loaded = load(str(BOOK))
    S = loaded.new("niemen").state
    fits = loaded.program.values["stack_fits"][0]
    stacks: dict[int, list[int]] = {}
    for unit, place in enumerate(S.at):
        if place is not None:
            stacks.setdefault(place, []).append(unit)
    assert len(stacks) > 10
    assert all(fits(S, tuple(us), place) for place, us in stacks.items())
