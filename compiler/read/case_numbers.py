"""Every case number in a tree of syntax, and the same tree with other numbers.

In:  a tree, and what becomes of a number.
Out: the tree with each number changed, the very same object where none is.

A number declares (`case 12.5`, the new number of `move`) or refers: to a case with declarations in it (`except`,
`waive`, `amend`, `after`, `keeping`, …), or to one that the print has (`covers`, `refused … by`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from functools import cache
from typing import Any, get_args

from rulewright.dsl import nodes as n

Change = Callable[[str, str, n.Node], str]
"""What becomes of a number: the number, how it is used (`declares`, `aims` or `cites`), and the node around it."""
DECLARES, AIMS, CITES = "declares", "aims", "cites"
NUMBERED: dict[type, tuple[tuple[str, str], ...]] = {
    n.Case: (("id", DECLARES),),
    n.MoveCase: (("old", AIMS), ("new", DECLARES)),
    n.Target: (("cases", AIMS),),
    n.Trigger: (("after", AIMS),),
    n.Strike: (("dropping", AIMS), ("keeping", AIMS)),
    n.Replace: (("keeping", AIMS), ("dropping", AIMS)),
    n.Covers: (("cases", CITES),),
    n.ExampleLine: (("words", CITES),),
}
"""The fields of nodes that hold numbers of cases."""


def renumbered(tree: Any, change: Change) -> Any:
    """A tree with every case number changed."""
    if isinstance(tree, tuple):
        parts = tuple(renumbered(x, change) for x in tree)
        return tree if all(x is y for x, y in zip(tree, parts, strict=True)) else parts
    if not isinstance(tree, n.Node):
        return tree
    made: dict[str, Any] = {}
    for name in leading_fields().get(type(tree), ()):
        old = getattr(tree, name)
        if old:
            new = renumbered(old, change)
            if new is not old:
                made[name] = new
    for name, use in numbered(tree):
        old = getattr(tree, name)
        if isinstance(old, tuple):
            new = tuple(change(x, use, tree) for x in old)
        else:
            new = old if old is None else change(old, use, tree)
        if new != old:
            made[name] = new
    return replace(tree, **made) if made else tree


@cache
def leading_fields() -> dict[type, tuple[str, ...]]:
    """The fields of each class of nodes below which numbers can stand, by their annotations; expressions have none."""
    classes = [x for x in vars(n).values() if isinstance(x, type) and issubclass(x, n.Node)]
    held = {x: [(f.name, mentioned(str(f.type))) for f in fields(x) if f.name != "span"] for x in classes}
    leading = {*NUMBERED}
    while more := [x for x in classes if x not in leading and any(m & leading for _, m in held[x])]:
        leading.update(more)
    return {x: tuple(name for name, m in held[x] if m & leading) for x in classes}


def mentioned(annotation: str) -> set[type]:
    """The classes of nodes that an annotation names, members of its unions too."""
    named = [vars(n)[word] for word in re.findall(r"\w+", annotation) if word in vars(n)]
    return {x for one in named for x in (get_args(one) or (one,)) if isinstance(x, type)}


def numbered(node: n.Node) -> tuple[tuple[str, str], ...]:
    if isinstance(node, n.ExampleLine) and node.sort != "refused":
        return ()
    return NUMBERED.get(type(node), ())


def declared_numbers(tree: Any) -> Iterator[str]:
    """The numbers of the cases that stand in a tree, and those that cases are moved to."""
    if isinstance(tree, tuple):
        for x in tree:
            yield from declared_numbers(x)
    elif isinstance(tree, n.Case):
        yield tree.id
        yield from declared_numbers(tree.body)
    elif isinstance(tree, n.MoveCase):
        yield tree.new
    elif isinstance(tree, n.Under | n.Overlay):
        yield from declared_numbers(tree.body)
