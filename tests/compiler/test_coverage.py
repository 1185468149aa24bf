"""`rulewright coverage` cannot flatter: what makes a row `run`, and what does not."""

from __future__ import annotations

import json
import pickle
import sys
from pathlib import Path

import pytest

from rulewright.compiler.cli.main import main
from rulewright.compiler.examples import evidence
from rulewright.compiler.examples.coverage import STATUSES, Row, coverage
from rulewright.compiler.examples.parallel import passable
from rulewright.compiler.examples.trial import ready
from rulewright.compiler.loader import NotCompiled
from rulewright.runtime.problems import Refusal

PIECES = """book pickets "Pickets"

case 1 "Pieces":
  kind side: red, blue
  kind unread: never_named, neither
  field strength of unit: number
  field unused of unit: number = 0
  map field:
    grid: rows A..C, columns from the east
    hexes: A1..A6, B1..B6, C1..C6
  roster all:
    form: strength side
    4 red: Guard @B1
    2 blue: Scout @B6

case 2 "Zone of control":
  define zone(u: unit) -> set of hex: {u.hex} + neighbors(u.hex)
  example "around":
    given "Guard" at @B1
    expect @B2 in zone("Guard")
"""


def rows(tmp_path: Path, text: str, inventory: str = "", **given: bool) -> dict[str, Row]:
    path = tmp_path / "pickets.rules"
    path.write_text(PIECES + text)
    listed = None
    if inventory:
        listed = tmp_path / "list.tsv"
        listed.write_text("case\texecutable\n" + "".join(f"{x}\trule\n" for x in inventory.split()))
    return {row.case: row for row in coverage(str(path), listed, jobs=1, **given)}


def test_an_exception_that_no_example_meets_is_weak(tmp_path: Path) -> None:
    never = """
case 3 "Scouts":
  except 2 zone: {u.hex} when u.strength < 1
  example "a guard is no scout":
    given "Guard" at @B1
    expect @B2 in zone("Guard")
"""
    assert rows(tmp_path, never)["3"].status == "weak"  # its condition negated would be noticed
    met = (
        never.replace("< 1", "< 3")
        .replace('"Guard" at @B1', '"Scout" at @B1')
        .replace('expect @B2 in zone("Guard")', 'expect zone("Scout") = {@B1}')
    )
    found = rows(tmp_path, met)["3"]
    assert found.status == "run" and found.by.startswith("struck: except 2 zone")


def test_each_covered_row_needs_an_example_of_its_own(tmp_path: Path) -> None:
    text = """
case 3 "Results":
  procedure result(u: unit, word: outcome):
    match word:
      is hit: put u in nowhere
      is miss: put u in @A1
  covers 3/hit, 3/miss, 3/none
  kind outcome: hit, miss
  example "hit":
    given "Guard" at @B1
    run result("Guard", hit)
    expect "Guard".hex = nowhere
  covers 3/hit
  example "miss":
    given "Guard" at @B1
    run result("Guard", hit)
    expect "Guard".hex != @A1
  covers 3/miss
"""
    found = rows(tmp_path, text, "3 3/hit 3/miss 3/none")
    assert found["3/hit"].status == "run"
    assert found["3/miss"].status == "weak" and found["3/none"].status == "weak"
    assert "no example stands in this case or names it" in found["3/none"].by


def test_an_example_counts_only_for_the_case_that_it_stands_in_or_names(tmp_path: Path) -> None:
    text = """
case 3 "Strong":
  define strong(u: unit) -> flag: u.strength > 3
case 4 "Elsewhere":
  example "strong":
    expect strong("Guard")
"""
    found = rows(tmp_path, text)
    assert found["3"].status == "weak"
    assert found["4"].status == "missing" and "no rule" in found["4"].by
    named = rows(tmp_path, text + "  covers 3\n")
    assert named["3"].status == "run" and "becomes false" in named["3"].by


