"""Lower procedures to resumable steps.

In:  a procedure as nested statements.
Out: a flat list of blocks: plain statements, then how to go on (`goto`, `branch`, `loop`, `ask`, …).

A block ends wherever a side may have to decide, another procedure runs, or a trigger may step in;
between those points loops and branches stay whole and run natively.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from ..analyse.dependencies import Depends, column_name
from ..cache.incremental import Memory
from ..core import nodes as c
from ..core.walk import waiver_exprs

ALWAYS_ENDS = {"do", "usual", "win", "ask", "offer", "phase", "walk", "together", "schedule_run"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """Statements to run in order, and how to go on: a word with its operands (block numbers, expressions, slots)."""

    stmts: tuple[c.Stmt, ...]
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
        first: tuple[c.Stmt, ...] = (),
    ) -> None:
        builder = Builder(self, name)
        builder.run(first)
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
        if s.op in ALWAYS_ENDS:
            return True
        if s.op == "set":
            return column_name(*s.info) in self.risky
        if s.op == "put":
            return "at" in self.risky
        if s.op == "spend":
            return f"spent_{s.info}" in self.risky
        if s.op == "schedule":
            return False
        return any(self.suspends(x) for x in (*s.body, *s.other))


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
        self.blocks: list[tuple[list[c.Stmt], tuple[Any, ...] | None]] = [([], None)]
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

    def add(self, s: c.Stmt) -> None:
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
        i = 0
        while i < len(body):
            s = body[i]
            if not self.lowering.suspends(s):
                self.add(self._plain(s))
            else:
                getattr(self, "_" + s.op)(s)
            i += 1

    def _plain(self, s: c.Stmt) -> c.Stmt:
        """A statement that runs natively; guards and scheduled bodies become procedures of their own."""
        if s.op == "schedule":
            phase, kept = s.info
            name = f"{self.name} later {self.lowering.number()}"
            due = c.Stmt(op="due", args=s.args, case=s.case, span=s.span)
            self.lowering._store(name, s.case, "scheduled", (), s.body, s.span, first=(due,))
            return replace(s, args=(), info=(phase, name, kept), body=())
        if s.op == "skip" and s.args:
            name = f"{self.name} guard {self.lowering.number()}"
            test = c.Stmt(op="test", args=s.args, case=s.case, span=s.span)
            self.lowering._store(name, s.case, "guard", (), (), s.span, first=(test,))
            return replace(s, args=(), info=(s.info, name))
        if s.op == "skip":
            return replace(s, info=(s.info, None))
        if s.body or s.other:
            return replace(s, body=tuple(map(self._plain, s.body)), other=tuple(map(self._plain, s.other)))
        return s

    def _break(self) -> None:
        """Let triggers step in here."""
        after = self.label()
        self.finish(("goto_now", Label(after)), after)

    def _set(self, s: c.Stmt) -> None:
        self.add(s)
        self._break()

    _put = _spend = _set

    def _do(self, s: c.Stmt) -> None:
        self.add(s)
        self._break()

    _usual = _win = _do

    def _seq(self, s: c.Stmt) -> None:
        self.run(s.body)

    def _if(self, s: c.Stmt) -> None:
        yes, no, after = self.label(), self.label(), self.label()
        self.finish(("branch", s.args[0], Label(yes), Label(no)), yes)
        self.run(s.body)
        self.finish(("goto", Label(after)), no)
        self.run(s.other)
        self.finish(("goto", Label(after)), after)

    def _for(self, s: c.Stmt) -> None:
        slot = self.slot("each")
        head, body, after = self.label(), self.label(), self.label()
        self.add(c.Stmt(op="begin_for", args=s.args, info=slot, case=s.case, span=s.span))
        self.finish(("goto", Label(head)), head)
        self.finish(("next", slot, s.info, Label(body), Label(after)), body)
        self.run(s.body)
        self.finish(("goto", Label(head)), after)

    def _repeat(self, s: c.Stmt) -> None:
        slot = self.slot("times")
        head, body, after = self.label(), self.label(), self.label()
        self.add(c.Stmt(op="begin_repeat", args=s.args[:1], info=slot, case=s.case, span=s.span))
        self.finish(("goto", Label(head)), head)
        condition = s.args[1] if len(s.args) > 1 else None
        self.finish(("times", slot, condition, Label(body), Label(after)), body)
        self.run(s.body)
        self.finish(("goto", Label(head)), after)

    def _walk(self, s: c.Stmt) -> None:
        slot = self.slot("walk")
        on, after = self.label(), self.label()
        self.add(replace(s, op="begin_walk", info=slot))
        self.finish(("goto", Label(on)), on)
        self.finish(("walk", slot, s.case, Label(on), Label(after)), after)

    def _ask(self, s: c.Stmt) -> None:
        ask, has_failing = s.info
        failing, after = self.label(), self.label()
        self.finish(("ask", ask.id, Label(after), Label(failing), has_failing), failing)
        self.run(s.body)
        self.finish(("goto", Label(after)), after)

    def _offer(self, s: c.Stmt) -> None:
        again, after = self.label(), self.label()
        self.finish(("goto", Label(again)), again)
        self.finish(("offer", s.info.id, Label(again), Label(after)), after)

    def _together(self, s: c.Stmt) -> None:
        begin = c.Stmt(op="together", info=True, case=s.case, span=s.span)
        self.add(begin)
        i = 0
        while i < len(s.body):
            run = i
            while run < len(s.body) and s.body[run].op == "ask":
                run += 1
            if run - i > 1:
                after = self.label()
                asks = tuple(x.info[0].id for x in s.body[i:run])
                self.finish(("ask_all", asks, Label(after)), after)
                i = run
                continue
            self.run((s.body[i],))
            i += 1
        self.add(c.Stmt(op="together", info=False, case=s.case, span=s.span))
        self._break()

    def _phase(self, s: c.Stmt) -> None:
        name, var, has_guard = s.info
        source = s.args[0] if var is not None else None
        guard = s.args[-1] if has_guard else None
        after = self.label()
        if source is not None:
            slot = self.slot("each")
            head, body = self.label(), self.label()
            self.add(c.Stmt(op="begin_for", args=(source,), info=slot, case=s.case, span=s.span))
            self.finish(("goto", Label(head)), head)
            self.finish(("next", slot, "@" + var, Label(body), Label(after)), body)
            self._one_phase(s, name, var, guard, head)
        else:
            self._one_phase(s, name, None, guard, after)
        self.at = after

    def _one_phase(self, s: c.Stmt, name: str, var: str | None, guard: c.Expr | None, out: int) -> None:
        if var is not None:
            self.add(c.Stmt(op="bind", info=(var, "@" + var), case=s.case, span=s.span))
        enter = self.label()
        if guard is not None:
            self.finish(("branch", guard, Label(enter), Label(out)), enter)
            begin = self.label()
            self.finish(("unless_skipped", name, Label(begin), Label(out)), begin)
        else:
            self.finish(("unless_skipped", name, Label(enter), Label(out)), enter)
            begin = enter
        self.add(c.Stmt(op="enter_phase", info=(name, var), case=s.case, span=s.span))
        self._break()
        self.run(s.body)
        self.add(c.Stmt(op="close_phase", info=name, case=s.case, span=s.span))
        self._break()
        self.add(c.Stmt(op="leave_phase", info=name, case=s.case, span=s.span))
        self.finish(("again", name, Label(begin), Label(out)))


@dataclass(frozen=True, slots=True)
class Label:
    """A block that is still known by its first number."""

    to: int
