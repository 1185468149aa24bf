"""House values behind a value: what it reads of a house counter or map, and what it asks that is house.

In:  a traced value with all that it asked.
Out: the words to put behind its case, none where everything behind it is printed.
"""

from __future__ import annotations

from collections.abc import Iterable

from ..program import Program
from .trace import Node, nodes

RESTS = "rests on house values"


def house_behind(program: Program, node: Node) -> tuple[str, ...]:
    """What is house about a value: a counter or the map that it reads, or something further down."""
    own = tuple(read_here(program, node))
    return own or ((RESTS,) if further_down(program, node, set()) else ())


def read_here(program: Program, node: Node) -> Iterable[str]:
    """`house counter` where a house counter is among the arguments and what is printed on it is read; `house map`."""
    reads = program.house.get(f"{node.name} reads", "")
    if "unit" in reads:
        types = program.signature(node.name)[0]
        given = [
            x for type, x in zip(types, node.args, strict=False) if type.rpartition(" ")[2].rpartition(":")[2] == "unit"
        ]
        units = [u for x in given for u in (x if isinstance(x, tuple) else (x,)) if u is not None]
        if any(program.house.get(f'"{program.units[u]}"') for u in units):
            yield "house counter"
    if "place" in reads:
        yield "house map"


def further_down(program: Program, node: Node, seen: set[tuple[str, str]]) -> bool:
    """Whether something that a value asked, at once or through others, is house."""
    for x in nodes(node.below):
        key = x.name, repr(x.args)
        if key in seen:
            continue
        seen.add(key)
        told = program.house.get(f"{x.case} {x.name.partition('.')[0]}") or program.house.get(x.case)
        if told or any(read_here(program, x)) or further_down(program, x, seen):
            return True
    return False
