"""The campaign of Fire in the East from its set-up: both lists laid out, and the first choices of the war."""

from __future__ import annotations

import sys
from collections import Counter

import pytest

from rulewright.compiler import load
from rulewright.runtime import Choice, Game
from rulewright.runtime.automatic import seat
from rulewright.runtime.players import play

CHOICES = 150


@pytest.fixture(scope="module")
def war() -> Game:
    """The campaign, when both sides have laid out their units by the list."""
    game = load("fite").new("war", seed=1)
    asked = Counter[str]()
    while (decision := game.decisions[0]).name == "by_list" or decision.name.startswith("deploy"):
        by_list = decision.name == "by_list"
        asked[decision.name] += 1
        game.do(Choice(decision.id, decision.side, *(("by_list", (("", True),)) if by_list else ("done", ()))))
    assert asked["by_list"] == 3, "the border districts, the Axis, the other Soviets"
    return game


def test_the_list_is_a_lawful_set_up(war):
    """Everything stands where its army deploys, the border is guarded and no stack is too large."""
    assert war.value("to_deploy") == () and war.value("open_border") == ()
    S = war.state
    sides = Counter(S.unit_side[u] for u, place in enumerate(S.at) if place in S.ground)
    assert sides["axis"] > 400 and sides["soviet"] > 500
    occupied = sorted({place for place in S.at if place in S.ground})
    assert all(war.value("stack_fits", tuple(S.here[h]), h) for h in occupied)
    war.check()


@pytest.mark.parametrize("seed", [1, 2])
def test_a_random_set_up_is_lawful(seed):
    """Random players who decline the list guard the border and place everything but works that stand too close."""
    game = load("fite").new("war", seed=seed)
    players = seat(["random"], game.program.sides, seed)
    units = game.program.units
    while (decision := game.decisions[0]).name == "by_list" or decision.name.startswith("deploy"):
        by_list = Choice(decision.id, decision.side, "by_list", (("", False),))
        choice = by_list if decision.name == "by_list" else players[decision.side](game, decision)
        if choice.name == "done":
            assert not [u for u in game.value("to_deploy") if not units[u].startswith("Stalin Line")]
            assert game.value("open_border") == ()
        game.do(choice)
    game.check()


def test_the_opening_keeps_the_invariants(war):
    """Random players open the campaign with the surprise turn; every invariant holds after each choice."""
    assert war.state.phases[0] == "surprise_turn"
    players = seat(["random"], war.program.sides, 1)
    made = play(war, players, CHOICES, watch=lambda game, choice: game.check())
    assert made == CHOICES and not war.over
    moved = [e for e in war.log if e.get("event") == "choice" and e.get("name") in ("move", "march_far", "ride")]
    assert len(moved) > 5


def test_a_supply_line_is_the_same_for_all_as_for_each(war):
    """What is found for all units alike, backwards from the sources, is what a unit finds that looks for itself."""
    rules = sys.modules[war.program.values["supplied"][0].__module__]
    S = war.state
    units = [u for u, place in enumerate(S.at) if place in S.ground][::9]
    lines = [rules.route_supply_line_any(S, u) for u in units]
    assert lines == [bool(rules.route_supply_line_ends(S, u)) for u in units]
    assert any(lines)
