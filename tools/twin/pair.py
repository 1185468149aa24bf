"""A book as generated code and as the oracle reads it, and a tally of what was compared."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rulewright.compiler.core import nodes as c
from rulewright.compiler.core.walk import definition_exprs
from rulewright.compiler.interpret.asks import Unknown
from rulewright.compiler.interpret.game import Oracle
from rulewright.compiler.interpret.values import NONSENSE
from rulewright.compiler.loader import import_program, write
from rulewright.compiler.pipeline import Compiled, compile_book
from rulewright.runtime.problems import Conflict, Fault
from rulewright.runtime.program import Program

ROOT = Path(__file__).resolve().parents[2]
BROKEN = "no value"
ASKED_WITH_NOTHING = re.compile(r"the table \w+ has no cell for \([^)]*\bNone\b")
"""The terrain of a box, say: a question about a thing that is not there."""


@dataclass
class Tally:
    """What was compared for one book, and what differed."""

    book: str
    games: int = 0
    finished: int = 0
    choices: int = 0
    verdicts: Counter[str] = field(default_factory=Counter)
    values: Counter[str] = field(default_factory=Counter)
    examples: int = 0
    unknown: int = 0
    differences: list[str] = field(default_factory=list)
    seconds: float = 0.0

    def differ(self, what: str) -> None:
        self.differences.append(f"{self.book}: {what}")


@dataclass
class Twins:
    """A book as generated code and as the oracle reads it."""

    name: str
    book: c.Book
    plain: Program
    oracle: Oracle
    tally: Tally
    counting: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        self.counting = frozenset(f"past_{m.name}" for m in self.book.memories.values() if counts_looks(m))

    @staticmethod
    def of(name: str, folder: Path) -> Twins:
        made = compile_book(name)
        assert made.emitted is not None, made.report.found
        return Twins.made(made, name, folder)

    @staticmethod
    def made(made: Compiled, name: str, folder: Path) -> Twins:
        assert made.book is not None
        write(made, folder)
        shown = str(Path(name).relative_to(ROOT)) if name.startswith("/") and Path(name).is_relative_to(ROOT) else name
        return Twins(shown, made.book, import_program(folder), Oracle(made.book, made.digest), Tally(shown))


def counts_looks(m: c.Memory) -> bool:
    """Whether a memory reckons with what it kept: then it tells how often it was looked at, which no rule defines."""
    tops = list(definition_exprs(m.definition))
    return any(isinstance(x, c.Keep) for e in tops for inner in e.args for x in inner.walk() if not compares(e))


def compares(e: c.Expr) -> bool:
    return isinstance(e, c.Comparison | c.And | c.Or | c.Not | c.IsIn)


def outcome(fn: Callable[..., Any], *args: Any) -> Any:
    """A value, or the sort of trouble that a question has no answer to."""
    try:
        return fn(*args)
    except Conflict:
        return "Conflict"
    except Unknown:
        return "Unknown"
    except Fault as fault:
        if ASKED_WITH_NOTHING.search(fault.message):  # generated code may know the answer before it looks there
            return BROKEN
        return "not there" if isinstance(fault.__cause__, NONSENSE) else "Fault"
    except NONSENSE:
        return BROKEN
