"""What goes wrong at run time: a `Refusal` is the rules' answer, a `Fault` is ours or the author's."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sized
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar


@dataclass(frozen=True, slots=True, kw_only=True)
class Ground:
    """One reason of a refusal: the case, the label of its rule, and the values it saw."""

    case: str = ""
    label: str
    where: str = ""
    trail: Any = None
    quota: tuple[str, tuple[Any, ...], bool] | None = None
    """The quota that does not suffice, what it is asked with, and whether nothing is left of it."""


def cases_of(grounds: Iterable[Ground]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(g.case for g in grounds if g.case))


def reasons_of(grounds: Iterable[Ground]) -> str:
    return "; ".join(dict.fromkeys(g.label for g in grounds if g.label))


NONSENSE = (TypeError, LookupError, ValueError, AttributeError, ArithmeticError, RecursionError)
"""What Python says where a rule asks for a value that is not there."""


class Refusal(Exception):
    """A choice that the rules turn down, with the cases that do; the state is as it was."""

    def __init__(self, message: str, grounds: tuple[Ground, ...] = ()) -> None:
        self.message, self.grounds = " ".join(message.split())[:2000], grounds
        super().__init__(self.message)

    @property
    def cases(self) -> tuple[str, ...]:
        return cases_of(self.grounds)


@dataclass
class Fault(Exception):
    """A rule set that cannot go on: a conflict of exceptions, a spent budget, a value that is not there.

    `where` is the file and line of the rules, `asked` the question there with what it was about (telling/faults.py).
    """

    message: str
    case: str = ""
    notes: tuple[str, ...] = field(default_factory=tuple)
    where: str = ""
    asked: str = ""

    def __str__(self) -> str:
        case = f"case {self.case}" if self.case else ""
        place = ", ".join(filter(None, (case, self.where, self.asked)))
        return f"{self.message} ({place})" if place else self.message


@dataclass
class Conflict(Fault):
    """Two exceptions to the definition `about` apply, neither outranks the other, and they differ.

    `between` are the cases of both with the values that they give.
    """

    about: str = ""
    between: tuple[tuple[str, Any], ...] = ()


# ---------------------------------------------------------------- how much may be asked

MOST_WORK = 3_000_000
"""The most members that are gone through from one decision to the next; play of the shipped books stays far below."""

T = TypeVar("T")
Many = TypeVar("Many", bound=Sized)


class Counts(Protocol):
    """A state, which counts what is gone through; the count is not saved."""

    work: int


def each(S: Counts, many: Many) -> Many:
    """What a loop goes through."""
    S.work += len(many)
    if S.work > MOST_WORK:
        rested(S)
        raise Fault(
            f"more than {MOST_WORK:,} members are gone through for one decision",
            notes=("go through what is near or meant, not through everything within everything",),
        )
    return many


def tried(S: Counts, many: Iterable[T]) -> Iterator[T]:
    """The same of what is put together one by one."""
    for one in many:
        each(S, (one,))
        yield one


def rested(S: Counts) -> None:
    """Begin the count anew: a side decides, or another choice is listed."""
    S.work = 0
