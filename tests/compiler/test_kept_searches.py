"""Searches are not made again where nothing that they saw has changed, and nobody can tell."""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rulewright.compiler import load
from rulewright.runtime import ops
from rulewright.runtime.kept.by_place import ByPlace
from rulewright.runtime.state import State

BOOK = str(Path(__file__).with_name("books") / "lines.rules")


@pytest.fixture
def rules() -> Any:
    """The functions of the book's only chapter."""
    program = load(BOOK).program
    return sys.modules[program.values["deep"][0].__module__]


@pytest.fixture
def S() -> State:
    return load(BOOK).new(seed=1).state


def changed(S: State, rng: random.Random, steps: int) -> Iterator[int]:
    """Units move, leave the map and come back, tire and change sides; hexes are mined."""
    hexes = S.program.board.hexes
    for step in range(steps):
        unit, place = rng.randrange(len(S.at)), rng.randrange(hexes)
        match rng.randrange(6):
            case 0:
                ops.set_mark(S, "unit_tired", unit, not S.unit_tired[unit], "1")
            case 1:
                ops.set_mark(S, "unit_side", unit, "red" if S.unit_side[unit] == "blue" else "blue", "1")
            case 2:
                ops.set_mark(S, "place_mined", place, not S.place_mined[place], "1")
            case 3:
                ops.put(S, unit, None, "1")
            case _:
                ops.put(S, unit, place, "1")
        yield step


def asked(rules: Any, S: State, places: list[int]) -> list[Any]:
    """What the book says of every side and some places."""
    sides, paces = S.program.sides, S.program.kinds["pace"]
    found: list[Any] = [rules.route_line(S, s, p, h) for s in sides for p in paces for h in places]
    found += [rules.route_rear_any(S, s, h) for s in sides for h in places]
    found += [rules.route_rear_shortest(S, s, h) for s in sides for h in places[:2]]
    found += [rules.least_fed(S, s) for s in sides]
    found += [rules.twice(S, u, v, h) for u in range(3) for v in range(2, 5) for h in places[:2]]
    found += [rules.near_home(S, u) for u in range(len(S.at))]
    found += [rules.far(S, u, h) for u in range(len(S.at)) for h in places[:2]]
    found += [x for s in sides for x in (rules.ready(S, s), *(rules.fresh(S, s, u) for u in range(3)))]
    return [*found, *(rules.afoot(S, u, h) for u in range(len(S.at)) for h in places[:2])]


@pytest.mark.parametrize("seed", range(4))
def test_a_state_with_a_past_answers_like_one_without(rules: Any, S: State, seed: int) -> None:
    rng = random.Random(seed)
    for _ in changed(S, rng, 60):
        places = rng.sample(range(S.program.board.hexes), 5)
        assert asked(rules, S, places) == asked(rules, S.copy(), places)


def test_a_unit_that_bars_nothing_costs_no_search(rules: Any, S: State, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Any] = []
    search = rules.route_line_search
    monkeypatch.setattr(rules, "route_line_search", lambda *given: made.append(given[1:4]) or search(*given))
    place = S.program.place_index
    ends = rules.route_line_ends(S, "blue", "foot", place["A1"])
    made.clear()
    ops.put(S, 0, place["A2"], "1")  # a blue unit is no bar to a blue line, and the zones of red are what they were
    assert rules.route_line_ends(S, "blue", "foot", place["A1"]) == ends and not made
    assert rules.afoot(S, 1, place["A1"]) == len(ends) and not made, "nor is one that is only supposed there"
    ops.put(S, 5, place["B2"], "1")
    assert rules.route_line_ends(S, "blue", "foot", place["A1"]) != ends and made


def test_what_grows_leaves_other_answers_alone(rules: Any, S: State) -> None:
    rules.route_line_ends(S, "blue", "wheels", 0)
    kept = [dict(memo) for memo in S.memo]
    ops.set_mark(S, "unit_tired", 0, True, "1")
    before = [i for i, memo in enumerate(S.memo) if memo]
    assert rules.least_fed(S, "blue")
    assert kept and all(S.memo[i] for i in before)
    assert not S.growing


def test_what_is_the_same_for_a_side_is_kept_once_for_all_its_units(rules: Any, S: State) -> None:
    """`far` asks of its unit no more than its side; `near_home` is answered by one search for all of a side."""
    before = [len(memo) for memo in S.memo]
    assert {rules.far(S, u, 0) for u in (0, 1, 2)} == {rules.far(S, 0, 0)} != {rules.far(S, 3, 0)}
    grown = [len(memo) - old for memo, old in zip(S.memo, before, strict=True) if len(memo) > old]
    assert max(grown) == 2, "one answer a side"
    assert not hasattr(rules, "KEPT_NEAR_HOME") and hasattr(rules, "KEPT_ROUTE_HOME_ANY")


def test_a_matching_asks_only_about_what_is_beside(rules: Any, S: State, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[int, int]] = []
    pair = rules.matching_strikes_pair
    monkeypatch.setattr(rules, "matching_strikes_pair", lambda S, s, a, h: asked.append((a, h)) or pair(S, s, a, h))
    place = S.program.place_index
    ops.put(S, 3, place["A2"], "1")  # beside Blue 1
    assert rules.ready(S, "blue")
    assert asked == [(0, place["A2"])]


def test_an_answer_asked_anew_is_watched_for_the_next_change_too() -> None:
    """A place that was touched and stayed shut was forgotten: a search went on counting on it after it had opened."""
    opened: set[int] = set()
    kept = ByPlace(lambda place: place in opened)
    assert kept[3] is False
    mark = kept.stamp
    for now, same in ((False, True), (True, False)):
        if now:
            opened.add(3)
        kept.again.add(3)
        kept.loosen(None)
        assert (kept.stamp == mark) is same
