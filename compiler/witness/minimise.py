"""Minimise a position that shows a difference.

In:  a position and a question that two rule sets answer differently.
Out: a position from which no line can be removed without losing the difference; numbers are as low as possible.

Every die that is rolled gets a line. Such a line is removed only if the difference exists for every face.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ..core.types import NUMBER
from ..examples.run import Stop
from .compare import Both, Candidate
from .lines import Die, Is, Line, Play, Run, die
from .questions import Question
from .rule_set import BROKEN, Clash, Unknown

ROUNDS = 12


def minimise(both: Both, found: Candidate) -> Candidate:
    """A locally minimal position, reached by removing and lowering line by line."""
    found = pinned(both, found)
    size = max(1, len(found.lines) // 2)
    while size > 1:
        found = dropped(both, found, size)
        size //= 2
    for _ in range(ROUNDS):
        before = found
        found = lowered(both, dropped(both, found, 1))
        if found == before:
            break
    return found


def pinned(both: Both, found: Candidate) -> Candidate:
    """The position with a line for every rolled die, before the first line that runs something."""
    try:
        log = both[0].at(found.lines, found.question.reads(both[0])).game.log
    except (*BROKEN, Unknown):
        return found
    faces = [die(int(face)) for event in log if event.get("event") == "roll" for face in event["faces"]]
    rest = [line for line in found.lines if not isinstance(line, Die)]
    at = next((i for i, line in enumerate(rest) if isinstance(line, Run | Play)), len(rest))
    return still(both, (*rest[:at], *faces, *rest[at:]), found.question) or found


def whatever(both: Both, found: Candidate, at: int) -> bool:
    """Whether the difference exists for every face of a die."""
    lines = found.lines
    return all(still(both, (*lines[:at], die(n), *lines[at + 1 :]), found.question) is not None for n in range(1, 7))


def dropped(both: Both, found: Candidate, size: int) -> Candidate:
    """Remove runs of so many lines as long as the difference stays; the last ones first."""
    at = len(found.lines) - size
    while at >= 0:
        gone = found.lines[at : at + size]
        smaller = still(both, (*found.lines[:at], *found.lines[at + size :]), found.question)
        rolled = any(isinstance(line, Die) for line in gone)
        if smaller is not None and (not rolled or (size == 1 and whatever(both, found, at))):
            found = smaller
        at = min(at - size if size > 1 else at - 1, len(found.lines) - size)
    return found


def lowered(both: Both, found: Candidate) -> Candidate:
    """Lower each number of a position as far as the difference allows."""
    for i, line in enumerate(found.lines):
        if not isinstance(line, Is | Die):
            continue
        type, value = line.values[0]
        if type.plain != NUMBER or not isinstance(value, int):
            continue
        for lower in range(1, value):
            other = replace(line, values=((type, lower), *line.values[1:]))
            smaller = still(both, (*found.lines[:i], other, *found.lines[i + 1 :]), found.question)
            if smaller is not None and len(smaller.lines) == len(found.lines):
                found = smaller
                break
    return found


def still(both: Both, lines: Sequence[Line], question: Question) -> Candidate | None:
    """The same question in another position, if the answers still differ; or an earlier choice whose legality does."""
    pair: list[Any] = []
    stops: list[int | None] = []
    for rules in both:
        reached = 0
        try:
            runner = rules.runner(lines, question.reads(rules))
            for line in lines:
                rules.step(runner, line)
                reached += 1
            if not runner.set_up:
                runner.settle()
            pair.append(question.answer(rules, runner))
            stops.append(None)
        except Stop:
            stops.append(reached)
        except (*BROKEN, Unknown):
            return None
    if len(pair) == 2:
        same = pair[0] == pair[1] or all(isinstance(x, Clash) for x in pair)
        return None if same else Candidate(tuple(lines), question)
    refused = [k for k in stops if k is not None]
    if len(refused) == 1 and refused[0] < len(lines):
        choice = lines[refused[0]]
        if isinstance(choice, Play):
            return Candidate(tuple(lines[: refused[0]]), Question("legal", choice=choice))
    return None
