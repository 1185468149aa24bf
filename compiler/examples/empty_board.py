"""What a rule set remembers of an empty board, worked out once for all the positions that begin with one.

In:  a compiled program; a position that was set up on an empty board of it.
Out: the position with its memories as they are of it.

A memory may look at every hex of a map, a position touches a few of them. What the position has touched since the board
was empty, and what that can alter in a memory, is known from how changes settle in play (`watches`, `sets` and `keys`,
see runtime/ops.py); such keys are worked out as if nothing had been remembered, all others are as on the empty board.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

from rulewright.runtime import ops
from rulewright.runtime.problems import NONSENSE, Fault
from rulewright.runtime.program import MemoryInfo, Program
from rulewright.runtime.state import State, fresh


class EmptyBoard:
    """The board of a program before anything is given."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.kept = [m for m in program.memories if m.how in ("always", "ever")]

        self.narrow = [m for m in self.kept if m.sets is not None]
        read_by = [program.watches.get(column(m), {}) for m in self.kept]
        self.late = {m.name for i, m in enumerate(self.kept) if any(n.name in read_by[i] for n in self.kept[:i])}
        """Memories that an earlier one reads. Each is worked out once, in order: the earlier one finds these at their
        start, on the empty board and here alike."""

    @cached_property
    def state(self) -> State | None:
        """The board with all that is remembered of it; none where that cannot be worked out with nothing given."""
        found = fresh(self.program, 0)
        try:
            ops.refresh_all(found)
        except (Fault, *NONSENSE):
            return None
        found.forget()
        return found

    def remember(self, S: State) -> None:
        """Bring the memories of a position up to date that began as this board; nothing of it has settled or been
        answered yet."""
        empty = self.state
        if empty is None or (S.readings, S.map) != (empty.readings, empty.map):
            return ops.refresh_all(S)
        narrow = [m.name for m in self.narrow if not getattr(S, column(m))]
        for memory in self.kept:
            if memory.name in narrow and memory.name not in self.late:
                setattr(S, column(memory), getattr(empty, column(memory)).copy())
        for memory in self.kept:
            touched = S.dirty.get(memory.name, set())
            if memory.name in narrow and memory.name in self.late:
                setattr(S, column(memory), getattr(empty, column(memory)).copy())
            if memory.name in narrow and ... not in touched:
                update(S, empty, memory, touched)
                continue
            if memory.name in narrow:
                setattr(S, column(memory), {})
            ops.refresh(S, memory)
            ops.touch(S, column(memory))


def update(S: State, empty: State, memory: MemoryInfo, touched: set[Any]) -> None:
    """Work out a memory anew for what the position has touched, as if nothing were remembered there."""
    assert memory.sets is not None
    S.seen[memory.name] = sets = memory.sets(S)
    before = empty.seen[memory.name]
    touched = touched.union(*(a ^ b for a, b in zip(before, sets, strict=True)))
    past, start = getattr(S, column(memory)), memory.start
    was = {key: past.pop(key, start) for key in (memory.keys(empty, touched) if touched else ())}
    now = {key: start for key in was}
    for key in memory.keys(S, touched) if touched else ():
        now[key] = bool(memory.value(S, *key)) if memory.how == "ever" else memory.value(S, *key, keep=start)
        if now[key] != start:
            past[key] = now[key]
    changed = [part for key in now if now[key] != was.get(key, start) for part in key[:1] or (...,)]
    if changed:
        ops.touch(S, column(memory), **{memory.of: changed})


def column(memory: MemoryInfo) -> str:
    return "past_" + memory.name
