"""Values that generated code reckons with: exact numbers, ordered sets, steps of a scale, paths and plans.

A set is a tuple without repeats, in a fixed order, so that nothing ever depends on hashing.
"""

from __future__ import annotations

import itertools
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from typing import Any

from .problems import Conflict, Fault

NOTHING = object()
Number = int | Fraction
LARGEST = 10**18
MOST_NUMBERS = 100_000


def ratio(a: Number, b: Number) -> Number:
    """An exact quotient, whole where it can be."""
    if b == 0:
        raise Fault("a number is divided by zero")
    return bounded(exact(Fraction(a) / Fraction(b)))


def bounded(value: Number) -> Number:
    """A number of a size that a game can have; whatever multiplies without end stops here."""
    if max(abs(value.numerator), value.denominator) < LARGEST:
        return value
    raise Fault("a number has more than 18 digits")


def exact(value: Number) -> Number:
    return value.numerator if isinstance(value, Fraction) and value.denominator == 1 else value


def up(value: Number) -> int:
    return -(-value.numerator // value.denominator)


def down(value: Number) -> int:
    return value.numerator // value.denominator


def up_product(a: Number, b: Number) -> int:
    """A product rounded up, without the product itself where that is a fraction."""
    return a * b if type(a) is int is type(b) else -(-a.numerator * b.numerator // (a.denominator * b.denominator))


def nearest(value: Number) -> int:
    return down(Fraction(value) + Fraction(1, 2))


def order_key(value: Any) -> Any:
    """A key that orders values of one type, absent ones first."""
    if value is None:
        return (0, 0)
    return (1, tuple(map(order_key, value)) if isinstance(value, tuple) else value)


def unique(items: Iterable[Any]) -> tuple[Any, ...]:
    """The items without repeats, in order."""
    found = set(items)
    try:
        return tuple(sorted(found))
    except TypeError:
        return tuple(sorted(found, key=order_key))


def union(a: tuple[Any, ...], b: tuple[Any, ...]) -> tuple[Any, ...]:
    return unique((*a, *b)) if a and b else a or b


def without(a: tuple[Any, ...], b: tuple[Any, ...]) -> tuple[Any, ...]:
    gone = set(b)
    return tuple(x for x in a if x not in gone)


def flat(sets: Iterable[tuple[Any, ...]]) -> tuple[Any, ...]:
    return unique(itertools.chain.from_iterable(sets))


def span(low: Number, high: Number) -> tuple[int, ...]:
    """The whole numbers from one to another."""
    if high - low > MOST_NUMBERS:
        raise Fault(f"a set holds more than {MOST_NUMBERS:,} numbers")
    return tuple(range(up(low), down(high) + 1))


def first_of(*tiers: Callable[[], tuple[Any, ...]]) -> tuple[Any, ...]:
    """`A else B`: the first that has members."""
    return next(filter(None, (tier() for tier in tiers)), ())


def highest(values: Iterable[Any], case: str = "", pick: Callable[[list[Any]], Any] = max) -> Any:
    found = list(values)
    if not found:
        raise Fault("highest or lowest of nothing", case)
    return pick(found)


def lowest(values: Iterable[Any], case: str = "") -> Any:
    return highest(values, case, min)


def on_scale(value: Number, steps: tuple[Number, ...]) -> int:
    """The highest step not above the value; -1 below them all."""
    return max((i for i, step in enumerate(steps) if step <= value), default=-1)


def scale(steps: tuple[Number, ...]) -> tuple[tuple[Number, ...], list[float]]:
    """Steps in rising order, and the floats nearest to them."""
    return steps, [float(x) for x in steps]


def on_scale_of(a: Number, b: Number, steps: tuple[tuple[Number, ...], list[float]]) -> int:
    """The same for a quotient; those of small whole numbers lie apart by more than their floats are off."""
    if type(a) is int and type(b) is int and 0 < b < 2**20 > abs(a):
        return bisect_right(steps[1], a / b) - 1
    return on_scale(ratio(a, b), steps[0])


def shifted(step: int, by: Number, last: int) -> int:
    return max(0, min(last, step + down(by)))


class Table(dict[Any, Any]):
    """The cells of a table; a key it lacks is a fault that names the table."""

    def __init__(self, cells: dict[Any, Any], name: str, case: str) -> None:
        super().__init__(cells)
        self.name, self.case = name, case

    def __missing__(self, key: Any) -> Any:
        raise Fault(f"the table {self.name} has no cell for {key!r}", self.case)


def clamp(value: Number, low: int, high: int) -> Number:
    return low if value < low else high if value > high else value


def agree(hit: Any, case: str, value: Any, name: str) -> tuple[str, Any]:
    """The answer of an exception; two that apply must give equal values."""
    first, held = hit or (case, value)
    if held == value:
        return first, held
    message = f"cases {first} and {case} both except {name} and disagree"
    notes = ("let one name the other as what it excepts",)
    raise Conflict(message, case, notes, about=name, between=((first, held), (case, value)))


AND = " and "
"""Between the cases of exceptions that apply together and agree, in a trace."""


def agree_both(hit: Any, cases: str, value: Any, name: str) -> tuple[str, Any]:
    """The same for an explanation: all that agree are cited."""
    if hit is None:
        return cases, value
    agree((hit[0].split(AND)[0], hit[1]), cases.split(AND)[0], value, name)
    return hit[0] + AND + cases, value


def assigned(plan: tuple[Any, ...], target: Any) -> tuple[Any, ...]:
    return next((tuple(items) for targets, items in plan if target in targets or target == targets), ())


def targets(plan: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(g[0][0] if len(g[0]) == 1 else g[0] for g in plan)


def placed(plan: tuple[Any, ...]) -> tuple[Any, ...]:
    return unique(i for g in plan for i in g[1])


def share(shares: tuple[tuple[Any, int], ...], member: Any) -> int:
    return next((n for m, n in shares if m == member), 0)


ROUND = {"up": up, "down": down, "nearest": nearest, "": exact}


def step_value(
    value: Any, parts: list[tuple[str, str, Any]], round_: str, once: bool, most: Any, least: Any, trace: Any = None
) -> Any:
    """One step of a reckoning: contributions in order, then rounding, then caps."""
    if once and parts:
        parts = [max(parts, key=lambda p: abs(p[2]))]
    for case, operation, amount in parts:
        value = value * amount if operation == "times" else value + amount
        if trace is not None:
            trace.append((case, operation, amount, exact(value)))
    value = ROUND[round_](value)
    if most is not None:
        value = min(value, most)
    return value if least is None else max(value, least)


def splits(total: int, members: tuple[Any, ...]) -> Iterator[tuple[tuple[Any, int], ...]]:
    """Every way to share a number out among members."""
    todo: list[tuple[int, int, tuple[tuple[Any, int], ...]]] = [(0, total, ())]
    while todo:
        at, left, given = todo.pop()
        if not left:
            yield given
        elif at == len(members) - 1:
            yield (*given, (members[at], left))
        elif at < len(members):
            todo.append((at + 1, left, given))
            todo += [(at + 1, left - n, (*given, (members[at], n))) for n in range(1, left + 1)]


def subsets(members: tuple[Any, ...], sizes: Iterable[int]) -> Iterator[tuple[Any, ...]]:
    return itertools.chain.from_iterable(itertools.combinations(members, n) for n in sizes)
