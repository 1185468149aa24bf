"""`rulewright mutate`: what is a mutant, who notices it, and what is said about those that nobody does."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rulewright.compiler.cli.main import main
from rulewright.compiler.core.nodes import Example
from rulewright.compiler.examples import trial
from rulewright.compiler.examples.campaign import campaign
from rulewright.compiler.examples.changes import KINDS
from rulewright.compiler.examples.executed_lines import LineTracer
from rulewright.compiler.examples.executed_statements import Runs
from rulewright.compiler.examples.mutants import Wanted, mutants, sample
from rulewright.compiler.examples.run import Outcome, Runner
from rulewright.compiler.examples.trial import Trials
from rulewright.compiler.pipeline import analyse
from rulewright.runtime.problems import Refusal

BOOK = """book pickets "Pickets"

case 1 "Pieces":
  kind side: red, blue
  field strength of unit: number
  mark tired of unit until end of turn
  map field:
    grid: rows A..C, columns from the east
    hexes: A1..A6, B1..B6, C1..C6
  roster all:
    form: strength side
    4 red: Guard @B1
    2 red: Patrol @A1
    2 blue: Scout @B6

case 2 "Zone of control":
  define zone(u: unit) -> set of hex: {u.hex} + neighbors(u.hex)

case 3 "Scouts hold only their own hex":
  except 2 zone: {u.hex} when u.strength < 3 and u.side = blue

case 4 "Worth":
  table worth(strength: number) -> number:
    | strength | worth |
    | 1-3      | 1     |
    | 4        | 3     |
  gather value_of(u: unit) -> number: worth(u.strength)

case 5 "Tired units count less":
  add to value_of: plus -1 when u.tired

case 6 "Turn":
  procedure tire(u: unit):
    set u.tired
    if u.side = red:
      for each other in units(blue) where it.tired = false: set other.tired
  sequence game:
    phase turn:
      do tire("Guard")
    phase rest:
      do tire("Scout")

case 7 "A long march":
  mark weary of unit: number = 0
  procedure march(u: unit):
    repeat at most 2 while u.weary < 2: do step(u)
  procedure step(u: unit):
    set u.weary = u.weary + 1
"""
EXAMPLES = """
case 8 "Examples":
  example "a guard holds the hexes around it, a scout does not":
    given "Guard" at @B1, "Scout" at @B6
    expect @B2 in zone("Guard")
    expect zone("Scout") = {@B6}
  example "a guard is worth three":
    given "Guard" at @B1
    expect value_of("Guard") = 3
  example "tired":
    given "Guard" at @B1, "Scout" at @B6
    run tire("Guard")
    expect "Guard".tired
  example "a march wearies":
    given "Guard" at @B1
    run march("Guard")
    expect "Guard".weary = 2
"""


@pytest.fixture
def book(tmp_path: Path) -> Path:
    path = tmp_path / "pickets.rules"
    path.write_text(BOOK + EXAMPLES)
    return path


def tried(path: Path, **wanted: frozenset[str]) -> dict[str, list[str]]:
    """What became of all mutants, by the words of the change."""
    trials = Trials(str(path))
    assert not trials.failing()
    found: dict[str, list[str]] = {}
    for m in mutants(trials.made, Wanted(**wanted)):
        found.setdefault(f"{m.kind}: {m.what}", []).append(trials.try_out(m).status)
    return found


def test_every_kind_of_slip_is_judged_by_the_examples(book: Path) -> None:
    found = tried(book)
    assert found["exception: struck: except 2 zone: {u.hex} when u.strength < 3 and u.side = blue"] == ["noticed"]
    assert found["contribution: struck: add to value_of: plus -1 when u.tired"] == ["unnoticed"]
    assert found["cell: worth, row 4, worth: 3 becomes 1"] == ["noticed"]
    assert found["cell: worth, row 1-3, worth: 1 becomes 3"] == ["unnoticed"]
    assert found["comparison: u.strength < 3 becomes u.strength <= 3"] == ["unnoticed"]
    assert found["when: without the condition u.side = blue"] == ["unnoticed"]
    assert found["side: blue becomes red"] == ["noticed", "unnoticed"]
    assert found["statement: without: set u.tired"] == ["noticed"]
    assert found["statement: without: set other.tired"] == ["unnoticed"]
    assert found["lifetime: tired is never cleared by itself"] == ["unnoticed"]
    assert found['phase: without: phase turn: do tire("Guard")'] == ["refused"]  # a mark lasts until its end
    assert found['phase: without: phase rest: do tire("Scout")'] == ["unnoticed"]
    assert "number: 3 becomes 4" in found and "condition: u.tired becomes not u.tired" in found


def test_an_example_that_does_not_end_has_failed(book: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trial, "LEAST", 0.1)
    monkeypatch.setattr(trial, "TIMES", 0.0)
    trials = Trials(str(book))

    def forever(*_: object) -> None:
        while True:
            pass

    bound = trials.expressions.bound(trials.loaded.program)
    assert all(trials.holds(i, trials.loaded.program, bound[i]) for i in range(4))
    monkeypatch.setattr(trial.Runner, "line", forever)
    assert not trials.holds(0, trials.loaded.program, bound[0])


def test_a_struck_rule_on_which_others_hang_never_applies(tmp_path: Path) -> None:
    path = tmp_path / "hang.rules"
    more = """
