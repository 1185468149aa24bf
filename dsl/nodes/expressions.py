"""Syntax nodes of expressions, and what all nodes share."""

from __future__ import annotations

from fractions import Fraction

from ..records import dataclass
from ..source import Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    span: Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Literal(Node):
    """A number, ratio, date, text, hex, dice, truth value or what is below a step; `sort` says which."""

    sort: str
    value: int | Fraction | str | bool | tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Name(Node):
    id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Argument(Node):
    name: str | None
    value: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Call(Node):
    name: str
    arguments: tuple[Argument, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Dot(Node):
    base: Expr
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Binary(Node):
    """`and or = != < <= > >= in` and arithmetic."""

    op: str
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Unary(Node):
    """`not` and `-`; `since` and `before` a date."""

    op: str
    value: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class IsTrait(Node):
    value: Expr
    trait: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Within(Node):
    value: Expr
    reach: Expr
    of: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter(Node):
    base: Expr
    var: str
    test: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Quantified(Node):
    """`any S`, `no S`, `every S has TEST`, `count(S)`."""

    sort: str
    base: Expr
    var: str
    test: Expr | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Fold(Node):
    """`sum(VALUE over S)`, `each`, `highest`, `lowest`; `lowest(a, b)` is the same as `lowest(it over {a, b})`."""

    sort: str
    base: Expr
    var: str
    value: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Collection(Node):
    """`{a, b}`, `[a, b]`, `{1 .. 6}` and the plain range `1..6`; a plan `{a to b, {c, d} to e}` and shares
    `{a: 2, b: 1}` hold their pairs one after the other."""

    sort: str
    items: tuple[Expr, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Preference(Node):
    """`A else B`: the members of B count only when A has none."""

    tiers: tuple[Expr, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Change(Node):
    """One hypothesis of `supposing`: a unit at a place, or a mark with a value."""

    sort: str
    what: Expr
    value: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Supposing(Node):
    changes: tuple[Change, ...]
    value: Expr


Expr = (
    Literal
    | Name
    | Call
    | Dot
    | Binary
    | Unary
    | IsTrait
    | Within
    | Filter
    | Quantified
    | Fold
    | Collection
    | Preference
    | Supposing
)
