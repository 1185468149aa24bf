"""Statements, functions and modules of the emission model.

A statement carries where it comes from (`at`). `Give` is an answer before it is known how it is given: returned, kept
first, or told (see answers.py); none is left when a function is printed.
"""

from __future__ import annotations

from collections.abc import Callable

from rulewright.dsl.records import dataclass

from .expressions import At, Expr, Tup


@dataclass(frozen=True, slots=True)
class Hint:
    """The type of a parameter or result: its text, and the names that it takes from modules."""

    text: str
    refs: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Assign:
    """`target = target = value`."""

    targets: tuple[Expr, ...]
    value: Expr
    at: At | None = None


@dataclass(frozen=True, slots=True)
class Return:
    value: Expr | None
    at: At | None = None


@dataclass(frozen=True, slots=True)
class Give:
    """An answer with the case that gives it, and the parts of a gathered number, if there are any."""

    value: Expr
    case: Expr
    at: At | None = None
    parts: Expr = Tup(())


@dataclass(frozen=True, slots=True)
class If:
    test: Expr
    body: tuple[Stmt, ...]
    orelse: tuple[Stmt, ...] = ()
    at: At | None = None


@dataclass(frozen=True, slots=True)
class For:
    target: Expr
    over: Expr
    body: tuple[Stmt, ...]
    at: At | None = None


@dataclass(frozen=True, slots=True)
class Do:
    """An expression as a statement."""

    value: Expr
    at: At | None = None


@dataclass(frozen=True, slots=True)
class Yield:
    value: Expr
    at: At | None = None


@dataclass(frozen=True, slots=True)
class Word:
    """`continue`, `break` or `pass`."""

    word: str


Stmt = Assign | Return | Give | If | For | Do | Yield | Word

CONTINUE, BREAK, PASS = Word("continue"), Word("break"), Word("pass")


@dataclass(frozen=True, slots=True)
class Param:
    name: str
    hint: Hint | None = None
    default: Expr | None = None


@dataclass(frozen=True, slots=True)
class Function:
    """One function; `types` are those of what it is asked about, as the runtime reads them, for whoever shows them."""

    name: str
    params: tuple[Param, ...]
    returns: Hint | None
    doc: str
    body: tuple[Stmt, ...]
    types: tuple[tuple[str, str], ...] = ()


def rewritten(body: tuple[Stmt, ...], change: Callable[[Stmt], tuple[Stmt, ...]]) -> tuple[Stmt, ...]:
    """Statements with each plain one, at any depth, changed into others."""
    found: list[Stmt] = []
    for s in body:
        if isinstance(s, If):
            found.append(If(s.test, rewritten(s.body, change), rewritten(s.orelse, change), s.at))
        elif isinstance(s, For):
            found.append(For(s.target, s.over, rewritten(s.body, change), s.at))
        else:
            found += change(s)
    return tuple(found)
