"""What lies open by its place and is hidden by its identity: counters, and marks of places, that a book veils.

In:  a state, a side, and something in the state.
Out: whether the book keeps it from the side. Nothing is stored: what is seen is a function of the position.

A veil is a definition of the book, asked about the unit (the place) and the side. A side always sees its own units.
Whoever looks on without a side ("") sees what every side sees.
"""

from __future__ import annotations

from typing import Any

from ..pools import names_units
from ..program import Column
from ..state import State

UNITS = "unit"
"""What a veil of units is filed under; a veil of a mark has the name of its column."""


def veiled(S: State, u: int, side: str) -> bool:
    """Whether a side may not know which unit this is."""
    veils = S.program.veils.get(UNITS, ())
    if not veils or S.at[u] is None:
        return False
    whose = S.unit_side[u]
    return any(bool(S.program.values[name][0](S, u, x)) for x in lookers(S, side) if x != whose for name in veils)


def mark_veiled(S: State, column: Column, owner: Any, side: str) -> bool:
    """Whether a side may not know how a mark of a place stands."""
    veils = S.program.veils.get(column.name, ())
    return any(bool(S.program.values[name][0](S, owner, x)) for x in lookers(S, side) for name in veils)


def lookers(S: State, side: str) -> tuple[str, ...]:
    """Whose eyes a side has: its own; whoever has none sees what all see."""
    return (side,) if side in S.program.sides else S.program.sides


def veiled_units(S: State, side: str) -> list[int]:
    """All that a side may not know of the units in play; which these are it can tell from those that it sees."""
    if UNITS not in S.program.veils:
        return []
    pools = S.program.board.pools
    return [u for u, at in enumerate(S.at) if at is not None and at not in pools and veiled(S, u, side)]


def veiled_marks(S: State, side: str) -> list[tuple[Column, Any]]:
    """The marks that a side may not know, among those that are off their start."""
    columns = [S.program.column[name] for name in S.program.veils if name != UNITS]
    return [(c, o) for c in columns for o, v in S.each(c) if v != c.start and mark_veiled(S, c, o, side)]


def sees_less(S: State, side: str) -> bool:
    """Whether anything may be veiled from a side: units, or marks, whether they stand somewhere or not."""
    return any(name != UNITS for name in S.program.veils) or bool(veiled_units(S, side))


def kept_units(S: State, units: Any) -> dict[str, list[int]]:
    """From whom some units are kept now: by side ("" looks on), those of them that it may not know."""
    if UNITS not in S.program.veils:
        return {}
    found = {side: [u for u in units if veiled(S, u, side)] for side in (*S.program.sides, "")}
    return {side: kept for side, kept in found.items() if kept}


def kept_parts(S: State, units: Any, marks: Any) -> tuple[str, ...]:
    """From whom something is kept that is made of units and of marks of places, each a column with its place."""
    told = kept_units(S, units)
    for name, place in marks:
        column = S.program.column[name]
        told |= {x: [] for x in (*S.program.sides, "") if place is not None and mark_veiled(S, column, place, x)}
    return tuple(x for x in (*S.program.sides, "") if x in told)


def kept_amount(S: State, quota: str, key: tuple[Any, ...]) -> dict[str, list[str]]:
    """From whom it is kept what was spent of a quota: it is told to its side alone where units or stores may show."""
    at = S.program.own_quotas.get(quota)
    return {side: [quota] for side in (*S.program.sides, "") if at is not None and side != key[at]}


def in_both(a: dict[str, list[int]], b: dict[str, list[int]]) -> dict[str, list[int]]:
    """What is kept in both of two moments."""
    found = {side: [u for u in kept if u in b.get(side, ())] for side, kept in a.items()}
    return {side: kept for side, kept in found.items() if kept}


def units_in(type: str, value: Any) -> tuple[int, ...]:
    """The units that a value of a type names."""
    if not names_units(type) or value is None:
        return ()
    return value if isinstance(value, tuple) else (value,)


def kept_value(S: State, type: str, value: Any) -> dict[str, list[int]]:
    """The sides that may not know a value, since it names units that are veiled from them."""
    return kept_units(S, units_in(type, value)) if UNITS in S.program.veils else {}


def kept_marks(S: State, column: Column, many: Any, value: Any) -> dict[str, list[Any]]:
    """From whom it is kept that a mark of these owners was set to a value."""
    if not S.program.veils:
        return {}
    if column.name in S.program.veils:
        sides = (*S.program.sides, "")
        kept = {side: [o for o in many if mark_veiled(S, column, o, side)] for side in sides}
    else:
        kept = dict(kept_units(S, many)) if column.sort == "unit" else {}
    kept |= {side: list(many) for side in kept_value(S, column.type, value)}
    return {side: owners for side, owners in kept.items() if owners}
