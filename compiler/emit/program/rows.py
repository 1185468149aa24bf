"""Rows of the program: what one declaration adds to a table, printed for the module that holds it.

In:  an expression of the model, and what stands before it.
Out: its text as an argument or an entry, with the names that it takes from other modules.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..context import Context, Draft
from ..model.expressions import NONE, At, Expr, Ref
from ..model.printer import Printer
from ..model.statements import Hint, Param, Return
from ..naming import STATE, chapter_of

HOME = "rules"


@dataclass(frozen=True, slots=True)
class Row:
    """Lines of the program, and the names that they take from other modules."""

    text: str
    refs: frozenset[tuple[str, str]]


def row(value: Expr, before: str = "", indent: int = 8) -> Row:
    """One entry of a table of the program."""
    printer = Printer(HOME)
    printer.put(indent, before, value, ",", 0, True)
    return Row("\n".join(printer.lines), frozenset(printer.refs))


def argument(name: str, value: Expr) -> Row:
    """A keyword argument of the program."""
    return row(value, f"{name}=", 4)


def table(name: str, rows: list[Row], brackets: str) -> Row:
    """A keyword argument that holds rows."""
    text = "\n".join([f"    {name}={brackets[0]}", *(r.text for r in rows), f"    {brackets[1]},"])
    return Row(text, frozenset().union(*(r.refs for r in rows)))


def answer(
    ctx: Context, name: str, params: tuple[Param, ...], value: Expr, returns: Hint | None, doc: str, at: At
) -> Ref:
    """A function that gives one value, under a name of its own."""
    f = function(ctx, name, params, returns, doc, at.case)
    f.body.append(Return(value, at))
    return f.ref


def function(ctx: Context, name: str, params: tuple[Param, ...], returns: Hint | None, doc: str, case: str) -> Draft:
    return ctx.function(chapter_of(case), ctx.unique(name), params, returns, doc)


def frame(ctx: Context) -> tuple[Param, ...]:
    """The parameters of what is asked inside a procedure: the state, and the procedure's own values."""
    return (Param("S", STATE), Param("L", ctx.naming.alias("Frame")))


def or_none(found: Expr | None) -> Expr:
    return NONE if found is None else found
