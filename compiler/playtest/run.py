"""Play the games of a setting, on every core, on a cluster, or take them from where they are kept.

In:  a stage, rounds of tasks, and somewhere to play them.
Out: what each game told, in the order of the tasks: the same for any number of processes.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

from ..examples.parallel import parallel_map
from .records import Played, Task
from .rounds import pairs
from .sprt import Question, Sequential
from .stage import Stage

Told = Callable[[int], None]


class Place(Protocol):
    """Somewhere to play games; results come in the order in which games end.

    `at_once` pairs are played between two looks at a question.
    """

    at_once: int

    def play(self, stage: Stage, tasks: Sequence[Task]) -> Iterator[Played]: ...


class Here:
    """This machine, on so many processes (0: one a core); they are forked from this one, with the stage set."""

    def __init__(self, jobs: int = 0) -> None:
        self.jobs = jobs or os.cpu_count() or 1
        self.at_once = max(16, self.jobs)

    def play(self, stage: Stage, tasks: Sequence[Task]) -> Iterator[Played]:
        yield from parallel_map(stage.play, tasks, self.jobs)


class Known(Protocol):
    """Games that were played before, and a place to keep more."""

    def find(self, task: Task) -> Played | None: ...
    def keep(self, played: Played) -> None: ...


class Forgetful:
    """Keeps nothing."""

    def find(self, task: Task) -> Played | None:
        return None

    def keep(self, played: Played) -> None:
        pass


def run(
    stage: Stage,
    tasks: Sequence[Task],
    place: Place | None = None,
    known: Known | None = None,
    told: Told = lambda _: None,
) -> list[Played]:
    """All of the tasks, in their order."""
    known = known or Forgetful()
    found = {task: old for task in tasks if (old := known.find(task)) is not None}
    left = [task for task in tasks if task not in found]
    told(len(found))
    if left:
        for new in (place or Here()).play(stage, left):
            known.keep(new)
            found[Task(new.seed, new.seats)] = new
            told(len(found))
    return [found[task] for task in tasks]


def until_settled(
    stage: Stage,
    every: Sequence[tuple[Task, ...]],
    question: Question,
    place: Place | None = None,
    known: Known | None = None,
    told: Told = lambda _: None,
) -> tuple[list[Played], Sequential]:
    """Pairs in their order, up to the one that settles the question; further ones that were played do not count."""
    test, found, place = Sequential(question), list[Played](), place or Here()
    for at in range(0, len(every), place.at_once):
        chunk = every[at : at + place.at_once]
        new = run(stage, [task for pair in chunk for task in pair], place, known)
        for i in range(0, len(new), 2):
            found += new[i : i + 2]
            for score in pairs(new[i : i + 2], stage.sides).scores.values():
                if test.add(score):
                    told(len(found))
                    return found, test
        told(len(found))
    return found, test
