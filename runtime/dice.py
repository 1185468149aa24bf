"""Chance as plain data: one integer is the whole random source.

The source is splitmix64. Every function takes the integer and returns the next one, so a state that
holds it can be copied, saved and replayed anywhere with the same faces.
"""

from collections.abc import Sequence
from typing import Any, TypeVar

T = TypeVar("T")

MASK, STEP = (1 << 64) - 1, 0x9E3779B97F4A7C15
ONCE, TWICE = 0xBF58476D1CE4E5B9, 0x94D049BB133111EB


def seed(n: int) -> int:
    """The source that starts from any whole number, large or negative."""
    rest = 2 * n if n >= 0 else -2 * n - 1
    state = 0
    while True:
        state = _mix((state ^ rest) + STEP & MASK)
        rest >>= 64
        if not rest:
            return state


def draw(state: int, n: int) -> tuple[int, int]:
    """A number in 0..n-1, each equally likely, and the next source."""
    if not 1 <= n <= MASK + 1:
        raise ValueError(f"cannot draw one of {n}")
    fair = (MASK + 1) - (MASK + 1) % n
    while True:
        state = state + STEP & MASK
        word = _mix(state)
        if word < fair:
            return word % n, state


def shuffle(state: int, items: Sequence[T]) -> tuple[tuple[T, ...], int]:
    """The items in a random order, and the next source."""
    order = list(items)
    for last in range(len(order) - 1, 0, -1):
        other, state = draw(state, last + 1)
        order[last], order[other] = order[other], order[last]
    return tuple(order), state


def pick_subset(state: int, items: Sequence[T], count: int) -> tuple[tuple[T, ...], int]:
    """`count` of the items, in their own order, each subset equally likely, and the next source."""
    if not 0 <= count <= len(items):
        raise ValueError(f"cannot pick {count} of {len(items)}")
    picked: list[T] = []
    for index, item in enumerate(items):
        if len(picked) == count:
            break
        value, state = draw(state, len(items) - index)
        if value < count - len(picked):
            picked.append(item)
    return tuple(picked), state


def new_dice(n: int, script: Sequence[int] = ()) -> dict[str, Any]:
    """A dice record: a source started from `n` and the faces that come first."""
    return {"rng": seed(n), "script": list(script)}


def roll(dice: dict[str, Any], count: int, sides: int) -> tuple[int, ...]:
    """Roll `count` dice, scripted faces first, and move the record on.

    `dice` needs "rng" and may hold "script". A scripted face that the die does not have is a
    ValueError, and the record stays as it was.
    """
    if count < 0 or sides < 1:
        raise ValueError(f"cannot roll {count} dice of {sides} sides")
    script: list[int] = dice.get("script") or []
    faces = script[:count]
    for face in faces:
        if type(face) is not int or not 1 <= face <= sides:
            raise ValueError(f"the scripted face {face!r} is not on a die of {sides} sides")
    state: int = dice["rng"]
    for _ in range(count - len(faces)):
        value, state = draw(state, sides)
        faces.append(value + 1)
    dice["rng"] = state
    if script:
        dice["script"] = script[count:]
    return tuple(faces)


def _mix(word: int) -> int:
    word = (word ^ word >> 30) * ONCE & MASK
    word = (word ^ word >> 27) * TWICE & MASK
    return word ^ word >> 31
