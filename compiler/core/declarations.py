"""Declarations of the core: what the cases of a book declare, each with its case and span."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal, TypeAlias

from rulewright.dsl.records import dataclass
from rulewright.dsl.source import Span

from .example_lines import ExampleLine
from .expressions import Expr, Value
from .statements import Stmt
from .types import Type

DefinitionSort: TypeAlias = Literal["define", "facet", "quota", "memory"]
"""What a definition belongs to: itself, a route, a quota, or a memory."""
RuleSort: TypeAlias = Literal["forbid", "require", "stop"]
ProcedureSort: TypeAlias = Literal["procedure", "sequence", "action", "trigger", "failing"]
LegSort: TypeAlias = Literal["one", "maybe", "repeat"]
Kept: TypeAlias = Literal["at", "ever", "counting", "always"]
"""When a memory is settled: at an event, once and for ever, by counting, or with every change."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Param:
    name: str
    type: Type
    domain: Expr | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Clause:
    """`value when guard`; the last of a list has no guard where the list is total."""

    value: Expr
    guard: Expr | None
    span: Span
    operation: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Layer:
    """What one declaration of one case says about a definition, and what defeats it."""

    id: str
    case: str
    overlay: str
    house: bool
    lets: tuple[tuple[str, Expr], ...]
    clauses: tuple[Clause, ...]
    exceptions: tuple[Layer, ...] = ()
    outranks: tuple[str, ...] = ()
    waivers: tuple[Waiver, ...] = ()
    covers: tuple[str, ...] = ()
    span: Span

    def walk(self) -> Iterator[Layer]:
        yield self
        for e in self.exceptions:
            yield from e.walk()


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiver:
    id: str
    case: str
    overlay: str
    guard: Expr | None
    waivers: tuple[Waiver, ...] = ()
    covers: tuple[str, ...] = ()
    span: Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """One step of a gathered number: its contributions, then rounding and caps."""

    name: str
    round: str = ""
    once: bool = False
    most: Expr | None = None
    least: Expr | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Contribution:
    stage: str
    layer: Layer


