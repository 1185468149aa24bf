"""Build gathered values: what several cases add to one value, stage by stage.

In:  a definition with its steps and contributions; its value so far stands in `value`.
Out: statements that add the parts of each stage, round and cap. Where value ranges show that the result is the same,
     parts are added as they are found, and a value that is whole anyway is not rounded.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ...core import nodes as c
from ..answers import VALUE, Telling
from ..context import Draft
from ..expressions.arithmetic import fraction, rounded_part
from ..expressions.build import Expressions
from ..model.expressions import (
    NONE,
    ONE,
    TRUE,
    ZERO,
    At,
    Call,
    Cited,
    Cond,
    Expr,
    Index,
    Lit,
    Lst,
    Name,
    Neg,
    Op,
    Ref,
    S,
    Tup,
    any_of,
    both,
    compare,
    method,
    names,
)
from ..model.statements import Assign, Do, Give, If, Return, Stmt
from ..naming import HELPERS
from .clauses import Asked, in_place
from .exceptions import HIT, NOTHING, part

ALSO = "also"
"""How a trace names a part of a flag or set: one more case that makes it."""
PARTS, CASE, RECKONING = Name("parts"), Name("case"), Name("reckoning")


class Contributions:
    """The steps of one definition; `helper` makes a function for a layer that needs one."""

    def __init__(self, asked: Asked, f: Draft, build: Expressions, helper: Callable[[c.Layer], Ref]) -> None:
        self.asked = asked
        self.ctx = asked.ctx
        self.d = asked.d
        self.f = f
        self.body = f.body
        self.build = build
        self.helper = helper
        self.number = self.d.type.name in ("number", "ratio")
        self.cited = False

    def steps(self, bare: bool) -> None:
        """All steps, and the value that comes of them; a bare value comes without the last case that spoke."""
        d, body, traced = self.d, self.body, self.ctx.traced
        self.cited = traced and not bare
        if self.cited:  # a flag or set that its base leaves empty is made by others, if by anyone
            body.append(Assign((CASE,), Lit(d.case) if self.number else Cond(VALUE, Lit(d.case), Lit(""))))
        body += [Assign((RECKONING,), Lst(()))] if traced and (self.number or not bare) else []
        whole = self.number and self._is_whole(d.base)
        for stage in d.stages or (c.Stage(name=""),):
            mine = [x for x in d.contributions if x.stage == stage.name or not d.stages]
            if self.number and self._all_alike(stage, mine):
                whole = self._one_of(stage, mine, whole)
            elif self.number and self._in_order(stage, mine):
                whole = self._stage_in_place(stage, mine, whole)
            else:
                whole = self._gathered(stage, mine, whole)
        if bare and traced and self.number:
            body += Telling("", Tup(()), True).told(Give(VALUE, Lit(""), None, RECKONING))
        elif bare or not traced:
            body.append(Return(VALUE) if bare else Give(VALUE, Lit("")))
        else:
            first = Cond(RECKONING, Index(Index(RECKONING, ZERO), ZERO), Lit(d.case))
            body.append(Give(VALUE, CASE if self.number else any_of(CASE, first), None, RECKONING))

    def _gathered(self, stage: c.Stage, mine: list[c.Contribution], whole: bool) -> bool:
        """A step whose parts are found first and combined afterwards; says whether the value is whole afterwards."""
        if self.number:
            self.body.append(Assign((PARTS,), Lst(())))
        for x in mine:
            self._contribution(x)
        if not self.number:
            return whole
        most = self.build(stage.most) if stage.most is not None else NONE
        least = self.build(stage.least) if stage.least is not None else NONE
        given = (VALUE, PARTS, Lit(stage.round), Lit(stage.once), most, least)
        step = Assign((VALUE,), Call(HELPERS["step_value"], (*given, RECKONING) if self.ctx.traced else given))
        last = Index(Index(RECKONING, Neg(ONE)), ZERO)
        cited: tuple[Stmt, ...] = (Assign((CASE,), last),) if self.cited else ()
        if whole and stage.most is None and stage.least is None:
            self.body.append(If(PARTS, (step, *cited)))
        else:
            self.body.append(step)
            self.body += [If(PARTS, cited)] if cited else []
        return whole and bool(stage.round)

    def _contribution(self, x: c.Contribution) -> None:
        """What one case adds: to the parts of a number, to a set, or to a flag."""
        layer = x.layer

        def add(value: Expr, at: At | None, case: Expr = Lit(layer.case)) -> tuple[Stmt, ...]:
            if self.number:
                return (Do(method(PARTS, "append", value), at),)
            if not self.cited:
                joined = Call(HELPERS["union"], (VALUE, value)) if self.d.type.many else both("or", VALUE, value)
                return (Assign((VALUE,), joined, at),)
            # All are asked, so that every case that makes the value can be cited, and none that adds nothing to it.
            more: Expr = Call(HELPERS["union"], (VALUE, HIT)) if self.d.type.many else TRUE
            told = Do(method(RECKONING, "append", Tup((case, Lit(ALSO), HIT, VALUE))))
            return (Assign((HIT,), value, at), If(HIT, (Assign((VALUE,), more), told)))

        def give(value: Expr, operation: str, at: At) -> tuple[Stmt, ...]:
            return add(part(Lit(layer.case), operation or "plus", value) if self.number else value, at)

        if in_place(layer):
            self.body += self.asked.clauses_of(layer, give, True)
            return
        fn = self.helper(layer)
        self.ctx.sink(self.f)
        given = (S, *names(*(self.ctx.local(p.name) for p in self.d.params)))
        self.body.append(Assign((HIT,), Call(fn, given), At(layer.case, layer.span, layer.id + " asked")))
        if self.ctx.traced and not self.number:  # who says so may be an exception to the contribution
            by, said = Name("by"), Tup((Name("by"), HIT))
            self.body.append(If(compare(HIT, "is not", NOTHING), (Assign((said,), HIT), *add(HIT, None, by))))
        else:
            self.body.append(If(compare(HIT, "is not", NOTHING), add(HIT, None)))

    # ------------------------------------------------------------ parts as they are found

    def _all_alike(self, stage: c.Stage, mine: list[c.Contribution]) -> bool:
        """Whether the parts of a step of which one counts are all the same, and can be asked until one applies."""
        clauses = [clause for x in mine for clause in x.layer.clauses]
        if not (self.ctx.folded and stage.once and clauses and len(clauses) == len(mine)):
            return False
        first = clauses[0]
        if not isinstance(first.value, c.Const) or any(
            x.guard is None
            or x.operation != first.operation
            or not isinstance(x.value, c.Const)
            or x.value.value != first.value.value
            for x in clauses
        ):
            return False
        if not all(in_place(x.layer) for x in mine) or stage.most is not None or stage.least is not None:
            return False
        return all(self.ctx.foreseen.is_sure(x.guard) for x in clauses if x.guard is not None)

    def _one_of(self, stage: c.Stage, mine: list[c.Contribution], whole: bool) -> bool:
        """A step of which one part counts, all of them alike: it counts as soon as one applies."""
        tests = []
        for x in mine:
            clause = x.layer.clauses[0]
            assert clause.guard is not None
            test = self.asked.build(x.layer)(clause.guard)
            tests.append(Cited(test, At(x.layer.case, clause.span, x.layer.id)))
        clause = mine[0].layer.clauses[0]
        given = Op("*" if clause.operation == "times" else "+", VALUE, Expressions(self.ctx)(clause.value))
        is_number = whole and isinstance(clause.value, c.Const) and isinstance(clause.value.value, int)
        rounding = HELPERS[stage.round or "exact"]
        yes = Assign((VALUE,), given if is_number else Call(rounding, (given,)))
        no = () if whole else (Assign((VALUE,), Call(rounding, (VALUE,))),)
        self.body.append(If(any_of(*tests), (yes,), no))
        return is_number or (whole and bool(stage.round))

    def _in_order(self, stage: c.Stage, mine: list[c.Contribution]) -> bool:
        """Whether the parts of a step can be applied one after another as they are found."""
        return not stage.once and not self.ctx.traced and all(in_place(x.layer) for x in mine)

    def _stage_in_place(self, stage: c.Stage, mine: list[c.Contribution], whole: bool) -> bool:
        """One stage of a gathered number, computed in place: what each case adds, then rounding, then caps.

        Says whether the value is whole afterwards, if it was before; a whole one is rounded only where parts came.
        """
        taken = {*(x.name for x in self.d.params), *(name for name, _ in self.d.base.lets)}
        again = whole and len(mine) == 1 and len(mine[0].layer.clauses) == 1
        of_whole = self._part_of(stage, mine[0]) if again and self.ctx.folded else None
        if of_whole is not None:
            self.body += self.asked.clauses_of(mine[0].layer, lambda _, how, at: (Assign((VALUE,), of_whole, at),))
            return (stage.most is None and stage.least is None) or self._capped(stage)
        guarded = again and mine[0].layer.clauses[0].guard is not None
        sure_whole = self.ctx.folded and whole and all([self._is_whole(x.layer) for x in mine])
        rounded = Assign((VALUE,), Call(HELPERS[stage.round or "exact"], (VALUE,)))
        inside = guarded and not sure_whole

        def give(value: Expr, how: str, at: At) -> tuple[Stmt, ...]:
            added = Assign((VALUE,), Op("*" if how == "times" else "+", VALUE, value), at)
            return (added, rounded) if inside else (added,)

        for x in mine:
            layer, clause = x.layer, x.layer.clauses[0]
            if clause.guard is None:
                value = self.asked.sums(self.body, clause.value, self.build, taken, (layer.case, layer.id))
                layer = replace(layer, clauses=(replace(clause, value=value),))
            self.body += self.asked.clauses_of(layer, give, True)
        if sure_whole:
            self._capped(stage)
            return stage.most is None and stage.least is None
        if (mine or not whole) and not inside:
            self.body.append(rounded)
        self._capped(stage)
        return whole and (bool(stage.round) or not mine) and stage.most is None and stage.least is None

    def _capped(self, stage: c.Stage) -> bool:
        for cap, than in ((stage.most, ">"), (stage.least, "<")):
            if cap is not None:
                bound = self.build(cap)
                self.body.append(If(compare(VALUE, than, bound), (Assign((VALUE,), bound),)))
        return False

    def _is_whole(self, layer: c.Layer) -> bool:
        """Whether the clauses of a layer give whole numbers only."""
        return all([self.ctx.foreseen.is_whole(clause.value) for clause in layer.clauses])

    def _part_of(self, stage: c.Stage, x: c.Contribution) -> Expr | None:
        """A whole number times a fraction, rounded, in integer arithmetic."""
        clause = x.layer.clauses[0]
        times = fraction(clause.value) if clause.operation == "times" else None
        if times is None or times <= 0 or stage.round not in ("up", "down"):
            return None
        return rounded_part(VALUE, times, stage.round)
