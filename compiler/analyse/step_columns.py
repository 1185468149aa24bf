"""How the answers about single places of a search depend on the state.

In:  what is asked of a place that a step enters or leaves, and the route that asks.
Out: for each column, how a change of it is found again among the answers; and the sets that places are looked for in.

As in column_reads.py: with `place` and `where` only the answers about some places can differ, with `set` those about
places that such a set gained or lost. A change of any other column drops all answers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from ..core import nodes as c
from .column_reads import KEY, OPAQUE, Known, Look, Names, closed

NARROW = ("place", "where", "set")


@dataclass(frozen=True, slots=True)
class Placed:
    """The columns of which a change is found again, with how, and the sets that places are looked for in."""

    by: tuple[tuple[str, str], ...] = ()
    sets: tuple[c.Expr, ...] = ()


@dataclass
class Steps(Look):
    """Looks at what a search asks; `lifted` tells the values of the mover that answers are kept apart by."""

    kept_sets: frozenset[str] = frozenset()
    lifted: Callable[[c.Expr], object] = bool
    inside: int = 0

    def at(self, e: c.Expr, names: Names) -> None:
        if self.inside or self.lifted(e) is None:
            super().at(e, names)

    def definition(self, d: c.Definition, names: Names) -> None:
        self.inside += 1
        super().definition(d, names)
        self.inside -= 1

    def looked_for(self, e: c.Expr, names: Names) -> bool:
        """Sets that are kept anyhow are compared at each use; what else changes is asked as it stands."""
        found = closed(e, names)
        kept = isinstance(found, c.Call) and found.name in self.kept_sets
        if found is None or any(isinstance(x, c.Loop) for x in found.walk()):
            return False
        return (kept or not self.depends.of([found])) and super().looked_for(e, names)

    def placed(self, r: c.Route, ends: Iterable[str], exprs: Iterable[c.Expr]) -> Placed:
        """What is found again, where `ends` of a step are the place that an answer is about."""
        params: dict[str, Known] = {x.name: c.Local(x.name, type=x.type, span=r.span) for x in r.params}
        names: Names = {**params, "crossing": OPAQUE, **dict.fromkeys(ends, KEY)}
        for e in exprs:
            self.at(e, names)
        found = ((column, how) for column, how in sorted(self.by.items()) if how in NARROW)
        return Placed(tuple(found), tuple(self.sets))
