"""Emit what the kernels need of a route on a large map: its steps, and its barred and ending places, as arrays.

In:  the model of a route whose prices never change.
Out: functions of the generated module that fill arrays from the columns of the state.

Which places are barred or end a path is told by whole columns where the rules allow it: units of which something
holds (`any units_at(there) where …`), or what units cover together (`there in each(zone(it) over units(s))`, where
what one covers rests on its place and on fixed values). What holds of a unit wherever it stands is kept apart from
where it stands, so that a move costs no more than the places themselves. Other grounds are asked place by place.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from ...analyse.inline import plain_value, put_in
from ...core import nodes as c
from ...core.types import Type
from ..expressions import mangle
from ..memo_dependencies import Rests
from .bars import Bars
from .mover import Hoist
from .parts import Atom, Kept, Search, unfolded

LARGE = 2000
"""A map of so many hexes gets kernels as well, which are used where numba is at hand (see templates/kernels.py.j2)."""
CHEAP = {"const", "local", "field", "mark", "and", "or", "not", "=", "!=", "<", "<=", ">", ">=", "in", "setlit"}
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

    model: Bars
    p: Hoist
    flagged: tuple[str, ...] = ()
    made: int = 0

    @property
    def base(self) -> str:
        return f"{self.model.base}_fast"

    def emit(self, model: Search, steps: Kept) -> bool:
        """The functions of a kernel, where all that it asks can be told in arrays."""
        r, e = self.model, self.model.e
        bars, ends = ([x for x in r.atoms(sort) if x not in steps.atoms] for sort in ("forbid", "stop"))
        keys = {x: r.keys_of(x, self.p) for x in (*bars, *ends)}
        if any(x.looks_at() != {"there"} or keys[x] & r.movers for x in keys):
            return False
        if not all(self.told(x) for x in keys):
            return False
        self.flagged = tuple(sorted({k for x in keys for k in keys[x]}))
        shut, halt = (", ".join(self.places(x) for x in atoms) for atoms in (bars, ends))
        rests = Rests(exprs=tuple(x for atom in keys for x in self.p.rest(atom.exprs)))
        made = f"FAST.flags(len({model.table}), [{shut}], [{halt}])"
        self.kept("flags", self.flagged, made, rests, "what bars and what ends, for the kernels")
        self.steps(steps, model.table)
        given, flags = ", ".join(["S", *steps.movers, *steps.keys]), ", ".join(["S", *self.flagged])
        f = e.function(self.base, f"{r.params}, starts", f"{r.title}: every place in reach, found by a kernel.")
        values = {v: text for text, v in r.hoisted.items()}
        f.lines += [f"{v} = {text}" for v, text in sorted(values.items())]
        f.lines += [
            f"memo = S.memo[{e.slot(self.base, rests)}]",
            f"key = {tuple_of(self.flagged)}",
            "begin = [p for p in starts if p is not None]",
            "asked = memo[key] = memo.get(key, 0) + 1",
            "if asked <= FAST.alone or len(begin) != 1:",
            "    return None",
            f"return FAST.reach({self.base}_{steps.name}({given}), {self.base}_flags({flags}), begin[0], {model.budget})",
        ]
        return True

    def steps(self, steps: Kept, table: str) -> None:
        """The steps as arrays, kept for the whole game."""
        given, name = ", ".join(["S", *steps.movers, *steps.keys]), f"{self.base}_{steps.name}"
        f = self.model.e.function(name, given, f"{self.model.title}: steps and prices, for the kernels.")
        f.lines += [
            f"memo = S.memo[{self.model.e.slot(name, Rests())}]",
            f"key = {tuple_of(steps.keys)}",
            "if key not in memo:",
            f"    memo[key] = FAST.steps(len({table}), {self.model.base}_{steps.name}({given}))",
            "return memo[key]",
        ]

    def kept(self, word: str, keys: tuple[str, ...], made: str, rests: Rests, doc: str) -> str:
        """A function whose answer is kept apart for some values of the mover; returns the call."""
        e, name, given = self.model.e, f"{self.base}_{word}", ", ".join(["S", *keys])
        f = e.function(name, given, f"{self.model.title}: {doc}.")
        f.lines += [
            f"memo = S.memo[{e.slot(name, rests)}]",
            f"key = {tuple_of(keys)}",
            "if key not in memo:",
            f"    memo[key] = {made}",
            "return memo[key]",
        ]
        return f"{name}({given})"

    # ------------------------------------------------------------ one ground

    def told(self, atom: Atom) -> bool:
        """Whether all places of which a ground holds can be told without searching."""
        plain = all(x.op in CHEAP for top in atom.exprs for x in top.walk())
        return plain or self.occupied(atom) is not None or self.model.members(atom, "there", self.p) is not None

    def places(self, atom: Atom) -> str:
        """All places of which a ground holds, as an array or a list."""
        r = self.model
        covered = self.covered(atom)
        if covered is not None:
            return covered
        members = r.members(atom, "there", self.p)
        if members is not None:
            return members
        condition = self.occupied(atom)
        if condition is None:
            return self.scanned(atom)
        var = str(atom.rule.test.info)
        self.p.used = set()
        held = self.p.with_var(var, condition)
        if self.moves((condition,)):
            return f"[p for {mangle(var)}, p in enumerate(S.at) if p is not None and {held}]"
        return f"FAST.places({self.at()}, {self.mask(var, [held], (condition,))})"

    def scanned(self, atom: Atom) -> str:
        """Places that were asked one by one, kept until something changes that they rest on."""
        r = self.model
        self.p.used = set()
        self.made += 1
        made = (
            f"FAST.some([there for there in range(len({r.e.constants.links(r.r.layers)})) if {r.text(atom, self.p)}])"
        )
        rests = Rests(exprs=tuple(self.p.rest(atom.exprs)))
        return self.kept(f"places_{self.made}", tuple(sorted(self.p.used)), made, rests, "places, for the kernels")

    def occupied(self, atom: Atom) -> c.Expr | None:
        """What must hold of some unit in a place, where that is all that a ground asks."""
        test, rule = atom.rule.test, atom.rule
        if rule.waivers or rule.guard is not None or test.op != "any" or len(test.args) != 2:
            return None
        of, condition = test.args
        units_there = of.op == "builtin" and of.info == "units_at" and of.args[0].op == "local"
        looks_on = {str(x.info) for x in condition.walk() if x.op == "local"} & {"here", "there", "crossing"}
        return condition if units_there and not looks_on else None

    def covered(self, atom: Atom) -> str | None:
        """The places that some units cover together, each by its place and by what never hangs on places."""
        r, book, rule = self.model, self.model.e.book, atom.rule
        test = unfolded(book, rule.test)
        if rule.waivers or rule.guard is not None or test.op != "in" or test.args[0].op != "local":
            return None
        asked = test.args[1]
        d = book.definitions.get(str(asked.info)) if asked.op == "call" else None
        value = plain_value(d) if d is not None else None
        if d is None or value is None or value.op != "each_of" or value.args[1].op != "call":
            return None
        given = {x.name: a for x, a in zip(d.params, asked.args, strict=True)}
        var, of, one = str(value.info), value.args[0], value.args[1]
        held: list[c.Expr] = []
        while of.op == "filter" and of.info == var:
            held.append(of.args[1])
            of = of.args[0]
        whose = of.op == "builtin" and of.info == "units" and len(of.args) == 1
        alone = len(one.args) == 1 and one.args[0].op == "local" and one.args[0].info == var
        if not whose or not alone or var in given or any(names(x, var) for x in held):
            return None
        unit = c.Local(UNIT, type=one.args[0].type, span=one.args[0].span)
        rows = self.clauses(str(one.info), unit)
        side = put_in(of.args[0], given)
        held = [put_in(x, {**given, var: unit}) for x in held]
        taken = any(x.info == UNIT for top in (*given.values(), side) for x in top.walk())
        if rows is None or taken or self.moves((side, *held, *(x for guards, _ in rows for x, _ in guards))):
            return None
        found = []
        for guards, cover in rows:
            if cover.op == "setlit" and not cover.args:
                continue
            self.p.used = set()
            tests = [f"S.unit_side[{mangle(UNIT)}] == {self.p(side)}", *(self.p.with_var(UNIT, x) for x in held)]
            tests += [f"{'' if holds else 'not '}{self.p.with_var(UNIT, guard)}" for guard, holds in guards]
            rests = (c.MarkOf(unit, "side", type=unit.type, span=unit.span), side, *held, *(x for x, _ in guards))
            mask = self.mask(UNIT, tests, rests)
            text = f"FAST.rows(S.program.board.hexes, lambda {mangle(PLACE)}: {r.e.printer().with_var(PLACE, cover)})"
            row = self.kept(f"rows_{self.made}", (), text, Rests(), "what is covered from a place, for the kernels")
            found.append(f"FAST.spread({row}, {self.at()}, {mask})")
        return ", ".join(found)

    def clauses(self, name: str, unit: c.Expr) -> list[Cover] | None:
        """What a definition about one unit says, by clause: what holds before it, and what it makes of the place."""
        d = self.model.e.book.definitions[name]
        layer, mine = d.base, d.params[0].name
        if layer.exceptions or layer.waivers or layer.lets or d.gathered or d.contributions or d.sort == "memory":
            return None
        found, before = list[Cover](), list[tuple[c.Expr, bool]]()
        for clause in layer.clauses:
            exprs = [clause.value, *([clause.guard] if clause.guard is not None else [])]
            if clause.operation or any(names(x, word) for x in exprs for word in (mine, UNIT, PLACE)):
                return None
            cover = from_place(clause.value, mine)
            lost = any(x.op == "suppose" or (x.op == "local" and x.info == mine) for x in cover.walk())
            if lost or self.model.e.depends.of((cover,)):
                return None
            if clause.guard is None:
                return [*found, (before, cover)]
            guard = put_in(clause.guard, {mine: unit})
            found.append(([*before, (guard, True)], cover))
            before = [*before, (guard, False)]
        return None

    # ------------------------------------------------------------ columns as arrays

    def moves(self, exprs: tuple[c.Expr, ...]) -> bool:
        """Whether something hangs on where units are."""
        return "at" in self.model.e.depends.of(exprs)

    def at(self) -> str:
        """Where every unit is."""
        name = f"{self.base}_at"
        if not any(f.name == name for f in self.model.e.functions):
            anybody = c.Const(None, type=Type("prim", "unit"), span=self.model.r.span)
            nowhere = c.PlaceOf(anybody, type=Type("prim", "place"), span=self.model.r.span)
            self.kept("at", (), "FAST.at(S.at)", Rests(exprs=(nowhere,)), "where every unit is, for the kernels")
        return f"{name}(S)"

    def mask(self, var: str, tests: list[str], exprs: tuple[c.Expr, ...]) -> str:
        """The units of which something holds wherever they are; the values of the mover are those just printed."""
        self.made += 1
        made = f"FAST.mask([{' and '.join(tests)} for {mangle(var)} in range(len(S.at))])"
        rests = Rests(exprs=tuple(self.p.rest(exprs)))
        keys = tuple(sorted(self.p.used))
        return self.kept(f"mask_{self.made}", keys, made, rests, "the units that count, for the kernels")


def tuple_of(keys: tuple[str, ...]) -> str:
    return f"({''.join(k + ', ' for k in keys)})"


def names(e: c.Expr, word: str) -> bool:
    """Whether an expression names a variable of its own so."""
    return any(x.op != "local" and x.info == word for x in e.walk())


def from_place(e: c.Expr, member: str) -> c.Expr:
    """An expression about a unit as one about the place where it is."""
    if e.op == "at" and e.args[0].op == "local" and e.args[0].info == member:
        return c.Local(PLACE, type=replace(e.type, absent=False), span=e.span)
    return e.with_args(tuple(from_place(a, member) for a in e.args))
