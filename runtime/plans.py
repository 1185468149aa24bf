"""Matchings: sort items onto targets so that every requirement holds.

In:  a `Matching`: which item may go with which target, what each group of targets asks of its items,
     which items may stay idle and which targets empty.
Out: plans, each a tuple of (targets, items) groups in the order of their first target. An item stands in
     at most one group and pairs with every target of it; a target stands in at most one group.

The search counts its steps against a budget and looks at no clock, so it answers alike everywhere. It closes
one group at a time; what is left is a smaller matching, which falls apart into components that are solved
apart and remembered. Where more items never hurt, only least sets of items are tried for a group, and
whoever is left over joins a group that already stands.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, islice
from typing import Any

from .dice import draw

Plan = tuple[tuple[tuple[Any, ...], tuple[Any, ...]], ...]

BUDGET = 20_000
DEPTH = 150
_TRIES = 8


def _never(_: Any) -> bool:
    return False


@dataclass(frozen=True, slots=True, kw_only=True)
class Matching:
    """What a plan has to satisfy. The callables must be pure.

    `each_target(targets, items)` is asked of every group, never with an empty tuple on either side.
    `more_helps` promises that adding an item never spoils a satisfied group, `fewer_helps` that taking one
    away never does (as long as one is left); with neither, all subsets are tried. `whole` is asked of the
    complete plan; it switches the short cuts off. `case` is cited when a plan is refused.
    """

    items: tuple[Hashable, ...]
    targets: tuple[Hashable, ...]
    pair: Callable[[Any, Any], bool]
    each_target: Callable[[tuple[Any, ...], tuple[Any, ...]], bool] = lambda targets, items: True
    group: bool = False
    more_helps: bool = False
    fewer_helps: bool = False
    idle: Callable[[Any], bool] = _never
    empty: Callable[[Any], bool] = _never
    whole: Callable[[Plan], bool] | None = None
    case: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """A plan, or None: there is none, or (`exhausted`) the budget ended before one was found."""

    plan: Plan | None
    exhausted: bool
    nodes: int


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a plan is not accepted: `kind` for programs, the things concerned, and a sentence as text."""

    kind: str
    items: tuple[Any, ...] = ()
    targets: tuple[Any, ...] = ()

    @property
    def sentence(self) -> str:
        return _SENTENCES[self.kind]

    def __str__(self) -> str:
        return f"{_SENTENCES[self.kind]} (items {list(self.items)}, targets {list(self.targets)})"


_SENTENCES = {
    "shape": "not a list of groups of targets and items",
    "unknown": "no such item or target",
    "repeated": "stands in more than one place",
    "grouped": "targets may not be grouped",
    "pair": "the item does not go with the target",
    "requirement": "the group does not meet its requirement",
    "unplaced": "the item is not placed",
    "uncovered": "the target is not covered",
    "whole": "the plan as a whole does not meet its requirement",
}


class OverBudget(Exception):
    """The search took more steps than its budget allows; the answer is not known."""


def solve(m: Matching, budget: int = BUDGET, order: Sequence[int] | None = None) -> Answer:
    """The first plan found. `order`, a permutation of the items' indexes, leads to other first plans."""
    search = _Search(m, budget, order)
    try:
        return Answer(search.first(), False, search.nodes)
    except OverBudget:
        return Answer(None, True, search.nodes)


def completable(m: Matching, budget: int = BUDGET) -> bool:
    """Whether there is any plan; OverBudget when that stays unknown."""
    return _Search(m, budget).first() is not None


def blocked(m: Matching, budget: int = BUDGET) -> tuple[Any, ...]:
    """The items of every component that has no plan (each component has the whole budget)."""
    stuck = {item for part in components(m) if not completable(part, budget) for item in part.items}
    return tuple(item for item in m.items if item in stuck)


def uncovered(m: Matching, budget: int = BUDGET) -> tuple[Any, ...]:
    """The targets of every component that has no plan (each component has the whole budget)."""
    bare = {target for part in components(m) if not completable(part, budget) for target in part.targets}
    return tuple(target for target in m.targets if target in bare)


