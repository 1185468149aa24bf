"""Find positions in which two exceptions both apply and neither outranks the other.

In:  the book in the core.
Out: nothing.
Reports: RW313 exceptions that contradict one another in a position that can be set up; a remark where both apply to a
         counter or a hex of the book, and whether their values differ is not known here.

`order_exceptions` proves conflicts from the text alone and refuses them. Here parameters stand for counters and hexes
of the book, one of each sort that the conditions tell apart; marks, turns and what phases bind are free. A condition is
evaluated in three values (three_valued.py): what is not understood is unknown, and nothing is reported unless both
conditions hold.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from typing import Any

from rulewright.dsl.diagnostics import Reporter

from ..cache.incremental import Memory
from ..core import nodes as c
from ..core.printed import column
from ..core.types import TURN, UNIT
from .order_exceptions import clash, said_so
from .three_valued import BY_PARTS, UNKNOWN, evaluate

MOST = 20_000
"""Combinations looked at for one pair of clauses; a pair with more is left to play."""

World = Mapping[str, Any]


def possible_conflicts(book: c.Book, report: Reporter, memory: Memory) -> None:
    """Report each pair of exceptions once, with the first position that shows it."""
    printed = Printed(book)
    read = (book.kinds, book.scales, book.fields, book.places, book.map, book.units, book.calendar)
    room = memory.room("possible conflicts", read)
    for d in book.definitions.values():
        for layer in d.layers():
            for a, b in itertools.combinations(layer.exceptions, 2):
                if a.id in b.outranks or b.id in a.outranks or a.waivers or b.waivers or clash(book, a, b) is not None:
                    continue
                shown = room.work((a, b), Pair(printed, a, b).shown)
                if shown is None:
                    continue
                position, sure = shown
                tell = report.warning if sure else report.remark
                differ = "with different values" if sure else "and conflict where their values differ"
                tell(
                    "RW313",
                    b.span,
                    f"cases {a.case} and {b.case} both except {d.name} {position}, {differ}",
                    help=f"let one outrank the other: except {layer.case}, {a.case} {d.name}: …; or exclude it",
                    case=b.case,
                )


class Pair:
    """Two exceptions of one layer, and the positions in which both apply."""

    def __init__(self, printed: Printed, a: c.Layer, b: c.Layer) -> None:
        self.printed = printed
        self.book = printed.book
        self.layers = (a, b)

    def shown(self) -> tuple[str, bool] | None:
        """A position and whether the values surely differ there; one that is sure is preferred."""
        found: tuple[str, bool] | None = None
        for one, other in itertools.product(self.layers[0].clauses, self.layers[1].clauses):
            for world in self.worlds(one, other):
                if any(
                    self.applies(layer, x, world) is not True
                    for layer, x in zip(self.layers, (one, other), strict=True)
                ):
                    continue
                values = [value_of(self.printed, x.value, world) for x in (one, other)]
                if UNKNOWN not in values and values[0] != values[1]:
                    return self.said(world), True
                if UNKNOWN in values and found is None and same_text(one.value, other.value) is False:
                    found = self.said(world), False
        return found

    def applies(self, layer: c.Layer, clause: c.Clause, world: World) -> Any:
        """Whether a clause is the one that speaks: its guard holds and none above it does."""
        for above in layer.clauses:
            holds = True if above.guard is None else value_of(self.printed, above.guard, world)
            if above is clause:
                return holds
            if holds is not False:
                return UNKNOWN
        return UNKNOWN

    def worlds(self, one: c.Clause, other: c.Clause) -> Iterator[World]:
        """Every combination of what the clauses tell apart; none where there are too many, or nothing is asked."""
        exprs = [e for layer in self.layers for x in layer.clauses if x.guard is not None for e in x.guard.walk()]
        exprs += [e for x in (one, other) for e in x.value.walk()]
        domains: dict[str, list[Any]] = {}
        for e in exprs:
            name = key_of(e)
            if name is not None and name not in domains:
                values = self.domain(e, exprs)
                if values is not None:
                    domains[name] = values
        size = 1
        for values in domains.values():
            size *= len(values)
        if size <= MOST:
            for chosen in itertools.product(*domains.values()):
                yield dict(zip(domains, chosen, strict=True))

    def domain(self, e: c.Expr, exprs: list[c.Expr]) -> list[Any] | None:
        """What a free value may be: counters and hexes by what is asked of them, words, flags, turns near dates."""
        book, type = self.book, e.type.plain
        if type == UNIT:
            fields = {x.key[1] for x in exprs if isinstance(x, c.FieldOf) and key_of(x.of) == key_of(e)}
            return self.printed.representatives("unit", fields)
        if isinstance(e, c.PlaceOf) or type.name in ("hex", "place"):
            fields = {x.key[1] for x in exprs if isinstance(x, c.FieldOf) and key_of(x.of) == key_of(e)}
            return self.printed.representatives("hex", fields) if fields else None
        if type.sort == "kind":
            return list(book.kinds.get(type.name, ()))
        if type.name == "flag":
            return [True, False]
        if type == TURN and book.calendar is not None:
            dates = [x.value for x in exprs if isinstance(x, c.Const) and x.type.plain == TURN]
            turns = range(len(book.calendar.turns))
            return sorted({t for n in dates if isinstance(n, int) for t in (n - 1, n, n + 1) if t in turns})
        return None

    def said(self, world: World) -> str:
        """The position in the author's words."""
        parts: list[str] = []
        for name, value in world.items():
            shown = (
                f'"{value.name}"'
                if isinstance(value, c.UnitLine)
                else f"@{value}"
                if isinstance(value, Hex)
                else self.book.calendar.turns[value][0]
                if isinstance(value, int) and not isinstance(value, bool) and self.book.calendar is not None
                else value
            )
            parts.append(said_so(name, shown))
        return "for " + ", ".join(parts) if parts else "everywhere"


