"""Find and change parts of syntax trees.

In:  a tree, and a spot: the fields and numbers that lead to a part of it.
Out: the part, or the tree with another one in its place; trees are never changed in place.

A spot is the way down to a part: names of fields and places in tuples.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any

from rulewright.dsl import nodes as n
from rulewright.dsl.compare import same

Spot = tuple[object, ...]
NAMED = ("id", "name", "target", "phase", "action", "trait")


def find(tree: Any, wanted: n.Node, spot: Spot = ()) -> list[Spot]:
    """Every spot at which `wanted` stands; a number is never found inside another one."""
    if same(tree, wanted):
        return [spot]
    if isinstance(tree, tuple):
        return [found for i, x in enumerate(tree) for found in find(x, wanted, (*spot, i))]
    if isinstance(tree, n.Node) and not number(tree):
        parts = (f.name for f in fields(tree) if f.name != "span")
        return [found for name in parts for found in find(getattr(tree, name), wanted, (*spot, name))]
    return []


def number(tree: n.Node) -> bool:
    """Whether a tree is one number as a reader sees it: a literal, `-2`, or the fraction `1/2`."""
    match tree:
        case n.Literal():
            return tree.sort in ("number", "ratio")
        case n.Unary(op="-"):
            return number(tree.value)
        case n.Binary(op="/"):
            return number(tree.left) and number(tree.right)
        case _:
            return False


def at(tree: Any, spot: Spot) -> Any:
    """What stands at a spot."""
    for step in spot:
        tree = tree[step] if isinstance(step, int) else getattr(tree, str(step))
    return tree


def put(tree: Any, spot: Spot, new: Any) -> Any:
    """The tree with something else at one spot."""
    if not spot:
        return new
    first, *rest = spot
    if isinstance(first, int):
        return (*tree[:first], put(tree[first], tuple(rest), new), *tree[first + 1 :])
    return replace(tree, **{str(first): put(getattr(tree, str(first)), tuple(rest), new)})


def rebuilt(value: Any, change: Callable[[Any], Any]) -> Any:
    """A node with its parts changed."""
    if not isinstance(value, n.Node):
        return value
    parts = {}
    for f in fields(value):
        old = getattr(value, f.name)
        if f.name != "span" and isinstance(old, n.Node | tuple):
            new = change(old)
            if new is not old:
                parts[f.name] = new
    return replace(value, **parts) if parts else value


def renamed(tree: Any, old: str, new: str) -> Any:
    """The tree with a declared name changed wherever it is used."""
    if isinstance(tree, tuple):
        return tuple(new if x == old else renamed(x, old, new) for x in tree)
    if not isinstance(tree, n.Node):
        return tree
    made = rebuilt(tree, lambda x: renamed(x, old, new))
    named = {f.name: new for f in fields(made) if f.name in NAMED and getattr(made, f.name) == old}
    return replace(made, **named) if named else made


def overlap(one: Spot, other: Spot) -> bool:
    """Whether two spots of one declaration are the same element, or one holds the other.

    Rows, columns and cells of a table are `("cell", row, column)` with None for all of them.
    """
    if one[:1] == ("cell",) and other[:1] == ("cell",):
        return all(a is None or b is None or a == b for a, b in zip(one[1:], other[1:], strict=True))
    shorter = min(len(one), len(other))
    return one[:shorter] == other[:shorter]
