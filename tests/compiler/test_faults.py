"""An exception inside compiled rules leads home: file, line and case of the rules, and what was asked there."""

from __future__ import annotations

import re
import traceback
from collections.abc import Callable
from pathlib import Path

import pytest

from rulewright.compiler import load
from rulewright.compiler.cli.main import main
from rulewright.compiler.examples.run import run_examples
from rulewright.compiler.pipeline import compile_book
from rulewright.compiler.playtest.records import Setting, Task
from rulewright.compiler.playtest.stage import Stage
from rulewright.runtime import RandomPlayer, play
from rulewright.runtime.problems import Conflict, Fault
from rulewright.runtime.state import State
from rulewright.runtime.telling.faults import located

SKIRMISH = Path(__file__).parents[1] / "books" / "skirmish.rules"
CASE = """
case 9 "Brittle":
  record pair:
    one: unit
    other: unit
  define worth(u: unit) -> number: 6 / u.strength
  define worth_of(p: pair) -> number: worth(p.one) + worth(p.other)
  define beside(u: unit) -> set of hex: neighbors(u.hex)
  define standing(u: unit) -> number: 1

case 9.1 "First":
  except 9 standing: 2 when u.strength > 3

case 9.2 "Second":
  except 9 standing: 3 when u.side = blue

case 9.3 "Example":
  example "a worth":
    given "Blue 1" at @A1
    expect worth("Blue 2") = 1
"""


@pytest.fixture
def book(tmp_path: Path) -> Path:
    """A skirmish in which one unit has no strength and two exceptions disagree."""
    text = SKIRMISH.read_text().replace("4 blue: Blue 1 @D4, Blue 2 @D5", "4 blue: Blue 1 @D4\n    0 blue: Blue 2 @D5")
    path = tmp_path / "brittle.rules"
    path.write_text(text + CASE)
    return path


def line_of(book: Path, words: str) -> int:
    return next(i for i, line in enumerate(book.read_text().split("\n"), 1) if words in line)


def fault_of(ask: Callable[[], object]) -> Fault:
    with pytest.raises(Fault) as caught:
        ask()
    return caught.value


def test_a_value_that_is_asked_for_from_python(book: Path) -> None:
    game = load(str(book)).new(seed=1)
    two = game.program.unit_index["Blue 2"]
    fault = fault_of(lambda: game.value("worth", two))
    where = f"brittle.rules:{line_of(book, 'define worth(u')}"
    assert str(fault) == f'a number is divided by zero (case 9, {where}, worth(u: "Blue 2"))'
    assert fault.notes[0] == f"{where} | define worth(u: unit) -> number: 6 / u.strength"


def test_a_record_is_told_field_by_field_and_who_asked(book: Path) -> None:
    game = load(str(book), folded=False).new(seed=1)
    one, two = (game.program.unit_index[x] for x in ("Blue 1", "Blue 2"))
    fault = fault_of(lambda: game.value("worth_of", (one, two)))
    assert fault.asked == 'worth(u: "Blue 2")'
    assert 'asked by worth_of(p: pair(one: "Blue 1", other: "Blue 2"))' in fault.notes


def test_a_python_message_never_stands_alone(book: Path) -> None:
    """A unit that is nowhere has no place: Python says something about None, the fault says which rule asked."""
    game = load(str(book)).new(seed=1)
    two = game.program.unit_index["Blue 2"]
    fault = fault_of(lambda: game.value("beside", "Blue 2"))
    assert fault.message == "a value that a rule asks for is not there"
    assert (fault.case, fault.where) == ("9", f"brittle.rules:{line_of(book, 'define beside')}")
    assert two >= 0 and "indices" not in str(fault) and isinstance(fault.__cause__, TypeError)


def test_a_conflict_names_the_unit(book: Path) -> None:
    game = load(str(book)).new(seed=1)
    fault = fault_of(lambda: game.value("standing", game.program.unit_index["Blue 1"]))
    assert isinstance(fault, Conflict) and fault.asked == 'standing(u: "Blue 1")'
    first, second = (line_of(book, f"case {x}") + 1 for x in ("9.1", "9.2"))
    assert fault.notes[:2] == (f"9.1 (brittle.rules:{first}) gives 2", f"9.2 (brittle.rules:{second}) gives 3")
    assert fault.where == f"brittle.rules:{second}"


def test_the_traced_twin_leads_to_the_same_place(book: Path) -> None:
    game = load(str(book)).new(seed=1)
    assert game.program.traced is not None
    two = game.program.unit_index["Blue 2"]
    twin = State.from_plain(game.program.traced(), game.state.plain())
    fault = fault_of(lambda: twin.program.values["worth"][0](twin, two))
    assert fault.where == "" and str(located(fault)) == str(fault_of(lambda: game.value("worth", two)))


def brittle_battle(book: Path) -> Path:
    """Every unit of blue is without strength: the first battle divides by zero."""
    text = book.read_text().replace("4 blue: Blue 1 @D4", "0 blue: Blue 1 @B1")
    book.write_text(text.replace("0 blue: Blue 2 @D5", "0 blue: Blue 2 @B2"))
    return book


BATTLE = r"a number is divided by zero \(case 4, brittle\.rules:\d+, odds_of\(us: \{\"Red 1\"[^}]*\}, h: @?B\d\)\)"


def test_games_from_python(book: Path) -> None:
    game = load(str(brittle_battle(book))).new(seed=1)
    fault = fault_of(lambda: play(game, {s: RandomPlayer(i) for i, s in enumerate(game.program.sides)}, 400))
    assert re.fullmatch(BATTLE.replace("Red 1", "Red [12]"), str(fault)), str(fault)
    assert "chapter_04.py" in "".join(traceback.format_exception(fault))


def test_sim_tells_the_place(book: Path) -> None:
    told = Stage(Setting(str(brittle_battle(book)), "", ("random",), 400)).play(Task(1, (0, 0)))
    fault, _, line = told.problem.partition("; ")
    assert re.fullmatch(BATTLE.replace("Red 1", "Red [12]"), fault), told
    assert re.match(r"brittle\.rules:\d+ \| on_scale\(odds", line), "with the line of the rules"


def test_play_tells_the_place(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["play", str(brittle_battle(book)), "--players", "random", "--seed", "1", "--quiet"])
    told = capsys.readouterr().err
    assert code == 1 and "the rules cannot go on: a number is divided by zero (case 4, brittle.rules:" in told
    assert "| on_scale(odds, sum(it.strength over us)" in told


def test_examples_tell_the_place(book: Path) -> None:
    made = compile_book(str(book), folded=False)
    assert made.book is not None
    found = run_examples(made.book, load(str(book), folded=False).program)
    [(line, text)] = next(x.failures for x in found if x.example.title == "a worth")
    assert line == line_of(book, 'expect worth("Blue 2")')
    assert text.startswith("Fault: a number is divided by zero (case 9, brittle.rules:") and '"Blue 2"' in text


def test_why_tells_the_place(book: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    save = tmp_path / "game.save"
    load(str(book)).new(seed=1).save(save)
    code = main(["why", str(book), str(save), 'worth("Blue 2")'])
    told = capsys.readouterr().err
    assert code == 1 and "a number is divided by zero (case 9, brittle.rules:" in told
