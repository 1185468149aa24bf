"""Traces: what a value was made of, told by the traced twin of the rules while it reckons.

A node is a call with its arguments, the case that answered, the value, below it what it asked in turn, and the parts of
a reckoning; one without a name holds a reckoning that belongs to the node above. `S.trace` is the list that is being
filled. Nodes are bare tuples until somebody looks at them (`nodes`), and an answer that is kept keeps its node, so that
asking again shares it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from ..state import State
from ..values import AND

ALSO = "also"
"""A part that makes a flag or a set, beside others that do."""


class Node(NamedTuple):
    name: str
    args: tuple[Any, ...]
    case: str
    value: Any
    below: Iterable[Any]
    parts: Iterable[tuple[str, str, Any, Any]] = ()


def cases_behind(node: Node) -> tuple[str, ...]:
    """The cases that made a value: the one that answered, and all others without which its ground would be another."""
    also = (case for cases, how, *_ in node.parts if how == ALSO for case in cases.split(AND))
    return tuple(dict.fromkeys((node.case, *also)))


def nodes(told: Iterable[Any]) -> tuple[Node, ...]:
    """What was told, to be read; exceptions that agree stand side by side."""
    return tuple(side_by_side(Node._make(x)) if AND in x[2] else Node._make(x) for x in told)


def side_by_side(node: Node) -> Node:
    case, *others = node.case.split(AND)
    return node._replace(case=case, parts=(*node.parts, *((x, ALSO, node.value, node.value) for x in others)))


def tell_again(S: State, node: Any) -> Any:
    """What a node says, put where it is asked again."""
    S.trace.append(node)
    return node[3]


def tell_all(S: State, above: Any, value: Any, asked: list[Any]) -> tuple[Any, list[Any]]:
    """A value without a node of its own, and what was asked for it, put where it is asked."""
    S.trace = above
    above += asked
    return value, asked


def told_once(S: State, ask: Callable[..., Any], *about: Any) -> Any:
    """The node of an answer that nothing can change."""
    S.trace = []
    ask(S, *about)
    return S.trace[-1]


def traced_so_far(S: State) -> Any:
    """How much has been traced, to tell later what one question added."""
    return S.trace, len(S.trace)


def traced_since(S: State, mark: Any) -> Any:
    S.trace, count = mark
    return nodes(S.trace[count:]) or None
