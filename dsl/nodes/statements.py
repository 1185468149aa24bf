"""Syntax nodes of statements, and the pieces that statements and declarations are made of."""

from __future__ import annotations

from ..records import dataclass
from .expressions import Expr, Node


@dataclass(frozen=True, slots=True, kw_only=True)
class TypeName(Node):
    """`unit`, `set of hex`, `side or nobody`."""

    wrap: tuple[str, ...]
    name: str
    absent: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Param(Node):
    name: str
    type: TypeName
    domain: Expr | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Let(Node):
    name: str
    value: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Clause(Node):
    """`VALUE when GUARD`, `VALUE otherwise`, or a lone VALUE."""

    value: Expr
    guard: Expr | None
    last: bool
    operation: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class StageRule(Node):
    sort: str
    value: Expr | str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage(Node):
    name: str
    rules: tuple[StageRule, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Body(Node):
    lets: tuple[Let, ...]
    clauses: tuple[Clause, ...]
    stages: tuple[Stage, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Target(Node):
    """What an amendment names: cases, and the declaration (with a facet) where they hold several."""

    cases: tuple[str, ...]
    name: str | None
    facet: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Event(Node):
    """`start`/`end` of a phase, `change` of a memory, something that `happens`, or `before` it."""

    sort: str
    name: str
    params: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RawLine(Node):
    """One line of a data block, with the lines indented below it."""

    text: str
    below: tuple[RawLine, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SetMark(Node):
    what: Expr
    value: Expr | None
    clear: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Put(Node):
    what: Expr
    place: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Walk(Node):
    what: Expr
    path: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Roll(Node):
    name: str
    dice: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Draw(Node):
    name: str
    source: Expr
    secretly_for: Expr | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Do(Node):
    call: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Spend(Node):
    amount: Expr | None
    quota: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Simple(Node):
    """`reveal`, `win`, `halt`: one word and one value."""

    sort: str
    value: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class PhaseChange(Node):
    """`skip next PHASE` and `again PHASE`."""

    sort: str
    phase: str
    guard: Expr | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Offered(Node):
    action: str
    guard: Expr | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer(Node):
    side: Expr
    sort: str
    actions: tuple[Offered, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask(Node):
    """`ask SIDE for one|some|order|shares NAME from SET`, or `whether NAME`."""

    side: Expr
    secret: bool
    sort: str
    name: str
    source: Expr | None
    limit: str
    number: Expr | None
    so_that: Expr | None
    failing: tuple[Stmt, ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Bearing(Node):
    """A mark that a counter has from the moment it is made; without a value it is a flag."""

    mark: str
    value: Expr | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Make(Node):
    """`make NAME from POOL in PLACE with MARK = VALUE`: the next counter of a pool comes into play."""

    name: str
    pool: Expr
    place: Expr
    bears: tuple[Bearing, ...]
    failing: tuple[Stmt, ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class If(Node):
    branches: tuple[tuple[Expr, tuple[Stmt, ...]], ...]
    otherwise: tuple[Stmt, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ForEach(Node):
    var: str
    source: Expr
    body: tuple[Stmt, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Repeat(Node):
    most: Expr
    condition: Expr | None
    body: tuple[Stmt, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Match(Node):
    value: Expr
    arms: tuple[tuple[tuple[Expr, ...], tuple[Stmt, ...]], ...]
    otherwise: tuple[Stmt, ...] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Together(Node):
    body: tuple[Stmt, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Phase(Node):
    name: str
    var: str | None
    source: Expr | None
    guard: Expr | None
    body: tuple[Stmt, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Log(Node):
    """`log "…"`: a line in the log of the game, of texts and of values that stood in braces."""

    pieces: tuple[str | Expr, ...]


Stmt = (
    Let
    | SetMark
    | Put
    | Make
    | Walk
    | Roll
    | Draw
    | Do
    | Spend
    | Simple
    | PhaseChange
    | Offer
    | Ask
    | If
    | ForEach
    | Repeat
    | Match
    | Together
    | Phase
    | Log
)