def test_a_refusal_names_the_case_that_refuses(tmp_path: Path) -> None:
    text = """
case 3 "Moves":
  route march(u: unit):
    from: u.hex
    budget: 2
    enter: 1
  sequence game:
    phase turn: offer red: move
  action move(u: unit from units(red), p: path from march(u)) by red during turn:
    walk u along p
case 4 "Not to row A":
  forbid march as shut when there = @A1
case 5 "Examples":
  example "shut":
    given "Guard" at @B1
    given during turn
    refused red: move("Guard", [@B1, @A1]) by 4
"""
    found = rows(tmp_path, text)
    assert found["4"].status == "run" and found["4"].by.startswith("struck: forbid march")
    assert found["3"].status == "weak"


def test_data_needs_a_reader_that_ran(tmp_path: Path) -> None:
    text = """
case 3 "Unread":
  field weight of unit: number = 1
case 4 "Read":
  field load of unit: number = 1
  define burden(u: unit) -> number: u.load
case 5 "Idle":
  define lifted(u: unit) -> number: u.weight
case 6 "An example":
  example "burden":
    expect burden("Guard") = 1
"""
    found = rows(tmp_path, text)
    assert found["3"].status == "compiled" and "nothing that ran reads it" in found["3"].by
    assert found["5"].status == "compiled"
    assert rows(tmp_path, text.replace('burden("Guard") = 1', 'lifted("Guard") = 1'))["3"].status == "data"


def test_a_parameter_of_the_same_name_reads_no_data(tmp_path: Path) -> None:
    text = """
case 3 "Unread":
  field weight of unit: number = 1
case 4 "A number of that name":
  define twice(weight: number) -> number: weight + weight
  example "twice":
    expect twice(2) = 4
"""
    assert rows(tmp_path, text)["3"].status == "compiled"
    assert rows(tmp_path, text.replace("expect twice(2) = 4", 'expect "Guard".weight = 1'))["3"].status == "data"


def test_a_chart_of_our_own_proves_no_printed_rule(tmp_path: Path) -> None:
    """The row has a printed rule that no strike shows; that its house chart is noticed is no proof of it."""
    text = """
case 3 "Worth":
  house table worth(strength: number) -> number:
    | strength | worth |
    | 0-9      | 2     |
  define dear(u: unit) -> flag: u.strength > 8
  example "worth":
    expect worth(4) = 2
    expect not dear("Guard")
"""
    assert rows(tmp_path, text)["3"].status == "weak"
    assert rows(tmp_path, text.replace("> 8", "> 3").replace("not dear", "dear"))["3"].status == "run"


def test_a_row_falls_when_what_proves_it_goes(tmp_path: Path) -> None:
    """An outcome emptied with its example, an example alone, the rule itself: nothing stays `run` for want of looking."""
    arms = """
case 3 "Results":
  kind outcome: hit, miss
  procedure result(u: unit, word: outcome):
    match word:
      is hit: put u in nowhere
      is miss: put u in @A1
  covers 3/hit, 3/miss
  example "hit":
    given "Guard" at @B1
    run result("Guard", hit)
    expect "Guard".hex = nowhere
  covers 3/hit
"""
    miss = """  example "miss":
    given "Guard" at @B1
    run result("Guard", miss)
    expect "Guard".hex = @A1
  covers 3/miss
"""
    listed = "3 3/hit 3/miss"
    whole = rows(tmp_path, arms + miss, listed)
    assert (whole["3/hit"].status, whole["3/miss"].status) == ("run", "run")
    emptied = rows(tmp_path, arms.replace("is miss: put u in @A1", 'is miss: log "missed"'), listed)
    assert (emptied["3/hit"].status, emptied["3/miss"].status) == ("run", "weak")
    without = rows(tmp_path, arms, listed)
    assert without["3/miss"].status == "weak" and "no example" in without["3/miss"].by
    promised = rows(tmp_path, (arms + miss).replace("covers 3/hit, 3/miss", "covers 3/hit"), listed)
    assert promised["3/miss"].status == "missing" and "no rule" in promised["3/miss"].by


