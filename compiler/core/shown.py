"""What players have before them, what is veiled, and by how much a game was won, by the names that the runtime knows.

In:  a book, and a name of its `shown` or `veiled` blocks or of the margin of a scenario.
Out: the column of a mark, `bind_NAME` of a binding, `value NAME` of what is asked: a definition, memory or quota of
     nothing, or of one side, kind or step. What is veiled is `unit` or the column of a mark of hexes (`place_dump`),
     with the definitions that say from whom it is kept. A margin is a number of one side. What a value that a line of
     the log tells is made of, as far as its own words say so.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from .book import Book
from .expressions import Expr, Local, Loop, MarkOf
from .types import NUMBER, UNIT, Type


def can_be_shown(book: Book) -> Iterator[str]:
    """Every name that a `shown` block may hold."""
    for owner, name in book.marks:
        yield name if owner == "game" else f"{owner}.{name}"
    yield from book.bindings
    for name, d in book.definitions.items():
        if d.sort in ("define", "memory", "quota") and listable(book, name):
            yield name


def listable(book: Book, name: str) -> bool:
    """Whether a definition has one value, or one for each of a few words."""
    params = book.definitions[name].params
    return not params or (len(params) == 1 and params[0].type.plain.sort in ("kind", "scale"))


def state_key(book: Book, key: str) -> str | None:
    """The name by which the runtime knows something that is shown; None where nothing of the kind is there."""
    owner, _, name = key.rpartition(".")
    owner = owner or "game"
    if (owner, name) in book.marks:
        return f"{owner}_{name}"
    if owner == "hex" and ("place", name) in book.marks:
        return f"place_{name}"
    if key in book.bindings:
        return f"bind_{key}"
    d = book.definitions.get(key)
    if d is not None and d.sort in ("define", "memory", "quota") and listable(book, key):
        return f"value {key}"
    return None


def shown_keys(book: Book) -> tuple[str, ...]:
    """What is shown, in the order of the book, each once."""
    return tuple(dict.fromkeys(found for x in book.shown if (found := state_key(book, x.key)) is not None))


def margins(book: Book) -> Iterator[str]:
    """Every name that a scenario may give as its margin."""
    for (owner, name), mark in book.marks.items():
        if owner == "side" and mark.type.plain == NUMBER:
            yield f"side.{name}"
    for name, d in book.definitions.items():
        of_a_side = len(d.params) == 1 and d.params[0].type.plain.name == "side"
        if d.sort in ("define", "memory") and of_a_side and d.type.plain == NUMBER:
            yield name


def margin_key(name: str) -> str:
    """The name by which the runtime knows it; nothing for nothing."""
    owner, dot, mark = name.partition(".")
    return f"{owner}_{mark}" if dot else f"value {name}" if name else ""


# ---------------------------------------------------------------- what is veiled

WANTED = {"unit": ("unit", "side"), "place": ("place", "side")}
"""What the definition of a veil is asked about."""


def veil_key(book: Book, key: str) -> str | None:
    """The name by which the runtime knows what a line veils; None where nothing of the kind is there."""
    if key == "unit":
        return key
    owner, _, name = key.partition(".")
    column = ("place", name)
    return f"place_{name}" if owner in ("hex", "place") and column in book.marks else None


def says_so(book: Book, key: str, by: str) -> bool:
    """Whether a definition can say of a unit (a hex) and a side whether it is kept from that side."""
    d = book.definitions.get(by)
    if d is None or d.sort != "define" or d.type.plain.name != "flag":
        return False
    return tuple(x.type.plain.name for x in d.params) == WANTED["unit" if key == "unit" else "place"]


def veil_keys(book: Book) -> dict[str, tuple[str, ...]]:
    """What is veiled, each with the definitions that say so, in the order of the book."""
    found: dict[str, tuple[str, ...]] = {}
    for x in book.veils:
        key = veil_key(book, x.key)
        if key is not None and says_so(book, x.key, x.by) and x.by not in found.get(key, ()):
            found[key] = (*found.get(key, ()), x.by)
    return found


Found = tuple[tuple[Expr, ...], tuple[tuple[str, Expr], ...]]


def made_of(value: Expr, veiled: Collection[str]) -> Found:
    """The units that a value is made of, whole (`ar(u)` of `u`, `count(units_at(h) where …)` of the units there), and
    the marks of places it reads, by column and place, out of those that are `veiled`.

    What a definition looks up by itself is not followed, and neither is a name for a number: whoever gives a number a
    name before it is told announces it.
    """
    parts = list(parts_of(value, veiled, frozenset()))
    units = tuple(e for column, e in parts if column == "unit")
    return units, tuple((column, e) for column, e in parts if column != "unit")


def parts_of(e: Expr, veiled: Collection[str], bound: frozenset[str]) -> Iterator[tuple[str, Expr]]:
    """What an expression is made of; names of loops have no value outside of them."""
    free = not any(isinstance(x, Local) and x.name in bound for x in e.walk())
    if free and of_units(e.type):
        yield "unit", e
        return
    if free and isinstance(e, MarkOf) and e.of is not None and f"place_{e.name}" in veiled and e.key[0] == "place":
        yield f"place_{e.name}", e.of
    for inner in e.args:
        within = bound
        if isinstance(e, Loop) and inner is e.inner:
            within = bound | {e.var}
        yield from parts_of(inner, veiled, within)


def of_units(t: Type) -> bool:
    """Whether a type is that of a unit, or of several."""
    return t.plain == UNIT or (t.of is not None and t.of.plain == UNIT)
