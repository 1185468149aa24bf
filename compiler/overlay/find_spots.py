"""Find where an amendment applies inside a declaration.

In:  a declaration, the part that a target names, and the old value.
Out: the spots at which the old value stands there.
"""

from __future__ import annotations

from rulewright.dsl import nodes as n

from .edit_tree import Spot, at, find
from .parts import parts


def named_spots(node: n.Decl, target: n.Target) -> list[Spot]:
    """Where to look in a declaration: at the part that a target names, else everywhere."""
    return [()] if target.facet is None else parts(node).get(target.facet, [])


def found_in(tree: n.Decl, where: list[Spot], wanted: n.Node) -> list[Spot]:
    """The spots of `wanted` within some parts, each once."""
    return list(dict.fromkeys(spot for part in where for spot in find(at(tree, part), wanted, part)))
