"""Explain what is remembered.

In:  a game, one of its memories, and of what it is asked.
Out: the remembered value with its case, the moment it is from, and how it would come about now.
"""

from __future__ import annotations

from typing import Any

from ..game import Game
from ..notation import show
from ..problems import Ground
from ..program import MemoryInfo
from .explain import Why, said, traced
from .trace import nodes


def recall(game: Game, memory: MemoryInfo, *args: Any) -> Why:
    """What a memory holds, and why."""
    value = game.value(memory.name, *args)
    now, by, trail = None, "", ()
    looked_at = args in memory.keys(game.state)
    if looked_at:
        now, by, trail = anew(game, memory, args, value)
    told = before(game, memory, value)
    if not looked_at:
        told += "; it is not looked at now"
    elif memory.how == "always":
        last = "its clauses give" if by == memory.case else f"{by} gives"
        told = f"brought up to date after every change; {last} it now" if by else f"{told}; nothing changes it now"
    elif memory.how == "at":
        told += f"; now it would be {show(game.program, game.program.values[memory.name][2], now)}"
    else:
        told += "; it holds now" if now else "; it does not hold now"
    text = said(game.program, memory.name, args, value)
    ground = Ground(case=memory.case, label=told)
    shown = show(game.program, game.program.signature(memory.name)[1], value)
    return Why(program=game.program, text=text, legal=True, grounds=(ground,), trail=trail, value=True, shown=shown)


def anew(game: Game, memory: MemoryInfo, args: tuple[Any, ...], value: Any) -> tuple[Any, str, tuple[Any, ...]]:
    """What it would be now, the case that says so (none where it stays as it was), and what that asked."""
    twin = traced(game)
    body = next(m for m in twin.program.memories if m.name == memory.name).value
    now = body(twin.state, *args, keep=value) if memory.how == "always" else body(twin.state, *args)
    for node in nodes(twin.state.trace):
        return now, node.case, nodes(node.below)
    return now, memory.case, ()


def before(game: Game, memory: MemoryInfo, value: Any) -> str:
    """Which moment a remembered value is from."""
    if memory.how == "always":
        return "kept from before"
    if memory.how == "ever":
        return "has held once, and stays so" if value else "has never held"
    moment, phase = memory.event or ("", "")
    times = game.state.turn_of_phase.get(phase, 0)
    times -= game.state.phases.count(phase) if moment == "end" else 0
    if not times:
        return f"waits for the {moment} of {phase}, which has not come yet"
    row = "how many times in a row it held at" if memory.how == "counting" else "as it was at"
    return f"{row} the {moment} of {phase}"
