"""Every town of maps/banks.tsv stands on its bank, on the house map of every book that has it."""

from __future__ import annotations

from functools import cache
from math import atan2, degrees
from pathlib import Path

import pytest

from rulewright.compiler.core.maps import Map, touching
from rulewright.compiler.pages.map.paper import Point, cells_of, on_paper
from rulewright.compiler.read.map_blocks import read_map

ROOT = Path(__file__).parents[2]
MAPS = ROOT / "maps"
FILES = {
    "trc": "trc/house/map.rules",
    "tdv": "tdv/house/map.rules",
    "fite": "fite/house/map-whole.rules",
    "caseblue": "caseblue/overlays/map-whole.rules",
    "rostov": "caseblue/house/map-rostov.rules",
    "stalingrad": "caseblue/house/map-stalingrad.rules",
}
WATERS = ("river", "minor_river", "major_river", "great_river", "volga", "lake_side")
UNDRAWN = {
    "trc": "Sozh Vilia Pregel Tisza Terek Neva Narva Velikaya Dvina_N Emajogi Gauja Ingul Voronezh_R",
    "tdv": "Sozh Vilia Pregel San Molochna Vorskla Neva Narva Velikaya Terek Klyazma Emajogi Gauja Ingul Voronezh_R",
    "fite": "",
    "caseblue": "",
    "rostov": "",
    "stalingrad": "",
}
"""Rivers of the list that a map does not draw: its scale is too large for them."""
TOWARDS = {"n": -90, "ne": -45, "e": 0, "se": 45, "s": 90, "sw": 135, "w": 180, "nw": -135}
"""Degrees from the east, southwards, as paper counts."""


@cache
def board(name: str) -> Map:
    """A map as the compiler reads it, without the rest of the book."""
    lines = (ROOT / "rulebooks" / FILES[name]).read_text(encoding="utf-8").splitlines()
    head = next(i for i, line in enumerate(lines) if line.strip().startswith("house map"))
    body = [line.strip().partition(":") for line in lines[head + 1 :] if not line.strip().startswith("#")]
    entries = [(key, value.strip(), i) for i, (key, _, value) in enumerate(body)]
    found: list[object] = []
    made = read_map(entries, lambda *finding: found.append(finding))
    assert not found, found[:5]
    return made


def facts() -> list[tuple[str, str, str, str, str]]:
    """Each spelling of a town, its river, its bank, whether off the water, and the maps where that is otherwise."""
    rows = [x.split("\t") for x in (MAPS / "banks.tsv").read_text(encoding="utf-8").splitlines() if x[0] != "#"]
    return [(town, river, bank, water, but) for towns, river, bank, water, but in rows[1:] for town in towns.split()]


def spot(name: str, place: str) -> Point:
    made = board(name)
    return on_paper(made, cells_of(made, [place])[place])


def away(bank: str, here: Point, there: Point) -> float:
    """By how many degrees a way leads elsewhere than from a town on this bank to the water."""
    turn = degrees(atan2(there[1] - here[1], there[0] - here[0])) - TOWARDS[bank] - 180
    return abs((turn + 180) % 360 - 180)


CASES = [
    (name, *fact)
    for name in FILES
    for fact in facts()
    if fact[0] in board(name).names
    and not set(fact[1].split()) & set(UNDRAWN[name].split())
    and name not in fact[4].split()
]


@pytest.mark.parametrize(("name", "town", "river", "bank", "water", "but"), CASES, ids=lambda x: str(x))
def test_a_town_stands_on_its_bank(name: str, town: str, river: str, bank: str, water: str, but: str) -> None:
    made = board(name)
    place = made.names[town]
    here = spot(name, place)
    if name == "trc":  # rivers run through hexes
        chains = [chain for called, chain in made.lines["river"] if called in river.split()]
        assert chains, f"{river} is not drawn: say so in UNDRAWN"
        if any(place in chain for chain in chains):
            return
        beside = {near for chain in chains for near in chain if near in touching(made.grid, place)}
        assert beside, f"{town} lies off the {river}"
        assert min(away(bank, here, spot(name, near)) for near in beside) <= 45
        assert max(away(bank, here, spot(name, near)) for near in beside) <= 100
        return
    wet = {b if a == place else a for layer in WATERS for a, b in made.sides.get(layer, ()) if place in (a, b)}
    assert wet or water, f"{town} lies off the {river}"
    turns = sorted(away(bank, here, spot(name, near)) for near in wet)
    assert water or turns[0] <= 61, f"no water where the {river} is"
    assert not turns or turns[-1] <= 130 or explained(name, town), f"water on the wrong side of {town}"


def explained(name: str, town: str) -> bool:
    """Whether every river by a town that stands on several is where one of them is."""
    made = board(name)
    place = made.names[town]
    here = spot(name, place)
    wet = {b if a == place else a for layer in WATERS for a, b in made.sides.get(layer, ()) if place in (a, b)}
    sides = [bank for other, _, bank, _, but in facts() if other == town and name not in but.split()]
    return all(min(away(bank, here, spot(name, near)) for bank in sides) <= 95 for near in wet)
