"""Sets of which every condition is a sum over the members: which there are, or that there are none.

In:  members, what each adds to some numbers, where these begin, and how each must stand to 0 in the end.
Out: every set that will do, lazily and always in the same order; none where there is none, which is then proved.

The members are gone through in order, each taken or left, and of all ways to the same numbers one is kept. A way is
given up as soon as what is left cannot bring one of the numbers to where it must be. So the work grows with the number
of different sums, not of sets. It is counted against a budget, and no clock is looked at: the answer is the same
everywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from operator import ge, gt, le, lt
from typing import Any

Number = int | Fraction
Sums = tuple[Number, ...]
Stand = tuple[bool, Sums]
"""Whether somebody has been taken, and the numbers so far."""
STEPS = 60_000
"""How many different sums are looked at before a search is given up."""


class Sets:
    """The sets that will do; `open` says that the search was given up."""

    def __init__(
        self, members: Sequence[Any], adds: Sequence[Sums], begin: Sums, signs: Sequence[str], steps: int = STEPS
    ) -> None:
        self.members, self.adds, self.signs = members, adds, signs
        self.most, self.least = self._ahead(max), self._ahead(min)
        self.begin: Stand = (False, begin)
        self.layers: list[set[Stand]] = [{self.begin} if self._can(0, begin) else set()]
        self.open = False
        self._look(steps)

    def _ahead(self, pick: Callable[[Number, Number], Number]) -> list[Sums]:
        """By member, the most (or least) that it and those after it can still add to each number."""
        found: list[Sums] = [(0,) * len(self.signs)]
        for add in reversed(self.adds):
            found.append(tuple(x + pick(0, y) for x, y in zip(found[-1], add, strict=True)))
        return found[::-1]

    def _can(self, at: int, sums: Sums) -> bool:
        """Whether each number can still come to where it must be."""
        for sum_, most, least, sign in zip(sums, self.most[at], self.least[at], self.signs, strict=True):
            if sign in (">=", ">", "=") and not (gt if sign == ">" else ge)(sum_ + most, 0):
                return False
            if sign in ("<=", "<", "=") and not (lt if sign == "<" else le)(sum_ + least, 0):
                return False
        return True

    def _after(self, at: int, stand: Stand) -> tuple[Stand, Stand]:
        """The numbers with a member taken, and with it left."""
        return (True, tuple(x + y for x, y in zip(stand[1], self.adds[at], strict=True))), stand

    def _look(self, steps: int) -> None:
        """The numbers that can be come to, member by member; then only those that lead to a set."""
        for at in range(len(self.members)):
            ahead = {x for stand in self.layers[at] for x in self._after(at, stand) if self._can(at + 1, x[1])}
            steps -= len(ahead)
            if steps < 0:
                self.open = True
                return
            self.layers.append(ahead)
        good = {x for x in self.layers[-1] if x[0] and self._can(len(self.members), x[1])}
        self.layers[-1] = good
        for at in range(len(self.members) - 1, -1, -1):
            good = {x for x in self.layers[at] if any(y in good for y in self._after(at, x))}
            self.layers[at] = good

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        """Every set that will do; none where the search was given up."""
        todo: list[tuple[int, Stand, tuple[Any, ...]]] = []
        if not self.open and self.begin in self.layers[0]:
            todo.append((0, self.begin, ()))
        while todo:
            at, stand, taken = todo.pop()
            if at == len(self.members):
                yield taken
                continue
            with_, without = self._after(at, stand)
            if without in self.layers[at + 1]:
                todo.append((at + 1, without, taken))
            if with_ in self.layers[at + 1]:
                todo.append((at + 1, with_, (*taken, self.members[at])))
