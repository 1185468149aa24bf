"""Statements of the core: one frozen class a statement.

As with expressions, a reader either treats all alike (`args`, `body`, `other`) or is a `match` that ends in
`assert_never`. `Stmt` is the union of all statements.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TypeAlias, assert_never

from rulewright.dsl.records import dataclass
from rulewright.dsl.source import Span

from .expressions import Expr, Local, parts_in
from .types import Type


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """A decision: who decides, over what, within which limits."""

    id: int
    case: str
    sort: str
    name: str
    secret: bool
    limit: str
    side: Expr
    source: Expr | None
    number: Expr | None
    so_that: Expr | None
    type: Type
    span: Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """A window: the actions a side may take, one after another, until it is done."""

    id: int
    case: str
    sort: str
    side: Expr
    actions: tuple[tuple[str, Expr | None], ...]
    span: Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """What all statements have: the case they belong to, and the text they come from."""

    case: str
    span: Span

    @property
    def args(self) -> tuple[Expr, ...]:
        """The expressions of the statement itself, not of the blocks in it."""
        return parts_in(self)

    @property
    def body(self) -> tuple[Stmt, ...]:
        """The block that the statement holds, if any."""
        return ()

    @property
    def other(self) -> tuple[Stmt, ...]:
        """The block that runs otherwise, if any."""
        return ()


# ---------------------------------------------------------------- what happens


@dataclass(frozen=True, slots=True)
class Note(Statement):
    """A line of the log: texts, and values that are told in words."""

    texts: tuple[str, ...]
    """One more than there are values: what stands before, between and behind them."""
    values: tuple[Expr, ...]


def names_told(note: Note) -> tuple[str, ...]:
    """The names whose values a line tells as they are; so a roll that has one of them need not be told again."""
    return tuple(v.name for v in note.values if isinstance(v, Local) and v.type.plain.name == "number")


@dataclass(frozen=True, slots=True)
class Let(Statement):
    """A name for a value, to the end of the block."""

    name: str
    value: Expr


@dataclass(frozen=True, slots=True)
class SetMark(Statement):
    """A mark gets a value; `key` is its owner's type and its name, `of` is None for a mark of the game."""

    key: tuple[str, str]
    value: Expr
    of: Expr | None


@dataclass(frozen=True, slots=True)
class Put(Statement):
    """Units come to a place."""

    what: Expr
    place: Expr


@dataclass(frozen=True, slots=True)
class Walk(Statement):
    """A unit goes along a path, place by place."""

    unit: Expr
    path: Expr


@dataclass(frozen=True, slots=True)
class Roll(Statement):
    """Dice are rolled."""

    name: str
    dice: Expr


@dataclass(frozen=True, slots=True)
class Draw(Statement):
    """One of a set is drawn at random; only one side may see which, where that is said."""

    name: str
    source: Expr
    secretly_for: Expr | None


@dataclass(frozen=True, slots=True)
class Spend(Statement):
    """Some of a quota is spent."""

    quota: str
    amount: Expr
    given: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Reveal(Statement):
    """What was secret is shown."""

    what: Expr


@dataclass(frozen=True, slots=True)
class Win(Statement):
    """A side has won, or nobody has, and the game is over."""

    side: Expr


@dataclass(frozen=True, slots=True)
class Halt(Statement):
    """A unit that is walking goes no farther."""

    unit: Expr


# ---------------------------------------------------------------- procedures and phases


@dataclass(frozen=True, slots=True)
class Do(Statement):
    """A procedure runs."""

    name: str
    given: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class DoUsual(Statement):
    """Inside a wrapper: what it stands instead of runs."""


@dataclass(frozen=True, slots=True)
class SkipPhase(Statement):
    """The next phase of a name is skipped, where a guard then holds.

    Lowering makes a `procedure` of the guard; its name is empty where there is none.
    """

    phase: str
    guard: Expr | None
    procedure: str | None = None


