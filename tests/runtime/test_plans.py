"""Matchings against brute force, and at the size of a real front."""

import os
import random
import subprocess
import sys
from dataclasses import dataclass, replace
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.runtime import dice
from rulewright.runtime.choices import plans, solver
from rulewright.runtime.choices.plans import Matching, Plan


@dataclass(frozen=True)
class Case:
    """A small matching as data: weights, who reaches what, what each group asks."""

    pairs: frozenset[tuple[int, int]]
    weights: tuple[int, ...]
    loads: tuple[int, ...]
    mode: str
    group: bool
    idle: frozenset[int]
    empty: frozenset[int]

    def matching(self, whole=None) -> Matching:
        return Matching(
            items=tuple(f"i{k}" for k in range(len(self.weights))),
            targets=tuple(f"t{k}" for k in range(len(self.loads))),
            pair=lambda i, t: (int(i[1:]), int(t[1:])) in self.pairs,
            each_target=self.asks,
            group=self.group,
            more_helps=self.mode == "at least",
            idle=lambda i: int(i[1:]) in self.idle,
            empty=lambda t: int(t[1:]) in self.empty,
            whole=whole,
        )

    def asks(self, targets, items) -> bool:
        assert targets and items
        load = sum(self.loads[int(t[1:])] for t in targets)
        weight = sum(self.weights[int(i[1:])] for i in items)
        if self.mode == "at least":
            return weight >= load
        if self.mode == "at most":
            return weight <= load
        return weight % 3 != load % 3


@st.composite
def cases(draw, modes=("at least", "at most", "odd")):
    items, targets = draw(st.integers(0, 5)), draw(st.integers(0, 4))
    every = [(i, t) for i in range(items) for t in range(targets)]
    return Case(
        pairs=frozenset(p for p in every if draw(st.booleans())),
        weights=tuple(draw(st.integers(1, 4)) for _ in range(items)),
        loads=tuple(draw(st.integers(1, 5)) for _ in range(targets)),
        mode=draw(st.sampled_from(modes)),
        group=draw(st.booleans()),
        idle=frozenset(i for i in range(items) if draw(st.integers(0, 3)) == 0),
        empty=frozenset(t for t in range(targets) if draw(st.integers(0, 3)) == 0),
    )


def brute(m: Matching) -> set[Plan]:
    """Every plan, by trying every assignment of a target set to every item."""
    if m.group:
        masks = range(1 << len(m.targets))
        sets = [tuple(t for k, t in enumerate(m.targets) if mask >> k & 1) for mask in masks]
    else:
        sets = [(), *((t,) for t in m.targets)]
    found = set()
    options = [[s for s in sets if all(m.pair(i, t) for t in s) and (s or m.idle(i))] for i in m.items]
    for chosen in product(*options):
        groups: dict[tuple, list] = {}
        for item, targets in zip(m.items, chosen, strict=True):
            if targets:
                groups.setdefault(targets, []).append(item)
        covered = [t for targets in groups for t in targets]
        if len(covered) != len(set(covered)) or any(t not in covered and not m.empty(t) for t in m.targets):
            continue
        plan = tuple(sorted(((g, tuple(s)) for g, s in groups.items()), key=lambda group: group[0]))
        if all(m.each_target(g, s) for g, s in plan) and (m.whole is None or m.whole(plan)):
            found.add(plan)
    return found


@settings(max_examples=600)
@given(cases())
def test_the_solver_agrees_with_brute_force(case):
    m = case.matching()
    every = brute(m)
    plan = solver.solve(m)
    assert (plan in every) if every else (plan is None)
    assert solver.completable(m) == bool(every)


@settings(max_examples=300)
@given(cases())
def test_the_listing_is_every_plan_once(case):
    m = case.matching()
    every = brute(m)
    listed = list(solver.plans(m))
    assert len(listed) == len(set(listed)) == len(every)
    assert set(listed) == every
    assert listed[:2] == list(solver.plans(m, 2))
    assert all(plans.refusal(m, plan) is None for plan in listed)


@settings(max_examples=200)
@given(cases(), st.integers(0, 2**64 - 1))
def test_a_sample_is_one_of_the_plans(case, rng):
    m = case.matching()
    every = brute(m)
    plan, _ = solver.sample(m, rng)
    assert (plan in every) if every else (plan is None)


@settings(max_examples=200)
@given(cases(), st.integers(0, 3), st.integers(0, 2**32))
def test_a_whole_requirement_holds_at_the_end(case, count, rng):
    def whole(plan):
        return len(plan) % 4 == count

    m = case.matching(whole)
    every = brute(m)
    assert solver.completable(m) == bool(every)
    assert set(solver.plans(m)) == every
    plan, _ = solver.sample(m, rng)
    assert (plan in every) if every else (plan is None)
    assert solver.blocked(m) == (() if every else m.items)


@settings(max_examples=200)
@given(cases())
def test_blocked_items_are_those_whose_component_has_no_plan(case):
    m = case.matching()
    parts = solver.components(m)
    assert sorted(i for part in parts for i in part.items) == sorted(m.items)
    assert sorted(t for part in parts for t in part.targets) == sorted(m.targets)
    assert set(solver.blocked(m)) == {i for part in parts if not brute(part) for i in part.items}
    assert all(brute(part) for part in parts) == bool(brute(m))


