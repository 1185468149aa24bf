"""The modules of a compiled package, by name: what whoever asks one from outside has to know.

In:  a program, and names of its modules.
Out: what the modules hold, in the package of the rules or of their traced twin.
"""

from __future__ import annotations

import importlib
import sys
import types
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from rulewright.runtime.program import Program

SHARED = ("data", "names", "fixed", "kernels")
"""Modules that the rules and their traced twin have in common."""


def package_of_program(program: Program) -> str:
    """The package whose functions a program holds: that of the rules, or of their traced twin."""
    known = [block for p in program.procedures.values() for block in p.blocks if block is not None]
    known += [value[0] for value in program.values.values()]
    if known:
        return str(known[0].__module__).rpartition(".")[0]
    entries = [m for name, m in list(sys.modules.items()) if name.endswith(".rules")]
    return next(m.__name__ for m in entries if vars(m).get("PROGRAM") is program).rpartition(".")[0]


def module_of(program: Program, name: str) -> types.ModuleType:
    """A module of the package of a program; what the rules and their twin share lies with the rules."""
    package = package_of_program(program)
    if name in SHARED:
        package = package.removesuffix(".traced")
    return importlib.import_module(f"{package}.{name}")


def names_of(program: Program) -> types.SimpleNamespace:
    """All names of a compiled package under one roof: functions, constants, printed values."""
    package = package_of_program(program) + "."
    mine = [name.removeprefix(package) for name in sorted(sys.modules) if name.startswith(f"{package}chapter_")]
    folder = Path(sys.modules[package.removesuffix("traced.").rstrip(".")].__path__[0])
    shared = [x for x in SHARED if (folder / f"{x}.py").is_file()]
    modules = [module_of(program, name) for name in (*shared, "kept", "rules", *mine)]
    found = {k: v for module in modules for k, v in vars(module).items() if not k.startswith("__")}
    return types.SimpleNamespace(**found, data=modules[0])


def namespace(program: Program, refs: Iterable[tuple[str, str]]) -> dict[str, Any]:
    """Names of modules for text that asks a compiled package, as its own modules import them."""
    found: dict[str, Any] = {}
    for module, name in refs:
        if not module:
            found[name] = module_of(program, name)
        elif module.startswith("rulewright.") or module == "fractions":
            found[name] = getattr(importlib.import_module(module), name)
        else:
            found[name] = getattr(module_of(program, module), name)
    return found
