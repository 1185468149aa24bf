"""The protocol by which the parts of the oracle call one another.

Definitions, routes and matchings ask for values of expressions, and expressions ask for them: each part is written
against this protocol and none imports the other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, Protocol

from rulewright.runtime.problems import Fault
from rulewright.runtime.program import Board

from ..core import nodes as c
from .world import World

Names = dict[str, Any]
Fn = Callable[[World, Names], Any]


class Unknown(Exception):
    """The oracle gives a question up: there are more plans or sets than it tries one by one."""


@contextmanager
def said_by(case: str) -> Iterator[None]:
    """Whatever goes wrong within, and does not know its case, goes wrong in this one."""
    try:
        yield
    except Fault as error:
        error.case = error.case or case
        raise


class Asks(Protocol):
    """Whoever evaluates a book."""

    book: c.Book
    board: Board

    def value(self, W: World, e: c.Expr, names: Names) -> Any: ...
    def define(self, W: World, name: str, args: Iterable[Any], keep: Any = None) -> Any: ...
    def refuses(self, W: World, rule: c.Rule, names: Names) -> bool: ...
    def tire(self, steps: int = 1) -> None: ...
