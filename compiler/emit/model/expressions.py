"""Expressions of a generated module, as they are built before anything is printed.

A name is either local to its function (`Name`) or belongs to a module (`Ref`), so that imports follow from what a
function uses. `Cited` marks what another case says in the middle of an expression: the printer cites it on its line.
"""

from __future__ import annotations

from typing import Any

from rulewright.dsl.records import dataclass
from rulewright.dsl.source import Span


@dataclass(frozen=True, slots=True)
class At:
    """Where something comes from: its case, its place in the rules and the element that says it."""

    case: str
    span: Span
    element: str


@dataclass(frozen=True, slots=True)
class Name:
    """A variable of the function."""

    id: str


@dataclass(frozen=True, slots=True)
class Ref:
    """A name of a module: of the runtime (`rulewright.runtime.values`), or of the rule set (`chapter_13`, `data`)."""

    module: str
    id: str


@dataclass(frozen=True, slots=True)
class Lit:
    """A plain value."""

    value: Any


@dataclass(frozen=True, slots=True)
class Call:
    fn: Expr
    args: tuple[Expr, ...] = ()
    named: tuple[tuple[str, Expr], ...] = ()


@dataclass(frozen=True, slots=True)
class Attr:
    of: Expr
    name: str


@dataclass(frozen=True, slots=True)
class Index:
    of: Expr
    key: Expr


@dataclass(frozen=True, slots=True)
class Slice:
    """`low:high`, as the key of an index."""

    low: Expr
    high: Expr


@dataclass(frozen=True, slots=True)
class Op:
    """Arithmetic: + - * // %."""

    sign: str
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Neg:
    of: Expr


@dataclass(frozen=True, slots=True)
class Compare:
    """A comparison, or a chain of them: `low <= x <= high`."""

    first: Expr
    rest: tuple[tuple[str, Expr], ...]


@dataclass(frozen=True, slots=True)
class Both:
    """`and` or `or` over two parts or more."""

    sign: str
    parts: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Not:
    of: Expr


@dataclass(frozen=True, slots=True)
class Cond:
    """`yes if test else no`."""

    test: Expr
    yes: Expr
    no: Expr


@dataclass(frozen=True, slots=True)
class Loop:
    """`for target in over`, with the conditions that follow it."""

    target: Expr
    over: Expr
    tests: tuple[Expr, ...] = ()


@dataclass(frozen=True, slots=True)
class Comp:
    """A generator (brackets "") or a list (brackets "[]")."""

    element: Expr
    loops: tuple[Loop, ...]
    brackets: str = ""


@dataclass(frozen=True, slots=True)
class Lambda:
    params: tuple[str, ...]
    body: Expr


@dataclass(frozen=True, slots=True)
class Tup:
    items: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Lst:
    items: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Dct:
    items: tuple[tuple[Expr, Expr], ...]


@dataclass(frozen=True, slots=True)
class Star:
    of: Expr


@dataclass(frozen=True, slots=True)
class Cited:
    """What another case says, in place."""

    of: Expr
    at: At


Expr = (
    Name
    | Ref
    | Lit
    | Call
    | Attr
    | Index
    | Slice
    | Op
    | Neg
    | Compare
    | Both
    | Not
    | Cond
    | Comp
    | Lambda
    | Tup
    | Lst
    | Dct
    | Star
    | Cited
)

# ---------------------------------------------------------------- short ways to build them

S = Name("S")
NONE, TRUE, FALSE, ZERO, ONE = Lit(None), Lit(True), Lit(False), Lit(0), Lit(1)
OPPOSITE = {
    "==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">", "in": "not in", "not in": "in",
    "is": "is not", "is not": "is",
}  # fmt: skip
FLIPPED = {"and": "or", "or": "and"}


def call(fn: Expr, *args: Expr, **named: Expr) -> Call:
    return Call(fn, args, tuple(named.items()))


def method(of: Expr, name: str, *args: Expr) -> Call:
    return Call(Attr(of, name), args)


def compare(left: Expr, op: str, right: Expr) -> Compare:
    return Compare(left, ((op, right),))


def bare(e: Expr) -> Expr:
    """An expression without the mark of who says it."""
    while isinstance(e, Cited):
        e = e.of
    return e


def cited_like(e: Expr, other: Expr) -> Expr:
    """An expression with the marks of who says another."""
    return Cited(cited_like(e, other.of), other.at) if isinstance(other, Cited) else e


def negated(e: Expr) -> Expr:
    """The opposite of a condition, without a double negation."""
    if isinstance(e, Cited):
        return Cited(negated(e.of), e.at)
    if isinstance(e, Not):
        return e.of
    if isinstance(e, Compare) and len(e.rest) == 1:
        return Compare(e.first, ((OPPOSITE[e.rest[0][0]], e.rest[0][1]),))
    if isinstance(e, Lit):
        return Lit(not e.value)
    if isinstance(e, Both) and no_longer(e.parts):
        return both(FLIPPED[e.sign], *map(negated, e.parts))
    return Not(e)


def no_longer(parts: tuple[Expr, ...]) -> bool:
    """Whether several conditions, one of them denied, are denied one by one with no more `not`s than all together."""
    nots = sum(isinstance(bare(x), Not) for x in parts)
    return nots > 0 and sum(isinstance(negated(x), Not) for x in parts) <= nots + 1


def choice(test: Expr, yes: Expr, no: Expr) -> Expr:
    """One value or another; the condition stands there without a negation."""
    inner = bare(test)
    return Cond(negated(test), no, yes) if isinstance(inner, Not) else Cond(test, yes, no)


def both(op: str, *parts: Expr) -> Expr:
    """Several conditions under one operator; those of the same operator become one."""
    found: list[Expr] = []
    for part in parts:
        inner = bare(part)
        if isinstance(inner, Both) and inner.sign == op:
            found += (cited_like(inner.parts[0], part), *inner.parts[1:])
        else:
            found.append(part)
    return found[0] if len(found) == 1 else Both(op, tuple(found))


def all_of(*parts: Expr) -> Expr:
    return both("and", *parts)


def any_of(*parts: Expr) -> Expr:
    return both("or", *parts)


def plus(parts: list[Expr]) -> Expr:
    """A sum from left to right; nought where there is nothing to add."""
    if not parts:
        return ZERO
    found = parts[0]
    for part in parts[1:]:
        found = Op("+", found, part)
    return found


def names(*ids: str) -> tuple[Expr, ...]:
    return tuple([Name(x) for x in ids])


def key_of(ids: tuple[str, ...] | list[str]) -> Expr:
    """Some variables as one key: one by itself, several as a tuple."""
    return Name(ids[0]) if len(ids) == 1 else Tup(names(*ids))


def length(of: Expr) -> Call:
    return Call(Name("len"), (of,))


def comprehension(target: str, over: Expr, *tests: Expr) -> Comp:
    """Those members of a set of which something holds."""
    return Comp(Name(target), (Loop(Name(target), over, tests),))


def every(fn: str, of: Expr) -> Call:
    """A builtin of Python over one argument."""
    return Call(Name(fn), (of,))
