"""Bound numbers.

In:  a core expression.
Out: the least and the greatest value that it can have and whether it is always whole, or None where that is
     not plain to see: constants, charts, printed values and sums, products and roundings of them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction
from typing import Any, NamedTuple

from ..core import nodes as c
from ..core.printed import column

ROUNDED = {"up": math.ceil, "down": math.floor, "nearest": lambda x: math.floor(x + Fraction(1, 2))}


class Bounds(NamedTuple):
    low: Fraction
    high: Fraction
    whole: bool


Printed = dict[tuple[Any, ...], Bounds | None]


def bounds(book: c.Book, e: c.Expr, printed: Printed | None = None) -> Bounds | None:
    """What an expression can come to; what is `printed` in tables and columns may be known already."""
    printed = {} if printed is None else printed
    match e.op:
        case "const":
            return of_values([e.info])
        case "table" | "field" | "get":
            if e.op == "get" and e.args[0].op != "table":
                return None
            key = (e.op, e.info, e.args[0].info if e.op == "get" else None)
            if key not in printed:
                printed[key] = of_printed(book, e)
            return printed[key]
        case "builtin" if e.info in ROUNDED:
            inner = bounds(book, e.args[0], printed)
            rounded = ROUNDED[str(e.info)]
            return inner and Bounds(Fraction(rounded(inner.low)), Fraction(rounded(inner.high)), True)
        case "+" | "*":
            a, b = (bounds(book, x, printed) for x in e.args)
            if a is None or b is None or min(a.low, b.low) < 0:
                return None
            whole = a.whole and b.whole
            if e.op == "+":
                return Bounds(a.low + b.low, a.high + b.high, whole)
            return Bounds(a.low * b.low, a.high * b.high, whole)
        case "call" if str(e.info) in book.definitions:
            return of_definition(book, book.definitions[str(e.info)], printed)
        case _:
            return None


def of_printed(book: c.Book, e: c.Expr) -> Bounds | None:
    """What a table or a column holds."""
    match e.op:
        case "table":
            return of_values(book.tables[str(e.info)].cells.values())
        case "get":
            return of_values(cell[e.info] for cell in book.tables[str(e.args[0].info)].cells.values())
        case "field" if e.info[0] in ("unit", "place"):
            return of_values(column(book, e.info[0], book.fields[e.info]))
        case _:
            return None


def of_definition(book: c.Book, d: c.Definition, printed: Printed | None = None) -> Bounds | None:
    """What a definition can come to: the widest of all that its cases say; nothing is said where cases add up."""
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