def test_every_plan_can_be_sampled():
    m = Matching(
        items=("a", "b", "c"),
        targets=(1, 2),
        pair=lambda i, t: True,
        group=True,
        more_helps=True,
        idle=lambda i: True,
    )
    every = set(solver.plans(m))
    rng, seen = dice.seed(1), set()
    for _ in range(600):
        plan, rng = solver.sample(m, rng)
        seen.add(plan)
    assert seen == every


def test_one_item_facing_two_targets_takes_both_as_one_group():
    m = Matching(items=("a",), targets=(1, 2), pair=lambda i, t: True, group=True, more_helps=True)
    assert solver.solve(m) == (((1, 2), ("a",)),)
    assert solver.solve(Matching(items=("a",), targets=(1, 2), pair=lambda i, t: True)) is None


def test_each_refusal_names_its_reason():
    m = Matching(
        items=("a", "b"),
        targets=(1, 2),
        pair=lambda i, t: (i, t) != ("b", 1),
        each_target=lambda targets, items: len(items) < 2,
        whole=lambda plan: False,
    )

    wrong = {
        (((1,), ("a",)),): "not placed",
        (((1,), ("z",)),): "no such",
        (((1, 2), ("a",)),): "grouped",
        (((1,), ("b",)),): "does not go with",
        (((2,), ("a", "b")),): "the group does not meet",
        (((2,), ("b",)), ((2,), ("a",))): "more than one place",
        (((2,), ("b",)), ((1,), ("b",))): "more than one place",
        (((2,), ("b",)), ((1,), ("a",))): "as a whole",
    }
    for plan, said in wrong.items():
        assert said in plans.refusal(m, plan)
    for shape in (7, (1,), ((1, 2),), (((), ("a",)),), (((1,), ([],)),), ((1, 2, 3),)):
        assert "not a list of groups" in plans.refusal(m, shape)
    one = Matching(items=("a",), targets=(1, 2), pair=lambda i, t: True)
    assert "not covered" in plans.refusal(one, (((1,), ("a",)),))


def test_repeated_items_are_an_error():
    with pytest.raises(ValueError, match="distinct"):
        solver.solve(Matching(items=("a", "a"), targets=(), pair=lambda i, t: True))


def front(seed: int, stacks: int, per_stack: float, ratio: int) -> Matching:
    """A long line: each item touches one to three neighboring targets; a group asks 1 : ratio."""
    rnd = random.Random(seed)
    load = [rnd.randint(1, 12) for _ in range(stacks)]
    items, touches, weight = [], {}, {}
    for k in range(int(stacks * per_stack)):
        left = k % stacks
        touches[k] = set(range(left, min(stacks, left + rnd.randint(1, 3))))
        weight[k] = rnd.randint(1, 8)
        items.append(k)
    return Matching(
        items=tuple(items),
        targets=tuple(range(stacks)),
        pair=lambda i, t: t in touches[i],
        each_target=lambda ts, its: ratio * sum(weight[i] for i in its) >= sum(load[t] for t in ts),
        group=True,
        more_helps=True,
    )


@pytest.mark.parametrize("ratio", [1, 2, 4])
def test_a_real_front_is_decided_within_the_budget(ratio):
    solved = refused = 0
    for seed in range(60):
        for stacks, per_stack in ((8, 1.0), (12, 2), (20, 2), (20, 1.2)):
            m = front(seed, stacks, per_stack, ratio)
            plan = solver.solve(m)
            if plan is None:
                refused += 1
            else:
                solved += 1
                assert plans.refusal(m, plan) is None
    assert solved > 10 and refused > 10


def test_samples_of_a_real_front_are_plans_and_vary():
    m = front(1, 12, 3, 6)
    rng, seen = dice.seed(3), set()
    for _ in range(10):
        plan, rng = solver.sample(m, rng)
        assert plans.refusal(m, plan) is None
        seen.add(plan)
    assert len(seen) > 5


def test_too_few_items_for_many_targets_is_known_at_once():
    for items, targets in ((15, 16), (30, 31)):
        m = Matching(items=tuple(range(items)), targets=tuple(range(targets)), pair=lambda i, t: True, more_helps=True)
        assert solver.solve(m) is None


def test_an_exhausted_budget_is_said_and_never_taken_for_no():
    m = Matching(
        items=tuple(range(18)),
        targets=(0, 1, 2),
        pair=lambda i, t: True,
        each_target=lambda ts, its: False,
    )
    m = replace(m, budget=500, case="9.1")
    for ask in (solver.completable, solver.blocked, lambda m: list(solver.plans(m, 1))):
        with pytest.raises(solver.OverBudget, match=r"too many plans to search \(case 9.1\)"):
            ask(m)


def test_a_huge_matching_ends_with_a_clear_answer():
    m = Matching(items=tuple(range(900)), targets=tuple(range(900)), pair=lambda i, t: abs(i - t) < 2)
    with pytest.raises(solver.OverBudget):
        solver.solve(m)


def test_plans_do_not_depend_on_the_hash_seed():
    program = (
        "from rulewright.runtime.choices import plans, solver\n"
        "names = tuple('abcdef')\n"
        "m = plans.Matching(items=names, targets=('u', 'v', 'w'), group=True, more_helps=True,\n"
        "    pair=lambda i, t: (ord(i) + ord(t)) % 3 > 0)\n"
        "print(list(solver.plans(m, 40)), solver.sample(m, 9), solver.solve(m))\n"
    )
    printed = {
        subprocess.run(
            [sys.executable, "-c", program], env={**os.environ, "PYTHONHASHSEED": s}, capture_output=True, check=True
        ).stdout
        for s in ("0", "1", "77")
    }
    assert len(printed) == 1
