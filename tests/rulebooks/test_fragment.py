"""The fragment: its examples hold, and random games end."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from rulewright.compiler import load
from rulewright.compiler.core.house_values import rules_on
from rulewright.compiler.examples.run import run_examples
from rulewright.compiler.loader import Loaded
from rulewright.compiler.pipeline import analyse
from rulewright.runtime.players import RandomPlayer

BOOK = Path(__file__).parents[2] / "rulebooks" / "fragment"
MOST = 6000
WORKED = {
    "April 1942": "7.A.b", "where the game began": "7.A.e", "a low number: mud, good, mud, then summer": "7.A.a",
    "it settles November and no more": "7.A.d", "a year of three factories": "8.A.2.b/p2", "one of each": "8.A.1.a/p2",
}  # fmt: skip


@pytest.fixture(scope="module")
def book() -> Loaded:
    return load("fragment")


def test_the_book_checks_clean() -> None:
    assert [finding.message for finding in analyse("fragment").report.wrong] == []


def test_every_row_is_declared() -> None:
    made = analyse("fragment")
    assert made.entries is not None
    with (BOOK / "inventory.tsv").open() as file:
        rows = [r for r in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE) if r["executable"] != "prose"]
    declared = {c for e in made.entries if type(e.node).__name__ != "Example" for c in (e.case, *e.covers)}
    assert len(rows) == 64
    assert {r["case"] for r in rows} <= declared


def test_what_is_not_printed_is_marked_as_ours() -> None:
    made = analyse("fragment")
    assert made.entries is not None
    ours = [e for e in made.entries if e.case.startswith(("HOUSE/", "absent/")) and type(e.node).__name__ != "Example"]
    assert len(ours) > 80
    assert [str(e.node.span) for e in ours if not e.house and rules_on(e.node)] == []
    assert not [e.case for e in made.entries if e.house and not e.case.startswith(("HOUSE/", "absent/"))]


def test_the_examples_hold(book: Loaded) -> None:
    made = analyse("fragment")
    assert made.book is not None
    outcomes = run_examples(made.book, book.program)
    assert [(o.example.title, o.failures) for o in outcomes if not o.passed] == []
    cases = {o.example.title: o.example.case for o in outcomes}
    assert {title: cases.get(title) for title in WORKED} == WORKED


@pytest.mark.parametrize(("scenario", "seed"), [("first_year", 1), ("first_year", 2), ("war_in_june", 3)])
def test_a_random_game_ends_with_a_verdict(book: Loaded, scenario: str, seed: int) -> None:
    game = book.new(scenario, seed)
    players = {side: RandomPlayer(seed * 1009 + i) for i, side in enumerate(book.program.sides)}
    for _ in range(MOST):
        if game.over:
            break
        decision = game.decisions[0]
        game.do(players[decision.side](game, decision))
        game.check()
    assert game.over and game.winner in ("axis", "soviet")
