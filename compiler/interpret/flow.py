"""The flow of play: statements walked one by one, stopping where a side must decide.

In:  a procedure of the core and the table.
Out: a generator that runs it; it stops with questions and windows `pending` and goes on with an answer.

Nothing is lowered: a procedure that asks is a Python generator that waits. It cannot be saved or copied; whoever needs
an earlier position plays the choices again (`game.py`).
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, field
from typing import Any, assert_never

from rulewright.runtime.text import Choice

from ..core import nodes as c
from . import phases
from .actions import lacking
from .asks import said_by
from .program import answer_text
from .questions import AskSpace
from .statements import out_of_order, plain
from .table import Local, Table, told
from .values import floor

Called = tuple[c.Procedure, Local]
Answer = tuple["Pending", Choice] | tuple[None, Called]
Steps = Generator[None, Answer, None]


class Over(Exception):
    """The game is won or drawn: whatever still runs is left."""


@dataclass(slots=True, eq=False)
class Pending:
    """A question or a window that a side must answer; `draft` holds what can be taken back in a window.

    Beside each drafted action stands how much had been shown when it was begun.
    """

    node: c.Ask | c.Offer
    side: str
    local: Local
    draft: list[tuple[Choice, int]] | None = None


@dataclass(slots=True)
class Run:
    """A procedure, or what stands in for it, ready to run."""

    procedure: c.Procedure
    local: Local
    wrapper: int = -1
    inner: bool = False


@dataclass(slots=True)
class Flow:
    """Runs procedures on a table."""

    table: Table
    pending: list[Pending] = field(default_factory=list)
    doing: list[Choice | None] = field(default_factory=list)
    """What is being done in windows, innermost last; None stands for what was called out of turn."""

    # ------------------------------------------------------------ procedures

    def chosen(self, p: c.Procedure, local: Local, after: int = -1, inner: bool = False) -> Run:
        """A procedure, or the nearest of those that stand in for it and apply."""
        for i, w in enumerate(p.wrappers):
            if i > after and (w.guard is None or self.table.value(w.guard, local)):
                return Run(p, local, i, inner)
        return Run(p, local, -1, inner)

    def call(self, p: c.Procedure, local: Local) -> Steps:
        """Run a procedure, with what is announced before it and told after it."""
        yield from self.announced(self.chosen(p, local))

    def announced(self, run: Run) -> Steps:
        p = run.procedure
        name = p.name.removeprefix("action ")
        self.table.fire(("before", name), tuple(run.local.get(x.name) for x in p.params))
        yield from self.triggers()
        yield from self.perform(run)

    def perform(self, run: Run) -> Steps:
        p = run.procedure
        body = p.body if run.wrapper < 0 else p.wrappers[run.wrapper].body
        yield from self.block(body, run.local, run)
        if p.sort in ("action", "procedure", "sequence") and not run.inner:
            name = p.name.removeprefix("action ")
            self.table.fire(("happens", name), tuple(run.local.get(x.name) for x in p.params))
            yield from self.triggers()

    def triggers(self) -> Steps:
        """Run what was set off, each to its end, and what that sets off."""
        while self.table.queue and not self.table.together:
            runs = [self.chosen(x.procedure, x.local) for x in self.table.due()]
            for run in runs:
                yield from self.perform(run)
                yield from self.triggers()

    # ------------------------------------------------------------ statements

    def block(self, body: tuple[c.Stmt, ...], L: Local, run: Run) -> Steps:
        for s in body:
            with said_by(s.case):
                yield from self.statement(s, L, run)
            if self.table.queue and not self.table.together:
                yield from self.triggers()

    def statement(self, s: c.Stmt, L: Local, run: Run) -> Steps:
        match s:
            case c.Note() | c.Let() | c.SetMark() | c.Put() | c.Roll() | c.Draw() | c.Spend() | c.Halt() | c.Reveal():
                plain(self.table, s, L)
            case c.SkipPhase() | c.RepeatPhase():
                out_of_order(self.table, s, L)
            case c.Win(side=side):
                self.table.S.winner, self.table.S.over = self.table.value(side, L), True
                self.table.note("win", s.case, side=self.table.S.winner)
                raise Over
            case c.Block(block=block):
                yield from self.block(block, L, run)
            case c.If(test=test, block=block, otherwise=otherwise):
                yield from self.block(block if self.table.value(test, L) else otherwise, L, run)
            case c.ForEach(var=var, source=source, block=block):
                for member in tuple(self.table.value(source, L)):
                    L[var] = member
                    yield from self.block(block, L, run)
            case c.Repeat(most=most, condition=condition, block=block):
                for _ in range(floor(self.table.value(most, L))):
                    if condition is not None and not self.table.value(condition, L):
                        break
                    yield from self.block(block, L, run)
            case c.Do(name=name, given=given):
                p = self.table.book.procedures[name]
                args = [self.table.value(a, L) for a in given]
                yield from self.call(p, dict(zip((x.name for x in p.params), args, strict=True)))
            case c.DoUsual():
                yield from self.usual(run)
            case c.Walk():
                yield from self.walk(s, L)
            case c.Together():
                yield from self.at_once(s, L, run)
            case c.AskSide():
                yield from self.ask([s], L, run)
            case c.OfferWindow(offer=offer):
                yield from self.window(offer, L)
            case c.RunPhase():
                yield from self.phase(s, L, run)
            case _:
                assert_never(s)

    def usual(self, run: Run) -> Steps:
        """`do usual`: what would have run without this wrapper."""
        p = run.procedure
        known = [x.name for x in p.params] + (["actor"] if p.sort == "action" else [])
        yield from self.perform(self.chosen(p, {k: run.local.get(k) for k in known}, run.wrapper, inner=True))

    def walk(self, s: c.Walk, L: Local) -> Steps:
        """A walk settles place by place; triggers run before the next step, and `halt` ends it."""
        table, S = self.table, self.table.S
        unit, path = self.table.value(s.unit, L), self.table.value(s.path, L)
        rest = list(path or ())[1:]
        at = S.at[unit]
        if unit in S.halted:
            S.halted.remove(unit)
        while rest and unit not in S.halted and S.at[unit] is not None and S.at[unit] == at:
            here, at = S.at[unit], rest.pop(0)
            table.put(unit, at, s.case)
            if here is not None:
                table.fire(("happens", "cross"), (unit, (min(here, at), max(here, at)), here))
            if rest:
                yield from self.triggers()
        table.fire(("happens", "halted"), (unit, S.at[unit]))

    def at_once(self, s: c.Together, L: Local, run: Run) -> Steps:
        """`together`: nothing settles until its end; questions side by side are asked at the same time."""
        self.table.together += 1
        asks: list[c.AskSide] = []
        for x in s.block:
            if isinstance(x, c.AskSide):
                asks.append(x)
                continue
            yield from self.ask(asks, L, run)
            asks = []
            yield from self.statement(x, L, run)
        yield from self.ask(asks, L, run)
        self.table.together -= 1
        self.table.settle()

    def phase(self, s: c.RunPhase, L: Local, run: Run) -> Steps:
        """A phase, once or for each member of a set."""
        table, name, var = self.table, s.name, s.var
        for value in tuple(self.table.value(s.source, L)) if s.source is not None else (None,):
            if var is not None:
                table.bind(var, value)
            if s.guard is not None and not self.table.value(s.guard, L):
                yield from self.triggers()
                continue
            left_out = self.skipped(name)
            yield from self.triggers()
            again = not left_out
            while again:
                phases.enter(table, name, var)
                yield from self.triggers()
                yield from self.block(s.block, L, run)
                phases.close(table, name)
                yield from self.triggers()
                phases.leave(table, name)
                again = name in table.S.agains
                if again:
                    table.S.agains.remove(name)
                yield from self.triggers()

    def skipped(self, name: str) -> bool:
        """Whether a rule has taken this phase out; each such rule counts once."""
        for skip in self.table.skips:
            if skip.phase == name and (skip.guard is None or self.table.value(skip.guard, skip.local)):
                self.table.skips.remove(skip)
                self.table.note("skip", skip.case, name=name)
                return True
        return False

    # ------------------------------------------------------------ decisions

    def ask(self, asks: list[c.AskSide], L: Local, run: Run) -> Steps:
        """Questions asked at the same time; where there is nothing to choose, what the book says about failing."""
        waiting: list[Pending] = []
        failed: list[c.AskSide] = []
        for s in asks:
            ask = s.ask
            side = self.table.value(ask.side, L)
            space = AskSpace(self.table.ev, self.table.W, ask, L) if side is not None else None
            if side is None or space is None:
                L[ask.name] = None
                failed.append(s)
            elif space.possible():
                waiting.append(Pending(ask, side, L))
            else:
                L[ask.name] = nothing(ask)
                if not space.settled():
                    failed.append(s)
        gone = yield from self.answered(waiting)
        for s in asks:
            if s in failed or any(x.node is s.ask for x in gone):
                yield from self.block(s.failing or (), L, run)

    def answered(self, waiting: list[Pending]) -> Generator[None, Answer, list[Pending]]:
        """Wait until all questions are answered; gives those that an interruption left without an answer."""
        gone: list[Pending] = []
        while waiting:
            answer = yield from self.decided(waiting)
            if answer is None:
                lost = [x for x in waiting if not self.space(x).possible()]
                for x in lost:
                    assert isinstance(x.node, c.Ask)
                    x.local[x.node.name] = nothing(x.node)
                gone += lost
                waiting = [x for x in waiting if x not in lost]
                continue
            item, choice = answer
            waiting = [x for x in waiting if x is not item]
            ask = item.node
            assert isinstance(ask, c.Ask)
            value = self.space(item).canonical(choice.args[0][1])
            item.local[ask.name] = value
            kind = answer_text(self.table.book, ask)
            kept = told(self.table.value_kept(kind, value))
            self.table.note(
                "answer", ask.case, name=ask.name, side=item.side, value=value, secret=ask.secret, type=kind, **kept
            )
        return gone

    def space(self, item: Pending) -> AskSpace:
        assert isinstance(item.node, c.Ask)
        return AskSpace(self.table.ev, self.table.W, item.node, item.local)

    def decided(self, waiting: list[Pending]) -> Generator[None, Answer, tuple[Pending, Choice] | None]:
        """Stop until somebody decides; what is called out of turn is carried out at once, and gives None."""
        self.pending = waiting
        answer = yield
        self.pending = []
        if answer[0] is not None:
            return answer
        yield from self.done_as(None, answer[1])
        return None

    def done_as(self, choice: Choice | None, called: Called) -> Steps:
        """Carry something out; whatever is decided meanwhile is part of it."""
        self.doing.append(choice)
        yield from self.call(*called)
        self.doing.pop()

    def called(self, choice: Choice) -> Called:
        """What an action does."""
        return self.table.book.actions[choice.name].procedure, {**dict(choice.args), "actor": choice.side}

    def window(self, offer: c.Offer, L: Local) -> Steps:
        """A side may act, again and again, until it is done."""
        draft: list[tuple[Choice, int]] | None = [] if offer.sort == "draft" else None
        while (side := self.table.value(offer.side, L)) is not None:
            answer = None
            while answer is None:
                answer = yield from self.decided([Pending(offer, side, L, draft)])
            choice = answer[1]
            if choice.name == "done":
                yield from self.failing()
                break
            if draft is not None:
                draft.append((choice, self.table.S.revealed))
            yield from self.done_as(choice, self.called(choice))
            if offer.sort == "once":
                break

    def failing(self) -> Steps:
        """What the book says of duties that were not done, for each who lacks in one."""
        runs = []
        for duty, lack in lacking(self.table, failing=True):
            assert duty.failing is not None
            for member in lack:
                runs.append(self.chosen(duty.failing, {duty.var: member[0]} if duty.var is not None else {}))
        for run in runs:
            yield from self.announced(run)
            yield from self.triggers()


def nothing(ask: c.Ask) -> Any:
    """The answer where there is nothing to choose."""
    return () if ask.sort in ("some", "order", "shares") else None
