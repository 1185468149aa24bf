"""The evidence of a diff: witnesses and changed examples, attributed to facts.

In:  two rule sets, how many positions to try for a fact, how many processes and how many seconds to use.
Out: for each fact a witness or what was tried, and the examples that it changes.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any

from rulewright.dsl import nodes as n

from ..cache.garbage_collector import collector_paused
from ..core.names import Name
from ..diff.examples import Turned, bare
from ..diff.facts import Fact
from ..diff.judge import Filed
from ..examples.workers import Until, spread
from ..pipeline import Compiled
from .attribution import Standing
from .effort import Effort, Patience, cost
from .search import Search, searched

Told = Callable[[int, int], None]


class Evidence:
    """The evidence between two rule sets."""

    def __init__(
        self,
        a: Compiled,
        b: Compiled,
        positions: int | None = None,
        jobs: int = 0,
        seconds: float | None = None,
        until: Until | None = None,
        told: Told = lambda *_: None,
        shown: Callable[[Fact, dict[str, Any]], None] = lambda *_: None,
    ) -> None:
        """`told` hears how many facts are done of how many, `shown` each result as it comes.

        The search has so many seconds; they begin now, unless `until` says when they are over.
        """
        self.sides = a, b
        self.positions, self.told, self.shown = positions, told, shown
        self.jobs = jobs or os.cpu_count() or 1
        self.seconds = seconds
        self.until = until or Until(None if seconds is None else time.monotonic() + seconds)
        self.count = 1
        """How many facts are searched."""

    @cached_property
    def search(self) -> Search:
        return Search(*self.sides, Effort.of(self.count, self.positions))

    def witnesses(self, a: Compiled, b: Compiled, facts: list[Fact]) -> list[dict[str, Any]]:
        """A witness, or what was tried, for each fact that may alter play; in the order of the facts."""
        wanted = [f for f in facts if searched(f)]
        if not wanted:
            return []
        self.count = len(wanted)
        with collector_paused():
            self.search.pair.ready()
            found: dict[str, dict[str, Any]] = {}
            order = sorted(wanted, key=lambda f: cost(f.element))
            for done in spread(len(order), lambda i: self.search.fact(order[i]), self.jobs, self.until):
                f = order[done.piece]
                found[f.id] = done.result or missing(f, self.seconds if done.late else None)
                self.told(len(found), len(order))
                self.shown(f, found[f.id])
            made = [found[f.id] for f in wanted]
            known = [w for w in made if w["example"] and w["stands"] != "hidden"]
            bare = [w for w in made if not w["example"]] if self.search.effort.between and known else []
            for lent in spread(len(bare), lambda i: self.search.lent(bare[i], known), self.jobs, self.until):
                bare[lent.piece] |= lent.result or {}
        return made

    def file(self, turned: list[Turned], reach: Mapping[str, set[Name]], facts: list[Fact]) -> Filed:
        """The changed examples of each fact, with how they relate to it; `facts` are those that will be searched."""
        self.count = sum(map(searched, facts)) or self.count
        a, b = ({e.node.title: e.node for e in x.entries or () if isinstance(e.node, n.Example)} for x in self.sides)
        nodes = {title: node if title in a and title in b else bare(node) for title, node in {**a, **b}.items()}
        order = {id: i for i, id in enumerate(reach)}

        def makers(i: int) -> dict[str, Standing]:
            e = turned[i]
            self.search.filing.patience = Patience(self.search.effort.steps)
            likely = sorted(
                (x for x in reach if reach[x] & e.names), key=lambda x: (-len(reach[x] & e.names), order[x])
            )
            return self.search.filing.makers(nodes[e.title], e.held, likely)

        with collector_paused():
            done = {x.piece: x.result or {} for x in spread(len(turned), makers, self.jobs, self.until)}
        found: Filed = {}
        for i, e in enumerate(turned):
            for id, standing in done[i].items():
                said = {**e.as_json(), "stands": standing.sort, "partners": list(standing.partners)}
                found.setdefault(id, []).append(said)
        return found


def outcome(found: dict[str, Any]) -> str:
    """A short description of the result of one search."""
    if found["example"] and not found.get("printed"):
        return {"own": "a witness", "joint": "a witness together with others"}.get(found["stands"], "a witness")
    if found.get("seconds"):
        return "not finished in time"
    return f"no witness in {found['positions']} position{'s' if found['positions'] != 1 else ''}"


def missing(f: Fact, seconds: float | None) -> dict[str, Any]:
    """The result for a fact whose search did not finish in time."""
    base = {"fact": f.id, "judgement": None, "case": f.case, "positions": 0, "found": 0, "direction": None}
    return {**base, "example": None, "seconds": seconds}
