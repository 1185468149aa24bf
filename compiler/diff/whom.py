"""Tell whom a change concerns: sides, units, turns, and the conditions of the game it waits for.

In:  a fact, and both books.
Out: what the conditions of the changed declaration compare: a side, a printed field of units, the calendar,
     a mark of the whole game such as the weather. Nothing is guessed; no condition means everybody.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

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
        if x.op in ("=", "!=", "in") and len(x.args) == 2:
            left, right = x.args
            values = constants(right, book)
            if values is None:
                continue
            said = ", ".join(values)
            word = "" if x.op != "!=" else "not "
            what = subject(left)
            if left.type.plain.name == "side" and left.type.sort == "kind":
                found["sides"][word + said] = None
            elif left.type.plain.name in ("turn", "month"):
                found["turns"][word + said] = None
            elif left.op in ("field", "mark") and left.args and left.args[0].type.plain.name == "unit":
                found["units"][f"{what} {word}{said}"] = None
            elif left.op in ("mark", "bind", "call", "memory", "reading") and not left.args:
                found["conditions"][f"{what} {word}{said}"] = None
        elif x.op in ("<", "<=", ">", ">=", "between") and x.args[0].type.plain.name == "turn":
            values = [v for a in x.args[1:] for v in constants(a, book) or []]
            if values:
                found["turns"][f"{x.op} {' and '.join(values)}".replace("between", "from")] = None
        elif x.op in ("field", "mark") and x.type.name == "flag" and x.args and x.args[0].type.plain.name == "unit":
            found["units"][subject(x)] = None


def subject(e: c.Expr) -> str:
    return str(e.info[1] if isinstance(e.info, tuple) else e.info)


def constants(e: c.Expr, book: c.Book) -> list[str] | None:
    if e.op == "const":
        value = e.info
        if isinstance(value, tuple) and e.type.of is not None:
            return [named(v, e.type.of, book) for v in value]
        return [named(value, e.type, book)]
    if e.op == "setlit" and all(a.op == "const" for a in e.args):
        return [named(a.info, a.type, book) for a in e.args]
    return None
