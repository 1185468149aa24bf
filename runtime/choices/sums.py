"""Ways to choose of which every condition is a sum: which there are, or that there are none.

In:  for each of some places, what each of its options adds to some numbers; where these begin, and how each must stand
     to 0 in the end.
Out: every choice of options that will do, lazily and always in the same order; none where there is none, which is then
     proved. A set has a place a member, who is taken or left; so has a sharing-out, by how much the member is given.

The places are gone through in order, and of all ways to the same numbers one is kept. A way is given up as soon as what
is left cannot bring one of the numbers to where it must be. So the work grows with the number of different sums, not of
choices. It is counted against a budget, and no clock is looked at: the answer is the same everywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from operator import add, ge, gt, le, lt
from typing import Any

Number = int | Fraction
Sums = tuple[Number, ...]
Stand = tuple[bool, Sums]
"""Whether anything has been taken, and the numbers so far."""
STEPS = 60_000
"""How many different sums are looked at before a search is given up."""
EACH = 10
"""And how many options for each of them."""


class Ways:
    """The choices that will do, each as the options taken; `open` says that the search was given up.

    The last option of a place is to take nothing; `empty` says whether nothing may be taken everywhere.
    """

    def __init__(
        self,
        options: Sequence[Sequence[Sums]],
        begin: Sums,
        signs: Sequence[str],
        steps: int = STEPS,
        empty: bool = True,
    ) -> None:
        self.options, self.signs = options, signs
        self.most, self.least = self._ahead(max), self._ahead(min)
        self.begin: Stand = (empty, begin)
        self.layers: list[set[Stand]] = [{self.begin} if self._can(0, begin) else set()]
        self.open = False
        self._look(steps)

    def _ahead(self, pick: Callable[[Iterable[Number]], Number]) -> list[Sums]:
        """By place, the most (or least) that it and those after it can still add to each number."""
        found: list[Sums] = [(0,) * len(self.signs)]
        for adds in reversed(self.options):
            found.append(tuple(x + pick(column) for x, column in zip(found[-1], zip(*adds, strict=True), strict=True)))
        return found[::-1]

    def _can(self, at: int, sums: Sums) -> bool:
        """Whether each number can still come to where it must be."""
        for sum_, most, least, sign in zip(sums, self.most[at], self.least[at], self.signs, strict=True):
            if sign in (">=", ">", "=") and not (gt if sign == ">" else ge)(sum_ + most, 0):
                return False
            if sign in ("<=", "<", "=") and not (lt if sign == "<" else le)(sum_ + least, 0):
                return False
        return True

    def _after(self, at: int, stand: Stand) -> list[Stand]:
        """The numbers with each of the options."""
        some, sums = stand
        last = len(self.options[at]) - 1
        return [(some or i < last, tuple(map(add, sums, adds))) for i, adds in enumerate(self.options[at])]

    def _look(self, steps: int) -> None:
        """The numbers that can be come to, place by place; then only those that lead to an end that will do."""
        tried = EACH * steps
        for at, adds in enumerate(self.options):
            tried -= len(self.layers[at]) * len(adds)
            ahead: set[Stand] = set()
            if tried >= 0:
                ahead = {x for stand in self.layers[at] for x in self._after(at, stand) if self._can(at + 1, x[1])}
            steps -= len(ahead)
            if steps < 0 or tried < 0:
                self.open = True
                return
            self.layers.append(ahead)
        good = {x for x in self.layers[-1] if x[0] and self._can(len(self.options), x[1])}
        self.layers[-1] = good
        for at in range(len(self.options) - 1, -1, -1):
            good = {x for x in self.layers[at] if any(y in good for y in self._after(at, x))}
            self.layers[at] = good

    def picks(self) -> Iterator[tuple[int, ...]]:
        """By place the number of the option that is taken, for everything that will do; none where it was given up."""
        todo: list[tuple[int, Stand, tuple[int, ...]]] = []
        if not self.open and self.begin in self.layers[0]:
            todo.append((0, self.begin, ()))
        while todo:
            at, stand, taken = todo.pop()
            if at == len(self.options):
                yield taken
                continue
            after = self._after(at, stand)
            todo += [(at + 1, x, (*taken, i)) for i, x in reversed([*enumerate(after)]) if x in self.layers[at + 1]]


class Sets(Ways):
    """The sets that will do."""

    def __init__(
        self, members: Sequence[Any], adds: Sequence[Sums], begin: Sums, signs: Sequence[str], steps: int = STEPS
    ) -> None:
        self.members = members
        super().__init__([(taken, (0,) * len(taken)) for taken in adds], begin, signs, steps, empty=False)

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        for picks in self.picks():
            yield tuple(m for m, left in zip(self.members, picks, strict=True) if not left)


class Shares(Ways):
    """The ways to share a number out that will do; `adds` has for each member what 1, 2, … of it add."""

    def __init__(
        self, total: int, members: Sequence[Any], adds: Sequence[Sequence[Sums]], begin: Sums, signs: Sequence[str]
    ) -> None:
        self.members, self.total = members, total
        none = (0,) * (len(begin) + 1)
        by_size = [[(n, *more) for n, more in enumerate(each, 1)] for each in adds]
        super().__init__([(*reversed(each), none) for each in by_size], (-total, *begin), ("=", *signs))

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        for picks in self.picks():
            given = [(m, self.total - i) for m, i in zip(self.members, picks, strict=True)]
            yield tuple((m, n) for m, n in given if n)
