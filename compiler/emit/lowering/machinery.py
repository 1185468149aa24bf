"""Statements that only lowered procedures have: the machinery of loops, walks and phases, written out."""

from __future__ import annotations

from typing import TypeAlias

from rulewright.dsl.records import dataclass

from ...core import nodes as c


@dataclass(frozen=True, slots=True)
class Machinery(c.Statement):
    """What all of them have."""


@dataclass(frozen=True, slots=True)
class TestGuard(Machinery):
    """The guard of a skipped phase, as the answer of its procedure."""

    guard: c.Expr


@dataclass(frozen=True, slots=True)
class BeginFor(Machinery):
    """The members still to come are kept in a slot of the frame."""

    slot: str
    source: c.Expr


@dataclass(frozen=True, slots=True)
class BeginRepeat(Machinery):
    """The rounds still to come are kept in a slot of the frame."""

    slot: str
    most: c.Expr


@dataclass(frozen=True, slots=True)
class BeginWalk(Machinery):
    """The places still to be entered are kept in a slot of the frame."""

    slot: str
    unit: c.Expr
    path: c.Expr


@dataclass(frozen=True, slots=True)
class BeginTogether(Machinery):
    """From here on changes do not settle."""


@dataclass(frozen=True, slots=True)
class EndTogether(Machinery):
    """What has changed since `BeginTogether` settles at once."""


@dataclass(frozen=True, slots=True)
class Bind(Machinery):
    """The variable of a phase is bound for all who ask while it runs."""

    var: str
    local: str


@dataclass(frozen=True, slots=True)
class EnterPhase(Machinery):
    name: str
    var: str | None


@dataclass(frozen=True, slots=True)
class ClosePhase(Machinery):
    """What waits for the end of the phase happens."""

    name: str


@dataclass(frozen=True, slots=True)
class LeavePhase(Machinery):
    name: str


LowStmt: TypeAlias = (
    c.Stmt
    | TestGuard
    | BeginFor
    | BeginRepeat
    | BeginWalk
    | BeginTogether
    | EndTogether
    | Bind
    | EnterPhase
    | ClosePhase
    | LeavePhase
)
