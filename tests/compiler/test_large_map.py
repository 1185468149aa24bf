"""On a map large enough for kernels, all ways of searching agree: by machine code, by Python, by a twin in C.

The map is the one of the benchmarks, smaller; units move, and some leave the board, between the questions.
"""

from __future__ import annotations

import ctypes
import importlib
import random
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from rulewright.compiler import load
from rulewright.compiler.emit.package import names_of
from rulewright.compiler.emit.routes import kernels as emit_kernels
from rulewright.runtime import ops
from rulewright.runtime.state import State

ROOT = Path(__file__).parents[2]
COLUMNS, ROWS, UNITS, DEPOTS = 60, 40, 240, 30


@pytest.fixture(scope="module")
def twins() -> tuple[ModuleType, ModuleType]:
    """The makers of the map and of its twin in C."""
    sys.path.insert(0, str(ROOT))
    try:
        return importlib.import_module("benchmarks.front"), importlib.import_module("benchmarks.twin_c")
    finally:
        sys.path.remove(str(ROOT))


def asked(rules: Any, S: State, who: list[int]) -> tuple[list[Any], list[bool]]:
    """The reach of some units, and which of all units are in supply."""
    found = [rules.route_march_reach(S, u) for u in who]
    reach = [{p: (cost, x.last[p]) for p, cost in x.cost.items()} for x in found]
    return reach, [rules.supplied(S, u) for u in range(UNITS)]


def test_searches_of_a_large_map_agree(twins: tuple[ModuleType, ModuleType], tmp_path: Path) -> None:
    front, twin_c = twins
    made = front.make(COLUMNS, ROWS, UNITS, DEPOTS, seed=3)
    assert len(made.terrain) >= emit_kernels.LARGE
    book = load(str(made.write(tmp_path)))
    rules: Any = names_of(book.program)
    ways = [False, True] if book.kernels(True) else [False]
    twin = twin_c.Twin(made, tmp_path) if twin_c.compiler() else None
    S, rng = book.new(seed=1).state, random.Random(5)
    land = [p for p, kind in enumerate(made.terrain) if kind != 5]
    for _ in range(6):
        for unit in rng.sample(range(UNITS), 4):
            place = rng.choice(land)
            ops.put(S, unit, place, "3")
            if twin is not None:
                twin.place(unit, place)
        who = rng.sample(range(UNITS), 30)
        answers = []
        for on in ways:
            book.kernels(on)
            ops.touch(S, "at")
            answers.append(asked(rules, S, who))
        assert all(x == answers[0] for x in answers)
        assert any(answers[0][1]) and not all(answers[0][1])
        if twin is not None:
            twin.supply()
            assert answers[0][1] == [bool(x) for x in twin.flags]
            twin.reach((ctypes.c_int32 * len(who))(*who))
            assert answers[0][0] == twin.reached(len(who))
    if len(ways) == 2:
        assert type(rules.route_march_reach(S, who[0])).__name__ == "FoundReach", "the kernels were asked"
        for unit in rng.sample(range(UNITS), 20):
            ops.put(S, unit, None, "3")
        one = asked(rules, S, who)
        book.kernels(False)
        ops.touch(S, "at")
        assert asked(rules, S, who) == one, "units that are nowhere bar nothing and reach nothing"


def test_a_small_book_has_no_kernels() -> None:
    assert not load(str(ROOT / "tests" / "books" / "skirmish.rules")).kernels(True)
