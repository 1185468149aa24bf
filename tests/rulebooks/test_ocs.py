"""The Operational Combat Series: its inventory, its trial game, and another game that stands on it and amends it."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from rulewright.compiler import load
from rulewright.compiler.examples.run import run_examples
from rulewright.compiler.pipeline import analyse
from rulewright.dsl.diagnostics import Reporter
from rulewright.dsl.parse import parse
from rulewright.dsl.print import print_rules
from rulewright.runtime import RandomPlayer
from rulewright.runtime.players import BusyPlayer
from rulewright.runtime.view import view

ROOT = Path(__file__).parents[2]
PLAIN = ROOT / "tests" / "books" / "plain.rules"
MOST = 3000
CHAPTERS = {str(n) for n in range(2, 21)}


def played(book, scenario: str, seed: int):
    game = book.new(scenario, seed)
    players = {side: RandomPlayer(seed * 31 + i) for i, side in enumerate(book.program.sides)}
    made = 0
    while not game.over and made < MOST:
        decision = game.decisions[0]
        game.do(players[decision.side](game, decision))
        game.check()
        made += 1
    assert game.over
    return game


def test_every_row_of_the_chapters_at_hand_is_declared() -> None:
    made = analyse("ocs")
    assert made.entries is not None and not made.report.failed
    declared = {case for entry in made.entries for case in (entry.case, *entry.covers)}
    with (ROOT / "rulebooks" / "ocs" / "inventory.tsv").open() as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    assert {r["source"] for r in rows} <= {"printed elsewhere", "general knowledge", "house"}
    mine = {r["case"] for r in rows if r["executable"] == "rule" and r["case"].split(".")[0] in CHAPTERS}
    assert mine <= declared and made.book is not None and not made.book.untranslated


def test_a_stack_shows_its_top_unit_and_its_top_plane() -> None:
    """4.9 over a game: of every enemy stack a side sees one counter at least, and two at most where nobody fights."""
    book = load("ocs")
    game = book.new("trial", 8)
    players = {side: BusyPlayer(80 + i) for i, side in enumerate(book.program.sides)}
    stacks = hidden = 0
    for _ in range(120):
        S = game.state
        for side in book.program.sides:
            seen = {name for name in view(game, side)["units"]}
            for place in S.hexes:
                others = [u for u in S.here[place] if S.unit_side[u] != side]
                if not others:
                    continue
                told = [u for u in others if book.program.units[u] in seen]
                stacks += 1
                hidden += len(others) - len(told)
                fights = S.place_stood_by[place] != "nobody" and S.place_stood_by[place] is not None
                flies = any(S.unit_flying[u] or S.unit_engaged[u] for u in others)
                assert told and (len(told) <= 2 or fights or flies), (place, side)
        decision = game.decisions[0]
        game.do(players[decision.side](game, decision))
    assert stacks > 1000 and hidden > 500


def test_what_is_supposed_of_a_counter_tells_in_all_that_is_kept() -> None:
    """4.5: zones are kept for each counter; an example that supposes a mark of it asks them anew."""
    book, program = analyse("ocs").book, load("ocs").program
    assert book is not None
    chosen = [x for x in book.examples if x.case.startswith("4.")]
    assert len(chosen) > 20 and not [o.example.title for o in run_examples(book, program, chosen) if not o.passed]


def test_the_trial_game_plays_to_its_end() -> None:
    game = played(load("ocs"), "trial", 3)
    assert game.winner in ("axis", "soviet")


def test_another_game_stands_on_the_series_and_amends_it() -> None:
    made = analyse(str(PLAIN))
    assert made.entries is not None and not made.report.failed
    cases = {entry.case for entry in made.entries}
    assert "ocs 9.9" in cases and not any("TRIAL" in case for case in cases)
    assert played(load(str(PLAIN)), "only", 2).winner == "south"


def test_a_case_that_is_left_out_must_be_there(tmp_path: Path) -> None:
    (tmp_path / "below.rules").write_text('book below "Below"\ncase 1 "Sides":\n  kind side: red, blue\n')
    above = tmp_path / "above.rules"
    above.write_text('book above of below without TRIAL "Above"\ncase 2 "More":\n  kind hue: pale\n')
    found = [d for d in analyse(str(above)).report.found if d.code == "RW401"]
    assert [d.message for d in found] == ["below has no case TRIAL to leave out"]


@pytest.mark.parametrize("line", ["book a of b without TRIAL", 'book a of b without 12.3 "Mine" dated "1942"'])
def test_the_line_is_printed_as_it_is_read(line: str) -> None:
    assert print_rules(parse(line + "\n", "a.rules", Reporter())) == line + "\n"
