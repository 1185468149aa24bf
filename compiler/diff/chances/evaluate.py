"""Evaluate core expressions exactly, given values for dice and for one definition.

In:  an expression, values of local names (dice) and of definitions.
Out: its value, or `UNKNOWN` where it depends on a position.

`analyse/three_valued.py` evaluates conditions for the checks and leaves definitions and tables open; this evaluator
computes both.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, assert_never

from ...analyse.three_valued import compared
from ...core import nodes as c
from ...core.types import empty_of
from ..meaning.canonical import Canonical, numeric


class Unknown:
    """A value that depends on a position."""

    def __repr__(self) -> str:
        return "UNKNOWN"


UNKNOWN = Unknown()
SILENT = object()
HALF = Fraction(1, 2)
ROUNDED = {"up": math.ceil, "down": math.floor, "nearest": lambda x: math.floor(x + HALF)}


@dataclass(frozen=True, slots=True)
class Known:
    """What is known: a book, values of names, replaced definitions, and values of definitions.

    A definition is computed from its clauses if its arguments decide them; otherwise its value is looked up in `calls`.
    """

    book: c.Book
    names: Mapping[str, Any] = field(default_factory=dict)
    calls: Mapping[str, Any] = field(default_factory=dict)
    swapped: Mapping[str, c.Definition] = field(default_factory=dict)
    deep: int = 8

    def value(self, e: c.Expr) -> Any:
        """The value of an expression."""
        match e:
            case c.Const():
                return e.value
            case c.Local():
                return self.names.get(e.name, UNKNOWN)
            case c.Call():
                value = self.defined(e)
                return self.calls.get(e.name, UNKNOWN) if value is UNKNOWN else value
            case c.And() | c.Or():
                left, right = self.value(e.left), self.value(e.right)
                ends = isinstance(e, c.Or)
                if ends in (left, right):
                    return ends
                return UNKNOWN if UNKNOWN in (left, right) else right
            case c.Not():
                value = self.value(e.value)
                return UNKNOWN if value is UNKNOWN else not value
            case c.Choose():
                test = self.value(e.test)
                return UNKNOWN if test is UNKNOWN else self.value(e.then if test else e.otherwise)
            case c.Equal() | c.Unequal() | c.Less() | c.AtMost() | c.More() | c.AtLeast():
                return self.compared(e)
            case c.Plus() | c.Minus() | c.Times() | c.Over() | c.Negative() if numeric(e.type):
                return self.number(e)
            case c.Highest() | c.Lowest():
                return self.extreme(e)
            case _:
                return self.built(e)

    def built(self, e: c.Expr) -> Any:
        """The value of an operator all of whose operands are known."""
        values: list[Any] = [self.value(x) for x in e.args] if not isinstance(e, c.Loop) else [UNKNOWN]
        if UNKNOWN in values:
            return UNKNOWN
        match e:
            case c.Between():
                return values[1] <= values[0] <= values[2]
            case c.IsIn() if isinstance(values[1], tuple):
                return values[0] in values[1]
            case c.SetOf() | c.ListOf():
                return tuple(values)
            case c.Range():
                return tuple(range(math.ceil(values[0]), math.floor(values[1]) + 1))
            case c.BuiltinCall() if e.name in ROUNDED:
                return ROUNDED[e.name](values[0])
            case c.OnScale():
                return max((i for i, step in enumerate(e.steps) if step <= values[0]), default=-1)
            case c.Shifted():
                return min(max(values[0] + math.floor(values[1]), 0), e.last)
            case c.Member() if isinstance(values[0], tuple):
                return values[0][e.index]
            case c.TableCell():
                return cell(self.book.tables[e.name], tuple(values))
        return UNKNOWN

    def compared(self, e: c.Equal | c.Unequal | c.Less | c.AtMost | c.More | c.AtLeast) -> Any:
        left, right = self.value(e.left), self.value(e.right)
        if left is UNKNOWN or right is UNKNOWN or isinstance(left, tuple) or isinstance(right, tuple):
            return UNKNOWN
        if (left is None or right is None) and not isinstance(e, c.Equal | c.Unequal):
            return UNKNOWN
        return compared(e, left, right)

    def number(self, e: c.Plus | c.Minus | c.Times | c.Over | c.Negative) -> Any:
        values = [self.value(x) for x in e.args]
        if any(not isinstance(x, int | Fraction) for x in values):
            return UNKNOWN
        match e:
            case c.Plus():
                return values[0] + values[1]
            case c.Minus():
                return values[0] - values[1]
            case c.Times():
                return values[0] * values[1]
            case c.Negative():
                return -values[0]
            case c.Over():
                return Fraction(values[0]) / Fraction(values[1]) if values[1] else UNKNOWN
            case _:
                assert_never(e)

    def extreme(self, e: c.Highest | c.Lowest) -> Any:
        """The highest or lowest over a set of known members."""
        members = self.value(e.base)
        if not isinstance(members, tuple) or not members:
            return UNKNOWN
        values = [replace(self, names={**self.names, e.var: x}).value(e.value) for x in members]
        if any(not isinstance(x, int | Fraction) for x in values):
            return UNKNOWN
        return max(values) if isinstance(e, c.Highest) else min(values)

    # ------------------------------------------------------------ definitions

    def defined(self, e: c.Call) -> Any:
        """The value of a definition, if its arguments decide it."""
        d = self.swapped.get(e.name) or self.book.definitions[e.name]
        if d.sort != "define" or not self.deep:
            return UNKNOWN
        names = {p.name: self.value(x) for p, x in zip(d.params, e.asked, strict=False)}
        inner = replace(self, names={k: v for k, v in names.items() if v is not UNKNOWN}, deep=self.deep - 1)
        value = inner.layer(d.base)
        if value is SILENT:
            value = empty_of(d.type)
        if value is UNKNOWN or not d.gathered:
            return value
        if d.type.many or d.type.name not in ("number", "ratio") or not isinstance(value, int | Fraction):
            return UNKNOWN
        for stage in d.stages or (c.Stage(name=""),):
            value = inner.stage_value(d, stage, value)
            if value is UNKNOWN:
                return UNKNOWN
        return value

    def layer(self, x: c.Layer) -> Any:
        """The value of a layer: SILENT where no clause applies, UNKNOWN where that is not decided."""
        known = self
        for name, value in x.lets:
            found = known.value(value)
            known = known if found is UNKNOWN else replace(known, names={**known.names, name: found})
        if any(w.guard is None or known.value(w.guard) is not False for w in x.waivers):
            return UNKNOWN
        if any(known.layer(y) is not SILENT for y in x.exceptions):
            return UNKNOWN
        for clause in x.clauses:
            holds = True if clause.guard is None else known.value(clause.guard)
            if holds is UNKNOWN:
                return UNKNOWN
            if holds:
                return known.value(clause.value)
        return SILENT

    def stage_value(self, d: c.Definition, stage: c.Stage, value: Any) -> Any:
        """One stage of a gathered number: its contributions, then rounding, then caps."""
        amounts: list[tuple[str, Any]] = []
        for x in d.contributions:
            if d.stages and x.stage != stage.name:
                continue
            given = self.layer(x.layer)
            if given is SILENT:
                continue
            if not isinstance(given, int | Fraction) or len({y.operation for y in x.layer.clauses}) != 1:
                return UNKNOWN
            amounts.append((x.layer.clauses[0].operation, given))
        if stage.once and amounts:
            amounts = [max(amounts, key=lambda a: abs(a[1]))]
        for operation, amount in amounts:
            value = value * amount if operation == "times" else value + amount
        if stage.round:
            value = ROUNDED[stage.round](value)
        for cap, pick in ((stage.most, min), (stage.least, max)):
            if cap is not None:
                end = self.value(cap)
                if not isinstance(end, int | Fraction):
                    return UNKNOWN
                value = pick(value, end)
        return value

    # ------------------------------------------------------------ keys

    def axis(self, e: c.Expr, canonical: Canonical) -> tuple[Any, bool]:
        """A key that is a sum: its known part, and whether something that depends on a position is added to it."""
        value = self.value(e)
        if value is not UNKNOWN:
            return value, False
        if not numeric(e.type):
            return UNKNOWN, False
        found = canonical.linear(canonical.expr(e, {}))
        if found is None:
            return UNKNOWN, False
        total, others = found[0], False
        for factor, x in found[1].values():
            part = self.value(x)
            if part is UNKNOWN:
                if self.asks(x):
                    return UNKNOWN, False
                others = True
            else:
                total += factor * part
        return total, others

    def asks(self, e: c.Expr) -> bool:
        """Whether an expression uses a known name or definition, mixed with unknown ones."""
        return any(
            (isinstance(x, c.Local) and x.name in self.names) or (isinstance(x, c.Call) and x.name in self.calls)
            for x in e.walk()
        )


def cell(table: c.Table, key: tuple[Any, ...]) -> Any:
    """The cell of a table, its keys clamped."""
    found = []
    for value, p in zip(key, table.params, strict=True):
        if p.name in table.clamps and isinstance(value, int | Fraction):
            low, high = table.clamps[p.name]
            value = max(low, min(high, value))
        if isinstance(value, Fraction) and value.denominator == 1:
            value = int(value)
        found.append(value)
    return table.cells.get(tuple(found), UNKNOWN)
