"""The conditions under which a changed declaration applies, as goals for a position.

In:  a book, and the span of a changed declaration or the name of an action.
Out: conditions, each with the value that makes the declaration apply or the action possible.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..core import nodes as c
from ..core import types as t
from ..core.walk import all_statements, waiver_exprs
from ..diff.facts import inside

Condition = tuple[c.Expr, bool]


def conditions(book: c.Book, span: Any) -> list[Condition]:
    """The conditions inside a span, each with the value that makes the declaration apply."""

    def here(x: Any) -> bool:
        return x.span.origin is span.origin and inside(x, span)

    found: list[Condition] = []
    for d in book.definitions.values():
        for layer in d.layers():
            if here(layer):
                found += layer_conditions(layer)
            found += [(x, True) for v in layer.waivers if here(v) for x in waiver_exprs(v)]
    groups: tuple[c.Route | c.Matching | c.Action, ...] = (
        *book.routes.values(),
        *book.matchings.values(),
        *book.actions.values(),
    )
    for rule in (r for g in groups for r in g.rules):
        if here(rule):
            found += [(x, True) for x in (rule.guard,) if x is not None]
            found.append((rule.test, rule.sort != "require"))
        found += [(x, True) for v in rule.waivers if here(v) for x in waiver_exprs(v)]
    for trigger in book.triggers:
        if here(trigger) and trigger.guard is not None:
            found.append((trigger.guard, True))
        found += [(x, True) for v in trigger.waivers if here(v) for x in waiver_exprs(v)]
    for duty in book.duties.values():
        if here(duty):
            found.append((duty.test, False))
    for p in (
        *book.procedures.values(),
        *(a.procedure for a in book.actions.values()),
        *(x.procedure for x in book.triggers),
    ):
        found += [(x.guard, True) for x in p.wrappers if here(x) and x.guard is not None]
        if here(p):
            found += [(s.test, True) for s in all_statements(p) if isinstance(s, c.If)]
    return found


def layer_conditions(layer: c.Layer) -> Iterator[Condition]:
    """The guards of a layer, and its values where they are conditions."""
    for clause in layer.clauses:
        if clause.guard is not None:
            yield clause.guard, True
        if clause.value.type == t.FLAG and not isinstance(clause.value, c.Const):
            yield clause.value, True


def offer_conditions(book: c.Book, action: str) -> list[Condition]:
    """The conditions under which an action is offered at all."""
    a = book.actions.get(action)
    if a is None:
        return []
    found: list[Condition] = [
        (c.IsIn(c.Local(p.name, type=p.type, span=p.domain.span), p.domain, type=t.FLAG, span=p.domain.span), True)
        for p in a.params
        if p.domain is not None and p.type.of is None
    ]
    found += [(r.test, r.sort == "require") for r in a.rules]
    return found
