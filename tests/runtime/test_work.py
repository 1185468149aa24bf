"""Every question ends: in its answer, or in a fault that names the case and the line of the rules that asks too much."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest

from rulewright.compiler import load
from rulewright.compiler.interpret.game import Oracle
from rulewright.compiler.pipeline import compile_book
from rulewright.runtime import Fault, RandomPlayer, problems

SIXTY = ", ".join(f"Red {i} @A{i % 3 + 1}" for i in range(1, 61))
BOOK = """book vast "Vast"

case 1 "Pieces":
  kind side: red, blue
  map board:
    grid: rows A..B, columns 1..3
    hexes: A1..A3, B1..B3
  roster armies:
    form: side
    red: {sixty}
    blue: Blue @B1
  mark total of game: number = 0

case 2 "Questions":
{declared}

case 3 "Play":
  sequence of_play:
    phase play_:
      ask red whether ready
{done}
    win red
  scenario war:
    sequence: of_play
"""
HOSTILE = {
    "a range within a range": ("  define far -> number: count({1..99999} as x where any {1..99999} as y where y = x - 200000)", "set total = far", "2"),
    "a range within a range of a statement": ("  note \"none\"", "set total = count({1..99999} as x where any {1..99999} as y where y = x - 200000)", "3"),
    "a definition within a definition": ("  define near(n: number) -> flag: any {1..9999} as y where y = n - 20000\n  define far -> number: count({1..9999} as x where near(x))", "set total = far", "2"),
    "neighbours of neighbours": (
        "  define far(h: hex) -> flag: " + " where ".join(f"any neighbors({'h' if not i else f'h{i - 1}'}) as h{i}" for i in range(18)) + " where h0 = h1 and h0 != h1",
        "if far(@A1): set total = 1", "2",
    ),
    "a range that is only counted": ("  define far -> number: sum(count({1..9999}) over {1..9999})", "set total = far", "2"),
}  # fmt: skip
FIVE = ", ".join(f"u{i}: unit from units(red)" for i in range(5))
ACTION = f"""  action parade({FIVE}) by red during play_:
    when u0 = u1 and u1 = u2 and u2 = u3 and u3 = u4 and u4 != u0
    set total = 1"""
SETS = """  action parade(a: set of unit from units(red), b: set of unit from units(red), c: set of unit from units(red)) by red during play_:
    when count(a) + count(b) + count(c) = 1000
    set total = 1"""


def book(tmp_path: Path, declared: str, done: str) -> str:
    path = tmp_path / "vast.rules"
    path.write_text(BOOK.format(sixty=SIXTY, declared=declared, done=f"      {done}"), encoding="utf-8")
    return str(path)


@pytest.mark.parametrize("name", HOSTILE)
def test_a_question_that_asks_too_much_ends_in_a_fault_with_its_place(name: str, tmp_path: Path) -> None:
    declared, done, case = HOSTILE[name]
    game = load(book(tmp_path, declared, done)).new("war")
    before = game.digest()
    faults = []
    for _ in range(2):
        with pytest.raises(Fault, match="members are gone through") as caught:
            game.do("red: ready(yes)")
        faults.append((caught.value.message, caught.value.case, caught.value.where))
    assert caught.value.case == case
    assert caught.value.where.startswith("vast.rules:") or "/vast.rules:" in caught.value.where
    assert faults[0] == faults[1] and game.digest() == before  # the same again, and nothing has happened


@pytest.mark.parametrize("name", HOSTILE)
def test_the_oracle_ends_as_well(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rulewright.compiler.interpret.world.MOST_WORK", 100_000)
    declared, done, case = HOSTILE[name]
    made = compile_book(book(tmp_path, declared, done))
    assert made.book is not None
    game = Oracle(made.book).new("war")
    choice = load(book(tmp_path, declared, done)).new("war").read("red: ready(yes)")
    with pytest.raises(Fault, match="members are gone through") as caught:
        game.do(0, choice)
    assert caught.value.case == case


@pytest.mark.parametrize("action", [ACTION, SETS])
def test_a_choice_of_many_parameters_ends_in_a_fault(
    action: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(problems, "MOST_WORK", 200_000)
    game = load(book(tmp_path, action, "offer red: parade")).new("war")
    game.do("red: ready(yes)")
    for ask in (lambda: list(islice(game.legal("red"), 1)), lambda: RandomPlayer(1)(game, game.decisions[0])):
        with pytest.raises(Fault, match="members are gone through") as caught:
            ask()
        assert caught.value.case == "2" and "vast.rules:" in caught.value.where


def test_what_is_listed_one_by_one_is_counted_from_one_to_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A long list is no fault: only what is tried in vain is."""
    action = "  action parade(u: unit from units(red), v: unit from units(red)) by red during play_:\n    set total = 1"
    monkeypatch.setattr(problems, "MOST_WORK", 150)
    game = load(book(tmp_path, action, "offer red: parade")).new("war")
    game.do("red: ready(yes)")
    assert sum(choice.name == "parade" for choice in game.legal("red")) == 3600


def test_the_count_is_no_part_of_a_save(tmp_path: Path) -> None:
    game = load(book(tmp_path, "  define far -> number: count({1..500})", "set total = far")).new("war")
    before = game.digest()
    game.value("far")
    assert game.state.work == 500 and game.digest() == before and "work" not in game.state.plain()
