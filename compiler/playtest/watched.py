"""A rule set that tells what its games come to: which cases run, and where dice are looked up.

In:  a loaded rule set.
Out: a program of the same rules that behaves the same; the marks of its statements, and a listener for its tables.

A case ran where a statement of it was executed that is more than the head of a condition or the guard of an
exception; where a case is nothing but conditions, where they were asked. Definitions that are inlined run with the line
that they stand in. Tables in which a roll is read are replaced by ones that report each look-up.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable
from typing import Any

from rulewright.runtime.playout import LASTING
from rulewright.runtime.program import Program
from rulewright.runtime.values import Table

from ..cache.verified_modules import read_sealed
from ..compiled import package_of_program
from ..examples.in_memory import InMemory
from ..examples.instrumented import Instrumented
from ..loader import Loaded

NOT_PLAY = ("table ", "invariant ")
"""Elements whose code does not run in play: tables are looked up where they are read, invariants are checked."""
Listener = Callable[[str, Any, Any], None]


class Heard(Table):
    """A table that tells whoever listens of each look-up."""

    def __init__(self, table: Table, to: Watched) -> None:
        super().__init__(table, table.name, table.case)
        self.to = to

    def __getitem__(self, key: Any) -> Any:
        value = super().__getitem__(key)
        if self.to.listener is not None:
            self.to.listener(self.name, key, value)
        return value


class Watched:
    """The watched program of a rule set; one game is played on it at a time."""

    def __init__(self, loaded: Loaded) -> None:
        names = sorted(path.name for path in loaded.folder.glob("*.py"))
        memory = InMemory(loaded, {name: read_sealed(loaded.folder, name).decode() for name in names})
        self.instrumented = Instrumented(memory)
        self.listener: Listener | None = None
        self.program = self.imported(loaded.program)
        self.cases, self.masks = self.cases_of(loaded)

    def imported(self, original: Program) -> Program:
        heard = {name for rows in original.dice.values() for name, _ in rows}
        with self.instrumented.program() as program:
            chapters = f"{package_of_program(program)}.chapter_"
            for module in [m for name, m in sys.modules.items() if name.startswith(chapters)]:
                for key, value in [*vars(module).items()]:
                    if isinstance(value, Table) and value.name in heard:
                        setattr(module, key, Heard(value, self))
            return program

    def cases_of(self, loaded: Loaded) -> tuple[tuple[str, ...], tuple[int, ...]]:
        """The cases that have code, in the order of the book, and the statements by which each is seen to run."""
        lines: dict[tuple[str, int], list[tuple[str, bool]]] = {}
        for module, line, case, _, _, element in loaded.source_lines():
            if not element.startswith(NOT_PLAY):
                lines.setdefault((module, line), []).append((case, element.endswith(" guard")))
        acts: dict[str, int] = {}
        asks: dict[str, int] = {}
        for i, (x, is_head) in enumerate(zip(self.instrumented.statements, self.heads(), strict=True)):
            named = dict.fromkeys(c for line in range(x.first, x.last + 1) for c in lines.get((x.module, line), ()))
            for case, is_guard in named:
                found = asks if is_head or is_guard else acts
                found[case] = found.get(case, 0) | 1 << i
        masks = {case: acts.get(case) or asks[case] for case in {**acts, **asks}}
        known = [case for case in loaded.program.cases if case in masks]
        return tuple(known), tuple(masks[case] for case in known)

    def heads(self) -> list[bool]:
        """Of each statement, whether it is no more than the head of a condition or a loop."""
        kinds: dict[tuple[str, int], bool] = {}
        for name, text in self.instrumented.memory.texts.items():
            if name.startswith("chapter_"):
                for node in ast.walk(ast.parse(text)):
                    if isinstance(node, ast.stmt):
                        kinds[name, node.lineno] = isinstance(node, ast.If | ast.For | ast.While)
        return [kinds[x.module, x.first] for x in self.instrumented.statements]

    def clear(self) -> None:
        """A new game begins; answers that were kept from the one before would hide who asks for them."""
        self.instrumented.clear()
        LASTING.clear()

    def ran(self) -> tuple[str, ...]:
        """The cases that ran since."""
        reached = self.instrumented.reached()
        return tuple(case for case, mask in zip(self.cases, self.masks, strict=True) if mask & reached)
