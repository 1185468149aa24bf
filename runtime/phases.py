"""Phases: what begins and ends with them, and rules that skip one, repeat one or put something off until one.

Quotas refill and marks of that lifetime go (`reset`), memories of that moment look (`look`), triggers queue.
"""

from __future__ import annotations

from typing import Any

from .ops import bind, fire, kept_from, note, settle, touch
from .state import State, start_of
from .telling.veils import kept_value

Locals = dict[str, Any]


def enter_phase(S: State, name: str, var: str | None = None, value: Any = None) -> None:
    """A phase begins; its name, or the value it runs for, is bound."""
    S.phases.append(name)
    S.turn_of_phase[name] = S.turn_of_phase.get(name, 0) + 1
    touch(S, "phases")
    if var is not None:
        bind(S, var, value)
    kept = kept_from(kept_value(S, S.program.bindings[var], value)) if var is not None else {}
    note(S, "phase", "", name=name, var=var, value=value, **kept)
    begin(S, name)
    fire(S, ("start", name), ())
    settle(S)


def begin(S: State, name: str) -> None:
    """What the start of a phase resets and remembers."""
    for quota in S.program.quotas.values():
        if name in quota.per and getattr(S, "spent_" + quota.name):
            setattr(S, "spent_" + quota.name, {})
            touch(S, "spent_" + quota.name)
    reset(S, "start", name)
    look(S, "start", name)


def close_phase(S: State, name: str) -> None:
    """What happens at the end of a phase, while it still runs."""
    look(S, "end", name)
    fire(S, ("end", name), ())
    settle(S)


def leave_phase(S: State, name: str) -> None:
    """A phase is over: marks that live until then go; of those that last until the next end, the first end
    arms them and the second clears them."""
    reset(S, "end", name)
    for mark in S.program.resets.get(("end_next", name), ()):
        column, armed = S.program.column[mark], S.armed.get(mark, [])
        marked = [o for o, value in S.each(column) if value != column.start]
        for o in armed:
            S.give(column, o, column.start)
        S.armed[mark] = [o for o in marked if o not in armed]
        touch(S, mark)
    if name in S.phases:
        del S.phases[len(S.phases) - 1 - S.phases[::-1].index(name)]
    touch(S, "phases")
    settle(S)


def reset(S: State, sort: str, name: str) -> None:
    for mark in S.program.resets.get((sort, name), ()):
        values = start_of(S.program.column[mark], S.program)
        if getattr(S, mark) != values:
            setattr(S, mark, values)
            touch(S, mark)


def look(S: State, sort: str, name: str) -> None:
    """Memories of a moment: `at` keeps the values of then, `counting` how many times in a row something held."""
    for memory in (m for m in S.program.memories if m.event == (sort, name)):
        past = getattr(S, "past_" + memory.name)
        new = {key: memory.value(S, *key) for key in memory.keys(S)}
        counting = memory.how == "counting"
        if counting:
            new = past | {key: past.get(key, 0) + 1 if held else 0 for key, held in new.items()}
        start = 0 if counting else memory.start
        setattr(S, "past_" + memory.name, {k: v for k, v in new.items() if v != start})
        touch(S, "past_" + memory.name)


# ---------------------------------------------------------------- out of the usual order


def skip(S: State, phase: str, guard: str | None, local: Locals, case: str) -> None:
    kept = {k: v for k, v in local.items() if not k.startswith("@")}
    S.skips.append({"phase": phase, "guard": guard, "locals": kept, "case": case})
    note(S, "skip_ahead", case, name=phase)


def skipped(S: State, name: str) -> bool:
    """Whether a rule has taken this phase out; each such rule counts once."""
    for item in S.skips:
        guard = item["guard"]
        if item["phase"] == name and (guard is None or S.program.procedures[guard].blocks[0](S, item["locals"]) == 1):
            S.skips.remove(item)
            note(S, "skip", item["case"], name=name)
            return True
    return False


def call_again(S: State, phase: str, case: str) -> None:
    S.agains.append(phase)
    note(S, "again", case, name=phase)


def again(S: State, name: str) -> bool:
    """Whether a rule has called for this phase once more."""
    called = name in S.agains
    if called:
        S.agains.remove(name)
    return called
