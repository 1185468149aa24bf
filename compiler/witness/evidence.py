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
from ..diff.examples import Turned
from ..diff.facts import Fact
from ..diff.judge import Filed
from ..pipeline import Compiled
from .effort import Effort, Patience
from .search import Search, searched
from .workers import spread

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
        told: Told = lambda *_: None,
        shown: Callable[[Fact, dict[str, Any]], None] = lambda *_: None,
    ) -> None:
        """`told` is called with the number of finished facts and the total, `shown` with each result as it comes."""
        self.sides = a, b
        self.positions, self.told, self.shown = positions, told, shown
        self.jobs = jobs or os.cpu_count() or 1
        self.seconds = seconds
        self.deadline = None if seconds is None else time.monotonic() + seconds

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
            found: dict[int, dict[str, Any]] = {}
            for done in spread(len(wanted), lambda i: self.search.fact(wanted[i]), self.jobs, self.deadline):
                result = done.result or missing(wanted[done.piece], self.seconds if done.late else None)
                found[done.piece] = result
                self.told(len(found), len(wanted))
                self.shown(wanted[done.piece], result)
            made = [found[i] for i in range(len(wanted))]
            self.search.lend(made, self.deadline)
        return made

    def file(self, turned: list[Turned], reach: Mapping[str, set[Name]]) -> Filed:
        """The changed examples of each fact, with how they relate to it."""
        nodes = {e.node.title: e.node for e in self.sides[1].entries or () if isinstance(e.node, n.Example)}
        found: Filed = {}
        with collector_paused():
            for e in turned:
                if self.deadline is not None and time.monotonic() >= self.deadline:
                    break
                self.search.filing.patience = Patience(self.search.effort.steps)
                likely = sorted(reach, key=lambda id: (-len(reach[id] & e.names), list(reach).index(id)))
                makers = self.search.filing.makers(nodes[e.title], e.held, [x for x in likely if reach[x] & e.names])
                for id, standing in makers.items():
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
