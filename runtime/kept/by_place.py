"""Answers about places that are kept while the state changes, and searches that need not be made again.

In:  what is asked of a place, and the places that changes touch.
Out: the answers, each asked when it is first needed; what a search finds, made once for all that it sees.

While a stamp stays the same, no answer that was given has become another.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import count, islice
from typing import TYPE_CHECKING, Any, TypeVar

from ..problems import NONSENSE, Fault

if TYPE_CHECKING:
    from ..state import State

Links = tuple[tuple[int, ...], ...]
STAMPS = count()
IDLE, PATIENCE = "", 64
"""Under which key the searches in vain are counted, and how many there may be one after another."""
T = TypeVar("T")


class ByPlace(dict[int, Any]):
    """Answers by place, computed at the first look-up; the arguments `about` come before the place.

    `stamp` is another one whenever an answer is: what was found with these answers still holds while it is the same.
    Answers about the places of `again` count no longer; `before` holds what they were until the stamp is looked at.
    `sets` are those that places were looked for in. With a `guard`, which has something for a place or not (or is True
    for all), only places with something are looked up: one that was never asked about counts as one with nothing.
    """

    __slots__ = ("about", "again", "ask", "before", "guard", "mark", "sets")

    def __init__(self, ask: Callable[..., Any], *about: Any) -> None:
        self.ask, self.about = ask, about
        self.again: set[Any] = set()
        self.before: dict[int, Any] = {}
        self.guard: Any = None
        self.sets: tuple[frozenset[int], ...] = ()
        self.mark = next(STAMPS)

    def __missing__(self, place: int) -> Any:
        found = self[place] = self.ask(*self.about, place)
        return found

    def aside(self, changed: Iterable[Any]) -> ByPlace:
        """The same answers under a hypothesis that touches some places."""
        made = ByPlace(self.ask, *self.about)
        made.update(self)
        made.again, made.before = self.again.union(changed), dict(self.before)
        made.guard, made.sets, made.mark = self.guard, self.sets, self.mark
        return made

    def carried(self, old: State, new: State) -> ByPlace:
        """The same answers for a copy of the state that they are about."""
        made = self.aside(())
        made.about = tuple([new if x is old else x for x in self.about])
        made.guard = new.here if self.guard is old.here else self.guard
        return made

    def loosen(self, table: Links | None) -> None:
        """Take out what a change has touched; with a table, also answers about the places beside."""
        touched, self.again = self.again, set()
        touched.discard(None)  # where units are that are off the map
        if table is not None:
            touched = {p for p in self if p in touched or not touched.isdisjoint(table[p])}
        for place in touched:
            if place in self:
                self.before.setdefault(place, self.pop(place))
            elif self.guard is not None:
                self.before.setdefault(place, False)

    @property
    def stamp(self) -> int:
        """The same number as before, unless an answer is another one."""
        before, changed = self.before, False
        if not before:
            return self.mark
        self.before = {}
        for place, old in before.items():
            if place not in self:
                if old is False and self.guard is not None and self.guard is not True and not self.guard[place]:
                    continue
                try:
                    now = self.ask(*self.about, place)
                except (Fault, *NONSENSE):  # whoever needs this answer is told so
                    changed = True
                    continue
                if old is not False or now is not False or self.guard is None:  # absent is unasked without a guard
                    self[place] = now
            else:
                now = self[place]
            changed = changed or now != old
        if changed:
            self.mark = next(STAMPS)
        return self.mark


class Aside(dict[Any, Any]):
    """The memo of answers about places under a hypothesis: made of those `below` it when they are asked for."""

    __slots__ = ("below", "changed")

    def __init__(self, below: dict[Any, ByPlace], changed: set[Any]) -> None:
        self.below, self.changed = below, changed


def place_answers(
    S: State,
    slot: int,
    key: tuple[Any, ...],
    ask: Callable[..., Any],
    about: tuple[Any, ...],
    sets: tuple[frozenset[int], ...] = (),
    table: Links | None = None,
    guard: Any = None,
) -> ByPlace:
    """Answers about places that are kept, but for those that a change has touched; see analyse/step_columns.py."""
    memo = S.memo[slot]
    found: ByPlace | None = memo.get(key)
    if found is None:
        below = None if memo.__class__ is not Aside else aside_of(memo, key)
        if below is None:
            found = memo[key] = ByPlace(ask, *about)
            found.sets, found.guard = sets, guard
            return found
        found = memo[key] = below
    for before, now in zip(found.sets, sets, strict=True):
        if before is not now:
            found.again |= before ^ now
            found.sets = sets
    if found.again:
        found.loosen(table)
    return found


def aside_of(memo: Any, key: Any) -> ByPlace | None:
    """The answers below a hypothesis, which may itself stand within another."""
    below = memo.below.get(key)
    if below is None and memo.below.__class__ is Aside:
        below = aside_of(memo.below, key)
    return None if below is None else below.aside(memo.changed)


def recalled(S: State, slot: int, seen: tuple[Any, ...], search: Callable[..., T], given: tuple[Any, ...]) -> T:
    """What a search finds, made only where it has not been made with all that it sees now; old ones are let go.

    After many searches in vain the next ones up to a decision are not looked up (`S.seldom`).
    """
    memo = S.memo[slot]
    known: T | None = memo.get(seen)
    if known is not None:
        memo[IDLE] = 0
        return known
    found = search(*given)
    idle = memo[IDLE] = memo.get(IDLE, 0) + 1
    if idle > PATIENCE:
        S.seldom.add(slot)
    if len(memo) >= S.program.many:
        for old in list(islice(memo, len(memo) // 2)):
            del memo[old]
    memo[seen] = found
    return found
