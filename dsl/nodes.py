"""Syntax nodes: what an author wrote, with full spans.

Expressions, statements and declarations are frozen dataclasses. Names are still plain
text here; the compiler binds them. Nothing in this module knows a game.
"""

from __future__ import annotations

from fractions import Fraction

from .records import dataclass
from .source import Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    span: Span


# ---------------------------------------------------------------- expressions


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


# ---------------------------------------------------------------- pieces of declarations


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


# ---------------------------------------------------------------- statements


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
    """`log "…"`: a line in the log of the game."""

    text: str


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


# ---------------------------------------------------------------- declarations


@dataclass(frozen=True, slots=True, kw_only=True)
class Book(Node):
    name: str
    on: str | None
    title: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Use(Node):
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Case(Node):
    """A numbered case; in an overlay it may state its kind (`as change`), and that the text has it already."""

    id: str
    title: str
    body: tuple[Decl, ...]
    sort: str = ""
    already: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Note(Node):
    """`note "…"`: a remark of the author."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Covers(Node):
    cases: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class House(Node):
    decl: Decl


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading(Node):
    name: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Unclear(Node):
    name: str
    text: str
    readings: tuple[Reading, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Untranslated(Node):
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Under(Node):
    guard: Expr
    body: tuple[Decl, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind(Node):
    name: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale(Node):
    name: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Record(Node):
    name: str
    members: tuple[tuple[str, TypeName], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Field(Node):
    names: tuple[str, ...]
    owner: str
    type: TypeName
    default: Expr | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Box(Node):
    """An off-map place. From a `cup` counters are drawn blindly, from a `pool` they are made.

    What lies in a box that is secret is seen by `secret_to` alone; how much lies there by all, where it is `counted`.
    """

    name: str
    params: tuple[Param, ...]
    sort: str
    secret_to: Expr | None = None
    counted: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Table(Node):
    name: str
    params: tuple[Param, ...]
    type: TypeName
    lines: tuple[RawLine, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Data(Node):
    kind: str
    name: str
    title: str
    lines: tuple[RawLine, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Until(Node):
    sort: str
    phase: str
    condition: Expr | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark(Node):
    name: str
    owner: str
    type: TypeName | None
    start: Expr | None
    secret_to: Expr | None
    until: Until | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Remember(Node):
    name: str
    params: tuple[Param, ...]
    type: TypeName
    how: str
    event: Event | None
    body: Body


@dataclass(frozen=True, slots=True, kw_only=True)
class Quota(Node):
    name: str
    params: tuple[Param, ...]
    per: tuple[str, ...]
    body: Body


@dataclass(frozen=True, slots=True, kw_only=True)
class Grow(Node):
    """The least set: members of `domain` that pass `test`, which may ask for the set itself."""

    name: str
    params: tuple[Param, ...]
    type: TypeName
    domain: Expr
    test: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Define(Node):
    """`define`, or `gather` when other cases may contribute."""

    name: str
    params: tuple[Param, ...]
    type: TypeName
    body: Body
    gathered: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Add(Node):
    name: str
    facet: str | None
    stage: str | None
    body: Body


@dataclass(frozen=True, slots=True, kw_only=True)
class Except(Node):
    target: Target
    body: Body


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule(Node):
    """`forbid`, `require`, `stop`: `target` is None inside the route or matching it belongs to."""

    sort: str
    target: str | None
    label: str | None
    tests: tuple[tuple[Expr | None, Expr | None], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Waive(Node):
    target: Target
    guard: Expr | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Duty(Node):
    name: str
    var: str | None
    domain: Expr | None
    phases: tuple[str, ...]
    test: Expr
    failing: tuple[Stmt, ...] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Invariant(Node):
    name: str
    test: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Facet(Node):
    name: str
    body: Body


@dataclass(frozen=True, slots=True, kw_only=True)
class Leg(Node):
    sort: str
    call: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Route(Node):
    name: str
    params: tuple[Param, ...]
    like: str | None
    facets: tuple[Facet, ...]
    legs: tuple[Leg, ...]
    rules: tuple[Rule, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Matching(Node):
    name: str
    params: tuple[Param, ...]
    item: str
    items: Expr
    target: str
    targets: Expr
    groups: bool
    rules: tuple[Rule, ...]
    idle: Expr | None
    empty: Expr | None
    more_helps: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Action(Node):
    name: str
    params: tuple[Param, ...]
    by: Expr
    phases: tuple[str, ...]
    guards: tuple[Expr, ...]
    body: tuple[Stmt, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Procedure(Node):
    name: str
    params: tuple[Param, ...]
    body: tuple[Stmt, ...]
    sequence: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Trigger(Node):
    """`on EVENT`, or `whenever CONDITION` when there is no event."""

    event: Event | None
    condition: Expr | None
    after: str | None
    guard: Expr | None
    body: tuple[Stmt, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Instead(Node):
    """An `except` that acts: it stands in for a procedure, an action's effect or a trigger."""

    target: Target
    guard: Expr | None
    body: tuple[Stmt, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Overlay(Node):
    sort: str
    name: str
    of: str
    title: str
    heads: tuple[RawLine, ...]
    body: tuple[Decl, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Amend(Node):
    """`amend CASE NAME: OLD becomes NEW`: OLD stands there exactly `times` times."""

    target: Target
    old: Expr
    new: Expr
    times: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class AmendPrinted(Node):
    """`amend @T24.terrain: OLD becomes NEW`: what the map prints in a hex or on a hexside, or a roster on a unit.

    `amend "47 Panzer".hex in barbarossa: …` is where a scenario places a unit; without `in`, where its roster does.
    """

    thing: str
    unit: bool
    field: str
    old: Expr
    new: Expr
    scenario: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Strike(Node):
    """Takes out a declaration, a whole case, or with `example` one worked example.

    Rules about it go with it where `dropping` names their cases.
    """

    target: Target
    example: str | None = None
    dropping: tuple[str, ...] = ()
    keeping: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Rows(Node):
    """Replaces, strikes or inserts rows, columns or cells of a table, or lines of data."""

    act: str
    what: str
    target: Target
    lines: tuple[RawLine, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Replace(Node):
    """Puts one declaration in the place of another; rules about it are kept or dropped by their cases."""

    target: Target
    decl: Decl
    keeping: tuple[str, ...] = ()
    dropping: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Rename(Node):
    target: Target
    new: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveCase(Node):
    old: str
    new: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Insert(Node):
    """Changes the sequence at a phase: `before` and `after` it, `replace` or `strike` it."""

    where: str
    phase: str
    body: tuple[Stmt, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ExampleLine(Node):
    """One line of a worked example; `sort` says what it does."""

    sort: str
    values: tuple[Expr, ...] = ()
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Example(Node):
    title: str
    lines: tuple[ExampleLine, ...]


Decl = (
    Book
    | Use
    | Case
    | Note
    | Covers
    | House
    | Unclear
    | Untranslated
    | Under
    | Kind
    | Scale
    | Record
    | Field
    | Box
    | Table
    | Data
    | Mark
    | Remember
    | Quota
    | Grow
    | Define
    | Add
    | Except
    | Rule
    | Waive
    | Duty
    | Invariant
    | Route
    | Matching
    | Action
    | Procedure
    | Trigger
    | Instead
    | Overlay
    | Amend
    | Strike
    | Rows
    | Replace
    | Rename
    | AmendPrinted
    | MoveCase
    | Insert
    | Example
)
