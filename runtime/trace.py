"""Traces: what a value was made of, told by the traced twin of the rules while it reckons.

A node is a call with its arguments, the case that answered, the value, the parts of a reckoning, and below it
what it asked in turn. Without a trace on the state, nothing is noted.
"""

from __future__ import annotations

from typing import Any

from .state import State
from .values import NOTHING


class Trace:
    """A tree of calls under way: the node that is being filled stands last on the stack."""

    def __init__(self) -> None:
        self.stack: list[dict[str, Any]] = []
        self.known: dict[Any, dict[str, Any]] = {}
        self.root = self.open("", ())

    def open(self, name: str, args: tuple[Any, ...]) -> dict[str, Any]:
        node: dict[str, Any] = {"name": name, "args": args, "case": "", "value": None, "below": [], "parts": []}
        if self.stack:
            self.stack[-1]["below"].append(node)
        self.stack.append(node)
        return node

    def part(self, case: str, operation: str, amount: Any, value: Any) -> None:
        self.stack[-1]["parts"].append((case, operation, amount, value))


def told(S: State, name: str, args: tuple[Any, ...]) -> Any:
    """What the trace says of a call already, put where it is asked again; None where it must be reckoned.

    A hypothesis, or a set that is still growing, has answers of its own.
    """
    node = S.trace.known.get((name, args)) if S.trace is not None and not (S.supposing or S.growing) else None
    if node is not None:
        S.trace.stack[-1]["below"].append(node)
    return node


def open_trace(S: State, name: str, args: tuple[Any, ...]) -> None:
    if S.trace is not None:
        S.trace.open(name, args)


def close_trace(S: State, value: Any) -> Any:
    if S.trace is not None:
        node = S.trace.stack.pop()
        node["value"] = value
        if not (S.supposing or S.growing):
            S.trace.known[node["name"], node["args"]] = node
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
