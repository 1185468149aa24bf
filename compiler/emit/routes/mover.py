"""Print what a search asks of its mover.

In:  an expression that is asked in the loops of a search.
Out: its text, in which the mover's own values stand under names that are given before the loops begin.
"""

from __future__ import annotations

from ...core import nodes as c
from ...core.walk import rule_exprs
from ..expressions import Printer, mangle
from ..module import Module
from .steps import OneStep


class Hoist(Printer):
    """Prints what a search asks, with the mover's own values taken out of the loop."""

    def __init__(self, e: Module, model: OneStep) -> None:
        super().__init__(e.book, e.constants)
        self.model = model
        self.params = {x.name for x in model.r.params if not x.type.absent}
        self.used: set[str] = set()
        self.off = 1 if e.traced or self._shadowed() else 0

    def _shadowed(self) -> bool:
        """Whether a rule names a variable of its own like a parameter."""
        tops = [x for rule in self.model.r.rules for x in rule_exprs(rule)]
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

    def lifted(self, e: c.Expr, text: str) -> str:
        if not self.lifts(e):
            return text
        name = e.info if e.op == "mark" else e.info[1]
        found = self.model.hoisted.setdefault(text, mangle(f"{e.args[0].info}_{name}", "the"))
        self.used.add(found)
        return found

    def _mark(self, e: c.Expr) -> str:
        before = set(self.used)
        text = super()._mark(e)
        if self.lifts(e):
            self.used = before
        return self.lifted(e, text)

    def _field(self, e: c.Expr) -> str:
        before = set(self.used)
        text = super()._field(e)
        if self.lifts(e):
            self.used = before
        return self.lifted(e, text)

    def _local(self, e: c.Expr) -> str:
        if str(e.info) not in self.bound and any(x.name == e.info for x in self.model.r.params):
            self.used.add(mangle(str(e.info)))
        return super()._local(e)

    def _suppose(self, e: c.Expr) -> str:
        self.off += 1
        try:
            return super()._suppose(e)
        finally:
            self.off -= 1

    def rest(self, exprs: tuple[c.Expr, ...]) -> list[c.Expr]:
        """The expressions without the values that stand outside: what is left of them rests on the state."""

        def strip(e: c.Expr) -> c.Expr:
            if self.lifts(e):
                return c.Const(None, type=e.type, span=e.span)
            return e if e.op == "suppose" else e.with_args(tuple(strip(a) for a in e.args))

        return [strip(e) for e in exprs]
