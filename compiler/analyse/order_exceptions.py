"""Find exceptions that contradict one another, from the text alone.

In:  the book in the core.
Out: nothing; the layers already stand under what they defeat.
Reports: RW303 two exceptions that can apply together, neither outranking the other, with different values.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

from rulewright.dsl.diagnostics import Reporter

from ..core import nodes as c
from .three_valued import BY_PARTS, evaluate

MOST = 4096


def order(book: c.Book, report: Reporter) -> None:
    """Find the conflicts that can be proved from the text alone."""
    for d in book.definitions.values():
        for layer in d.layers():
            for a, b in itertools.combinations(layer.exceptions, 2):
                if a.id in b.outranks or b.id in a.outranks or a.waivers or b.waivers:
                    continue
                found = clash(book, a, b)
                if found is not None:
                    report.error(
                        "RW303",
                        b.span,
                        f"cases {a.case} and {b.case} both except {d.name} and can apply together{found}",
                        help=f"let one outrank the other: except {layer.case}, {a.case} {d.name}: …; or exclude it",
                        case=b.case,
                    )


def clash(book: c.Book, a: c.Layer, b: c.Layer) -> str | None:
    """How both can apply with different values, where that is provable; None otherwise."""
    for one, other in itertools.product(a.clauses, b.clauses):
        match one.value, other.value:
            case c.Const(value=first), c.Const(value=second) if first != second:
                guards = [g for g in (one.guard, other.guard) if g is not None]
            case _:
                continue
        if not guards:
            return ": neither has a condition"
        atoms: dict[str, list[Any]] = {}
        if not all(collect(book, g, atoms) for g in guards):
            continue
        size = 1
        for values in atoms.values():
            size *= len(values)
        if size > MOST:
            continue
        names = list(atoms)
        for values_ in itertools.product(*atoms.values()):
            world = dict(zip(names, values_, strict=True))
            if all(holds(g, world) for g in guards):
                said = ", ".join(said_so(k, v) for k, v in world.items())
                return f" (with {said})" if said else ""
    return None


def said_so(name: str, value: Any) -> str:
    return name if value is True else f"not {name}" if value is False else f"{name} = {value}"


def possible(book: c.Book, guard: c.Expr) -> bool:
    """Whether some combination of values meets the condition; True where that cannot be told."""
    atoms: dict[str, list[Any]] = {}
    if not collect(book, guard, atoms):
        return True
    size = 1
    for values in atoms.values():
        size *= len(values)
    if size > MOST:
        return True
    worlds = itertools.product(*atoms.values())
    return any(holds(guard, dict(zip(atoms, values, strict=True))) for values in worlds)


def name_of(e: c.Expr) -> str | None:
    """A name for a value that is free to be anything of its kind."""
    match e:
        case c.Local() | c.Bound() | c.Reading() | c.MarkOf(of=None):
            return e.name
        case c.FieldOf():
            owner, name = name_of(e.of), e.key[1]
        case c.MarkOf(of=of) if of is not None:
            owner, name = name_of(of), e.name
        case _:
            return None
    return None if owner is None else f"{owner}.{name}"


def domain(book: c.Book, e: c.Expr) -> list[Any] | None:
    if e.type.sort == "kind" and not e.type.absent:
        return list(book.kinds.get(e.type.name, ()))
    if e.type.name == "flag":
        return [False, True]
    if e.type.name == "month" and book.calendar is not None:
        return list(book.calendar.months)
    return None


def collect(book: c.Book, e: c.Expr, atoms: dict[str, list[Any]]) -> bool:
    """Gather the free values that a guard compares; False where it is not that simple."""
    match e:
        case c.And() | c.Or():
            return collect(book, e.left, atoms) and collect(book, e.right, atoms)
        case c.Not():
            return collect(book, e.value, atoms)
        case c.Equal() | c.Unequal():
            return isinstance(e.right, c.Const) and compared(book, e.left, atoms)
        case c.IsIn():
            return words_in(e.many) is not None and compared(book, e.item, atoms)
        case c.FieldOf() | c.MarkOf() | c.Local():
            name = name_of(e)
            if name is None or e.type.name != "flag":
                return False
            atoms[name] = [False, True]
            return True
        case c.Const():
            return True
        case _:
            return False


def compared(book: c.Book, e: c.Expr, atoms: dict[str, list[Any]]) -> bool:
    """Note a value that is compared with constants; False where it is not free, or of no small kind."""
    name, values = name_of(e), domain(book, e)
    if name is None or values is None:
        return False
    atoms[name] = values
    return True


def words_in(many: c.Expr) -> Sequence[c.Value] | None:
    """The members of a collection that is written out; None where it is not."""
    match many:
        case c.Const():
            return many.value if isinstance(many.value, tuple) else None
        case c.SetOf():
            words = [x.value for x in many.items if isinstance(x, c.Const)]
            return words if len(words) == len(many.items) else None
        case _:
            return None


def holds(e: c.Expr, world: dict[str, Any]) -> bool:
    """Whether a guard that `collect` knows is met where its free values are these."""

    def known(x: c.Expr) -> Any:
        name = name_of(x)
        return BY_PARTS if name is None else world[name]

    return evaluate(e, known) is True
