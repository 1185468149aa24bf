"""Combat in The Dark Valley: the house tables, retreats against a plain count, and games that are fought out.

The tables are ours, so they must agree with all that the text says of them. Retreats are checked on small random
positions: every walk of two hexes is written out and judged by the conditions of 12.5, apart from the rules.
"""

import random
from collections import Counter
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from rulewright.compiler import load
from rulewright.compiler.pipeline import analyse
from rulewright.runtime import RandomPlayer, ops, phases
from rulewright.runtime.choices.spaces import ActionSpace, Space
from rulewright.runtime.game import Decision
from rulewright.runtime.state import fresh

BOOK = Path(__file__).parents[2] / "rulebooks" / "tdv"
DICE = range(-1, 9)
TABLES = ("result_a", "result_b")
SOVIETS = ("10 Army", "13 Army", "16 Army", "19 Army", "20 Army", "1 Rifle", "2 Rifle", "3 Rifle", "4 Rifle", "5 Rifle")
GERMANS = ("3 Panzer", "4 Panzer", "7 Panzer", "5 Corps", "6 Corps", "7 Corps", "252 Infantry", "255 Infantry")
START = "E4641"
Position = dict[str, str]
Way = tuple[str, str]


@cache
def source() -> Any:
    return analyse(str(BOOK)).book


@cache
def program() -> Any:
    return load(str(BOOK)).program


def grade(table: str, die: int, column: int) -> int:
    """From 0, the worst for the attacker, upward."""
    return int(source().tables[table].cells[die, column])


# ---------------------------------------------------------------- the tables


@pytest.mark.parametrize("table", TABLES)
def test_a_better_column_or_die_never_worsens_the_result(table: str) -> None:
    columns = range(1, len(source().scales["odds"]))
    for die, column in product(DICE, columns):
        if column + 1 in columns:
            assert grade(table, die, column + 1) >= grade(table, die, column)
        if die + 1 in DICE:
            assert grade(table, die + 1, column) >= grade(table, die, column)


def test_table_a_is_nowhere_harder_than_table_b_and_somewhere_kinder() -> None:
    pairs = [(grade("result_a", d, c), grade("result_b", d, c)) for d, c in product(DICE, range(1, 9))]
    assert all(a >= b for a, b in pairs) and any(a > b for a, b in pairs)


@pytest.mark.parametrize("table", TABLES)
def test_a_plain_die_shows_every_result(table: str) -> None:
    assert {grade(table, d, c) for d, c in product(range(1, 7), range(1, 9))} == set(range(8))


# ---------------------------------------------------------------- retreats


def around(place: str) -> set[str]:
    board = program().board
    return {board.places[p] for p in board.neighbors[board.places.index(place)]}


def column_of(place: str) -> int:
    return int(place[1:3]) + (38 if place[0] == "E" else 0)


def random_position(seed: int) -> Position:
    """A beaten stack in the steppe, enemies round about, a few friends behind; Soviets at even seeds, Germans at odd."""
    rng = random.Random(seed)
    mine, theirs = (GERMANS, SOVIETS) if seed % 2 else (SOVIETS, GERMANS)
    near = sorted(around(START))
    far = sorted({h for n in near for h in around(n)} - set(near) - {START})
    fronts = rng.sample(near, rng.randint(1, 3)) + rng.sample(far, rng.randint(0, 4))
    position = {u: START for u in rng.sample(mine[:7], 2)}
    for unit, place in zip(rng.sample(theirs, len(fronts)), fronts, strict=True):
        position[unit] = place
    free = [h for h in near + far if h not in fronts]
    for unit in mine:
        if unit not in position and rng.random() < 0.5:
            position[unit] = rng.choice(free[:3] + free[-3:])
    return position


def friends_of(unit: str) -> tuple[str, ...]:
    return GERMANS if unit in GERMANS else SOVIETS


def barred(position: Position, unit: str, place: str) -> bool:
    """In an enemy zone, and no friend there: in this steppe a zone is every neighbour, in fair weather."""
    friends = friends_of(unit)
    zone = any(u not in friends and not u.endswith("Rifle") and place in around(at) for u, at in position.items())
    return zone and not any(u in friends and at == place for u, at in position.items())


def room(position: Position, unit: str, place: str) -> bool:
    stack = [u for u, at in position.items() if at == place] + [unit]
    return len(stack) <= 4 and sum("Army" in u for u in stack) <= 2 and sum("Corps" in u for u in stack) <= 3


