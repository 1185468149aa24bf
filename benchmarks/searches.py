"""Searches on a large map against a plain C twin: the reach of 300 units, and the supply of 3,000.

The map of 15,000 hexes is made from a seed (benchmarks/front.py). Each round begins with a unit that moves, after which
C reckons everything anew; Rulewright keeps what the move leaves as it was. In the rounds after "all forgotten" it keeps
nothing that rests on the position of any unit, as if all had moved. Answers are compared first, ties included.
"""

from __future__ import annotations

import ctypes
import random
import tempfile
from pathlib import Path
from typing import Any

from rulewright.compiler import load
from rulewright.compiler.compiled import names_of
from rulewright.runtime import ops
from rulewright.runtime.state import State

from . import front, twin_c
from .timing import Figure, Work, best

MOVERS = 300


def figures() -> list[Figure]:
    aims = {"reach of 300 units ÷ C": (40.0, 1.3), "supply of 3,000 units ÷ C": (60.0, 2.0)}
    if not twin_c.compiler():
        return [Figure(name, None, most=pure, note="there is no C compiler (cc)") for name, (pure, _) in aims.items()]
    with tempfile.TemporaryDirectory() as scratch:
        made = front.make()
        book = load(str(made.write(Path(scratch))))
        S = book.new(seed=1).state
        rules: Any = names_of(book.program)
        twin = twin_c.Twin(made, Path(scratch))
        who = sorted(random.Random(1).sample(range(len(made.units)), MOVERS))
        them = (ctypes.c_int32 * MOVERS)(*who)
        everybody = range(len(made.units))

        walker = next(u for u in everybody if u not in who)
        there = made.units[walker][3]
        beside = next(p for p in made.near(there) if made.terrain[p] != 5 and not S.here[p])

        def move() -> None:
            ops.put(S, walker, there if S.at[walker] == beside else beside, "3")
            S.log.clear()

        def reach() -> list[Any]:
            move()
            return [rules.route_march_reach(S, u) for u in who]

        def supply() -> list[bool]:
            move()
            return [rules.supplied(S, u) for u in everybody]

        found = []
        for kind in ("pure", "fast"):
            if kind == "fast" and not book.kernels(True):
                found += [
                    Figure(f"{name}, with rulewright[fast]", None, most=fast, note="numba is not installed")
                    for name, (_, fast) in aims.items()
                ]
                continue
            if kind == "pure":
                book.kernels(False)
            for _ in range(2):  # with the walker here and there
                found_reach = reach()
                twin.place(walker, S.at[walker])
                twin.reach(them)
                same_reach(found_reach, twin.reached(MOVERS))
                found_lines = supply()
                twin.place(walker, S.at[walker])
                twin.supply()
                assert found_lines == [bool(x) for x in twin.flags]
                move()
            works = ((reach, lambda: twin.reach(them)), (supply, twin.supply))
            for (name, bounds), (mine, other) in zip(aims.items(), works, strict=True):
                one, anew, two = best(mine, lambda mine=mine: forget(S, mine), other, rounds=7)  # type: ignore[misc]
                label = f"{name}, {'pure Python' if kind == 'pure' else 'with rulewright[fast]'}"
                note = f"{1000 * one:.2f} ms and {1000 * two:.2f} ms"
                found.append(Figure(label, one / two, most=bounds[kind == "fast"], note=note))
                note = f"{1000 * anew:.2f} ms and {1000 * two:.2f} ms"
                most = bounds[1] if kind == "fast" else None
                found.append(Figure(f"{label}, all forgotten", anew / two, most=most, note=note))
    return found


def forget(S: State, work: Work) -> None:
    """The same work after everything that rests on the position of any unit is forgotten."""
    ops.touch(S, "at")
    work()


def same_reach(mine: list[Any], twin: list[dict[int, tuple[int, int]]]) -> None:
    for one, other in zip(mine, twin, strict=True):
        assert {p: (cost, one.last[p]) for p, cost in one.cost.items()} == other
