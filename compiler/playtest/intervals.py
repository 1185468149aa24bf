"""Intervals at 95 %, and what each of them means.

In:  counts of wins; scores of pairs; numbers.
Out: a share or a mean with its interval.

`wilson` is Wilson's score interval of a share of independent games: over many playtests, 95 of 100 such intervals hold
the share that the players would reach in the long run. `score_interval` is the same for the mean score of pairs, each
from 0 to 1, which may be drawn or split: as Wilson's, with the number of pairs divided by how widely they spread
compared with won or lost ones. `mean_interval` is Student's for the mean of any numbers. All of them tell of chance
alone: of these players, these rules and this scenario, not of other players.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

Z = 1.959964
"""Two-sided 95 % of the normal distribution."""
T = (12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.3060, 2.2622, 2.2281, 2.2010, 2.1788, 2.1604, 2.1448,
     2.1314, 2.1199, 2.1098, 2.1009, 2.0930, 2.0860, 2.0796, 2.0739, 2.0687, 2.0639, 2.0595, 2.0555, 2.0518, 2.0484,
     2.0452, 2.0423)  # fmt: skip
"""The same of Student's distribution, by degrees of freedom from 1; beyond, by a series in their inverse."""
Interval = tuple[float, float]


def wilson(wins: float, games: float) -> Interval:
    """Wilson's interval of a share."""
    if games <= 0:
        return 0.0, 1.0
    share, spread = wins / games, Z * Z / games
    middle = (share + spread / 2) / (1 + spread)
    half = Z * sqrt(share * (1 - share) / games + spread / (4 * games)) / (1 + spread)
    return max(0.0, middle - half), min(1.0, middle + half)


def score_interval(scores: Sequence[float]) -> Interval:
    """The interval of the mean of scores from 0 to 1.

    How widely they spread is estimated with one pair more, half of it won and half lost, so that a few equal scores do
    not pass for certainty.
    """
    n = len(scores)
    if not n:
        return 0.0, 1.0
    middle = (sum(scores) + 0.5) / (n + 1)
    variance = (sum((x - middle) ** 2 for x in scores) + (middle**2 + (1 - middle) ** 2) / 2) / (n + 1)
    pairs = n * middle * (1 - middle) / variance
    return wilson(sum(scores) / n * pairs, pairs)


def student(freedom: int) -> float:
    """The factor of a mean's standard error."""
    if freedom <= len(T):
        return T[freedom - 1]
    z3, z5 = (Z**3 + Z) / 4, (5 * Z**5 + 16 * Z**3 + 3 * Z) / 96
    return Z + z3 / freedom + z5 / freedom**2


def deviation(values: Sequence[float]) -> float:
    """The standard deviation of a sample."""
    n = len(values)
    if n < 2:
        return 0.0
    mean = sum(values) / n
    return sqrt(sum((x - mean) ** 2 for x in values) / (n - 1))


def mean_interval(values: Sequence[float]) -> Interval | None:
    """Student's interval of a mean; None where there are fewer than two values."""
    n = len(values)
    if n < 2:
        return None
    mean, half = sum(values) / n, student(n - 1) * deviation(values) / sqrt(n)
    return mean - half, mean + half