def ways(position: Position, unit: str, through: bool = False) -> set[Way]:
    """Every lawful retreat of two hexes: those that stray least from the compass. Through: by way of an enemy zone."""
    start, onward = position[unit], -1 if unit in GERMANS else 1
    hostile = {at for u, at in position.items() if u not in friends_of(unit)}
    found: dict[Way, int] = {}
    for first in around(start):
        for last in around(first) - {start} - around(start):
            if {first, last} & hostile or barred(position, unit, last) or not room(position, unit, last):
                continue
            if through or not barred(position, unit, first):
                steps = ((start, first), (first, last))
                found[first, last] = sum((column_of(b) - column_of(a)) * onward <= 0 for a, b in steps)
    best = {way for way, stray in found.items() if stray == min(found.values())}
    return {way for way in best if not through or barred(position, unit, way[0])}


def routed(position: Position) -> Any:
    p = program()
    S: Any = fresh(p, 0)
    for unit, place in position.items():
        ops.shift(S, p.unit_index[unit], p.place_index[place])
    S.bind_active = "soviet" if any(u in GERMANS and at == START for u, at in position.items()) else "axis"
    S.bind_now = [label for label, *_ in p.turns].index("Jul 1941")
    S.forget()
    for memory in p.memories:
        if memory.how == "always":
            ops.refresh(S, memory)
    for name in ("action_round", "combat", "battle", "retreat"):
        S.phases.append(name)
        ops.touch(S, "phases")
        phases.begin(S, name)
    for unit, place in position.items():
        if place == START:
            ops.set_mark(S, "unit_routed", p.unit_index[unit], True, "12.5")
    S.queue, S.dirty = [], {}
    return S


@pytest.mark.parametrize("seed", range(200))
def test_retreats_are_those_of_the_plain_count(seed: int) -> None:
    position = random_position(seed)
    S, p = routed(position), program()
    index, side = p.place_index, "axis" if seed % 2 else "soviet"
    for name, through in (("fall_back", False), ("break_out", True)):
        space = ActionSpace(S, p.actions[name], side)
        for unit in (u for u, at in position.items() if at == START):
            lawful = ways(position, unit, through) if not through or unit.endswith("Panzer") else set()
            for first in around(START):
                for last in around(first):
                    path = (index[START], index[first], index[last])
                    taken = not space.refusals((("u", p.unit_index[unit]), ("way", path)))
                    assert taken is ((first, last) in lawful), (name, unit, first, last)


def test_the_positions_are_worth_the_trouble() -> None:
    """Some are trapped, some must stray, some go by the compass; some panzers may break out."""
    counts: Counter[str] = Counter()
    for seed in range(200):
        position = random_position(seed)
        for unit in (u for u, at in position.items() if at == START):
            found = ways(position, unit)
            straight = any(abs(column_of(last) - column_of(START)) == 2 for _, last in found)
            counts["trapped" if not found else "straight" if straight else "astray"] += 1
            counts["out"] += unit.endswith("Panzer") and bool(ways(position, unit, True))
    assert counts["trapped"] >= 10 and counts["astray"] >= 10 and counts["straight"] >= 50 and counts["out"] >= 10


# ---------------------------------------------------------------- whole games


class Eager(RandomPlayer):
    """Attacks while it can."""

    def _pick(self, decision: Decision, ways: Any, words: Any) -> Any:
        attacks: list[Space] = [s for s in ways if s.name == "attack"]
        return self._any(decision, attacks) or super()._pick(decision, ways, words)


def overfull(game: Any) -> list[str]:
    """The hexes that hold more than 5.3 lets them."""
    names = game.program.board.places
    stacks: dict[str, list[int]] = {}
    for unit, place in enumerate(game.state.at):
        if place is not None and names[place][1:].isdigit():
            stacks.setdefault(names[place], []).append(unit)
    return [name for name, us in stacks.items() if not game.value("stack_fits", tuple(us), names.index(name))]


def test_games_are_fought_with_losses_retreats_and_advances() -> None:
    book = load("tdv")
    seen: Counter[str] = Counter()
    for seed in range(3):
        game = book.new("smolensk", seed)
        players = {side: Eager(seed * 31 + i) for i, side in enumerate(book.program.sides)}
        while not game.over:
            decision = game.decisions[0]
            choice = players[decision.side](game, decision)
            seen[choice.name] += 1
            game.do(choice)
            if choice.name in ("fall_back", "advancing"):
                assert not overfull(game)
        dead = sum(p == game.program.place_index["eliminated(axis)"] for p in game.state.at)
        dead += sum(p == game.program.place_index["eliminated(soviet)"] for p in game.state.at)
        assert dead > 3
    assert seen["attack"] >= 20 and seen["fall_back"] > 3 and seen["advancing"] > 3 and seen["loser"] > 3
