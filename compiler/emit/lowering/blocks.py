"""Blocks of lowered procedures, and the ways in which a block goes on.

A block runs its statements and then ends: in another block, in one of two, with a question, or for good. Blocks know
each other by number.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias, assert_never

from rulewright.dsl.records import dataclass
from rulewright.dsl.source import Span

from ...core import nodes as c
from .machinery import LowStmt


@dataclass(frozen=True, slots=True)
class Stop:
    """The procedure is over."""


@dataclass(frozen=True, slots=True)
class Goto:
    """Another block comes next; `settles` where triggers may step in before it."""

    to: int
    settles: bool = False


@dataclass(frozen=True, slots=True)
class Branch:
    """One block or another."""

    test: c.Expr
    yes: int
    no: int


@dataclass(frozen=True, slots=True)
class NextItem:
    """The body of a loop with the next member that waits in a slot of the frame, or what comes after the loop."""

    slot: str
    var: str
    body: int
    after: int


@dataclass(frozen=True, slots=True)
class NextRound:
    """The body of a loop while rounds are left in a slot of the frame, or what comes after the loop."""

    slot: str
    condition: c.Expr | None
    body: int
    after: int


@dataclass(frozen=True, slots=True)
class NextStep:
    """A unit enters the next place of its path, or has come to its end."""

    slot: str
    case: str
    on: int
    after: int


@dataclass(frozen=True, slots=True)
class Question:
    """A side decides; `failing` comes next where there is nothing to choose from."""

    ask: int
    after: int
    failing: int | None


@dataclass(frozen=True, slots=True)
class Questions:
    """Several decide at the same time, not knowing of each other's answers; `IfFailed` follows those that may fail."""

    asks: tuple[int, ...]
    may_fail: tuple[int, ...]
    after: int


@dataclass(frozen=True, slots=True)
class IfFailed:
    """One block where a question that was asked together with others had no answer, else another."""

    ask: int
    yes: int
    no: int


@dataclass(frozen=True, slots=True)
class Window:
    """A side takes actions until it is done."""

    offer: int
    again: int
    after: int


@dataclass(frozen=True, slots=True)
class UnlessSkipped:
    """A phase begins, or is left out."""

    phase: str
    begin: int
    out: int


@dataclass(frozen=True, slots=True)
class MaybeAgain:
    """A phase that is over begins again, or not."""

    phase: str
    begin: int
    out: int


End: TypeAlias = (
    Stop
    | Goto
    | Branch
    | NextItem
    | NextRound
    | NextStep
    | Question
    | Questions
    | IfFailed
    | Window
    | UnlessSkipped
    | MaybeAgain
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """Statements to run in order, and how to go on."""

    stmts: tuple[LowStmt, ...]
    end: End


@dataclass(frozen=True, slots=True, kw_only=True)
class Lowered:
    """A procedure as blocks; the first is where it begins."""

    name: str
    case: str
    sort: str
    params: tuple[c.Param, ...]
    blocks: tuple[Block, ...]
    wrappers: tuple[tuple[str, c.Expr | None], ...] = ()
    span: Span | None = None


def ways_on(end: End) -> tuple[int, ...]:
    """The blocks that may come next."""
    match end:
        case Stop():
            return ()
        case Goto(to):
            return (to,)
        case Branch() | IfFailed():
            return (end.yes, end.no)
        case NextItem() | NextRound():
            return (end.body, end.after)
        case NextStep():
            return (end.on, end.after)
        case Question():
            return (end.after,) if end.failing is None else (end.after, end.failing)
        case Questions():
            return (end.after,)
        case Window():
            return (end.again, end.after)
        case UnlessSkipped() | MaybeAgain():
            return (end.begin, end.out)
        case _:
            assert_never(end)


def renumbered(end: End, new: Callable[[int], int]) -> End:
    """The same end, where blocks have other numbers."""
    match end:
        case Stop():
            return end
        case Goto(to):
            return replace(end, to=new(to))
        case Branch() | IfFailed():
            return replace(end, yes=new(end.yes), no=new(end.no))
        case NextItem() | NextRound():
            return replace(end, body=new(end.body), after=new(end.after))
        case NextStep():
            return replace(end, on=new(end.on), after=new(end.after))
        case Question():
            failing = None if end.failing is None else new(end.failing)
            return replace(end, after=new(end.after), failing=failing)
        case Questions():
            return replace(end, after=new(end.after))
        case Window():
            return replace(end, again=new(end.again), after=new(end.after))
        case UnlessSkipped() | MaybeAgain():
            return replace(end, begin=new(end.begin), out=new(end.out))
        case _:
            assert_never(end)
