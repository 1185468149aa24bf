"""Which side wins more or less easily after a change.

In:  a push on a definition, or the changed part of a statement, and the book after the change.
Out: the side and the direction, if the definition is used only to decide when that side wins; else None.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product

from rulewright.dsl.source import Span

from ...core import nodes as c
from ...core.digest import Form
from ...core.walk import all_procedures, declared, statements, top_exprs
from ..dependents import name_asked
from .effects import layer_uses, straight
from .polarity import uses

Won = tuple[str, int]
Chain = tuple[tuple[c.Expr, str], ...]
"""Conditions asked one after the other, each with the side that the first one to hold lets win; "" for nobody."""
MOST = 40
ATOMS = 8


def by_part(span: Span, sign: int, book: c.Book) -> Won | None:
    """A push on a condition that leads directly to a win."""
    found = {(side, sign) for chain in chains(book) for test, side in chain if sign and holds(test.span, span)}
    return next(iter(found)) if len(found) == 1 and "" not in {side for side, _ in found} else None


def by_definition(name: str, sign: int, book: c.Book) -> Won | None:
    """A push on a definition that is used for wins alone, directly or through others.

    Where one side wins more often another may win less often: the result is the side whose win uses the definition.
    """
    known = chains(book)
    direct: set[Won] = set()
    found: set[Won] = set()
    todo, seen = [(name, sign)], set()
    while todo:
        at = todo.pop()
        if at in seen:
            continue
        seen.add(at)
        if len(seen) > MOST or not at[1]:
            return None
        if at[0] in book.definitions and not straight(book.definitions[at[0]], book):
            return None
        for where, way in users(at[0], book, known):
            if where is None or (where[0] == "define" and not way):
                return None
            if where[0] == "win":
                found.add((where[1], way * at[1]))
                direct |= {(where[1], at[1])} if way > 0 else set()
            else:
                todo.append((where[1], way * at[1]))
    sure = {(side, way) for side, way in direct if {w for s, w in found if s == side} == {way}}
    if not direct:
        sure = found
    return sure.pop() if len(sure) == 1 and all(way for _, way in sure) else None


def users(name: str, book: c.Book, known: list[Chain]) -> Iterator[tuple[tuple[str, str] | None, int]]:
    """The users of a definition: another definition, a win, or None for anything else; each with the push there."""

    def wanted(e: c.Expr) -> bool:
        return name_asked(e) == ("define", name)

    counted = 0
    for d in book.definitions.values():
        for layer in d.layers():
            yield from ((("define", d.name), way) for way in layer_uses(d, layer, wanted, book))
        counted += asked(d, wanted)
    for chain in known:
        mine = sum(wanted(x) for test, _ in chain for x in test.walk())
        if mine:
            yield from ((("win", side), way) for side, way in wins(chain, wanted, book))
        counted += mine
    total = sum(asked(x, wanted) for x in declared(book))
    if total != counted:
        yield None, 0


def wins(chain: Chain, wanted: Callable[[c.Expr], bool], book: c.Book) -> Iterator[Won]:
    """For each side whether it wins more (1), less (-1) or neither (0) when what is wanted holds more often."""
    form = Form(book)
    names: dict[str, int] = {}
    pushes: dict[int, set[int]] = {}

    def meaning(e: c.Expr) -> Callable[[tuple[bool, ...]], bool]:
        match e:
            case c.And():
                one, other = meaning(e.left), meaning(e.right)
                return lambda at: one(at) and other(at)
            case c.Or():
                one, other = meaning(e.left), meaning(e.right)
                return lambda at: one(at) or other(at)
            case c.Not():
                inner = meaning(e.value)
                return lambda at: not inner(at)
        i = names.setdefault(str(form(e)), len(names))
        if any(wanted(x) for x in e.walk()):
            pushes.setdefault(i, set()).update(uses(e, wanted) or {0})
        return lambda at: at[i]

    branches = [(meaning(test), side) for test, side in chain]
    if len(names) > ATOMS:
        yield from ((side, 0) for side in {side for _, side in chain if side})
        return
    for side in dict.fromkeys(side for _, side in chain if side):
        ways: set[int] = set()
        for i, signs in pushes.items():
            for at in product((False, True), repeat=len(names)):
                if not at[i]:
                    more = (*at[:i], True, *at[i + 1 :])
                    gain = (won(branches, more) == side) - (won(branches, at) == side)
                    ways |= {gain * sign for sign in signs} if gain else set()
        if ways:
            yield side, ways.pop() if len(ways) == 1 else 0


def won(branches: list[tuple[Callable[[tuple[bool, ...]], bool], str]], at: tuple[bool, ...]) -> str:
    return next((side for holds, side in branches if holds(at)), "")


def asked(x: object, wanted: Callable[[c.Expr], bool]) -> int:
    return sum(wanted(y) for e in top_exprs(x) for y in e.walk())  # type: ignore[arg-type]


def chains(book: c.Book) -> list[Chain]:
    """The conditions that decide only who wins."""
    found: list[Chain] = []
    for p in all_procedures(book):
        for body in (p.body, *(w.body for w in p.wrappers)):
            inner: set[int] = set()
            for s in statements(body):
                if isinstance(s, c.If) and id(s) not in inner:
                    every = list(branches(s, inner))
                    chain = tuple((test, side) for test, side in every if side is not None)
                    found += [chain] if len(chain) == len(every) else []
    for t in book.triggers:
        side = winner(t.procedure.body)
        if t.guard is not None and not t.waivers and side is not None:
            found.append(((t.guard, side),))
    return found


def branches(s: c.If, inner: set[int]) -> Iterator[tuple[c.Expr, str | None]]:
    """The branches of a condition, each with the side that wins there; None for a branch that does anything else."""
    yield s.test, winner(s.block)
    match s.otherwise:
        case ():
            pass
        case (c.If() as following,):
            inner.add(id(following))
            yield from branches(following, inner)
        case _:
            yield s.test, None


def winner(body: tuple[c.Stmt, ...]) -> str | None:
    """The side that wins in a block that does nothing else, "" where nobody does; None for any other block."""
    found = [s for s in body if not isinstance(s, c.Note)]
    match found:
        case [c.Win(side=c.Const(value=str(side)))]:
            return side
        case [c.Win(side=c.Const(value=None))]:
            return ""
    return None


def holds(outer: Span, inner: Span) -> bool:
    return outer.origin is inner.origin and (
        (outer.row, outer.column) <= (inner.row, inner.column)
        and (inner.end_row, inner.end_column) <= (outer.end_row, outer.end_column)
    )
