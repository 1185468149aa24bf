"""The values of a definition before and after a fact, if both are numbers that follow from the text alone.

In:  a fact about a definition, an exception or a contribution, and both books.
Out: the definition's name with its values on both sides where the changed clause applies, computed through the stages
     of a gathered number with no other contribution; or None.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rulewright.dsl import nodes as n

from ...core import nodes as c
from ..facts import Fact
from .evaluate import UNKNOWN, Known

Number = int | Fraction


@dataclass(frozen=True, slots=True)
class Changed:
    """A definition with two values; `told` are the numbers in the text, before and after."""

    name: str
    before: Number
    after: Number
    told: tuple[Number, Number]
    adds: bool = False
    """Whether other cases may add to the value."""


def changed_value(f: Fact, a: c.Book, b: c.Book) -> Changed | None:
    """The value of a definition before and after, where the changed clause applies."""
    if f.element not in ("definition", "exception", "contribution", "memory"):
        return None
    name = aimed(f)
    ours, theirs = a.definitions.get(name), b.definitions.get(name)
    if ours is None or theirs is None or ours.sort != "define":
        return None
    sides = clause_of(f, 0, ours), clause_of(f, 1, theirs)
    if f.kind == "amended":
        if sides[0] is None or sides[1] is None:
            return None
    elif f.kind not in ("added", "struck") or f.element == "definition":
        return None
    values: list[Number] = []
    told: list[Number] = []
    for d, book, found in ((ours, a, sides[0]), (theirs, b, sides[1])):
        if found is None:
            value: Any = total(d, book, None)
            amount: Any = 0 if f.element == "contribution" else value
        else:
            layer, clause = found
            amount = Known(book).value(clause.value)
            value = total(d, book, (layer, clause, amount))
        if not isinstance(value, int | Fraction) or not isinstance(amount, int | Fraction):
            return None
        values.append(value)
        told.append(amount)
    return Changed(name, values[0], values[1], (told[0], told[1]), bool(ours.contributions or theirs.contributions))


def aimed(f: Fact) -> str:
    entry = f.new or f.old
    match entry.node if entry is not None else None:
        case n.Define(name=name):
            return name
        case n.Add(name=name, facet=facet):
            return f"{name}.{facet}" if facet else name
        case n.Except(target=target):
            return (target.name or "") + (f".{target.facet}" if target.facet else "")
    return ""


def clause_of(f: Fact, side: int, d: c.Definition) -> tuple[c.Layer, c.Clause] | None:
    """The clause whose value a fact changes on one side; None where it is absent, or another part changed."""
    entry = (f.old, f.new)[side]
    if entry is None:
        return None
    span = entry.node.span
    layers = [x for x in d.layers() if x.span.origin is span.origin and holds(span, x.span)]
    clauses = [(layer, x) for layer in layers for x in layer.clauses]
    if f.part is None:
        return clauses[0] if len(clauses) == 1 else None
    part = (f.part.before, f.part.after)[side]
    if not isinstance(part, n.Node):
        return None
    found = [
        (layer, x)
        for layer, x in clauses
        if any(y.span.origin is part.span.origin and holds(part.span, y.span) for y in x.value.walk())
    ]
    return found[0] if len(found) == 1 else None


def holds(outer: Any, inner: Any) -> bool:
    return bool(
        (outer.row, outer.column) <= (inner.row, inner.column)
        and (inner.end_row, inner.end_column) <= (outer.end_row, outer.end_column)
    )


def total(d: c.Definition, book: c.Book, found: tuple[c.Layer, c.Clause, Any] | None) -> Any:
    """A definition where one clause applies and nothing else contributes; UNKNOWN if its base is not plain."""
    contributed = found is not None and any(found[0] in x.layer.walk() for x in d.contributions)
    if found is not None and not contributed and not d.gathered:
        return found[2]
    base = found[2] if found is not None and not contributed else plain_base(d, book)
    if not d.gathered:
        return base
    if base is UNKNOWN:
        base = 0 if found is not None and not d.stages and found[1].operation != "times" else UNKNOWN
    stage = next((x.stage for x in d.contributions if found is not None and found[0] in x.layer.walk()), None)
    value = base
    for s in d.stages or (c.Stage(name=""),):
        if not isinstance(value, int | Fraction):
            return UNKNOWN
        if contributed and found is not None and (not d.stages or s.name == stage):
            if found[2] is UNKNOWN:
                return UNKNOWN
            value = value * found[2] if found[1].operation == "times" else value + found[2]
        value = rounded(value, s.round)
        for cap, pick in ((s.most, min), (s.least, max)):
            if cap is not None:
                end = Known(book).value(cap)
                if not isinstance(end, int | Fraction):
                    return UNKNOWN
                value = pick(value, end)
    return value


def plain_base(d: c.Definition, book: c.Book) -> Any:
    """The value of the base of a definition; UNKNOWN where it has several clauses or a condition."""
    clauses = d.base.clauses
    if d.base.lets or len(clauses) != 1 or clauses[0].guard is not None:
        return UNKNOWN
    return Known(book).value(clauses[0].value)


def rounded(value: Number, how: str) -> Number:
    match how:
        case "up":
            return math.ceil(value)
        case "down":
            return math.floor(value)
        case "nearest":
            return math.floor(value + Fraction(1, 2))
    return value
