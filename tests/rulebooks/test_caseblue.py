"""Case Blue on the Operational Combat Series: its rows, its examples, and a game that plays."""

from __future__ import annotations

import csv
from pathlib import Path

from rulewright.compiler import load
from rulewright.compiler.pipeline import analyse
from rulewright.runtime import RandomPlayer

ROOT = Path(__file__).parents[2] / "rulebooks" / "caseblue"
ROWS = 333
COVERED = {"rule": 177, "data": 30}  # rows with a declaration or an example of their own
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
    assert {case for case in declared if case.startswith(("CB.", "TEM", "TEC"))} - rows.keys() == {"TEM/roads"}
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
