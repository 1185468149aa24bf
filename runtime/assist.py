"""Small helpers of generated modules: loops in frames, windows, plans under a budget, reckonings, traces."""

from __future__ import annotations

from typing import Any

from . import machine
from .state import State
from .values import NOTHING, down, exact, nearest, up

ROUND = {"up": up, "down": down, "nearest": nearest, "": exact}


def begin_for(L: dict[str, Any], slot: str, items: Any) -> None:
    L[slot] = list(items)


def next_item(L: dict[str, Any], slot: str, var: str, body: int, after: int) -> int:
    """Bind the next member of a loop, or leave it."""
    items = L[slot]
    if not items:
        del L[slot]
        return after
    L[var] = items.pop(0)
    return body


def count_down(L: dict[str, Any], slot: str, go: bool, body: int, after: int) -> int:
    """One more round of a bounded loop, or leave it."""
    if not go or L[slot] <= 0:
        del L[slot]
        return after
    L[slot] -= 1
    return body


def window(S: State, index: int, L: dict[str, Any], again: int, after: int) -> int:
    """Keep a window open until its side is done."""
    if L.pop("@done", False):
        return after
    return again if machine.offer(S, index, L) else after


def step_value(
    value: Any, parts: list[tuple[str, str, Any]], round_: str, once: bool, most: Any, least: Any, trace: Any = None
) -> Any:
    """One step of a reckoning: contributions in order, then rounding, then caps."""
    if once and len(parts) > 1:
        strongest = max(parts, key=lambda p: abs(p[2]))
        parts = [strongest]
    for case, operation, amount in parts:
        value = value * amount if operation == "times" else value + amount
        if trace is not None:
            trace.part(case, operation, amount, exact(value))
    value = ROUND[round_](value)
    if most is not None and value > most:
        value = most
    if least is not None and value < least:
        value = least
    return value


class Trace:
    """What a value was made of: calls with their arguments, the case that answered, and what it asked in turn."""

    def __init__(self) -> None:
        self.root: dict[str, Any] = {"name": "", "args": (), "case": "", "value": None, "below": [], "parts": []}
        self.stack = [self.root]

    def part(self, case: str, operation: str, amount: Any, value: Any) -> None:
        self.stack[-1]["parts"].append((case, operation, amount, value))


def open_trace(S: State, name: str, args: tuple[Any, ...]) -> None:
    trace = S.trace
    if trace is None:
        return
    node: dict[str, Any] = {"name": name, "args": args, "case": "", "value": None, "below": [], "parts": []}
    trace.stack[-1]["below"].append(node)
    trace.stack.append(node)


def close_trace(S: State, value: Any) -> Any:
    trace = S.trace
    if trace is not None:
        trace.stack.pop()["value"] = value
    return value


def by(S: State, case: str, value: Any) -> Any:
    """Note the case that gives a value."""
    if S.trace is not None and value is not NOTHING:
        S.trace.stack[-1]["case"] = case
    return value


def traced_so_far(S: State) -> int:
    """How much has been traced, to tell later what one question added."""
    return len(S.trace.stack[-1]["below"]) if S.trace is not None else 0


def traced_since(S: State, mark: int) -> Any:
    return tuple(S.trace.stack[-1]["below"][mark:]) if S.trace is not None else None
