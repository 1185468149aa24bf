"""What an interval and an answer claim, held against scipy and against games of coins with fixed seeds."""

from __future__ import annotations

import random
from math import log

import pytest

from rulewright.compiler.playtest.intervals import mean_interval, score_interval, student, wilson
from rulewright.compiler.playtest.sprt import SCORES, Question, Sequential
from rulewright.compiler.playtest.summary import pairs_for

stats = pytest.importorskip("scipy.stats")

COINS = {
    "two fair coins": (0.25, 0.0, 0.5, 0.0, 0.25),
    "a strong player": (0.01, 0.0, 0.18, 0.0, 0.81),
    "mostly split": (0.03, 0.0, 0.92, 0.0, 0.05),
    "with draws": (0.1, 0.2, 0.3, 0.25, 0.15),
}


@pytest.mark.parametrize(("wins", "games"), [(0, 10), (8, 10), (10, 10), (37, 120), (999, 1000), (1, 3)])
def test_wilsons_interval_is_scipys(wins: int, games: int) -> None:
    known = stats.binomtest(wins, games).proportion_ci(method="wilson")
    assert wilson(wins, games) == pytest.approx((known.low, known.high), abs=1e-6)
    assert wilson(0, 0) == (0.0, 1.0)


def test_students_interval_is_scipys() -> None:
    for freedom in range(1, 400):
        assert student(freedom) == pytest.approx(stats.t.ppf(0.975, freedom), rel=5e-5), freedom
    values = [3, 5, 5.5, 8, -2, 4]
    known = stats.t.interval(0.95, len(values) - 1, sum(values) / len(values), stats.sem(values))
    assert mean_interval(values) == pytest.approx(known, rel=1e-4)
    assert mean_interval([1]) is None and mean_interval([2, 2]) == (2, 2)


@pytest.mark.parametrize("coin", COINS)
@pytest.mark.parametrize("pairs", [6, 20, 100])
def test_score_intervals_hold_the_true_score_as_often_as_they_say(coin: str, pairs: int) -> None:
    rng, shares = random.Random(f"{coin} {pairs}"), COINS[coin]
    true = sum(p * x for p, x in zip(shares, SCORES, strict=True))
    tries = 1200
    held = 0
    for _ in range(tries):
        low, high = score_interval(rng.choices(SCORES, shares, k=pairs))
        held += low <= true <= high
    assert held / tries > 0.935, "95 of 100, less the chance in 1200 tries"
    assert pairs < 100 or coin == "mostly split" or held / tries < 0.975, "and not by being wide"


def test_equal_scores_are_no_certainty() -> None:
    for n in (1, 5, 50):
        low, high = score_interval([0.5] * n)
        assert low < 0.5 < high and high - low > 0.5 / n
    assert score_interval([1.0] * 10) == pytest.approx(wilson(10, 10), abs=0.05)
    assert score_interval([]) == (0.0, 1.0)


def rates(question: Question, shares: tuple[float, ...], tries: int, seed: int) -> tuple[float, float]:
    """How often the answer is `high`, and how many pairs it takes."""
    rng, high, pairs = random.Random(seed), 0, 0
    for _ in range(tries):
        test = Sequential(question)
        while not test.add(rng.choices(SCORES, shares)[0]):
            pass
        high += test.answer == "high"
        pairs += sum(test.counts)
    return high / tries, pairs / tries


LOW = {"coins": (0.25, 0.0, 0.5, 0.0, 0.25), "split": (0.1, 0.0, 0.8, 0.0, 0.1), "draws": (0.1, 0.2, 0.4, 0.2, 0.1)}
HIGH = {"coins": (0.09, 0.0, 0.42, 0.0, 0.49), "split": (0.0, 0.0, 0.6, 0.0, 0.4), "draws": (0.05, 0.1, 0.2, 0.3, 0.35)}


@pytest.mark.parametrize("coin", LOW)
def test_a_question_errs_as_often_as_it_says(coin: str) -> None:
    """One in ten may be wrong; of 150 tries at most 24 are, by chance, 99 times in 100."""
    question = Question(0.5, 0.7, 0.1)
    wrong, few = rates(question, LOW[coin], 150, 3)
    right, many = rates(question, HIGH[coin], 150, 4)
    assert wrong <= 24 / 150 and 1 - right <= 24 / 150
    assert few < 40 and many < 40, "a fixed sample of the same errors would take about that many"


def test_the_bounds_and_the_ratio() -> None:
    assert Question(0.5, 0.6).bounds == pytest.approx((-log(19), log(19)))
    coins = Question(0.5, 0.6)
    for won, lost in ((30, 10), (5, 25), (1, 0)):
        known = won * log(0.6 / 0.5) + lost * log(0.4 / 0.5)
        assert coins.ratio([lost, 0, 0, 0, won]) == pytest.approx(known, abs=0.05), "two outcomes: Wald's own ratio"
    assert coins.ratio([0, 0, 50, 0, 0]) < 0 < coins.ratio([0, 0, 10, 0, 40])


def test_the_pairs_that_a_difference_wants() -> None:
    """The two-sided test of a mean: four in five at 95 %."""
    n = pairs_for(0.3, 0.05)
    power = stats.norm.sf(1.959964 - 0.05 / (0.3 / n**0.5))
    assert 0.8 <= power < 0.81
