"""Walk what was emitted against an allow-list.

In:  the text of a generated module.
Out: nothing; a module that could reach beyond the runtime is refused.
"""

from __future__ import annotations

import ast
import builtins

ALLOWED_NODES = (
    ast.Module, ast.Expr, ast.Constant, ast.Name, ast.Load, ast.Store, ast.Attribute, ast.Call, ast.keyword,
    ast.FunctionDef, ast.arguments, ast.arg, ast.Return, ast.If, ast.IfExp, ast.For, ast.Break, ast.Continue, ast.Pass,
    ast.Assign, ast.BoolOp, ast.And, ast.Or, ast.UnaryOp, ast.Not, ast.USub, ast.BinOp, ast.Add, ast.Sub, ast.Mult,
    ast.Mod, ast.Compare, ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.In, ast.NotIn, ast.Is,
    ast.IsNot, ast.Tuple, ast.List, ast.Dict, ast.Set, ast.Subscript, ast.Slice, ast.GeneratorExp, ast.ListComp,
    ast.comprehension, ast.Lambda, ast.ImportFrom, ast.alias, ast.Starred,
)  # fmt: skip
ALLOWED_BUILTINS = {"any", "all", "sum", "len", "bool", "tuple", "range", "sorted", "frozenset", "set", "enumerate"}
ALLOWED_MODULES = {"fractions", "__future__"}


class NotAllowed(Exception):
    """A generated module holds something that no rule can need: a defect of ours."""


def allow(text: str, name: str) -> None:
    """Refuse a module with a node or name outside the list."""
    for node in ast.walk(ast.parse(text, name)):
        if not isinstance(node, ALLOWED_NODES):
            raise NotAllowed(f"{name}: {type(node).__name__} at line {getattr(node, 'lineno', 0)}")
        if isinstance(node, ast.Name) and hasattr(builtins, node.id) and node.id not in ALLOWED_BUILTINS:
            raise NotAllowed(f"{name}: the name {node.id} at line {node.lineno}")
        if isinstance(node, ast.Attribute) and node.attr.startswith("_"):
            raise NotAllowed(f"{name}: the attribute {node.attr} at line {node.lineno}")
        if isinstance(node, ast.ImportFrom):
            inside = (node.module or "").startswith("rulewright.runtime.") or (node.level == 1 and node.module is None)
            if not inside and node.module not in ALLOWED_MODULES:
                raise NotAllowed(f"{name}: an import of {node.module}")
