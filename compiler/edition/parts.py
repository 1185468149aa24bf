"""The parts of an edition: what stands under a case, and the chapters, index and title page around it.

In:  nothing; these are the values that `build` makes and the template shows.
Out: frozen values. `text` of a part is its words alone, by which editions are compared.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from markupsafe import Markup

from ..words.said import Said, plain


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule in words."""

    said: Said
    house: bool = False
    sort: str = "rule"

    @property
    def text(self) -> str:
        return "\n".join(plain([self.said]))


@dataclass(frozen=True, slots=True)
class Note:
    words: str
    sort: str = "note"

    @property
    def text(self) -> str:
        return self.words


@dataclass(frozen=True, slots=True)
class Grid:
    """A table: the first `lead` columns head the rows; `key` says what the words in its cells mean."""

    caption: str
    heads: tuple[str, ...]
    lead: int
    rows: tuple[tuple[str, ...], ...]
    key: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()
    house: bool = False
    sort: str = "grid"

    @property
    def text(self) -> str:
        return "\n".join([self.caption, *(" | ".join(row) for row in (self.heads, *self.rows)), *self.notes])


@dataclass(frozen=True, slots=True)
class CounterRow:
    """Counters that print the same: a picture, what they print, and whose they are."""

    picture: Markup
    prints: str
    units: str
    many: int


@dataclass(frozen=True, slots=True)
class Counters:
    caption: str
    rows: tuple[CounterRow, ...]
    shared: str = ""
    house: bool = False
    sort: str = "counters"

    @property
    def text(self) -> str:
        return "\n".join([self.caption, self.shared, *(f"{r.prints} | {r.units}" for r in self.rows)])


@dataclass(frozen=True, slots=True)
class Picture:
    """The board; `words` say what changed when its drawing does."""

    svg: Markup
    caption: str
    words: str
    house: bool = False
    sort: str = "picture"

    @property
    def text(self) -> str:
        return self.words


@dataclass(frozen=True, slots=True)
class Unclear:
    """An open question with its readings; the first is in force unless players agree on another."""

    question: str
    readings: tuple[tuple[str, str], ...]
    sort: str = "unclear"

    @property
    def text(self) -> str:
        return "\n".join([self.question, *(f"{name}: {words}" for name, words in self.readings)])


@dataclass(frozen=True, slots=True)
class Untranslated:
    words: str
    sort: str = "untranslated"

    @property
    def text(self) -> str:
        return self.words


Part = Rule | Note | Grid | Counters | Picture | Unclear | Untranslated


@dataclass(frozen=True, slots=True)
class Example:
    """A worked example: a position, what follows, and a small map of it."""

    title: str
    given: str
    then: tuple[str, ...]
    picture: Markup

    @property
    def text(self) -> str:
        return "\n".join([self.title, self.given, *self.then])


@dataclass(frozen=True, slots=True)
class Event:
    """One step of the history of a case: when, what happened, by which item of which sheet."""

    date: str
    what: str
    by: str = ""


@dataclass(frozen=True, slots=True)
class Case:
    id: str
    title: str
    parts: tuple[Part, ...]
    examples: tuple[Example, ...]
    more_examples: int
    history: tuple[Event, ...]
    see: tuple[str, ...]
    """Cases that this one rests on."""
    seen_from: tuple[str, ...]
    """Cases that rest on this one."""
    moved_to: str = ""

    @property
    def marks(self) -> tuple[str, ...]:
        """What a reader is to know of the case at a glance."""
        found = {"house" for p in self.parts if getattr(p, "house", False)}
        found |= {p.sort for p in self.parts if p.sort in ("unclear", "untranslated")}
        return tuple(sorted(found))

    @property
    def texts(self) -> tuple[str, ...]:
        return tuple(p.text for p in self.parts)


@dataclass(frozen=True, slots=True)
class Chapter:
    id: str
    title: str
    intro: str
    cases: tuple[Case, ...]


@dataclass(frozen=True, slots=True)
class Term:
    """A word of the index: where it is explained, and where it is used."""

    word: str
    at: tuple[str, ...]
    used: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SheetInForce:
    """An overlay of the edition: its title and where it comes from."""

    name: str
    title: str
    sort: str
    date: str
    source: str


@dataclass(frozen=True, slots=True)
class Edition:
    """A rule set as a rulebook."""

    title: str
    rules: str
    date: str
    """The day whose errata are in force; of an edition without one the day of its youngest dated part."""
    printed: str
    digest: str
    version: str
    sheets: tuple[SheetInForce, ...]
    chapters: tuple[Chapter, ...]
    terms: tuple[Term, ...]

    def cases(self) -> Mapping[str, Case]:
        return {case.id: case for chapter in self.chapters for case in chapter.cases}


@dataclass(frozen=True, slots=True)
class Change:
    """What became of a case since an earlier edition: the parts that are new in it, and those that are gone."""

    case: str
    title: str
    what: str
    new: frozenset[str] = frozenset()
    gone: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Changes:
    """What changed since an earlier edition."""

    since: str
    cases: Mapping[str, Change] = field(default_factory=dict)
    order: Sequence[str] = ()
