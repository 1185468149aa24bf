"""Build syntax nodes from Lark's trees.

In:  the tree of one block.
Out: its declarations, or one expression.
"""

from __future__ import annotations

from lark import Token, Tree

from .. import nodes as n
from ..source import Origin
from .expressions import Expressions
from .overlays import Overlays
from .play import Play


def build(tree: Tree[Token], origin: Origin) -> tuple[n.Decl, ...]:
    """The declarations of one parsed block."""
    return tuple(Builder(origin).every(tree.children))


def build_expression(tree: Tree[Token], origin: Origin) -> n.Expr:
    """One parsed expression."""
    found: n.Expr = Builder(origin)(tree.children[0])
    return found


class Builder(Play, Overlays, Expressions):
    """Every rule of the grammar."""
