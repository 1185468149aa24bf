"""Gather the expressions that checks of a whole book ask about.

In:  the book in the core.
Out: its marks, readings, ranges, layers and deep loops, in reading order; cached per declaration.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from ..cache.incremental import Memory
from ..core import nodes as c
from ..core.types import LAYER
from ..core.walk import Declared, declared, top_exprs

WHOLE = frozenset(("hexes", "points", "units", "counters"))


def checked_expressions(book: c.Book, memory: Memory | None = None) -> list[c.Expr]:
    """The expressions that checks of the whole book ask about: marks, readings, ranges, layers and deep loops.

    Every declaration but the examples is walked once and cached.
    """
    room = (memory or Memory()).room("checked_expressions")
    return [e for x in declared(book) for e in room.work((x,), partial(found_in, x))]


def found_in(x: Declared) -> list[c.Expr]:
    return [
        e
        for top in top_exprs(x)
        for e in top.walk()
        if isinstance(e, c.MarkOf | c.Reading | c.Range) or (isinstance(e, c.Const) and e.type == LAYER) or deep(e)
    ]


def layers_named(exprs: Iterable[c.Expr]) -> set[str]:
    """The layers of the map that expressions name."""
    return {str(e.value) for e in exprs if isinstance(e, c.Const) and e.type == LAYER}


def deep(e: c.Expr) -> bool:
    """Whether an expression goes through all there is, within that through all there is, and within that again."""
    return over_all(e) and nesting(e) > 2


def over_all(e: c.Expr) -> bool:
    return isinstance(e, c.Loop) and isinstance(e.base, c.BuiltinCall) and e.base.name in WHOLE


def nesting(e: c.Expr) -> int:
    return max(map(nesting, e.args), default=0) + over_all(e)
