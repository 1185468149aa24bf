"""A copy of a state that keeps its answers.

In:  a state.
Out: another one with the same values; what holds in the one holds in the other, until one of the two changes. What
     either does next need not be worked out anew.
"""

from __future__ import annotations

from typing import Any

from ..state import State
from .by_place import ByPlace


def fork(S: State) -> State:
    """The copy; under a hypothesis it keeps nothing."""
    made = S.copy()
    if not (S.supposing or S.growing):
        made.memo = [carried(answers, S, made) for answers in S.memo]
        made.lists, made.seen = {**S.lists}, {**S.seen}
    return made


def carried(answers: dict[Any, Any], old: State, new: State) -> dict[Any, Any]:
    """The answers of one sort; those about places, and those by owner, can change by themselves and are copied."""
    found = {**answers}
    for key, answer in answers.items():
        if answer.__class__ is ByPlace:
            found[key] = answer.carried(old, new)
        elif answer.__class__ is dict:
            found[key] = {**answer}
    return found
