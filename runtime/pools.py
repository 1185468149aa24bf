"""Counters that go back into a pool: nothing is left of them in the state.

So the next counter that is made of the same cardboard has no history, and states that differ in nothing else are equal.
What must settle afterwards is for the caller to say (`ops.unmake`).
"""

from __future__ import annotations

from typing import Any

from .program import Column
from .state import State


def blank(S: State, column: Column, gone: frozenset[int]) -> list[Any]:
    """Put a mark back to its start where it is a unit's of these or names one; gives the owners that this changes."""
    changed = []
    if names_units(column.type):
        held = list(S.each(column))
    else:
        held = [(u, S.held(column, u)) for u in sorted(gone)] if column.sort == "unit" else []
    for owner, value in held:
        new = value
        if column.sort == "unit" and owner in gone:
            new = S.program.unit_sides[owner] if column.name == "unit_side" else column.start
        elif names_units(column.type):
            new = without_units(value, gone, column.start)
        if new != value:
            S.give(column, owner, new)
            changed.append(owner)
    if column.sort == "unit":
        if S.armed.get(column.name):
            S.armed[column.name] = [o for o in S.armed[column.name] if o not in gone]
        S.shown = [x for x in S.shown if x[0] != column.name or x[1] not in gone]
    return changed


def forget_rows(S: State, column: str, name: str, gone: frozenset[int]) -> bool:
    """Drop the rows of a table that are about some units or hold them; says whether it had any."""
    _, types, kind, _ = S.program.values[name]
    about = [i for i, t in enumerate(types) if t == "unit"]
    rows = getattr(S, column)
    kept = {key: value for key, value in rows.items() if not any(key[i] in gone for i in about)}
    if names_units(kind):
        kept = {k: without_units(v, gone, None) for k, v in kept.items() if isinstance(v, tuple) or v not in gone}
    if kept == rows:
        return False
    setattr(S, column, kept)
    S.lent.discard(column)
    return True


def names_units(type: str) -> bool:
    """Whether a value of a type is a unit, or a set or list of units."""
    return type in ("unit", "set:unit", "list:unit")


def without_units(value: Any, gone: frozenset[int], start: Any) -> Any:
    """A value that names no unit of these any more."""
    if isinstance(value, tuple):
        return tuple(u for u in value if u not in gone)
    return start if value in gone else value
