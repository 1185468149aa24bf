"""Build statements: what a procedure does, one effect after another.

In:  a statement of a lowered procedure.
Out: statements of the function of its block; steps.py says which blocks have one.
"""

from __future__ import annotations

from ...analyse.dependencies import column_name
from ..context import Context
from ..expressions import Expressions
from ..lower import Lowered
from ..lowered import LowStmt
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
    Neg,
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
from ..text import member_text, type_text
from .stirs import put_back

FRAME = Name("L")
LOG = Attr(S, "log")


class Statements:
    """The statements of one procedure."""

    def __init__(self, ctx: Context, low: Lowered) -> None:
        self.ctx = ctx
        self.low = low
        self.build = Expressions(ctx, frame=True)

    def __call__(self, s: LowStmt) -> list[Stmt]:
        at = At(s.case, s.span, f"{s.case} {self.low.name}")
        build, stirs = self.build, self.ctx.stirs
        case = Lit(s.case)

        def effect(name: str, *args: Expr, **named: Expr) -> list[Stmt]:
            return [Do(Call(HELPERS[name], args, tuple(named.items())), at)]

        def keep(value: Expr, word: object = None) -> list[Stmt]:
            return [Assign((Index(FRAME, Lit(s.info if word is None else word)),), value, at)]

        match s.op:
            case "let":
                value = build(s.args[0])
                return keep(exact(value) if s.args[0].type.name == "number" else value)
            case "set":
                return self._set(s, at)
            case "put":
                return effect("put", S, build(s.args[0]), build(s.args[1]), case)
            case "roll":
                dice = s.args[0]
                if dice.op == "const":
                    count, sides = dice.info
                    return keep(Call(HELPERS["roll"], (S, Lit(count), Lit(sides), case)))
                return keep(Call(HELPERS["roll"], (S, Star(build(dice)), case)))
            case "draw":
                given: tuple[Expr, ...] = (S, build(s.args[0]), case)
                if len(s.args) > 1:
                    given = (*given, build(s.args[1]), FRAME, Lit(s.info))
                return keep(Call(HELPERS["draw"], given, (("type", Lit(member_text(s.args[0]))),)))
            case "spend":
                return effect("spend", S, Lit(s.info), build.key(s.args[1:]), exact(build(s.args[0])), case)
            case "win":
                return effect("win", S, build(s.args[0]), case)
            case "halt":
                return effect("halt", S, build(s.args[0]))
            case "reveal":
                mark: tuple[Expr, ...] = ()
                if s.args[0].op == "mark":
                    of = s.args[0].args
                    mark = (Lit(column_name(of[0].type.plain.name if of else "game", str(s.args[0].info))),)
                    mark += (build(of[0]),) if of else ()
                return effect("reveal", S, build(s.args[0]), case, *mark, type=Lit(type_text(s.args[0].type)))
            case "note":
                return effect("note", S, Lit("note"), case, text=Lit(s.info))
            case "skip":
                phase, guard = s.info
                return effect("skip", S, Lit(phase), Lit(guard), FRAME, case)
            case "again":
                again = effect("call_again", S, Lit(s.info), case)
                return [If(build(s.args[0]), tuple(again), (), at)] if s.args else again
            case "schedule":
                phase, name, kept = s.info
                return effect("schedule", S, Lit(phase), Lit(name), FRAME, Lit(kept), case)
            case "due":
                first: list[Stmt] = []
                if s.args:
                    first = [If(negated(build(s.args[0])), (Return(Neg(ONE)),), (), at)]
                return [*first, *effect("due", S, FRAME)]
            case "test":
                return [Return(Cond(build(s.args[0]), ONE, ZERO), at)]
            case "do":
                return effect("call", S, Lit(s.info), Tup(tuple(build(a) for a in s.args)))
            case "usual":
                return effect("usual", S, FRAME)
            case "together":
                return effect("together", S, Lit(bool(s.info)))
            case "begin_for":
                return keep(Lst((Star(build(s.args[0])),)))
            case "begin_repeat":
                return keep(Call(HELPERS["down"], (build(s.args[0]),)))
            case "begin_walk":
                return effect("begin_walk", S, FRAME, Lit(s.info), build(s.args[0]), build(s.args[1]))
            case "bind":
                var, local = s.info
                value = Index(FRAME, Lit(local))
                if f"bind_{var}" in stirs.kept:
                    return effect("bind", S, Lit(var), value)
                return [Assign((Attr(S, f"bind_{var}"),), value, at)]
            case "enter_phase":
                return self._enter(s, at)
            case "close_phase":
                return effect("close_phase", S, Lit(s.info)) if stirs.plain("end", s.info) is None else []
            case "leave_phase":
                end = stirs.plain("end", s.info)
                if end is None:
                    return effect("leave_phase", S, Lit(s.info))
                return [*map(put_back, end), Do(method(Attr(S, "phases"), "pop"), at)]
            case "seq":
                return [x for inner in s.body for x in self(inner)]
            case "if":
                return [If(build(s.args[0]), self.nested(s.body), self.nested(s.other) if s.other else (), at)]
            case "for":
                over = Call(HELPERS["rounds"], (S, build(s.args[0]), case))
                return [For(Index(FRAME, Lit(s.info)), over, self.nested(s.body), at)]
            case "repeat":
                times = every("range", Call(HELPERS["down"], (build(s.args[0]),)))
                over = Call(HELPERS["rounds"], (S, times, case))
                stop: tuple[Stmt, ...] = ()
                if len(s.args) > 1:
                    stop = (If(negated(build(s.args[1])), (BREAK,)),)
                return [For(Index(FRAME, Lit("@round")), over, (*stop, *self.nested(s.body)), at)]
            case _:
                raise ValueError(f"no Python for the statement {s.op}")

    def nested(self, body: tuple[LowStmt, ...]) -> tuple[Stmt, ...]:
        return tuple(x for s in body for x in self(s)) or (PASS,)

    def _set(self, s: LowStmt, at: At) -> list[Stmt]:
        """Give a mark a value: in place where nobody else has to hear of it."""
        owner = self.build(s.args[1]) if len(s.args) > 1 else NONE
        value = self.build(s.args[0])
        if s.args[0].type.name == "number":
            value = exact(value)
        column = Lit(column_name(*s.info))
        told = Do(Call(HELPERS["set_mark"], (S, column, owner, value, Lit(s.case))), at)
        if not self.ctx.stirs.free(s, self.low):
            return [told]
        plain = Assign((Index(method(S, "own", column), owner),), value, at)
        return [If(compare(LOG, "is", NONE), (plain,), (told,))]

    def _enter(self, s: LowStmt, at: At) -> list[Stmt]:
        """Enter a phase: in place where no more comes of it than to put some marks back."""
        name, var = s.info
        value: Expr = Attr(S, f"bind_{var}") if var is not None else NONE
        begin = self.ctx.stirs.plain("start", name)
        if begin is None:
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
