"""Walk what was emitted against an allow-list.

In:  the text of a generated module, cut between its statements.
Out: nothing; a module that could reach beyond the runtime is refused.

A piece is parsed by itself and must be whole statements, so that the pieces together hold
what the module holds. A piece that was walked before is not walked again.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterable

from ..cache.passed_checks import Clean

ALLOWED_NODES = frozenset((
    ast.Module, ast.Expr, ast.Constant, ast.Name, ast.Load, ast.Store, ast.Attribute, ast.Call, ast.keyword,
    ast.FunctionDef, ast.arguments, ast.arg, ast.Return, ast.If, ast.IfExp, ast.For, ast.Break, ast.Continue, ast.Pass,
    ast.Assign, ast.BoolOp, ast.And, ast.Or, ast.UnaryOp, ast.Not, ast.USub, ast.BinOp, ast.Add, ast.Sub, ast.Mult,
    ast.BitOr, ast.FloorDiv, ast.Mod, ast.Compare, ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.In,
    ast.NotIn, ast.Is, ast.IsNot, ast.Tuple, ast.List, ast.Dict, ast.Set, ast.Subscript, ast.Slice, ast.GeneratorExp,
    ast.ListComp, ast.comprehension, ast.Lambda, ast.Yield, ast.ImportFrom, ast.alias, ast.Starred,
))  # fmt: skip
ALLOWED_BUILTINS = {"any", "all", "sum", "len", "bool", "tuple", "range", "sorted", "frozenset", "set", "enumerate"}
ALLOWED_BUILTINS |= {"int", "str", "dict", "list", "object"}  # in signatures
REFUSED_NAMES = frozenset(dir(builtins)) - ALLOWED_BUILTINS
ALLOWED_MODULES = {"fractions", "__future__"}
OWN_MODULE = re.compile(r"data|names|fixed|kept|kernels|rules|chapter_[a-z0-9_]+")
"""A module of the package itself; the traced twin lies one folder deeper."""


class NotAllowed(Exception):
    """A generated module holds something that no rule can need: a defect of ours."""


def allow_pieces(pieces: Iterable[str], name: str, clean: Clean) -> None:
    """Refuse a module with a node or name outside the list."""
    for piece in pieces:
        if not clean.passed("piece", piece):
            allow(piece, name)
            clean.note("piece", piece)


def allow_arguments(arguments: Iterable[str], name: str, clean: Clean) -> None:
    """The same of the arguments of a call that stands at the end of a module, each whole by itself."""
    for argument in arguments:
        text = f"Program(\n{argument}\n)"
        if clean.passed("argument", text):
            continue
        match allow(text, name).body:
            case [ast.Expr(value=ast.Call(args=[], keywords=[_]))]:
                clean.note("argument", text)
            case _:
                raise NotAllowed(f"{name}: what should be one argument of the program is not")


def allow(text: str, name: str) -> ast.Module:
    """Refuse text with a node or name outside the list."""
    if not text.endswith("\n") and text.rsplit("\n", 1)[-1].rstrip().endswith("\\"):
        raise NotAllowed(f"{name}: a line that goes on in the next piece")
    tree = ast.parse(text, name)
    stack: list[ast.AST] = [tree]
    while stack:
        node = stack.pop()
        kind = type(node)
        if kind not in ALLOWED_NODES:
            raise NotAllowed(f"{name}: {kind.__name__} at line {getattr(node, 'lineno', 0)}")
        if kind is ast.Name:
            if node.id in REFUSED_NAMES:  # type: ignore[attr-defined]
                raise NotAllowed(f"{name}: the name {node.id} at line {node.lineno}")  # type: ignore[attr-defined]
            continue
        if kind is ast.Constant:
            continue
        if kind is ast.Tuple or kind is ast.List:
            stack += [x for x in node.elts if type(x) is not ast.Constant]  # type: ignore[attr-defined]
            continue
        if isinstance(node, ast.Attribute) and node.attr.startswith("_"):
            raise NotAllowed(f"{name}: the attribute {node.attr} at line {node.lineno}")
        if isinstance(node, ast.ImportFrom) and not is_allowed(node):
            raise NotAllowed(f"{name}: an import of {node.module}")
        for value in node.__dict__.values():
            if isinstance(value, ast.AST):
                stack.append(value)
            elif type(value) is list:
                stack += [x for x in value if isinstance(x, ast.AST)]
    return tree


def is_allowed(node: ast.ImportFrom) -> bool:
    """Whether an import stays within the runtime, the package itself and exact numbers."""
    if node.level == 0:
        return (node.module or "").startswith("rulewright.runtime.") or node.module in ALLOWED_MODULES
    if node.level > 2:
        return False
    named = [node.module] if node.module is not None else [a.name for a in node.names]
    return all(OWN_MODULE.fullmatch(x) for x in named)
