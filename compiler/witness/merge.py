"""Apply some of the differences between two declarations.

In:  two syntax nodes of one sort, and which of their differences to take from the second.
Out: a node with those parts of the second and everything else as in the first.

A difference is as small as possible: a word or number of a node, a node of another class, a list member that only one
side has. It is identified by its path, which is the same whenever the same two nodes are compared.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from typing import Any

from rulewright.dsl import nodes as n
from rulewright.dsl.parse import room_for_chains

from ..diff.entries import parts
from ..diff.smallest import code, equal, inner

Path = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Apart:
    """One difference: its path, the part on either side, and the enclosing nodes from the outermost inwards."""

    path: Path
    before: Any
    after: Any
    around: tuple[tuple[Any, Any], ...]

    def within(self, before: Any, after: Any) -> bool:
        """Whether it is a given difference or a part of it."""
        pairs = (*self.around, (self.before, self.after))
        held = any(
            (isinstance(before, n.Node) and a is before) or (isinstance(after, n.Node) and b is after) for a, b in pairs
        )
        return held or bool(not isinstance(before, n.Node) and self.before == before and self.after == after)


def differences(a: n.Node, b: n.Node) -> list[Apart]:
    """All differences of two nodes, in reading order."""
    found: list[Apart] = []

    def note(x: Apart) -> bool:
        found.append(x)
        return True

    with room_for_chains():
        Merge(note).both(a, b, (), ())
    return found


def merge(a: n.Node, b: n.Node, taken: Callable[[Path], bool]) -> Any:
    """The first node with the differences that are taken."""
    with room_for_chains():
        return Merge(lambda x: taken(x.path)).both(a, b, (), ())


class Merge:
    """One walk over two nodes; `take` decides for each difference."""

    def __init__(self, take: Callable[[Apart], bool]) -> None:
        self.take = take

    def both(self, a: Any, b: Any, path: Path, around: tuple[tuple[Any, Any], ...]) -> Any:
        if a is b or equal(a, b):
            return b
        if isinstance(a, tuple) and isinstance(b, tuple) and inner(a) and inner(b):
            return self.lists(a, b, path, around)
        if type(a) is not type(b) or not isinstance(a, n.Node):
            return b if self.take(Apart(path, a, b, around)) else a
        inside = (*around, (a, b))
        made = {}
        for name in parts(type(a)):
            x, y = getattr(a, name), getattr(b, name)
            chosen = self.both(x, y, (*path, name), inside)
            if chosen is not y:
                made[name] = chosen
        return replace(b, **made) if made else b

    def lists(self, a: Any, b: Any, path: Path, around: tuple[tuple[Any, Any], ...]) -> Any:
        """Two lists aligned by their equal members; the rest is paired in order."""
        lined = SequenceMatcher(None, [code(x) for x in a], [code(x) for x in b], autojunk=False)
        made: list[Any] = []
        for tag, i1, i2, j1, j2 in lined.get_opcodes():
            if tag == "equal":
                made += b[j1:j2]
                continue
            both = min(i2 - i1, j2 - j1)
            for k in range(both):
                made.append(self.both(a[i1 + k], b[j1 + k], (*path, i1 + k, j1 + k), around))
            for k in range(i1 + both, i2):
                if not self.take(Apart((*path, k, None), a[k], None, around)):
                    made.append(a[k])
            for k in range(j1 + both, j2):
                if self.take(Apart((*path, None, k), None, b[k], around)):
                    made.append(b[k])
        found = tuple(made)
        return b if len(found) == len(b) and all(x is y for x, y in zip(found, b, strict=True)) else found
