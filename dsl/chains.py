"""The cap on chains: how many operators may stack up on the way down to one value.

In:  the tree of a block or of an expression.
Out: nothing.
Reports: RW105, raised as `Beyond`.
"""

from __future__ import annotations

from lark import Token, Tree

from .grammar import MOST_CHAIN, Beyond

# Rules that make the tree one level deeper, and rules whose children are joined to a chain.
LINKS = frozenset(
    ["or_", "and_", "not_", "plus", "minus", "times", "over", "neg", "dot", "else_set", "filter", "filter_as"]
) | frozenset(["any_", "no_", "every", "every_as", "supposing", "set_of", "list_of", "house"])
LISTS = frozenset(("conds", "duty", "invariant"))


def check_chains(tree: Tree[Token]) -> None:
    """Raise where operators stack up beyond the cap on the way down to any one value."""
    todo: list[tuple[Tree[Token], int]] = [(tree, 0)]
    while todo:
        node, links = todo.pop()
        if node.data in LINKS:
            links += 1
        elif node.data in LISTS:
            links += len(node.children)
        if links > MOST_CHAIN:
            raise Beyond(
                "RW105",
                Token("CHAIN", "", 0, node.meta.line, node.meta.column),
                f"an expression is a chain of more than {MOST_CHAIN} links",
                "name its parts with definitions, or list its members in a set or a table",
            )
        todo.extend((child, links) for child in node.children if isinstance(child, Tree))
