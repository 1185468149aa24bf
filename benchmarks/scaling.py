"""What ten times as much costs: ten times the text, the map, the units. None should cost more than twelve times.

Text: a compile of a book with ten times as many rules (benchmarks/diff.py makes it), in a fresh memory.
Map and units: the same questions (a march and a line of supply for every unit) on a front with ten times as many
hexes and as many units, or with ten times as many units on the same map.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rulewright.compiler import load
from rulewright.compiler.emit.package import names_of
from rulewright.runtime import ops

from . import compile, diff, front
from .timing import Figure, best

AIM = 12.0


def figures() -> list[Figure]:
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        small, large = asked(folder, 50, 30, 300), asked(folder, 150, 100, 300)
        many = asked(folder, 50, 30, 3000)
        one, wide, crowd = best(small, large, many, rounds=5)
        return [
            Figure("10 × text: compile", text(folder), most=AIM),
            Figure("10 × map: compile", maps(folder), most=AIM),
            Figure("10 × map: marches and supply of as many units", wide / one, most=AIM),
            Figure("10 × units: marches and supply of all", crowd / one, most=AIM),
        ]


def compiled(path: Path, folder: Path) -> float:
    """Seconds of a compile in a process that knows nothing from an earlier one; imports do not count."""
    from rulewright.dsl.cache import cache_directory
    from rulewright.dsl.grammar import parser

    parser()  # the grammar's tables are made once for a machine
    times = []
    for i in range(2):
        cache = folder / f"cache_{path.stem}_{i}"
        cache.mkdir()
        for tables in cache_directory().glob("grammar-*.bin"):
            shutil.copy(tables, cache)
        times.append(compile.child(path, str(path), cache)["all"])
    return min(times)


def text(folder: Path) -> float:
    paths = []
    for lines in (1000, 10_000):
        paths.append(folder / f"text_{lines}.rules")
        paths[-1].write_text(diff.book(lines), encoding="utf-8")
    small, large = (compiled(path, folder) for path in paths)
    return large / small


def maps(folder: Path) -> float:
    paths = []
    for columns, rows in ((50, 30), (150, 100)):
        place = folder / f"map_{columns}"
        place.mkdir()
        paths.append(front.make(columns, rows, 300, 40).write(place).rename(folder / f"map_{columns}.rules"))
    small, large = (compiled(path, folder) for path in paths)
    return large / small


def asked(folder: Path, columns: int, rows: int, units: int) -> Callable[[], Any]:
    """The march and the supply of every unit, as after one has moved."""
    place = folder / f"front_{columns}_{units}"
    place.mkdir()
    book = load(str(front.make(columns, rows, units, 40).write(place)))
    S = book.new(seed=1).state
    rules: Any = names_of(book.program)
    book.kernels(False)  # a large map alone has them

    def work() -> None:
        ops.touch(S, "at")
        for u in range(units):
            rules.route_march_reach(S, u)
            rules.supplied(S, u)

    return work
