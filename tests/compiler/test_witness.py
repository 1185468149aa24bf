"""Witnesses: found by search, minimal, the same on every run, and true of both rule sets by code and interpreter."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from rulewright.compiler.cli.main import main
from rulewright.compiler.diff.compare import Diff, diff
from rulewright.compiler.diff.facts import facts
from rulewright.compiler.pipeline import Compiled, analyse
from rulewright.compiler.witness import lines
from rulewright.compiler.witness.rule_set import Rules
from rulewright.compiler.witness.search import verdicts, witnesses
from rulewright.compiler.witness.text import example_text, line_text

BOOK = Path(__file__).parent.parent / "books" / "skirmish.rules"
TEXT = BOOK.read_text()

CHANGES = {
    "a number in a definition": ("odds_of(us, h) >= 1:2", "odds_of(us, h) >= 1:1"),
    "a value in a definition": ("{u.hex} + neighbors(u.hex)", "{u.hex}"),
    "an exception added": ("\n\ncase 4 ", "\n  except 2 zone: {u.hex} when u.strength = 4\n\ncase 4 "),
    "a prohibition added": ("\n\ncase 3.2", "\n  forbid move when u.strength = 3\n\ncase 3.2"),
    "a prohibition struck": ("    forbid as enemy_there when any units_at(there) where it.side != u.side\n", ""),
    "a table cell": ("| 4-6 | A   | D   | D   |", "| 4-6 | A   | A   | D   |"),
    "a unit's strength": ("    4 blue: Blue 1 @D4, Blue 2 @D5", "    4 blue: Blue 1 @D4\n    5 blue: Blue 2 @D5"),
    "a route cost": ("march.enter: 2 when", "march.enter: 3 when"),
    "a budget": ("budget: 3", "budget: 4"),
    "a procedure's effect": ("      put lost in dead(phasing)", "      put us in dead(phasing)"),
    "a trigger added": (
        "\ncase 6 ",
        '\ncase 5.1 "Tired":\n  on end of combat:\n    set units(phasing).moved = true\n\ncase 6 ',
    ),
    "an end of the game": ("\ncase 6 ", '\ncase 5.1 "Gone":\n  whenever no units(red): win blue\n\ncase 6 '),
    "the lifetime of a mark": ("mark moved of unit until end of side_turn", "mark moved of unit until end of movement"),
    "a hex": ("terrain woods: B2, B3", "terrain woods: B2"),
    "a phase": (
        "        if no units(enemy",
        "        phase rest:\n          offer phasing: move\n        if no units(enemy",
    ),
}


def pair(folder: Path, old: str, new: str, text: str = TEXT) -> tuple[Compiled, Compiled]:
    assert old in text, old
    (folder / "base.rules").write_text(text)
    (folder / "other.rules").write_text(text.replace(old, new))
    found = analyse(str(folder / "base.rules")), analyse(str(folder / "other.rules"))
    for made in found:
        assert not made.report.failed, [d.message for d in made.report.found]
    return found


def searched(a: Compiled, b: Compiled, positions: int = 300) -> Diff:
    return diff(a, b, examples=False, search=lambda a, b, facts: witnesses(a, b, facts, positions))


def found(made: Diff) -> list[dict[str, Any]]:
    return [w for w in made.witnesses if w["example"]]


def test_identical_rule_sets_have_no_witness(tmp_path: Path) -> None:
    a, b = pair(tmp_path, "case 1", "case 1")
    made = searched(a, b)
    assert made.facts == [] and made.witnesses == []


def test_a_change_of_form_alone_has_no_witness(tmp_path: Path) -> None:
    """The same core in other words: however often one looks, nothing differs."""
    a, b = pair(
        tmp_path, "    | 1-3 | A   | A   | D   |", "    | 1   | A   | A   | D   |\n    | 2-3 | A   | A   | D   |"
    )
    assert found(searched(a, b)) == []


@pytest.mark.parametrize("name", CHANGES)
def test_a_change_has_a_witness_that_both_readings_confirm(name: str, tmp_path: Path) -> None:
    a, b = pair(tmp_path, *CHANGES[name])
    seen = found(searched(a, b))
    assert seen, name
    both = Rules(a), Rules(b)
    for w in seen:
        assert verdicts(both, w["example"]) in ([(True, True), (False, False)], [(False, False), (True, True)])
        assert w["before"]["answer"] != w["after"]["answer"]
        assert 1 <= w["found"] <= w["positions"] <= 320


@pytest.mark.parametrize("name", CHANGES)
def test_no_line_of_a_witness_can_be_spared(name: str, tmp_path: Path) -> None:
    a, b = pair(tmp_path, *CHANGES[name])
    both = Rules(a), Rules(b)
    for w in found(searched(a, b)):
        head, *lines, claim = w["example"].split("\n")
        for i, line in enumerate(lines):
            rest = [*lines[:i], *lines[i + 1 :]]
            if line.strip().startswith("dice"):
                tries = [[*lines[:i], f"  dice {n}", *lines[i + 1 :]] for n in range(1, 7)]
                assert any(not apart(both, [head, *x, claim]) for x in tries), line
            else:
                assert not apart(both, [head, *rest, claim]), line


def apart(both: tuple[Rules, Rules], lines: list[str]) -> bool:
    """Whether an example holds under one rule set and fails under the other, both able to run it to its end."""
    seen = []
    for rules in both:
        example = rules.read("\n".join(lines))
        if example is None:
            return False
        outcome = rules.holds(example)
        if any(row < len(lines) + 1 for row, _ in outcome.failures):
            return False
        seen.append(outcome.passed)
    return seen[0] != seen[1]


def test_an_exception_that_never_applies_is_told_with_its_tries(tmp_path: Path) -> None:
    a, b = pair(tmp_path, "\n\ncase 4 ", "\n  except 2 zone: {u.hex} when u.strength = 99\n\ncase 4 ")
    made = searched(a, b, 40)
    [w] = made.witnesses
    assert w["example"] is None and w["positions"] == 40 and w["found"] == 0
    from rulewright.compiler.diff.render import render_text

    assert "no witness found (40 positions tried)" in render_text(made)


def test_the_direction_is_observed_where_it_is_not_proved(tmp_path: Path) -> None:
    a, b = pair(tmp_path, "when every us has adjacent(it.hex, h)", "when every us has it.hex within 1 of h or it.moved")
    made = searched(a, b)
    [j] = made.judgements
    assert found(made) and j.certainty.startswith("observed in ") and j.direction == "wider"


def test_two_runs_give_the_same_bytes_whatever_the_hash_seed(tmp_path: Path) -> None:
    pair(tmp_path, "budget: 3", "budget: 2")
    code = "import sys; from rulewright.compiler.cli.main import main; sys.exit(main(sys.argv[1:]))"
    args = ["diff", "base.rules", "other.rules", "--no-examples", "--format", "json"]
    seen = []
    for seed in ("1", "2"):
        env = {**os.environ, "PYTHONHASHSEED": seed}
        seen.append(
            subprocess.run(
                [sys.executable, "-c", code, *args], cwd=tmp_path, env=env, capture_output=True, check=True
            ).stdout
        )
    assert seen[0] == seen[1]
    [w] = json.loads(seen[0])["witnesses"]
    assert w["example"] and w["judgement"] and {"fact", "case", "before", "after", "positions"} <= set(w)


def test_the_command_shows_witnesses_or_leaves_them_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pair(tmp_path, *CHANGES["a prohibition added"])
    names = [str(tmp_path / "base.rules"), str(tmp_path / "other.rules")]
    assert main(["diff", *names]) == 0
    shown = capsys.readouterr().out
    assert "witness (of " in shown and "before: legal" in shown and "after: refused by 3.1" in shown
    assert main(["diff", *names, "--no-witnesses"]) == 0
    assert "witness (of" not in capsys.readouterr().out
    with pytest.raises(SystemExit, match="2"):
        main(["diff", *names, "--positions", "0"])


def test_the_page_draws_the_position(tmp_path: Path) -> None:
    pair(tmp_path, *CHANGES["a prohibition added"])
    page = tmp_path / "page.html"
    assert (
        main(["diff", str(tmp_path / "base.rules"), str(tmp_path / "other.rules"), "--format", "html", "-o", str(page)])
        == 0
    )
    text = page.read_text()
    assert "<svg viewBox=" in text and "<title id=" in text and "<desc id=" in text
    assert 'href="http' not in text and "src=" not in text


def test_balance_plays_the_same_seeds_under_both(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pair(tmp_path, "| 4-6 | A   | D   | D   |", "| 4-6 | A   | A   | D   |")
    names = [str(tmp_path / "base.rules"), str(tmp_path / "other.rules")]
    assert (
        main(["diff", *names, "--no-witnesses", "--no-examples", "--games", "6", "--jobs", "1", "--format", "json"])
        == 0
    )
    seen = json.loads(capsys.readouterr().out)["balance"]
    assert seen["games"] == 6 and seen["scenario"] == "battle" and set(seen["sides"]) == {"red", "blue"}
    from rulewright.compiler.playtest.playtest import playtest
    from rulewright.compiler.playtest.records import Setting
    from rulewright.compiler.playtest.stage import Stage

    for word, name in zip(("before", "after"), names, strict=True):
        played = playtest(Stage(Setting(name, "battle", ("random",), 20_000)), range(6)).played
        assert seen["sides"]["blue"][word] == sum(p.winner == "blue" for p in played)
    assert main(["diff", *names, "--games", "2", "--scenario", "nowhere"]) == 2
    assert main(["diff", *names, "--no-witnesses", "--games", "2", "--jobs", "1"]) == 0
    told = capsys.readouterr().out
    assert "balance over 2 games of battle" in told and "measured by random (" in told and "caution: random" in told


TWO_MAPS = """book fields "Two maps"
case 1 "The maps":
  kind side: red, blue
  field city of hex: flag
  map small:
    default: yes
    grid: rows A..C, columns from the west
    hexes: A1..A4, B1..B4, C1..C4
    city: A1
  map large:
    shares ids with: small
    grid: rows A..H, columns from the west
    hexes: A1..A9, B1..B9, C1..C9, D1..D9, E1..E9, F1..F9, G1..G9, H1..H9
    city: A1, G7
    name Birch: G7
  roster armies:
    form: side
    red: Red 1 @A1, Red 2 @A2
    blue: Blue 1 @C4, Blue 2 @B3