@dataclass(frozen=True, slots=True)
class RepeatPhase(Statement):
    """The phase that is running runs again."""

    phase: str
    guard: Expr | None


@dataclass(frozen=True, slots=True)
class RunPhase(Statement):
    """A phase of the sequence, once or for each member of a set in turn."""

    name: str
    var: str | None
    source: Expr | None
    guard: Expr | None
    block: tuple[Stmt, ...]

    @property
    def body(self) -> tuple[Stmt, ...]:
        return self.block


# ---------------------------------------------------------------- decisions


@dataclass(frozen=True, slots=True)
class OfferWindow(Statement):
    """A side may take actions."""

    offer: Offer

    @property
    def args(self) -> tuple[Expr, ...]:
        return (self.offer.side, *(guard for _, guard in self.offer.actions if guard is not None))


@dataclass(frozen=True, slots=True)
class AskSide(Statement):
    """A side must decide; `failing` runs where there is nothing to choose from."""

    ask: Ask
    failing: tuple[Stmt, ...] | None

    @property
    def args(self) -> tuple[Expr, ...]:
        ask = self.ask
        return tuple(x for x in (ask.side, ask.source, ask.number, ask.so_that) if x is not None)

    @property
    def body(self) -> tuple[Stmt, ...]:
        return self.failing or ()


# ---------------------------------------------------------------- blocks


@dataclass(frozen=True, slots=True)
class Block(Statement):
    """Statements in order, with names of their own."""

    block: tuple[Stmt, ...]

    @property
    def body(self) -> tuple[Stmt, ...]:
        return self.block


@dataclass(frozen=True, slots=True)
class Together(Statement):
    """Statements whose changes settle at the end, all at once."""

    block: tuple[Stmt, ...]

    @property
    def body(self) -> tuple[Stmt, ...]:
        return self.block


@dataclass(frozen=True, slots=True)
class If(Statement):
    """One block or another."""

    test: Expr
    block: tuple[Stmt, ...]
    otherwise: tuple[Stmt, ...]

    @property
    def body(self) -> tuple[Stmt, ...]:
        return self.block

    @property
    def other(self) -> tuple[Stmt, ...]:
        return self.otherwise


@dataclass(frozen=True, slots=True)
class ForEach(Statement):
    """A block for each member of a set."""

    var: str
    source: Expr
    block: tuple[Stmt, ...]

    @property
    def body(self) -> tuple[Stmt, ...]:
        return self.block


@dataclass(frozen=True, slots=True)
class Repeat(Statement):
    """A block so many times at most, as long as a condition holds."""

    most: Expr
    condition: Expr | None
    block: tuple[Stmt, ...]

    @property
    def body(self) -> tuple[Stmt, ...]:
        return self.block


Stmt: TypeAlias = (
    Note
    | Let
    | SetMark
    | Put
    | Walk
    | Roll
    | Draw
    | Spend
    | Reveal
    | Win
    | Halt
    | Do
    | DoUsual
    | SkipPhase
    | RepeatPhase
    | RunPhase
    | OfferWindow
    | AskSide
    | Block
    | Together
    | If
    | ForEach
    | Repeat
)


def with_blocks(s: Stmt, body: tuple[Stmt, ...], other: tuple[Stmt, ...]) -> Stmt:
    """The same statement over other blocks."""
    match s:
        case If():
            return replace(s, block=body, otherwise=other)
        case ForEach() | Repeat() | Block() | Together() | RunPhase():
            return replace(s, block=body)
        case AskSide():
            return replace(s, failing=body if s.failing is not None else None)
        case Note() | Let() | SetMark() | Put() | Walk() | Roll() | Draw() | Spend() | Reveal() | Win() | Halt():
            pass
        case Do() | DoUsual() | SkipPhase() | RepeatPhase() | OfferWindow():
            pass
        case _:
            assert_never(s)
    assert not body and not other, f"{type(s).__name__} holds no block"
    return s
