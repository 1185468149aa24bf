"""Evidence stands under its fact: rule sets between two others, and witnesses run under four of them."""

from __future__ import annotations

import multiprocessing
import os
import time
from pathlib import Path
from typing import Any

import pytest

from rulewright.compiler.cli.main import main
from rulewright.compiler.diff.compare import diff
from rulewright.compiler.diff.facts import Fact, compared
from rulewright.compiler.diff.render import render_text
from rulewright.compiler.examples.workers import ENDLESS, Until, spread
from rulewright.compiler.pipeline import Compiled, analyse
from rulewright.compiler.witness.evidence import Evidence
from rulewright.compiler.witness.mixed import Mixer
from rulewright.compiler.witness.rule_set import Rules
from rulewright.compiler.witness.search import searched, witnesses

TEXT = (Path(__file__).parent.parent / "books" / "skirmish.rules").read_text()
ITEMS = {
    "e1": "    amend 3 march.budget: 3 becomes 4",
    "e2": "    define worn(u: unit) -> flag: u.strength = 3\n    except 3 march.budget: 1 when worn(u)",
    "e3": "    forbid move when u.strength = 4\n    forbid attack when any us where it.strength = 3",
    "e4": "    replace row 4 results:\n      | 4-6 | A   | D   | D   |\n      | 4-6 | D   | D   | D   |",
    "e5": '    amend "Blue 2".strength: 4 becomes 6\n    amend @B3.terrain: woods becomes clear',
}
SHEET = TEXT + "".join(
    f'\nerrata {name} of skirmish "Item {name}":\n  source: us\n  case 9{name[1]} "Item {name}":\n{body}\n'
    for name, body in ITEMS.items()
)


def made(path: Path, text: str, overlays: tuple[str, ...] = ()) -> Compiled:
    path.write_text(text)
    found = analyse("+".join([str(path), *overlays]))
    assert not found.report.failed, [d.message for d in found.report.found]
    return found


def holds(rules: Rules, text: str) -> bool | None:
    example = rules.read(text)
    return None if example is None else rules.holds(example).passed


def test_each_witness_of_a_sheet_of_five_holds_for_its_item(tmp_path: Path) -> None:
    """The items of the sheet are overlays: each fact is put in and left out by stacking, not by mixing."""
    names = tuple(ITEMS)
    path = tmp_path / "skirmish.rules"

    def stack(*chosen: str) -> Compiled:
        return made(path, SHEET, chosen)

    before, after = stack(), stack(*names)
    found = [f for f in compared(before, after).facts if searched(f)]
    home = {f.id: name for name in names for f in compared(before, stack(name)).facts}
    shown = witnesses(before, after, found)
    printed = [w for w in shown if w["example"]]
    assert len(printed) >= 8
    rules = {name: (Rules(stack(name)), Rules(stack(*(x for x in names if x != name)))) for name in names}
    ends = Rules(before), Rules(after)
    for w in printed:
        alone, without = (holds(r, w["example"]) for r in rules[home[w["fact"]]])
        first, last = (holds(r, w["example"]) for r in ends)
        held = w["holds"] == "before"
        assert w["stands"] in ("own", "joint", "shared") and {home[x] for x in w["partners"]} <= {home[w["fact"]]}, w
        left = held if w["stands"] != "shared" else not held
        assert (first, alone, without, last) == (held, not held, left, not held), w
    assert sum(w["stands"] == "shared" for w in printed) <= 1


def test_the_first_rule_set_with_one_fact_differs_by_that_fact(tmp_path: Path) -> None:
    before, after = (made(tmp_path / "skirmish.rules", SHEET, x) for x in ((), tuple(ITEMS)))
    between = compared(before, after)
    mixer = Mixer(before, after, between)
    none = mixer.mix(())
    assert none is not None and play(before, none) == []
    assert mixer.mix(f.id for f in between.facts) is after
    alone = {f.id: mixer.mix([f.id]) for f in between.facts if searched(f)}
    cells = [f for f in between.facts if f.element == "cell"]
    stands = {id: [f.id for f in play(before, x)] for id, x in alone.items() if x is not None}
    assert all(found == [id] for id, found in stands.items() if id not in {f.id for f in cells})
    assert len(cells) == 1
    for id, x in alone.items():  # a cell is carried over in the core, not in the text
        if x is not None and x.book is not None and after.book is not None and before.book is not None:
            source = after.book if id == cells[0].id else before.book
            assert x.book.tables["results"].cells == source.tables["results"].cells
    dependent = [f for f in between.facts if f.id in alone and alone[f.id] is None]
    assert [f.name for f in dependent] == ["march.budget"], "only the exception asks a new definition"