def test_a_struck_rule_takes_its_row_with_it(tmp_path: Path) -> None:
    rule = """
case 3 "Scouts":
  except 2 zone: {u.hex} when u.strength < 3
"""
    example = """
case 4 "Examples":
  example "a scout":
    given "Scout" at @B1
    expect zone("Scout") = {@B1}
  covers 3
"""
    assert rows(tmp_path, rule + example, "3")["3"].status == "run"
    assert rows(tmp_path, rule, "3")["3"].status == "weak"
    assert rows(tmp_path, rule.split("  except")[0] + '  note "gone"\n', "3")["3"].status == "missing"


def test_a_book_without_procedure_or_example_answers(tmp_path: Path) -> None:
    path = tmp_path / "bare.rules"
    path.write_text('book bare "Bare"\n\ncase 1 "Words":\n  kind side: red, blue\n')
    [row] = coverage(str(path), jobs=1)
    assert (row.case, row.status) == ("1", "compiled")


def test_a_chart_of_our_own_is_house_and_rules_that_read_it_are_flagged(tmp_path: Path) -> None:
    text = """
case 3 "Chart":
  house table worth(strength: number) -> number:
    | strength | worth |
    | 1-3      | 1     |
    | 4        | 3     |
case 4 "Value":
  define value_of(u: unit) -> number: worth(u.strength)
  example "three":
    expect value_of("Guard") = 3
case 5 "Twice":
  define twice(u: unit) -> number: value_of(u) * 2
  example "six":
    expect twice("Guard") = 6
"""
    found = rows(tmp_path, text)
    assert found["3"].status == "house"
    assert (found["4"].status, found["4"].house) == ("run", ("worth",))
    assert (found["5"].status, found["5"].house) == ("run", ("worth",))
    assert found["2"].house == ()


def test_untranslated_speaks_for_the_rows_below_and_nothing_is_missing(tmp_path: Path) -> None:
    text = (
        '\ncase 3 "Weather":\n  untranslated "weather is left to the players"\ncase 4 "Empty":\n  note "nothing here"\n'
    )
    found = rows(tmp_path, text, "3 3.1 3.1/p2 4 5")
    assert [found[x].status for x in ("3", "3.1", "3.1/p2", "4", "5")] == ["untranslated"] * 3 + ["missing"] * 2


def test_failing_examples_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "pickets.rules"
    path.write_text(PIECES.replace("@B2 in", "@B6 in"))
    assert main(["coverage", str(path)]) == 1
    assert "fail, so that mutants prove nothing" in capsys.readouterr().err


def test_overlays_are_counted_when_asked(tmp_path: Path) -> None:
    text = """
overlay 9 of pickets "Strong zones":
  nature: option
  case 9.1 "Two hexes":
    except 2 zone: usual + neighbors(@B3) when u.strength = 4
    example "far":
      given "Guard" at @B1
      expect @B4 in zone("Guard")
"""
    text = text.replace("overlay 9", "option nine")
    text = text.replace("  nature: option\n", "")
    found = rows(tmp_path, text, "2 9.1")
    assert found["9.1"].status == "missing"
    found = rows(tmp_path, text, "2 9.1", overlays=True)
    assert found["9.1"].status == "run" and found["9.1"].rule_set.endswith("+nine")
    against = """
case 4 "Strong":
  note "the option breaks this example: it speaks of the book alone"
  example "near":
    given "Guard" at @B1
    expect @B4 not in zone("Guard")
  covers 9.1
"""
    assert rows(tmp_path, against + text, "2 9.1", overlays=True)["9.1"].status == "run"
    failing = text.replace("expect @B4 in", "expect @C6 in")
    with pytest.raises(Refusal, match="nine fail"):
        rows(tmp_path, failing, "2 9.1", overlays=True)


