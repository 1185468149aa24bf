"""Supply, special units and breakdowns of Fire in the East: every row is there, and points are never made in play."""

from __future__ import annotations

import csv
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from rulewright.compiler import load
from rulewright.compiler.pipeline import analyse
from rulewright.runtime.players import RandomPlayer, play

BOOK = Path(__file__).parents[2] / "rulebooks" / "fite"
SKIES = ("clear", "mud", "frost", "snow")
ELEMENTS = ("overland_element", "truck_element", "road_element", "special_element")


@cache
def made() -> Any:
    return analyse(str(BOOK))


def test_every_row_of_rules_12_14_and_15_is_declared() -> None:
    declared = {c for e in made().entries if type(e.node).__name__ != "Example" for c in (e.case, *e.covers)}
    with (BOOK / "inventory.tsv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    wanted = {r["case"] for r in rows if r["case"][:2] in ("12", "14", "15") and r["case"][2] in "./"}
    assert len(wanted) == 80
    assert wanted - declared == set()


@pytest.mark.parametrize("element", ELEMENTS)
def test_lines_are_shorter_in_the_arctic_and_in_mud(element: str) -> None:
    cells = made().book.tables["reach"].cells
    for sky in SKIES:
        assert cells[element, "arctic_region", sky] < cells[element, "open_region", sky]
    for region in ("open_region", "arctic_region"):
        assert min(cells[element, region, sky] for sky in SKIES) == cells[element, region, "mud"]
    assert cells["overland_element", "open_region", "clear"] == 7


@pytest.mark.parametrize("seed", [4, 9])
def test_points_are_moved_and_lost_but_never_made(seed: int) -> None:
    """What lies in hexes and on backs never grows, and the invariants hold after every choice."""
    loaded = load(str(BOOK))
    game = loaded.new("niemen", seed=seed)
    players = {s: RandomPlayer(seed * 11 + i) for i, s in enumerate(loaded.program.sides)}
    totals = [points(game.state)]
    assert totals == [5]

    def watch(now: Any, choice: Any) -> None:
        totals.append(points(now.state))
        now.check()

    assert play(game, players, 3000, watch) < 3000
    assert totals == sorted(totals, reverse=True) and totals[-1] >= 0


def points(state: Any) -> int:
    return int(sum(state.place_resources) + sum(state.unit_load))
