"""The duties of chapter 12 of The Russian Campaign, against a plain count over all plans.

On small random positions by the Donets (a river, a major city, clear ground) every way to sort the battle
lines into battles is written out. The rules must find a plan exactly where one of them works, and must
allow exactly the attacks that stand in one of them. The second count says who is lost when none works.
"""

import random
from collections.abc import Iterator
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from rulewright.compiler import load
from rulewright.compiler.pipeline import analyse
from rulewright.runtime import machine, ops, phases
from rulewright.runtime.choices.spaces import ActionSpace
from rulewright.runtime.state import State, fresh

BOOK = Path(__file__).parents[2] / "rulebooks" / "trc"
FIELD = ("AA13", "AA14", "AA15", "BB13", "BB14", "BB15", "CC13", "CC14", "Z15")
AXIS = ("47 Panzer", "24 Panzer", "5 Infantry", "28 Infantry", "38 Infantry", "Rumanian Cavalry")
RUSSIANS = ("24 Army", "34 Army", "62 Army", "33 Army", "1 Tank", "50 Army")
MAJOR_CITY = "AA15"

Position = dict[str, str]
Battle = tuple[frozenset[str], frozenset[str]]


@cache
def program() -> Any:
    return load(str(BOOK)).program


@cache
def rosters() -> dict[str, dict[str, Any]]:
    book = analyse(str(BOOK)).book
    assert book is not None
    return {line.name: line.fields for line in book.units}


@cache
def strength(unit: str) -> int:
    """The printed factor, straight from the roster."""
    return int(rosters()[unit]["strength"])


@cache
def around(place: str) -> frozenset[str]:
    board = program().board
    return frozenset(board.places[p] for p in board.neighbors[board.places.index(place)])


@cache
def river(place: str) -> frozenset[str]:
    """The river hexes that hang together with this one; empty off the rivers."""
    board = program().board
    links = board.layers["river"]
    found: set[int] = set()
    edge = [board.places.index(place)] if links[board.places.index(place)] else []
    while edge:
        here = edge.pop()
        if here not in found:
            found.add(here)
            edge += links[here]
    return frozenset(board.places[p] for p in found)


def random_position(seed: int) -> Position:
    rng = random.Random(seed)
    hexes = rng.sample(FIELD, 5)
    red, grey = hexes[: rng.randint(2, 3)], hexes[3:]
    position = {u: rng.choice(red) for u in rng.sample(sorted(RUSSIANS), rng.randint(2, 6))}
    return position | {u: rng.choice(grey) for u in rng.sample(sorted(AXIS), rng.randint(1, 5))}


def lawful(position: Position, hexes: frozenset[str], attackers: frozenset[str]) -> bool:
    """Everybody touches everything, and the odds are one to six or better."""
    if not attackers or any(h not in around(position[a]) for a in attackers for h in hexes):
        return False
    attack, defence = sum(strength(a) for a in attackers), 0
    for unit, place in position.items():
        if unit in RUSSIANS and place in hexes:
            behind = all(river(position[a]) and place not in river(position[a]) for a in attackers)
            defence += strength(unit) * (2 if place == MAJOR_CITY or behind else 1)
    return 6 * attack >= defence


def groupings(items: list[str]) -> Iterator[list[list[str]]]:
    """Every way to sort things into groups."""
    if not items:
        yield []
        return
    first, *rest = items
    for groups in groupings(rest):
        yield [[first], *groups]
        for i, group in enumerate(groups):
            yield [*groups[:i], [first, *group], *groups[i + 1 :]]


def all_plans(position: Position) -> list[tuple[Battle, ...]]:
    red = {h for u, h in position.items() if u in RUSSIANS}
    bound = sorted(u for u, h in position.items() if u in AXIS and around(h) & red)
    due = sorted(h for h in red if any(u in AXIS and position[u] in around(h) for u in position))
    found = []
    for groups in groupings(due):
        for places in product(range(len(groups)), repeat=len(bound)):
            battles = tuple(
                (frozenset(group), frozenset(u for u, at in zip(bound, places, strict=True) if at == i))
                for i, group in enumerate(groups)
            )
            if all(lawful(position, *battle) for battle in battles):
                found.append(battles)
    return found if due or not bound else []


def state_of(position: Position, phase: str) -> State:
    p = program()
    S = fresh(p, 0)
    for unit, place in position.items():
        ops.shift(S, p.unit_index[unit], p.place_index[place])
    S.bind_phasing, S.bind_nr = "axis", 1
    S.bind_now = [label for label, *_ in p.turns].index("Jul/Aug 1941")
    S.forget()
    for memory in p.memories:
        if memory.how == "always":
            ops.refresh(S, memory)
    for name in ("impulse", phase):
        S.phases.append(name)
        ops.touch(S, "phases")
        phases.begin(S, name)
    S.queue, S.dirty = [], {}
    return S


def offered(S: State) -> set[Battle]:
    p = program()
    space = ActionSpace(S, p.actions["attack"], "axis")
    return {
        (frozenset(p.board.places[h] for h in hexes), frozenset(p.units[u] for u in attackers))
        for (_, hexes), (_, attackers) in space.listing()
    }


@pytest.mark.parametrize("seed", range(120))
def test_a_plan_is_seen_exactly_where_one_exists(seed: int) -> None:
    position = random_position(seed)
    assert program().values["plan_left"][0](state_of(position, "combat"), "axis") is bool(all_plans(position))


@pytest.mark.parametrize("seed", range(120))
def test_attacks_are_those_of_some_plan(seed: int) -> None:
    position = random_position(seed)
    plans = all_plans(position)
    if plans:
        assert offered(state_of(position, "combat")) == {battle for plan in plans for battle in plan}


@pytest.mark.parametrize("seed", range(120))
def test_after_the_surrender_the_rest_can_attack(seed: int) -> None:
    """Whoever surrenders stood in an enemy zone; nobody does where a plan exists; afterwards one exists."""
    position = random_position(seed)
    S = state_of(position, "movement")
    machine.call(S, "surrender_trapped", ("axis",))
    machine.run(S)
    red = {h for u, h in position.items() if u in RUSSIANS}
    lost: list[str] = []
    while S.pending:
        item = S.pending.pop()
        info = program().asks[item["ref"]]
        local = S.stack[item["frame"]][2]
        choices = info.tiers[0][0](S, local)
        unit = choices[seed % len(choices)]
        lost.append(program().units[unit])
        local[info.name] = unit
        machine.run(S)
    assert bool(lost) is not bool(all_plans(position))
    assert all(unit in AXIS and around(position[unit]) & red for unit in lost)
    left = {u: h for u, h in position.items() if u not in lost}
    assert all_plans(left)


def test_the_positions_are_worth_the_trouble() -> None:
    """Enough of them have plans, have none, have several battles, or turn on the river."""
    positions = [random_position(seed) for seed in range(120)]
    plans = [all_plans(p) for p in positions]
    assert sum(not x for x in plans) >= 5
    assert sum(any(len(plan) > 1 for plan in x) for x in plans) >= 10
    assert sum(len({b for plan in x for b in plan}) > 5 for x in plans) >= 10
