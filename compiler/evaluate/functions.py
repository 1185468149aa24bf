"""Compile expressions that stand outside of a rule set.

In:  expressions of the core, and the program of the rule set that they are about.
Out: functions of the state, in the namespace of the compiled rules or of their traced twin.

Worked examples, witnesses and `why` all come through here. The text is walked against the allow-list like every
generated module.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from types import CodeType
from typing import Any

from rulewright.runtime.program import Program

from ..compiled import namespace
from ..core import nodes as c
from ..emit.allow_list import allow
from ..emit.questions import Questions
from .problems import TooDeep

Fn = Callable[..., Any]
Wanted = tuple[str, tuple[str, ...], c.Expr]
"""A name for the function, the names of its parameters, and what it gives."""


def functions(book: c.Book, program: Program, wanted: Iterable[Wanted], traced: bool = False) -> dict[str, Fn]:
    """A function for each expression, by its name; with `traced`, `program` is the traced twin."""
    return written(book, wanted, traced).bound(program)


@dataclass(frozen=True, slots=True)
class Written:
    """Functions as code, and the names that they take from a compiled package."""

    code: CodeType
    names: tuple[str, ...]
    refs: frozenset[tuple[str, str]]

    def bound(self, program: Program) -> dict[str, Fn]:
        """The functions in the namespace of a program."""
        space = namespace(program, self.refs)
        exec(self.code, space)
        return {name: space[name] for name in self.names}


def written(book: c.Book, wanted: Iterable[Wanted], traced: bool = False) -> Written:
    """Expressions as code that any program with the same names can run."""
    questions, names = Questions(book, traced), []
    for name, params, e in wanted:
        questions.add(name, params, e)
        names.append(name)
    try:
        text, refs = questions.text()
        allow(text, "expressions")
        code = compile(text, "<expressions>", "exec")
    except (SyntaxError, RecursionError, MemoryError):  # Python reads no more than some 90 brackets within each other
        raise TooDeep("an expression is too deep; name its parts with definitions") from None
    return Written(code, tuple(names), refs)
