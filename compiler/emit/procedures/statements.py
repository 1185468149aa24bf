"""Build statements: what a procedure does, one effect after another.

In:  a statement of a lowered procedure.
Out: statements of the function of its block; steps.py says which blocks have one.
"""

from __future__ import annotations

from typing import assert_never

from ...analyse.dependencies import column_name
from ...core import nodes as c
from ...core.shown import made_of, of_units
from ...core.texts import type_text
from ..context import Context
from ..expressions.build import Expressions
from ..lowering import machinery
from ..lowering.blocks import Lowered
from ..model.expressions import (
    NONE,
    ONE,
    ZERO,
    At,
    Attr,
    Call,
    Cond,
    Expr,
    Index,
    Lit,
    Lst,
    Name,
    Op,
    S,
    Star,
    Tup,
    compare,
    every,
    method,
    negated,
)
from ..model.statements import BREAK, PASS, Assign, Do, For, If, Return, Stmt
from ..naming import HELPERS
from ..text import member_text
from .effects import put_back

FRAME = Name("L")
LOG = Attr(S, "log")


class Statements:
    """The statements of one procedure."""

    def __init__(self, ctx: Context, low: Lowered) -> None:
        self.ctx = ctx
        self.low = low
        self.build = Expressions(ctx, frame=True)

    def __call__(self, s: machinery.LowStmt) -> list[Stmt]:
        at = At(s.case, s.span, f"{s.case} {self.low.name}")
        build, effects = self.build, self.ctx.effects
        case = Lit(s.case)

        def effect(name: str, *args: Expr, **named: Expr) -> list[Stmt]:
            return [Do(Call(HELPERS[name], args, tuple(named.items())), at)]

        def keep(name: str, value: Expr) -> list[Stmt]:
            return [Assign((Index(FRAME, Lit(name)),), value, at)]

        match s:
            case c.Let(name, value):
                made = build(value)
                return keep(name, exact(made) if value.type.name == "number" else made)
            case c.SetMark():
                return self._set(s, at)
            case c.Put(what, place):
                return effect("put", S, build(what), build(place), case)
            case c.Roll(name, c.Const(value)) if isinstance(value, tuple):
                return keep(name, Call(HELPERS["roll"], (S, *map(Lit, value), case, Lit(name))))
            case c.Roll(name, dice):
                return keep(name, Call(HELPERS["roll"], (S, Star(build(dice)), case, Lit(name))))
            case c.Draw(name, source, secretly_for):
                given: tuple[Expr, ...] = (S, build(source), case)
                if secretly_for is not None:
                    given = (*given, build(secretly_for), FRAME, Lit(name))
                return keep(name, Call(HELPERS["draw"], given, (("type", Lit(member_text(source))),)))
            case c.Spend(quota, amount, keys):
                return effect("spend", S, Lit(quota), build.key(keys), exact(build(amount)), case)
            case c.Win(side):
                return effect("win", S, build(side), case)
            case c.Halt(unit):
                return effect("halt", S, build(unit))
            case c.Reveal(what):
                return effect("reveal", S, build(what), case, *self._shown(what), type=Lit(type_text(what.type)))
            case c.Note(texts, values):
                tellings = tuple(Tup((Lit(type_text(v.type)), build(v), *self._made_of(v))) for v in values)
                return effect("tell", S, case, Lit(texts), Tup(tellings), Lit(c.names_told(s)))
            case c.SkipPhase():
                return effect("skip", S, Lit(s.phase), Lit(s.procedure or None), FRAME, case)
            case c.RepeatPhase(phase, guard):
                again = effect("call_again", S, Lit(phase), case)
                return [If(build(guard), tuple(again), (), at)] if guard is not None else again
            case machinery.TestGuard(guard):
                return [Return(Cond(build(guard), ONE, ZERO), at)]
            case c.Do(name, asked):
                return effect("call", S, Lit(name), Tup(tuple(build(a) for a in asked)))
            case c.DoUsual():
                return effect("usual", S, FRAME)
            case machinery.BeginTogether():
                return effect("together", S, Lit(True))
            case machinery.EndTogether():
                return effect("together", S, Lit(False))
            case machinery.BeginFor(slot, source):
                return keep(slot, Lst((Star(build(source)),)))
            case machinery.BeginRepeat(slot, most):
                return keep(slot, Call(HELPERS["down"], (build(most),)))
            case machinery.BeginWalk(slot, unit, path):
                return effect("begin_walk", S, FRAME, Lit(slot), build(unit), build(path))
            case machinery.Bind(var, local):
                bound = Index(FRAME, Lit(local))
                if f"bind_{var}" in effects.kept:
                    return effect("bind", S, Lit(var), bound)
                return [Assign((Attr(S, f"bind_{var}"),), bound, at)]
            case machinery.EnterPhase():
                return self._enter(s, at)
            case machinery.ClosePhase(name):
                return effect("close_phase", S, Lit(name)) if effects.plain("end", name) is None else []
            case machinery.LeavePhase(name):
                end = effects.plain("end", name)
                if end is None:
                    return effect("leave_phase", S, Lit(name))
                return [*map(put_back, end), Do(method(Attr(S, "phases"), "pop"), at)]
            case c.Block(block):
                return [x for inner in block for x in self(inner)]
            case c.If(test, block, otherwise):
                return [If(build(test), self.nested(block), self.nested(otherwise) if otherwise else (), at)]
            case c.ForEach(var, source, block):
                over = Call(HELPERS["rounds"], (S, build(source), case))
                return [For(Index(FRAME, Lit(var)), over, self.nested(block), at)]
            case c.Repeat(most, condition, block):
                times = every("range", Call(HELPERS["down"], (build(most),)))
                over = Call(HELPERS["rounds"], (S, times, case))
                stop = (If(negated(build(condition)), (BREAK,)),) if condition is not None else ()
                return [For(Index(FRAME, Lit("@round")), over, (*stop, *self.nested(block)), at)]
            case c.Walk() | c.AskSide() | c.OfferWindow() | c.Together() | c.RunPhase():
                raise AssertionError(f"{type(s).__name__} ends a block, and is lowered")
            case _:
                assert_never(s)

    def _made_of(self, value: c.Expr) -> tuple[Expr, ...]:
        """In a book with veils, the units and the veiled marks that a value of a line is made of, if any."""
        veils = self.ctx.effects.veils
        units, marks = made_of(value, veils) if veils and not of_units(value.type) else ((), ())
        if not units and not marks:
            return ()
        owned = (Tup((Lit(column), self.build(place))) for column, place in marks)
        return Tup(tuple(map(self.build, units))), Tup(tuple(owned))

    def _shown(self, what: c.Expr) -> tuple[Expr, ...]:
        """The column and the owner of a mark that is revealed."""
        if not isinstance(what, c.MarkOf):
            return ()
        column = Lit(column_name(*what.key))
        return (column,) if what.of is None else (column, self.build(what.of))

    def nested(self, body: tuple[machinery.LowStmt, ...]) -> tuple[Stmt, ...]:
        return tuple(x for s in body for x in self(s)) or (PASS,)

    def _set(self, s: c.SetMark, at: At) -> list[Stmt]:
        """Set a mark: by plain assignment where no trigger and no memoised result depends on it."""
        owner = self.build(s.of) if s.of is not None else NONE
        value = self.build(s.value)
        if s.value.type.name == "number":
            value = exact(value)
        column = Lit(column_name(*s.key))
        told = Do(Call(HELPERS["set_mark"], (S, column, owner, value, Lit(s.case))), at)
        if not self.ctx.effects.free(s, self.low):
            return [told]
        plain = Assign((Index(method(S, "own", column), owner),), value, at)
        return [If(compare(LOG, "is", NONE), (plain,), (told,))]

    def _enter(self, s: machinery.EnterPhase, at: At) -> list[Stmt]:
        """Enter a phase: inlined where that only resets some marks."""
        name, var = s.name, s.var
        value: Expr = Attr(S, f"bind_{var}") if var is not None else NONE
        begin = self.ctx.effects.plain("start", name)
        if begin is None or (var is not None and self.ctx.effects.veils):  # what it is bound to may be veiled
            return [Do(Call(HELPERS["enter_phase"], (S, Lit(name), Lit(var), value)), at)]
        turns = Attr(S, "turn_of_phase")
        count = Op("+", method(turns, "get", Lit(name), ZERO), ONE)
        told = (("name", Lit(name)), ("var", Lit(var)), ("value", value))
        return [
            Do(method(Attr(S, "phases"), "append", Lit(name)), at),
            Assign((Index(turns, Lit(name)),), count),
            If(compare(LOG, "is not", NONE), (Do(Call(HELPERS["note"], (S, Lit("phase"), Lit("")), told)),)),
            *map(put_back, begin),
        ]


def exact(value: Expr) -> Expr:
    return Call(HELPERS["exact"], (value,))
