"""Dependencies of memoised results.

In:  what a result was computed from: a declaration, or expressions.
Out: the columns of the state whose change invalidates it.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..analyse.column_reads import own_columns
from ..analyse.dependencies import Depends
from ..core import nodes as c


@dataclass(frozen=True, slots=True)
class Rests:
    """What memoised results depend on: a declaration, or expressions; turned into columns when the module is complete.

    `owned` results are dropped for one owner alone where one of that owner's columns changes.
    """

    named: tuple[str, str] | None = None
    exprs: tuple[c.Expr, ...] = ()
    owned: bool = False

    def reads(self, depends: Depends) -> set[str]:
        """The columns whose change drops all results."""
        found = depends.named(*self.named) if self.named is not None else depends.of(self.exprs)
        return found - {*self.own(depends)}

    def own(self, depends: Depends) -> dict[str, str]:
        """The columns whose change drops only the results of their owner, and how each belongs to it."""
        found = own_columns(depends, self.named[1]) if self.owned and self.named is not None else None
        return {} if found is None else found[1]
