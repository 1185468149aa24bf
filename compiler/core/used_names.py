"""The words that declarations name, and the house values that they rest on.

In:  declarations of a rule set.
Out: the names that a declaration uses; for each name the house values behind it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields
from typing import Any

from rulewright.dsl import nodes as n

from .entries import Entry

WORDS = ("id", "name", "trait", "action", "phase", "quota", "owner")


def used(node: Any) -> set[str]:
    """Every word that a tree names; a name that it binds itself is none."""
    found: set[str] = set()
    own: set[str] = set()
    plain: set[str] = set()
    todo: list[Any] = [node]
    while todo:
        x = todo.pop()
        if isinstance(x, tuple):
            todo += x
        elif isinstance(x, str):
            found.add(x)
        elif isinstance(x, n.Node):
            if isinstance(x, n.Literal):
                found.add(f"@{x.value}" if x.sort == "hex" else str(x.value))
                if x.sort in ("hex", "date"):
                    found.add(x.sort)
                continue
            if isinstance(x, n.Name):
                plain.add(x.id)
                continue
            binds = bound(x)
            own |= binds
            for f in fields(x):
                value = getattr(x, f.name)
                if isinstance(value, str) and f.name in WORDS and value not in binds:
                    found.add(value)
                elif isinstance(value, n.Node | tuple):
                    todo.append(value)
    return found | (plain - own)


def bound(node: n.Node) -> set[str]:
    """The names that a node binds for what stands in it or after it."""
    match node:
        case n.Param() | n.Let() | n.Ask():
            return {node.name}
        case n.ForEach() | n.Quantified():
            return {node.var}
    return set()


HOUSE = (n.Table, n.Define, n.Field)


def house_names(entries: Iterable[Entry]) -> dict[str, set[str]]:
    """For each name that a rule set declares the values of our own making that it rests on, itself or through others.

    What a value of our own making was made from is no matter of the rule that reads it.
    """
    asks: dict[str, set[str]] = {}
    made_up: set[str] = set()
    for e in entries:
        if isinstance(e.node, n.Example | n.Note | n.Data):
            continue
        for name in e.node.names if isinstance(e.node, n.Field) else (e.name,):
            asks.setdefault(name, set()).update(used(e.node))
            if e.house and isinstance(e.node, HOUSE):
                made_up.add(name)
    rests: dict[str, set[str]] = {name: ({name} if name in made_up else set()) for name in asks}
    grown = True
    while grown:
        grown = False
        for name, words in asks.items():
            if name in made_up:
                continue
            more = set().union(*(rests[w] for w in words if w in rests)) - rests[name]
            if more:
                rests[name] |= more
                grown = True
    return rests
