"""Evaluate core expressions directly.

In:  a core expression, the world and the names in reach.
Out: its value.

This is the plain reading of the core, written apart from the emitter: no constants set aside, nothing inlined, no
generated text. Each expression is turned once into a function over the world and the names; definitions, routes, least
sets and matchings are remembered by the world as long as what they looked at stays as it was.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from math import inf
from typing import Any, assert_never

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
        match e:
            case c.Const(value=value):
                return lambda W, L: value
            case c.Local(name=name):
                return lambda W, L: L[name]
            case c.Keep():
                return lambda W, L: L[KEEP]
            case c.Usual():
                return lambda W, L: L[USUAL]()
            case c.Bound(name=name):
                return lambda W, L: W.bound(name)
            case c.Reading(name=name):
                return lambda W, L: W.reading(name)
            case c.InPhase(name=name):
                return lambda W, L: W.running(name)
            case c.PlaceOf() | c.FieldOf() | c.MarkOf() | c.Member() | c.BoxOf():
                return self.of_thing(e)
            case c.And() | c.Or() | c.Not() | c.Choose():
                return self.condition(e)
            case c.Equal() | c.Unequal() | c.Less() | c.AtMost() | c.More() | c.AtLeast():
                return self.comparison(e)
            case c.Between(value=value, low=low, high=high):
                x, a, b = self.function(value), self.function(low), self.function(high)
                return lambda W, L: a(W, L) <= x(W, L) <= b(W, L)
            case c.Within(one=one, reach=reach, other=other):
                a, x, b = self.function(one), self.function(reach), self.function(other)
                return lambda W, L: distance(self.board, a(W, L), b(W, L)) <= x(W, L)
            case c.Plus() | c.Minus() | c.Times() | c.Over() | c.Negative():
                return self.arithmetic(e)
            case c.OnScale() | c.Shifted() | c.Rank() | c.Other():
                return self.of_scale(e)
            case c.IsIn() | c.Union() | c.Without() | c.SetOf() | c.ListOf() | c.RecordOf() | c.Range() | c.FirstOf():
                return self.collection(e)
            case c.AnyOf() | c.CountOf() | c.EveryOf() | c.Filter():
                return self.tested(e)
            case c.SumOf() | c.Highest() | c.Lowest() | c.Each() | c.EachOf():
                return self.folded(e)
            case c.Suppose():
                return lambda W, L: self.suppose(W, e, L)
            case c.Paths() | c.PathEnds() | c.ShortestPaths() | c.PathCost():
                return self.of_route(e)
            case c.Plans() | c.BlockedItems() | c.UncoveredTargets():
                return self.of_matching(e)
            case c.Call() | c.QuotaCap() | c.QuotaLeft() | c.QuotaSpent():
                return self.of_definition(e)
            case c.Remembered() | c.TableCell() | c.Grown() | c.BuiltinCall():
                return self.of_name(e)
            case c.Total():
                raise ValueError("a running total stands in generated code only")
            case _:
                assert_never(e)

    def of_thing(self, e: c.PlaceOf | c.FieldOf | c.MarkOf | c.Member | c.BoxOf) -> Fn:
        """Where a unit is, a printed field, a mark, a member of a record, a box."""
        match e:
            case c.PlaceOf(unit=unit):
                of = self.function(unit)
                return lambda W, L: W.at(of(W, L))
            case c.FieldOf(of=owner, key=key):
                of, column, default = self.function(owner), self.columns[key], self.book.fields[key].default
                size = {"unit": len(self.book.units), "place": len(self.book.places)}.get(key[0])
                return lambda W, L: of_field(column, default, size, of(W, L))
            case c.MarkOf(of=None, name=name):
                return lambda W, L: W.mark(f"game_{name}", None, None)
            case c.MarkOf(of=owner, name=name):
                assert owner is not None
                kind, of = owner.type.plain.name, self.function(owner)
                of_kind, start = f"{kind}_{name}", self.book.marks[kind, name].start
                return lambda W, L: W.mark(of_kind, of(W, L), start)
            case c.Member(of=record, index=index):
                of = self.function(record)
                return lambda W, L: of(W, L)[index]
            case c.BoxOf(name=name):
                given, boxes = self.given(e), self.board.boxes[name]
                return lambda W, L: boxes[given(W, L)[0]]
            case _:
                assert_never(e)

    def condition(self, e: c.And | c.Or | c.Not | c.Choose) -> Fn:
        match e:
            case c.And(left=left, right=right):
                a, b = self.function(left), self.function(right)
                return lambda W, L: a(W, L) and b(W, L)
            case c.Or(left=left, right=right):
                a, b = self.function(left), self.function(right)
                return lambda W, L: a(W, L) or b(W, L)
            case c.Not(value=value):
                a = self.function(value)
                return lambda W, L: not a(W, L)
            case c.Choose(test=test, then=then, otherwise=otherwise):
                when, a, b = self.function(test), self.function(then), self.function(otherwise)
                return lambda W, L: a(W, L) if when(W, L) else b(W, L)
            case _:
                assert_never(e)

    def comparison(self, e: c.Equal | c.Unequal | c.Less | c.AtMost | c.More | c.AtLeast) -> Fn:
        left, right = e.left, e.right
        a, b = self.function(left), self.function(right)
        sets = "set" in (left.type.sort, right.type.sort) and left.type.many and right.type.many
        match e:
            case c.Equal():
                return (lambda W, L: {*a(W, L)} == {*b(W, L)}) if sets else (lambda W, L: a(W, L) == b(W, L))
            case c.Unequal():
                return (lambda W, L: {*a(W, L)} != {*b(W, L)}) if sets else (lambda W, L: a(W, L) != b(W, L))
            case c.Less():
                return lambda W, L: a(W, L) < b(W, L)
            case c.AtMost():
                return lambda W, L: a(W, L) <= b(W, L)
            case c.More():
                return lambda W, L: a(W, L) > b(W, L)
            case c.AtLeast():
                return lambda W, L: a(W, L) >= b(W, L)
            case _:
                assert_never(e)

    def arithmetic(self, e: c.Plus | c.Minus | c.Times | c.Over | c.Negative) -> Fn:
        if isinstance(e, c.Negative):
            of = self.function(e.value)
            return lambda W, L: -of(W, L)
        a, b = self.function(e.left), self.function(e.right)
        match e:
            case c.Plus():
                return lambda W, L: a(W, L) + b(W, L)
            case c.Minus():
                return lambda W, L: a(W, L) - b(W, L)
            case c.Over():
                return lambda W, L: divided(a(W, L), b(W, L))
            case c.Times():
                if small(e.left) or small(e.right):
                    return lambda W, L: a(W, L) * b(W, L)
                return lambda W, L: bounded(a(W, L) * b(W, L))
            case _:
                assert_never(e)

    def of_scale(self, e: c.OnScale | c.Shifted | c.Rank | c.Other) -> Fn:
        match e:
            case c.OnScale(value=value, steps=steps):
                a = self.function(value)
                return lambda W, L: highest_step(a(W, L), steps)
            case c.Shifted(step=step, by=by, last=last):
                a, b = self.function(step), self.function(by)
                return lambda W, L: min(max(a(W, L) + floor(b(W, L)), 0), last)
            case c.Rank(value=value, words=None):
                a = self.function(value)
                return lambda W, L: 1 + a(W, L)
            case c.Rank(value=value, words=words):
                a, known = self.function(value), words or ()
                return lambda W, L: 1 + known.index(a(W, L))
            case c.Other(value=value, words=(one, two)):
                a = self.function(value)
                return lambda W, L: one if a(W, L) == two else two
            case c.Other():
                raise ValueError("only a kind of two words has an other one")
            case _:
                assert_never(e)

    def collection(
        self, e: c.IsIn | c.Union | c.Without | c.SetOf | c.ListOf | c.RecordOf | c.Range | c.FirstOf
    ) -> Fn:
        parts = [self.function(x) for x in e.args]
        match e:
            case c.IsIn():
                return lambda W, L: parts[0](W, L) in parts[1](W, L)
            case c.Union():
                return lambda W, L: ordered((*parts[0](W, L), *parts[1](W, L)))
            case c.Without():
                return lambda W, L: without(parts[0](W, L), parts[1](W, L))
            case c.SetOf():
                return lambda W, L: ordered([x(W, L) for x in parts])
            case c.ListOf() | c.RecordOf():
                return lambda W, L: tuple([x(W, L) for x in parts])
            case c.Range():
                return lambda W, L: numbers(parts[0](W, L), parts[1](W, L))
            case c.FirstOf():
                return lambda W, L: next((found for x in parts if (found := x(W, L))), ())
            case _:
                assert_never(e)

    def pairs(self, base: c.Expr, of: c.Expr, var: str) -> Callable[[World, Names], Iterable[tuple[Any, Any]]]:
        """The members of a set, each with the value of an expression about it."""
        members, about = self.function(base), self.function(of)

        def found(W: World, L: Names) -> Iterable[tuple[Any, Any]]:
            names = dict(L)
            for x in members(W, L):
                names[var] = x
                yield x, about(W, names)

        return found

    def tested(self, e: c.AnyOf | c.CountOf | c.EveryOf | c.Filter) -> Fn:
        """What goes through the members of a set with a test."""
        base = e.base
        if e.test is None:
            return self.untested(e)
        pairs = self.pairs(base, e.test, e.var)
        match e:
            case c.Filter():
                return lambda W, L: tuple([x for x, holds in pairs(W, L) if holds])
            case c.AnyOf():
                return lambda W, L: any(holds for _, holds in pairs(W, L))
            case c.EveryOf():
                return lambda W, L: all(holds for _, holds in pairs(W, L))
            case c.CountOf():
                return lambda W, L: sum(1 for _, holds in pairs(W, L) if holds)
            case _:
                assert_never(e)

    def untested(self, e: c.AnyOf | c.CountOf | c.EveryOf | c.Filter) -> Fn:
        """The same without a test; plans are not listed to see whether there is one."""
        match e:
            case c.AnyOf(base=c.Paths(name=name) as base):
                of_route = self.given(base)
                return lambda W, L: self.any_path(W, name, of_route(W, L))
            case c.AnyOf(base=c.Plans(name=name) as base):
                of_matching = self.given(base)
                return lambda W, L: self.any_plan(W, name, of_matching(W, L))
            case c.AnyOf(base=base):
                a = self.function(base)
                return lambda W, L: bool(a(W, L))
            case c.CountOf(base=base):
                a = self.function(base)
                return lambda W, L: len(a(W, L))
            case c.EveryOf() | c.Filter():
                raise ValueError("every and where have a test")
            case _:
                assert_never(e)

    def folded(self, e: c.SumOf | c.Highest | c.Lowest | c.Each | c.EachOf) -> Fn:
        """What takes a value of each member of a set."""
        pairs = self.pairs(e.base, e.value, e.var)
        match e:
            case c.SumOf():
                return lambda W, L: sum(value for _, value in pairs(W, L))
            case c.Highest():
                return lambda W, L: max(some(value for _, value in pairs(W, L)))
            case c.Lowest():
                return lambda W, L: min(some(value for _, value in pairs(W, L)))
            case c.Each():
                return lambda W, L: ordered(value for _, value in pairs(W, L))
            case c.EachOf():
                return lambda W, L: ordered(x for _, value in pairs(W, L) for x in value)
            case _:
                assert_never(e)

    def given(self, e: c.Named) -> Callable[[World, Names], tuple[Any, ...]]:
        """The arguments with which something is asked."""
        parts = [self.function(x) for x in e.asked]
        return lambda W, L: tuple([x(W, L) for x in parts])

    def of_route(self, e: c.Paths | c.PathEnds | c.ShortestPaths | c.PathCost) -> Fn:
        name, given = e.name, self.given(e)
        match e:
            case c.Paths():
                return lambda W, L: self.paths(W, name, given(W, L))
            case c.PathEnds():
                return lambda W, L: self.ends(W, name, given(W, L))
            case c.ShortestPaths():
                return lambda W, L: Route(self, W, name, given(W, L)).shortest()
            case c.PathCost(path=path):
                of = self.function(path)
                return lambda W, L: Route(self, W, name, given(W, L)).cost(of(W, L))
            case _:
                assert_never(e)

    def of_matching(self, e: c.Plans | c.BlockedItems | c.UncoveredTargets) -> Fn:
        name, given = e.name, self.given(e)
        match e:
            case c.Plans():
                return lambda W, L: Matching(self, W, name, given(W, L))
            case c.BlockedItems():
                return lambda W, L: Matching(self, W, name, given(W, L)).blocked()
            case c.UncoveredTargets():
                return lambda W, L: Matching(self, W, name, given(W, L)).uncovered()
            case _:
                assert_never(e)

    def of_definition(self, e: c.Call | c.QuotaCap | c.QuotaLeft | c.QuotaSpent) -> Fn:
        name, given = e.name, self.given(e)
        match e:
            case c.Call() | c.QuotaCap():
                return lambda W, L: self.define(W, name, given(W, L))
            case c.QuotaLeft():
                return lambda W, L: self.left(W, name, given(W, L))
            case c.QuotaSpent():
                return lambda W, L: W.spent(name, given(W, L))
            case _:
                assert_never(e)

    def of_name(self, e: c.Remembered | c.TableCell | c.Grown | c.BuiltinCall) -> Fn:
        name, given = e.name, self.given(e)
        match e:
            case c.Remembered():
                start = self.book.memories[name].start
                return lambda W, L: W.past(name, given(W, L), start)
            case c.TableCell():
                return lambda W, L: self.table(name, given(W, L))
            case c.Grown():
                return lambda W, L: self.grow(W, name, given(W, L))
            case c.BuiltinCall():
                return lambda W, L: builtin(W, self.book, self.board, name, given(W, L))
            case _:
                assert_never(e)

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

    def suppose(self, W: World, e: c.Suppose, names: Names) -> Any:
        """The value in the world as it would be with some changes."""
        changes: list[tuple[str, tuple[Any, ...], Any]] = []
        for x in e.changes:
            to = self.value(W, x.to, names)
            kind = (x.what.type.of or x.what.type).plain.name
            match x:
                case c.UnitAt(what=what):
                    changes.append(("at", as_many(self.value(W, what, names)), to))
                case c.MarkAs(of_game=True, name=name):
                    changes.append((f"game_{name}", (None,), to))
                case c.MarkAs(what=what, name=name):
                    owner = self.value(W, what, names)
                    one = kind == "hexside" and not what.type.many
                    changes.append((f"{kind}_{name}", (owner,) if one else as_many(owner), to))
                case _:
                    assert_never(x)

        def change() -> set[Key]:
            cells: set[Key] = set()
            for column, owners, new in changes:
                for o in owners:
                    cells |= W.move([o], new) if column == "at" else W.give(column, o, new)
            return cells

        asked = self.function(e.value)
        return W.suppose(change, {column for column, _, _ in changes}, lambda: asked(W, names))


def small(e: c.Expr) -> bool:
    """A small factor alone makes no number grow without end."""
    return isinstance(e, c.Const) and isinstance(e.value, int | Fraction) and -100 <= e.value <= 100


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
