"""Say what kept answers rest on.

In:  what an answer was found by: something named, or expressions.
Out: the columns of the state that take it with them when they change.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..analyse.column_reads import own_columns
from ..analyse.dependencies import Depends
from ..core import nodes as c


@dataclass(frozen=True, slots=True)
class Rests:
    """What kept answers rest on: something named, or expressions; told in columns when the module is complete.

    `owned` answers are lost apart for each owner where one of the owner's own columns changes.
    """

    named: tuple[str, str] | None = None
    exprs: tuple[c.Expr, ...] = ()
    owned: bool = False

    def reads(self, depends: Depends) -> set[str]:
        """The columns that take all answers with them."""
        found = depends.named(*self.named) if self.named is not None else depends.of(self.exprs)
        return found - {*self.own(depends)}

    def own(self, depends: Depends) -> dict[str, str]:
        """The columns that take only the answers about their owner, with how they belong to it."""
        found = own_columns(depends, self.named[1]) if self.owned and self.named is not None else None
        return {} if found is None else found[1]
