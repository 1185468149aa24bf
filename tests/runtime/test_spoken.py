"""Numbers as a reader has them: halves and thirds by their signs, exact beyond."""

from __future__ import annotations

from fractions import Fraction

import pytest

from rulewright.runtime.notation import number, spoken


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (4, "4"),
        (Fraction(9, 2), "4½"),
        (Fraction(1, 3), "⅓"),
        (Fraction(-7, 4), "-1¾"),
        (Fraction(10, 7), "1 3/7"),
        (Fraction(2, 7), "2/7"),
        (Fraction(-1, 2), "-½"),
        (0, "0"),
    ],
)
def test_a_number_is_said_as_print_has_it(value: int | Fraction, said: str) -> None:
    assert spoken(value) == said


def test_the_text_of_a_choice_stays_exact() -> None:
    assert number(Fraction(9, 2)) == "9/2"
