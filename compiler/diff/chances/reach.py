"""Which keys of a table play can look up.

In:  a book in the core.
Out: for each numeric key of a table the least and greatest value of any look-up, where known.

This is an interval analysis: from dice, constants, charts and printed values through sums, roundings, `let`, parameters
and definitions. Bounds are never too narrow; if one look-up has a key that is not understood, every key counts.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from ...analyse.bounds import bounds
from ...core import nodes as c
from ...core.walk import all_procedures, declared, statements, top_exprs

Span = tuple[Fraction, Fraction] | None
"""From the least to the most; None where that is not known."""
DEEPEST = 12


class Reach:
    """The look-ups of one book, and the intervals of their keys."""

    def __init__(self, book: c.Book) -> None:
        self.book = book
        self.look_ups: defaultdict[str, list[tuple[str, c.TableCell]]] = defaultdict(list)
        self.given: defaultdict[tuple[str, str], list[tuple[str, c.Expr]]] = defaultdict(list)
        self.binds: defaultdict[tuple[str, str], list[c.Expr | tuple[int, int] | None]] = defaultdict(list)
        self.known: dict[tuple[str, str], Span] = {}
        for owner, e in tops(book):
            for x in e.walk():
                match x:
                    case c.TableCell():
                        self.look_ups[x.name].append((owner, x))
                    case c.Call():
                        for p, y in zip(book.definitions[x.name].params, x.asked, strict=False):
                            self.given[f"define {x.name}", p.name].append((owner, y))
        for run in all_procedures(book):
            self.bound_in(run)

    def bound_in(self, run: c.Procedure) -> None:
        """The possible values of the names of a procedure: every `let`, roll and loop, and the arguments of callers."""
        owner = f"procedure {run.name}"
        for s in (s for body in (run.body, *(w.body for w in run.wrappers)) for s in statements(body)):
            match s:
                case c.Let():
                    self.binds[owner, s.name].append(s.value)
                case c.Roll():
                    value = s.dice.value if isinstance(s.dice, c.Const) else None
                    self.binds[owner, s.name].append(value if isinstance(value, tuple) else None)  # type: ignore[arg-type]
                case c.ForEach():
                    self.binds[owner, s.var].append(None)
                case c.Draw():
                    self.binds[owner, s.name].append(None)
                case c.AskSide():
                    self.binds[owner, s.ask.name].append(None)
                case c.Do():
                    target = self.book.procedures.get(s.name)
                    for p, x in zip(target.params if target else (), s.given, strict=False):
                        self.given[f"procedure {s.name}", p.name].append((owner, x))
                case _:
                    pass

    def keys(self, table: str, axis: int) -> Span:
        """The interval of a key over all look-ups, before its clamp; None where unknown."""
        found: list[Span] = [self.span(x.asked[axis], owner, DEEPEST) for owner, x in self.look_ups.get(table, ())]
        return joined(found)

    def reaches(self, table: c.Table, key: tuple[Any, ...]) -> bool:
        """Whether some look-up can reach a cell."""
        for i, p in enumerate(table.params):
            if p.type.name != "number" or not isinstance(key[i], int):
                words = self.words(table.name, i)
                if words is not None and key[i] not in words:
                    return False
                continue
            span = self.keys(table.name, i)
            if span is None:
                continue
            low, high = span
            if p.name in table.clamps:
                least, most = table.clamps[p.name]
                low, high = (max(Fraction(least), min(Fraction(most), x)) for x in span)
            if not low <= key[i] <= high:
                return False
        return True

    def words(self, table: str, axis: int) -> set[Any] | None:
        """The constants that look-ups use as a key, if all of them are constants."""
        found: set[Any] = set()
        for _, x in self.look_ups.get(table, ()):
            values = self.written(x.asked[axis], DEEPEST)
            if values is None:
                return None
            found |= values
        return found or None

    def written(self, e: c.Expr, deep: int) -> set[Any] | None:
        match e:
            case c.Const():
                return {e.value}
            case c.Call() if deep:
                d = self.book.definitions[e.name]
                clauses = [x for layer in d.layers() for x in layer.clauses]
                if d.gathered or d.sort != "define" or all(x.guard is not None for x in d.base.clauses):
                    return None
                parts = [self.written(x.value, deep - 1) for x in clauses]
                return set().union(*(x for x in parts if x is not None)) if None not in parts else None
        return None

    # ------------------------------------------------------------ numbers

    def span(self, e: c.Expr, owner: str, deep: int) -> Span:
        """The interval of an expression; None where unknown."""
        if not deep:
            return None
        match e:
            case c.Const(value=int() | Fraction() as value) if not isinstance(value, bool):
                return Fraction(value), Fraction(value)
            case c.Local():
                return self.local(owner, e.name, deep - 1)
            case c.Plus() | c.Minus() | c.Times():
                a, b = self.span(e.left, owner, deep - 1), self.span(e.right, owner, deep - 1)
                if a is None or b is None:
                    return None
                if isinstance(e, c.Plus):
                    return a[0] + b[0], a[1] + b[1]
                if isinstance(e, c.Minus):
                    return a[0] - b[1], a[1] - b[0]
                ends = [x * y for x in a for y in b]
                return min(ends), max(ends)
            case c.Negative():
                a = self.span(e.value, owner, deep - 1)
                return None if a is None else (-a[1], -a[0])
            case c.Over():
                a, b = self.span(e.left, owner, deep - 1), self.span(e.right, owner, deep - 1)
                if a is None or b is None or b[0] <= 0 <= b[1]:
                    return None
                ends = [x / y for x in a for y in b]
                return min(ends), max(ends)
            case c.BuiltinCall(name="up" | "down" | "nearest" as name, asked=(inner,)):
                a = self.span(inner, owner, deep - 1)
                return None if a is None else (rounded(name, a[0]), rounded(name, a[1]))
            case c.Lowest() | c.Highest() if isinstance(e.base, c.SetOf) and isinstance(e.value, c.Local):
                return joined([self.span(x, owner, deep - 1) for x in e.base.items]) if e.value.name == e.var else None
            case c.Call():
                return self.definition(self.book.definitions[e.name], deep - 1)
            case c.FieldOf() | c.TableCell() | c.Member():
                found = bounds(self.book, e)
                return None if found is None else (found.low, found.high)
            case _:
                return None

    def local(self, owner: str, name: str, deep: int) -> Span:
        """The interval of a name: everything bound to it, or passed for it as an argument."""
        if not deep:
            return None
        found: list[Span] = []
        for x in self.binds.get((owner, name), ()):
            match x:
                case (count, sides):
                    found.append((Fraction(count), Fraction(count * sides)))
                case None:
                    found.append(None)
                case _:
                    found.append(self.span(x, owner, deep))
        found += [self.span(x, other, deep) for other, x in self.given.get((owner, name), ())]
        return joined(found)

    def definition(self, d: c.Definition, deep: int) -> Span:
        """The interval of a definition: over its clauses, with every sum of its contributions."""
        if not deep or d.sort != "define":
            return None
        owner = f"define {d.name}"
        base = [self.clause(x, layer, owner, deep) for layer in d.base.walk() for x in layer.clauses]
        if all(x.guard is not None for x in d.base.clauses):
            base.append((Fraction(0), Fraction(0)))
        total = joined(base)
        for x in d.contributions:
            given = joined([self.clause(y, layer, owner, deep) for layer in x.layer.walk() for y in layer.clauses])
            if total is None or given is None or any(y.operation == "times" for y in x.layer.clauses):
                return None
            total = total[0] + min(given[0], Fraction(0)), total[1] + max(given[1], Fraction(0))
        for stage in d.stages:
            for cap, end in ((stage.most, 1), (stage.least, 0)):
                bound = None if cap is None else self.span(cap, owner, deep)
                if bound is not None and total is not None:
                    low, high = total
                    limit = bound[1] if end else bound[0]
                    total = (min(low, limit), min(high, limit)) if end else (max(low, limit), max(high, limit))
        if total is None or not d.stages:
            return total
        return Fraction(math.floor(total[0])), Fraction(math.ceil(total[1]))

    def clause(self, x: c.Clause, layer: c.Layer, owner: str, deep: int) -> Span:
        return None if layer.lets else self.span(x.value, owner, deep)


def rounded(how: str, x: Fraction) -> Fraction:
    return Fraction(math.ceil(x) if how == "up" else math.floor(x) if how == "down" else math.floor(x + Fraction(1, 2)))


def joined(found: list[Span]) -> Span:
    """The interval that contains all of these; None where one is unknown, or there is none."""
    known = [x for x in found if x is not None]
    if not known or len(known) != len(found):
        return None
    return min(x[0] for x in known), max(x[1] for x in known)


def tops(book: c.Book) -> Iterator[tuple[str, c.Expr]]:
    """Every outermost expression, with the declaration that binds names around it."""
    for x in declared(book):
        if isinstance(x, c.Definition):
            yield from ((f"define {x.name}", e) for e in top_exprs(x))
        elif isinstance(x, c.Procedure):
            yield from ((f"procedure {x.name}", e) for e in top_exprs(x))
        else:
            yield from ((f"rule {x.case}", e) for e in top_exprs(x))
