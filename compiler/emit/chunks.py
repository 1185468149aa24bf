"""Build and print one declaration after another.

In:  what builds the functions of one declaration.
Out: their text, what they take from other modules and the places they come from: printed now, or as they were printed
     before.

A chunk records all that building it took from the package around it: names, constants, memo slots, inlined definitions
and value ranges. It is reused only where all of these are the same.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from rulewright.dsl.source import Span

from ..analyse.inline import Fold
from ..cache.incremental import Known, ident
from ..core import nodes as c
from ..core.case_marks import leading_case
from ..core.texts import file_line
from .context import Context, Draft
from .fixed import Constant
from .memo_dependencies import Rests
from .model.expressions import Ref
from .model.printer import Printer, Row
from .text import SAID

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Printed:
    """A function as it stands in its module, where its lines come from and what it is asked about."""

    home: str
    name: str
    case: str
    text: str
    lines: int
    rows: tuple[Row, ...]
    refs: frozenset[tuple[str, str]]
    types: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Chunk:
    """The functions of one declaration, with all that building them took from the package around it."""

    value: Any
    functions: tuple[Printed, ...]
    names: frozenset[str]
    tried: frozenset[str]
    constants: tuple[Constant, ...]
    looked_up: tuple[str, ...]
    answers: tuple[str, ...]
    memo: tuple[tuple[str, Rests], ...]
    said: tuple[tuple[Span, str], ...]
    how: tuple[tuple[str, Fold | None], ...]
    foreseen: tuple[tuple[str, c.Expr, object], ...]
    asked: tuple[tuple[tuple[str, str], Ref], ...]
    locals: tuple[tuple[str, str], ...]


class Chunks:
    """The functions of one set of modules, in the order in which they are declared."""

    def __init__(self, ctx: Context) -> None:
        self.ctx = ctx
        self.printed: list[Printed] = []

    def chunk(self, parts: tuple[Any, ...], make: Callable[[], T]) -> T:
        """Build and print the functions of one declaration, or take them as they were printed before.

        `make` looks at `parts`, at what `seen` tells of the book, and at what a chunk notes down.
        """
        key = ident(parts)
        room = self.ctx.room
        known = room.find(key)
        if known is None or not self._fits(known.value):
            chunk, alone = self._record(make)
            known = Known(parts, chunk)
            if alone:
                room.now[key] = known
            else:
                room.now.pop(key, None)
        else:
            self._take(known.value)
        self.printed += known.value.functions
        value: T = known.value.value
        return value

    def once(self, make: Callable[[], T]) -> T:
        """Build functions that are cheaper to print anew than to remember."""
        chunk, _ = self._record(make)
        self.printed += chunk.functions
        value: T = chunk.value
        return value

    def _fits(self, chunk: Chunk) -> bool:
        """Whether the names and constants that a chunk took are the ones that it would take now."""
        ctx = self.ctx
        if not ctx.names.isdisjoint(chunk.tried) or not ctx.naming.taken.isdisjoint(chunk.tried - chunk.names):
            return False
        if any(file_line(span) != text for span, text in chunk.said):
            return False
        if any(ctx.how(name) is not how for name, how in chunk.how):
            return False
        if not ctx.naming.fits(chunk.asked, chunk.locals):
            return False
        foreseen = ctx.foreseen
        if any(foreseen.answer(question, e) != answer for question, e, answer in chunk.foreseen):
            return False
        return ctx.fixed.fits(chunk.constants)

    def _take(self, chunk: Chunk) -> None:
        ctx = self.ctx
        ctx.names |= chunk.names
        ctx.fixed.take(chunk.constants)
        ctx.looked_up.update(dict.fromkeys(chunk.looked_up))
        ctx.answers.update(dict.fromkeys(chunk.answers))
        for name, rests in chunk.memo:
            ctx.memo[name] = rests

    def _record(self, make: Callable[[], Any]) -> tuple[Chunk, bool]:
        """Build, and note down all that is taken from outside; says whether no name was in the way of another."""
        ctx = self.ctx
        looked_up, answers, ctx.looked_up, ctx.answers = ctx.looked_up, ctx.answers, {}, {}
        ctx.fixed.used, ctx.how_asked, ctx.foreseen.noted = {}, {}, []
        ctx.made, ctx.tried, ctx.claimed, ctx.collided, ctx.noted = set(), set(), set(), False, []
        ctx.drafts = []
        ctx.naming.listen()
        SAID.clear()
        value = make()
        chunk = Chunk(
            value,
            tuple(map(printed, ctx.drafts)),
            frozenset(ctx.made),
            frozenset(ctx.tried | ctx.made),
            tuple(ctx.fixed.used.values()),
            tuple(ctx.looked_up),
            tuple(ctx.answers),
            tuple(ctx.noted),
            tuple(SAID),
            tuple(ctx.how_asked.items()),
            tuple(ctx.foreseen.noted),
            tuple(ctx.naming.asked.items()),
            tuple(ctx.naming.locals.items()),
        )
        ctx.looked_up = {**looked_up, **ctx.looked_up}
        ctx.answers = {**answers, **ctx.answers}
        ctx.drafts = []
        return chunk, not ctx.collided


def printed(f: Draft) -> Printed:
    """A function as text for its module."""
    printer = Printer(f.home)
    printer.function(f.finished())
    lines = printer.lines
    case = leading_case(f.doc)
    return Printed(
        f.home, f.name, case, "\n".join(lines) + "\n", len(lines), tuple(printer.rows), frozenset(printer.refs), f.types
    )
