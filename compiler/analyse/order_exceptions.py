"""Order exceptions.

In:  the book in the core.
Out: nothing; the layers already stand under what they defeat.
Reports: RW303 two exceptions that can apply together, neither outranking the other, with different values.
"""

from __future__ import annotations

import itertools
from typing import Any

from rulewright.dsl.diagnostics import Reporter

from ..core import nodes as c

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
        if one.value.op != "const" or other.value.op != "const" or one.value.info == other.value.info:
            continue
        guards = [g for g in (one.guard, other.guard) if g is not None]
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
    if e.op in ("local", "bind", "reading"):
        return str(e.info)
    if e.op in ("field", "mark"):
        owner = name_of(e.args[0]) if e.args else ""
        if owner is None:
            return None
        name = e.info[1] if isinstance(e.info, tuple) else e.info
        return f"{owner}.{name}" if owner else str(name)
    return None


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
    match e.op:
        case "and" | "or" | "not":
            return all(collect(book, a, atoms) for a in e.args)
        case "=" | "!=" | "in":
            left, right = e.args
            constants = right.op == "const" or (right.op == "setlit" and all(a.op == "const" for a in right.args))
            name, values = name_of(left), domain(book, left)
            if not constants or name is None or values is None:
                return False
            atoms[name] = values
            return True
        case "field" | "mark" | "local":
            name = name_of(e)
            if name is None or e.type.name != "flag":
                return False
            atoms[name] = [False, True]
            return True
        case "const":
            return True
        case _:
            return False


def holds(e: c.Expr, world: dict[str, Any]) -> bool:
    match e.op:
        case "and":
            return holds(e.args[0], world) and holds(e.args[1], world)
        case "or":
            return holds(e.args[0], world) or holds(e.args[1], world)
        case "not":
            return not holds(e.args[0], world)
        case "const":
            return bool(e.info)
        case "=" | "!=":
            value = world[name_of(e.args[0]) or ""]
            return bool((value == e.args[1].info) == (e.op == "="))
        case "in":
            items = [a.info for a in e.args[1].args] if e.args[1].op == "setlit" else e.args[1].info
            return world[name_of(e.args[0]) or ""] in items
        case _:
            return bool(world[name_of(e) or ""])
