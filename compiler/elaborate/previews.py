"""Elaborate previews: what is worth knowing of a choice before it is made, each lowered to a definition.

In:  the entries, and the actions of the book in the core.
Out: `Preview`s, and in the book a definition for each, over the actor and the parameters of the action.
Reports: RW201 a preview of an action that is not there, RW202 two previews of one name, and what expressions find.

The definition is called by the action and the name (`attack_odds`), so that examples, `why` and other rules can ask it.
"""

from __future__ import annotations

from rulewright.dsl import nodes as n
from rulewright.dsl.diagnostics import choose

from ..core import nodes as c
from ..core import types as t
from ..core.entries import Entry
from ..read.symbols import Scope, Signature
from .doctrines import Elaborating


def build_previews(made: Elaborating) -> None:
    """All previews, in the order of the text."""
    seen: dict[tuple[str, str], str] = {}
    for entry in made.entries:
        node = entry.node
        if not isinstance(node, n.Preview):
            continue
        made.report.case = entry.case
        action = made.book.actions.get(node.action)
        if action is None:
            help = choose(node.action, made.book.actions, "actions")
            made.report.error("RW201", node.span.find(node.action), f'no action is called "{node.action}"', help=help)
        elif (node.action, node.name) in seen:
            there = seen[node.action, node.name]
            message = f'"{node.name}" is previewed twice of {node.action} (also in case {there})'
            made.report.error("RW202", node.span, message, help="rename one of them")
        else:
            seen[node.action, node.name] = entry.case
            made.book.previews.append(preview(made, entry, node, action))
    made.report.case = ""


def preview(made: Elaborating, entry: Entry, node: n.Preview, action: c.Action) -> c.Preview:
    """One preview, and its definition."""
    params = (
        c.Param(name="actor", type=t.SIDE),
        *(c.Param(name=p.name, type=p.type) for p in action.params if p.name != "actor"),
    )
    value = made.e.hinted(node.value, Scope({p.name: p.type for p in params}), None)
    taken = {*made.symbols.callables, *made.symbols.actions, *made.symbols.procedures}
    own = first = f"{node.action}_{node.name}"
    at = 1
    while own in taken:
        at += 1
        own = f"{first}_{at}"
    clause = c.Clause(value=value, guard=None, span=node.value.span)
    layer = c.Layer(
        id=f"{entry.case} {own}",
        case=entry.case,
        overlay=entry.overlay,
        house=entry.house,
        lets=(),
        clauses=(clause,),
        span=node.span,
    )
    made.book.definitions[own] = c.Definition(name=own, params=params, type=value.type, base=layer)
    made.symbols.callables[own] = Signature(sort="define", name=own, params=params, type=value.type, entry=entry)
    return c.Preview(
        action=node.action,
        name=node.name,
        definition=own,
        case=entry.case,
        overlay=entry.overlay,
        span=node.span,
    )
