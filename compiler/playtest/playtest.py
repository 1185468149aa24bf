"""A playtest: its games, played or found where they are kept, and the document of what they amount to.

In:  a stage with one or two contestants, the seeds, perhaps a question that ends it; somewhere to play.
Out: the document, and what each game told.
Reports: `Refusal` of two contestants in a game that has not two sides.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rulewright.runtime.problems import Refusal
from rulewright.runtime.program import Program

from .records import Played, Task
from .rounds import rounds
from .run import Known, Place, Told, run, until_settled
from .sprt import Question, Sequential
from .stage import Stage
from .summary import Document, summary


@dataclass(frozen=True, slots=True)
class Playtest:
    """What was played, and what it amounts to."""

    stage: Stage
    played: Sequence[Played]
    document: Document


def playtest(
    stage: Stage,
    seeds: Iterable[int],
    question: Question | None = None,
    place: Place | None = None,
    known: Known | None = None,
    told: Told = lambda _: None,
) -> Playtest:
    """Play each seed once, or with two contestants twice, with sides swapped."""
    every = planned(stage, seeds)
    test: Sequential | None = None
    if question is not None:
        if len(stage.contestants) < 2:
            raise Refusal("a question is about two players: name both, as --players A,B")
        played, test = until_settled(stage, every, question, place, known, told)
    else:
        played = run(stage, [task for tasks in every for task in tasks], place, known, told)
    return Playtest(stage, played, document(stage, played, test))


def planned(stage: Stage, seeds: Iterable[int]) -> list[tuple[Task, ...]]:
    """The games of each seed."""
    if len(stage.contestants) > 1 and len(stage.sides) != 2:
        told = f"{stage.loaded.name} has {len(stage.sides)} sides"
        raise Refusal(f"pairs with sides swapped are played by two sides; {told}: name one player a side, as A/B/C")
    if len(stage.contestants) > 2:
        raise Refusal("a pair has two players; --matrix plays more of them against one another")
    return rounds(len(stage.contestants), len(stage.sides), seeds)


def document(stage: Stage, played: Sequence[Played], test: Sequential | None = None) -> Document:
    """The document of some games."""
    known = stage.watched.cases if stage.watched is not None else ()
    return {
        "book": stage.loaded.name,
        "rules": stage.loaded.program.rules_hash,
        "scenario": stage.scenario,
        **summary(played, stage.contestants, stage.sides, known, steps(stage.loaded.program)),
        "question": None if test is None else about(test),
    }


def steps(program: Program) -> dict[str, int]:
    """The places of the steps of all scales."""
    return {step: i for scale in program.scales.values() for i, step in enumerate(scale)}


def about(test: Sequential) -> Document:
    """How a question stands."""
    asked = test.question
    return {
        "low": asked.low,
        "high": asked.high,
        "error": asked.error,
        "bounds": [round(x, 4) for x in asked.bounds],
        "pairs": sum(test.counts),
        "ratio": round(test.ratio, 4),
        "answer": test.answer,
    }
