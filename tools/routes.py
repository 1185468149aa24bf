"""Every route of the shipped books: whether a kernel serves it, and whether it needs one.

Usage: python tools/routes.py [--most N] [--report FILE] [BOOK:SCENARIO,SCENARIO …]

In:  books with scenarios; each is played from a seed by the fair random player and by the busy one, N choices each.
Out: a table, route by route: whether machine code serves it where `rulewright[fast]` is installed, how many searches
     were made, how many places the largest of them reached, and which share of the time of play they took by
     themselves, without the routes that they ask in turn. A route needs a kernel where that share is more than NEEDS:
     what takes less could be free, and play would be no faster by more than that. One that was not searched at all in
     these games is counted apart, as neither.

A kernel is emitted for maps of LARGE hexes and more (compiler/emit/routes/kernels.py); the table says where that is
what stands in the way.
"""

from __future__ import annotations

import argparse
import re
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from types import ModuleType
from typing import Any

from rulewright.compiler.compiled import names_of, package_of_program
from rulewright.compiler.emit.routes.kernels import LARGE
from rulewright.compiler.loader import Loaded, analysed, load
from rulewright.compiler.passes.compiled import given
from rulewright.runtime.automatic import AUTOMATIC
from rulewright.runtime.playout import playout

BOOKS = (
    "trc:barbarossa,battle",
    "tdv:smolensk,campaign_start",
    "fite:niemen,surprise,onega",
    "fragment:first_year,war_in_june",
    "ocs:trial",
    "caseblue:proving",
)
NEEDS = 0.02
"""The share of the time of play from which a route counts as one that a kernel could help."""
SEARCHES = re.compile(r"route_(?P<route>\w+?)_(search|found|back)")
"""The functions that search, each with the name of its route."""


@dataclass
class Meter:
    """Time by route, each without what it asks of others; searches; the most places that one of them reached."""

    spent: Counter[str] = field(default_factory=Counter)
    calls: Counter[str] = field(default_factory=Counter)
    largest: Counter[str] = field(default_factory=Counter)
    inside: list[float] = field(default_factory=list)

    def around(self, route: str, search: Any) -> Any:
        """The same search, measured."""

        def measured(*args: Any, **named: Any) -> Any:
            begin = time.process_time()
            self.inside.append(0.0)
            try:
                found = search(*args, **named)
            finally:
                took = time.process_time() - begin
                self.spent[route] += took - self.inside.pop()
                if self.inside:
                    self.inside[-1] += took
                self.calls[route] += 1
            reached = found if isinstance(found, dict) else getattr(found, "cost", ())
            self.largest[route] = max(self.largest[route], len(reached))
            return found

        return measured


def searches(loaded: Loaded, routes: set[str]) -> list[tuple[ModuleType, str, str]]:
    """The functions of a compiled book that search, in every module that has them by name, with their routes."""
    names_of(loaded.program)
    prefix, found = package_of_program(loaded.program) + ".", []
    for name, module in [*sys.modules.items()]:
        for word in [*vars(module)] if name.startswith(prefix) and ".traced" not in name else ():
            told = SEARCHES.fullmatch(word)
            if told is not None and told["route"] in routes:
                found.append((module, word, told["route"]))
    return found


def measure(loaded: Loaded, scenarios: list[str], most: int) -> tuple[Meter, float]:
    """Both players' games, and the time that they took."""
    book, meter, whole = given(analysed(loaded).book), Meter(), 0.0
    places = searches(loaded, {*book.routes})
    plain = [(module, word, getattr(module, word)) for module, word, _ in places]
    try:
        for (module, word, route), (_, _, search) in zip(places, plain, strict=True):
            setattr(module, word, meter.around(route, search))
        for scenario, word in product(scenarios, ("random", "busy")):
            game = loaded.new(scenario, seed=1)
            begin = time.process_time()
            playout(game, {side: AUTOMATIC[word](i) for i, side in enumerate(loaded.program.sides)}, most)
            whole += time.process_time() - begin
    finally:
        for module, word, search in plain:
            setattr(module, word, search)
    return meter, whole