class Hex(str):
    """The id of a hex, told apart from other words."""


def value_of(printed: Printed, e: c.Expr, world: World) -> Any:
    """The value of an expression in a world, or UNKNOWN."""

    def known(x: c.Expr) -> Any:
        name = key_of(x)
        if name is not None:
            return world.get(name, UNKNOWN)
        if isinstance(x, c.FieldOf):
            owner = value_of(printed, x.of, world)
            return printed.on(owner, x.key[1]) if isinstance(owner, c.UnitLine | Hex) else UNKNOWN
        return BY_PARTS

    return evaluate(e, known)


def same_text(a: c.Expr, b: c.Expr) -> bool:
    """Whether two values are written alike, wherever they stand."""
    if type(a) is not type(b) or a.type != b.type or len(a.args) != len(b.args):
        return False
    if isinstance(a, c.Const) and isinstance(b, c.Const) and a.value != b.value:
        return False
    if isinstance(a, c.Named | c.Local | c.Bound | c.MarkOf) and getattr(a, "name", "") != getattr(b, "name", ""):
        return False
    if isinstance(a, c.FieldOf) and isinstance(b, c.FieldOf) and a.key != b.key:
        return False
    return all(same_text(x, y) for x, y in zip(a.args, b.args, strict=True))


class Printed:
    """What counters and hexes print, each column read once."""

    def __init__(self, book: c.Book) -> None:
        self.book = book
        self.columns: dict[tuple[str, str], Any] = {}
        self.told_apart: dict[tuple[str, ...], list[Any]] = {}
        self.number = {h: i for i, h in enumerate(book.places)}

    def on(self, thing: Any, field: str) -> Any:
        """The value of a field, or UNKNOWN where such a thing has none."""
        if isinstance(thing, c.UnitLine):
            declared = self.book.fields.get(("unit", field))
            default = UNKNOWN if declared is None else declared.default
            return thing.fields.get(field, default)
        key = ("place", field)
        if key not in self.book.fields:
            return UNKNOWN
        if key not in self.columns:
            self.columns[key] = column(self.book, "place", self.book.fields[key])
        return self.columns[key][self.number[thing]]

    def representatives(self, owner: str, fields: set[str]) -> list[Any]:
        """One counter or hex for each combination of printed values that is asked about."""
        key = (owner, *sorted(fields))
        if key in self.told_apart:
            return self.told_apart[key]
        found: dict[tuple[Any, ...], Any] = {}
        hexes = self.book.map.hexes if self.book.map is not None else ()
        things: list[Any] = list(self.book.units) if owner == "unit" else [Hex(h) for h in hexes if h in self.number]
        for thing in things:
            found.setdefault(tuple([self.on(thing, f) for f in key[1:]]), thing)
        self.told_apart[key] = list(found.values())
        return self.told_apart[key]


def key_of(e: c.Expr) -> str | None:
    """A name for a value that is free: a parameter, where a unit is, a mark, or what a phase binds."""
    match e:
        case c.Local() | c.Bound() | c.Reading() | c.MarkOf(of=None):
            return e.name
        case c.MarkOf(of=of) if of is not None:
            owner = key_of(of)
            return None if owner is None else f"{owner}.{e.name}"
        case c.PlaceOf():
            owner = key_of(e.unit)
            return None if owner is None else f"{owner}.hex"
        case _:
            return None
