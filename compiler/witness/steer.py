"""Steer a position towards what a condition asks for.

In:  conditions of a changed rule, and a sampler that has just made a position.
Out: the position with marks, bindings, memories and units set so that the conditions hold, or just fail, as
     far as they can be read; and values for the names that they speak of.

This is guesswork that saves tries and nothing more: whatever it makes is asked like any other position.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any

from ..core import nodes as c
from ..core import types as t
from ..core.types import Type
from ..core.walk import all_statements, waiver_exprs
from ..diff.facts import inside
from . import lines as w
from .lines import Given, Line
from .positions import Sampler

DEEP = 4
ORDER = {"<": -1, "<=": 0, ">": 1, ">=": 0}
FLIPPED = {"=": "!=", "!=": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
TURNED = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "=": "=", "!=": "!="}

Wish = tuple[c.Expr, bool]
Env = dict[str, Given]


def wishes(book: c.Book, span: Any) -> list[Wish]:
    """The conditions in a piece of text, each with the answer that brings the piece into force."""

    def here(x: Any) -> bool:
        return x.span.origin is span.origin and inside(x, span)

    found: list[Wish] = []
    for d in book.definitions.values():
        for layer in d.layers():
            if here(layer):
                found += layer_wishes(layer)
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
            found += [(s.args[0], True) for s in all_statements(p) if s.op == "if"]
    return found


def layer_wishes(layer: c.Layer) -> Iterator[Wish]:
    for clause in layer.clauses:
        if clause.guard is not None:
            yield clause.guard, True
        if clause.value.type == t.FLAG and clause.value.op != "const":
            yield clause.value, True


def leave(book: c.Book, action: str) -> list[Wish]:
    """What an action asks for before it can be taken at all."""
    a = book.actions.get(action)
    if a is None:
        return []
    found: list[Wish] = [
        (c.IsIn(c.Local(p.name, type=p.type, span=p.domain.span), p.domain, type=t.FLAG, span=p.domain.span), True)
        for p in a.params
        if p.domain is not None and p.type.of is None
    ]
    found += [(r.test, r.sort == "require") for r in a.rules]
    return found


class Steer:
    """One position under way."""

    def __init__(self, sampler: Sampler, lines: list[Line]) -> None:
        self.s, self.book, self.program = sampler, sampler.book, sampler.program
        self.lines: dict[Any, Line] = {key_of(line): line for line in lines}
        self.env: Env = {}

    def towards(self, wanted: Iterable[Wish]) -> tuple[list[Line], Env]:
        """The lines and names once all that can be read is as it is wished."""
        for e, want in wanted:
            try:
                self.solve(e, want, self.env, 0)
            except (KeyError, IndexError, TypeError, ValueError, AttributeError):
                continue
        return [*self.lines.values()], self.env

    def put(self, line: Line) -> None:
        self.lines[key_of(line)] = line

    # ------------------------------------------------------------ conditions

    def solve(self, e: c.Expr, want: bool, env: Env, depth: int) -> None:
        match e.op:
            case "and" | "or":
                all_of = (e.op == "and") is want
                for x in e.args if all_of else (self.s.source.pick(e.args),):
                    self.solve(x, want, env, depth)
            case "not":
                self.solve(e.args[0], not want, env, depth)
            case "any" | "no" if (e.op == "any") is want:
                self.member(e, env, depth)
            case "mark" | "memory" if e.type == t.FLAG:
                self.assign(e, want, env)
            case "field" if e.type == t.FLAG:
                self.assign(e, want, env)
            case "in_phase" if want:
                for phase in (*self.s.board.outer.get(str(e.info), ()), str(e.info)):
                    self.put(w.during(phase))
            case "call" if depth < DEEP:
                self.inline(e, want, env, depth)
            case "=" | "!=" | "<" | "<=" | ">" | ">=":
                self.compare(e, e.op if want else FLIPPED[e.op], env)
            case "in" if want:
                self.among(e, env, depth)
            case "within":
                self.apart(e, want, env)
            case "builtin" if e.info == "on_map" and want:
                self.place(self.of(e.args[0], env))

    def member(self, e: c.Expr, env: Env, depth: int) -> None:
        """Let there be a member for which a test holds."""
        base, tests = e.args[0], list(e.args[1:])
        var = str(e.info)
        while base.op == "filter":
            var, tests = str(base.info), [*tests, base.args[1]]
            base = base.args[0]
        of = base.type.of or t.ANY
        inner = dict(env)
        if of.name in ("unit", "place"):
            inner[var] = (of, self.s.value(of))
        local = c.Local(var, type=of, span=e.span)
        for test in tests:
            self.solve(test, True, inner, depth)
        self.among(c.IsIn(local, base, type=t.FLAG, span=e.span), inner, depth)

    def inline(self, e: c.Expr, want: bool, env: Env, depth: int) -> None:
        d = self.book.definitions.get(str(e.info))
        if d is None or d.type != t.FLAG:
            return
        inner: Env = {}
        for p, x in zip(d.params, e.args, strict=True):
            value = self.of(x, env)
            if value is None:
                value = (p.type.plain, self.s.value(p.type))
                if x.op == "local":
                    env[str(x.info)] = value
            inner[p.name] = value
        layer = self.s.source.pick(list(d.layers()))
        clause = self.s.source.pick(layer.clauses)
        if clause.guard is not None:
            self.solve(clause.guard, True, inner, depth + 1)
        if clause.value.op != "const":
            self.solve(clause.value, want, inner, depth + 1)
        for x in e.args:
            if x.op == "local" and str(x.info) in env:
                param = d.params[e.args.index(x)].name
                env[str(x.info)] = inner.get(param, env[str(x.info)])

    def compare(self, e: c.Expr, op: str, env: Env) -> None:
        one, other = e.args
        for target, source, how in ((one, other, op), (other, one, TURNED[op])):
            known = self.of(source, env)
            if known is None and source.op == "const" and source.info is None and how in ("=", "!="):
                if how == "=":
                    self.assign(target, None, env)
                return
            if known is not None and self.settable(target, env):
                value = self.fitting(known, how, target.type)
                if value is not None and self.assign(target, value, env):
                    return

    def fitting(self, known: Given, op: str, type: Type) -> Any:
        """A value that stands so to a known one; at the edge where there is one."""
        of, value = known
        if op == "=":
            return value
        if op == "!=":
            return next((v for v in (self.s.value(type.plain) for _ in range(6)) if v != value), None)
        step = ORDER[op]
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

    def among(self, e: c.Expr, env: Env, depth: int) -> None:
        one, many = e.args
        if many.op in ("const", "setlit", "listlit", "union"):
            options = [self.of(x, env) for x in many.args] if many.args else [self.constant(many)]
            members = [v for g in options if g is not None for v in (g[1] if g[0].of is not None else (g[1],))]
            if members:
                self.assign(one, self.s.source.pick(members), env)
            return
        if many.op == "filter":
            self.among(c.IsIn(one, many.args[0], type=t.FLAG, span=e.span), env, depth)
            known = self.of(one, env)
            if known is not None:
                self.solve(many.args[1], True, {**env, str(many.info): known}, depth + 1)
            return
        if many.op != "builtin" or one.op != "local":
            return
        if many.info in ("units", "counters"):
            side = self.of(many.args[0], env)
            if side is not None:
                known = self.of(one, env)
                if known is None or self.side(known[1]) != side[1]:
                    pool = [u for u in (*self.s.placed, *self.s.liked_units, *self.s.units)]
                    mine = [u for u in pool if self.program.unit_sides[u] == side[1]]
                    env[str(one.info)] = (t.UNIT, self.program.units[self.s.source.pick(mine[:12])])
            if many.info == "units":
                self.place(self.of(one, env))
        elif many.info == "units_at":
            place, unit = self.of(many.args[0], env), self.of(one, env)
            if unit is None:
                unit = env[str(one.info)] = (t.UNIT, self.s.value(t.UNIT))
            if place is not None:
                self.put(w.at(unit[1], place[1]))

    def apart(self, e: c.Expr, want: bool, env: Env) -> None:
        """Put two things as far apart as is just within reach, or just beyond it."""
        one, reach, other = e.args
        far = self.of(reach, env)
        if far is None:
            return
        away = int(far[1]) if want else int(far[1]) + 1
        for here, there in ((one, other), (other, one)):
            known = self.of(here, env)
            if known is not None and self.settable(there, env):
                at = self.program.place_index.get(known[1])
                if at is not None and at in self.s.board.hexes:
                    inner = set(self.s.board.ring(at, away - 1)) if away > 0 else set()
                    edge = [p for p in self.s.board.ring(at, away) if p not in inner]
                    if edge:
                        self.assign(there, self.program.board.places[self.s.source.pick(edge)], env)
                return

    # ------------------------------------------------------------ values

    def constant(self, e: c.Expr) -> Given | None:
        return None if e.info is None else (e.type.plain, self.s.rules.decode(e.type.plain, e.info))

    def of(self, e: c.Expr, env: Env) -> Given | None:
        """What an expression comes to, where that is plain to see."""
        match e.op:
            case "const":
                return self.constant(e)
            case "local":
                return env.get(str(e.info))
            case "bind":
                return self.lined(("bind", str(e.info)))
            case "at":
                unit = self.of(e.args[0], env)
                line = self.lines.get(("at", unit[1])) if unit is not None else None
                return line.values[1] if line is not None else None
            case "field":
                who = self.of(e.args[0], env)
                if who is None:
                    return None
                printed = self.s.board.keyed(tuple(e.info))
                value = printed.get(self.s.rules.encode(*who), self.book.fields[tuple(e.info)].default)
                return None if value is None else (e.type.plain, self.s.rules.decode(e.type.plain, value))
            case "mark":
                owner = e.args[0].type.plain.name if e.args else "game"
                who = self.of(e.args[0], env) if e.args else None
                found = self.lined(("mark", (owner, str(e.info)), who[1] if who else None))
                start = self.book.marks[owner, str(e.info)].start
                return found or (None if start is None else (e.type.plain, self.s.rules.decode(e.type.plain, start)))
            case "box":
                return (
                    None if not e.args or (of := self.of(e.args[0], env)) is None else (t.PLACE, f"{e.info}({of[1]})")
                )
            case "builtin" if e.info == "month" and e.args:
                turn = self.of(e.args[0], env)
                return None if turn is None else (t.MONTH, self.program.turns[self.s.rules.turns[turn[1]]][2])
        return None

    def lined(self, key: Any) -> Given | None:
        line = self.lines.get(key)
        return line.values[0] if line is not None and line.values[0][1] is not None else None

    def side(self, unit: str) -> str:
        return self.program.unit_sides[self.program.unit_index[unit]]

    def settable(self, e: c.Expr, env: Env) -> bool:
        if e.op == "builtin":
            return e.info in ("month", "year") and bool(e.args) and self.settable(e.args[0], env)
        return e.op in ("mark", "bind", "memory", "reading", "at", "field", "local")

    def assign(self, e: c.Expr, value: Any, env: Env) -> bool:
        """Make an expression come to a value, where it is something that a position gives."""
        match e.op:
            case "local":
                env[str(e.info)] = (e.type.plain, value)
            case "bind":
                self.put(w.bound(str(e.info), self.book.bindings[str(e.info)], value))
            case "reading":
                self.put(w.read(str(e.info), value))
            case "at":
                unit = self.thing(e.args[0], t.UNIT, env)
                self.put(w.at(unit, value))
            case "mark":
                owner = e.args[0].type.plain.name if e.args else "game"
                mark = self.book.marks[owner, str(e.info)]
                who = self.thing(e.args[0], mark.owner, env) if e.args else None
                self.put(w.marked(mark.owner, mark.name, mark.type, who, value))
            case "memory":
                memory = self.book.memories[str(e.info)]
                if memory.how == "always":
                    return False
                key = tuple(
                    (p.type.plain, self.thing(x, p.type, env))
                    for p, x in zip(memory.definition.params, e.args, strict=True)
                )
                self.put(w.kept("memory", memory.name, e.type.plain, key, value))
            case "field":
                return self.printed(e, value, env)
            case "builtin":
                return self.dated(e, value, env)
            case _:
                return False
        return True

    def thing(self, e: c.Expr, type: Type, env: Env) -> Any:
        """The value of an expression; where it is a name of nothing yet, something for it."""
        known = self.of(e, env)
        if known is None and e.op == "local":
            known = env[str(e.info)] = (type.plain, self.s.value(type.plain))
        if known is None and e.op == "at":
            spot = self.program.board.places[self.s.spot()]
            self.assign(e, spot, env)
            known = (t.PLACE, spot)
        if known is None:
            raise KeyError(e.op)
        return known[1]

    def printed(self, e: c.Expr, value: Any, env: Env) -> bool:
        """Something else of which the printed value is as wished, in place of what the name stood for."""
        owner, name = e.info
        inner = e.args[0]
        field = self.book.fields[owner, name]
        wanted = self.s.rules.encode(field.type.plain, value)
        known = self.of(inner, env)
        held = self.s.board.keyed((owner, name))
        if known is not None and held.get(self.s.rules.encode(*known), field.default) == wanted:
            return True
        everyone: Iterable[Any] = range(len(self.program.units)) if owner == "unit" else self.s.board.hexes
        fitting = [x for x in (held if owner == "hexside" else everyone) if held.get(x, field.default) == wanted]
        if known is not None and owner == "unit":
            fitting = [u for u in fitting if self.program.unit_sides[u] == self.side(known[1])] or fitting
        near = [x for x in fitting if x in self.s.placed]
        if not fitting:
            return False
        type = {"unit": t.UNIT, "place": t.PLACE, "hexside": t.HEXSIDE}.get(owner)
        if type is None:
            return False
        chosen = self.s.rules.decode(type, self.s.source.pick(near or fitting))
        if inner.op == "at":
            return self.assign(inner, chosen, env)
        if inner.op != "local":
            return False
        if known is not None and owner == "unit" and ("at", known[1]) in self.lines:
            place = self.lines.pop(("at", known[1])).values[1][1]
            self.put(w.at(chosen, place))
        env[str(inner.info)] = (type, chosen)
        return True

    def dated(self, e: c.Expr, value: Any, env: Env) -> bool:
        part = 2 if e.info == "month" else 1
        fitting = [turn[0] for turn in self.program.turns if turn[part] == value]
        return bool(fitting) and self.assign(e.args[0], self.s.source.pick(fitting), env)

    def place(self, unit: Given | None) -> None:
        """A unit on the map, near the others, unless it stands there already."""
        if unit is not None and ("at", unit[1]) not in self.lines:
            close = self.s.board.ring(self.s.centre, 1)
            self.put(w.at(unit[1], self.program.board.places[self.s.source.pick(close)]))


def key_of(line: Line) -> Any:
    """What a line gives, so that a later one takes its place."""
    if line.sort == "given_at":
        return "at", line.values[0][1]
    if line.sort == "given_during":
        return "during", line.words[0]
    if line.sort != "given_is":
        return line
    sort, name = line.info
    if sort == "mark":
        return sort, name, line.values[1][1] if len(line.values) > 1 else None
    return (sort, name) if sort in ("bind", "reading") else (sort, name, line.values[1:])
