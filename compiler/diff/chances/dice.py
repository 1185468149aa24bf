"""Exact probabilities of sums of dice, and comparisons with their operands swapped.

In:  a number of dice and of their sides; or the class of a comparison.
Out: the probability of each sum as a fraction; the class that means the same with its operands swapped.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache

from ...core import nodes as c

TURNED: dict[type[c.Comparison], type[c.Comparison]] = {
    c.Equal: c.Equal,
    c.Unequal: c.Unequal,
    c.Less: c.More,
    c.AtMost: c.AtLeast,
    c.More: c.Less,
    c.AtLeast: c.AtMost,
}
"""Each comparison as it reads with its sides exchanged."""


@cache
def chances(count: int, sides: int) -> dict[int, Fraction]:
    """The exact probability of each sum."""
    found = {0: Fraction(1)}
    for _ in range(count):
        after: dict[int, Fraction] = {}
        for total, chance in found.items():
            for face in range(1, sides + 1):
                after[total + face] = after.get(total + face, Fraction(0)) + chance / sides
        found = after
    return dict(sorted(found.items()))


def dice_text(dice: tuple[int, int]) -> str:
    return f"{dice[0]}d{dice[1]}"
