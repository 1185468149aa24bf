"""Foresee what an expression can come to.

In:  the book in the core, and an expression.
Out: between which bounds a number lies, and whether a question has an answer in every position.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import assert_never

from ..core import nodes as c
from ..core.types import FLAG
from ..core.walk import definition_exprs, rule_exprs
from .bounds import Bounds, Printed, bounds
from .dependencies import asked_by

WHOLE = ("up", "down", "nearest", "distance", "length")
"""Built-in functions that give whole numbers."""


class Foreseen:
    """What the printing of one declaration asks about others: how large a number gets, whether an answer is sure.

    Questions are noted (`noted`), so that what was printed before can be taken again while their answers stand.
    """

    def __init__(self, book: c.Book) -> None:
        self.book = book
        self.noted: list[tuple[str, c.Expr, object]] = []
        self.known: dict[tuple[str, str], bool] = {}
        self.printed: Printed = {}

    def answer(self, question: str, e: c.Expr) -> object:
        if question == "whole":
            return self._is_whole(e)
        return bounds(self.book, e, self.printed) if question == "bounds" else all(self._is_sure(x) for x in e.walk())

    def bounds(self, e: c.Expr) -> Bounds | None:
        """What a number can come to."""
        found = bounds(self.book, e, self.printed)
        self.noted.append(("bounds", e, found))
        return found

    def is_whole(self, e: c.Expr) -> bool:
        """Whether a number is whole in every position."""
        found = self._is_whole(e)
        self.noted.append(("whole", e, found))
        return found

    def _is_whole(self, e: c.Expr) -> bool:
        match e:
            case c.CountOf() | c.Rank():
                return True
            case c.SumOf():
                return self._is_whole(e.value)
            case c.Plus() | c.Minus() | c.Times() | c.Negative():
                return all(self._is_whole(a) for a in e.args)
            case c.Choose():
                return self._is_whole(e.then) and self._is_whole(e.otherwise)
            case c.BuiltinCall() if e.name in WHOLE:
                return True
            case c.Call():
                d = self.book.definitions[e.name]
                adding = [x.layer for x in d.contributions if not self._rounds(d, x)]
                layers = [x for layer in (d.base, *adding) for x in layer.walk()]
                caps = [x for stage in d.stages for x in (stage.most, stage.least) if x is not None]
                values = [x.value for layer in layers for x in layer.clauses]
                return d.sort == "define" and all(self._is_whole(x) for x in (*values, *caps))
            case _:
                found = bounds(self.book, e, self.printed)
                return found is not None and found.whole

    def _rounds(self, d: c.Definition, x: c.Contribution) -> bool:
        """Whether a number is rounded once a contribution has done its work."""
        return any(stage.round for stage in d.stages if stage.name == x.stage)

    def is_sure(self, e: c.Expr) -> bool:
        """Whether a question has an answer in every position, so that nothing is hidden by not asking it."""
        found = all(self._is_sure(x) for x in e.walk())
        self.noted.append(("sure", e, found))
        return found

    def _is_sure(self, e: c.Expr) -> bool:
        e = c.known(e)
        match e:
            case c.Const() | c.Local() | c.FieldOf() | c.MarkOf() | c.PlaceOf() | c.BuiltinCall() | c.Member():
                return True
            case c.And() | c.Or() | c.Not() | c.Comparison() | c.IsIn() | c.Between() | c.Within() | c.Choose():
                return True
            case c.Call() | c.OfQuota() | c.OfRoute() | c.Grown():
                return self._named(asked_by(e))
            case c.Times():
                return isinstance(e.left, c.Const) or isinstance(e.right, c.Const)
            case c.Over():
                return isinstance(e.right, c.Const) and bool(e.right.value)
            case c.Highest() | c.Lowest() | c.Range() | c.OfMatching() | c.Usual():
                return False
            case c.TableCell():
                table = self.book.tables[e.name]
                return all(p.name in table.clamps or p.type.sort in ("kind", "scale") for p in table.params)
            case c.Filter() | c.Tested() | c.SumOf() | c.Each() | c.EachOf() | c.Plus() | c.Minus() | c.Negative():
                return True
            case c.SetOf() | c.ListOf() | c.Union() | c.Without() | c.FirstOf() | c.RecordOf() | c.BoxOf():
                return True
            case c.OnScale() | c.Shifted() | c.Rank() | c.Other() | c.Remembered() | c.Bound() | c.Reading():
                return True
            case c.InPhase() | c.Keep() | c.Suppose() | c.Total():
                return True
            case _:
                assert_never(e)

    def _named(self, key: tuple[str, str]) -> bool:
        if key not in self.known:
            self.known[key] = False
            self.known[key] = all(self._is_sure(x) for top in self._exprs(key) for x in top.walk())
        return self.known[key]

    def _exprs(self, key: tuple[str, str]) -> Iterator[c.Expr]:
        sort, name = key
        if sort == "route":
            r = self.book.routes[name]
            yield from (x for rule in r.rules for x in rule_exprs(rule))
            yield from (x for x in (r.over_test,) if x is not None)
            for facet in r.facets.values():
                yield from self._exprs(("define", facet))
            for leg in r.legs:
                yield from self._exprs(("route", leg.route))
        elif sort == "grow":
            yield from (self.book.grows[name].domain, self.book.grows[name].test)
        else:
            d = self.book.definitions[name]
            yield from definition_exprs(d)
            for layer in d.layers():
                pairs = combinations(layer.exceptions, 2)
                if any(x.id not in y.outranks and y.id not in x.outranks for x, y in pairs):
                    yield c.Usual(type=FLAG, span=layer.span)  # two that may contradict one another
