"""Compile expressions that stand outside of a rule set.

In:  expressions of the core, and the program of the rule set that they are about.
Out: functions of the state, in the namespace of the compiled rules or of their traced twin.

Worked examples, witnesses and `why` all come through here. The text is walked against the allow-list like every
generated module.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterable
from typing import Any

from rulewright.runtime.program import Program

from ..core import nodes as c
from ..emit.allow_list import allow
from ..emit.expressions import Constants, Printer, mangle

Fn = Callable[..., Any]
Wanted = tuple[str, tuple[str, ...], c.Expr]
"""A name for the function, the names of its parameters, and what it gives."""


def functions(book: c.Book, program: Program, wanted: Iterable[Wanted], traced: bool = False) -> dict[str, Fn]:
    """A function for each expression, by its name; with `traced`, `program` is the traced twin."""
    constants = Constants(book)
    printer = Printer(book, constants, traced=traced)
    lines, names = [], []
    for name, params, e in wanted:
        given = ", ".join(["S", *map(mangle, params)])
        lines.append(f"def {name}({given}):\n    return {printer(e)}\n")
        names.append(name)
    text = "\n".join([*(f"{name} = {value}" for name, value in constants.lines), "", *lines])
    allow(text, "expressions")
    space = namespace(program)
    exec(compile(text, "<expressions>", "exec"), space)
    return {name: space[name] for name in names}


def namespace(program: Program) -> dict[str, Any]:
    """All that the module of a compiled rule set knows."""
    known = [block for p in program.procedures.values() for block in p.blocks if block is not None]
    known += [value[0] for value in program.values.values()]
    if known:
        return dict(vars(importlib.import_module(str(known[0].__module__))))
    held = (vars(m) for m in list(sys.modules.values()) if m is not None and m.__name__.endswith((".rules", ".traced")))
    return dict(next(names for names in held if names.get("PROGRAM") is program))
