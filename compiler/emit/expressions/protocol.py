"""The protocol by which the parts of the expression builder call one another: none imports the other."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from ...core import nodes as c
from ..context import Context
from ..model.expressions import Expr


class Lift(Protocol):
    """What a search takes out of its loops (see routes/mover.py)."""

    def value(self, e: c.Expr, made: Callable[[], Expr]) -> Expr: ...
    def local(self, name: str) -> None: ...
    def suppose(self, made: Callable[[], Expr]) -> Expr: ...


class Build(Protocol):
    """Whoever builds expressions; `folding` is how many definitions the one at hand stands within."""

    ctx: Context
    traced: bool
    folding: int

    def __call__(self, e: c.Expr) -> Expr: ...
    def args(self, e: c.Operator) -> tuple[Expr, ...]: ...
    def key(self, args: tuple[c.Expr, ...]) -> Expr: ...
    def with_var(self, name: str, e: c.Expr) -> Expr: ...
    def fixed(self, value: object) -> Expr: ...
    def apart(self) -> Build: ...
