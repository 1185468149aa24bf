"""Matchings by trying every plan.

In:  a matching of the core, its arguments and the world.
Out: whether there is a plan, which items and targets stand in the way of one, and whether a given plan is one.

A plan is a tuple of (targets, items) groups. Plans are built group by group; three things keep that short, and each
can be seen to be right. Parts of the matching that no pair joins are solved apart, unless a rule looks at the whole
plan. Whether a rest can be completed depends on the items and targets left alone, so it is asked once. Where one more
item never spoils a group (`more helps`), only least sets of items are tried for it: whoever is left over and must be
placed joins a group that stands. After `MOST` steps the question is given up (`Unknown`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import Any

from rulewright.runtime.problems import Fault

from ..core import nodes as c
from .asks import Asks, Names, Unknown
from .world import World

MOST = 30_000
MOST_PLANS = 2_000
Items = tuple[Any, ...]
Plan = tuple[tuple[Items, Items], ...]


class Matching:
    """One matching, asked in one world with some arguments."""

    def __init__(self, ask: Asks, W: World, name: str, args: tuple[Any, ...]) -> None:
        self.ask, self.W = ask, W
        self.m = m = ask.book.matchings[name]
        self.names: Names = dict(zip((p.name for p in m.params), args, strict=True))
        self.items: Items = tuple(ask.value(W, m.items, self.names))
        self.targets: Items = tuple(ask.value(W, m.targets, self.names))
        needs = [r for r in m.rules if r.sort == "require"]
        self.whole = [r for r in needs if looks_at_the_rest(r)]
        self.of_group = [r for r in needs if r not in self.whole]
        self.pairs = {i: {t for t in self.targets if self.pair(i, t)} for i in self.items}
        self.idle = {i for i in self.items if self.may(m.idle, m.item, i)}
        self.empty = {t for t in self.targets if self.may(m.empty, m.target, t)}
        self.met: dict[tuple[Items, Items], bool] = {}
        self.steps = 0

    # ------------------------------------------------------------ what is asked

    def any(self) -> bool:
        """Whether there is a plan."""
        if self.whole:
            return next(self.plans(), None) is not None
        return all(self.solvable(*part) for part in self.parts())

    def blocked(self) -> Items:
        """The items of every part that has no plan."""
        return tuple(sorted(i for items, targets in self.hopeless() for i in items))

    def uncovered(self) -> Items:
        """The targets of every part that has no plan."""
        return tuple(sorted(t for items, targets in self.hopeless() for t in targets))

    def hopeless(self) -> list[tuple[Items, Items]]:
        if self.whole:
            return [] if self.any() else [(self.items, self.targets)]
        return [part for part in self.parts() if not self.solvable(*part)]

    def accepts(self, plan: Any) -> bool:
        """Whether a plan, its groups in any order, is one of this matching."""
        try:
            placed = [i for _, items in plan for i in items]
            covered = [t for targets, _ in plan for t in targets]
            good = all(targets and items for targets, items in plan)
            good = good and set(placed) <= set(self.items) and set(covered) <= set(self.targets)
        except (TypeError, ValueError):
            return False
        if not good or len(set(placed)) < len(placed) or len(set(covered)) < len(covered):
            return False
        plan = self.canonical(plan)
        if not all(self.stands(targets, items) for targets, items in plan):
            return False
        left_over = set(self.items) - set(placed) <= self.idle and set(self.targets) - set(covered) <= self.empty
        return left_over and self.complete(plan)

    def canonical(self, plan: Plan) -> Plan:
        """The plan with its groups, and what is in them, in the order of the matching."""
        groups = [
            (tuple(t for t in self.targets if t in targets), tuple(i for i in self.items if i in items))
            for targets, items in plan
        ]
        return tuple(sorted(groups, key=lambda group: self.targets.index(group[0][0])))

    # ------------------------------------------------------------ the rules

    def may(self, test: c.Expr | None, name: str, x: Any) -> bool:
        return test is not None and bool(self.ask.value(self.W, test, {**self.names, name: x}))

    def pair(self, item: Any, target: Any) -> bool:
        names = {**self.names, self.m.item: item, self.m.target: target}
        return not any(r.sort == "forbid" and self.ask.refuses(self.W, r, names) for r in self.m.rules)

    def stands(self, targets: Items, items: Items) -> bool:
        """Whether a group may be part of a plan."""
        if len(targets) > 1 and not self.m.groups:
            return False
        return all(t in self.pairs[i] for i in items for t in targets) and self.meets(targets, items)

    def meets(self, targets: Items, items: Items) -> bool:
        key = (targets, items)
        if key not in self.met:
            self.step()
            self.met[key] = not self.refused(self.of_group, targets, items, ())
        return self.met[key]

    def refused(self, rules: list[c.Rule], targets: Items, items: Items, idle: Items) -> bool:
        names = {
            **self.names, self.m.target: targets[0], "group": targets, "assigned": items, "unassigned": idle,
        }  # fmt: skip
        return any(self.ask.refuses(self.W, r, names) for r in rules)

    def complete(self, plan: Plan) -> bool:
        """Whether a plan meets what is asked of the whole of it."""
        idle = tuple(i for i in self.items if all(i not in items for _, items in plan))
        return not any(self.refused(self.whole, targets, items, idle) for targets, items in plan)

    def step(self) -> None:
        self.steps += 1
        self.ask.tire()
        if self.steps > MOST:
            raise Unknown(f"more than {MOST:,} steps over the plans of {self.m.name}")

    # ------------------------------------------------------------ every plan

    def plans(self) -> Iterator[Plan]:
        """All plans, one after another; each starts to count its steps anew."""
        for plan in self.groupings(self.items, self.targets):
            self.steps = 0
            if self.complete(plan):
                yield plan

    def every(self) -> tuple[Plan, ...]:
        """All plans, in the order of their groups, targets first; there must not be more than `MOST_PLANS`."""
        found: set[Plan] = set()
        for plan in self.plans():
            found.add(plan)
            if len(found) > MOST_PLANS:
                raise Fault(f"there are more than {MOST_PLANS:,} plans to look at", self.m.case)
        return tuple(sorted(found))

    def groupings(self, free: Items, targets: Items) -> Iterator[Plan]:
        """All ways to deal with these targets from these items."""
        self.step()
        if not targets:
            if set(free) <= self.idle:
                yield ()
            return
        first, rest = targets[0], targets[1:]
        for others in subsets(rest if self.m.groups else ()):
            group = (first, *others)
            near = self.common(free, group)
            left = tuple(t for t in rest if t not in others)
            for items in subsets(near, least=1):
                self.step()
                if self.meets(group, items):
                    for more in self.groupings(without(free, items), left):
                        yield ((group, items), *more)
        if first in self.empty:
            yield from self.groupings(free, rest)

    # ------------------------------------------------------------ is there one

    def parts(self) -> list[tuple[Items, Items]]:
        """Items and targets that pairs join, directly or through others."""
        found: list[tuple[Items, Items]] = []
        items, targets = list(self.items), list(self.targets)
        while items or targets:
            mine, yours = ({items[0]}, set[Any]()) if items else (set[Any](), {targets[0]})
            before = 0
            while len(mine) + len(yours) > before:
                before = len(mine) + len(yours)
                yours |= {t for i in mine for t in self.pairs[i]}
                mine |= {i for i in items if self.pairs[i] & yours}
            found.append((tuple(i for i in items if i in mine), tuple(t for t in targets if t in yours)))
            items = [i for i in items if i not in mine]
            targets = [t for t in targets if t not in yours]
        return found

    def solvable(self, items: Items, targets: Items) -> bool:
        """Whether a part has a plan."""
        self.steps = 0
        known: dict[tuple[Items, Items, frozenset[Any]], bool] = {}

        def rest(free: Items, left: Items, joined: frozenset[Any]) -> bool:
            """Whether these targets can be dealt with; `joined` are items that fit a group which stands already."""
            key = (free, left, joined)
            if key not in known:
                known[key] = search(free, left, joined)
            return known[key]

        def search(free: Items, left: Items, joined: frozenset[Any]) -> bool:
            self.step()
            homeless = [i for i in free if i not in self.idle and i not in joined]
            if any(self.pairs[i].isdisjoint(left) for i in homeless):
                return False
            if not homeless and set(left) <= self.empty:
                return True
            waiting = [t for t in left if t not in self.empty]
            waiting = waiting or [t for t in left if any(t in self.pairs[i] for i in homeless)]
            first = min(waiting, key=lambda t: (sum(t in self.pairs[i] for i in free), left.index(t)))
            others = tuple(t for t in left if t != first)
            for more in subsets(others if self.m.groups else ()):
                group = tuple(t for t in left if t == first or t in more)
                near = self.common(free, group)
                if not near:
                    continue
                after = tuple(t for t in left if t not in group)
                helped = joined | set(near) if self.m.more_helps else joined
                for taken in self.choices(group, near):
                    if rest(without(free, taken), after, helped - set(taken)):
                        return True
            return first in self.empty and rest(free, others, joined)

        return rest(items, targets, frozenset())

    def choices(self, group: Items, near: Items) -> Iterator[Items]:
        """The sets of items to try for a group: all that meet it, or the least of them where more helps."""
        if self.m.more_helps and not self.meets(group, near):
            return
        found: list[set[Any]] = []
        for items in subsets(near, least=1):
            self.step()
            if self.m.more_helps and any(small <= set(items) for small in found):
                continue
            if self.meets(group, items):
                found.append(set(items))
                yield items

    def common(self, free: Items, group: Items) -> Items:
        """The free items that pair with every target of a group."""
        return tuple(i for i in free if all(t in self.pairs[i] for t in group))


def looks_at_the_rest(rule: c.Rule) -> bool:
    return any(isinstance(e, c.Local) and e.name == "unassigned" for e in rule.test.walk())


def subsets(members: Items, least: int = 0) -> Iterator[Items]:
    """Every subset, smaller ones first."""
    for size in range(least, len(members) + 1):
        yield from combinations(members, size)


def without(items: Items, gone: Iterable[Any]) -> Items:
    left = set(gone)
    return tuple(i for i in items if i not in left)