def play(a: Compiled, b: Compiled) -> list[Fact]:
    return [f for f in compared(a, b).facts if searched(f)]


def weather(rain: str, more: str) -> str:
    return TEXT.replace(
        '\ncase 3 "Movement"',
        f'\ncase 2.1 "Rain":\n  define rain() -> flag: {rain}\n\ncase 3 "Movement"',
    ).replace('\ncase 4 "Battle"', f'\ncase 3.3 "Mud":\n{more}\ncase 4 "Battle"')


def between(tmp_path: Path, old: str, new: str) -> tuple[list[Fact], dict[str, dict[str, Any]]]:
    a, b = made(tmp_path / "a.rules", old), made(tmp_path / "b.rules", new)
    found = play(a, b)
    return found, {w["fact"]: w for w in witnesses(a, b, found)}


def test_what_takes_two_facts_names_both(tmp_path: Path) -> None:
    quiet = weather("count(units(red)) < 0", "  except 3 march.budget: 5 when u.strength = 77\n")
    loud = weather("count(units(red)) >= 0", "  except 3 march.budget: 5 when rain()\n")
    facts, shown = between(tmp_path, quiet, loud)
    assert len(facts) == 2
    rain, mud = sorted(facts, key=lambda f: f.case)
    assert shown[mud.id]["stands"] == "joint" and shown[mud.id]["partners"] == [rain.id]
    assert "ends(march" in shown[mud.id]["example"] or "budget" in shown[mud.id]["example"]
    assert shown[rain.id]["stands"] in ("own", "joint")


def test_what_the_others_undo_says_so(tmp_path: Path) -> None:
    """A budget that another fact overrides for everybody."""
    old = weather("true", "  except 3 march.budget: 3 when u.strength = 77\n")
    new = old.replace("    budget: 3\n", "    budget: 4\n").replace("3 when u.strength = 77", "3 when u.strength < 77")
    facts, shown = between(tmp_path, old, new)
    budget = next(f for f in facts if f.after == "4")
    assert shown[budget.id]["stands"] == "hidden"


def test_a_changed_example_stands_under_the_fact_that_makes_it(tmp_path: Path) -> None:
    lines = 'given "Red 1" at @A1\n    expect @A4 in ends(march("Red 1"))'
    example = f'\ncase 9 "Examples":\n  example "a march":\n    {lines}\n'
    old = made(tmp_path / "a.rules", TEXT + example)
    new = TEXT.replace("    budget: 3\n", "    budget: 2\n").replace("march.enter: 2 when", "march.enter: 3 when")
    b = made(tmp_path / "b.rules", new + example)
    evidence = Evidence(old, b, jobs=1)
    found = diff(old, b, file=evidence.file)
    by_fact = {f.after: next(j for j in found.judgements if j.fact == f.id) for f in found.facts}
    assert [e["title"] for e in by_fact["2"].examples] == ["a march"]
    assert by_fact["2"].examples[0]["stands"] == "own" and by_fact["2"].certainty != "unproved"
    assert by_fact["3"].examples == ()


# ---------------------------------------------------------------- processes and time


class OnceDone(Until):
    """The time is up when so many pieces are done, however long they took."""

    def __init__(self, wanted: int) -> None:
        super().__init__()
        self.wanted, self.done = wanted, 0

    def left(self) -> float | None:
        return 0.0 if self.done >= self.wanted else 600.0


def test_work_that_runs_over_its_time_is_ended() -> None:
    """One piece never ends: the others are all done by the second process, and no process is left behind."""

    def work(i: int) -> int:
        if i == 1:
            time.sleep(600)
        return i * i

    known = {p.pid for p in multiprocessing.active_children()}
    until, done = OnceDone(3), []
    for x in spread(4, work, 2, until):
        done.append(x)
        until.done += not x.late
    assert [(x.piece, x.result) for x in done if not x.late] == [(0, 0), (2, 4), (3, 9)]
    assert [(x.piece, x.result) for x in done if x.late] == [(1, None)]
    assert {p.pid for p in multiprocessing.active_children()} <= known


