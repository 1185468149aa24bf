"""Events that fire triggers and invalidate memoised results, computed once per compile.

In:  the book, its dependencies, and the lowered procedures.
Out: whether anything can step in after a statement; what the start and end of a phase come to.

Phases without resets, triggers and dependent results are inlined.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, assert_never

from ...analyse.dependencies import Depends, column_name, put_columns
from ...analyse.trigger_columns import trigger_columns
from ...core import nodes as c
from ...core.shown import veil_keys
from ...core.types import PLACE, UNIT
from ..fixed import BOARD, UNITS
from ..lowering import machinery
from ..lowering.blocks import Lowered
from ..model.expressions import At, Attr, Dct, Expr, Lit, Lst, Op, S, length
from ..model.statements import Assign


class Effects:
    """Which changes fire a trigger or invalidate a memoised result.

    `hung` are the marks, quotas and memories that change when a phase begins or ends.
    """

    def __init__(self, book: c.Book, depends: Depends, lowered: dict[str, Lowered]) -> None:
        self.book = book
        self.veils = veil_keys(book)
        self.known: dict[str, tuple[Any, ...]] = {}
        self.risky = trigger_columns(book, depends)
        self.put_columns = put_columns(book)
        self.events = {t.event for t in book.triggers}
        stmts = [s for low in lowered.values() for block in low.blocks for s in every(block.stmts)]
        self.shown = {s.what.name for s in stmts if isinstance(s, c.Reveal) and isinstance(s.what, c.MarkOf)}
        tests = [m.until_test for m in book.marks.values() if m.until_test is not None]
        self.kept = self.risky.union(*depends.closed.values(), depends.of(tests))
        steps = {("happens", x) for x in ("enter", "leave", "cross", "halted")}
        self.walks = "at" not in self.risky and not steps & self.events
        self.hung: dict[tuple[str, str], list[c.Mark | c.Quota | c.Memory]] = {}
        for mark in book.marks.values():
            if mark.until is not None and mark.until_test is None:
                when, phase = mark.until
                self.hung.setdefault((when.removesuffix("_next"), phase), []).append(mark)
        for m in book.memories.values():
            if m.event is not None:
                self.hung.setdefault(m.event, []).append(m)
        for q in book.quotas.values():
            for phase in q.per:
                self.hung.setdefault(("start", phase), []).append(q)

    def still(self, s: machinery.LowStmt) -> bool:
        """Whether no trigger can run after a statement."""
        match s:
            case c.SetMark(key):
                return column_name(*key) not in self.risky
            case c.Put():
                return not self.risky & self.put_columns
            case c.Spend(quota):
                return f"spent_{quota}" not in self.risky
            case machinery.Bind(var):
                return f"bind_{var}" not in self.risky
            case machinery.EnterPhase(name):
                return self.quiet("start", name)
            case machinery.ClosePhase(name) | machinery.LeavePhase(name):
                return self.quiet("end", name)
            case c.Block() | c.If() | c.ForEach() | c.Repeat():
                return all(self.still(x) for x in (*s.body, *s.other))
            case c.Let() | c.Roll() | c.Draw() | c.Halt() | c.Reveal() | c.Note() | c.SkipPhase() | c.RepeatPhase():
                return True
            case machinery.BeginFor() | machinery.BeginRepeat() | machinery.BeginWalk():
                return True
            case c.Win() | c.Do() | c.DoUsual() | c.Walk() | c.AskSide() | c.OfferWindow() | c.RunPhase():
                return False
            case c.Together() | machinery.BeginTogether() | machinery.EndTogether() | machinery.TestGuard():
                return False
            case _:
                assert_never(s)

    def quiet(self, when: str, phase: str) -> bool:
        """Whether the start or the end of a phase fires nothing."""
        if (when, phase) in self.events or "phases" in self.risky:
            return False
        return not self.risky & {*map(column_of, self.hung.get((when, phase), ()))}

    def plain(self, when: str, phase: str) -> tuple[c.Mark | c.Quota, ...] | None:
        """The statements of the start or end of a phase, where it only resets some marks; else None."""
        hung = self.hung.get((when, phase), [])
        if not self.quiet(when, phase) or "phases" in self.kept:
            return None
        found = tuple(x for x in hung if not isinstance(x, c.Memory) and self.goes_back(x))
        return None if len(found) < len(hung) else found

    def goes_back(self, x: c.Mark | c.Quota) -> bool:
        """Whether resetting a mark or quota is one assignment: no memoised result depends on it."""
        if column_of(x) in self.kept:
            return False
        if isinstance(x, c.Quota):
            return True
        return x.owner.name in ("unit", "place", "game") and x.until is not None and not x.until[0].endswith("_next")

    def free(self, s: c.SetMark, low: Lowered) -> bool:
        """Whether to set a mark is to give a unit or place of an action a value and no more, but for the log."""
        mark = self.book.marks.get(s.key)
        if mark is None or mark.secret_to is not None or column_name(*s.key) in self.kept or mark.name in self.shown:
            return False
        if (mark.until is not None and mark.until[0].endswith("_next")) or mark.type.name == "number":
            return False
        given = {x.name for x in low.params if x.type in (UNIT, PLACE)} if low.sort == "action" else ()
        return isinstance(s.of, c.Local) and s.of.name in given

    def unheard(self, name: str) -> bool:
        """Whether no trigger listens to a procedure."""
        return not {("before", name), ("happens", name)} & self.events

    def facts(self, low: Lowered) -> tuple[Any, ...]:
        """All that the functions of a procedure look at beside the procedure."""
        if low.name not in self.known:
            self.known[low.name] = self.found(low)
        return self.known[low.name]

    def found(self, low: Lowered) -> tuple[Any, ...]:
        stmts = [s for block in low.blocks for s in block.stmts]
        phases = {
            s.name for s in stmts if isinstance(s, machinery.EnterPhase | machinery.ClosePhase | machinery.LeavePhase)
        }
        plain = tuple((self.plain("start", x), self.plain("end", x)) for x in sorted(phases))
        free = tuple(self.free(s, low) for s in every(tuple(stmts)) if isinstance(s, c.SetMark))
        bound = tuple(f"bind_{s.var}" in self.kept for s in stmts if isinstance(s, machinery.Bind))
        unheard = self.unheard(low.name.removeprefix("action "))
        return (tuple(map(self.still, stmts)), plain, free, bound, self.walks, unheard, tuple(self.veils))


def column_of(x: c.Mark | c.Quota | c.Memory) -> str:
    """The column of the state that holds a mark, what is spent of a quota, or what a memory remembers."""
    if isinstance(x, c.Mark):
        return column_name(x.owner.name, x.name)
    return f"spent_{x.name}" if isinstance(x, c.Quota) else f"past_{x.name}"


def every(stmts: tuple[machinery.LowStmt, ...]) -> Iterator[machinery.LowStmt]:
    for s in stmts:
        yield s
        yield from every((*s.body, *s.other))


def put_back(x: c.Mark | c.Quota) -> Assign:
    """Reset a mark or quota."""
    target = Attr(S, column_of(x))
    if isinstance(x, c.Quota):
        return Assign((target,), Dct(()), At(x.case, x.span, f"mark {x.name}"))
    value: Expr = Lit(x.start)
    if x.owner.name != "game":
        value = Op("*", Lst((value,)), length(UNITS if x.owner.name == "unit" else Attr(BOARD, "places")))
    return Assign((target,), value, At(x.case, x.span, f"mark {x.name}"))