def components(m: Matching) -> tuple[Matching, ...]:
    """The matching in parts that do not touch; one part when there is a `whole`."""
    if m.whole is not None:
        return (m,)
    search = _Search(m, BUDGET)
    parts = search.split(search.all_items, search.all_targets, keep=True)
    return tuple(
        replace(
            m,
            items=tuple(m.items[i] for i in _bits(items)),
            targets=tuple(m.targets[t] for t in _bits(targets)),
        )
        for items, targets in parts
    )


def after(m: Matching, groups: Plan) -> Matching:
    """What is left to match once these groups are fixed."""
    gone_targets = {t for targets, _ in groups for t in targets}
    gone_items = {i for _, items in groups for i in items}
    whole = m.whole
    return replace(
        m,
        items=tuple(i for i in m.items if i not in gone_items),
        targets=tuple(t for t in m.targets if t not in gone_targets),
        whole=whole and (lambda rest: whole(canonical(m, (*groups, *rest)))),
    )


def accepts(m: Matching, plan: Plan) -> Reason | None:
    """None when the plan (its groups in any order) is one of the matching's plans, else what is wrong."""
    item_at = {item: at for at, item in enumerate(m.items)}
    target_at = {target: at for at, target in enumerate(m.targets)}
    seen_items: set[Any] = set()
    seen_targets: set[Any] = set()
    if not _is_shaped(plan):
        return Reason("shape")
    for targets, items in plan:
        odd_items = tuple(i for i in items if i not in item_at)
        odd_targets = tuple(t for t in targets if t not in target_at)
        if odd_items or odd_targets:
            return Reason("unknown", odd_items, odd_targets)
        for things, seen in ((items, seen_items), (targets, seen_targets)):
            if len(set(things)) < len(things) or not seen.isdisjoint(things):
                return Reason("repeated", tuple(items), tuple(targets))
            seen.update(things)
    for targets, items in canonical(m, plan):
        if len(targets) > 1 and not m.group:
            return Reason("grouped", items, targets)
        for item in items:
            for target in targets:
                if not m.pair(item, target):
                    return Reason("pair", (item,), (target,))
        if not m.each_target(targets, items):
            return Reason("requirement", items, targets)
    unplaced = tuple(i for i in m.items if i not in seen_items and not m.idle(i))
    uncovered = tuple(t for t in m.targets if t not in seen_targets and not m.empty(t))
    if unplaced or uncovered:
        return Reason("unplaced" if unplaced else "uncovered", unplaced, uncovered)
    if m.whole is not None and not m.whole(canonical(m, plan)):
        return Reason("whole")
    return None


def canonical(m: Matching, plan: Plan) -> Plan:
    """The plan with its groups, and the things in them, in the matching's order."""
    item_at = {item: at for at, item in enumerate(m.items)}
    target_at = {target: at for at, target in enumerate(m.targets)}
    groups = (
        (tuple(sorted(targets, key=target_at.__getitem__)), tuple(sorted(items, key=item_at.__getitem__)))
        for targets, items in plan
    )
    return tuple(sorted(groups, key=lambda group: target_at[group[0][0]]))


def plans(m: Matching, limit: int | None = None, budget: int = BUDGET) -> Iterator[Plan]:
    """Every plan once, lazily, always in the same order.

    The first open target decides: smaller groups come first, then fewer items, then left empty. The budget
    is counted anew from each plan to the next; OverBudget ends the listing.
    """
    return islice(_Search(m, budget).listing(), limit)


def sample(m: Matching, rng: int, budget: int = BUDGET) -> tuple[Plan | None, int]:
    """A random plan (any plan can come, not all equally often) and the next random source; None: no plan."""
    search = _Search(m, budget)
    sure = search.first()
    if sure is None:
        return None, rng
    for _ in range(1 if m.whole is None else 2 * _TRIES):
        try:
            plan, rng = search.random(rng)
        except OverBudget:
            break
        if m.whole is None or m.whole(plan):
            return plan, rng
    return sure, rng


Part = tuple[int, int]
"""Targets and items of one group, or items and targets of one component, as bit sets."""


