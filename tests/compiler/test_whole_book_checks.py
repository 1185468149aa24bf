"""Checks that hold a whole book together: counters and words, rules that are reached, examples that prove something."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.compiler.analyse.references import References
from rulewright.compiler.cli.main import main
from rulewright.compiler.pipeline import analyse
from rulewright.dsl.diagnostics import Diagnostic

FRAME = """
book small "A small book"

case 1 "Pieces":
  kind side: red, blue
  kind terrain: clear, woods
  field strength of unit: number
  field terrain of hex: terrain = clear
  calendar war:
    from: Mar 1815
    to: Aug 1815
    step: 1 month
  map board:
    grid: rows A..B, columns from the east
    hexes: A1..A5, B1..B5
    terrain woods: B2
  roster armies:
    form: strength side
    3 red: Red 1 @A1, Red 2 @A2
    4 blue: Blue 1 @B4

case 2 "Play":
  action move(u: unit from units(phasing), h: hex from neighbors(u.hex)) by phasing during movement:
    when u.strength > 0 or h.terrain = clear
    put u in h
  sequence play:
    phase turn for now in turns:
      phase player_turn for phasing in [red, blue]:
        phase movement:
          offer phasing: move
  scenario battle:
    sequence: play
"""


def findings(folder: Path, text: str) -> list[Diagnostic]:
    path = folder / "small.rules"
    path.write_text(FRAME + text, encoding="utf-8")
    return analyse(str(path)).report.found


def codes(found: list[Diagnostic]) -> list[tuple[str, str, str]]:
    return [(d.code, d.severity, d.case) for d in found]


# ---------------------------------------------------------------- conflicts


def meeting(first: str, second: str) -> str:
    return (
        'case 3 "Sight":\n  define range(u: unit) -> number: 2\n  forbid move as blind when range(u) < 1\n'
        f'case 3.1 "One":\n  except 3 range: {first}\ncase 3.2 "Two":\n  except 3 range: {second}\n'
    )


def test_a_counter_shows_a_conflict(tmp_path: Path) -> None:
    [found] = findings(tmp_path, meeting("3 when u.strength >= 3", "1 when u.strength > 3 and since May 1815"))
    assert (found.code, found.severity, found.case) == ("RW313", "warning", "3.2")
    assert '"Blue 1"' in found.message and "May 1815" in found.message


def test_a_hex_shows_a_conflict(tmp_path: Path) -> None:
    [found] = findings(tmp_path, meeting("3 when u.hex.terrain = woods", "1 when u.strength = 3"))
    assert found.code == "RW313" and "@B2" in found.message and '"Red 1"' in found.message


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("3 when u.strength >= 5", "1 when u.strength > 3"),  # no counter is that strong
        ("3 when u.strength >= 3", "3 when u.strength > 3"),  # the same value
        ("3 when u.strength >= 3", "u.strength - 1 when u.strength = 4"),  # the same value, reckoned
        ("3 when since Jun 1815", "1 when before Jun 1815"),  # never together
        ("3 when count(units_at(u.hex)) > 1", "1 when u.strength > 3"),  # not understood: silent
    ],
)
def test_no_position_no_finding(first: str, second: str, tmp_path: Path) -> None:
    assert findings(tmp_path, meeting(first, second)) == []


def test_values_that_cannot_be_compared_are_a_remark(tmp_path: Path) -> None:
    [found] = findings(tmp_path, meeting("count(all_units) when u.strength >= 3", "1 when u.strength > 3"))
    assert (found.code, found.severity) == ("RW313", "remark") and "where their values differ" in found.message


def test_the_first_clause_that_applies_speaks(tmp_path: Path) -> None:
    text = meeting("\n    1 when u.strength >= 4\n    3 when u.strength >= 3", "1 when u.strength > 3")
    assert findings(tmp_path, text) == []


# ---------------------------------------------------------------- reach


def test_what_triggers_and_duties_ask_is_reached(tmp_path: Path) -> None:
    text = """
case 3 "Sight":
  define far(u: unit) -> flag: u.strength > 9
  define near(u: unit) -> flag: u.strength > 8
  define lost(u: unit) -> flag: u.strength > 7
  on end of movement when any all_units where far(it): win red
  duty stay during movement: every units(phasing) has not near(it)
  whenever any all_units where lost(it): win blue
"""
    assert findings(tmp_path, text.replace("movement: every", "movement:\n    every")) == []


def test_a_trigger_on_a_phase_that_never_comes_is_not_reached(tmp_path: Path) -> None:
    text = """
case 3 "Sight":
  define far(u: unit) -> flag: u.strength > 9
  procedure night:
    phase dusk:
      if any all_units: win red
  on end of dusk when any all_units where far(it): win red
"""
    found = codes(findings(tmp_path, text))
    assert ("RW505", "warning", "3") in found and ("RW513", "remark", "3") in found
    named = {d.message for d in findings(tmp_path, text) if d.code == "RW513"}
    assert 'no scenario comes to the definition "far"' in named and "no scenario comes to this trigger" in named


def test_examples_are_named_where_they_alone_ask(tmp_path: Path) -> None:
    text = """
case 3 "Sight":
  define far(u: unit) -> flag: u.strength > 9
  example "nobody sees far":
    expect not far("Red 1")
