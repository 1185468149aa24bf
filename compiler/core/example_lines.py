"""Lines of worked examples: one frozen class a line.

A line *gives* something of a position, *expects* something of it, runs a procedure, or takes a choice. `ExampleLine`
is the union of all of them; `exprs` are the expressions of a line, in the order of its fields.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from rulewright.dsl.records import dataclass
from rulewright.dsl.source import Span

from .expressions import Expr, parts_in


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """What all lines have."""

    span: Span

    @property
    def exprs(self) -> tuple[Expr, ...]:
        """The expressions of the line, in the order of its fields."""
        return parts_in(self)


# ---------------------------------------------------------------- what is given


@dataclass(frozen=True, slots=True)
class Given(Line):
    """A line that sets something up; the position settles before the first line of another sort."""


@dataclass(frozen=True, slots=True)
class GivenAt(Given):
    """Units stand at places."""

    placed: tuple[tuple[Expr, Expr], ...]

    @property
    def exprs(self) -> tuple[Expr, ...]:
        return tuple(x for pair in self.placed for x in pair)


@dataclass(frozen=True, slots=True)
class GivenBound(Given):
    """A name that a phase binds has a value."""

    name: str
    value: Expr


@dataclass(frozen=True, slots=True)
class GivenReading(Given):
    """An unclear case is read in this way."""

    name: str
    value: Expr


@dataclass(frozen=True, slots=True)
class GivenMark(Given):
    """A mark has a value; `key` is its owner's type and its name, `of` is None for a mark of the game."""

    key: tuple[str, str]
    value: Expr
    of: Expr | None


@dataclass(frozen=True, slots=True)
class GivenMemory(Given):
    """Something is remembered."""

    name: str
    value: Expr
    asked: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class GivenSpent(Given):
    """Some of a quota is spent."""

    name: str
    value: Expr
    asked: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class GivenPhase(Given):
    """A phase is running."""

    phase: str


@dataclass(frozen=True, slots=True)
class GivenScenario(Given):
    """A scenario is set up."""

    scenario: str


@dataclass(frozen=True, slots=True)
class GivenMap(Given):
    """Of several maps, this one is played on."""

    map: str


@dataclass(frozen=True, slots=True)
class GivenDice(Given):
    """The next dice fall so."""

    faces: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class GivenDraws(Given):
    """The next draws give these."""

    drawn: tuple[Expr, ...]


# ---------------------------------------------------------------- what is expected


@dataclass(frozen=True, slots=True)
class Expected(Line):
    """A condition holds."""

    test: Expr


@dataclass(frozen=True, slots=True)
class ExpectedConflict(Line):
    """A value has no answer: two cases contradict one another."""

    value: Expr


@dataclass(frozen=True, slots=True)
class ExpectedAsked(Line):
    """A side is asked for something, or for anything where no name is given."""

    side: Expr
    name: str | None


@dataclass(frozen=True, slots=True)
class ExpectedQuiet(Line):
    """Nobody is asked for anything."""


# ---------------------------------------------------------------- what happens


@dataclass(frozen=True, slots=True)
class RunLine(Line):
    """A procedure runs."""

    procedure: str
    given: tuple[Expr, ...]


ChoiceSort: TypeAlias = Literal["action", "ask", "word"]
"""What a choice is: an action, the answer to an ask, or a word such as `done`."""


@dataclass(frozen=True, slots=True)
class ChoiceLine(Line):
    """A choice of a side."""

    sort: ChoiceSort
    name: str
    side: Expr
    given: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class PlayLine(ChoiceLine):
    """The choice is taken."""


@dataclass(frozen=True, slots=True)
class LegalLine(ChoiceLine):
    """The choice is legal; it is not taken."""


@dataclass(frozen=True, slots=True)
class RefusedLine(ChoiceLine):
    """The choice is refused, by these cases at least."""

    cases: tuple[str, ...]


GivenLine: TypeAlias = (
    GivenAt
    | GivenBound
    | GivenReading
    | GivenMark
    | GivenMemory
    | GivenSpent
    | GivenPhase
    | GivenScenario
    | GivenMap
    | GivenDice
    | GivenDraws
)
JudgedLine: TypeAlias = LegalLine | RefusedLine
ExampleLine: TypeAlias = (
    GivenLine | Expected | ExpectedConflict | ExpectedAsked | ExpectedQuiet | RunLine | PlayLine | JudgedLine
)