class _Search:
    """One matching in bit sets, with what has been learned about it so far."""

    def __init__(self, m: Matching, budget: int, order: Sequence[int] | None = None) -> None:
        if len(set(m.items)) < len(m.items) or len(set(m.targets)) < len(m.targets):
            raise ValueError("items and targets of a matching must be distinct")
        ranks = range(len(m.items)) if order is None else order
        if sorted(ranks) != list(range(len(m.items))):
            raise ValueError("the order of a matching must be a permutation of its items")
        self.m = m
        self.budget = budget
        self.nodes = 0
        self.rank = {item: at for at, item in enumerate(ranks)}
        self.varied = order is not None
        self.all_items = (1 << len(m.items)) - 1
        self.all_targets = (1 << len(m.targets)) - 1
        self.reach = [_mask(t for t, target in enumerate(m.targets) if m.pair(i, target)) for i in m.items]
        self.touch = [_mask(i for i, reach in enumerate(self.reach) if reach >> t & 1) for t in range(len(m.targets))]
        self.must_place = _mask(i for i, item in enumerate(m.items) if not m.idle(item))
        self.must_cover = _mask(t for t, target in enumerate(m.targets) if not m.empty(target))
        self.known: dict[tuple[int, int, int], tuple[Part, ...] | None] = {}
        self.met: dict[Part, bool] = {}
        self.single: dict[int, bool] = {}

    def step(self) -> None:
        self.nodes += 1
        if self.nodes > self.budget:
            raise OverBudget(f"more than {self.budget} steps for a matching of {len(self.m.items)} items")

    def first(self) -> Plan | None:
        """A plan by the shortest way: the solver's own, or with a `whole` the first listed that meets it."""
        groups = self.complete(self.all_items, self.all_targets)
        if groups is None:
            return None
        plan = self.spell(groups)
        if self.m.whole is None or self.m.whole(plan):
            return plan
        return next(self.listing(renew=False), None)

    def complete(self, free: int, targets: int) -> list[Part] | None:
        """Groups for these items and targets, everybody placed who must be."""
        found = self.fit(free, free & self.must_place, targets, 0)
        if found is None:
            return None
        groups = dict(found)
        for _, items in found:
            free &= ~items
        for item in _bits(free & self.must_place):
            homes = [group for group in groups if not group & ~self.reach[item]]
            groups[homes[self.rank[item] % len(homes) if self.varied else 0]] |= 1 << item
        return list(groups.items())

    def fit(self, free: int, homeless: int, targets: int, depth: int) -> tuple[Part, ...] | None:
        """Groups that cover `targets` from `free` and leave nobody in `homeless` without a group to join.

        `homeless` are the items that must be placed and fit no group that stands already.
        """
        parts = self.split(free, targets)
        placeable = _union(items for items, _ in parts)
        covered = _union(covered for _, covered in parts)
        if homeless & ~placeable or targets & self.must_cover & ~covered:
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
        self.step()
        if depth > DEPTH or targets.bit_count() > 2 * DEPTH:
            raise OverBudget(f"a component of the matching has {targets.bit_count()} targets or more")
        must = targets & self.must_cover
        if not must and not homeless:
            return ()
        if not self.hopeful(free, homeless, targets):
            return None
        anchor = 0
        if must:
            target = min(_bits(must), key=lambda t: ((self.touch[t] & free).bit_count(), t))
            groups = self.groups(1 << target, free, targets)
        else:
            item = min(_bits(homeless), key=lambda i: ((self.reach[i] & targets).bit_count(), self.rank[i]))
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
        ended = _mask(i for i in _bits(free) if not self.reach[i] & targets & ~group)
        if ended & homeless & ~common:
            return
        if not self.m.more_helps:
            yield from self.subsets(group, common, ended & homeless | anchor & common)
            return
        if not self.is_met(group, common):
            return
        # Whoever can go nowhere else costs nothing; beyond them only least sets matter.
        base = ended & common
        if base and self.is_met(group, base):
            yield base
            return
        others = sorted(_bits(common & ~base), key=lambda i: (self.reach[i].bit_count(), self.rank[i]))
        least: list[int] = []
        for size in range(1, len(others) + 1):
            larger = False
            for picked in combinations(others, size):
                self.step()
                items = base | _mask(picked)
                if any(not small & ~items for small in least):
                    continue
                if self.is_met(group, items):
                    least.append(items)
                    yield items
                else:
                    larger = True
            if not larger:
                return

    def subsets(self, group: int, common: int, forced: int) -> Iterator[int]:
        """Every set of common items, the forced ones in it, that meets the requirement; smaller first."""
        others = sorted(_bits(common & ~forced), key=lambda i: self.rank[i])
        if not self.m.fewer_helps:
            for size in range(len(others) + 1):
                for picked in combinations(others, size):
                    self.step()
                    items = forced | _mask(picked)
                    if items and self.is_met(group, items):
                        yield items
            return
        level = [(forced, 0)]
        while level:
            larger: list[tuple[int, int]] = []
            for items, at in level:
                self.step()
                if items and not self.is_met(group, items):
                    continue
                if items:
                    yield items
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

    def hopeful(self, free: int, homeless: int, targets: int) -> bool:
        """Cheap tests that every solvable component passes."""
        must = targets & self.must_cover
        if self.m.more_helps and not all(
            any(self.is_met(g, self.common(g, free)) for g in self.groups(1 << t, free, targets)) for t in _bits(must)
        ):
            return False
        if self.m.group:
            return True
        wanted = {t: self.touch[t] & free for t in _bits(must)}
        if self.m.fewer_helps:
            wanted = {t: _mask(i for i in _bits(w) if self.is_met(1 << t, 1 << i)) for t, w in wanted.items()}
            places = {i: self.reach[i] & targets for i in _bits(homeless)}
            roomy = _mask(t for t in _bits(targets) if not self.is_single(t))
            if not _all_distinct({i: at for i, at in places.items() if not at & roomy}):
                return False
        return _all_distinct(wanted)

    def is_single(self, target: int) -> bool:
        """Whether no two items fit the target at once."""
        if target not in self.single:
            pairs = combinations(_bits(self.touch[target]), 2)
            self.single[target] = not any(self.is_met(1 << target, _mask(pair)) for pair in pairs)
        return self.single[target]

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

    def listing(self, renew: bool = True) -> Iterator[Plan]:
        """All plans in order, those of the `whole` only."""
        if self.all_targets.bit_length() > 2 * DEPTH:
            raise OverBudget(f"a matching of {self.all_targets.bit_length()} targets is too long to list")
        if not self.can_end(self.all_items, self.all_targets):
            return
        for groups in self.list_from(self.all_items, self.all_targets):
            plan = self.spell(groups)
            if self.m.whole is None or self.m.whole(plan):
                yield plan
                if renew:
                    self.nodes = 0

    def list_from(self, free: int, targets: int) -> Iterator[list[Part]]:
        """The ways to go on from a rest that can be completed."""
        if not targets:
            yield []
            return
        first = targets & -targets
        for group in self.groups(first, free, targets):
            for items in self.closings(group, free, targets):
                if self.can_end(free & ~items, targets & ~group):
                    for rest in self.list_from(free & ~items, targets & ~group):
                        yield [(group, items), *rest]
        if not first & self.must_cover and self.can_end(free, targets & ~first):
            yield from self.list_from(free, targets & ~first)

    def closings(self, group: int, free: int, targets: int) -> Iterator[int]:
        """All sets of items that may take this group and leave nobody behind."""
        common = self.common(group, free)
        forced = self.left_behind(group, free, targets)
        if not forced & ~common:
            yield from self.subsets(group, common, forced)

    def left_behind(self, group: int, free: int, targets: int) -> int:
        """The items that must be placed and have no target outside the group."""
        return _mask(i for i in _bits(free & self.must_place) if not self.reach[i] & targets & ~group)

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
        for _ in range(_TRIES):
            at, rng = draw(rng, targets.bit_count())
            target = 1 << _bits(targets)[at]
            groups = list(islice(self.groups(target, free, targets), 256))
            at, rng = draw(rng, len(groups) + (not target & self.must_cover))
            group, items = (groups[at], 0) if at < len(groups) else (target, 0)
            if at < len(groups):
                common, items = self.common(group, free), self.left_behind(group, free, targets)
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


def _is_shaped(plan: Any) -> bool:
    if not isinstance(plan, (tuple, list)):
        return False
    for group in plan:
        if not isinstance(group, (tuple, list)) or len(group) != 2:
            return False
        for side in group:
            if not isinstance(side, (tuple, list)) or not side:
                return False
            try:
                hash(tuple(side))
            except TypeError:
                return False
    return True


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
    total = 0
    for mask in masks:
        total |= mask
    return total
