"""Build clauses: what one layer of a definition says where nothing excepts it, in place.

In:  a layer of a definition, and how its value is given: as an answer, noted, or added to others.
Out: statements of the function that asks; in the traced twin an answer is told, or handed on together with its case.
"""

from __future__ import annotations

from collections.abc import Callable

from ...analyse.dependencies import ASKING
from ...analyse.inline import TABLE
from ...core import nodes as c
from ...core.walk import definition_exprs
from ..answers import Telling, asked_with
from ..context import Context, cited
from ..expressions.build import Expressions
from ..model.expressions import ZERO, At, Expr, Index, Lit, Name, Op, Tup
from ..model.statements import Assign, For, Give, If, Return, Stmt
from .memoised import worth_keeping

LAZY = c.And | c.Or | c.Choose | c.Suppose | c.FirstOf
"""What does not ask all its parts in any case."""


class Asked:
    """One definition while its functions are built: what all its layers share."""

    def __init__(self, ctx: Context, d: c.Definition) -> None:
        self.ctx = ctx
        self.d = d
        self.usuals: dict[str, Expr] = {}
        self.top = False
        self.totals = 0
        self.said: dict[int, tuple[c.Expr, tuple[At, ...]]] = {}

    def build(self, layer: c.Layer | None = None) -> Expressions:
        return Expressions(self.ctx, usual=self.usuals.get(layer.id) if layer is not None else None)

    # ------------------------------------------------------------ answers

    def answer(self, case: str, value: Expr, at: At | None = None) -> Stmt:
        """An answer of the definition; the traced twin tells it, or hands it on together with its case."""
        if not self.top:
            return Return(Tup((Lit(case), value)) if self.ctx.traced else value, at)
        return Give(value, Lit(case), at)

    def handed_on(self) -> Stmt:
        """The answer of an exception in the traced twin, which comes with its case."""
        hit = Name("hit")
        return Give(Index(hit, Lit(1)), Index(hit, Lit(0))) if self.top else Return(hit)

    def telling(self) -> Telling:
        return Telling(self.d.name, asked_with([self.ctx.local(p.name) for p in self.d.params]), self.asks_nothing())

    def asks_nothing(self) -> bool:
        """Whether a definition asks nothing that is told of in turn, and its node is not kept."""
        ctx, d = self.ctx, self.d
        if d.gathered or worth_keeping(ctx, d):
            return False
        found = [clause.value for layer in d.layers() for clause in layer.clauses]
        tables = [e.asked for e in found if isinstance(e, c.Call) and ctx.how(e.name) == TABLE]
        mine = [e for e in definition_exprs(d) if not isinstance(e, c.Call) or ctx.how(e.name) != TABLE]
        asked = (e for top in (*mine, *(x for args in tables for x in args)) for e in top.walk())
        return not any(isinstance(e, (*ASKING, c.TableCell, c.Usual, c.Remembered)) for e in asked)

    # ------------------------------------------------------------ clauses

    def clauses_of(
        self, layer: c.Layer, give: Callable[[Expr, str, At], tuple[Stmt, ...]], chained: bool = False
    ) -> list[Stmt]:
        """The clauses of a layer in place; `give` turns a value and its operation into statements."""
        build = self.build(layer)
        rows: list[tuple[Expr | None, At, tuple[Stmt, ...]]] = []
        for clause in layer.clauses:
            given = give(self.value(clause.value, build), clause.operation, At(layer.case, clause.span, layer.id))
            guard = build(clause.guard) if clause.guard is not None else None
            rows.append((guard, At(layer.case, clause.span, layer.id + " guard"), given))
            if guard is None:
                break
        if chained:
            return [*chain(rows)]
        return [s for guard, at, given in rows for s in ((If(guard, given, (), at),) if guard is not None else given)]

    def sums(self, body: list[Stmt], e: c.Expr, build: Expressions, taken: set[str], by: tuple[str, str]) -> c.Expr:
        """Sums that a value asks for in any case, added up before it; a loop is faster than a list."""
        self.unfolded: list[At] = []
        found = self._sums(body, e, build, taken, by)
        self.said[id(found)] = (found, tuple(self.unfolded))
        return found

    def _sums(self, body: list[Stmt], e: c.Expr, build: Expressions, taken: set[str], by: tuple[str, str]) -> c.Expr:
        if not self.ctx.folded or isinstance(e, LAZY) or (isinstance(e, c.Loop) and not isinstance(e, c.SumOf)):
            return e
        said = build.asks.folded(e)
        if said is not None and isinstance(e, c.Call):
            self.unfolded += build.asks.said_by(e.name)
            return self._sums(body, said, build, taken, by)
        if not isinstance(e, c.SumOf) or e.var in taken:
            return e.with_args(tuple(self._sums(body, a, build, taken, by) for a in e.args)) if e.args else e
        self.totals += 1
        total = Name(f"total_{self.totals}")
        var, over = e.var, e.base
        if isinstance(over, c.Filter) and over.var == var:
            members, test = build.sets.narrow(over.base, over.test, var)
            members = build.sets.counted(over.base, members, test, e.value)
        else:
            members, test = build.sets.counted(over, build(over), e.value), None
        at = At(by[0], e.span, by[1])
        added: Stmt = Assign((total,), Op("+", total, build.with_var(var, e.value)), at)
        if test is not None:
            added = If(build.with_var(var, test), (added,), (), at)
        body += [Assign((total,), ZERO), For(Name(self.ctx.local(var)), members, (added,), at)]
        return c.Total(total.id, type=e.type, span=e.span)

    def value(self, e: c.Expr, build: Expressions) -> Expr:
        """A value; one of which sums have been taken out cites what was unfolded on the way."""
        return cited(build(e), *self.said[id(e)][1]) if id(e) in self.said else build(e)


def chain(rows: list[tuple[Expr | None, At, tuple[Stmt, ...]]]) -> tuple[Stmt, ...]:
    """One clause or the next: if, elif, else."""
    found: tuple[Stmt, ...] = ()
    for guard, at, given in reversed(rows):
        found = given if guard is None else (If(guard, given, found, at),)
    return found


def in_place(layer: c.Layer) -> bool:
    """Whether what a layer says can stand where it is asked, without a function of its own."""
    return not (layer.exceptions or layer.waivers or layer.lets)
