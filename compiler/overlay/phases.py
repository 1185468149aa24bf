"""Find a phase inside a declaration, and put statements before, after, into or in place of it.

In:  a declaration and an amendment of a phase.
Out: the declaration as amended.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rulewright.dsl import nodes as n
from rulewright.dsl.compare import same

from .edit_tree import Spot, rebuilt


def phases(tree: Any, name: str, spot: Spot = ()) -> list[Spot]:
    """Where a phase stands in a declaration."""
    if isinstance(tree, tuple):
        return [x for i, part in enumerate(tree) for x in phases(part, name, (*spot, i))]
    if not isinstance(tree, n.Node):
        return []
    here = [spot] if isinstance(tree, n.Phase) and tree.name == name else []
    parts = [f for f in ("body", "other", "arms", "otherwise", "failing") if hasattr(tree, f)]
    return [*here, *(x for f in parts for x in phases(getattr(tree, f), name, (*spot, f)))]


def nodes_of(tree: Any, kind: type[n.Phase]) -> list[n.Phase]:
    if isinstance(tree, tuple):
        return [x for part in tree for x in nodes_of(part, kind)]
    if not isinstance(tree, n.Node):
        return []
    inner = [x for f in ("body", "other") if hasattr(tree, f) for x in nodes_of(getattr(tree, f), kind)]
    return [tree, *inner] if isinstance(tree, kind) else inner


def fitted(tree: Any, node: n.Insert) -> Any:
    """A declaration with the statements of `node` set beside its phase, or in its place."""
    if not isinstance(tree, tuple):
        return rebuilt(tree, lambda x: fitted(x, node))
    found: list[Any] = []
    for item in tree:
        here = isinstance(item, n.Phase) and item.name == node.phase
        if here and node.where in ("before", "replace"):
            found += node.body
        if here and node.where == "into":
            found.append(joined(item, node.body))
        elif not here or node.where in ("before", "after"):
            found.append(fitted(item, node))
        if here and node.where == "after":
            found += node.body
    return tuple(found)


def joined(phase: n.Phase, more: tuple[n.Stmt, ...]) -> n.Phase:
    """A phase with more in it: an offer joins the window of the same side that stands there already."""
    body = list(phase.body)
    for stmt in more:
        at = next((i for i, x in enumerate(body) if isinstance(stmt, n.Offer) and window(x, stmt)), None)
        if at is None:
            body.append(stmt)
        else:
            old = body[at]
            assert isinstance(old, n.Offer) and isinstance(stmt, n.Offer)
            body[at] = replace(old, actions=(*old.actions, *stmt.actions))
    return replace(phase, body=tuple(body))


def window(one: n.Stmt, other: n.Offer) -> bool:
    return isinstance(one, n.Offer) and one.sort == other.sort and same(one.side, other.side)
