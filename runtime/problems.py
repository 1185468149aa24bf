"""What goes wrong at run time: a `Refusal` is the rules' answer, a `Fault` is ours or the author's."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Ground:
    """One reason of a refusal: the case, the label of its rule, and the values it saw."""

    case: str = ""
    label: str
    where: str = ""
    trail: Any = None


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


class Conflict(Fault):
    """Two exceptions apply, neither outranks the other, and they differ."""
