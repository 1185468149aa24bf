"""Steer a sampled position towards a condition.

In:  conditions of a changed rule, and a sampler that has just made a position.
Out: the position with marks, bindings, memories and units set so that the conditions hold, or just fail, as far as
     they can be analysed; and values for their local names.

This is a heuristic that saves tries: its positions are evaluated like any other, so a wrong guess costs time and
cannot make a wrong witness.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any, assert_never

from ..core import nodes as c
from ..core import types as t
from ..core.types import Type
from ..diff.chances.dice import TURNED
from . import lines as w
from .conditions import Condition
from .lines import Given, Line
from .position_values import Env, PositionValues, settable
from .positions import Sampler

DEEP = 4

Kind = type[c.Comparison]
STEP: dict[Kind, int] = {c.Less: -1, c.AtMost: 0, c.More: 1, c.AtLeast: 0}
"""How far from a bound the nearest value lies that stands so to it."""
NEGATED: dict[Kind, Kind] = {
    c.Equal: c.Unequal,
    c.Unequal: c.Equal,
    c.Less: c.AtLeast,
    c.AtLeast: c.Less,
    c.More: c.AtMost,
    c.AtMost: c.More,
}


class Steer:
    """One position that is being changed."""

    def __init__(self, sampler: Sampler, lines: list[Line]) -> None:
        self.s, self.book, self.program = sampler, sampler.book, sampler.program
        self.values = PositionValues(sampler, lines)
        self.env: Env = {}

    def towards(self, wanted: Iterable[Condition]) -> tuple[list[Line], Env]:
        """The lines and names after solving for each of the wanted conditions."""
        for e, want in wanted:
            try:
                self.solve(e, want, self.env, 0)
            except (KeyError, IndexError, TypeError, ValueError, AttributeError):
                continue
        return [*self.values.lines.values()], self.env

    def solve(self, e: c.Expr, want: bool, env: Env, depth: int) -> None:
        """Change the position so that a condition has the wanted value; does nothing for forms it cannot analyse."""
        e = c.known(e)
        match e:
            case c.And() | c.Or():
                sides = e.left, e.right
                for x in sides if isinstance(e, c.And) is want else (self.s.source.pick(sides),):
                    self.solve(x, want, env, depth)
            case c.Not():
                self.solve(e.value, not want, env, depth)
            case c.AnyOf():
                if want:
                    self.member(e, env, depth)
            case c.MarkOf() | c.Remembered() | c.FieldOf():
                if e.type == t.FLAG:
                    self.values.assign(e, want, env)
            case c.InPhase():
                if want:
                    for phase in (*self.s.board.outer.get(e.name, ()), e.name):
                        self.values.put(w.during(phase))
            case c.Call():
                if depth < DEEP:
                    self.inline(e, want, env, depth)
            case c.Equal() | c.Unequal() | c.Less() | c.AtMost() | c.More() | c.AtLeast():
                self.compare(e, type(e) if want else NEGATED[type(e)], env)
            case c.IsIn():
                if want:
                    self.among(e.item, e.many, env, depth)
            case c.Within():
                self.apart(e, want, env)
            case c.BuiltinCall():
                if e.name == "on_map" and want:
                    self.values.place(self.values.of(e.asked[0], env))
            case c.Const() | c.Local() | c.Usual() | c.Keep() | c.Bound() | c.Reading() | c.PlaceOf() | c.Member():
                pass
            case c.TableCell() | c.Grown() | c.BoxOf() | c.QuotaCap() | c.QuotaLeft() | c.QuotaSpent() | c.RecordOf():
                pass
            case c.Paths() | c.PathEnds() | c.ShortestPaths() | c.PathCost() | c.Plans() | c.BlockedItems():
                pass
            case c.UncoveredTargets() | c.OnScale() | c.Shifted() | c.Rank() | c.Other() | c.Arithmetic():
                pass
            case c.Negative() | c.Between() | c.SetOf() | c.ListOf() | c.Range() | c.Union() | c.Without():
                pass
            case c.FirstOf() | c.EveryOf() | c.CountOf() | c.Filter() | c.Folded() | c.Suppose() | c.Choose():
                pass
            case c.Total():
                pass
            case _:
                assert_never(e)

    def member(self, e: c.AnyOf, env: Env, depth: int) -> None:
        """Make a test hold for some member."""
        base, var = e.base, e.var
        tests = [] if e.test is None else [e.test]
        while isinstance(base, c.Filter):
            var, tests = base.var, [*tests, base.test]
            base = base.base
        of = base.type.of or t.ANY
        inner = dict(env)
        if of.name in ("unit", "place"):
            inner[var] = (of, self.s.value(of))
        local = c.Local(var, type=of, span=e.span)
        for test in tests:
            self.solve(test, True, inner, depth)
        self.among(local, base, inner, depth)

    def inline(self, e: c.Call, want: bool, env: Env, depth: int) -> None:
        """Make a random clause of a definition give the wanted value."""
        d = self.book.definitions.get(e.name)
        if d is None or d.type != t.FLAG:
            return
        inner: Env = {}
        for p, x in zip(d.params, e.asked, strict=True):
            value = self.values.of(x, env)
            if value is None:
                value = (p.type.plain, self.s.value(p.type))
                if isinstance(x, c.Local):
                    env[x.name] = value
            inner[p.name] = value
        layer = self.s.source.pick(list(d.layers()))
        clause = self.s.source.pick(layer.clauses)
        if clause.guard is not None:
            self.solve(clause.guard, True, inner, depth + 1)
        if not isinstance(clause.value, c.Const):
            self.solve(clause.value, want, inner, depth + 1)
        for x in e.asked:
            if isinstance(x, c.Local) and x.name in env:
                param = d.params[e.asked.index(x)].name
                env[x.name] = inner.get(param, env[x.name])

    def compare(self, e: c.Comparison, wanted: Kind, env: Env) -> None:
        """Set one operand so that the comparison has the wanted value."""
        for target, source, how in ((e.left, e.right, wanted), (e.right, e.left, TURNED[wanted])):
            known = self.values.of(source, env)
            if isinstance(source, c.Const) and source.value is None and how in (c.Equal, c.Unequal):
                if how is c.Equal:
                    self.values.assign(target, None, env)
                return
            if known is not None and settable(target):
                value = self.fitting(known, how, target.type)
                if value is not None and self.values.assign(target, value, env):
                    return

    def fitting(self, known: Given, how: Kind, type: Type) -> Any:
        """A value for which a comparison with a known one holds; a boundary value where there is one."""
        of, value = known
        if how is c.Equal:
            return value
        if how is c.Unequal:
            return next((v for v in (self.s.value(type.plain) for _ in range(6)) if v != value), None)
        step = STEP[how]
        if isinstance(value, int | Fraction) and not isinstance(value, bool):
            return int(value) + step if step else int(value)
        if of.name == "turn":
            at = [label for label, _, _ in self.program.turns].index(value) + step
            return self.program.turns[at][0] if 0 <= at < len(self.program.turns) else None
        if of.sort == "scale":
            steps = self.program.scales[of.name]
            at = steps.index(value) + step
            return steps[at] if 0 <= at < len(steps) else None
        return None

    def among(self, one: c.Expr, many: c.Expr, env: Env, depth: int) -> None:
        """Make something a member of a collection."""
        many = c.known(many)
        match many:
            case c.Const():
                self.one_of(one, [self.values.constant(many)], env)
            case c.SetOf() | c.ListOf():
                self.one_of(one, [self.values.of(x, env) for x in many.items], env)
            case c.Union():
                self.one_of(one, [self.values.of(many.left, env), self.values.of(many.right, env)], env)
            case c.Filter():
                self.among(one, many.base, env, depth)
                known = self.values.of(one, env)
                if known is not None:
                    self.solve(many.test, True, {**env, many.var: known}, depth + 1)
            case c.BuiltinCall():
                if isinstance(one, c.Local):
                    self.unit_of(one, many, env)
            case c.Local() | c.Usual() | c.Keep() | c.Bound() | c.Reading() | c.InPhase() | c.Total() | c.FieldOf():
                pass
            case c.MarkOf() | c.PlaceOf() | c.Member() | c.Named() | c.OnScale() | c.Shifted() | c.Rank() | c.Other():
                pass
            case c.Binary() | c.Not() | c.Negative() | c.Between() | c.Within() | c.IsIn() | c.Range() | c.FirstOf():
                pass
            case c.Tested() | c.Folded() | c.Suppose() | c.Choose():
                pass
            case _:
                assert_never(many)

    def one_of(self, one: c.Expr, options: list[Given | None], env: Env) -> None:
        """Make something one of some values, or a member of one of them if they are collections."""
        members = [v for g in options if g is not None for v in (g[1] if g[0].of is not None else (g[1],))]
        if members:
            self.values.assign(one, self.s.source.pick(members), env)

    def unit_of(self, one: c.Local, many: c.BuiltinCall, env: Env) -> None:
        """Bind a name to a unit of a side, or to a unit at a place."""
        if many.name in ("units", "counters"):
            side = self.values.of(many.asked[0], env)
            if side is not None:
                known = self.values.of(one, env)
                if known is None or self.values.side(known[1]) != side[1]:
                    pool = [u for u in (*self.s.placed, *self.s.liked_units, *self.s.units)]
                    mine = [u for u in pool if self.program.unit_sides[u] == side[1]]
                    env[one.name] = (t.UNIT, self.program.units[self.s.source.pick(mine[:12])])
            if many.name == "units":
                self.values.place(self.values.of(one, env))
        elif many.name == "units_at":
            place, unit = self.values.of(many.asked[0], env), self.values.of(one, env)
            if unit is None:
                unit = env[one.name] = (t.UNIT, self.s.value(t.UNIT))
            if place is not None:
                self.values.put(w.at(unit[1], place[1]))

    def apart(self, e: c.Within, want: bool, env: Env) -> None:
        """Place two things at a boundary distance: just within reach, or just beyond it."""
        far = self.values.of(e.reach, env)
        if far is None:
            return
        away = int(far[1]) if want else int(far[1]) + 1
        for here, there in ((e.one, e.other), (e.other, e.one)):
            known = self.values.of(here, env)
            if known is not None and settable(there):
                at = self.program.place_index.get(known[1])
                if at is not None and at in self.s.board.hexes:
                    inner = set(self.s.board.ring(at, away - 1)) if away > 0 else set()
                    edge = [p for p in self.s.board.ring(at, away) if p not in inner]
                    if edge:
                        self.values.assign(there, self.program.board.places[self.s.source.pick(edge)], env)
                return
