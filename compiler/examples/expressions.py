"""Compile the expressions of worked examples to functions of the state.

In:  the examples of a book in the core.
Out: for each example its functions by line, expression and part; the sides of a comparison have functions of their own,
     so that a failure can show both values.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rulewright.runtime.program import Program

from ..core import nodes as c
from ..evaluate.functions import Wanted, written

Functions = dict[tuple[int, int, str], Any]


def load_functions(book: c.Book, program: Program, examples: Sequence[c.Example]) -> list[Functions]:
    """The expressions of examples as functions for one program."""
    return Expressions(book, examples).bound(program)


class Expressions:
    """The expressions of examples, compiled once and bound to any program with the same names."""

    def __init__(self, book: c.Book, examples: Sequence[c.Example]) -> None:
        wanted: list[Wanted] = []
        self.names: list[dict[tuple[int, int, str], str]] = []
        for i, example in enumerate(examples):
            self.names.append({})
            for j, line in enumerate(example.lines):
                for k, e in enumerate(line.exprs):
                    parts = {"": e}
                    if isinstance(line, c.Expected) and isinstance(e, c.Comparison):
                        parts |= {"left": e.left, "right": e.right}
                    for word, x in parts.items():
                        self.names[-1][j, k, word] = f"e_{i}_{j}_{k}{word}"
                        wanted.append((self.names[-1][j, k, word], (), x))
        self.written = written(book, wanted)

    def bound(self, program: Program) -> list[Functions]:
        found = self.written.bound(program)
        return [{key: found[name] for key, name in row.items()} for row in self.names]
