"""Lower procedures to resumable steps.

In:  a procedure as nested statements.
Out: a flat list of blocks: plain statements, then how to go on.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import assert_never

from rulewright.dsl.source import Span

from ...analyse.dependencies import Depends, column_name, put_columns
from ...analyse.trigger_columns import trigger_columns
from ...cache.incremental import Memory
from ...core import nodes as c
from .blocks import Lowered, Stop
from .builder import Builder
from .machinery import TestGuard


def lower(book: c.Book, depends: Depends, memory: Memory | None = None) -> dict[str, Lowered]:
    """Every procedure, action, trigger, wrapper, failing block and guard of the book."""
    lowering = Lowering(book, depends)
    room = (memory or Memory()).room("lower", (lowering.risky, lowering.put_columns))
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
        self.risky = trigger_columns(book, depends)
        self.put_columns = put_columns(book)

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
            self.store(name, w.case, "wrapper", p.params, w.body, w.span)
        self.store(p.name, p.case, p.sort, p.params, p.body, p.span, tuple(wrappers))

    def store(
        self,
        name: str,
        case: str,
        sort: str,
        params: tuple[c.Param, ...],
        body: tuple[c.Stmt, ...],
        span: Span | None,
        wrappers: tuple[tuple[str, c.Expr | None], ...] = (),
        first: tuple[TestGuard, ...] = (),
    ) -> None:
        builder = Builder(self, name)
        for s in first:
            builder.add(s)
        builder.run(body)
        builder.finish(Stop())
        blocks = builder.resolved()
        self.done[name] = Lowered(
            name=name, case=case, sort=sort, params=params, blocks=blocks, wrappers=wrappers, span=span
        )

    def apart(self, name: str, sort: str, s: c.Stmt, first: TestGuard) -> str:
        """A part of a procedure that runs by itself, under a name with a number of its own."""
        name = f"{name} {self.before + len(self.done) + 1}"
        self.store(name, s.case, sort, (), (), s.span, first=(first,))
        return name

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
                return bool(self.risky & self.put_columns)
            case c.Spend():
                return f"spent_{s.quota}" in self.risky
            case c.If() | c.ForEach() | c.Repeat() | c.Block():
                return any(self.suspends(x) for x in (*s.body, *s.other))
            case c.Note() | c.Let() | c.Roll() | c.Draw() | c.Reveal() | c.Halt() | c.SkipPhase() | c.RepeatPhase():
                return False
            case _:
                assert_never(s)
