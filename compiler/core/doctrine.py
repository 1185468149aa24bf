"""Doctrines in the core: how an opponent plays, as rankings over the actions and questions of a book.

What a case asks for is a definition of its own in `Book.definitions`, so that every reader of definitions knows it.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from rulewright.dsl.records import dataclass
from rulewright.dsl.source import Span

PreferenceSort: TypeAlias = Literal["prefer", "avoid"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A definition that a preference asks: of the actor, so many of the values that are picked, and names in reach.

    `text` is the condition or ranking as it is written.
    """

    definition: str
    level: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Preference:
    """One `prefer` or `avoid`. `each` orders the values of a parameter, of a set its members.

    `asks` are the numbers of the questions that it answers; none where `target` is an action. `frame` are the names
    of the asking procedure that it looks at.
    """

    id: str
    sort: PreferenceSort
    target: str
    case: str
    asks: tuple[int, ...]
    each: tuple[tuple[int, Asked], ...]
    tests: tuple[Asked, ...]
    by: Asked | None
    frame: tuple[str, ...]
    span: Span

    def definitions(self) -> tuple[str, ...]:
        """The definitions that it asks."""
        found = [*(asked for _, asked in self.each), *self.tests, *([self.by] if self.by is not None else [])]
        return tuple(asked.definition for asked in found)


@dataclass(frozen=True, slots=True, kw_only=True)
class Weight:
    """A number of a doctrine that may be tuned, and between what it may lie."""

    name: str
    case: str
    least: object
    most: object


@dataclass(frozen=True, slots=True, kw_only=True)
class Doctrine:
    """Preferences in the order of their cases; `judge` is the definition of what a position is worth."""

    name: str
    title: str
    sides: tuple[str, ...]
    preferences: tuple[Preference, ...]
    weights: tuple[Weight, ...]
    otherwise: str = "done"
    judge: str | None = None

    def definitions(self) -> tuple[str, ...]:
        """The definitions that its cases ask."""
        found = [name for x in self.preferences for name in x.definitions()]
        return (*found, *([self.judge] if self.judge is not None else []))
