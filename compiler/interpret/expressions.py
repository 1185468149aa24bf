"""Evaluate core expressions directly.

In:  a core expression, the world and the names in reach.
Out: its value.

This is the plain reading of the core, written apart from the emitter: no constants set aside, nothing inlined, no
generated text. Each expression is turned once into a function over the world and the names; definitions, routes, least
sets and matchings are remembered by the world as long as what they looked at stays as it was.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import inf
from typing import Any, assert_never

from rulewright.runtime.problems import Fault

from ..core import nodes as c
from . import definitions, operators
from .asks import Fn, Names
from .board import board_of, printed
from .builtins import builtin, distance
from .definitions import KEEP, USUAL, answer_of
from .matchings import Matching
from .routes import Route
from .values import as_many
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
        e = c.known(e)
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
                return operators.condition(self.function, e)
            case c.Equal() | c.Unequal() | c.Less() | c.AtMost() | c.More() | c.AtLeast():
                return operators.comparison(self.function, e)
            case c.Between(value=value, low=low, high=high):
                x, a, b = self.function(value), self.function(low), self.function(high)
                return lambda W, L: a(W, L) <= x(W, L) <= b(W, L)
            case c.Within(one=one, reach=reach, other=other):
                a, x, b = self.function(one), self.function(reach), self.function(other)
                return lambda W, L: distance(W, self.board, a(W, L), b(W, L)) <= x(W, L)
            case c.Plus() | c.Minus() | c.Times() | c.Over() | c.Negative():
                return operators.arithmetic(self.function, e)
            case c.OnScale() | c.Shifted() | c.Rank() | c.Other():
                return operators.of_scale(self.function, e)
            case c.IsIn(item=item, many=c.Plans(name=name) as many):
                of_matching, plan = self.given(many), self.function(item)
                return lambda W, L: Matching(self, W, name, of_matching(W, L)).accepts(plan(W, L))
            case c.IsIn(item=item, many=c.Paths(name=name) as many) if not self.book.routes[name].legs:
                of_route, path, listed = self.given(many), self.function(item), self.function(many)
                return lambda W, L: self.on_route(W, name, of_route(W, L), path(W, L), lambda: listed(W, L))
            case c.IsIn() | c.Union() | c.Without() | c.SetOf() | c.ListOf() | c.RecordOf() | c.Range() | c.FirstOf():
                return operators.collection(self.function, e)
            case c.AnyOf() | c.CountOf() | c.EveryOf() | c.Filter():
                return operators.tested(self.function, e, e.test) if e.test is not None else self.untested(e)
            case c.SumOf() | c.Highest() | c.Lowest() | c.Each() | c.EachOf():
                return operators.folded(self.function, e)
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

    def untested(self, e: c.AnyOf | c.CountOf | c.EveryOf | c.Filter) -> Fn:
        """Whether a set has members, or how many; plans are not listed to see whether there is one."""
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

    def given(self, e: c.Named) -> Callable[[World, Names], tuple[Any, ...]]:
        """The arguments with which something is asked."""
        parts = [self.function(x) for x in e.asked]
        return lambda W, L: tuple([x(W, L) for x in parts])

    def on_route(self, W: World, name: str, given: Any, path: Any, listed: Callable[[], Any]) -> bool:
        """Whether a path is one of a route: any that keeps to it; one that goes nowhere only where it is listed."""
        if not path:
            return False
        return path in listed() if len(path) == 1 else Route(self, W, name, given).accepts(path)

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
                return lambda W, L: Matching(self, W, name, given(W, L)).every()
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


def of_field(column: dict[Any, Any], default: Any, size: int | None, owner: Any) -> Any:
    """What is printed on a thing; nothing is printed on what is not there."""
    if size is not None and not 0 <= owner < size:
        raise KeyError(owner)
    return column.get(owner, default)
