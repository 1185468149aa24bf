"""A legal way to take an action whose sets are too many to try one by one.

In:  an action, who takes it, and a number of steps.
Out: a way, or none; and whether that none is proved (`open` says that it is not).

All subsets are tried where the steps suffice for them. Where every rule about a larger set is a sum over its members
(sums.py), the sets that meet them are found, or it is proved that there are none. Otherwise these are tried:
everything; then sets that grow member by member as long as no rule refuses them that took a single member and refuses
everything; sets that shrink as long as no rule refuses them that takes everything and no single member; each in many
orders, with what lies on the way. So a demand that more members meet, a limit that fewer keep, both at once, and a
demand for a number of members are met where they can be. The steps are counted, no clock is looked at, and the orders
are fixed: the answer is the same everywhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

from .. import dice, ops
from ..problems import tried
from ..program import ActionInfo, RuleInfo
from ..state import State
from ..values import subsets
from .chance import takes_sets
from .sums import Sets
from .ways import members_after

STEPS = 2_500
ORDERS = 40
Values = tuple[Any, ...]


class Deep:
    """One search; `open` afterwards says that not everything was tried."""

    def __init__(self, S: State, info: ActionInfo, actor: str, steps: int = STEPS) -> None:
        self.S, self.info, self.actor = S, info, actor
        self.steps, self.open = steps, False

    def first(self, args: Values = ()) -> Values | None:
        """A legal way to go on from some arguments."""
        level = len(args)
        if self.steps <= 0:
            self.open = True
            return None
        if self.refused(args):
            return None
        if level == len(self.info.params):
            return args
        members = members_after(self.S, self.info, self.actor, args)
        many = takes_sets(self.info.params[level].type)
        for value in self.sets(args, members) if many else self.with_unlisted(args, members):
            found = self.first((*args, value))
            if found is not None:
                return found
        return None

    def refused(self, args: Values) -> bool:
        self.steps -= 1
        S, info, level = self.S, self.info, len(args)
        if any(rule.level == level and rule.refuses(S, self.actor, *args) for rule in info.rules):
            return True
        return any(
            needs == level and ops.short(S, quota, key(S, self.actor, *args), amount(S, self.actor, *args))
            for quota, key, amount, needs in info.spends
        )

    def with_unlisted(self, args: Values, members: Values) -> Iterator[Any]:
        """The members; of paths then those that are not listed, where another to the same end may do."""
        yield from members
        param = self.info.params[len(args)]
        if param.roams is None or param.accepts is None:
            return
        known = {*members}
        for path in tried(self.S, param.roams(self.S, self.actor, *args)):
            self.steps -= 1
            if self.steps <= 0:
                self.open = True
                return
            if len(path) > 1 and path not in known and param.accepts(self.S, self.actor, *args, path):
                yield path

    def sets(self, args: Values, members: Values) -> Iterator[Values]:
        """Sets of the members that are worth trying."""
        if len(members) < 20 and 2 ** len(members) <= self.steps:
            yield from subsets(members, range(1, len(members) + 1))
            return
        rules = [r for r in self.info.rules if r.level == len(args) + 1 and r.member is None]
        decided = all(r.margins is not None for r in rules)
        if any(r.margins for r in rules):
            yield from self.by_sums(args, members, rules)
        if decided and rules and not self.open:
            return
        yield members
        alone = [r for r in rules if any(not self.refuses(r, args, (m,)) for m in members)]
        whole = [r for r in rules if not self.refuses(r, args, members)]
        least, most = [r for r in whole if r not in alone], [r for r in alone if r not in whole]
        for order in orders(members):
            if self.steps <= 0:
                break
            yield from self.way(args, members, order, most, grow=True)
            yield from self.way(args, members, order, least, grow=False)
        self.open = True

    def by_sums(self, args: Values, members: Values, rules: list[RuleInfo]) -> Iterator[Values]:
        """The sets that meet every rule that is a sum over members, as far as the steps suffice."""
        asked = [x for r in rules for x in r.margins or ()]
        begin = tuple(fn(self.S, self.actor, *args, ()) for fn, _ in asked)
        alone = [[fn(self.S, self.actor, *args, (m,)) for fn, _ in asked] for m in members]
        adds = [tuple(x - y for x, y in zip(row, begin, strict=True)) for row in alone]
        found = Sets(members, adds, begin, [sign for _, sign in asked])
        self.open |= found.open
        for some in found:
            if self.steps <= 0:
                self.open = True
                return
            self.steps -= 1
            yield some

    def way(self, args: Values, members: Values, order: Values, keep: list[RuleInfo], grow: bool) -> Iterator[Values]:
        """Grow from nothing, or shrink from everything, one member of the order after another."""
        held = set() if grow else set(members)
        for m in order:
            if self.steps <= 0:
                return
            tried = held ^ {m}
            some = tuple(x for x in members if x in tried)
            if some and not any(self.refuses(rule, args, some) for rule in keep):
                held = tried
                yield some

    def refuses(self, rule: RuleInfo, args: Values, some: Values) -> bool:
        self.steps -= 1
        return bool(rule.refuses(self.S, self.actor, *args, some))


def orders(members: Values) -> Iterator[Values]:
    """Orders to try the members in, always the same ones."""
    yield members
    yield members[::-1]
    rng = dice.seed(0)
    for _ in range(ORDERS):
        order, rng = dice.shuffle(rng, members)
        yield tuple(order)


def larger(members: Values, least: int, most: int) -> Iterator[Values]:
    """Some sets of every size between two, for questions that take any of many members."""
    for order in islice(orders(members), 8):
        for size in range(max(1, least), min(most, len(members)) + 1):
            taken = set(order[:size])
            yield tuple(m for m in members if m in taken)
