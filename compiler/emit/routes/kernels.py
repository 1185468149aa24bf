"""Emit what the kernels need of a route on a large map: its steps, and its barred and ending places, as arrays.

In:  the model of a route whose prices never change.
Out: functions of the generated module that fill arrays from the columns of the state.

Barred and ending places are computed for whole columns at once where the rules allow it: units that pass a test
(`any units_at(there) where …`), or what units cover together (`there in each(zone(it) over units(s))`, where the
cover of one depends on its place and on fixed values). Tests of a unit that do not depend on its place are memoised
separately, so that a move recomputes the places only. Other tests are evaluated place by place.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from ...analyse.inline import plain_value, put_in
from ...core import nodes as c
from ...core.types import Type
from ...core.walk import binds, local_names
from ..bans import refusal
from ..expressions.build import Expressions
from ..memo_dependencies import Rests
from ..model.expressions import (
    NONE,
    ONE,
    ZERO,
    Attr,
    Call,
    Comp,
    Expr,
    Index,
    Lambda,
    Loop,
    Lst,
    Name,
    Op,
    Ref,
    S,
    Tup,
    all_of,
    any_of,
    compare,
    every,
    length,
    method,
    names,
    negated,
)
from ..model.statements import Assign, If, Param, Return
from .bars import atoms, kept_once, keys_of, members
from .mover import Hoist
from .parts import STEP, THERE, Atom, Kept, Search, unfolded
from .way import Way

FAST = Ref("kernels", "FAST")
FAST_ON = Attr(FAST, "on")
P = Name("p")
LARGE = 2000
"""A map of so many hexes gets kernels as well, which are used where numba is at hand (see templates/kernels.py.j2)."""
CHEAP = c.Const | c.Local | c.FieldOf | c.MarkOf | c.And | c.Or | c.Not | c.Comparison | c.IsIn | c.SetOf
"""What may stand in a ground that is asked of every place of a large map at once."""
UNIT, PLACE = "member", "spot"
"""Variables for each unit and each place; a rule that names one of its own so is asked place by place."""


Cover = tuple[list[tuple[c.Expr, bool]], c.Expr]
"""What must hold of a unit, or not, and what it then covers from its place."""


def is_large(book: c.Book) -> bool:
    return book.hexes >= LARGE


@dataclass(slots=True)
class Kernel:
    """The arrays of one route."""

    way: Way
    p: Hoist
    flagged: tuple[str, ...] = ()
    made: int = 0
    knows_at: bool = False

    def emit(self, model: Search, steps: Kept) -> bool:
        """The functions of a kernel, where all that it asks can be told in arrays."""
        way = self.way
        bars, ends = ([x for x in atoms(way, sort) if x not in steps.atoms] for sort in ("forbid", "stop"))
        keys = {x: keys_of(x, self.p) for x in (*bars, *ends)}
        if any(x.looks_at() != {"there"} or keys[x] & way.movers for x in keys):
            return False
        if not all(self.told(x) for x in keys):
            return False
        self.flagged = tuple(sorted({k for x in keys for k in keys[x]}))
        shut, halt = (Lst(tuple(place for x in found for place in self.places(x))) for found in (bars, ends))
        rests = Rests(exprs=tuple(x for atom in keys for x in self.p.rest(atom.exprs)))
        made = method(FAST, "flags", length(model.table), shut, halt)
        self.kept("flags", self.flagged, made, rests, "what bars and what ends, for the kernels")
        self.steps(steps, model.table)
        given, flags = (S, *names(*steps.params)), (S, *names(*self.flagged))
        f = way.function("fast", "every place in reach, found by a kernel.", None, Param("starts"))
        memo, key, begin, asked = (Name(x) for x in ("memo", "key", "begin", "asked"))
        assert model.budget is not None
        arrays = Call(way.ref(f"fast_{steps.name}"), given), Call(way.ref("fast_flags"), flags)
        f.body += [Assign((Name(name),), value) for name, value in sorted(way.hoisted.rows(), key=lambda x: x[0])]
        f.body += [
            Assign((memo,), Index(Attr(S, "memo"), way.ctx.slot(f.name, rests))),
            Assign((key,), Tup(names(*self.flagged))),
            Assign((begin,), Comp(P, (Loop(P, Name("starts"), (compare(P, "is not", NONE),)),), "[]")),
            Assign((asked, Index(memo, key)), Op("+", method(memo, "get", key, ZERO), ONE)),
            If(
                any_of(compare(asked, "<=", Attr(FAST, "alone")), compare(length(begin), "!=", ONE)),
                (Return(NONE),),
            ),
            Return(method(FAST, "reach", *arrays, Index(begin, ZERO), model.budget)),
        ]
        return True

    def steps(self, steps: Kept, table: Expr) -> None:
        """The steps as arrays, kept for the whole game."""
        keys = steps.params
        f = self.way.keyed(f"fast_{steps.name}", keys, "steps and prices, for the kernels.")
        made = method(FAST, "steps", length(table), Call(self.way.ref(steps.name), (S, *names(*keys))))
        f.body += kept_once(self.way, f"fast_{steps.name}", steps.keys, made, Rests())

    def kept(self, word: str, keys: tuple[str, ...], made: Expr, rests: Rests, doc: str) -> Expr:
        """A function whose result is memoised apart for some values of the mover; returns the call."""
        f = self.way.keyed(f"fast_{word}", keys, f"{doc}.")
        f.body += kept_once(self.way, f"fast_{word}", keys, made, rests)
        return Call(f.ref, (S, *names(*keys)))

    # ------------------------------------------------------------ one ground

    def told(self, atom: Atom) -> bool:
        """Whether all places of which a ground holds can be told without searching."""
        plain = all(isinstance(x, CHEAP) for top in atom.exprs for x in top.walk())
        return plain or self.occupied(atom) is not None or members(self.way, atom, "there", self.p) is not None

    def places(self, atom: Atom) -> tuple[Expr, ...]:
        """All places of which a ground holds, as arrays or lists."""
        covered = self.covered(atom)
        if covered is not None:
            return covered
        inside = members(self.way, atom, "there", self.p)
        if inside is not None:
            return (inside,)
        found = self.occupied(atom)
        if found is None:
            return (self.scanned(atom),)
        var, condition = found
        self.p.used = set()
        held = self.p.build.with_var(var, condition)
        if self.moves((condition,)):
            unit = Tup((Name(self.way.ctx.local(var)), P))
            tests = all_of(compare(P, "is not", NONE), held)
            return (Comp(P, (Loop(unit, every("enumerate", Attr(S, "at")), (tests,)),), "[]"),)
        return (method(FAST, "places", self.at(), self.mask(var, [held], (condition,))),)

    def scanned(self, atom: Atom) -> Expr:
        """Places that were asked one by one, kept until something changes that they depend on."""
        way = self.way
        self.p.used = set()
        self.made += 1
        every_place = every("range", length(way.ctx.fixed.links(way.r.layers)))
        found = Comp(THERE, (Loop(THERE, every_place, (refusal(atom.rule, self.p.build),)),), "[]")
        rests = Rests(exprs=tuple(self.p.rest(atom.exprs)))
        keys = tuple(sorted(self.p.used))
        return self.kept(f"places_{self.made}", keys, method(FAST, "some", found), rests, "places, for the kernels")

    def occupied(self, atom: Atom) -> tuple[str, c.Expr] | None:
        """A variable and what must hold of it as some unit in a place, where that is all that a ground asks."""
        rule = atom.rule
        if rule.waivers or rule.guard is not None:
            return None
        match rule.test:
            case c.AnyOf(c.BuiltinCall("units_at", (c.Local(), *_)), test, var) if test is not None:
                return None if local_names(test) & {*STEP} else (var, test)
            case _:
                return None

    def covered(self, atom: Atom) -> tuple[Expr, ...] | None:
        """The places that some units cover together, each by its place and by what never depends on places."""
        way, rule = self.way, atom.rule
        book = way.ctx.book
        test = unfolded(book, rule.test)
        if rule.waivers or rule.guard is not None or not isinstance(test, c.IsIn):
            return None
        asked = test.many
        if not isinstance(test.item, c.Local) or not isinstance(asked, c.Call) or asked.name not in book.definitions:
            return None
        d = book.definitions[asked.name]
        value = plain_value(d)
        if not isinstance(value, c.EachOf) or not isinstance(value.value, c.Call):
            return None
        given = {x.name: a for x, a in zip(d.params, asked.asked, strict=True)}
        var, of, one = value.var, value.base, value.value
        held: list[c.Expr] = []
        while isinstance(of, c.Filter) and of.var == var:
            held.append(of.test)
            of = of.base
        match of, one.asked:
            case c.BuiltinCall("units", (whose,)), (c.Local(name) as alone,) if name == var:
                pass
            case _:
                return None
        if var in given or any(binds(x, (var,)) for x in held):
            return None
        unit = c.Local(UNIT, type=alone.type, span=alone.span)
        rows = self.clauses(one.name, unit)
        side = put_in(whose, given)
        held = [put_in(x, {**given, var: unit}) for x in held]
        tops = (*given.values(), side)
        taken = UNIT in local_names(*tops) or any(binds(x, (UNIT,)) for x in tops)
        if rows is None or taken or self.moves((side, *held, *(x for guards, _ in rows for x, _ in guards))):
            return None
        found: list[Expr] = []
        unit_name, place_name = way.ctx.local(UNIT), way.ctx.local(PLACE)
        for guards, cover in rows:
            if isinstance(cover, c.SetOf) and not cover.items:
                continue
            self.p.used = set()
            build = self.p.build
            tests: list[Expr] = [compare(Index(Attr(S, "unit_side"), Name(unit_name)), "==", self.p(side))]
            tests += [build.with_var(UNIT, x) for x in held]
            for guard, holds in guards:
                held_here = build.with_var(UNIT, guard)
                tests.append(held_here if holds else negated(held_here))
            rests = (c.MarkOf(unit, "side", type=unit.type, span=unit.span), side, *held, *(x for x, _ in guards))
            mask = self.mask(UNIT, tests, rests)
            covers = Lambda((place_name,), Expressions(way.ctx).with_var(PLACE, cover))
            hexes = Attr(Attr(Attr(S, "program"), "board"), "hexes")
            made = method(FAST, "rows", hexes, covers)
            row = self.kept(f"rows_{self.made}", (), made, Rests(), "what is covered from a place, for the kernels")
            found.append(method(FAST, "spread", row, self.at(), mask))
        return tuple(found)

    def clauses(self, name: str, unit: c.Expr) -> list[Cover] | None:
        """What a definition about one unit says, by clause: what holds before it, and what it makes of the place."""
        d = self.way.ctx.book.definitions[name]
        layer, mine = d.base, d.params[0].name
        if layer.exceptions or layer.waivers or layer.lets or d.gathered or d.contributions or d.sort == "memory":
            return None
        found, before = list[Cover](), list[tuple[c.Expr, bool]]()
        for clause in layer.clauses:
            exprs = [clause.value, *([clause.guard] if clause.guard is not None else [])]
            if clause.operation or any(binds(x, (mine, UNIT, PLACE)) for x in exprs):
                return None
            cover = from_place(clause.value, mine)
            lost = mine in local_names(cover) or any(isinstance(x, c.Suppose) for x in cover.walk())
            if lost or self.way.ctx.depends.of((cover,)):
                return None
            if clause.guard is None:
                return [*found, (before, cover)]
            guard = put_in(clause.guard, {mine: unit})
            found.append(([*before, (guard, True)], cover))
            before = [*before, (guard, False)]
        return None

    # ------------------------------------------------------------ columns as arrays

    def moves(self, exprs: tuple[c.Expr, ...]) -> bool:
        """Whether something depends on where units are."""
        return "at" in self.way.ctx.depends.of(exprs)

    def at(self) -> Expr:
        """Where every unit is."""
        if not self.knows_at:
            anybody = c.Const(None, type=Type("prim", "unit"), span=self.way.r.span)
            nowhere = c.PlaceOf(anybody, type=Type("prim", "place"), span=self.way.r.span)
            made = method(FAST, "at", Attr(S, "at"))
            self.kept("at", (), made, Rests(exprs=(nowhere,)), "where every unit is, for the kernels")
            self.knows_at = True
        return Call(self.way.ref("fast_at"), (S,))

    def mask(self, var: str, tests: list[Expr], exprs: tuple[c.Expr, ...]) -> Expr:
        """The units of which something holds wherever they are; the values of the mover are those just built."""
        self.made += 1
        units = every("range", length(Attr(S, "at")))
        held = Comp(all_of(*tests), (Loop(Name(self.way.ctx.local(var)), units),), "[]")
        rests = Rests(exprs=tuple(self.p.rest(exprs)))
        keys = tuple(sorted(self.p.used))
        made = method(FAST, "mask", held)
        return self.kept(f"mask_{self.made}", keys, made, rests, "the units that count, for the kernels")


def from_place(e: c.Expr, member: str) -> c.Expr:
    """An expression about a unit as one about the place where it is."""
    if isinstance(e, c.PlaceOf) and isinstance(e.unit, c.Local) and e.unit.name == member:
        return c.Local(PLACE, type=replace(e.type, absent=False), span=e.span)
    return e.with_args(tuple(from_place(a, member) for a in e.args))