case 9 "But not on row A":
  except 3 zone: {} when u.hex = @A1
  example "a patrol of blue on row A holds nothing":
    given "Scout" at @A1
    expect zone("Scout") = {}
"""
    path.write_text(BOOK + EXAMPLES + more)
    found = tried(path, kinds=frozenset({"exception"}))
    assert list(found.values()) == [["noticed"], ["noticed"]]


def test_the_same_seed_gives_the_same_mutants_on_any_number_of_processes(book: Path) -> None:
    trials = Trials(str(book))
    orders = [[m.id for m in sample(mutants(trials.made), seed)] for seed in (1, 1, 2)]
    assert orders[0] == orders[1] != orders[2]
    assert sorted(orders[0]) == sorted(orders[2])
    results = [
        [(r.mutant.id, r.noticed, r.by, r.met) for r in campaign(trials, sample(mutants(trials.made), 1), 12, jobs)]
        for jobs in (1, 2)
    ]
    assert results[0] == results[1] and len(results[0]) == 12


def test_the_kinds_take_turns(book: Path) -> None:
    found = [m.kind for m in sample(mutants(analyse(str(book))), 1)]
    first = found[: len({*found})]
    assert sorted(first, key=KINDS.index) == first and len({*first}) == len(first)


def test_an_id_holds_while_its_declaration_is_not_edited(book: Path) -> None:
    before = {m.id for m in mutants(analyse(str(book))) if m.case == "3"}
    book.write_text(
        book.read_text().replace("add to value_of: plus -1", "add to value_of: plus -2").replace("case 3", "\n\ncase 3")
    )
    assert {m.id for m in mutants(analyse(str(book))) if m.case == "3"} == before
    book.write_text(book.read_text().replace("u.strength < 3", "u.strength < 4"))
    assert {m.id for m in mutants(analyse(str(book))) if m.case == "3"}.isdisjoint(before)


def test_a_label_of_a_condition_leaves_the_ids_as_they_are(tmp_path: Path) -> None:
    found = []
    for when in ("when", "when as able:"):
        path = tmp_path / "pickets.rules"
        act = f"  action cheer(u: unit from all_units()) by red anytime:\n    {when} u.strength > 1 and u.strength < 9\n"
        path.write_text(f'{BOOK}case 9 "Cheers":\n{act}    log "{{u}}"\n')
        found.append([m.id for m in mutants(analyse(str(path))) if m.case == "9"])
    assert found[0] == found[1] and len(found[0]) > 4


def test_failing_examples_are_refused(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    book.write_text(book.read_text().replace('value_of("Guard") = 3', 'value_of("Guard") = 4'))
    assert main(["mutate", str(book), "--count", "2"]) == 1
    assert "fail, so that mutants prove nothing" in capsys.readouterr().err


# ---------------------------------------------------------------- the command


def test_survivors_are_listed_with_place_words_and_how_to_try_again(
    book: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["mutate", str(book), "--case", "5", "--kind", "contribution", "--jobs", "1"]) == 1
    told = capsys.readouterr().out
    [id] = [m.id for m in mutants(analyse(str(book))) if m.kind == "contribution"]
    line = next(i for i, text in enumerate(book.read_text().split("\n"), 1) if "add to value_of" in text)
    assert f"{id}  {book}:{line}\n  struck: add to value_of: plus -1 when u.tired\n" in told
    assert f"rulewright mutate {book} --id {id}" in told
    assert "0 of 1 mutants noticed, seed 1: 0.0 %" in told
    assert main(["mutate", str(book), "--id", id, "--at-least", "0", "--format", "json"]) == 0
    document = json.loads(capsys.readouterr().out)
    [row] = document["mutants_tried"]
    assert (row["id"], row["status"], row["line"]) == (id, "unnoticed", line)
    assert document["kinds"] == {"contribution": {"mutants": 1, "noticed": 0, "equivalent": 0, "score": 0.0}}
    assert main(["mutate", str(book), "--id", "5:ban:00000000"]) == 2


def test_equivalent_mutants_have_a_reason_and_are_watched(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "rulebooks" / "pickets"
    folder.mkdir(parents=True)
    (folder / "book.rules").write_text(BOOK)
    (folder / "examples.rules").write_text(EXAMPLES)
    name = str(folder)
    known = {f"{m.kind}: {m.what}": m.id for m in mutants(analyse(name))}
    alike = known["comparison: u.strength < 3 becomes u.strength <= 3"]
    noticed = known["cell: worth, row 4, worth: 3 becomes 1"]
    file = folder / "equivalent.tsv"
    file.write_text(f"# argued\n{alike}\tno counter has a strength of three\n")
    assert main(["mutate", name, "--id", alike]) == 0
    assert "0 of 0 mutants noticed, seed 1: 100.0 %, 1 more equivalent" in capsys.readouterr().out
    file.write_text(f"{alike}\tno counter has a strength of three\n{noticed}\twrongly\n3:number:0\tgone\n")
    assert main(["mutate", name, "--id", alike, "--id", noticed]) == 1
    told = capsys.readouterr().out
    assert "argued to be equivalent, but it is noticed by 8: a guard is worth three" in told
    assert "3:number:0: argued to be equivalent, but no such mutant is left" in told
    assert "more than 3 of 100" in told
    file.write_text(f"{alike}\n")
    assert main(["mutate", name, "--id", alike]) == 1
    assert "an id, a tab and the reason" in capsys.readouterr().err


def test_a_read_reason_refuses_twins(tmp_path: Path) -> None:
    from rulewright.compiler.examples.equivalent import read_reasons

    path = tmp_path / "equivalent.tsv"
    path.write_text("1:number:a\tone\n1:number:a\ttwo\n")
    with pytest.raises(Refusal, match="twice"):
        read_reasons(path)


def test_marks_tell_the_lines_that_a_tracer_sees(book: Path) -> None:
    trials = Trials(str(book))
    bound = trials.expressions.bound(trials.loaded.program)
    tracer = LineTracer(trials.loaded.folder)
    texts = trials.memory.texts
    for i, example in enumerate(trials.examples):
        with tracer:
            Runner(trials.book, trials.loaded.program, bound[i]).run(example)
        seen = {(m, k) for m, k in tracer.lines if not texts[m].split("\n")[k - 1].startswith("def ")}
        assert seen and seen == Runs(trials.runs.statements, [trials.called[i]]).lines


def test_an_example_is_run_again_only_where_something_changed(book: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ran: list[str] = []
    run = Runner.run

    def noted(self: Runner, example: Example) -> Outcome:
        ran.append(example.title)
        return run(self, example)

    monkeypatch.setenv("RULEWRIGHT_CACHE", str(book.parent / "cache"))
    monkeypatch.setattr(Runner, "run", noted)
    first = Trials(str(book))
    assert len(ran) == 4
    ran.clear()
    text = book.read_text()
    book.write_text(text.replace('"a guard is worth three"', '"a guard is worth 3"'))
    second = Trials(str(book))
    assert ran == ["a guard is worth 3"]
    assert second.runs.lines == first.runs.lines and [x.failures for x in second.called] == [()] * 4
    ran.clear()
    book.write_text(text.replace('expect value_of("Guard") = 3', 'expect value_of("Guard") = 2'))
    assert Trials(str(book)).failing() and Trials(str(book)).failing()
    assert ran == ["a guard is worth three"] * 2, "a failure is not remembered"
    ran.clear()
    book.write_text(text.replace("| 4        | 3     |", "| 4        | 2     |"))
    assert Trials(str(book)).failing() and len(ran) == 4, "another module may change every example"


def test_what_is_only_told_is_no_mutant(tmp_path: Path) -> None:
    path = tmp_path / "heralds.rules"
    path.write_text(TOLD)
    assert tried(path) == {
        "statement: without: roll die = 1d6": ["refused"],
        "statement: without: set told_of = die": ["noticed"],
    }


TOLD = """book heralds "Heralds"

case 1 "A roll":
  kind side: red, blue
  mark told_of of game: number
  procedure cast:
    roll die = 1d6
    if die <= 2: log "low"
    else if die > 5: log "high"
    else: log "die {die + 1}"
    match die:
      is 1: log "one"
      otherwise: log "more than one"
    for each s in {red, blue} where it = red: log "{s}"
    set told_of = die
  example "a six":
    dice 6
    run cast
    expect told_of = 6
"""
