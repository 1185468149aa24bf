"""Build procedures: one function for each block that the machine may begin with.

In:  a lowered procedure, and the effects that fire triggers.
Out: functions of the generated package. Each runs its block and falls through into the blocks after it, as long as
     nothing can interrupt: no decision, no other procedure, no trigger, no end of the game. Fall-through blocks get
     no function of their own.
"""

from __future__ import annotations

import re
from typing import assert_never

from ...core.texts import type_text
from ..context import Context
from ..lowering.blocks import (
    Block,
    Branch,
    End,
    Goto,
    IfFailed,
    Lowered,
    MaybeAgain,
    NextItem,
    NextRound,
    NextStep,
    Question,
    Questions,
    Stop,
    UnlessSkipped,
    Window,
)
from ..lowering.machinery import BeginWalk
from ..model.expressions import ONE, TRUE, ZERO, At, Attr, Call, Cond, Expr, Index, Lit, Neg, Op, Ref, S, Tup, all_of
from ..model.statements import Assign, Do, Hint, If, Param, Return, Stmt
from ..naming import HELPERS, STATE, chapter_of
from .statements import FRAME, Statements

MOST = 32
"""Blocks that one function may run through; what comes after is left to the machine."""

OUT_OF_ORDER = UnlessSkipped | MaybeAgain
SELDOM = UnlessSkipped | MaybeAgain | Window | NextStep
"""How a block ends where the way straight on is the second."""

Fork = Goto | Branch | IfFailed | NextItem | NextRound | NextStep | Window | UnlessSkipped | MaybeAgain
"""Ends that may go straight on into another block."""


