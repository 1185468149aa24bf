"""Hoist what a search reads of its mover out of the loops.

In:  an expression inside the loops of a search.
Out: the same in the model, with the mover's own values in variables that are set before the loops begin.
"""

from __future__ import annotations

from collections.abc import Callable

from ...core import nodes as c
from ...core.walk import binds, rule_exprs
from ..expressions.build import Expressions
from ..model.expressions import Expr, Name
from ..naming import mangle
from .way import Way


class Hoist:
    """Builds what a search asks, with the mover's own values taken out of the loop; `used` are those it took."""

    def __init__(self, way: Way) -> None:
        self.way = way
        self.ctx = way.ctx
        self.params = {x.name for x in way.r.params if not x.type.absent}
        self.every_param = {x.name for x in way.r.params}
        self.used: set[str] = set()
        self.off = 1 if way.ctx.traced or self._shadowed() else 0
        self.build = Expressions(way.ctx, lift=self, traced=False)

    def __call__(self, e: c.Expr) -> Expr:
        return self.build(e)

    def _shadowed(self) -> bool:
        """Whether a rule names a variable of its own like a parameter."""
        tops = [x for rule in self.way.r.rules for x in rule_exprs(rule)]
        return any(binds(x, self.params) for x in tops)

    def lifts(self, e: c.Expr) -> str | None:
        """The name of a value of the mover: a mark or printed value of a parameter."""
        match e:
            case c.MarkOf(c.Local(owner), name) | c.FieldOf(c.Local(owner), (_, name)):
                return f"{owner}_{name}" if not self.off and owner in self.params else None
            case _:
                return None

    def value(self, e: c.Expr, made: Callable[[], Expr]) -> Expr:
        """A mark or a printed value; one of the mover stands under a name."""
        name = self.lifts(e)
        if name is None:
            return made()
        before = set(self.used)
        found = self.way.hoisted.use(made(), mangle(name, "the"))
        self.used = before | {found}
        return Name(found)

    def local(self, name: str) -> None:
        if name in self.every_param:
            self.used.add(self.ctx.local(name))

    def suppose(self, made: Callable[[], Expr]) -> Expr:
        """What is asked under a hypothesis is asked as it stands."""
        self.off += 1
        try:
            return made()
        finally:
            self.off -= 1

    def rest(self, exprs: tuple[c.Expr, ...]) -> list[c.Expr]:
        """The expressions without the values that stand outside: what is left of them depends on the state."""

        def strip(e: c.Expr) -> c.Expr:
            if self.lifts(e) is not None:
                return c.Const(None, type=e.type, span=e.span)
            return e if isinstance(e, c.Suppose) else e.with_args(tuple(strip(a) for a in e.args))

        return [strip(e) for e in exprs]
