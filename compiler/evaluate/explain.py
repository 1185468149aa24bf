"""Explain the value of an expression in a position.

In:  a game of a compiled rule set, and the text of any expression of the language.
Out: the value, and below it what it was made of: the parts of the expression with theirs, and what the traced twin
     tells of definitions, tables and memories, case by case.
Reports: as a refusal, the first finding about the text (`Unread`), or that it takes too long (`TooLong`).

A side that asks is answered from its own view of the game (`value_for` in runtime/view.py), never from this one.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from rulewright.runtime.game import Game
from rulewright.runtime.notation import show
from rulewright.runtime.problems import NONSENSE, Fault, Refusal
from rulewright.runtime.telling.explain import Why, below_lines, cited, short, traced, tree
from rulewright.runtime.telling.memories import recall
from rulewright.runtime.telling.trace import Node, nodes

from ..core import nodes as c
from ..core.texts import type_text
from ..pipeline import Compiled
from .expression import expression
from .functions import functions
from .limit import limited
from .parts import atomic, case_of, children, closed, name_of, under

MOST_DEPTH = 4
TOLD = c.Call | c.TableCell | c.Remembered | c.Grown
"""What the traced twin makes a node of."""


def explain(made: Compiled, game: Game, text: str) -> Why:
    """How the value of an expression comes about."""
    assert made.book is not None
    return explained(made.book, game, expression(made, text))


def explained(book: c.Book, game: Game, e: c.Expr) -> Why:
    asked = Asked(book, game)
    with limited():
        try:
            value, trail = asked.value(e, ())
            if isinstance(e, c.Remembered):
                memory = next(m for m in game.program.memories if m.name == e.name)
                return recall(game, memory, *(asked.value(a, ())[0] for a in e.asked))
            lines = asked.lines(e, (), 0)
        except NONSENSE as error:
            raise Refusal(f'"{short(e.span.text)}" rests on a value that is nothing here') from error
    shown = show(game.program, asked.type(e), value)
    return Why(
        program=game.program, text=lines[0].partition("  [")[0], legal=True, grounds=(), trail=trail, value=True,
        told=tuple(lines), shown=shown,
    )  # fmt: skip


class Asked:
    """One position, asked about an expression and its parts."""

    def __init__(self, book: c.Book, game: Game) -> None:
        self.book, self.game = book, traced(game)
        self.known: dict[tuple[int, ...], tuple[Any, tuple[Node, ...]]] = {}

    def type(self, e: c.Expr) -> str:
        return type_text(e.type.plain, self.book)

    def value(self, e: c.Expr, around: tuple[c.Suppose, ...]) -> tuple[Any, tuple[Node, ...]]:
        """The value of an expression under what is supposed around it, and what was asked for it."""
        key = tuple(map(id, (e, *around)))
        if key not in self.known:
            made = functions(self.book, self.game.program, [("asked", (), under(around, e))], traced=True)
            S = self.game.state
            S.trace = []
            value = made["asked"](S)
            self.known[key] = (value, nodes(S.trace))
        return self.known[key]

    def lines(self, e: c.Expr, around: tuple[c.Suppose, ...], depth: int) -> list[str]:
        """An expression with its value, and its parts below it."""
        program = self.game.program
        value, asked = self.value(e, around)
        node = asked[-1] if isinstance(e, TOLD) and asked and asked[-1].name == e.name else None
        if node is not None:
            head, *rest = tree(program, node, depth)
        else:
            shown = short(show(program, self.type(e), value))
            sign = " = " if atomic(e) else ": "
            case, name = case_of(self.book, e)
            head = f"{'  ' * depth}{name_of(e)}{sign}{shown}{self.cited(e, around, case, name)}"
            rest = []
        found = [head]
        inner = (*around, e) if isinstance(e, c.Suppose) else around
        for part in self.parts(e, inner) if depth < MOST_DEPTH else ():
            with suppress(Fault, *NONSENSE):
                found += self.lines(part, inner, depth + 1)
        if isinstance(e, c.Tested | c.Filter | c.Folded):
            base = {(x.name, x.args) for x in self.value(e.base, around)[1]} if closed(e.base) else set()
            rest = below_lines(program, (x for x in asked if (x.name, x.args) not in base), depth + 1, MOST_DEPTH)
        return list(dict.fromkeys([*found, *rest]))

    def cited(self, e: c.Expr, around: tuple[c.Suppose, ...], case: str, name: str) -> str:
        """The case of a part of the expression; a value that stands on a house counter or map says so."""
        told, house = cited(self.game.program, (case,), name), self.printed(e, around)
        return f"{told.removesuffix(']')}{'; ' if told else '  ['}{house}]" if house else told

    def printed(self, e: c.Expr, around: tuple[c.Suppose, ...]) -> str:
        """That a value stands on a house counter or a house map, where it does."""
        if not isinstance(e, c.FieldOf):
            return ""
        program, of = self.game.program, e.of
        if e.key[0] != "unit":
            return "house map" if program.house.get("map") and e.key[0] in ("place", "hexside") else ""
        owner = self.value(of, around)[0] if closed(of) else None
        house = isinstance(owner, int) and program.house.get(f'"{program.units[owner]}"')
        return "house counter" if house else ""

    def parts(self, e: c.Expr, around: tuple[c.Suppose, ...]) -> list[c.Expr]:
        """The parts worth telling; of conditions joined by `and` or `or`, those up to the one that decides."""
        found = []
        for part in children(e):
            found.append(part)
            if isinstance(e, c.And | c.Or) and bool(self.value(part, around)[0]) is isinstance(e, c.Or):
                break
        return [part for part in found if closed(part)]
