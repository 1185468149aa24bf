"""Syntax nodes of declarations: cases and what stands in them, overlays and their amendments, worked examples."""

from __future__ import annotations

from ..records import dataclass
from .expressions import Expr, Node
from .statements import Body, Event, Param, RawLine, Stmt, Target, TypeName


@dataclass(frozen=True, slots=True, kw_only=True)
class Book(Node):
    """The head of a book; `date` is when it was printed, where it says so.

    `without` is the case of the series below it that this book does not take over.
    """

    name: str
    on: str | None
    title: str
    date: str = ""
    without: str | None = None


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
    """`define`, or `gather` when other cases may contribute; a `weight` of a doctrine says between what it may lie."""

    name: str
    params: tuple[Param, ...]
    type: TypeName
    body: Body
    gathered: bool
    between: tuple[Expr, Expr] | None = None


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
class When(Node):
    """A condition of an action: `when TEST`, or with a name for refusals `when as LABEL: TEST`."""

    label: str | None
    test: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Action(Node):
    name: str
    params: tuple[Param, ...]
    by: Expr
    phases: tuple[str, ...]
    guards: tuple[When, ...]
    body: tuple[Stmt, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview(Node):
    """`preview ACTION as NAME: VALUE`: what is worth knowing of a choice before it is made."""

    action: str
    name: str
    value: Expr


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
    sides: tuple[str, ...] = ()
    """The sides that a doctrine plays."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Prefer(Node):
    """`prefer` or `avoid` in a doctrine: an action or question, the order of its values, a filter and a ranking."""

    sort: str
    target: str
    case: str | None
    each: tuple[tuple[str, Expr], ...]
    guard: Expr | None
    by: Expr | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Otherwise(Node):
    """`otherwise done`: what a doctrine does in a window where no case of its own applies."""

    word: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Judge(Node):
    """`judge VALUE`: what a position is worth to the side of a doctrine."""

    value: Expr


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
    | Preview
    | Procedure
    | Trigger
    | Instead
    | Overlay
    | Prefer
    | Otherwise
    | Judge
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
