"""Evaluate core expressions directly.

In:  a core expression, the world and the names in reach.
Out: its value.

This is the plain reading of the core, written apart from the emitter: no constants set aside, nothing inlined, no
generated text. Each expression is turned once into a function over the world and the names; definitions, routes, least
sets and matchings are remembered by the world as long as what they looked at stays as it was.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable
from fractions import Fraction
from math import inf
from typing import Any

from rulewright.runtime.problems import Fault

from ..core import nodes as c
from . import definitions
from .asks import Fn, Names
from .board import board_of, printed
from .builtins import builtin, distance
from .definitions import KEEP, USUAL, answer_of
from .matchings import Matching
from .routes import Route
from .values import as_many, bounded, divided, floor, numbers, ordered
from .world import Key, World

COMPARE: dict[str, Callable[[Any, Any], Any]] = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip


class Weary(Exception):
    """More steps have been asked for than the oracle was given patience for."""


class Evaluator:
    """Evaluates expressions, definitions and rules of one book in any world."""

    def __init__(self, book: c.Book) -> None:
        self.book = book
        self.board = board_of(book)
        self.patience = inf
        self.columns = {key: printed(book, key[0], f) for key, f in book.fields.items()}
        self.functions: dict[int, tuple[c.Expr, Fn]] = {}

    # ------------------------------------------------------------ what is asked

    def value(self, W: World, e: c.Expr, names: Names) -> Any:
        """The value of an expression."""
        return self.function(e)(W, names)

    def function(self, e: c.Expr) -> Fn:
        """An expression as a function of the world and the names in reach; made once."""
        known = self.functions.get(id(e))
        if known is None:
            known = self.functions[id(e)] = (e, self.make(e))
        return known[1]

    def tire(self, steps: int = 1) -> None:
        self.patience -= steps
        if self.patience < 0:
            raise Weary

    def define(self, W: World, name: str, args: Iterable[Any], keep: Any = None) -> Any:
        """The value of a definition for these arguments."""
        self.tire()
        d, given = self.book.definitions[name], tuple(args)
        return W.remember(("define", name, given, keep), lambda: answer_of(self, W, d, given, keep))

    def refuses(self, W: World, rule: c.Rule, names: Names) -> bool:
        return definitions.refuses(self, W, rule, names)

    def waived(self, W: World, waivers: tuple[c.Waiver, ...], names: Names) -> bool:
        return definitions.waived(self, W, waivers, names)

    # ------------------------------------------------------------ expressions

    def make(self, e: c.Expr) -> Fn:
        """The function of one expression."""
        info = e.info
        match e.op:
            case "local":
                return lambda W, L: L[info]
            case "const":
                return lambda W, L: info
            case "keep":
                return lambda W, L: L[KEEP]
            case "usual":
                return lambda W, L: L[USUAL]()
            case "bind":
                return lambda W, L: W.bound(info)
            case "reading":
                return lambda W, L: W.reading(info)
            case "in_phase":
                return lambda W, L: W.running(info)
            case "at" | "field" | "mark" | "get" | "box":
                return self.of_thing(e)
            case "and":
                a, b = map(self.function, e.args)
                return lambda W, L: a(W, L) and b(W, L)
            case "or":
                a, b = map(self.function, e.args)
                return lambda W, L: a(W, L) or b(W, L)
            case "not":
                a = self.function(e.args[0])
                return lambda W, L: not a(W, L)
            case "choose":
                test, then, other = map(self.function, e.args)
                return lambda W, L: then(W, L) if test(W, L) else other(W, L)
            case "=" | "!=":
                return self.equality(e)
            case "<" | "<=" | ">" | ">=":
                compare = COMPARE[e.op]
                a, b = map(self.function, e.args)
                return lambda W, L: compare(a(W, L), b(W, L))
            case "in":
                a, b = map(self.function, e.args)
                return lambda W, L: a(W, L) in b(W, L)
            case "between":
                a, low, high = map(self.function, e.args)
                return lambda W, L: low(W, L) <= a(W, L) <= high(W, L)
            case "within":
                a, far, b = map(self.function, e.args)
                return lambda W, L: distance(self.board, a(W, L), b(W, L)) <= far(W, L)
            case "neg" | "+" | "-" | "*" | "/":
                return self.arithmetic(e)
            case "on_scale" | "shifted" | "rank" | "other":
                return self.of_scale(e)
            case "union" | "without" | "setlit" | "listlit" | "record" | "range" | "else":
                return self.collection(e)
            case "any" | "every" | "count" | "filter" | "sum" | "highest" | "lowest" | "each" | "each_of":
                return self.over(e)
            case "suppose":
                return lambda W, L: self.suppose(W, e, L)
            case _:
                return self.asked(e)

    def of_thing(self, e: c.Expr) -> Fn:
        """Where a unit is, a printed field, a mark, a member of a record, a box."""
        of = self.function(e.args[0]) if e.args else None
        match e.op:
            case "at":
                assert of is not None
                return lambda W, L: W.at(of(W, L))
            case "field":
                assert of is not None
                column, default, owner = self.columns[e.info], self.book.fields[e.info].default, e.info[0]
                size = {"unit": len(self.book.units), "place": len(self.book.places)}.get(owner)
                return lambda W, L: of_field(column, default, size, of(W, L))
            case "mark":
                kind = e.args[0].type.plain.name if e.args else "game"
                name, start = f"{kind}_{e.info}", self.book.marks[kind, str(e.info)].start
                return lambda W, L: W.mark(name, of(W, L) if of is not None else None, start)
            case "box":
                assert of is not None
                boxes = self.board.boxes[str(e.info)]
                return lambda W, L: boxes[of(W, L)]
            case _:
                assert of is not None
                return lambda W, L: of(W, L)[e.info]

    def equality(self, e: c.Expr) -> Fn:
        a, b = map(self.function, e.args)
        same = e.op == "="
        if "set" in (e.args[0].type.sort, e.args[1].type.sort) and all(x.type.many for x in e.args):
            return lambda W, L: (set(a(W, L)) == set(b(W, L))) == same
        return lambda W, L: (a(W, L) == b(W, L)) == same

    def arithmetic(self, e: c.Expr) -> Fn:
        a = self.function(e.args[0])
        b = self.function(e.args[-1])
        match e.op:
            case "neg":
                return lambda W, L: -a(W, L)
            case "+":
                return lambda W, L: a(W, L) + b(W, L)
            case "-":
                return lambda W, L: a(W, L) - b(W, L)
            case "/":
                return lambda W, L: divided(a(W, L), b(W, L))
            case _:
                if any(x.op == "const" and abs(x.info) <= 100 for x in e.args):
                    return lambda W, L: a(W, L) * b(W, L)  # a small factor alone makes nothing grow without end
                return lambda W, L: bounded(a(W, L) * b(W, L))

    def of_scale(self, e: c.Expr) -> Fn:
        a = self.function(e.args[0])
        info = e.info
        match e.op:
            case "on_scale":
                return lambda W, L: highest_step(a(W, L), info)
            case "shifted":
                by = self.function(e.args[1])
                return lambda W, L: min(max(a(W, L) + floor(by(W, L)), 0), info)
            case "rank":
                return lambda W, L: 1 + (info.index(a(W, L)) if info is not None else a(W, L))
            case _:
                return lambda W, L: info[0] if a(W, L) == info[1] else info[1]

    def collection(self, e: c.Expr) -> Fn:
        parts = [self.function(x) for x in e.args]
        match e.op:
            case "union":
                return lambda W, L: ordered((*parts[0](W, L), *parts[1](W, L)))
            case "without":
                return lambda W, L: without(parts[0](W, L), parts[1](W, L))
            case "setlit":
                return lambda W, L: ordered([x(W, L) for x in parts])
            case "listlit" | "record":
                return lambda W, L: tuple([x(W, L) for x in parts])
            case "range":
                return lambda W, L: numbers(parts[0](W, L), parts[1](W, L))
            case _:
                return lambda W, L: next((found for x in parts if (found := x(W, L))), ())

    def over(self, e: c.Expr) -> Fn:
        """What goes through the members of a set."""
        base = e.args[0]
        if len(e.args) == 1:
            if e.op == "any" and base.op == "route":
                return lambda W, L: self.any_path(W, str(base.info), self.arguments(W, base, L))
            if e.op == "any" and base.op == "matching":
                return lambda W, L: self.any_plan(W, str(base.info), self.arguments(W, base, L))
            all_of = self.function(base)
            return (lambda W, L: bool(all_of(W, L))) if e.op == "any" else (lambda W, L: len(all_of(W, L)))
        members, of, var = self.function(base), self.function(e.args[1]), str(e.info)

        def pairs(W: World, L: Names) -> Iterable[tuple[Any, Any]]:
            names = dict(L)
            for x in members(W, L):
                names[var] = x
                yield x, of(W, names)

        match e.op:
            case "filter":
                return lambda W, L: tuple([x for x, value in pairs(W, L) if value])
            case "any":
                return lambda W, L: any(value for _, value in pairs(W, L))
            case "every":
                return lambda W, L: all(value for _, value in pairs(W, L))
            case "count":
                return lambda W, L: sum(1 for _, value in pairs(W, L) if value)
            case "sum":
                return lambda W, L: sum(value for _, value in pairs(W, L))
            case "each":
                return lambda W, L: ordered(value for _, value in pairs(W, L))
            case "each_of":
                return lambda W, L: ordered(x for _, value in pairs(W, L) for x in value)
            case "highest":
                return lambda W, L: max(some(value for _, value in pairs(W, L)))
            case _:
                return lambda W, L: min(some(value for _, value in pairs(W, L)))

    def asked(self, e: c.Expr) -> Fn:
        """What a book declares under a name, asked with arguments."""
        name = str(e.info)
        parts = [self.function(x) for x in e.args]

        def given(W: World, L: Names) -> tuple[Any, ...]:
            return tuple([x(W, L) for x in parts])

        match e.op:
            case "call" | "cap":
                return lambda W, L: self.define(W, name, given(W, L))
            case "memory":
                start = self.book.memories[name].start
                return lambda W, L: W.past(name, given(W, L), start)
            case "left":
                return lambda W, L: self.left(W, name, given(W, L))
            case "spent":
                return lambda W, L: W.spent(name, given(W, L))
            case "table":
                return lambda W, L: self.table(name, given(W, L))
            case "grow":
                return lambda W, L: self.grow(W, name, given(W, L))
            case "route":
                return lambda W, L: self.paths(W, name, given(W, L))
            case "ends":
                return lambda W, L: self.ends(W, name, given(W, L))
            case "shortest":
                return lambda W, L: Route(self, W, name, given(W, L)).shortest()
            case "route_cost":
                return lambda W, L: Route(self, W, name, given(W, L)[:-1]).cost(given(W, L)[-1])
            case "matching":
                return lambda W, L: Matching(self, W, name, given(W, L))
            case "blocked":
                return lambda W, L: Matching(self, W, name, given(W, L)).blocked()
            case "uncovered":
                return lambda W, L: Matching(self, W, name, given(W, L)).uncovered()
            case "builtin":
                return lambda W, L: builtin(W, self.book, self.board, name, [x(W, L) for x in parts])
            case _:
                raise ValueError(f"the oracle does not know {e.op}")

    # ------------------------------------------------------------ declared things

    def arguments(self, W: World, e: c.Expr, names: Names) -> tuple[Any, ...]:
        return tuple([self.value(W, a, names) for a in e.args])

    def left(self, W: World, quota: str, key: tuple[Any, ...]) -> Any:
        """What is left of a quota."""
        return self.define(W, quota, key) - W.spent(quota, key)

    def paths(self, W: World, name: str, args: tuple[Any, ...]) -> tuple[tuple[int, ...], ...]:
        found: tuple[tuple[int, ...], ...] = W.remember(
            ("paths", name, args), lambda: Route(self, W, name, args).paths()
        )
        return found

    def ends(self, W: World, name: str, args: tuple[Any, ...]) -> tuple[int, ...]:
        if not self.book.routes[name].legs:
            return tuple(sorted({path[-1] for path in self.paths(W, name, args)}))
        found: tuple[int, ...] = W.remember(("ends", name, args), lambda: Route(self, W, name, args).ends())
        return found

    def any_path(self, W: World, name: str, args: tuple[Any, ...]) -> bool:
        return bool(W.remember(("any path", name, args), lambda: Route(self, W, name, args).any()))

    def any_plan(self, W: World, name: str, args: tuple[Any, ...]) -> bool:
        return bool(W.remember(("any plan", name, args), lambda: Matching(self, W, name, args).any()))

    def table(self, name: str, keys: tuple[Any, ...]) -> Any:
        table = self.book.tables[name]
        inside = []
        for p, key in zip(table.params, keys, strict=True):
            low, high = table.clamps.get(p.name, (key, key))
            inside.append(min(max(key, low), high) if p.name in table.clamps else key)
        if tuple(inside) not in table.cells:
            raise Fault(f"the table {name} has no cell for {tuple(inside)!r}", table.case)
        return table.cells[tuple(inside)]

    def grow(self, W: World, name: str, args: tuple[Any, ...]) -> tuple[Any, ...]:
        """The least set: start from none, add who passes, until nobody more does."""
        g, key = self.book.grows[name], (name, args)
        cell: Key = ("growing", key)
        if key in W.growing:
            W.look(cell)
            return W.growing[key]

        def work() -> tuple[Any, ...]:
            names: Names = dict(zip((p.name for p in g.params), args, strict=True))
            members = self.value(W, g.domain, names)
            test = self.function(g.test)
            inside: tuple[Any, ...] = ()
            try:
                while True:
                    W.growing[key] = inside
                    grown = tuple(m for m in members if m in inside or test(W, {**names, "it": m}))
                    W.changed([cell])
                    if grown == inside:
                        return inside
                    inside = grown
            finally:
                del W.growing[key]
                W.changed([cell])

        found: tuple[Any, ...] = W.remember(("grow", name, args), work)
        return found

    def suppose(self, W: World, e: c.Expr, names: Names) -> Any:
        """The value in the world as it would be with some changes."""
        *rest, value = e.args
        changes: list[tuple[str, Any, Any]] = []
        for i, (sort, name) in enumerate(e.info):
            what, to = rest[2 * i], rest[2 * i + 1]
            kind = (what.type.of or what.type).plain.name
            column = "at" if sort == "at" else f"game_{name}" if sort == "game" or kind == "game" else f"{kind}_{name}"
            owner = self.value(W, what, names) if sort in ("at", "mark") else None
            if column.startswith("hexside_") and not what.type.many:
                owner = (owner,)
            changes.append((column, owner, self.value(W, to, names)))

        def change() -> set[Key]:
            cells: set[Key] = set()
            for column, owner, new in changes:
                if column == "at":
                    cells |= W.move(as_many(owner), new)
                elif column.startswith("game_"):
                    cells |= W.give(column, None, new)
                else:
                    for o in as_many(owner):
                        cells |= W.give(column, o, new)
            return cells

        asked = self.function(value)
        return W.suppose(change, {column for column, _, _ in changes}, lambda: asked(W, names))


def of_field(column: dict[Any, Any], default: Any, size: int | None, owner: Any) -> Any:
    """What is printed on a thing; nothing is printed on what is not there."""
    if size is not None and not 0 <= owner < size:
        raise KeyError(owner)
    return column.get(owner, default)


def highest_step(value: int | Fraction, steps: tuple[int | Fraction, ...]) -> int:
    """The highest step of a scale not above a value; -1 below them all."""
    return max((i for i, step in enumerate(steps) if step <= value), default=-1)


def without(members: tuple[Any, ...], gone: tuple[Any, ...]) -> tuple[Any, ...]:
    out = set(gone)
    return tuple([x for x in members if x not in out])


def some(values: Iterable[Any]) -> list[Any]:
    """Values of which there must be one."""
    found = list(values)
    if not found:
        raise Fault("highest or lowest of nothing")
    return found
