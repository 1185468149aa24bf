"""The effect of a change on who wins: the same games under both rule sets.

In:  two rule sets, a scenario that both have, players and seeds; perhaps a question that ends it.
Out: who played, wins before and after for each side with the interval of the shift, and how games end under each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from rulewright.runtime.problems import Refusal

from ..playtest.playtest import about, document, planned
from ..playtest.records import Played, Setting
from ..playtest.run import Here, run
from ..playtest.sprt import Question, Sequential
from ..playtest.stage import Stage
from ..playtest.summary import balance
from ..revisions.revision import Revision

MOST = 20_000
AT_ONCE = 16
"""So many seeds are played between two looks at a question."""


@dataclass(frozen=True, slots=True)
class Shift:
    """Whether a side wins so much more often (or, below 0, less often) after the change than before, or as often."""

    side: str
    points: float
    error: float = 0.05

    @property
    def question(self) -> Question:
        """The same of half the shift and a half, which lies between 0 and 1; low is nothing where the shift is up."""
        ends = sorted((0.5, (1 + self.points) / 2))
        return Question(ends[0], ends[1], self.error)

    def answer(self, settled: str) -> str:
        """`yes`, `no`, or nothing while it is open."""
        yes = "high" if self.points > 0 else "low"
        return "" if not settled else "yes" if settled == yes else "no"


def play_both(
    a: Revision,
    b: Revision,
    scenario: str,
    seeds: Iterable[int],
    jobs: int = 0,
    told: Callable[[int, int], None] = lambda done, of: None,
    players: Sequence[str] = ("random",),
    asked: Shift | None = None,
) -> dict[str, Any]:
    """Play the same seeds under both rule sets; `told` is called with the number of finished games and the total."""
    wanted = list(seeds)
    stages = []
    for which in (a, b):
        with which.inside():
            stages.append(Stage(Setting(which.name, scenario, tuple(players), MOST, cases=False)))
    if asked is not None and asked.side not in stages[0].sides:
        raise Refusal(f'there is no side "{asked.side}": {", ".join(stages[0].sides)}')
    total = 2 * len(wanted) * len(players)
    test = Sequential(asked.question) if asked is not None else None
    played: tuple[list[Played], list[Played]] = [], []
    step = AT_ONCE if asked is not None else len(wanted) or 1
    for at in range(0, len(wanted), step):
        some = wanted[at : at + step]
        new = [
            run(
                stage,
                [t for tasks in planned(stage, some) for t in tasks],
                Here(jobs),
                told=told_of(told, played, total),
            )
            for stage in stages
        ]
        n = len(new[0]) // len(some)
        for i in range(0, len(new[0]), n):
            for rows, more in zip(played, new, strict=True):
                rows.extend(more[i : i + n])
            if (
                asked is not None
                and test is not None
                and test.add(score(asked.side, new[0][i : i + n], new[1][i : i + n]))
            ):
                break
        if test is not None and test.answer:
            break
    sides = stages[0].sides + tuple(s for s in stages[1].sides if s not in stages[0].sides)
    ends = {w: document(s, p) for w, s, p in zip(("before", "after"), stages, played, strict=True)}
    return {
        "scenario": scenario,
        **balance(played[0], played[1], sides),
        "players": {word: x["players"] for word, x in ends.items()},
        "how": {word: x["how"] for word, x in ends.items()},
        "problems": {word: x["problems"] for word, x in ends.items()},
        "question": question_of(asked, test),
    }


def told_of(
    told: Callable[[int, int], None], played: tuple[list[Played], list[Played]], total: int
) -> Callable[[int], None]:
    before = sum(map(len, played))
    return lambda done: told(min(before + done, total), total)


def score(side: str, before: Sequence[Played], after: Sequence[Played]) -> float:
    """The shift of one seed, as a score from 0 to 1."""
    shifts = [(y.winner == side) - (x.winner == side) for x, y in zip(before, after, strict=True)]
    return (sum(shifts) / len(shifts) + 1) / 2


def question_of(asked: Shift | None, test: Sequential | None) -> dict[str, Any] | None:
    if asked is None or test is None:
        return None
    return {**about(test), "side": asked.side, "points": asked.points, "answer": asked.answer(test.answer)}
