"""Instrument the modules of a compiled rule set to record which statements are executed.

In:  the modules of a rule set, as they were written.
Out: a program that behaves the same and sets a mark before each statement; the statement behind each mark.

The alternative, a Python trace function, is called for every line of the runtime as well: the examples of a book take
ten times as long under one.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from rulewright.runtime.kept.by_place import ByPlace
from rulewright.runtime.program import Program

from ..compiled import module_of
from .in_memory import InMemory

MARKS = "_MARKS"


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement of a function: its lines, without those of its nested blocks."""

    module: str
    function: str
    first: int
    last: int


class Instrumented:
    """The instrumented chapters of a rule set, their statements, and the marks of those that were reached."""

    def __init__(self, memory: InMemory) -> None:
        self.memory = memory
        self.statements: list[Statement] = []
        self.codes = {}
        for name, text in memory.texts.items():
            if name.startswith("chapter_"):
                tree = ast.parse(text)
                for node in tree.body:
                    if isinstance(node, ast.FunctionDef):
                        self.mark(node, name, node.name)
                file = str(memory.folder / f"{name}.py")
                self.codes[name] = compile(ast.fix_missing_locations(tree), file, "exec", dont_inherit=True)
        self.marks = bytearray(len(self.statements))
        self.tables: list[ByPlace] = []

    def mark(self, node: Any, module: str, function: str) -> None:
        """Insert a mark before each statement of the blocks of a node."""
        for field in ("body", "orelse", "finalbody", "handlers"):
            block = getattr(node, field, None)
            if not isinstance(block, list) or not block:
                continue
            found: list[ast.stmt] = []
            for x in block:
                if isinstance(x, ast.stmt) and not is_docstring(x):
                    found.append(self.next_mark(x))
                    self.statements.append(Statement(module, function, x.lineno, last_line(x)))
                found.append(x)
                self.mark(x, module, function)
            block[:] = found

    def next_mark(self, before: ast.stmt) -> ast.stmt:
        at = ast.Subscript(ast.Name(MARKS, ast.Load()), ast.Constant(len(self.statements)), ast.Store())
        return ast.copy_location(ast.Assign([at], ast.Constant(1)), before)

    @contextmanager
    def program(self) -> Iterator[Program]:
        """The instrumented program."""
        with self.memory.program(self.memory.as_written, self.codes, {MARKS: self.marks}) as program:
            modules = [module_of(program, name) for name in self.codes]
            self.tables = [x for module in modules for x in vars(module).values() if isinstance(x, ByPlace)]
            yield program

    def clear(self) -> None:
        """Reset the marks, and the tables that modules keep between games: a filled one would hide its statements."""
        self.marks[:] = bytes(len(self.marks))
        for table in self.tables:
            table.clear()

    def reached(self) -> int:
        """The statements executed since, as a bit set."""
        return int(self.marks.hex()[::-2] or "0", 2)


def is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def last_line(node: Any) -> int:
    """The last line of a statement, without its nested blocks."""
    match node:
        case ast.If() | ast.While():
            node = node.test
        case ast.For():
            node = node.iter
        case ast.With():
            node = node.items[-1].context_expr
        case ast.Try() | ast.FunctionDef():
            return int(node.lineno)
    return int(node.end_lineno)