@dataclass(frozen=True, slots=True, kw_only=True)
class Definition:
    """A clause set: base layer, contributions and stages; also facets, quota caps, memories' bodies."""

    name: str
    params: tuple[Param, ...]
    type: Type
    base: Layer
    gathered: bool = False
    stages: tuple[Stage, ...] = ()
    contributions: tuple[Contribution, ...] = ()
    sort: DefinitionSort = "define"

    @property
    def case(self) -> str:
        return self.base.case

    def layers(self) -> Iterator[Layer]:
        yield from self.base.walk()
        for c in self.contributions:
            yield from c.layer.walk()


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A prohibition (`forbid`), need (`require`) or halt (`stop`), with its waivers."""

    id: str
    sort: RuleSort
    label: str
    case: str
    overlay: str
    test: Expr
    guard: Expr | None
    waivers: tuple[Waiver, ...]
    covers: tuple[str, ...] = ()
    span: Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Leg:
    sort: LegSort
    route: str
    args: tuple[Expr, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """A set of paths. Facets are definitions named `route.facet`."""

    name: str
    case: str
    params: tuple[Param, ...]
    layers: tuple[str, ...]
    over_test: Expr | None
    facets: Mapping[str, str]
    rules: tuple[Rule, ...]
    legs: tuple[Leg, ...]
    needs: tuple[str, ...]
    covers: tuple[str, ...] = ()
    span: Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Matching:
    name: str
    case: str
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
    covers: tuple[str, ...] = ()
    span: Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Keys to cells: each axis is a list of keys, a key a tuple of values."""

    name: str
    case: str
    house: bool
    overlay: str
    params: tuple[Param, ...]
    type: Type
    clamps: Mapping[str, tuple[int, int]]
    cells: Mapping[tuple[Value, ...], Any]
    covers: tuple[str, ...] = ()
    span: Span


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldDecl:
    name: str
    owner: Type
    type: Type
    default: Value
    case: str
    span: Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    name: str
    owner: Type
    type: Type
    start: Value
    case: str
    until: tuple[str, str] | None
    until_test: Expr | None
    secret_to: Expr | None
    covers: tuple[str, ...] = ()
    span: Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """History: `how` is at, ever, counting or always; the body is a definition of its own."""

    name: str
    case: str
    how: Kept
    event: tuple[str, str] | None
    definition: Definition
    start: Value
    covers: tuple[str, ...] = ()
    span: Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Quota:
    name: str
    case: str
    per: tuple[str, ...]
    definition: Definition
    covers: tuple[str, ...] = ()
    span: Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Grow:
    name: str
    case: str
    params: tuple[Param, ...]
    type: Type
    domain: Expr
    test: Expr
    covers: tuple[str, ...] = ()
    span: Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Procedure:
    """Statements under a name; `instead` wraps it, nearest wrapper first."""

    name: str
    case: str
    params: tuple[Param, ...]
    body: tuple[Stmt, ...]
    sort: ProcedureSort = "procedure"
    wrappers: tuple[Wrapper, ...] = ()
    overlay: str = ""
    covers: tuple[str, ...] = ()
    span: Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Wrapper:
    id: str
    case: str
    guard: Expr | None
    body: tuple[Stmt, ...]
    overlay: str = ""
    covers: tuple[str, ...] = ()
    span: Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    name: str
    case: str
    params: tuple[Param, ...]
    by: Expr
    phases: tuple[str, ...]
    anytime: bool
    rules: tuple[Rule, ...]
    spends: tuple[tuple[str, tuple[Expr, ...], Expr], ...]
    procedure: Procedure
    covers: tuple[str, ...] = ()
    span: Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """What is worth knowing of a choice of an action: `definition` answers for the actor and the arguments."""

    action: str
    name: str
    definition: str
    case: str
    overlay: str = ""
    span: Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Trigger:
    id: str
    case: str
    event: tuple[str, str]
    params: tuple[Param, ...]
    guard: Expr | None
    waivers: tuple[Waiver, ...]
    procedure: Procedure
    covers: tuple[str, ...] = ()
    span: Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Duty:
    name: str
    case: str
    var: str | None
    domain: Expr | None
    phases: tuple[str, ...]
    test: Expr
    waivers: tuple[Waiver, ...]
    failing: Procedure | None
    covers: tuple[str, ...] = ()
    span: Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Invariant:
    name: str
    case: str
    test: Expr
    span: Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Unclear:
    name: str
    case: str
    text: str
    readings: tuple[tuple[str, str], ...]
    span: Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    title: str
    case: str
    lines: tuple[ExampleLine, ...]
    covers: tuple[str, ...] = ()
    span: Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Box:
    """A place off the map, or one for each of `keys`; `sort` is box, cup, pool or track.

    `seen_by` are the sides that see what lies in it, key by key; it is empty where everybody does.
    """

    case: str
    keys: tuple[Any, ...]
    sort: str
    seen_by: tuple[tuple[str, ...], ...] = ()
    counted: bool = True

    def named(self, name: str) -> tuple[str, ...]:
        """The names of its places."""
        return tuple(f"{name}({key})" for key in self.keys) or (name,)


@dataclass(frozen=True, slots=True, kw_only=True)
class Wording:
    """How something with a name is said in one language, with its parameters in braces."""

    language: str
    key: str
    text: str
    case: str
    overlay: str
    span: Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """State that players have before them: `key` names a mark (`unit.disrupted`), a binding or a definition."""

    key: str
    case: str
    overlay: str
    span: Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Veil:
    """What the definition `by` keeps from a side: `key` is `unit`, or a mark of hexes (`hex.dump`)."""

    key: str
    by: str
    case: str
    overlay: str
    span: Span


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitLine:
    """A counter: its name, its printed fields and where it starts in each scenario."""

    name: str
    fields: Mapping[str, Any]
    start: str | None
    case: str
    house: bool
    span: Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Calendar:
    """Turns in order: label, year and month number of each."""

    turns: tuple[tuple[str, int, int], ...]
    months: tuple[str, ...]
    case: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    name: str
    title: str
    case: str
    sequence: str
    units: Mapping[str, str]
    marks: tuple[tuple[str, str, Value], ...]
    house: bool
    span: Span
    map: str = ""
    """Of several maps, the one that it is played on; nothing in a book with one."""
    margin: str = ""
    """The number of a side that tells by how much a game was won: a definition of one side, or a mark of the side."""