def test_an_overlay_is_counted_on_top_of_what_it_requires(tmp_path: Path) -> None:
    text = """
option base of pickets "Far sight":
  case 9.0 "Sight":
    define sight(u: unit) -> number: u.strength
option more of pickets "Strong zones":
  requires: base
  case 9.1 "Two hexes":
    except 2 zone: usual + neighbors(@B3) when sight(u) = 4
    example "far":
      given "Guard" at @B1
      expect @B4 in zone("Guard")
"""
    found = rows(tmp_path, text, "2 9.1", overlays=True)
    assert found["9.1"].status == "run" and found["9.1"].rule_set.endswith("+base+more")


class Unpassable(Exception):
    """An error of two parts of which only one is kept in `args`."""

    def __init__(self, name: str, count: int) -> None:
        super().__init__(name)


def test_errors_come_through_from_other_processes() -> None:
    # A library that another test has loaded (tblib, with dask) may have taught all errors to be pickled.
    assert isinstance(passable(Unpassable("b", 2)), RuntimeError | Unpassable)
    assert "Unpassable: b" in str(passable(Unpassable("b", 2))) or "tblib" in sys.modules
    error = NotCompiled("a", [])
    assert passable(error) is error
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


def test_a_row_is_remembered_while_what_it_rests_on_is_unchanged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = """
case 3 "Strong":
  define strong(u: unit) -> flag: u.strength > 3
  example "strong":
    expect strong("Guard")
"""
    tried: list[str] = []
    struck = evidence.Evidence.struck
    monkeypatch.setattr(
        evidence.Evidence, "struck", lambda self, case, rules: (tried.append(case), struck(self, case, rules))[1]
    )
    first = rows(tmp_path, other)
    assert tried == ["2", "3"]
    assert rows(tmp_path, other) == first and tried == ["2", "3"]
    tried.clear()
    again = rows(tmp_path, other.replace("> 3", "> 2"))
    assert tried == ["3"] and again["2"].status == "run"


def test_the_same_rows_on_any_number_of_processes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "pickets.rules"
    path.write_text(PIECES)
    found = []
    for jobs in (1, 2):
        monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path / f"cache-{jobs}"))
        found.append(coverage(str(path), jobs=jobs))
    assert found[0] == found[1]


def test_a_report_tells_every_status_and_what_is_house(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "pickets.rules"
    path.write_text(PIECES)
    assert main(["coverage", str(path)]) == 0
    assert "rule: 1 run, 1 data" in capsys.readouterr().out
    assert main(["coverage", str(path), "--format", "json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert set(report["totals"]["rule"]) == set(STATUSES) and report["rows"][1]["house"] == []


def test_test_takes_several_cases(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "pickets.rules"
    more = '\ncase 3 "More":\n  example "one":\n    expect "Guard".strength = 4\ncase 4 "Yet more":\n  example "two":\n    expect "Scout".strength = 2\n'
    path.write_text(PIECES + more)
    assert main(["test", str(path), "--case", "3", "--case", "4"]) == 0
    assert "2 passed" in capsys.readouterr().out
    assert main(["test", str(path), "--case", "3", "--case", "7"]) == 2
    assert "no example of case 7" in capsys.readouterr().err


def test_only_an_example_that_runs_the_struck_part_can_prove_it(tmp_path: Path) -> None:
    path = tmp_path / "pickets.rules"
    path.write_text(
        PIECES
        + """
case 3 "Rest":
  mark rested of game: number = 0
  procedure rest(n: number):
    if n = 1:
      set rested = 1
    else:
      set rested = 2
  example "one":
    run rest(1)
    expect rested = 1
  example "two":
    run rest(2)
    expect rested = 2
"""
    )
    made = evidence.Evidence(ready(str(path), (), lambda *_: None))
    (at,) = (i for i, e in enumerate(made.entries) if e.name == "rest")
    met = {
        m.change.span.text.strip(): [made.trials.examples[i].title for i in range(3) if made.meets(i, m)]
        for m in made.strikes([at])
    }
    assert met["set rested = 1"] == ["one"] and met["set rested = 2"] == ["two"], met
