"""The solver of matchings: is there a plan, which ones, any one of them, and who is stuck.

The search counts its steps against the matching's budget and looks at no clock, so it answers alike
everywhere. It closes one group at a time; what is left is a smaller matching, which falls apart into
components that are solved apart and remembered. Where more items never hurt, only least sets of items are
tried for a group, and whoever is left over joins a group that already stands.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import reduce
from itertools import islice
from operator import or_
from typing import Any

from ..dice import draw
from ..problems import Fault
from .plans import Matching, Plan

DEPTH = 150
TRIES = 8
MOST_PLANS = 2_000

Part = tuple[int, int]
"""Targets and items of one group, or items and targets of one component, as bit sets."""


class OverBudget(Fault):
    """The search took more steps than its budget allows; the answer is not known."""


def solve(m: Matching) -> Plan | None:
    """The first plan found, None when there is none; OverBudget when that stays unknown."""
    return _Search(m).first()


def completable(m: Matching) -> bool:
    """Whether there is any plan."""
    return solve(m) is not None


def blocked(m: Matching) -> tuple[Any, ...]:
    """The items of every component that has no plan (each component has the whole budget)."""
    return tuple(sorted(item for part in components(m) if not completable(part) for item in part.items))


def uncovered(m: Matching) -> tuple[Any, ...]:
    """The targets of every component that has no plan (each component has the whole budget)."""
    return tuple(sorted(target for part in components(m) if not completable(part) for target in part.targets))


def components(m: Matching) -> tuple[Matching, ...]:
    """The matching in parts that do not touch; one part when there is a `whole`."""
    if m.whole is not None:
        return (m,)
    search = _Search(m)
    return tuple(
        replace(m, items=tuple(m.items[i] for i in _bits(items)), targets=tuple(m.targets[t] for t in _bits(targets)))
        for items, targets in search.split(search.all_items, search.all_targets, keep=True)
    )


def plans(m: Matching, limit: int | None = None) -> Iterator[Plan]:
    """Every plan once, lazily, always in the same order.

    The first open target decides: smaller groups come first, then fewer items, then left empty. The budget
    is counted anew from each plan to the next; OverBudget ends the listing.
    """
    return islice(_Search(m).listing(), limit)


def every_plan(m: Matching) -> tuple[Plan, ...]:
    """All plans in one order, for rules that look at each of them; a matching with too many is a fault."""
    found = [*plans(m, MOST_PLANS + 1)]
    if len(found) > MOST_PLANS:
        raise Fault(f"there are more than {MOST_PLANS:,} plans to look at", m.case)
    return tuple(sorted(found))


def sample(m: Matching, rng: int) -> tuple[Plan | None, int]:
    """A random plan (any plan can come, not all equally often) and the next random source; None: no plan."""
    search = _Search(m)
    sure = search.first()
    if sure is None:
        return None, rng
    for _ in range(1 if m.whole is None else 2 * TRIES):
        try:
            plan, rng = search.random(rng)
        except OverBudget:
            break
        if m.whole is None or m.whole(plan):
            return plan, rng
    return sure, rng


class _Search:
    """One matching in bit sets, with what has been learned about it so far."""

    def __init__(self, m: Matching) -> None:
        at = {target: t for t, target in enumerate(m.targets)}
        if len(set(m.items)) < len(m.items) or len(at) < len(m.targets):
            raise ValueError("items and targets of a matching must be distinct")
        self.m = m
        self.nodes = 0
        self.all_items = (1 << len(m.items)) - 1
        self.all_targets = (1 << len(m.targets)) - 1
        self.reach, self.touch = [0] * len(m.items), [0] * len(m.targets)
        for i, item in enumerate(m.items):
            beside = m.beside(item) if m.beside is not None else None
            for target in m.targets if beside is None else beside:
                t = at.get(target)
                if t is not None and m.pair(item, target):
                    self.reach[i] |= 1 << t
                    self.touch[t] |= 1 << i
        self.must_place = _mask(i for i, item in enumerate(m.items) if not m.idle(item))
        self.must_cover = _mask(t for t, target in enumerate(m.targets) if not m.empty(target))
        self.known: dict[tuple[int, int, int], tuple[Part, ...] | None] = {}
        self.met: dict[Part, bool] = {}

    def step(self, affordable: bool = True) -> None:
        self.nodes += 1
        if self.nodes > self.m.budget or not affordable:
            raise OverBudget("there are too many plans to search", self.m.case)

    def first(self) -> Plan | None:
        """A plan by the shortest way: the solver's own, or with a `whole` the first listed that meets it."""
        groups = self.complete(self.all_items, self.all_targets)
        if groups is None:
            return None
        plan = self.spell(groups)
        if self.m.whole is None or self.m.whole(plan):
            return plan
        return next(self.listing(), None)

    def complete(self, free: int, targets: int) -> list[Part] | None:
        """Groups for these items and targets, everybody placed who must be."""
        found = self.fit(free, free & self.must_place, targets, 0)
        if found is None:
            return None
        groups = dict(found)
        for _, items in found:
            free &= ~items
        for item in _bits(free & self.must_place):
            groups[next(group for group in groups if not group & ~self.reach[item])] |= 1 << item
        return list(groups.items())

    def fit(self, free: int, homeless: int, targets: int, depth: int) -> tuple[Part, ...] | None:
        """Groups that cover `targets` from `free` and leave nobody in `homeless` without a group to join.

        `homeless` are the items that must be placed and fit no group that stands already.
        """
        parts = self.split(free, targets)
        if homeless & ~_union(items for items, _ in parts) or targets & self.must_cover & ~_union(t for _, t in parts):
            return None
        groups: list[Part] = []
        parts.sort(key=lambda part: (part[0].bit_count(), part[0]))
        for items, inner in parts:
            key = (items, homeless & items, inner)
            if key not in self.known:
                self.known[key] = self.fit_part(*key, depth + 1)
            found = self.known[key]
            if found is None:
                return None
            groups += found
        return tuple(groups)

    def fit_part(self, free: int, homeless: int, targets: int, depth: int) -> tuple[Part, ...] | None:
        """`fit` for one component: fix the group of its tightest target or item, go on with the rest."""
        self.step(depth <= DEPTH and targets.bit_count() <= 2 * DEPTH)
        must = targets & self.must_cover
        if not must and not homeless:
            return ()
        if not self.hopeful(free, must, targets):
            return None
        anchor = 0
        if must:
            target = min(_bits(must), key=lambda t: ((self.touch[t] & free).bit_count(), t))
            groups = self.groups(1 << target, free, targets)
        else:
            item = min(_bits(homeless), key=lambda i: ((self.reach[i] & targets).bit_count(), i))
            anchor = 1 << item
            near = _bits(self.reach[item] & targets)
            groups = (group for t in near for group in self.groups(1 << t, anchor, targets, t))
        for group in groups:
            common = self.common(group, free)
            joined = common if self.m.more_helps else 0
            for items in self.choices(group, common, free, homeless, targets, anchor):
                rest = self.fit(free & ~items, homeless & ~items & ~joined, targets & ~group, depth)
                if rest is not None:
                    return ((group, items), *rest)
        return None

    def groups(self, group: int, free: int, targets: int, above: int = -1) -> Iterator[int]:
        """The groups that hold `group` and that some free item can take on, smaller ones first.

        The others come from the targets numbered above `above`.
        """
        level = [(group, above)]
        while level:
            larger: list[tuple[int, int]] = []
            for held, last in level:
                self.step()
                yield held
                if self.m.group:
                    near = _union(self.reach[i] for i in _bits(self.common(held, free))) & targets & ~held
                    larger += [(held | 1 << t, t) for t in _bits(near) if t > last]
            level = larger

    def common(self, group: int, free: int) -> int:
        """The free items that pair with every target of the group."""
        for target in _bits(group):
            free &= self.touch[target]
        return free

    def choices(self, group: int, common: int, free: int, homeless: int, targets: int, anchor: int) -> Iterator[int]:
        """The sets of items worth trying for a group, `anchor` always among them."""
        ended = self.ended(group, free, targets)
        if ended & homeless & ~common:
            return
        if not self.m.more_helps:
            yield from self.subsets(group, common, ended & homeless | anchor & common)
        elif self.is_met(group, common):
            # Whoever can go nowhere else costs nothing; beyond them only least sets matter.
            yield from self.subsets(group, common, ended & common, least=True)

    def ended(self, group: int, free: int, targets: int) -> int:
        """The items with no target outside the group."""
        return _mask(i for i in _bits(free) if not self.reach[i] & targets & ~group)

    def subsets(self, group: int, common: int, forced: int, least: bool = False) -> Iterator[int]:
        """The sets of common items, the forced ones in it, that meet the requirement, smaller ones first.

        With `least` those that hold another such set are left out.
        """
        others = sorted(_bits(common & ~forced), key=lambda i: (least and self.reach[i].bit_count(), i))
        found: list[int] = []
        level = [(forced, 0)]
        while level:
            larger: list[tuple[int, int]] = []
            for items, at in level:
                self.step()
                if least and any(not small & ~items for small in found):
                    continue
                if items and self.is_met(group, items):
                    found.append(items)
                    yield items
                    if least:
                        continue
                larger += [(items | 1 << others[k], k + 1) for k in range(at, len(others))]
            level = larger

    def is_met(self, group: int, items: int) -> bool:
        """The requirement of one group, asked once."""
        key = (group, items)
        if key not in self.met:
            self.step()
            [(targets, named)] = self.spell([key])
            self.met[key] = bool(self.m.each_target(targets, named))
        return self.met[key]

    def hopeful(self, free: int, must: int, targets: int) -> bool:
        """Cheap tests that every solvable component passes."""
        if self.m.more_helps and not all(
            any(self.is_met(g, self.common(g, free)) for g in self.groups(1 << t, free, targets)) for t in _bits(must)
        ):
            return False
        return self.m.group or _all_distinct({t: self.touch[t] & free for t in _bits(must)})

    def split(self, free: int, targets: int, keep: bool = False) -> list[Part]:
        """The components as (items, targets); those without either side only when asked to `keep` them."""
        parts: list[Part] = []
        while targets:
            group, items = targets & -targets, 0
            front = group
            while front:
                found = _union(self.touch[t] for t in _bits(front)) & free & ~items
                items |= found
                front = _union(self.reach[i] for i in _bits(found)) & targets & ~group
                group |= front
            targets &= ~group
            free &= ~items
            if items or keep:
                parts.append((items, group))
        return parts + [(1 << i, 0) for i in _bits(free)] if keep else parts

    def listing(self) -> Iterator[Plan]:
        """All plans in order, those of the `whole` only."""
        self.step(len(self.m.targets) <= 2 * DEPTH)
        if not self.can_end(self.all_items, self.all_targets):
            return
        for groups in self.list_from(self.all_items, self.all_targets):
            plan = self.spell(groups)
            if self.m.whole is None or self.m.whole(plan):
                yield plan
                self.nodes = 0

    def list_from(self, free: int, targets: int) -> Iterator[list[Part]]:
        """The ways to go on from a rest that can be completed."""
        if not targets:
            yield []
            return
        first = targets & -targets
        for group in self.groups(first, free, targets):
            common, forced = self.common(group, free), self.ended(group, free & self.must_place, targets)
            for items in self.subsets(group, common, forced) if not forced & ~common else ():
                if self.can_end(free & ~items, targets & ~group):
                    for rest in self.list_from(free & ~items, targets & ~group):
                        yield [(group, items), *rest]
        if not first & self.must_cover and self.can_end(free, targets & ~first):
            yield from self.list_from(free, targets & ~first)

    def can_end(self, free: int, targets: int) -> bool:
        return self.fit(free, free & self.must_place, targets, 0) is not None

    def random(self, rng: int) -> tuple[Plan, int]:
        """Close random groups as long as that works out; whatever is left is solved."""
        free, targets = self.all_items, self.all_targets
        groups: list[Part] = []
        while targets:
            closed, rng = self.random_group(rng, free, targets)
            if closed is None:
                groups += self.complete(free, targets) or []
                break
            group, items = closed
            free, targets = free & ~items, targets & ~group
            if items:
                groups.append(closed)
        return self.spell(groups), rng

    def random_group(self, rng: int, free: int, targets: int) -> tuple[Part | None, int]:
        """One random group (no items: its target stays empty) after which the rest can be completed."""
        for _ in range(TRIES):
            at, rng = draw(rng, targets.bit_count())
            group, items = 1 << _bits(targets)[at], 0
            groups = list(islice(self.groups(group, free, targets), 256))
            at, rng = draw(rng, len(groups) + (not group & self.must_cover))
            if at < len(groups):
                group = groups[at]
                common, items = self.common(group, free), self.ended(group, free & self.must_place, targets)
                if items & ~common:
                    continue
                word, rng = draw(rng, 1 << 64)
                for item in _bits(common & ~items):
                    items |= (word >> item % 64 & 1) << item
                if not items or not self.is_met(group, items):
                    continue
            if self.can_end(free & ~items, targets & ~group):
                return (group, items), rng
        return None, rng

    def spell(self, groups: list[Part]) -> Plan:
        """Bit sets as the canonical plan."""
        return tuple(
            (tuple(self.m.targets[t] for t in _bits(group)), tuple(self.m.items[i] for i in _bits(items)))
            for group, items in sorted(groups, key=lambda part: part[0] & -part[0])
        )


def _all_distinct(wanted: dict[int, int]) -> bool:
    """Whether everyone can have a bit of their own (augmenting paths)."""
    owner: dict[int, int] = {}

    def claim(who: int, seen: set[int]) -> bool:
        for bit in _bits(wanted[who]):
            if bit not in seen:
                seen.add(bit)
                if bit not in owner or claim(owner[bit], seen):
                    owner[bit] = who
                    return True
        return False

    return all(claim(who, set()) for who in wanted)


def _bits(mask: int) -> list[int]:
    found = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return found


def _mask(bits: Iterable[int]) -> int:
    return sum(1 << bit for bit in bits)


def _union(masks: Iterable[int]) -> int:
    return reduce(or_, masks, 0)
