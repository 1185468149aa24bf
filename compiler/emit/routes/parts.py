"""Say what the search of a route is made of.

In:  the rules of a route.
Out: their grounds one by one, answers kept by place, and the search as its template prints it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from ...analyse.inline import plain_value, put_in
from ...core import nodes as c

STEP = ("here", "there", "crossing")


@dataclass(frozen=True, slots=True)
class Atom:
    """One ground for barring or stopping a step: its expressions (for what it looks at), rule and text maker."""

    rule: c.Rule
    exprs: tuple[c.Expr, ...]

    def looks_at(self) -> frozenset[str]:
        return locals_of(self.exprs) & frozenset(STEP)


@dataclass(slots=True)
class Kept:
    """Answers kept by place: a function of some values of the mover and a place."""

    name: str
    keys: tuple[str, ...]
    atoms: list[Atom] = field(default_factory=list)
    movers: tuple[str, ...] = ()
    price: str = ""


@dataclass(slots=True)
class Search:
    """What the template prints: texts of Python, in the order of the search."""

    table: str
    budget: str | None
    jumps: str | None
    hoisted: list[tuple[str, str]] = field(default_factory=list)
    never: list[str] = field(default_factory=list)
    leaving: list[str] = field(default_factory=list)
    entering: list[str] = field(default_factory=list)
    stepping: list[str] = field(default_factory=list)
    stopping: list[str] = field(default_factory=list)
    price: str = ""
    crossing: bool = False
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
    goals: str = ""
    counts: bool = False


def locals_of(exprs: tuple[c.Expr, ...]) -> frozenset[str]:
    return frozenset(str(x.info) for top in exprs for x in top.walk() if x.op == "local")


def alternatives(e: c.Expr) -> Iterator[c.Expr]:
    """The parts of a condition that holds as soon as one of them does."""
    if e.op == "or":
        for a in e.args:
            yield from alternatives(a)
    elif e.op == "and" and e.args[1].op == "or":
        for a in alternatives(e.args[1]):
            yield e.with_args((e.args[0], a))
    else:
        yield e


def unfolded(book: c.Book, e: c.Expr) -> c.Expr:
    """A condition with plain definitions written out, down to what they ask."""
    while e.op == "call" and str(e.info) in book.definitions:
        d = book.definitions[str(e.info)]
        value = plain_value(d)
        if value is None or any(x.op not in ("in", "call", "local", "const") for x in value.walk()):
            return e
        given = {x.name: a for x, a in zip(d.params, e.args, strict=True)}
        e = put_in(value, given)
    return e
