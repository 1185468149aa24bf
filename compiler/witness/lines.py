"""Positions as plain data: the lines of an example, with values by name.

A line can be set up on any rule set that knows its names, printed, and dropped; nothing in it is a
number that only one compiled module understands.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..core import types as t
from ..core.types import Type

Given = tuple[Type, Any]
"""A value by name, with its type."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a position: `sort`, `words` and `info` are those of an example's line."""

    sort: str
    values: tuple[Given, ...] = ()
    words: tuple[str, ...] = ()
    info: Any = None


def at(unit: str, place: str) -> Line:
    return Line("given_at", ((t.UNIT, unit), (t.PLACE, place)))


def bound(name: str, type: Type, value: Any) -> Line:
    return Line("given_is", ((type, value),), info=("bind", name))


def marked(owner: Type, name: str, type: Type, who: Any, value: Any) -> Line:
    if owner.name == "game":
        return Line("given_is", ((type, value),), info=("mark", ("game", name)))
    return Line("given_is", ((type, value), (owner, who)), info=("mark", (owner.name, name)))


def kept(sort: str, name: str, type: Type, key: tuple[Given, ...], value: Any) -> Line:
    """Something remembered (`memory`), or what is spent of a quota (`spent`)."""
    return Line("given_is", ((type, value), *key), info=(sort, name))


def read(name: str, reading: str) -> Line:
    return Line("given_is", ((Type("kind", name), reading),), info=("reading", name))


def during(phase: str) -> Line:
    return Line("given_during", words=(phase,))


def die(face: int) -> Line:
    return Line("dice", ((t.NUMBER, face),))


def run(procedure: str, args: tuple[Given, ...]) -> Line:
    return Line("run", args, info=procedure)


def play(side: str, name: str, sort: str, args: tuple[Given, ...]) -> Line:
    """A choice: `sort` is action, ask or word."""
    return Line("play", ((t.SIDE, side), *args), info=(name, sort))
