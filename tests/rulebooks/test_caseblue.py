"""Case Blue on the Operational Combat Series: its rows, its examples, and a game that plays."""

from __future__ import annotations

import csv
from pathlib import Path

from rulewright.compiler import load
from rulewright.compiler.core.case_marks import mark_of
from rulewright.compiler.examples.run import run_examples
from rulewright.compiler.pipeline import analyse
from rulewright.runtime import RandomPlayer
from rulewright.runtime.telling.words import place

ROOT = Path(__file__).parents[2] / "rulebooks" / "caseblue"
ROWS = 333
COVERED = {"rule": 245, "data": 36}  # rows with a declaration of their own; the 13 rule rows of 6.0 are options
MOST = 3000


def inventory() -> dict[str, str]:
    with (ROOT / "inventory.tsv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    return {row["case"]: row["executable"] for row in rows}


def test_rows_at_hand_have_a_worked_example() -> None:
    made = analyse("caseblue")
    assert made.entries is not None and not made.report.failed
    rows = inventory()
    assert len(rows) == ROWS
    declared = {case for entry in made.entries for case in (entry.case, *entry.covers)}
    shown = {entry.case for entry in made.entries if type(entry.node).__name__ == "Example"}
    waiting = {entry.case for entry in made.entries if type(entry.node).__name__ == "Untranslated"}
    assert not (declared & rows.keys()) - shown - waiting
    own = {case for case in declared if not mark_of(case) and not case.startswith("HOUSE/")}
    assert own - rows.keys() == {"TEM/roads"}
    for sort, count in COVERED.items():
        assert sum(rows[case] == sort for case in declared & rows.keys()) == count


def test_the_proving_ground_plays_to_its_end() -> None:
    book = load("caseblue")
    game = book.new("proving", 3)
    players = {side: RandomPlayer(91 + i) for i, side in enumerate(book.program.sides)}
    made = 0
    while not game.over and made < MOST:
        decision = game.decisions[0]
        game.do(players[decision.side](game, decision))
        made += 1
    game.check()
    assert game.winner in ("axis", "soviet")


def test_an_option_of_the_series_is_laid_on_the_game(tmp_path: Path) -> None:
    path = tmp_path / "long_draw.rules"
    path.write_text(
        'option long_draw of ocs "Long draws":\n  case 21.1 "Long draws":\n    amend 12.3 draw_range: 5 becomes 6\n'
        '    example "six points":\n      expect draw_range = 6\n'
    )
    made = analyse(f"caseblue+{path}")
    assert not made.report.failed and made.book is not None
    assert made.book.cases["ocs 21.1"] == "Long draws"
    own = [x for x in made.book.examples if x.case == "ocs 21.1"]
    assert [o.passed for o in run_examples(made.book, load(f"caseblue+{path}").program, own)] == [True]


def test_a_box_is_named_by_the_words_of_its_key() -> None:
    program = load("caseblue").program
    assert place(program, program.board.places.index("breakdowns(german)")) == "the German breakdown regiments"
    assert "the Axis" in place(program, program.board.places.index("eliminated(axis)"))
