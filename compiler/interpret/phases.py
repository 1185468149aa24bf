"""Phases: what begins and ends with them.

In:  the table and the name of a phase.
Out: quotas refilled, marks of that lifetime gone, memories of that moment looked at, triggers queued.
"""

from __future__ import annotations

from typing import Any

from ..core import nodes as c
from .program import keys_of
from .table import Table, column_of, told
from .world import Key


def begin(table: Table, under_way: list[str] | None = None) -> None:
    """The position stands: what is remembered is worked out, and phases that are under way have begun."""
    table.first_look()
    table.S.phases += under_way or ()
    table.W.changed([("phase", name) for name in under_way or ()])
    for name in under_way or ():
        start(table, name)
    table.wait_for(in_phases=under_way is not None)


def enter(table: Table, name: str, var: str | None) -> None:
    """A phase begins."""
    S = table.S
    S.phases.append(name)
    S.turn_of_phase[name] = S.turn_of_phase.get(name, 0) + 1
    table.W.changed([("phase", name)])
    value = getattr(S, f"bind_{var}") if var is not None else None
    kept = told(table.value_kept(S.program.bindings[var], value)) if var is not None else {}
    table.note("phase", "", name=name, var=var, value=value, **kept)
    start(table, name)
    table.fire(("start", name), ())
    table.settle()


def start(table: Table, name: str) -> None:
    """What the start of a phase resets and remembers."""
    for quota in table.book.quotas.values():
        spent = getattr(table.S, f"spent_{quota.name}")
        if name in quota.per and spent:
            setattr(table.S, f"spent_{quota.name}", {})
            table.W.changed([("spent", quota.name, key) for key in spent])
    reset(table, "start", name)
    look(table, "start", name)


def close(table: Table, name: str) -> None:
    """What happens at the end of a phase, while it still runs."""
    look(table, "end", name)
    table.fire(("end", name), ())
    table.settle()


def leave(table: Table, name: str) -> None:
    """A phase is over: marks that live until then go; those that last until the next end go at the second."""
    S = table.S
    reset(table, "end", name)
    for mark in marks_until(table, "end_next", name):
        column = S.program.column[column_of(mark)]
        armed = S.armed.get(column.name, [])
        marked = [o for o, value in S.each(column) if value != column.start]
        cells: set[Key] = set()
        for o in armed:
            cells |= table.W.give(column.name, o, column.start)
        S.armed[column.name] = [o for o in marked if o not in armed]
        table.W.changed(cells)
    if name in S.phases:
        del S.phases[len(S.phases) - 1 - S.phases[::-1].index(name)]
    table.W.changed([("phase", name)])
    table.settle()


def marks_until(table: Table, sort: str, name: str) -> list[c.Mark]:
    return [m for m in table.book.marks.values() if m.until_test is None and m.until == (sort, name)]


def reset(table: Table, sort: str, name: str) -> None:
    """Marks that live until now are back at their start."""
    for mark in marks_until(table, sort, name):
        column = table.S.program.column[column_of(mark)]
        cells: set[Key] = set()
        for o, value in list(table.S.each(column)):
            if value != column.start:
                cells |= table.W.give(column.name, o, column.start)
        table.W.changed(cells)


def look(table: Table, sort: str, name: str) -> None:
    """Memories of a moment: `at` keeps the values of then, `counting` how many times in a row something held."""
    for m in table.book.memories.values():
        if m.event != (sort, name) or m.how not in ("at", "counting"):
            continue
        if table.read is not None and m.name not in table.read:
            continue
        past = getattr(table.S, f"past_{m.name}")
        new: dict[Any, Any] = {key: table.ev.define(table.W, m.name, key) for key in keys_of(table.ev, table.W, m)}
        start = m.start
        if m.how == "counting":
            start = 0
            new = past | {key: past.get(key, 0) + 1 if held else 0 for key, held in new.items()}
        new = {key: value for key, value in new.items() if value != start}
        setattr(table.S, f"past_{m.name}", new)
        table.S.lent.discard(f"past_{m.name}")
        touched = [key for key in {**past, **new} if past.get(key, start) != new.get(key, start)]
        table.W.changed([("past", m.name, key) for key in touched])
