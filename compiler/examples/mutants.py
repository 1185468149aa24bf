"""Mutants: a compiled rule set changed in one place, in memory.

A mutant swaps the code of one generated function (exception struck, condition negated, number ±1,
effect dropped), changes one cell of a table, or drops the lifetime of a mark; leaving it restores
what was there. Answers that states remember are their own, so each example starts clean.
"""

from __future__ import annotations
import __future__

import ast
import copy
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from types import FunctionType
from typing import Any

from rulewright.dsl import nodes as n
from rulewright.runtime.values import NOTHING, Table

from ..core import nodes as c
from ..core.entries import Entry
from ..emit.package import module_of
from ..loader import Loaded
from .executed_lines import Line, tree_of

EFFECTS = {
    "put",
    "set_mark",
    "spend",
    "win",
    "halt",
    "call",
    "usual",
    "reveal",
    "schedule",
    "skip",
    "call_again",
    "bind",
}


@dataclass(slots=True)
class Mutant:
    """One change; a context in which it holds."""

    what: str
    apply: Callable[[], Callable[[], None]]
    _undo: Callable[[], None] | None = field(default=None, init=False)

    def __enter__(self) -> Mutant:
        self._undo = self.apply()
        return self

    def __exit__(self, *_: object) -> None:
        if self._undo is not None:
            self._undo()


def mutants_of(loaded: Loaded, lines: list[Line], entry: Entry | None, book: c.Book) -> Iterator[Mutant]:
    """Mutants of the code on these lines, and of the data behind the declaration."""
    if entry is not None and isinstance(entry.node, n.Table):
        yield from table_mutants(loaded, entry.node)
        return
    if entry is not None and isinstance(entry.node, n.Mark):
        yield from mark_mutants(loaded, entry.node)
    yield from code_mutants(loaded, set(lines))


# ---------------------------------------------------------------- code


def code_mutants(loaded: Loaded, lines: set[Line]) -> Iterator[Mutant]:
    """Mutants of the functions that some lines stand in, chapter by chapter."""
    for name in sorted({module for module, _ in lines}):
        mine = {line for module, line in lines if module == name}
        file = str(loaded.folder / f"{name}.py")
        module = module_of(loaded.program, name)
        vars(module).setdefault("NOTHING", NOTHING)  # what a struck exception says
        for f in tree_of(file).body:
            original = getattr(module, f.name, None) if isinstance(f, ast.FunctionDef) else None
            if not isinstance(f, ast.FunctionDef) or not isinstance(original, FunctionType):
                continue
            if any(f.lineno <= x <= (f.end_lineno or f.lineno) for x in mine):
                for what, changed in changes(f, mine):
                    yield Mutant(f"{what} in {f.name}", swapper(original, changed, file))


def swapper(original: FunctionType, changed: ast.FunctionDef, file: str) -> Callable[[], Callable[[], None]]:
    def apply() -> Callable[[], None]:
        old = original.__code__
        tree = ast.Module(body=[changed], type_ignores=[])
        ast.fix_missing_locations(tree)
        space: dict[str, Any] = {}
        exec(compile(tree, file, "exec", __future__.annotations.compiler_flag), space)
        original.__code__ = space[changed.name].__code__

        def undo() -> None:
            original.__code__ = old

        return undo

    return apply


def changes(f: ast.FunctionDef, lines: set[int]) -> Iterator[tuple[str, ast.FunctionDef]]:
    """Each way to change one place of a function that lies on the given lines."""
    for node in ast.walk(f):
        line = getattr(node, "lineno", None)
        if line not in lines:
            continue
        if isinstance(node, ast.If):
            yield "a condition negated", edit(f, node, negate)
        elif isinstance(node, ast.Return) and node.value is not None:
            yield from return_changes(f, node)
        elif is_effect(node):
            yield "an effect dropped", edit(f, node, drop)
        elif isinstance(node, ast.Assign) and "hit" in [t.id for t in node.targets if isinstance(t, ast.Name)]:
            yield "an exception struck", edit(f, node, strike)
    for node in ast.walk(f):
        if getattr(node, "lineno", None) in lines and isinstance(node, ast.Constant):
            if isinstance(node.value, bool):
                yield "a flag turned", edit(f, node, lambda x: ast.Constant(value=not x.value))
            elif isinstance(node.value, int):
                yield "a number one more", edit(f, node, lambda x: ast.Constant(value=x.value + 1))
                yield "a number one less", edit(f, node, lambda x: ast.Constant(value=x.value - 1))
        elif getattr(node, "lineno", None) in lines and isinstance(node, ast.BoolOp):
            for i in range(len(node.values)):
                yield "a condition left out", edit(f, node, picker(i))
        elif getattr(node, "lineno", None) in lines and isinstance(node, ast.IfExp):
            yield (
                "a branch turned",
                edit(
                    f,
                    node,
                    lambda x: ast.IfExp(test=ast.UnaryOp(op=ast.Not(), operand=x.test), body=x.body, orelse=x.orelse),
                ),
            )


