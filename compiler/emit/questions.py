"""Functions for expressions that stand outside the rules: of examples, and of what is asked about two rule sets.

In:  core expressions over some parameters.
Out: a text of functions that ask the compiled package, and the names that they take from its modules.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..analyse.dependencies import Depends
from ..analyse.value_ranges import Foreseen
from ..cache.incremental import Memory
from ..core import nodes as c
from .context import Context
from .expressions.build import Expressions
from .fixed import Fixed
from .model.printer import Printer
from .model.statements import Function, Param, Return
from .naming import Naming
from .procedures.effects import Effects

HOME = "questions"
KEPT = 8
"""How many books are remembered."""


@dataclass(frozen=True, slots=True, eq=False)
class Analysed:
    """What all questions about a book need, computed once."""

    book: c.Book
    naming: Naming
    depends: Depends
    effects: Effects


_ANALYSED: list[Analysed] = []


def analysed(book: c.Book) -> Analysed:
    """The analysis of a book; those of the last few books are remembered."""
    found = next((x for x in _ANALYSED if x.book is book), None)
    if found is None:
        depends = Depends(book, Memory())
        found = Analysed(book, Naming(book), depends, Effects(book, depends, {}))
        _ANALYSED.append(found)
        del _ANALYSED[:-KEPT]
    return found


class Questions:
    """Questions about one book, each a function of the state."""

    def __init__(self, book: c.Book, traced: bool = False) -> None:
        base = analysed(book)
        self.fixed = Fixed(base.naming)
        self.own = {*self.fixed.values}
        self.ctx = Context(
            book,
            {},
            base.depends,
            base.naming,
            self.fixed,
            base.effects,
            Foreseen(book),
            None,
            traced=traced,
            memory=Memory(),
        )
        self.printer = Printer(HOME)

    def add(self, name: str, params: Sequence[str], e: c.Expr) -> None:
        """A function of the state and some parameters that gives the value of an expression."""
        given = (Param("S"), *(Param(self.ctx.local(x)) for x in params))
        self.printer.function(Function(name, given, None, "", (Return(Expressions(self.ctx)(e)),)))

    def text(self) -> tuple[str, frozenset[tuple[str, str]]]:
        """All functions, with their constants above them; and the names that they take from other modules."""
        printer = Printer("fixed")
        for name, value in self.fixed.values.items():
            if name not in self.own:
                printer.put(0, f"{name} = ", value)
        mine = {("fixed", name) for name in self.fixed.values if name not in self.own}
        printer.refs |= {("fixed", name) for name in self.own}
        return "\n".join([*printer.lines, *self.printer.lines, ""]), frozenset(self.printer.refs | printer.refs) - mine
