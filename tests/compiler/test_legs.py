"""Lines of several legs: what is found for all movers alike, backwards from the ends, is what each finds for itself."""

from __future__ import annotations

import random
import sys
from pathlib import Path
from typing import Any

import pytest

from rulewright.compiler import load
from rulewright.runtime import ops

BOOK = str(Path(__file__).with_name("books") / "legs.rules")


@pytest.fixture(scope="module")
def rules() -> Any:
    """The functions of the chapter that holds the lines."""
    program = load(BOOK).program
    return sys.modules[program.values["supplied"][0].__module__]


@pytest.mark.parametrize("seed", range(12))
def test_the_same_for_all_as_for_each(rules, seed):
    """Whether there is a line is the same as whether one that a mover looks for by itself ends somewhere."""
    S, rng = load(BOOK).new(seed=1).state, random.Random(seed)
    many, hexes = range(len(S.at)), S.program.board.hexes
    held = 0
    for step in range(30):
        for _ in range(1 if step else 30):
            unit, place = rng.choice(many), rng.randrange(hexes)
            match rng.randrange(6):
                case 0:
                    ops.set_mark(S, "place_mined", place, not S.place_mined[place], "1")
                case 1:
                    ops.put(S, unit, None, "1")
                case _:
                    ops.put(S, unit, place, "1")
        goal = rng.randrange(hexes)
        for u in rng.sample(many, len(many)):
            held += rules.supplied(S, u)
            assert rules.supplied(S, u) == bool(rules.supply_ends(S, u))
            assert rules.reaches(S, u) == bool(rules.reached(S, u))
            assert rules.joined(S, u, goal) == bool(rules.joins(S, u, goal))
    assert 0 < held < 30 * len(many)


def test_a_line_is_found_once_for_movers_alike(rules, monkeypatch):
    """The first looks for itself, the second for all; one whose way is shorter or that is off the map counts apart."""
    S = load(BOOK).new(seed=1).state
    name = {x: u for u, x in enumerate(S.program.units)}
    place = {x: p for p, x in enumerate(S.program.board.places)}
    for i, where in enumerate(("G8", "G7", "F8", "C3"), start=1):
        ops.put(S, name[f"Red {i}"], place[where], "1")
    asked: list[str] = []
    for way in ("route_supply_home", "route_supply_ends"):
        once = getattr(rules, way)
        monkeypatch.setattr(rules, way, lambda S, u, way=way, once=once: asked.append(way) or once(S, u))
    assert [rules.supplied(S, name[f"Red {i}"]) for i in range(1, 5)] == [True, True, True, True]
    assert asked == ["route_supply_ends", "route_supply_home"]
    assert not rules.supplied(S, name["Red 5"]), "it is nowhere"
    ops.set_mark(S, "place_mined", place["F8"], True, "1")
    assert not rules.supplied(S, name["Red 3"]) and asked[2:] == ["route_supply_ends"]