def return_changes(f: ast.FunctionDef, node: ast.Return) -> Iterator[tuple[str, ast.FunctionDef]]:
    value = node.value
    if f.name.startswith(("action_", "duty_", "when_", "invariant_")) or isinstance(
        value, ast.Compare | ast.BoolOp | ast.UnaryOp
    ):
        yield "an answer negated", edit(f, node, lambda x: ast.Return(value=ast.UnaryOp(op=ast.Not(), operand=x.value)))
    if isinstance(value, ast.Call) and called(value) in ("tuple", "union", "unique", "flat", "any", "all"):
        empty: ast.expr = ast.Tuple(elts=[], ctx=ast.Load())
        if called(value) in ("any", "all"):
            empty = ast.UnaryOp(op=ast.Not(), operand=copy.deepcopy(value))
        yield "a set emptied", edit(f, node, lambda x: ast.Return(value=empty))
    if "__by_" in f.name:
        yield "an exception struck", edit(f, node, lambda x: ast.Return(value=ast.Name(id="NOTHING", ctx=ast.Load())))


def edit(f: ast.FunctionDef, target: ast.AST, change: Callable[[Any], Any]) -> ast.FunctionDef:
    """A copy of the function with one node changed."""

    class Change(ast.NodeTransformer):
        def visit(self, node: ast.AST) -> Any:
            if node is target:
                return change(copy.deepcopy(node))
            return self.generic_visit_copy(node)

        def generic_visit_copy(self, node: ast.AST) -> ast.AST:
            made = copy.copy(node)
            for name, old in ast.iter_fields(node):
                if isinstance(old, list):
                    setattr(made, name, [self.visit(x) if isinstance(x, ast.AST) else x for x in old])
                elif isinstance(old, ast.AST):
                    setattr(made, name, self.visit(old))
            return made

    made = Change().visit(f)
    assert isinstance(made, ast.FunctionDef)
    return made


def picker(i: int) -> Callable[[ast.BoolOp], ast.expr]:
    return lambda x: x.values[i]


def negate(node: ast.If) -> ast.If:
    return ast.If(test=ast.UnaryOp(op=ast.Not(), operand=node.test), body=node.body, orelse=node.orelse)


def drop(node: ast.stmt) -> ast.Pass:
    return ast.Pass()


def strike(node: ast.Assign) -> ast.Assign:
    return ast.Assign(targets=node.targets, value=ast.Name(id="NOTHING", ctx=ast.Load()))


def is_effect(node: ast.AST) -> bool:
    """Whether a statement changes the state: an effect of the runtime, or a column given a value in place."""
    if isinstance(node, ast.Assign):
        return isinstance(node.targets[0], ast.Attribute)
    return isinstance(node, ast.Expr) and called(node.value) in EFFECTS


def called(node: ast.expr) -> str:
    return node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else ""


# ---------------------------------------------------------------- data


def table_mutants(loaded: Loaded, node: n.Table) -> Iterator[Mutant]:
    """Each cell in turn with another value of the same table."""
    known = vars(module_of(loaded.program, "fixed")).values()
    table: dict[Any, Any] = next((x for x in known if isinstance(x, Table) and x.name == node.name), Table({}, "", ""))
    values = list(dict.fromkeys(table.values()))
    for key, value in table.items():
        other = next((v for v in values if v != value), None)
        if other is None:
            other = value + 1 if isinstance(value, int) else None
        yield Mutant(f"the cell {key} changed", cell_swapper(table, key, other))


def cell_swapper(table: dict[Any, Any], key: Any, other: Any) -> Callable[[], Callable[[], None]]:
    def apply() -> Callable[[], None]:
        old = table[key]
        table[key] = other

        def undo() -> None:
            table[key] = old

        return undo

    return apply


def mark_mutants(loaded: Loaded, node: n.Mark) -> Iterator[Mutant]:
    """A mark that never goes away."""
    program = loaded.program
    column = f"{'place' if node.owner in ('hex', 'point') else node.owner}_{node.name}"
    if not any(column in columns for columns in program.resets.values()):
        return

    def apply() -> Callable[[], None]:
        old = program.resets
        program.resets = {k: tuple(x for x in v if x != column) for k, v in old.items()}

        def undo() -> None:
            program.resets = old

        return undo

    yield Mutant(f"the lifetime of {node.name} dropped", apply)
