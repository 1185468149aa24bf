"""Value ranges of numbers.

In:  a core expression.
Out: the least and the greatest value that it can have and whether it is always whole, or None where that is
     not evident: constants, charts, printed values and sums, products and roundings of them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction
from typing import Any, NamedTuple, assert_never

from ..core import nodes as c
from ..core.printed import column

ROUNDED = {"up": math.ceil, "down": math.floor, "nearest": lambda x: math.floor(x + Fraction(1, 2))}


class Bounds(NamedTuple):
    low: Fraction
    high: Fraction
    whole: bool


Key = tuple[str] | tuple[str, str] | tuple[str, int]
"""A table, a column by its owner and name, or a member of a table's cells."""
Printed = dict[Key, Bounds | None]


def bounds(book: c.Book, e: c.Expr, printed: Printed | None = None) -> Bounds | None:
    """The range of an expression; the ranges of tables and columns may be `printed` already."""
    printed = {} if printed is None else printed
    e = c.known(e)
    match e:
        case c.Const():
            return of_values([e.value])
        case c.FieldOf() | c.TableCell() | c.Member(of=c.TableCell()):
            return of_printed(book, e, printed)
        case c.BuiltinCall() if e.name in ROUNDED:
            inner = bounds(book, e.asked[0], printed)
            rounded = ROUNDED[e.name]
            return inner and Bounds(Fraction(rounded(inner.low)), Fraction(rounded(inner.high)), True)
        case c.Plus() | c.Times():
            a, b = bounds(book, e.left, printed), bounds(book, e.right, printed)
            if a is None or b is None or min(a.low, b.low) < 0:
                return None
            whole = a.whole and b.whole
            if isinstance(e, c.Plus):
                return Bounds(a.low + b.low, a.high + b.high, whole)
            return Bounds(a.low * b.low, a.high * b.high, whole)
        case c.Call():
            d = book.definitions.get(e.name)
            return None if d is None else of_definition(book, d, printed)
        case c.Minus() | c.Over() | c.Negative() | c.Folded() | c.CountOf() | c.Rank() | c.OfQuota() | c.PathCost():
            return None  # numbers, but below nought, or without an end that is evident
        case c.Local() | c.MarkOf() | c.BuiltinCall() | c.Member() | c.Remembered() | c.Bound():
            return None
        case c.Usual() | c.Keep() | c.Suppose() | c.Choose() | c.Total():
            return None
        case c.And() | c.Or() | c.Not() | c.Comparison() | c.IsIn() | c.Between() | c.Within() | c.InPhase():
            return None  # from here on, never numbers
        case c.PlaceOf() | c.Tested() | c.Filter() | c.SetOf() | c.ListOf() | c.Range() | c.Union() | c.Without():
            return None
        case c.FirstOf() | c.Grown() | c.BoxOf() | c.RecordOf() | c.OfRoute() | c.OfMatching():
            return None
        case c.OnScale() | c.Shifted() | c.Other() | c.Reading():
            return None
        case _:
            assert_never(e)


def of_printed(book: c.Book, e: c.FieldOf | c.TableCell | c.Member, printed: Printed) -> Bounds | None:
    """What a table or a column holds."""
    match e:
        case c.FieldOf():
            key: Key = e.key
        case c.TableCell():
            key = (e.name,)
        case c.Member(of=c.TableCell(name=name)):
            key = (name, e.index)
        case _:
            return None
    if key not in printed:
        printed[key] = of_values(values_of(book, e))
    return printed[key]


def values_of(book: c.Book, e: c.FieldOf | c.TableCell | c.Member) -> Iterable[Any]:
    match e:
        case c.FieldOf(key=key) if key[0] in ("unit", "place"):
            return tuple(column(book, key[0], book.fields[key]))
        case c.TableCell():
            return book.tables[e.name].cells.values()
        case c.Member(of=c.TableCell(name=name)):
            return (cell[e.index] for cell in book.tables[name].cells.values())
        case _:
            return ()


def of_definition(book: c.Book, d: c.Definition, printed: Printed | None = None) -> Bounds | None:
    """The range of a definition: the union over its cases; None where cases add up."""
    if d.gathered or d.contributions or d.sort == "memory":
        return None
    found = [bounds(book, clause.value, printed) for layer in d.layers() for clause in layer.clauses]
    return widest([*found, Bounds(Fraction(0), Fraction(0), True)] if open_ended(d.base) else found)


def open_ended(layer: c.Layer) -> bool:
    """Whether no clause may apply, so that the value is nought."""
    return all(clause.guard is not None for clause in layer.clauses)


def of_values(values: Iterable[Any]) -> Bounds | None:
    numbers = set(values)
    if not numbers or not all(isinstance(x, int | Fraction) and not isinstance(x, bool) for x in numbers):
        return None
    whole = all(x.denominator == 1 for x in numbers)
    return Bounds(Fraction(min(numbers)), Fraction(max(numbers)), whole)


def widest(found: list[Bounds | None]) -> Bounds | None:
    known = [x for x in found if x is not None]
    if len(known) != len(found) or not known:
        return None
    return Bounds(min(x.low for x in known), max(x.high for x in known), all(x.whole for x in known))
