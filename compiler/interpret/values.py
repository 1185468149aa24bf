"""Plain values as the oracle computes with them: exact numbers and ordered sets.

In:  values of the state.
Out: the same rounded, ordered or bounded, as docs/language.md says.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from rulewright.runtime.problems import Fault

LARGEST = 10**18
MOST_NUMBERS = 100_000
NONSENSE = (TypeError, LookupError, ValueError, AttributeError, ArithmeticError, RecursionError)
"""What Python says where a rule asks for a value that is not there."""


def ordered(members: Iterable[Any]) -> tuple[Any, ...]:
    """A set in the one order in which sets are kept, without repeats."""
    return tuple(sorted(set(members), key=rank))


def rank(value: Any) -> Any:
    """What orders values of one type; what is absent comes first."""
    if value is None:
        return (0, 0)
    return (1, tuple(map(rank, value)) if isinstance(value, tuple) else value)


def as_many(what: Any) -> tuple[Any, ...]:
    """One thing, several or none, as a tuple."""
    return () if what is None else what if isinstance(what, tuple) else (what,)


def floor(value: Any) -> int:
    return int(value // 1)


def ceiling(value: Any) -> int:
    return -floor(-value)


def nearest(value: Any) -> int:
    """Rounded to the nearest whole number, halves up."""
    return floor(value + Fraction(1, 2))


def whole(value: Any) -> Any:
    """A fraction that is a whole number as that number."""
    return int(value) if isinstance(value, Fraction) and value.denominator == 1 else value


def bounded(value: Any) -> Any:
    """A number that a game can have; what multiplies without end stops here."""
    if abs(value.numerator) >= LARGEST or value.denominator >= LARGEST:
        raise Fault("a number has more than 18 digits")
    return value


def divided(a: Any, b: Any) -> Any:
    if b == 0:
        raise Fault("a number is divided by zero")
    return bounded(whole(Fraction(a) / Fraction(b)))


def numbers(low: Any, high: Any) -> tuple[int, ...]:
    """The whole numbers from one to another."""
    if high - low > MOST_NUMBERS:
        raise Fault(f"a set holds more than {MOST_NUMBERS:,} numbers")
    return tuple(range(ceiling(low), floor(high) + 1))


def rounded(value: Any, how: str) -> Any:
    match how:
        case "up":
            return ceiling(value)
        case "down":
            return floor(value)
        case "nearest":
            return nearest(value)
        case _:
            return whole(value)
