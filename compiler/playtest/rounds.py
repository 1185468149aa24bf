"""Who plays whom on which side, and what a round of it gave.

In:  the number of contestants and the seeds.
Out: the tasks, in rounds; the scores of the pairs.

Two contestants play each seed twice, with sides swapped: a pair. A pair's score is the mean of what its two games gave
to the first of them: 1 for a win, 1/2 for a draw. One contestant plays itself, once a seed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from .records import Played, Task


def rounds(contestants: int, sides: int, seeds: Iterable[int]) -> list[tuple[Task, ...]]:
    """The games of each seed."""
    if contestants == 1:
        return [(Task(seed, (0,) * sides),) for seed in seeds]
    return [(Task(seed, (0, 1)), Task(seed, (1, 0))) for seed in seeds]


@dataclass(frozen=True, slots=True)
class Pairs:
    """The scores of the pairs whose games both came to an end, by seed; `left_out` are those that did not."""

    scores: dict[int, float]
    left_out: tuple[int, ...]

    @property
    def counts(self) -> list[int]:
        """How many pairs scored 0, 1/4, 1/2, 3/4 and 1."""
        found = [0] * 5
        for score in self.scores.values():
            found[round(score * 4)] += 1
        return found


def pairs(played: Sequence[Played], sides: tuple[str, ...]) -> Pairs:
    """The pairs among some games."""
    by_seed: dict[int, list[Played]] = {}
    for one in played:
        if len(set(one.seats)) > 1:
            by_seed.setdefault(one.seed, []).append(one)
    whole = {seed: games for seed, games in by_seed.items() if len(games) == 2 and not any(g.problem for g in games)}
    scores = {seed: sum(g.share(sides, 0) for g in games) / 2 for seed, games in whole.items()}
    return Pairs(scores, tuple(seed for seed in by_seed if seed not in whole))
