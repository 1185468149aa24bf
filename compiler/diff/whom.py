"""Whom a change concerns: sides, units, turns, and the conditions of the game under which it counts.

In:  a fact, and both books.
Out: what the conditions of the changed declaration compare: a side, a printed field of units, the calendar,
     a mark of the whole game such as the weather. Nothing is guessed; no condition means everybody.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, assert_never

from rulewright.dsl import nodes as n

from ..core import nodes as c
from ..evaluate.notation import named
from .facts import Fact, elements, inside


@dataclass(frozen=True, slots=True)
class Whom:
    """Whom a change concerns; empty lists mean no limit."""

    sides: tuple[str, ...] = ()
    units: tuple[str, ...] = ()
    turns: tuple[str, ...] = ()
    conditions: tuple[str, ...] = ()
    phases: tuple[str, ...] = ()

    def __str__(self) -> str:
        parts = [", ".join(self.sides), ", ".join(self.units), ", ".join(self.turns), ", ".join(self.conditions)]
        if self.phases:
            parts.append("in " + ", ".join(self.phases))
        return "; ".join(p for p in parts if p)

    def as_json(self) -> dict[str, list[str]]:
        return {
            "sides": list(self.sides),
            "units": list(self.units),
            "turns": list(self.turns),
            "conditions": list(self.conditions),
            "phases": list(self.phases),
        }


def whom(f: Fact, a: c.Book, b: c.Book) -> Whom:
    """Whom a fact concerns, on either side of it."""
    found: dict[str, dict[str, None]] = {k: {} for k in ("sides", "units", "turns", "conditions", "phases")}
    if f.element in ("unit", "set-up"):
        for book in (a, b):
            for u in book.units:
                if u.name in f.name.split(", ") or u.name in f.where.split(", "):
                    found["sides"][str(u.fields.get("side", ""))] = None
                    found["units"][u.name] = None
    for entry, book in ((f.old, a), (f.new, b)):
        if entry is None:
            continue
        node = entry.node
        if isinstance(node, n.Action):
            found["phases"].update(dict.fromkeys(node.phases))
        for e in conditions(f, pieces_of(book, node)):
            read(e, book, found)
    return Whom(**{k: tuple(x for x in v if x) for k, v in found.items()})


_PIECES: dict[int, tuple[c.Book, dict[int, list[Any]]]] = {}


def pieces_of(book: c.Book, node: n.Decl) -> list[Any]:
    """The pieces of the core that came from a declaration."""
    known = _PIECES.get(id(book))
    if known is None or known[0] is not book:
        if len(_PIECES) > 8:
            _PIECES.clear()
        known = _PIECES[id(book)] = (book, elements(book))
    return [x for x in known[1].get(id(node.span.origin), []) if inside(x, node.span)]


def conditions(f: Fact, found: Iterable[Any]) -> Iterator[c.Expr]:
    """The conditions under which the changed part counts: its own clause where that is known, else all."""
    for x in found:
        match x:
            case c.Layer():
                clauses = [cl for cl in x.clauses if within(cl, f)] or list(x.clauses)
                for clause in clauses:
                    if clause.guard is not None:
                        yield clause.guard
            case c.Rule():
                if len([y for y in found if isinstance(y, c.Rule)]) == 1 or within(x, f):
                    yield from (e for e in (x.test, x.guard) if e is not None)
            case c.Waiver() | c.Trigger() | c.Wrapper():
                if x.guard is not None:
                    yield x.guard
            case c.Duty():
                yield x.test


def within(x: Any, f: Fact) -> bool:
    """Whether the changed part stands in a piece."""
    if f.part is None:
        return False
    for part in (f.part.before, f.part.after):
        if isinstance(part, n.Node) and part.span.origin is x.span.origin:
            start, end = (part.span.row, part.span.column), (part.span.end_row, part.span.end_column)
            if (x.span.row, x.span.column) <= start and end <= (x.span.end_row, x.span.end_column):
                return True
    return False


def read(e: c.Expr, book: c.Book, found: dict[str, dict[str, None]]) -> None:
    """Sort the comparisons of a condition by what they look at."""
    for x in e.walk():
        match x:
            case c.Equal():
                same(x.left, constants(x.right, book), "", found)
            case c.Unequal():
                same(x.left, constants(x.right, book), "not ", found)
            case c.IsIn():
                same(x.item, constants(x.many, book), "", found)
            case c.Less() | c.AtMost() | c.More() | c.AtLeast():
                dated(x.left, x.sign, constants(x.right, book) or [], found)
            case c.Between():
                values = [v for end in (x.low, x.high) for v in constants(end, book) or []]
                dated(x.value, "from", values, found)
            case c.FieldOf() | c.MarkOf():
                if x.type.name == "flag" and of_unit(x):
                    found["units"][said_of(x)] = None
            case c.Const() | c.Local() | c.Usual() | c.Keep() | c.Bound() | c.Reading() | c.InPhase() | c.Total():
                pass
            case c.PlaceOf() | c.Member() | c.Named() | c.OnScale() | c.Shifted() | c.Rank() | c.Other():
                pass
            case c.And() | c.Or() | c.Not() | c.Negative() | c.Arithmetic() | c.Within() | c.SetOf() | c.ListOf():
                pass
            case c.Range() | c.Union() | c.Without() | c.FirstOf() | c.Tested() | c.Filter() | c.Folded():
                pass
            case c.Suppose() | c.Choose():
                pass
            case _:
                assert_never(x)


def same(left: c.Expr, values: list[str] | None, word: str, found: dict[str, dict[str, None]]) -> None:
    """Note that something must be, or with a `word` must not be, one of some constants."""
    if values is None:
        return
    said = word + ", ".join(values)
    if left.type.plain.name == "side" and left.type.sort == "kind":
        found["sides"][said] = None
    elif left.type.plain.name in ("turn", "month"):
        found["turns"][said] = None
    elif isinstance(left, c.FieldOf | c.MarkOf) and of_unit(left):
        found["units"][f"{said_of(left)} {said}"] = None
    elif isinstance(left, c.MarkOf | c.Bound | c.Call | c.Remembered | c.Reading) and not left.args:
        found["conditions"][f"{left.name} {said}"] = None


def dated(left: c.Expr, word: str, values: list[str], found: dict[str, dict[str, None]]) -> None:
    """Note that a turn must lie before, after or between some others."""
    if values and left.type.plain.name == "turn":
        found["turns"][f"{word} {' and '.join(values)}"] = None


def of_unit(e: c.FieldOf | c.MarkOf) -> bool:
    return e.of is not None and e.of.type.plain.name == "unit"


def said_of(e: c.FieldOf | c.MarkOf) -> str:
    return e.key[1] if isinstance(e, c.FieldOf) else e.name


def constants(e: c.Expr, book: c.Book) -> list[str] | None:
    """A constant, or the members of a set of constants, as shown; None where a value is computed."""
    if isinstance(e, c.Const):
        if isinstance(e.value, tuple) and e.type.of is not None:
            of = e.type.of
            return [named(v, of, book) for v in e.value]
        return [named(e.value, e.type, book)]
    if isinstance(e, c.SetOf):
        members = [a for a in e.items if isinstance(a, c.Const)]
        return [named(a.value, a.type, book) for a in members] if len(members) == len(e.items) else None
    return None
