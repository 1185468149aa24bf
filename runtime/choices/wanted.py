"""What an answer lacks, and what would do, in words.

In:  the answers to a question, and a value that is none of them.
Out: one sentence for the side that is asked.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Protocol

from ..notation import number
from ..program import AskInfo
from ..state import State
from ..telling.words import KEPT, fill, listed, question, say, text
from . import plans
from .chance import Values

FEW = 5
"""So many of the things to choose from are named."""


class Asked(Protocol):
    """The answers to one question: see questions.py."""

    S: State
    info: AskInfo
    local: dict[str, Any]
    members: Values
    first: Values
    matching: plans.Matching | None
    least: int
    most: int

    def distinct(self, given: Iterable[Any]) -> bool: ...


def this_is_asked(space: Asked) -> str:
    """The question itself, for a choice that answers something else."""
    program = space.S.program
    ref = next(i for i, info in enumerate(program.asks) if info is space.info)
    return f"this is asked: {question(program, ref, space.local)}"


def what_is_missing(space: Asked, value: Any, typed: bool) -> str:
    """Why a value is no answer, and what an answer would be."""
    if not typed:
        return f"not an answer to what is asked; {what_would_do(space)}"
    match space.info.sort:
        case "one" if space.matching is None and value not in space.members:
            return f"{said(space, value)} is not among the answers; {what_would_do(space)}"
        case "order" if sorted(map(repr, value)) != sorted(map(repr, space.members)):
            return f"not each of them once; {what_would_do(space)}"
        case "shares" if not space.distinct(m for m, _ in value) or sum(n for _, n in value) != space.most:
            return f"{number(sum(n for _, n in value))} shared out; {what_would_do(space)}"
        case "some" if strange := [m for m in value if m not in space.members]:
            return f"not to be chosen: {said_all(space, strange)}; {what_would_do(space)}"
        case "some" if not space.least <= len(value) <= space.most:
            return f"{len(value)} chosen; {what_would_do(space)}"
        case "some" if 0 < sum(v in space.first for v in value) < min(len(value), len(space.first)):
            return f"{said_all(space, space.first)} must all be taken before any other"
        case _:
            return such_that(space, value)


def what_would_do(space: Asked) -> str:
    """What there is to choose from, and how much of it."""
    some = said_all(space, space.members)
    match space.info.sort:
        case "whether":
            return "say yes or no"
        case "order":
            return f"put in order: {some}"
        case "shares":
            return f"share out {number(space.most)} among {some}"
        case "some":
            return f"choose {how_many(space)} of {some}"
        case _ if space.matching is not None:
            return "give each its target"
        case _:
            return f"choose one of {some}" if space.members else "there is nothing to choose from"


def how_many(space: Asked) -> str:
    least, most = max(0, space.least), min(space.most, len(space.members))
    if least == most:
        return f"exactly {least}"
    if most == len(space.members):
        return f"at least {least}" if least else "any"
    return f"{least} to {most}" if least else f"at most {most}"


def such_that(space: Asked, value: Any) -> str:
    """The condition that the answer as a whole does not meet."""
    info, program = space.info, space.S.program
    condition = text(program, f"so that {info.case} {info.where}")
    told = fill(program, condition, {**space.local, info.name: value}) if condition else KEPT
    return "it does not meet what is asked of the answer as a whole" if KEPT in told else f"it must be so that {told}"


def said(space: Asked, value: Any) -> str:
    """One member in words."""
    return say(space.S.program, member_type(space), value)


def said_all(space: Asked, values: Iterable[Any]) -> str:
    """Some members by name, and how many more there are."""
    values = list(values)
    rest = len(values) - FEW
    named = [said(space, v) for v in values[:FEW]]
    return listed([*named, f"{rest} more"]) if rest > 0 else listed(named)


def member_type(space: Asked) -> str:
    """The type of one thing to choose."""
    if space.info.sort == "one":
        return space.info.type
    return space.info.type.partition(":")[2]
