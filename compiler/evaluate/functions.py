"""Compile expressions that stand outside of a rule set.

In:  expressions of the core, and the program of the rule set that they are about.
Out: functions of the state, in the namespace of the compiled rules or of their traced twin.

Worked examples, witnesses and `why` all come through here. The text is walked against the allow-list like every
generated module.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from rulewright.runtime.program import Program

from ..core import nodes as c
from ..emit.allow_list import allow
from ..emit.package import namespace
from ..emit.questions import Questions

Fn = Callable[..., Any]
Wanted = tuple[str, tuple[str, ...], c.Expr]
"""A name for the function, the names of its parameters, and what it gives."""


def functions(book: c.Book, program: Program, wanted: Iterable[Wanted], traced: bool = False) -> dict[str, Fn]:
    """A function for each expression, by its name; with `traced`, `program` is the traced twin."""
    questions = Questions(book, traced)
    names = []
    for name, params, e in wanted:
        questions.add(name, params, e)
        names.append(name)
    text, refs = questions.text()
    allow(text, "expressions")
    space = namespace(program, refs)
    exec(compile(text, "<expressions>", "exec"), space)
    return {name: space[name] for name in names}
