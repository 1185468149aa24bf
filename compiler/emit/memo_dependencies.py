"""Dependencies of memoised results.

In:  what a result was computed from: a declaration, or expressions.
Out: the columns of the state whose change invalidates it, and the least sets that it is computed from.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..analyse.column_reads import own_columns
from ..analyse.dependencies import Depends
from ..core import nodes as c


@dataclass(frozen=True, slots=True)
class Rests:
    """What memoised results depend on: a declaration, or expressions; turned into columns when the module is complete.

    `owned` results are dropped for one owner alone where one of that owner's columns changes; of answers about places
    those that a change of a column of `placed` touches are asked again (see analyse/step_columns.py).
    """

    named: tuple[str, str] | None = None
    exprs: tuple[c.Expr, ...] = ()
    owned: bool = False
    placed: tuple[tuple[str, str], ...] = ()

    def reads(self, depends: Depends) -> set[str]:
        """The columns whose change drops all results."""
        found = depends.named(*self.named) if self.named is not None else depends.of(self.exprs)
        return found - {*self.own(depends)} - {column for column, _ in self.placed}

    def grows(self, depends: Depends) -> set[str]:
        """The least sets that results are computed from: while one grows, such results hold for a part of it."""
        return depends.grows(*self.named) if self.named is not None else depends.grows_of(self.exprs)

    def own(self, depends: Depends) -> dict[str, str]:
        """The columns whose change drops only the results of their owner, and how each belongs to it."""
        found = own_columns(depends, self.named[1]) if self.owned and self.named is not None else None
        return {} if found is None else found[1]
