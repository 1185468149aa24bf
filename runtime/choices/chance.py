"""Legal ways to take an action, found at random.

In:  a random source, an action and who takes it.
Out: the first legal way that is met; only as many random words are drawn as members are looked at.

A player who is free to stop looks at a *few* of the values of an action's first parameter: at a number of them drawn
from none to all, in a random order. Where n of the values have a legal way, it finds none with the chance 1 : n + 1, so
that stopping weighs as much as one counter that can still act.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import Any

from .. import dice
from ..problems import NONSENSE, Fault, rested
from ..program import ActionInfo
from ..state import State
from ..telling.faults import raise_located
from ..values import subsets

LISTED = 400
TRIES = 48
Values = tuple[Any, ...]
Picks = Callable[[Values, bool], Iterable[Any]]
"""Values to try for a parameter, from its members; True asks for sets of them."""


def takes_sets(type: str) -> bool:
    return type.startswith(("set:", "list:"))


def every(members: Values, sets: bool) -> Iterable[Any]:
    """All of them; of sets the small ones first, up to a bound."""
    if not sets:
        return members
    large = 2 ** min(len(members), 20) > LISTED
    return chain(islice(subsets(members, range(1, len(members) + 1)), LISTED), [members] if large else ())


class Shuffle:
    """Tries members in a random order, of sets one at random; keeps the random source."""

    drawn = False
    """Whether a set was drawn, so that another try may find what this one has not."""

    def __init__(self, rng: int) -> None:
        self.rng = rng

    def below(self, n: int) -> int:
        """A number in 0..n-1."""
        value, self.rng = dice.draw(self.rng, n)
        return value

    def shuffle(self, members: Sequence[Any]) -> Iterator[Any]:
        """The members in a random order, drawn one by one."""
        order = list(members)
        for last in range(len(order) - 1, 0, -1):
            at = self.below(last + 1)
            chosen, order[at] = order[at], order[last]
            yield chosen
        yield from order[:1]

    def few(self, members: Sequence[Any]) -> Iterator[Any]:
        """Some of the members, from none to all of them, in a random order."""
        return islice(self.shuffle(members), self.below(len(members) + 1))

    def pick(self, members: Values, sets: bool) -> Iterable[Any]:
        if sets and members:
            self.drawn = True
            value, self.rng = dice.pick_subset(self.rng, members, self.below(len(members)) + 1)
            return [tuple(sorted(value))]
        return self.shuffle(members)

    def first(self, S: State, info: ActionInfo, actor: str, pick: Picks | None = None) -> Values | None:
        """The first legal way to take an action that is met."""
        try:
            for values in info.ways(S, actor, pick or self.pick):
                found: Values = values
                return found
        except (Fault, *NONSENSE) as error:
            raise_located(error, info.case)
        return None

    def some(self, S: State, info: ActionInfo, actor: str) -> Values | None:
        """The first legal way with one of a few values of the first parameter, which is no set."""
        if not info.params:
            return self.first(S, info, actor) if self.below(2) else None
        rest = self.pick
        left = [self.few]

        def pick(members: Values, sets: bool) -> Iterable[Any]:
            return left.pop()(members) if left else rest(members, sets)

        return self.first(S, info, actor, pick)


def sample(S: State, info: ActionInfo, actor: str, rng: int, few: bool) -> tuple[Values | None, int]:
    """A legal way to take an action, None where none is found, and the next source; see above for `few`.

    Sets that were drawn in vain are drawn again; in the end the small ones are listed.
    """
    rested(S)
    source, sets = Shuffle(rng), [p.type for p in info.params if takes_sets(p.type)]
    if not sets:
        return (source.some if few else source.first)(S, info, actor), source.rng
    opening = Opening(source) if few else None
    for _ in range(TRIES if any(x.startswith("set:") for x in sets) else 1):
        found = source.first(S, info, actor, source.pick if opening is None else opening.then(source.pick))
        if found is not None or not source.drawn:
            return found, source.rng
    return source.first(S, info, actor, every if opening is None else opening.then(every)), source.rng


def sample_among(S: State, info: ActionInfo, actor: str, rng: int, among: frozenset[int]) -> tuple[Values | None, int]:
    """A legal way to take an action with one of some units as its first parameter, and the next source."""
    source = Shuffle(rng)
    return first_among(S, info, actor, among, source.pick), source.rng


def first_among(S: State, info: ActionInfo, actor: str, among: frozenset[int], then: Picks = every) -> Values | None:
    """The first legal way to take an action with one of some units as its first parameter."""
    if not among or not info.params or info.params[0].type != "unit":
        return None
    rested(S)
    left = [True]

    def pick(members: Values, sets: bool) -> Iterable[Any]:
        return then(tuple(m for m in members if m in among) if left and left.pop() else members, sets)

    return Shuffle(0).first(S, info, actor, pick)


class Opening:
    """The few values of a first parameter, the same in every try; of sets any, or none."""

    def __init__(self, source: Shuffle) -> None:
        self.source = source
        self.chosen: Values | None = None

    def then(self, rest: Picks) -> Picks:
        """A way to pick for one try: the first parameter from the few, the others as `rest` does."""
        left = [True]

        def pick(members: Values, sets: bool) -> Iterable[Any]:
            if not left:
                return rest(members, sets)
            left.pop()
            if self.chosen is None and sets:
                self.chosen = members if self.source.below(len(members) + 1) else ()
            elif self.chosen is None:
                self.chosen = tuple(self.source.few(members))
            return rest(self.chosen, True) if sets else self.chosen

        return pick
