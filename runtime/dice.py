"""Chance as plain data: one integer is the whole random source.

The source is splitmix64. Every function takes the integer and returns the next one, so a state that
holds it can be copied, saved and replayed anywhere with the same faces.
"""

from collections.abc import Sequence
from functools import cache
from operator import mod
from struct import Struct
from typing import Any, TypeVar

T = TypeVar("T")

_MASK = (1 << 64) - 1
_STEP = 0x9E3779B97F4A7C15
_ONCE, _TWICE = 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
_HIGH = bytes([255] * 6)
MANY = 64
"""How many draws are worked out at once at most."""


def seed(n: int) -> int:
    """The source that starts from any whole number, large or negative."""
    rest = 2 * n if n >= 0 else -2 * n - 1
    state = 0
    while True:
        state = _mix((state ^ rest) + _STEP & _MASK)
        rest >>= 64
        if not rest:
            return state


def draw(state: int, n: int) -> tuple[int, int]:
    """A number in 0..n-1, each equally likely, and the next source."""
    if n < 1 or n > _MASK + 1:
        raise ValueError(f"cannot draw one of {n}")
    while True:
        state = state + _STEP & _MASK
        word = (state ^ state >> 30) * _ONCE & _MASK
        word = (word ^ word >> 27) * _TWICE & _MASK
        word ^= word >> 31
        if word <= _MASK - n or word <= _MASK - (_MASK + 1) % n:
            return word % n, state


class Source:
    """A random source that moves on by itself; it works the words of many draws out at once, so many `ahead`."""

    ahead = 0

    def __init__(self, state: int) -> None:
        self.rng = state

    @property
    def rng(self) -> int:
        """The integer that the source has come to."""
        return self._from + self._at * _STEP & _MASK

    @rng.setter
    def rng(self, state: int) -> None:
        self._from, self._at = state, 0
        self._words: tuple[int, ...] = ()

    def shuffle(self, items: Sequence[T]) -> Sequence[T]:
        """The items in a random order."""
        last = len(items) - 1
        until = self._at + last
        if self.ahead and until > len(self._words):
            self.rng, until = self.rng, last
            self._words = _words(self._from, max(last, self.ahead))
        if not self._words:
            order, self.rng = shuffle(self.rng, items)
            return order
        words, self._at = self._words[self._at : until], until
        return _swap(list(items), words, last)

    def draw(self, n: int) -> int:
        """A number in 0..n-1, each equally likely."""
        value, self.rng = draw(self.rng, n)
        return value


def shuffle(state: int, items: Sequence[T]) -> tuple[tuple[T, ...], int]:
    """The items in a random order, and the next source."""
    order, last = list(items), len(items) - 1
    words = _words(state, last) if last > 2 else ()
    if words:
        return tuple(_swap(order, words, last)), state + last * _STEP & _MASK
    for at in range(last, 0, -1):
        other, state = draw(state, at + 1)
        order[at], order[other] = order[other], order[at]
    return tuple(order), state


def _swap(order: list[T], words: Sequence[int], last: int) -> list[T]:
    """Each item, from the last on, is swapped with one drawn from those up to it."""
    for other in map(mod, words, range(last + 1, 1, -1)):
        order[last], order[other] = order[other], order[last]
        last -= 1
    return order


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
    word = (word ^ word >> 30) * _ONCE & _MASK
    word = (word ^ word >> 27) * _TWICE & _MASK
    return word ^ word >> 31


def _words(state: int, count: int) -> tuple[int, ...]:
    """The next words of a source; none where one is so high that it may have to be drawn again."""
    if count > MANY:
        first, rest = _words(state, MANY), _words(state + MANY * _STEP & _MASK, count - MANY)
        return first + rest if first and rest and count < 1 << 16 else ()
    each, steps, mask, form = _lanes(count)
    word = each * state + steps & mask
    word = ((word ^ word >> 30) & mask) * _ONCE & mask
    word = ((word ^ word >> 27) & mask) * _TWICE & mask
    told = ((word ^ word >> 31) & mask).to_bytes(form.size, "little")
    return () if _HIGH in told else form.unpack(told)


@cache
def _lanes(count: int) -> tuple[int, int, int, Struct]:
    """For words side by side in one number, 128 bits apart: a one in each, the way to each, all of each, their form."""
    each = sum(1 << 128 * i for i in range(count))
    steps = sum((i + 1) * _STEP % (_MASK + 1) << 128 * i for i in range(count))
    return each, steps, each * _MASK, Struct("<" + "Q8x" * count)
