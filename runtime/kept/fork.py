"""A copy of a state that keeps its answers.

In:  a state.
Out: another one with the same values; what holds in the one holds in the other, until one of the two changes. What
     either does next need not be worked out anew.

Nothing large is copied. Columns and kept answers are shared until one of the two writes to them: a change puts a new
table in the place of the one whose answers it makes void, so what the other still looks at stays true of it, and what
either finds out that no change of its own touches is found for both.
"""

from __future__ import annotations

from typing import Any

from ..state import NESTED, State, deep
from .by_place import Shared, freeze


def fork(S: State) -> State:
    """The copy; under a hypothesis it keeps nothing."""
    if S.supposing or S.growing:
        return S.copy()
    made = State.__new__(State)
    mine = S.__dict__
    new: dict[str, Any] = {**mine}
    made.__dict__ = new
    for name in NESTED:
        if mine[name]:
            new[name] = deep(mine[name])
        else:
            new[name] = mine[name].copy()
    new["steps"] = new["work"] = 0
    new["playout"], new["log"], new["trace"], new["growing"], new["seldom"] = None, [], [], {}, set()
    program = S.program
    S.lent, new["lent"] = set(program.columns_of_all), set(program.columns_of_all)
    S.shared, new["shared"] = set(program.by_owner), set(program.by_owner)
    new["lists"], new["seen"], new["here"] = {**S.lists}, {**S.seen}, S.here.copy()
    new["dirty"] = {name: {*some} for name, some in S.dirty.items()}
    memo = S.memo
    new["memo"] = theirs = memo.copy()
    for i in program.by_place:
        answers = memo[i]
        if answers or answers.__class__ is Shared:
            below = freeze(answers, S.here)
            theirs[i] = Shared(below)
            if answers.__class__ is dict or below is not answers.below:  # type: ignore[attr-defined]
                memo[i] = Shared(below)
    return made
