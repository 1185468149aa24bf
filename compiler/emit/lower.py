"""Lower procedures to resumable steps.

In:  a procedure as nested statements.
Out: a flat list of blocks: plain statements, then how to go on (`goto`, `branch`, `loop`, `ask`, …).

A block ends wherever a side may have to decide, another procedure runs, or a trigger may step in;
between those points loops and branches stay whole and run natively.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import Any, assert_never

from ..analyse.dependencies import Depends, column_name
from ..cache.incremental import Memory
from ..core import nodes as c
from ..core.walk import waiver_exprs
from .lowered import (
    BeginFor,
    BeginRepeat,
    BeginTogether,
    BeginWalk,
    Bind,
    ClosePhase,
    Due,
    EndTogether,
    EnterPhase,
    LeavePhase,
    LowStmt,
    TestGuard,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """Statements to run in order, and how to go on: a word with its operands (block numbers, expressions, slots)."""

    stmts: tuple[LowStmt, ...]
    end: tuple[Any, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Lowered:
    name: str
    case: str
    sort: str
    params: tuple[c.Param, ...]
    blocks: tuple[Block, ...]
    wrappers: tuple[tuple[str, c.Expr | None], ...] = ()
    span: Any = None


def lower(book: c.Book, depends: Depends, memory: Memory | None = None) -> dict[str, Lowered]:
    """Every procedure, action, trigger, wrapper, failing block, scheduled effect and guard of the book."""
    lowering = Lowering(book, depends)
    room = (memory or Memory()).room("lower", lowering.risky)
    found = [(p.name, p) for p in book.procedures.values()]
    found += [("action " + a.name, a.procedure) for a in book.actions.values()]
    found += [(t.procedure.name, t.procedure) for t in book.triggers]
    found += [(d.failing.name, d.failing) for d in book.duties.values() if d.failing is not None]
    for name, p in found:
        # Effects and guards on the way are numbered by what came before.
        parts = (name, p, len(lowering.done))
        lowering.done.update(room.work(parts, partial(lowering.of, p if name == p.name else replace(p, name=name))))
    return lowering.done


class Lowering:
    def __init__(self, book: c.Book, depends: Depends) -> None:
        self.book = book
        self.done: dict[str, Lowered] = {}
        self.before = 0
        self.risky = risky_columns(book, depends)

    # ------------------------------------------------------------ entry

    def of(self, p: c.Procedure) -> dict[str, Lowered]:
        """A procedure with all that it brings along."""
        outer, self.done = self.done, {}
        self.before = len(outer)
        try:
            self.procedure(p)
            return self.done
        finally:
            self.done, self.before = outer, 0

    def procedure(self, p: c.Procedure) -> None:
        wrappers = []
        for i, w in enumerate(p.wrappers):
            name = f"{p.name} instead {i + 1}"
            wrappers.append((name, w.guard))
            self._store(name, w.case, "wrapper", p.params, w.body, w.span)
        sort = p.sort
        self._store(p.name, p.case, sort, p.params, p.body, p.span, tuple(wrappers))

    def _store(
        self,
        name: str,
        case: str,
        sort: str,
        params: tuple[c.Param, ...],
        body: tuple[c.Stmt, ...],
        span: Any,
        wrappers: tuple[tuple[str, c.Expr | None], ...] = (),
        guard: c.Expr | None = None,
        first: tuple[Due | TestGuard, ...] = (),
    ) -> None:
        builder = Builder(self, name)
        for s in first:
            builder.add(s)
        builder.run(body)
        builder.finish(("end",))
        blocks = builder.resolved()
        self.done[name] = Lowered(
            name=name, case=case, sort=sort, params=params, blocks=blocks, wrappers=wrappers, span=span
        )

    def number(self) -> int:
        return self.before + len(self.done) + 1

    # ------------------------------------------------------------ what ends a block

    def suspends(self, s: c.Stmt) -> bool:
        """Whether a statement ends a block: a side may have to decide, or something else may step in."""
        match s:
            case (
                c.Do() | c.DoUsual() | c.Win() | c.AskSide() | c.OfferWindow() | c.RunPhase() | c.Walk() | c.Together()
            ):
                return True
            case c.SetMark():
                return column_name(*s.key) in self.risky
            case c.Put():
                return "at" in self.risky
            case c.Spend():
                return f"spent_{s.quota}" in self.risky
            case c.Schedule():
                return False
            case c.If() | c.ForEach() | c.Repeat() | c.Block():
                return any(self.suspends(x) for x in (*s.body, *s.other))
            case c.Note() | c.Let() | c.Roll() | c.Draw() | c.Reveal() | c.Halt() | c.SkipPhase() | c.RepeatPhase():
                return False
            case _:
                assert_never(s)


def risky_columns(book: c.Book, depends: Depends) -> set[str]:
    """Columns whose change may set off a trigger."""
    risky: set[str] = set()
    changes = {t.event[1] for t in book.triggers if t.event[0] == "change"}
    for t in book.triggers:
        if t.event[0] == "soon" and t.guard is not None:
            risky |= depends.of([t.guard, *(x for w in t.waivers for x in waiver_exprs(w))])
        if t.event in (("happens", "enter"), ("happens", "leave")):
            risky.add("at")
    for name in changes:
        risky |= depends.named("define", name)
    before = 0
    while len(risky) > before:
        before = len(risky)
        for name, m in book.memories.items():
            if m.how in ("always", "ever") and f"past_{name}" in risky:
                risky |= depends.named("define", name)
        for mark in book.marks.values():
            if mark.until_test is not None and column_name(mark.owner.name, mark.name) in risky:
                risky |= depends.of([mark.until_test])
    return risky


class Builder:
    """Builds the blocks of one procedure; block numbers are labels until `resolved`."""

    def __init__(self, lowering: Lowering, name: str) -> None:
        self.lowering = lowering
        self.name = name
        self.blocks: list[tuple[list[LowStmt], tuple[Any, ...] | None]] = [([], None)]
        self.at = 0
        self.slots = 0

    # ------------------------------------------------------------ blocks

    def label(self) -> int:
        self.blocks.append(([], None))
        return len(self.blocks) - 1

    def finish(self, end: tuple[Any, ...], follow: int | None = None) -> None:
        """Close the current block and go on in another."""
        stmts, old = self.blocks[self.at]
        if old is None:
            self.blocks[self.at] = (stmts, end)
        if follow is not None:
            self.at = follow

    def add(self, s: LowStmt) -> None:
        self.blocks[self.at][0].append(s)

    def slot(self, word: str) -> str:
        self.slots += 1
        return f"@{word}{self.slots}"

    def resolved(self) -> tuple[Block, ...]:
        """Drop empty blocks that only go elsewhere."""
        forward: dict[int, int] = {}
        for i, (stmts, end) in enumerate(self.blocks):
            if not stmts and end is not None and end[0] == "goto":
                forward[i] = end[1].to

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
            end = self.blocks[i][1] or ("end",)
            todo += [final(x.to) for x in end if isinstance(x, Label)]
        number = {old: new for new, old in enumerate(keep)}
        found = []
        for i in keep:
            stmts, end = self.blocks[i]
            end = end or ("end",)
            found.append(
                Block(
                    stmts=tuple(stmts),
                    end=tuple(number[final(x.to)] if isinstance(x, Label) else x for x in end),
                )
            )
        return tuple(found)

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
                | c.SkipPhase() | c.RepeatPhase() | c.Schedule()
            ):  # fmt: skip
                raise AssertionError(f"{type(s).__name__} ends no block")
            case _:
                assert_never(s)

    def _plain(self, s: c.Stmt) -> c.Stmt:
        """A statement that runs natively; guards and scheduled bodies become procedures of their own."""
        if isinstance(s, c.Schedule):
            name = f"{self.name} later {self.lowering.number()}"
            due = Due(s.guard, case=s.case, span=s.span)
            self.lowering._store(name, s.case, "scheduled", (), s.body, s.span, first=(due,))
            return replace(s, guard=None, block=(), procedure=name)
        if isinstance(s, c.SkipPhase) and s.guard is not None:
            name = f"{self.name} guard {self.lowering.number()}"
            test = TestGuard(s.guard, case=s.case, span=s.span)
            self.lowering._store(name, s.case, "guard", (), (), s.span, first=(test,))
            return replace(s, guard=None, procedure=name)
        if isinstance(s, c.SkipPhase):
            return replace(s, procedure="")
        if s.body or s.other:
            return c.with_blocks(s, tuple(map(self._plain, s.body)), tuple(map(self._plain, s.other)))
        return s

    def _break(self) -> None:
        """Let triggers step in here."""
        after = self.label()
        self.finish(("goto_now", Label(after)), after)

    def _if(self, s: c.If) -> None:
        yes, no, after = self.label(), self.label(), self.label()
        self.finish(("branch", s.test, Label(yes), Label(no)), yes)
        self.run(s.body)
        self.finish(("goto", Label(after)), no)
        self.run(s.other)
        self.finish(("goto", Label(after)), after)

    def _for(self, s: c.ForEach) -> None:
        slot = self.slot("each")
        head, body, after = self.label(), self.label(), self.label()
        self.add(BeginFor(slot, s.source, case=s.case, span=s.span))
        self.finish(("goto", Label(head)), head)
        self.finish(("next", slot, s.var, Label(body), Label(after)), body)
        self.run(s.body)
        self.finish(("goto", Label(head)), after)

    def _repeat(self, s: c.Repeat) -> None:
        slot = self.slot("times")
        head, body, after = self.label(), self.label(), self.label()
        self.add(BeginRepeat(slot, s.most, case=s.case, span=s.span))
        self.finish(("goto", Label(head)), head)
        self.finish(("times", slot, s.condition, Label(body), Label(after)), body)
        self.run(s.body)
        self.finish(("goto", Label(head)), after)

    def _walk(self, s: c.Walk) -> None:
        slot = self.slot("walk")
        on, after = self.label(), self.label()
        self.add(BeginWalk(slot, s.unit, s.path, case=s.case, span=s.span))
        self.finish(("goto", Label(on)), on)
        self.finish(("walk", slot, s.case, Label(on), Label(after)), after)

    def _ask(self, s: c.AskSide) -> None:
        failing, after = self.label(), self.label()
        self.finish(("ask", s.ask.id, Label(after), Label(failing), s.failing is not None), failing)
        self.run(s.body)
        self.finish(("goto", Label(after)), after)

    def _offer(self, s: c.OfferWindow) -> None:
        again, after = self.label(), self.label()
        self.finish(("goto", Label(again)), again)
        self.finish(("offer", s.offer.id, Label(again), Label(after)), after)

    def _together(self, s: c.Together) -> None:
        self.add(BeginTogether(case=s.case, span=s.span))
        i = 0
        while i < len(s.body):
            run = i
            while run < len(s.body) and isinstance(s.body[run], c.AskSide):
                run += 1
            if run - i > 1:
                after = self.label()
                asks = tuple(x.ask.id for x in s.body[i:run] if isinstance(x, c.AskSide))
                self.finish(("ask_all", asks, Label(after)), after)
                i = run
                continue
            self.run((s.body[i],))
            i += 1
        self.add(EndTogether(case=s.case, span=s.span))
        self._break()

    def _phase(self, s: c.RunPhase) -> None:
        name, var, source, guard = s.name, s.var, s.source, s.guard
        after = self.label()
        if source is not None and var is not None:
            slot = self.slot("each")
            head, body = self.label(), self.label()
            self.add(BeginFor(slot, source, case=s.case, span=s.span))
            self.finish(("goto", Label(head)), head)
            self.finish(("next", slot, "@" + var, Label(body), Label(after)), body)
            self._one_phase(s, name, var, guard, head)
        else:
            self._one_phase(s, name, None, guard, after)
        self.at = after

    def _one_phase(self, s: c.RunPhase, name: str, var: str | None, guard: c.Expr | None, out: int) -> None:
        if var is not None:
            self.add(Bind(var, "@" + var, case=s.case, span=s.span))
        enter = self.label()
        if guard is not None:
            self.finish(("branch", guard, Label(enter), Label(out)), enter)
            begin = self.label()
            self.finish(("unless_skipped", name, Label(begin), Label(out)), begin)
        else:
            self.finish(("unless_skipped", name, Label(enter), Label(out)), enter)
            begin = enter
        self.add(EnterPhase(name, var, case=s.case, span=s.span))
        self._break()
        self.run(s.body)
        self.add(ClosePhase(name, case=s.case, span=s.span))
        self._break()
        self.add(LeavePhase(name, case=s.case, span=s.span))
        self.finish(("again", name, Label(begin), Label(out)))


@dataclass(frozen=True, slots=True)
class Label:
    """A block that is still known by its first number."""

    to: int