"""
    assert [d.message for d in findings(tmp_path, text)] == ['no scenario comes to the definition "far"; examples do']


def test_remarks_do_not_fail_a_check(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    findings(tmp_path, 'case 3 "Sight":\n  define far(u: unit) -> flag: u.strength > 9\n')
    assert main(["check", str(tmp_path / "small.rules")]) == 0
    assert "RW513 remark: no scenario comes to" in capsys.readouterr().out


@pytest.mark.parametrize("book", ["trc", "tdv", "fragment"])
def test_every_action_of_a_shipped_book_is_reached(book: str) -> None:
    made = analyse(book)
    assert made.book is not None
    reached = References(made.book).in_play()
    assert [name for name in made.book.actions if ("action", name) not in reached] == []


# ---------------------------------------------------------------- examples


def test_an_example_of_another_case_proves_nothing_here(tmp_path: Path) -> None:
    text = """
case 3 "Sight":
  define far(u: unit) -> flag: u.strength > 9
  forbid move as far_off when far(u)
case 4 "Sound":
  define loud(u: unit) -> flag: u.strength > 8
  forbid move as too_loud when loud(u)
  example "they do not see far":
    expect not far("Red 1")
case 4.1 "Both":
  example "a part of case 4 counts for it":
    expect not loud("Red 1")
"""
    [found] = findings(tmp_path, text)
    assert (found.code, found.severity, found.case) == ("RW516", "remark", "4")
    assert "they do not see far" in found.message


SURE = {
    "expect true": True,
    'expect far("Red 1") or true': True,
    'expect "Red 1".strength = "Red 1".strength and far("Red 1") = far("Red 1")': True,
    'expect far("Red 1") = far("Red 2")': False,
    'expect far("Red 1") or not far("Red 2")': False,
    "expect torn = torn": False,
    "expect torn = 3 or true": False,
}


@pytest.mark.parametrize("line", SURE)
def test_what_holds_in_every_position_proves_nothing(line: str, tmp_path: Path) -> None:
    """A value that may stop the game (here a division by what may be nought) can fail, whatever it is compared with."""
    text = f"""
case 3 "Sight":
  define far(u: unit) -> flag: u.strength > 9
  define torn -> number: 6 / count(units(red))
  forbid move as far_off when far(u) and torn > 1
  example "tried":
    {line}
"""
    found = [d for d in findings(tmp_path, text) if d.code == "RW516"]
    assert [d.severity for d in found] == (["warning"] if SURE[line] else [])


def test_what_an_example_plays_leads_to_bans_of_its_case(tmp_path: Path) -> None:
    text = """
case 3 "Woods":
  forbid move as woods when h.terrain = woods
  example "not into the woods":
    given "Red 1" at @B1
    given phasing = red
    given during movement
    refused red: move("Red 1", @B2) by 3
"""
    assert findings(tmp_path, text) == []


# ---------------------------------------------------------------- counters


def test_a_word_that_a_mark_may_take_is_no_gap(tmp_path: Path) -> None:
    text = """
case 3 "Arms":
  kind arm: foot, guns
  field arm of unit: arm = foot
  mark drill of unit: arm = foot
  on start of movement: set units(red).drill = guns
  forbid move as guns_stay when u.arm = guns or u.drill = guns
"""
    assert [d.code for d in findings(tmp_path, text) if d.severity != "remark"] == []


def test_counters_that_a_rule_lists_may_come_later(tmp_path: Path) -> None:
    more = 'case 3 "More":\n  roster more:\n    side: red\n    form: strength\n    2: Red 9\n'
    assert codes(findings(tmp_path, more)) == [("RW517", "warning", "3")]
    late = "  on start of turn when now = Apr 1815: put counters(red) where not on_map(it) in @A1\n"
    assert findings(tmp_path, more + late.replace("put counters(red) where not on_map(it)", "put counters(red)")) == []
    assert findings(tmp_path, more + '  on start of turn: put "Red 9" in @A1\n') == []


# ---------------------------------------------------------------- invariants

CROWD = """
case 3 "Crowds":
  invariant alone: every hexes has count(units_at(it)) <= 1
"""


def run_test(folder: Path, text: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    (folder / "small.rules").write_text(FRAME + text, encoding="utf-8")
    code = main(["test", str(folder / "small.rules"), "--quiet"])
    return code, capsys.readouterr().out


def test_a_false_invariant_fails_where_a_scenario_begins(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_test(tmp_path, CROWD, capsys)[0] == 0
    code, out = run_test(tmp_path, CROWD.replace("<= 1", "= 1"), capsys)
    assert code == 1 and "scenario battle" in out and "alone" in out and "case 3" in out


def test_an_example_that_breaks_an_invariant_fails(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    play = """
  example "one after another":
    given "Red 1" at @A1, "Red 2" at @A2
    given phasing = red
    given during movement
    play red: move("Red 1", @A2)
    expect "Red 1".hex = @A2
"""
    code, out = run_test(tmp_path, CROWD + play, capsys)
    assert code == 1 and "this breaks the invariant alone (case 3)" in out
    crowded = play.replace('"Red 2" at @A2', '"Red 2" at @A2, "Blue 1" at @A2')
    assert run_test(tmp_path, CROWD + crowded, capsys)[0] == 0, "the given position was crowded already"


# ---------------------------------------------------------------- marks that nobody reads


MARKS = {
    "neither set nor read": "  mark worn of unit\n",
    "set and never read": "  mark worn of unit\n  on end of movement: set units(red).worn\n",
    "read only to reckon its own next value": (
        "  mark worn of game: number\n  on end of movement: set worn = worn + 1\n"
    ),
}


@pytest.mark.parametrize("sentence", MARKS)
def test_what_becomes_of_a_mark_that_nobody_reads_is_said_as_it_is(sentence: str, tmp_path: Path) -> None:
    found = [d for d in findings(tmp_path, f'case 3 "Wear":\n{MARKS[sentence]}') if d.code == "RW501"]
    assert [d.message for d in found] == [f'the mark "worn" is {sentence}']