def test_nothing_is_begun_when_the_time_is_up() -> None:
    done = list(spread(3, lambda i: os._exit(9) if i >= 0 else i, 2, OnceDone(0)))
    assert [(x.piece, x.late) for x in done] == [(0, True), (1, True), (2, True)]


SLOW = """book slow "Slow"

case 1 "Work":
  kind side: red, blue
  define base -> number: 1
  define rest -> number: 0
  define work -> number: base + base

case 2 "Example":
  example "twice the base":
    expect work = 2

errata e of slow "E":
  case E.1 "More":
    amend 1 base: 1 becomes 2
"""


def test_the_time_is_that_of_the_examples_too(tmp_path: Path) -> None:
    """Examples are ended like a search; what was not run is said."""
    path = tmp_path / "slow.rules"
    path.write_text(SLOW, encoding="utf-8")
    sides = analyse(str(path)), analyse(f"{path}+e")
    assert not any(s.report.failed for s in sides), [d.message for s in sides for d in s.report.found]
    made = diff(*sides, jobs=2, until=OnceDone(0))
    assert made.unrun == 1 and not made.judgements[0].examples
    assert "the time was up before 1 worked example was run" in render_text(made)
    made = diff(*sides, jobs=2)
    assert made.unrun == 0 and [e["title"] for e in made.judgements[0].examples] == ["twice the base"]


def test_an_example_that_stands_under_no_fact_is_told(tmp_path: Path) -> None:
    """Two changes that either of them explains, and no search that could tell them apart."""
    path = tmp_path / "slow.rules"
    book = SLOW.replace(
        "    amend 1 base: 1 becomes 2\n", "    amend 1 base: 1 becomes 2\n    amend 1 rest: 0 becomes 1\n"
    )
    path.write_text(book.replace("base + base", "base + base + rest"), encoding="utf-8")
    sides = analyse(str(path)), analyse(f"{path}+e")
    assert not any(s.report.failed for s in sides), [d.message for s in sides for d in s.report.found]
    made = diff(*sides)
    assert [e["title"] for e in made.unfiled] == ["twice the base"] and not any(j.examples for j in made.judgements)
    said = "examples that change by no single fact, as far as was tried: twice the base (2)"
    assert said in render_text(made) and made.as_json()["examples_of_no_fact"] == made.unfiled
    alone = diff(*sides, file=Evidence(*sides).file)
    assert alone.unfiled == [] and all(j.examples for j in alone.judgements)


def test_a_process_that_breaks_costs_its_piece_alone() -> None:
    def work(i: int) -> int:
        if i == 0:
            os._exit(7)
        return i

    done = {x.piece: x.result for x in spread(3, work, 2, ENDLESS)}
    assert done == {0: None, 1: 1, 2: 2}


def test_a_search_that_is_not_finished_in_time_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from rulewright.compiler.witness import search

    def endless(self: Any, f: Fact) -> dict[str, Any]:
        time.sleep(600)
        return {}

    monkeypatch.setattr(search.Search, "fact", endless)
    (tmp_path / "s.rules").write_text(SHEET)
    start = time.monotonic()
    assert main(["diff", f"{tmp_path}/s.rules", f"{tmp_path}/s.rules+e1", "--time", "2", "--quiet"]) == 0
    assert time.monotonic() - start < 60
    assert "not finished in 2 seconds" in capsys.readouterr().out


def test_a_case_or_a_fact_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "s.rules").write_text(SHEET)
    sides = [f"{tmp_path}/s.rules", f"{tmp_path}/s.rules+e1+e3+e4"]
    fast = ["--no-witnesses", "--no-examples", "--quiet"]
    assert main(["diff", *sides, "--case", "93", *fast]) == 0
    said = capsys.readouterr().out
    assert "forbid attack" in said and "results" not in said
    id = said[said.index("forbid attack") :].split("[")[1].split("]")[0]
    assert main(["diff", *sides, "--fact", id, *fast]) == 0
    said = capsys.readouterr().out
    assert "forbid attack" in said and "forbid move" not in said
