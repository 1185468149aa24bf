"""The house combat results table of Fire in the East: complete, fair, and in line with what the text says.

Better odds never worsen the attacker's prospects, whatever moves the die: for every result, the chance of that
result or a better one does not fall from one column to the next. Chances are exact fractions of one die.
"""

from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from rulewright.compiler import load
from rulewright.compiler.pipeline import analyse
from rulewright.runtime import RandomPlayer

BOOK = Path(__file__).parents[2] / "rulebooks" / "fite"
WORST_TO_BEST = ("AE", "AH", "AR", "NE", "EX", "HX", "DR", "DH", "DE")
DIE = range(1, 7)
LOWEST, HIGHEST = -3, 9
MODIFIERS = range(-6, 6)


@cache
def book() -> Any:
    return analyse(str(BOOK)).book


def columns() -> tuple[str, ...]:
    return tuple(book().scales["odds"])


def result(die: int, column: str) -> str:
    kept = min(max(die, LOWEST), HIGHEST)
    return str(book().tables["combat_results"].cells[kept, columns().index(column)])


def chance_of_at_least(column: str, wanted: str, modifier: int) -> Fraction:
    good = WORST_TO_BEST[WORST_TO_BEST.index(wanted) :]
    return Fraction(sum(result(die + modifier, column) in good for die in DIE), len(DIE))


def test_columns_are_simple_odds_without_a_gap() -> None:
    assert columns() == tuple(f"1:{n}" for n in range(4, 1, -1)) + tuple(f"{n}:1" for n in range(1, 10))


def test_the_nine_results_of_the_text_occur_and_no_other() -> None:
    found = {result(die, column) for die in range(LOWEST, HIGHEST + 1) for column in columns()}
    assert found == set(WORST_TO_BEST) == set(book().kinds["outcome"])


def test_an_unmodified_die_shows_every_result() -> None:
    assert {result(die, column) for die in DIE for column in columns()} == set(WORST_TO_BEST)


@pytest.mark.parametrize("modifier", MODIFIERS)
def test_better_odds_never_worsen_the_distribution(modifier: int) -> None:
    for wanted in WORST_TO_BEST:
        chances = [chance_of_at_least(column, wanted, modifier) for column in columns()]
        assert chances == sorted(chances)


def test_a_higher_die_is_never_worse() -> None:
    """Armor in the attack adds to the die (10.C.1), armor and guns in the defense take from it."""
    for column in columns():
        ranks = [WORST_TO_BEST.index(result(die, column)) for die in range(LOWEST, HIGHEST + 1)]
        assert ranks == sorted(ranks)


def test_each_column_differs_from_its_neighbours() -> None:
    rows = [tuple(result(die, column) for die in DIE) for column in columns()]
    assert len(set(rows)) == len(rows)


def test_exchanges_stand_only_where_the_attacker_is_not_outnumbered() -> None:
    for column in columns()[: columns().index("1:1")]:
        assert not {result(die, column) for die in range(LOWEST, HIGHEST + 1)} & {"EX", "HX"}


def test_overruns_cost_less_at_better_odds() -> None:
    table, steps = book().tables["overrun_costs"], list(book().scales["overrun_odds"])
    prices = [table.cells[(i,)] for i in range(len(steps))]
    assert steps == ["10:1", "12:1"] and prices == sorted(prices, reverse=True) and min(prices) > 0


@pytest.mark.parametrize("seed", [0])
def test_the_fights_of_a_random_game_keep_the_invariants(seed: int) -> None:
    game = load("fite").new("niemen", seed)
    players = {side: RandomPlayer(seed * 31 + i) for i, side in enumerate(("axis", "soviet"))}
    fights = 0
    for _ in range(3000):
        if game.over:
            break
        decision = game.decisions[0]
        choice = players[decision.side](game, decision)
        fights += choice.name == "attack"
        game.do(choice)
        game.check()
    assert game.over and fights > 0
