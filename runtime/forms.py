"""Whether plain data has the form of a state: what a save holds may have been written by anybody.

In:  a program, and the plain data of a snapshot.
Out: True only where every part of it has the form that play gives it; whoever gets False plays the events again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .choices.drafts import well_formed
from .dice import MASK
from .notation import of_type
from .program import Program
from .state import KEPT, State, fresh
from .values import LARGEST

Plain = dict[str, Any]


def sound(program: Program, plain: Any) -> bool:
    """Whether plain data has the form of a state of this program."""
    try:
        if plain.__class__ is not dict or {*plain} != {*KEPT, *program.flat}:
            return False
        if plain.get("map", "") not in (program.board.maps or ("",)):
            return False
        model = fresh(program, 0)
        state = State.from_plain(program, plain)
        good = all(getattr(state, n).__class__ is getattr(model, n).__class__ for n in KEPT if n != "winner")
        return good and all(test(program, state, model) for test in TESTS)
    except (KeyError, TypeError, IndexError, AttributeError, ValueError, OverflowError, RecursionError):
        return False


def columns(program: Program, state: State, model: State) -> bool:
    """Places of units, and marks of the right owners and types."""
    good = len(state.at) == len(model.at) and all(of_type(program, "place", at) for at in state.at)
    good &= all([o for o, _ in state.each(c)] == [o for o, _ in model.each(c)] for c in program.columns)
    return good and all(of_type(program, c.type, v) for c in program.columns for _, v in state.each(c))


def remembered(program: Program, state: State, model: State) -> bool:
    """Bindings, memories and quotas: typed values, under keys that the rules can ask for."""
    good = all(of_type(program, type_, getattr(state, f"bind_{b}")) for b, type_ in program.bindings.items())
    for memory in program.memories:
        past, (takes, gives) = getattr(state, f"past_{memory.name}"), program.signature(memory.name)
        good &= past.__class__ is dict and all(key_of(program, takes, key) for key in past)
        good &= all(of_type(program, gives, v) and alike(v, memory.start, gives) for v in past.values())
    for quota in program.quotas:
        spent = getattr(state, f"spent_{quota}")
        good &= spent.__class__ is dict and all(key_of(program, (), key) for key in spent)
        good &= all(v is not None and of_type(program, "number", v) for v in spent.values())
    return good


def key_of(program: Program, takes: tuple[str, ...], key: Any) -> bool:
    """Whether a tuple holds arguments of these types; where the types are not known, simple values."""
    if key.__class__ is not tuple or (takes and len(key) != len(takes)):
        return False
    return all(of_type(program, type_, part) for type_, part in zip(takes or ("",) * len(key), key, strict=True))


def alike(value: Any, start: Any, type: str) -> bool:
    """Whether a value can stand where a memory of unknown type began with `start`."""
    return bool(type) or value is None or start is None or value.__class__ is start.__class__


def running(program: Program, state: State, model: State) -> bool:
    """Frames, decisions and what is queued, all of procedures that there are."""
    good = all(frame_of(program, *frame) for frame in state.stack)
    good &= all(pending(program, state, x) for x in state.pending)
    good &= all(p in program.procedures and texts(local) for p, local in state.queue)
    for depth, waiting in state.parked:
        good &= natural(depth) and waiting.__class__ is list and all(pending(program, state, x) for x in waiting)
    good &= bool(state.pending or state.over or not state.stack)
    return good and all(x["id"] < state.counter for x in state.pending)


def frame_of(program: Program, name: str, block: int, local: Any) -> bool:
    return block >= 0 and texts(local) and callable(program.procedures[name].blocks[block])


def pending(program: Program, state: State, x: Plain) -> bool:
    known: Any = {"ask": program.asks, "offer": program.offers}[x["sort"]]
    return bool(known[x["ref"]] and state.stack[x["frame"]]) and x["id"] >= 0 and x["side"] in program.sides


def counted(program: Program, state: State, model: State) -> bool:
    """Dice, counters, phases, readings, and marks about marks."""
    dice = state.dice
    good = {*dice} <= {"rng", "script", "draws"} and natural(dice["rng"]) and dice["rng"] <= MASK
    good &= all(natural(face) for face in dice.get("script", ()))
    good &= all(natural(getattr(state, name)) for name in ("together", "counter", "revealed"))
    good &= state.winner is None or state.winner in program.sides
    good &= all(x.__class__ is str for x in (*state.phases, *state.agains))
    good &= all(x.__class__ is dict and texts(x) for x in state.skips)
    good &= texts(state.turn_of_phase) and all(natural(n) for n in state.turn_of_phase.values())
    good &= {*state.readings} == {*model.readings}
    good &= all(reading in program.readings[name] for name, reading in state.readings.items())
    good &= {*state.soon} <= {trigger.id for trigger in program.triggers}
    good &= all(held.__class__ is bool for held in state.soon.values())
    good &= all(u is not None and of_type(program, "unit", u) for u in state.halted)
    good &= all(name in program.column and owners.__class__ is list for name, owners in state.armed.items())
    return good and all(mark in program.column for mark, _ in state.shown)


def drafted(program: Program, state: State, model: State) -> bool:
    """A draft begins with a whole position, and choices follow."""
    good = all(draft.__class__ is tuple and (not draft or sound(program, draft[0])) for draft in state.drafts)
    return good and all(well_formed(program, kept) for draft in state.drafts for kept in draft[1:])


def texts(held: Any) -> bool:
    return held.__class__ is dict and all(key.__class__ is str for key in held)


def natural(n: Any) -> bool:
    return n.__class__ is int and 0 <= n < max(LARGEST, MASK + 1)


TESTS: tuple[Callable[[Program, State, State], bool], ...] = (columns, remembered, running, counted, drafted)
