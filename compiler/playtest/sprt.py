"""A test that stops as soon as a question is settled.

In:  two scores to tell apart, the error that may be made either way, and the scores of pairs as they come.
Out: the log-likelihood ratio after each pair, its bounds, and the answer where one is crossed.

The question is whether the mean score of a pair is the one or the other. It is Wald's sequential test with the
generalised likelihood ratio: the shares of the possible scores (a pair lost, one and a half lost, split, …) are not
known, and each hypothesis has those that fit best among those of its mean. Where the true score is one of the two, the
wrong one is accepted about as often as the error says; between them either answer comes, and the more pairs are played.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import log

FLOOR = 1e-3
"""What a score that has not occurred counts, so that it stays possible."""
SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)
"""The scores of two games, each lost, drawn or won."""


@dataclass(frozen=True, slots=True)
class Question:
    """Whether the score is `low` (or less) or `high` (or more), and how often either answer may be wrong."""

    low: float
    high: float
    error: float = 0.05

    @property
    def bounds(self) -> tuple[float, float]:
        """Where the ratio settles it: below the first it is the low score, above the second the high one."""
        most = log((1 - self.error) / self.error)
        return -most, most

    def ratio(self, counts: Iterable[float]) -> float:
        """The log-likelihood ratio of the high score against the low one, from counts of the scores."""
        known = [max(n, FLOOR) for n in counts]
        total = sum(known)
        shares = [n / total for n in known]
        low, high = tilt(shares, self.low), tilt(shares, self.high)
        return total * sum(
            share * log((1 + low * (x - self.low)) / (1 + high * (x - self.high)))
            for share, x in zip(shares, SCORES, strict=True)
        )

    def answer(self, ratio: float) -> str:
        """`low` or `high` where it is settled; nothing while it is open."""
        low, high = self.bounds
        return "low" if ratio <= low else "high" if ratio >= high else ""


def tilt(shares: list[float], mean: float) -> float:
    """The multiplier of the shares that fit best among those with a mean: each is divided by 1 + multiplier·(x - mean).

    The left side of its equation falls as it grows, so halving the room for it finds it.
    """
    low, high = -1 / (SCORES[-1] - mean), 1 / (mean - SCORES[0])
    for _ in range(60):
        middle = (low + high) / 2
        slope = sum(share * (x - mean) / (1 + middle * (x - mean)) for share, x in zip(shares, SCORES, strict=True))
        if slope > 0:
            low = middle
        else:
            high = middle
    return (low + high) / 2


class Sequential:
    """A question while its pairs come in."""

    def __init__(self, question: Question) -> None:
        self.question = question
        self.counts = [0] * len(SCORES)
        self.ratio = 0.0
        self.answer = ""

    def add(self, score: float) -> str:
        """One pair more; the answer, where it is settled now."""
        self.counts[round(score * 4)] += 1
        self.ratio = self.question.ratio(self.counts)
        self.answer = self.question.answer(self.ratio)
        return self.answer
