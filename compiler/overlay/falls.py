"""Rules that are written about a declaration, and fall with it when it is struck or replaced.

In:  a declaration that goes, what takes its place, and the entries that stay.
Out: the entries that were written about it: bans, stops, requirements, exceptions, contributions, waivers, what stands
     instead of it, triggers that wait for it or a phase of it, routes that are like it, and worked examples that ask
     for it.

A replacement with the same signature (the same sort of declaration, name, parameters and type) keeps them all.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rulewright.dsl import nodes as n
from rulewright.dsl import print as printing
from rulewright.dsl.compare import same

from ..core.entries import Entry, declared_name
from ..core.walk import below
from .parts import one_line

BASES = (n.Define, n.Quota, n.Remember, n.Route)
LAYERS = (*BASES, n.Except, n.Add)
WAIVED = (n.Rule, n.Duty, n.Trigger, n.Except, n.Add, n.Waive)


def about(entry: Entry, case: str, node: n.Decl, asked: Asked) -> bool:
    """Whether an entry is written about the declaration `node` of a case."""
    rule, name = entry.node, declared_name(node)
    match rule:
        case n.Rule():
            return rule.target == name and isinstance(node, n.Route | n.Matching | n.Action)
        case n.Add():
            return rule.name == name and isinstance(node, BASES) and has(node, rule.facet)
        case n.Except():
            there = case in rule.target.cases and isinstance(node, LAYERS)
            return there and rule.target.name in (None, name) and has(node, rule.target.facet)
        case n.Waive():
            there = case in rule.target.cases and isinstance(node, WAIVED)
            names = (None, name, node.target) if isinstance(node, n.Rule) else (None, name)
            return there and (rule.target.name in names or isinstance(node, n.Waive))
        case n.Instead():
            there = case in rule.target.cases and isinstance(node, n.Procedure | n.Action | n.Trigger)
            return there and rule.target.name in (None, name)
        case n.Trigger():
            if isinstance(node, n.Trigger):
                return rule.after == case and same(rule.event, node.event)
            if rule.event is None:
                return False
            if rule.event.sort in ("start", "end"):
                return isinstance(node, n.Procedure) and rule.event.name in phases(node)
            return rule.event.name == name and isinstance(node, n.Action | n.Procedure | n.Remember)
        case n.Route():
            return rule.like == name and isinstance(node, n.Route)
        case n.Example() if is_map(node):
            return any(x.sort == "given_map" and name in x.words for x in rule.lines)
        case n.Example():
            mere = isinstance(node, n.Rule | n.Except | n.Add | n.Trigger)
            return bool(name) and not mere and name in asked.names(rule)
        case _:
            return False


def is_map(node: n.Decl) -> bool:
    """Whether examples can say that they are played on it."""
    return isinstance(node, n.Data) and node.kind == "map"


def phases(node: n.Procedure) -> set[str]:
    """The phases of a sequence."""
    return {x.name for x in below(node) if isinstance(x, n.Phase)}


def has(node: n.Decl, facet: str | None) -> bool:
    """Whether a route has a facet; what is no route has none."""
    if not isinstance(node, n.Route):
        return True
    return facet is None or node.like is not None or any(x.name == facet for x in node.facets)


class Asked:
    """What worked examples ask and call, looked up in each of them once."""

    def __init__(self) -> None:
        self.known: dict[int, tuple[n.Example, frozenset[str]]] = {}

    def names(self, example: n.Example) -> frozenset[str]:
        """Every name that is asked or called somewhere."""
        known = self.known.get(id(example))
        if known is None:
            known = self.known[id(example)] = (example, frozenset(asked_in(example.lines)))
        return known[1]


def asked_in(tree: tuple[n.Node, ...]) -> Iterator[str]:
    for node in below(tree):
        match node:
            case n.Name(id=name) | n.Call(name=name):
                yield name
            case n.ExampleLine(sort="run" | "given_during", words=words):
                yield from words


def signature(node: n.Decl) -> tuple[Any, ...]:
    """What the rules about a declaration depend on: its sort, its name, what it is asked with, and what it answers."""
    params = tuple(f"{x.name}: {printing.type_name(x.type)}" for x in getattr(node, "params", ()))
    match node:
        case n.Define() | n.Remember() | n.Table() | n.Grow():
            return type(node).__name__, node.name, params, printing.type_name(node.type)
        case n.Route():
            return "Route", node.name, params
        case n.Matching():
            return "Matching", node.name, params, node.item, node.target
        case n.Rule():
            return "Rule", node.sort, node.target, node.label
        case n.Except():
            return "Except", node.target.name, node.target.facet
        case n.Add():
            return "Add", node.name, node.facet
        case n.Duty():
            return "Duty", node.name, node.var
        case n.Trigger():
            return "Trigger", None if node.event is None else printing.event(node.event)
        case _:
            return type(node).__name__, declared_name(node), params


def told(entry: Entry) -> str:
    """A rule in a word or two, with its case: `7 forbid march as blocked`."""
    node = entry.node
    match node:
        case n.Example():
            return f'{entry.case} "{node.title}"'
        case n.Rule():
            return f"{entry.case} {node.sort} {node.target}" + (f" as {node.label}" if node.label else "")
        case _:
            return f"{entry.case} {one_line(printing.declaration(node)[:1], 60).partition(':')[0]}"
