"""Whom a change concerns: sides, units, turns, and conditions of the game.

In:  a fact, and both books.
Out: the limits found in the conditions of the changed declaration: a side, a printed field of units, the calendar, a
     mark of the whole game such as the weather. Nothing is guessed; no condition means everybody.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from rulewright.dsl import nodes as n

from ..core import nodes as c
from ..core.notation import named
from .facts import Fact, elements, inside
from .meaning.canonical import spine
from .once import once_a_book


@dataclass(frozen=True, slots=True)
class Whom:
    """Whom a change concerns; empty lists mean no limit."""

    sides: tuple[str, ...] = ()
    units: tuple[str, ...] = ()
    turns: tuple[str, ...] = ()
    conditions: tuple[str, ...] = ()
    phases: tuple[str, ...] = ()
    wins: str = ""

    def __str__(self) -> str:
        parts = [self.wins, ", ".join(self.sides), ", ".join(self.units), ", ".join(self.turns)]
        parts.append(", ".join(self.conditions))
        if self.phases:
            parts.append("in " + ", ".join(self.phases))
        return "; ".join(p for p in parts if p)

    def as_json(self) -> dict[str, Any]:
        return {
            "wins": self.wins or None,
            "sides": list(self.sides),
            "units": list(self.units),
            "turns": list(self.turns),
            "conditions": list(self.conditions),
            "phases": list(self.phases),
        }


Limits = dict[tuple[str, str], dict[str, None]]
"""What must hold, by what sort of limit it is and what it is about; each with the values that meet it."""


def whom(f: Fact, a: c.Book, b: c.Book) -> Whom:
    """Whom a fact concerns: what limits it on both sides and in all its clauses."""
    found: dict[str, dict[str, None]] = {k: {} for k in ("sides", "units", "turns", "conditions", "phases")}
    if f.element in ("unit", "set-up"):
        for book in (a, b):
            for u in book.units:
                if u.name in f.name.split(", ") or u.name in f.where.split(", "):
                    found["sides"][str(u.fields.get("side", ""))] = None
                    found["units"][u.name] = None
    limits: list[Limits] = []
    for entry, book in ((f.old, a), (f.new, b)):
        if entry is None or f.element in ("unit", "set-up", "cell", "table", "map feature"):
            continue
        if isinstance(entry.node, n.Action):
            found["phases"].update(dict.fromkeys(entry.node.phases))
        limits += [limit(e, book) for e in conditions(f, pieces_of(book, entry.node))]
    for sort, about in limits[0] if limits else ():
        if all((sort, about) in x for x in limits):
            values = {v: None for x in limits for v in x[sort, about]}
            if sort == "turns" and complete(values):
                continue
            lead = f"{about} " if about else ""
            found[sort][lead + ", ".join(values)] = None
    lists = {k: tuple(x for x in v if x) for k, v in found.items()}
    return Whom(lists["sides"], lists["units"], lists["turns"], lists["conditions"], lists["phases"])


def complete(values: Iterable[str]) -> bool:
    """Whether ranges of turns cover all turns: before one, and from it on."""
    ends = [v.removeprefix("before ") for v in values if v.startswith("before ")]
    return any(v == f"from {end} on" for v in values for end in ends)


@once_a_book
def pieces_in(book: c.Book) -> dict[int, list[Any]]:
    """The pieces of the core of a book, by the text that they came from."""
    return elements(book)


def pieces_of(book: c.Book, node: n.Decl) -> list[Any]:
    """The pieces of the core that came from a declaration."""
    return [x for x in pieces_in(book).get(id(node.span.origin), []) if inside(x, node.span)]


def conditions(f: Fact, found: list[Any]) -> list[c.Expr | None]:
    """The alternative conditions under which the changed part applies; None where it always does."""
    ways: list[c.Expr | None] = []
    for x in found:
        match x:
            case c.Layer():
                ways += [clause.guard for clause in [cl for cl in x.clauses if within(cl, f)] or x.clauses]
            case c.Rule():
                if len([y for y in found if isinstance(y, c.Rule)]) == 1 or within(x, f):
                    ways.append(x.guard if x.sort == "require" else x.test)
            case c.Waiver() | c.Trigger() | c.Wrapper():
                ways.append(x.guard)
    return ways or [None]


def within(x: Any, f: Fact) -> bool:
    """Whether the changed part is inside a piece."""
    if f.part is None:
        return False
    for part in (f.part.before, f.part.after):
        if isinstance(part, n.Node) and part.span.origin is x.span.origin:
            start, end = (part.span.row, part.span.column), (part.span.end_row, part.span.end_column)
            if (x.span.row, x.span.column) <= start and end <= (x.span.end_row, x.span.end_column):
                return True
    return False


def limit(e: c.Expr | None, book: c.Book) -> Limits:
    """Record what each operand of an `and` requires; an operand of `or` requires nothing by itself."""
    found: Limits = {}
    for x in spine(e, c.And) if e is not None else ():
        match x:
            case c.Equal():
                same(x.left, constants(x.right, book), "", found)
            case c.Unequal():
                same(x.left, constants(x.right, book), "not ", found)
            case c.IsIn():
                same(x.item, constants(x.many, book), "", found)
            case c.Not(value=c.IsIn() as inner):
                same(inner.item, constants(inner.many, book), "not ", found)
            case c.Less() | c.AtMost() | c.More() | c.AtLeast():
                dated(x.left, [DATED[x.sign].format(v) for v in constants(x.right, book) or []], found)
            case c.Between():
                ends = [constants(end, book) or ["?"] for end in (x.low, x.high)]
                dated(x.value, [f"from {ends[0][0]} to {ends[1][0]}"], found)
            case c.FieldOf() | c.MarkOf():
                if x.type.name == "flag" and of_unit(x):
                    found["units", ""] = {**found.get(("units", ""), {}), said_of(x): None}
            case _:
                pass
    return found


DATED = {"<": "before {}", "<=": "to {}", ">": "after {}", ">=": "from {} on"}


def same(left: c.Expr, values: list[str] | None, word: str, found: Limits) -> None:
    """Record that something must be (or, with a `word`, must not be) one of some constants."""
    if values is None:
        return
    said = {word + ", ".join(values): None}
    if left.type.plain.name == "side" and left.type.sort == "kind" and its_side(left):
        found.setdefault(("sides", ""), said)
    elif left.type.plain.name in ("turn", "month") and present(left):
        found["turns", ""] = said
    elif isinstance(left, c.FieldOf | c.MarkOf) and of_unit(left):
        found["units", said_of(left)] = said
    elif isinstance(left, c.MarkOf | c.Bound | c.Call | c.Remembered | c.Reading) and not left.args:
        found["conditions", left.name.replace("_", " ")] = said


def dated(left: c.Expr, said: list[str], found: Limits) -> None:
    """Record that a turn must be before, after or between others."""
    if said and left.type.plain.name == "turn" and "?" not in said[0] and isinstance(left, c.FieldOf | c.MarkOf):
        if of_unit(left):
            known = " and ".join([*found.get(("units", said_of(left)), {}), *said])
            found["units", said_of(left)] = {known: None}
    elif said and left.type.plain.name == "turn" and "?" not in said[0] and present(left):
        known = " and ".join([*found.get(("turns", ""), {}), *said])
        found["turns", ""] = {known: None}


def its_side(e: c.Expr) -> bool:
    """Whether a side is that of a unit, of the phase that runs, or a parameter; not one that a hex or mark keeps."""
    return isinstance(e, c.Local | c.Bound) or (isinstance(e, c.FieldOf | c.MarkOf) and e.key == ("unit", "side"))


def present(e: c.Expr) -> bool:
    """Whether a turn is the one that is played, or a month the one that it is in."""
    match e:
        case c.BuiltinCall(name="month", asked=(inner,)):
            return present(inner)
        case c.MarkOf():
            return e.of is None
        case _:
            return isinstance(e, c.Bound)


def of_unit(e: c.FieldOf | c.MarkOf) -> bool:
    return e.of is not None and e.of.type.plain.name == "unit"


def said_of(e: c.FieldOf | c.MarkOf) -> str:
    return e.key[1] if isinstance(e, c.FieldOf) else e.name


def constants(e: c.Expr, book: c.Book) -> list[str] | None:
    """A constant, or the members of a constant set, as text; None where a value is computed."""
    if isinstance(e, c.Const):
        if isinstance(e.value, tuple) and e.type.of is not None:
            of = e.type.of
            return [named(v, of, book) for v in e.value]
        return [named(e.value, e.type, book)]
    if isinstance(e, c.SetOf):
        members = [a for a in e.items if isinstance(a, c.Const)]
        return [named(a.value, a.type, book) for a in members] if len(members) == len(e.items) else None
    return None