def served(loaded: Loaded) -> set[str]:
    """The routes for which kernels were emitted."""
    prefix = package_of_program(loaded.program) + "."
    words = {w for name, module in [*sys.modules.items()] if name.startswith(prefix) for w in vars(module)}
    return {w[len("route_") : -len("_fast")] for w in words if w.startswith("route_") and w.endswith("_fast")}


def report(name: str, most: int) -> tuple[list[str], Counter[str]]:
    """The rows of one book, and how many of its routes are of which sort."""
    book_name, _, scenarios = name.rpartition(":")
    loaded = load(book_name)
    loaded.kernels(False)  # what the searches take without them
    book, (meter, whole) = given(analysed(loaded).book), measure(loaded, scenarios.split(","), most)
    kernels, small = served(loaded), book.hexes < LARGE
    rows, counted = [], Counter[str]()
    for route in sorted(book.routes.values(), key=lambda r: (-meter.spent[r.name], r.name)):
        share = meter.spent[route.name] / whole
        if route.name in kernels:
            sort, told = "served", "yes"
        else:
            told = f"no: a map of {book.hexes:,} hexes" if small else "no: its steps or grounds are not told in arrays"
            told = "no: a line of other routes" if route.legs else told
            asked = meter.calls[route.name]
            sort = "not searched" if not asked else "needs one" if share > NEEDS else "does not need one"
        counted[sort] += 1
        reached = f"{meter.largest[route.name]:,}" if meter.largest[route.name] else "–"
        rows.append(
            f"| {book_name} | {route.case} {route.name} | {told} | {meter.calls[route.name]:,} |"
            f" {reached} | {100 * share:.1f} % | {sort} |"
        )
    return rows, counted


PAGE = """# Which routes have kernels, and which need them

Written by `python tools/routes.py --report docs/kernels.md`. Each book is played by the random player and by the busy
one, {most} choices a scenario and player, without kernels: {played}.

The share of the time is that of the searches of a route by themselves. One that takes less than {needs} does not need a
kernel: play would gain no more than that if it were free. Maps of fewer than {large} hexes have no kernels, whatever
their routes take; nor have routes whose steps or grounds are not told in arrays. A route that was not searched in these
games is counted apart. *Largest* is how many places one search reached, where it tells more than whether an end is in
reach.

**{end}**

"""
HEAD = "| book | route | kernel | searches | largest | of the time | |\n|---|---|---|---|---|---|---|"


def run() -> None:
    parser = argparse.ArgumentParser(description="which routes kernels serve, and which need them")
    parser.add_argument("--most", type=int, default=400, metavar="N", help="choices a game")
    parser.add_argument("--report", type=Path, metavar="FILE", help="write a page")
    parser.add_argument("what", nargs="*", metavar="BOOK:SCENARIO,SCENARIO")
    args = parser.parse_args()
    total, lines = Counter[str](), list[str]()
    for name in args.what or BOOKS:
        rows, counted = report(name, args.most)
        print("\n".join(rows), flush=True)
        lines += rows
        total += counted
    settled = total["served"] + total["does not need one"]
    told = ", ".join(f"{n} {sort}" for sort, n in sorted(total.items()))
    searched = sum(total.values()) - total["not searched"]
    end = f"{sum(total.values())} routes: {told}. Served or shown not to need one: {settled}, of {searched} searched."
    print(f"\n{end}")
    if args.report is not None:
        played = "; ".join(f"`{name}`" for name in args.what or BOOKS)
        page = PAGE.format(most=args.most, played=played, end=end, needs=f"{100 * NEEDS:g} %", large=f"{LARGE:,}")
        args.report.write_text(page + HEAD + "\n" + "\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    run()