case 2 "Play":
  action move(u: unit from units(phasing), h: hex from neighbors(u.hex)) by phasing during turn:
    when h within 2 of Birch
    put u in h
  sequence play:
    phase turn for phasing in [red, blue]:
      offer phasing: move
  scenario heights:
    sequence: play
    map: large
"""


def test_what_is_on_another_map_is_looked_for_there(tmp_path):
    sides = []
    for name, reach in (("a", "2"), ("b", "3")):
        (tmp_path / f"{name}.rules").write_text(TWO_MAPS.replace("within 2", f"within {reach}"))
        sides.append(analyse(str(tmp_path / f"{name}.rules")))
    (found,) = witnesses(*sides, facts(*sides))
    assert "given map large" in found["example"] and "move" in found["example"]


def test_every_line_of_a_position_is_printed_as_examples_are_read(tmp_path):
    path = tmp_path / "a.rules"
    path.write_text(TWO_MAPS)
    rules = Rules(analyse(str(path)))
    found = [lines.on_map("large"), lines.setup("heights"), lines.at("Red 1", "A2"), lines.during("turn"), lines.die(3)]
    for line in found:
        assert rules.read(example_text("x", [line_text(rules, line)])) is not None, line_text(rules, line)


def test_another_set_up_has_a_witness(tmp_path):
    sides = []
    for name, start in (("a", "A2"), ("b", "A3")):
        (tmp_path / f"{name}.rules").write_text(TWO_MAPS.replace("Red 2 @A2", f"Red 2 @{start}"))
        sides.append(analyse(str(tmp_path / f"{name}.rules")))
    (found,) = witnesses(*sides, facts(*sides))
    assert found["example"] is not None and "given scenario heights" in found["example"]
