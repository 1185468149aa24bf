"""Build the blocks of one procedure.

In:  its statements.
Out: its blocks, in the order in which they are first reached.

A block ends wherever a side may have to decide, another procedure runs, or a trigger may step in;
between those points loops and branches stay whole and run natively.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol, assert_never

from ...core import nodes as c
from . import machinery
from .blocks import (
    Block,
    Branch,
    End,
    Goto,
    IfFailed,
    MaybeAgain,
    NextItem,
    NextRound,
    NextStep,
    Question,
    Questions,
    Stop,
    UnlessSkipped,
    Window,
    renumbered,
    ways_on,
)


class Procedures(Protocol):
    """All procedures of a book, while they are lowered."""

    def suspends(self, s: c.Stmt) -> bool: ...
    def apart(self, name: str, sort: str, s: c.Stmt, first: machinery.TestGuard) -> str: ...


class Builder:
    """Builds the blocks of one procedure; their numbers are final only once they are `resolved`."""

    def __init__(self, lowering: Procedures, name: str) -> None:
        self.lowering = lowering
        self.name = name
        self.blocks: list[tuple[list[machinery.LowStmt], End | None]] = [([], None)]
        self.at = 0
        self.slots = 0

    # ------------------------------------------------------------ blocks

    def label(self) -> int:
        self.blocks.append(([], None))
        return len(self.blocks) - 1

    def finish(self, end: End, follow: int | None = None) -> None:
        """Close the current block and go on in another."""
        stmts, old = self.blocks[self.at]
        if old is None:
            self.blocks[self.at] = (stmts, end)
        if follow is not None:
            self.at = follow

    def add(self, s: machinery.LowStmt) -> None:
        self.blocks[self.at][0].append(s)

    def slot(self, word: str) -> str:
        self.slots += 1
        return f"@{word}{self.slots}"

    def resolved(self) -> tuple[Block, ...]:
        """Drop empty blocks that only go elsewhere."""
        forward: dict[int, int] = {}
        for i, (stmts, end) in enumerate(self.blocks):
            if not stmts and isinstance(end, Goto) and not end.settles:
                forward[i] = end.to

        def final(i: int) -> int:
            seen = set()
            while i in forward and i not in seen:
                seen.add(i)
                i = forward[i]
            return i

        keep: list[int] = []
        todo = [final(0)]
        while todo:
            i = todo.pop(0)
            if i in keep:
                continue
            keep.append(i)
            todo += [final(to) for to in ways_on(self.blocks[i][1] or Stop())]
        number = {old: new for new, old in enumerate(keep)}

        def new(i: int) -> int:
            return number[final(i)]

        found = [self.blocks[i] for i in keep]
        return tuple(Block(stmts=tuple(stmts), end=renumbered(end or Stop(), new)) for stmts, end in found)

    # ------------------------------------------------------------ statements

    def run(self, body: tuple[c.Stmt, ...]) -> None:
        for s in body:
            if self.lowering.suspends(s):
                self.end_with(s)
            else:
                self.add(self._plain(s))

    def end_with(self, s: c.Stmt) -> None:
        """A statement at which a block may end."""
        match s:
            case c.SetMark() | c.Put() | c.Spend() | c.Do() | c.DoUsual() | c.Win():
                self.add(s)
                self._break()
            case c.Block():
                self.run(s.block)
            case c.If():
                self._if(s)
            case c.ForEach():
                self._for(s)
            case c.Repeat():
                self._repeat(s)
            case c.Walk():
                self._walk(s)
            case c.AskSide():
                self._ask(s)
            case c.OfferWindow():
                self._offer(s)
            case c.Together():
                self._together(s)
            case c.RunPhase():
                self._phase(s)
            case (
                c.Note() | c.Let() | c.Roll() | c.Draw() | c.Reveal() | c.Halt()
                | c.SkipPhase() | c.RepeatPhase()
            ):  # fmt: skip
                raise AssertionError(f"{type(s).__name__} ends no block")
            case _:
                assert_never(s)

    def _plain(self, s: c.Stmt) -> c.Stmt:
        """A statement that runs natively; the guard of a skipped phase becomes a procedure of its own."""
        if isinstance(s, c.SkipPhase) and s.guard is not None:
            test = machinery.TestGuard(s.guard, case=s.case, span=s.span)
            name = self.lowering.apart(f"{self.name} guard", "guard", s, test)
            return replace(s, guard=None, procedure=name)
        if isinstance(s, c.SkipPhase):
            return replace(s, procedure="")
        if s.body or s.other:
            return c.with_blocks(s, tuple(map(self._plain, s.body)), tuple(map(self._plain, s.other)))
        return s

    def _break(self) -> None:
        """Let triggers step in here."""
        after = self.label()
        self.finish(Goto(after, settles=True), after)

    def _if(self, s: c.If) -> None:
        yes, no, after = self.label(), self.label(), self.label()
        self.finish(Branch(s.test, yes, no), yes)
        self.run(s.body)
        self.finish(Goto(after), no)
        self.run(s.other)
        self.finish(Goto(after), after)

    def _for(self, s: c.ForEach) -> None:
        slot = self.slot("each")
        head, body, after = self.label(), self.label(), self.label()
        self.add(machinery.BeginFor(slot, s.source, case=s.case, span=s.span))
        self.finish(Goto(head), head)
        self.finish(NextItem(slot, s.var, body, after), body)
        self.run(s.body)
        self.finish(Goto(head), after)

    def _repeat(self, s: c.Repeat) -> None:
        slot = self.slot("times")
        head, body, after = self.label(), self.label(), self.label()
        self.add(machinery.BeginRepeat(slot, s.most, case=s.case, span=s.span))
        self.finish(Goto(head), head)
        self.finish(NextRound(slot, s.condition, body, after), body)
        self.run(s.body)
        self.finish(Goto(head), after)

    def _walk(self, s: c.Walk) -> None:
        slot = self.slot("walk")
        on, after = self.label(), self.label()
        self.add(machinery.BeginWalk(slot, s.unit, s.path, case=s.case, span=s.span))
        self.finish(Goto(on), on)
        self.finish(NextStep(slot, s.case, on, after), after)

    def _ask(self, s: c.AskSide) -> None:
        failing, after = self.label(), self.label()
        self.finish(Question(s.ask.id, after, failing if s.failing is not None else None), failing)
        self.run(s.body)
        self.finish(Goto(after), after)

    def _offer(self, s: c.OfferWindow) -> None:
        again, after = self.label(), self.label()
        self.finish(Goto(again), again)
        self.finish(Window(s.offer.id, again, after), after)

    def _together(self, s: c.Together) -> None:
        self.add(machinery.BeginTogether(case=s.case, span=s.span))
        i = 0
        while i < len(s.body):
            run = i
            while run < len(s.body) and isinstance(s.body[run], c.AskSide):
                run += 1
            if run - i > 1:
                self._questions([x for x in s.body[i:run] if isinstance(x, c.AskSide)])
                i = run
                continue
            self.run((s.body[i],))
            i += 1
        self.add(machinery.EndTogether(case=s.case, span=s.span))
        self._break()

    def _questions(self, asks: list[c.AskSide]) -> None:
        """Questions asked at the same time; those that fail are seen to one after another, when all are answered."""
        after = self.label()
        may_fail = [x for x in asks if x.failing is not None]
        self.finish(Questions(tuple(x.ask.id for x in asks), tuple(x.ask.id for x in may_fail), after), after)
        for x in may_fail:
            yes, no = self.label(), self.label()
            self.finish(IfFailed(x.ask.id, yes, no), yes)
            self.run(x.body)
            self.finish(Goto(no), no)

    def _phase(self, s: c.RunPhase) -> None:
        name, var, source, guard = s.name, s.var, s.source, s.guard
        after = self.label()
        if source is not None and var is not None:
            slot = self.slot("each")
            head, body = self.label(), self.label()
            self.add(machinery.BeginFor(slot, source, case=s.case, span=s.span))
            self.finish(Goto(head), head)
            self.finish(NextItem(slot, "@" + var, body, after), body)
            self._one_phase(s, name, var, guard, head)
        else:
            self._one_phase(s, name, None, guard, after)
        self.at = after

    def _one_phase(self, s: c.RunPhase, name: str, var: str | None, guard: c.Expr | None, out: int) -> None:
        if var is not None:
            self.add(machinery.Bind(var, "@" + var, case=s.case, span=s.span))
        enter = self.label()
        if guard is not None:
            self.finish(Branch(guard, enter, out), enter)
            begin = self.label()
            self.finish(UnlessSkipped(name, begin, out), begin)
        else:
            self.finish(UnlessSkipped(name, enter, out), enter)
            begin = enter
        self.add(machinery.EnterPhase(name, var, case=s.case, span=s.span))
        self._break()
        self.run(s.body)
        self.add(machinery.ClosePhase(name, case=s.case, span=s.span))
        self._break()
        self.add(machinery.LeavePhase(name, case=s.case, span=s.span))
        self.finish(MaybeAgain(name, begin, out))
