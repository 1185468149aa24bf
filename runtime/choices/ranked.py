"""Ranked ways to choose: the best of a choice space by filters and a ranking, found parameter by parameter.

In:  a space, the tests that its values must pass as soon as they are picked, and a ranking.
Out: the best way with its score, and the best runners-up; `open` where a bound on the work cut the search short.

Sets are never listed as all their subsets. Proposed are the empty set, where that is an answer; single members; the
first members of the order, more and more of them; pairs of a few members; and then, from the best that was found, sets
with one member more, fewer or other, as long as that helps.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from .. import ops
from ..problems import NONSENSE, Fault, rested
from ..program import ActionInfo
from ..state import State
from .chance import takes_sets
from .questions import AskSpace
from .ways import members_after

Values = tuple[Any, ...]
Rank = Callable[[Values], Any]
Order = Callable[[Values, Any], Any]
MOST = 4_000
"""How many ways one search looks at."""
FEW = 12
"""Of so many members pairs are proposed."""
LISTED = 60
"""So many values of a question that is no set are looked at."""
ROUNDS = 6
RUNNERS = 3


@dataclass(slots=True)
class Test:
    """A condition on the values picked so far, as it is told; `failed` counts the values that it shut out."""

    told: str
    holds: Callable[[Values], bool]
    failed: int = 0


@dataclass(slots=True)
class Wanted:
    """What is asked of the ways: `tests` by how many values they need, `rank` of whole ways, `orders` by parameter.

    With an order of single values the first value that has any way decides; the ranking is among its ways. `late` are
    tests of whole ways that seldom fail: of ways that differ in their last value alone they are asked the best first,
    and of no more than can count.
    """

    tests: list[list[Test]]
    rank: Rank | None = None
    orders: dict[int, Order] = field(default_factory=dict)
    late: list[Test] = field(default_factory=list)


@dataclass(slots=True)
class Best:
    """The ways that were found, the best first: each with its score. `tied` are those as good as the best; `each` has
    the best for every value of the first parameter."""

    found: list[tuple[Any, Values]] = field(default_factory=list)
    tied: list[Values] = field(default_factory=list)
    each: dict[Any, tuple[Any, Values]] = field(default_factory=dict)
    looked: int = 0
    open: bool = False

    def add(self, score: Any, values: Values) -> None:
        if any(values == known for _, known in self.found) or values in self.tied:
            return
        first = values[0] if values else None
        if first not in self.each or score > self.each[first][0]:
            self.each[first] = score, values
        if not self.found or score > self.found[0][0]:
            self.tied = [values]
        elif score == self.found[0][0]:
            self.tied.append(values)
        at = next((i for i, (other, _) in enumerate(self.found) if score > other), len(self.found))
        self.found.insert(at, (score, values))
        del self.found[RUNNERS + 1 :]


class Ranked:
    """One search of the ways to take an action."""

    def __init__(self, S: State, info: ActionInfo, actor: str, wanted: Wanted, most: int = MOST) -> None:
        self.S, self.info, self.actor, self.wanted, self.most = S, info, actor, wanted, most
        self.best = Best()

    def run(self) -> Best:
        self.go(())
        return self.best

    def go(self, args: Values) -> bool:
        """Look at the ways to go on from some arguments; whether there is any."""
        level = len(args)
        if self.refused(args) or not passes(self.wanted.tests[level], args):
            return False
        if level == len(self.info.params):
            return passes(self.wanted.late, args) and self.consider(args)
        if self.best.looked >= self.most:
            self.best.open = True
            return False
        members = self.members(args)
        order = self.wanted.orders.get(level)
        ranked = in_order(members, args, order) if order is not None else members
        found = False
        if takes_sets(self.info.params[level].type):
            for some in proposals(ranked, order is not None):
                found |= self.go((*args, some))
            if found and level == len(self.info.params) - 1:
                self.improve(args, members)
            return found
        if order is None and self.wanted.late and level and level == len(self.info.params) - 1:
            return self.best_first(args, members)
        for value in ranked:
            found |= self.go((*args, value))
            if found and order is not None:
                break
            if self.best.looked >= self.most:
                self.best.open = True
                break
        return found

    def best_first(self, args: Values, members: Values) -> bool:
        """Look at the last values in the order of their scores, as long as one may be the best or a runner-up."""
        tests, scores = self.wanted.tests[len(self.info.params)], []
        for value in members:
            way = (*args, value)
            if not self.refused(way) and passes(tests, way):
                scores.append((scored(self.wanted.rank, way), way))
        ranked = sorted((x for x in scores if x[0] is not None), key=lambda x: x[0], reverse=True)
        passed: list[Any] = []
        for score, way in ranked:
            if self.best.looked >= self.most:
                self.best.open = True
                break
            if len(passed) > RUNNERS and score != passed[0]:
                break
            if passes(self.wanted.late, way):
                self.best.looked += 1
                self.best.add(score, way)
                passed.append(score)
        return bool(passed)

    def members(self, args: Values) -> Values:
        rested(self.S)
        try:
            return members_after(self.S, self.info, self.actor, args)
        except (Fault, *NONSENSE):
            return ()

    def refused(self, args: Values) -> bool:
        S, info, level = self.S, self.info, len(args)
        rested(S)
        try:
            if any(rule.level == level and rule.refuses(S, self.actor, *args) for rule in info.rules):
                return True
            return any(
                needs == level and ops.short(S, quota, key(S, self.actor, *args), amount(S, self.actor, *args))
                for quota, key, amount, needs in info.spends
            )
        except (Fault, *NONSENSE):
            return True

    def consider(self, args: Values) -> bool:
        self.best.looked += 1
        score = scored(self.wanted.rank, args)
        if score is None:
            return False
        self.best.add(score, args)
        return True

    def improve(self, before: Values, members: Values) -> None:
        """From the best set of a last parameter: one member more, fewer or other, as long as that helps."""
        level = len(before)
        for _ in range(ROUNDS if self.wanted.rank is not None else 0):
            score, best = self.best.found[0]
            if best[:level] != before:
                return
            for some in neighbours(best[level], members):
                if self.best.looked >= self.most:
                    self.best.open = True
                    return
                self.go((*before, some))
            if not self.best.found[0][0] > score:
                return


def ranked_answers(space: AskSpace, wanted: Wanted, most: int = MOST) -> Best:
    """The best answers to a question."""
    best = Best()

    def consider(value: Any) -> None:
        best.looked += 1
        if not passes([*wanted.tests[0], *wanted.tests[1]], (value,)):
            return
        score = scored(wanted.rank, (value,))
        if score is not None:
            best.add(score, (value,))

    order = wanted.orders.get(0)
    members = in_order(space.members, (), order) if order is not None else space.members
    sort = space.info.sort
    if sort == "some":
        for some in ((), *proposals(members, order is not None)):
            if answers(space, some):
                consider(space.canonical(some))
        for size in {space.least, min(space.most, len(members))} if not best.found else ():
            if answers(space, members[:size]):
                consider(space.canonical(members[:size]))
        for _ in range(ROUNDS if best.found and wanted.rank is not None else 0):
            score, (held,) = best.found[0]
            for some in neighbours(held, space.members):
                if best.looked < most and answers(space, some):
                    consider(space.canonical(some))
            if not best.found[0][0] > score:
                break
        if best.found:
            return best
    if sort == "order" and order is not None and answers(space, members):
        consider(members)
        return best
    if sort == "one" and order is not None and space.matching is None:
        for value in members:
            if answers(space, value):
                consider(value)
            if best.found:
                return best
    for args in space.listing():
        if best.looked >= (most if sort == "one" and space.matching is None else LISTED):
            best.open = True
            break
        consider(args[0][1])
    return best


def answers(space: AskSpace, value: Any) -> bool:
    try:
        return not space.refusals((("", value),))
    except (Fault, *NONSENSE):
        return False


def passes(tests: Sequence[Test], args: Values) -> bool:
    """Whether values pass every test; one that has no answer for them is not passed."""
    for test in tests:
        try:
            good = test.holds(args)
        except (Fault, *NONSENSE):
            good = False
        if not good:
            test.failed += 1
            return False
    return True


def scored(rank: Rank | None, args: Values) -> Any:
    """What a way is worth; None where that has no answer."""
    if rank is None:
        return 0
    try:
        return rank(args)
    except (Fault, *NONSENSE):
        return None


def in_order(members: Sequence[Any], args: Values, order: Order) -> Values:
    """The members, the best first; those that the order says nothing of stand last."""
    keys: list[tuple[bool, Any]] = []
    for m in members:
        try:
            key = order(args, m)
        except (Fault, *NONSENSE):
            key = None
        keys.append((key is not None, key if key is not None else 0))
    return tuple(members[i] for i in sorted(range(len(members)), key=lambda i: keys[i], reverse=True))


def proposals(members: Values, ordered: bool) -> Iterator[Values]:
    """Sets that are worth a look, each once."""
    seen: set[frozenset[Any]] = set()
    singles = ((m,) for m in members)
    prefixes = (members[:size] for size in range(2, len(members) + 1)) if ordered else iter([members])
    pairs = combinations(members, 2) if len(members) <= FEW else iter(())
    for many in (singles, prefixes, pairs):
        for some in many:
            key = frozenset(some)
            if key and key not in seen:
                seen.add(key)
                yield tuple(sorted(some, key=members.index)) if ordered else some


def neighbours(held: Values, members: Values) -> Iterator[Values]:
    """The sets with one member more, fewer or other."""
    inside = set(held)
    for m in members:
        if m not in inside:
            yield tuple(x for x in members if x in inside or x == m)
    for gone in held if len(held) > 1 else ():
        yield tuple(x for x in held if x != gone)
    outside = [m for m in members if m not in inside]
    for gone in held if len(held) * len(outside) <= 4 * FEW else ():
        for m in outside:
            yield tuple(x for x in members if (x in inside and x != gone) or x == m)
