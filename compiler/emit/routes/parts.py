"""The parts of a route's search.

In:  the rules of a route.
Out: their grounds one by one, results memoised by place, and the search as loops.py builds it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from ...analyse.inline import plain_value, put_in
from ...core import nodes as c
from ...core.walk import local_names
from ..model.expressions import TRUE, At, Expr, Index, Name
from ..model.printer import Printer

STEP = ("here", "there", "crossing")
HERE, THERE, CROSSING = Name("here"), Name("there"), Name("crossing")

Test = tuple[Expr, At | None]
"""A condition that bars or stops, and where it comes from."""


@dataclass(frozen=True, slots=True)
class Atom:
    """One ground for barring or stopping a step: its rule, and its expressions for what it looks at."""

    rule: c.Rule
    exprs: tuple[c.Expr, ...]

    def looks_at(self) -> frozenset[str]:
        return local_names(*self.exprs) & frozenset(STEP)

    @property
    def at(self) -> At:
        return At(self.rule.case, self.rule.span, self.rule.id)


@dataclass(slots=True)
class Kept:
    """Answers kept by place: a function of some values of the mover and a place."""

    name: str
    keys: tuple[str, ...]
    atoms: list[Atom] = field(default_factory=list)
    movers: tuple[str, ...] = ()
    price: Expr | None = None
    guard: Expr | None = None
    """Where a place is looked up only if a simpler look finds something there: what that looks into, or True."""

    @property
    def params(self) -> tuple[str, ...]:
        """What the functions take: the mover where prices are asked with it, and what answers are kept by."""
        return (*self.movers, *(k for k in self.keys if k not in self.movers))


@dataclass(slots=True)
class Search:
    """What the loops of a search are made of, in the order in which they ask it."""

    table: Expr
    budget: Expr | None
    jumps: Expr | None
    hoisted: list[tuple[str, Expr]] = field(default_factory=list)
    never: list[Test] = field(default_factory=list)
    leaving: list[Expr] = field(default_factory=list)
    entering: list[Expr] = field(default_factory=list)
    stepping: list[Test] = field(default_factory=list)
    stopping: list[Test] = field(default_factory=list)
    price: Expr | None = None
    whole: bool = False
    steady: bool = False
    rising: bool = False
    found: bool = False
    flood: bool = False
    ways: bool = False
    single: bool = False
    even: int = 0
    cheapest: int = 0
    limited: bool = False
    goals: Expr | None = None
    counts: bool = False
    rest: tuple[c.Expr, ...] = ()
    """What the loops ask of the state besides the values before them."""


class Names:
    """Values that stand before the loops, each under one name however often it is asked for."""

    def __init__(self) -> None:
        self.known: dict[str, tuple[str, Expr]] = {}

    def __len__(self) -> int:
        return len(self.known)

    def use(self, value: Expr, name: str) -> str:
        return self.known.setdefault(Printer().flat(value), (name, value))[0]

    def value(self, look: Expr) -> Expr:
        """What a look by place looks into, where that stands before the loops; else True."""
        name = look.of.id if isinstance(look, Index) and isinstance(look.of, Name) else None
        return next((value for known, value in self.known.values() if known == name), TRUE)

    def rows(self) -> list[tuple[str, Expr]]:
        return [*self.known.values()]


def alternatives(e: c.Expr) -> Iterator[c.Expr]:
    """The parts of a condition that holds as soon as one of them does."""
    match e:
        case c.Or(left, right):
            yield from alternatives(left)
            yield from alternatives(right)
        case c.And(first, c.Or() as second):
            yield from (e.with_args((first, a)) for a in alternatives(second))
        case _:
            yield e


def unfolded(book: c.Book, e: c.Expr) -> c.Expr:
    """A condition with plain definitions written out, down to what they ask."""
    while isinstance(e, c.Call) and e.name in book.definitions:
        d = book.definitions[e.name]
        value = plain_value(d)
        if value is None or not all(isinstance(x, c.IsIn | c.Call | c.Local | c.Const) for x in value.walk()):
            return e
        given = {x.name: a for x, a in zip(d.params, e.asked, strict=True)}
        e = put_in(value, given)
    return e
