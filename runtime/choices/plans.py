"""Matchings: sort items onto targets so that every requirement holds.

In:  a `Matching`: which item may go with which target, what each group of targets asks of its items,
     which items may stay idle and which targets empty.
Out: whether a plan is one of its plans. A plan is a tuple of (targets, items) groups in the order of their
     first target. An item stands in at most one group and pairs with every target of it; a target stands in
     at most one group. `solver` finds plans.
"""

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any

Plan = tuple[tuple[tuple[Any, ...], tuple[Any, ...]], ...]

BUDGET = 20_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Matching:
    """What a plan has to satisfy. The callables must be pure.

    `each_target(targets, items)` is asked of every group, never with an empty tuple on either side.
    `more_helps` promises that adding an item never spoils a satisfied group; without it all subsets are
    tried. `whole` is asked of the complete plan; it switches the short cuts off. `case` is cited when a plan
    is refused, or when a search takes more steps than the `budget`. `beside` tells of an item among what its
    targets must be, where that is known beforehand: nothing else is asked about.
    """

    items: tuple[Hashable, ...]
    targets: tuple[Hashable, ...]
    pair: Callable[[Any, Any], bool]
    each_target: Callable[[tuple[Any, ...], tuple[Any, ...]], bool] = lambda targets, items: True
    group: bool = False
    more_helps: bool = False
    idle: Callable[[Any], bool] = lambda item: False
    empty: Callable[[Any], bool] = lambda target: False
    whole: Callable[[Plan], bool] | None = None
    case: str = ""
    budget: int = BUDGET
    beside: Callable[[Any], tuple[Any, ...] | None] | None = None


def refusal(m: Matching, plan: Plan) -> str | None:
    """None when the plan (its groups in any order) is one of the matching's plans, else what is wrong."""
    try:
        items = [i for _, group in plan for i in group]
        targets = [t for group, _ in plan for t in group]
        known = set(items) <= set(m.items) and set(targets) <= set(m.targets)
        shaped = all(group and held for group, held in plan)
    except (TypeError, ValueError):
        shaped = False
    if not shaped:
        return "not a list of groups of targets and items"
    if not known:
        return "no such item or target"
    if len(set(items)) < len(items) or len(set(targets)) < len(targets):
        return "stands in more than one place"
    plan = canonical(m, plan)
    for group, held in plan:
        if len(group) > 1 and not m.group:
            return "targets may not be grouped"
        if not all(m.pair(item, target) for item in held for target in group):
            return "the item does not go with the target"
        if not m.each_target(group, held):
            return "the group does not meet its requirement"
    if not all(i in items or m.idle(i) for i in m.items):
        return "the item is not placed"
    if not all(t in targets or m.empty(t) for t in m.targets):
        return "the target is not covered"
    if m.whole is not None and not m.whole(plan):
        return "the plan as a whole does not meet its requirement"
    return None


def is_plan(m: Matching, plan: Plan) -> bool:
    """Whether a plan is one of the matching's."""
    return refusal(m, plan) is None


def canonical(m: Matching, plan: Plan) -> Plan:
    """The plan with its groups, and the things in them, in the matching's order."""
    groups = (
        (tuple(sorted(targets, key=m.targets.index)), tuple(sorted(items, key=m.items.index)))
        for targets, items in plan
    )
    return tuple(sorted(groups, key=lambda group: m.targets.index(group[0][0])))
