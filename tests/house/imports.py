"""Every import of every module, read from its syntax: top-level, lazy, typing-only and computed ones."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
FOLDERS = ("dsl", "runtime", "compiler", "editor", "table", "adapters")
COMPUTED = "a name computed at run time"


class Edge(NamedTuple):
    """One import: the module that has it, the line, and the module of Rulewright that it reaches."""

    source: str
    line: int
    target: str

    def __str__(self) -> str:
        return f"{self.source}:{self.line} imports {self.target}"


def modules(root: Path = ROOT) -> dict[str, Path]:
    """The modules of the package by dotted name below `rulewright`, packages without their `__init__`."""
    found = {}
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*.py")):
            parts = path.relative_to(root).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def edges(root: Path = ROOT) -> list[Edge]:
    known = modules(root)
    return [e for name, path in known.items() for e in imports_of(name, path, known)]


def imports_of(name: str, path: Path, known: dict[str, Path]) -> Iterator[Edge]:
    """What one module imports of Rulewright, wherever in its text it does so."""
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        for target in named_in(node, package):
            found = target if target == COMPUTED else nearest(target, known)
            if found == COMPUTED or "." in found or found in FOLDERS:  # the package itself holds only its version
                yield Edge(name, node.lineno, found)


def named_in(node: ast.AST, package: str) -> Iterator[str]:
    """The dotted names below `rulewright` that an import, or a call that imports, names."""
    match node:
        case ast.Import():
            yield from (a.name.removeprefix("rulewright.") for a in node.names if a.name.startswith("rulewright."))
        case ast.ImportFrom(level=0):
            base = node.module or ""
            if base == "rulewright" or base.startswith("rulewright."):
                below = base.removeprefix("rulewright").removeprefix(".")
                yield from (f"{below}.{a.name}".removeprefix(".") for a in node.names)
        case ast.ImportFrom():
            parts = package.split(".")
            base = ".".join(parts[: len(parts) - (node.level - 1)])
            below = f"{base}.{node.module}" if node.module else base
            yield from (f"{below}.{a.name}" for a in node.names)
        case ast.Call() if called(node) in ("import_module", "__import__", "find_spec"):
            given = node.args[0] if node.args else None
            if not (isinstance(given, ast.Constant) and isinstance(given.value, str)):
                yield COMPUTED
            elif given.value.startswith("rulewright."):
                yield given.value.removeprefix("rulewright.")


def called(node: ast.Call) -> str:
    match node.func:
        case ast.Attribute(attr=name) | ast.Name(id=name):
            return name
        case _:
            return ""


def nearest(target: str, known: dict[str, Path]) -> str:
    """The module that a dotted name lies in: `runtime.game.Game` is in `runtime.game`."""
    while target not in known and "." in target:
        target = target.rpartition(".")[0]
    return target