class Steps:
    """The functions of one procedure."""

    def __init__(self, ctx: Context, low: Lowered) -> None:
        self.ctx = ctx
        self.low = low
        self.base = ctx.unique("procedure_" + re.sub(r"\W+", "_", low.name.removeprefix("action ")).strip("_"))
        ctx.names.add(self.base)
        ctx.made.add(self.base)
        self.statements = Statements(ctx, low)
        self.build = self.statements.build
        self.todo = {0: MOST}
        self.names: list[Ref | None] = [None] * len(low.blocks)
        self.straight = True

    def functions(self) -> None:
        """Build them; `names` then holds for each block its function, or None.

        A block that is begun with only where a phase is skipped or comes again goes nowhere by itself.
        """
        ctx, low = self.ctx, self.low
        params = (Param("S", STATE), Param("L", ctx.naming.alias("Frame")))
        while self.todo:
            i = max(self.todo, key=lambda i: (self.todo[i], -i))
            self.room = self.todo.pop(i)
            doc = f"{ctx.title(low.case)}: {low.name}, step {i}."
            f = ctx.function(chapter_of(low.case), f"{self.base}_{i}", params, Hint("int"), doc)
            f.types = tuple((x.name, type_text(x.type)) for x in low.params)
            self.names[i] = f.ref
            self.straight = self.straight and i == 0
            f.body += self.run(i, (i,), self.room)[0]

    def run(self, i: int, trail: tuple[int, ...], room: int) -> tuple[list[Stmt], int]:
        """One block and what it goes straight on into, up to so many; returns how many they were.

        Every way through ends in a return.
        """
        block = self.low.blocks[i]
        body: list[Stmt] = []
        self.straight = self.straight and self.goes_on(block)
        for s in block.stmts:
            if isinstance(s, BeginWalk) and isinstance(block.end, Goto) and self.ctx.effects.walks:
                rest, used = self.walk(s, block.end.to, trail, room)
                return [*body, *rest], used
            body += self.statements(s)
        end = block.end
        if isinstance(end, Stop | Question | Questions):
            self.straight = self.straight and isinstance(end, Stop)
            return [*body, *self.leave(self.last(end), trail)], 1
        test, yes, no = self.fork(end)
        if not self.goes_on(block):
            to: Expr = Lit(self.entry(no))
            if test is not None:
                to = Cond(test, Lit(self.entry(yes)), to)
            return [*body, *self.leave(to, trail)], 1
        used = 1
        if test is not None:
            if isinstance(end, SELDOM):
                inner = self.leave(Lit(self.entry(yes, isinstance(end, OUT_OF_ORDER))), trail)
            else:
                inner, more = self.go(yes, trail, (room - used) // 2)
                used += more
            body.append(If(test, tuple(inner), (), self.at(end)))
        rest, more = self.go(no, trail, room - used)
        return [*body, *rest], used + more

    def walk(self, s: BeginWalk, at: int, trail: tuple[int, ...], room: int) -> tuple[list[Stmt], int]:
        """A walk of one piece, and what comes after it."""
        step = Call(HELPERS["walk"], (S, self.build(s.unit), self.build(s.path), Lit(s.case)))
        last = self.low.blocks[at].end
        assert isinstance(last, NextStep), "a walk goes on step by step"
        rest, used = self.go(last.after, (*trail, at), room - 2)
        return [Do(step, At(s.case, s.span, f"{s.case} {self.low.name}")), *rest], 2 + used

    def goes_on(self, block: Block) -> bool:
        """Whether nothing can step in between a block and the next."""
        effects = self.ctx.effects
        return all(map(effects.still, block.stmts)) and (not isinstance(block.end, NextStep) or effects.walks)

    def go(self, to: int, trail: tuple[int, ...], room: int) -> tuple[list[Stmt], int]:
        """Go on in a block: straight, or by way of the machine."""
        if to in trail or room < 1:
            return self.leave(Lit(self.entry(to)), trail), 0
        return self.run(to, (*trail, to), room)

    def leave(self, following: Expr, trail: tuple[int, ...]) -> list[Stmt]:
        """Give the machine the number of the next block; each block on the way counts as a step."""
        body: list[Stmt] = []
        if len(trail) > 1:
            body.append(Assign((Attr(S, "steps"),), Op("+", Attr(S, "steps"), Lit(len(trail) - 1))))
        return [*body, Return(following, self.at(self.low.blocks[trail[-1]].end))]

    def entry(self, i: int, seldom: bool = False) -> int:
        """A block that the machine may be told to go on with."""
        if self.names[i] is None:
            self.todo[i] = max(self.todo.get(i, 1), 1 if seldom else self.room)
        return i

    # ------------------------------------------------------------ how a block ends

    def last(self, end: Stop | Question | Questions) -> Expr:
        """The next block, as the machine is told it: after questions, or none at all."""

        def ask(index: int, *more: Expr) -> Expr:
            return Call(HELPERS["ask"], (S, Lit(index), FRAME, *more))

        match end:
            case Stop():
                return Neg(ONE)
            case Question(index, after, failing) if failing is None:
                return Index(Tup((Lit(self.entry(after)), ask(index))), ZERO)
            case Question(index, after, failing):
                assert failing is not None
                entry = Lit(self.entry(after))
                return Cond(ask(index, Lit(self.entry(failing))), entry, Lit(failing))
            case Questions(indices, may_fail, after):
                asked = (ask(i, HELPERS["WITH_OTHERS"]) if i in may_fail else ask(i) for i in indices)
                return Index(Tup((Lit(self.entry(after)), *asked)), ZERO)
            case _:
                assert_never(end)

    def fork(self, end: Fork) -> tuple[Expr | None, int, int]:
        """A test with the blocks to go on with where it holds and where not; without a test there is but the second."""
        match end:
            case Goto(to):
                return None, to, to
            case Branch(test, yes, no):
                return self.build(test), yes, no
            case IfFailed(index, yes, no):
                return Call(HELPERS["failed"], (FRAME, Lit(index))), yes, no
            case NextItem(slot, var, body, after):
                return Call(HELPERS["next_item"], (FRAME, Lit(slot), Lit(var))), body, after
            case NextRound(slot, condition, body, after):
                go = self.build(condition) if condition is not None else TRUE
                return Call(HELPERS["count_down"], (FRAME, Lit(slot), go)), body, after
            case NextStep(slot, case, on, after):
                return Call(HELPERS["walk_on"], (S, FRAME, Lit(slot), Lit(case))), on, after
            case Window(index, again, after):
                return Call(HELPERS["window"], (S, Lit(index), FRAME)), again, after
            case UnlessSkipped(name, begin, out):
                return all_of(Attr(S, "skips"), Call(HELPERS["skipped"], (S, Lit(name)))), out, begin
            case MaybeAgain(name, begin, out):
                return all_of(Attr(S, "agains"), Call(HELPERS["again"], (S, Lit(name)))), begin, out
            case _:
                assert_never(end)

    def at(self, end: End) -> At | None:
        """What the end of a block comes from, where it is something that an author wrote."""
        case, name = self.low.case, self.low.name
        match end:
            case Branch(test):
                return At(case, test.span, f"{case} {name} branch")
            case Question(index) | IfFailed(index):
                return At(case, self.ctx.book.asks[index].span, f"ask {index}")
            case Window(index):
                return At(case, self.ctx.book.offers[index].span, f"offer {index}")
            case Stop() | Goto() | NextItem() | NextRound() | NextStep() | Questions() | UnlessSkipped() | MaybeAgain():
                return None
            case _:
                assert_never(end)
