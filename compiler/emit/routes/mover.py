"""Build what a search asks of its mover.

In:  an expression that is asked in the loops of a search.
Out: the same in the model, where the mover's own values stand under names that are given before the loops begin.
"""

from __future__ import annotations

from collections.abc import Callable

from ...core import nodes as c
from ...core.walk import rule_exprs
from ..expressions import Expressions
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
        return any(
            x.op not in ("local", "const") and x.info in self.params
            for top in tops
            for x in top.walk()
            if isinstance(x.info, str)
        )

    def lifts(self, e: c.Expr) -> bool:
        """Whether an expression is a value of the mover: a mark or printed value of a parameter."""
        inside = e.op in ("mark", "field") and e.args and e.args[0].op == "local"
        return bool(inside) and not self.off and str(e.args[0].info) in self.params

    def value(self, e: c.Expr, made: Callable[[], Expr]) -> Expr:
        """A mark or a printed value; one of the mover stands under a name."""
        if not self.lifts(e):
            return made()
        before = set(self.used)
        value = made()
        name = e.info if e.op == "mark" else e.info[1]
        found = self.way.hoisted.use(value, mangle(f"{e.args[0].info}_{name}", "the"))
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
        """The expressions without the values that stand outside: what is left of them rests on the state."""

        def strip(e: c.Expr) -> c.Expr:
            if self.lifts(e):
                return c.Const(None, type=e.type, span=e.span)
            return e if e.op == "suppose" else e.with_args(tuple(strip(a) for a in e.args))

        return [strip(e) for e in exprs]
