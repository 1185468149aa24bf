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

    def find(self, S: State, key: Any) -> ByPlace | None:
        """The answers below a hypothesis, which may itself stand within another."""
        below = find_below(self.below, S, key)
        return None if below is None else below.aside(self.changed)


class Shared(dict[Any, Any]):
    """The memo of answers about places in a state that was forked, and in its fork: each makes its own when it asks.

    `below` are the answers that both began with, which nobody changes, each with the places touched since it was put
    there; `changed` are those that this state has touched.
    """

    __slots__ = ("below", "changed")

    def __init__(self, below: Below) -> None:
        self.below = below
        self.changed: set[Any] = set()

    def find(self, S: State, key: Any) -> ByPlace | None:
        """The answers as this state has them from now on."""
        known = self.below.get(key)
        if known is None:
            return None
        answers, touched = known
        made = self[key] = answers.aside(touched | self.changed)
        made.about = (S, *answers.about[1:])
        made.guard = S.here if answers.guard is HERE else answers.guard
        return made


HERE = object()
"""Who is where, in answers that belong to no state."""
Below = dict[Any, tuple[ByPlace, frozenset[Any]]]


def freeze(memo: dict[Any, Any], here: Any) -> Below:
    """The answers of a state that is forked, for it and its fork to begin with; they belong to neither any longer."""
    found: Below = {}
    if memo.__class__ is Shared:
        below: Below = memo.below
        changed: set[Any] = memo.changed
        if not memo and not changed:
            return below
        found = {key: (answers, touched | changed) for key, (answers, touched) in below.items()}
    for key, answers in memo.items():
        answers.about = (None, *answers.about[1:])
        answers.guard = HERE if answers.guard is here else answers.guard
        found[key] = (answers, frozenset())
    return found


def touch_places(memo: dict[Any, Any], places: Iterable[Any]) -> None:
    """Answers about some places count no longer."""
    if memo.__class__ is Shared:
        memo.changed.update(places)
    for found in memo.values():
        found.again.update(places)


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
        below = None if memo.__class__ is dict else memo.find(S, key)  # type: ignore[attr-defined]
        if below is None:
            found = ByPlace(ask, *about)
            found.sets, found.guard = sets, guard
            if slot not in S.program.lasting:
                S.program.by_place.add(slot)
                if S.shared is not None and memo.__class__ is dict:  # others may look at this table, too
                    memo = S.memo[slot] = Shared({})
            memo[key] = found
            return found
        found = memo[key] = below
    for before, now in zip(found.sets, sets, strict=True):
        if before is not now:
            found.again |= before ^ now
            found.sets = sets
    if found.again:
        found.loosen(table)
    return found


def find_below(memo: Any, S: State, key: Any) -> ByPlace | None:
    """What a memo has for a key, itself or from below."""
    found: ByPlace | None = memo.get(key)
    return memo.find(S, key) if found is None and memo.__class__ is not dict else found


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
