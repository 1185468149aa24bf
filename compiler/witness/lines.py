"""Positions as data: the lines of an example, one frozen class for each sort, with values by name.

Lines are independent of a compiled rule set: units and places are given by name, never by the number that they have in
one module. So a line can be applied to any rule set that has its names, printed, and left out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

from ..core import nodes as c
from ..core import types as t
from ..core.types import Type

Given = tuple[Type, Any]
"""A value by name, with its type."""


@dataclass(frozen=True, slots=True)
class Values:
    """What all lines have: their values, in the order of the parameters of the functions below."""

    values: tuple[Given, ...]


@dataclass(frozen=True, slots=True)
class At(Values):
    """A unit is at a place."""


@dataclass(frozen=True, slots=True)
class Is(Values):
    """Something in the position has a value: the first of the values; the others are its arguments."""


@dataclass(frozen=True, slots=True)
class BoundIs(Is):
    """A name that a phase binds has a value."""

    name: str


@dataclass(frozen=True, slots=True)
class MarkIs(Is):
    """A mark has a value; `key` is its owner's type and its name."""

    key: tuple[str, str]


@dataclass(frozen=True, slots=True)
class MemoryIs(Is):
    """A memory has a value."""

    name: str


@dataclass(frozen=True, slots=True)
class SpentIs(Is):
    """Some of a quota is spent."""

    name: str


@dataclass(frozen=True, slots=True)
class ReadingIs(Is):
    """An unclear case is read in this way."""

    name: str


@dataclass(frozen=True, slots=True)
class During(Values):
    """A phase is running."""

    phase: str


@dataclass(frozen=True, slots=True)
class Setup(Values):
    """A scenario is set up."""

    scenario: str


@dataclass(frozen=True, slots=True)
class Die(Values):
    """The next roll of a die."""


@dataclass(frozen=True, slots=True)
class Run(Values):
    """A procedure runs."""

    procedure: str


@dataclass(frozen=True, slots=True)
class Play(Values):
    """A choice is taken; the first value is the side."""

    name: str
    sort: c.ChoiceSort


@dataclass(frozen=True, slots=True)
class OnMap(Values):
    """The map that the position is on, where it is not the first."""

    map: str


Line: TypeAlias = OnMap | At | BoundIs | MarkIs | MemoryIs | SpentIs | ReadingIs | During | Setup | Die | Run | Play


def on_map(name: str) -> OnMap:
    return OnMap((), name)


def at(unit: str, place: str) -> At:
    return At(((t.UNIT, unit), (t.PLACE, place)))


def bound(name: str, type: Type, value: Any) -> BoundIs:
    return BoundIs(((type, value),), name)


def marked(owner: Type, name: str, type: Type, who: Any, value: Any) -> MarkIs:
    of = () if owner.name == "game" else ((owner, who),)
    return MarkIs(((type, value), *of), (owner.name, name))


def remembered(name: str, type: Type, key: tuple[Given, ...], value: Any) -> MemoryIs:
    return MemoryIs(((type, value), *key), name)


def spent(name: str, type: Type, key: tuple[Given, ...], value: Any) -> SpentIs:
    return SpentIs(((type, value), *key), name)


def read(name: str, reading: str) -> ReadingIs:
    return ReadingIs(((Type("kind", name), reading),), name)


def during(phase: str) -> During:
    return During((), phase)


def setup(scenario: str) -> Setup:
    return Setup((), scenario)


def die(face: int) -> Die:
    return Die(((t.NUMBER, face),))


def run(procedure: str, args: tuple[Given, ...]) -> Run:
    return Run(args, procedure)


def play(side: str, name: str, sort: c.ChoiceSort, args: tuple[Given, ...]) -> Play:
    return Play(((t.SIDE, side), *args), name, sort)
