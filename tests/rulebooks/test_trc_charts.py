"""The house combat results table: complete, and fair in its own order of results.

Better odds never worsen the attacker's prospects: for every result, the chance of that result or a better
one does not fall from one column to the next. Chances are exact fractions of one die.
"""

from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from rulewright.compiler.pipeline import analyse

BOOK = Path(__file__).parents[2] / "rulebooks" / "trc"
WORST_TO_BEST = ("AE", "A1", "AR", "C", "EX", "DR", "D1", "DE", "DS")
DIE = range(1, 7)


@cache
def book() -> Any:
    return analyse(str(BOOK)).book


def columns() -> tuple[str, ...]:
    return tuple(book().scales["odds"])


def result(die: int, column: str) -> str:
    return str(book().tables["crt"].cells[die, columns().index(column)])


def chance_of_at_least(column: str, wanted: str) -> Fraction:
    good = WORST_TO_BEST[WORST_TO_BEST.index(wanted) :]
    return Fraction(sum(result(die, column) in good for die in DIE), len(DIE))


def test_columns_run_from_one_to_six_up_to_ten_to_one() -> None:
    assert columns() == tuple(f"1:{n}" for n in range(6, 1, -1)) + tuple(f"{n}:1" for n in range(1, 11))


def test_every_result_occurs_and_no_other() -> None:
    found = {result(die, column) for die in DIE for column in columns()}
    assert found == set(WORST_TO_BEST) == set(book().kinds["outcome"])


def test_nine_results_occur_below_automatic_odds() -> None:
    assert {result(die, column) for die in DIE for column in columns()[:-1]} == set(WORST_TO_BEST)


def test_ten_to_one_is_automatic() -> None:
    assert {result(die, "10:1") for die in DIE} == {"DS"}


@pytest.mark.parametrize("wanted", WORST_TO_BEST)
def test_better_odds_never_worsen_the_distribution(wanted: str) -> None:
    chances = [chance_of_at_least(column, wanted) for column in columns()]
    assert chances == sorted(chances)


def test_each_step_below_automatic_is_a_real_gain() -> None:
    """Two columns that read alike would make one of them pointless."""
    rows = [tuple(result(die, column) for die in DIE) for column in columns()]
    assert len(set(rows)) == len(rows)


def test_a_lower_die_is_never_worse() -> None:
    rank = WORST_TO_BEST.index
    for column in columns():
        ranks = [rank(result(die, column)) for die in DIE]
        assert ranks == sorted(ranks, reverse=True)
