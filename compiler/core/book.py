"""The book: one rule set in the core, as a value; and the draft that it is built in."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import field

from rulewright.dsl.records import dataclass
from rulewright.dsl.source import Span

from .declarations import (
    Action,
    Box,
    Calendar,
    Definition,
    Duty,
    Example,
    FieldDecl,
    Grow,
    Invariant,
    Mark,
    Matching,
    Memory,
    Preview,
    Procedure,
    Quota,
    Route,
    Scenario,
    Shown,
    Table,
    Trigger,
    Unclear,
    UnitLine,
    Veil,
    Wording,
)
from .doctrine import Doctrine
from .looks import StyleLine
from .maps import Map
from .statements import Ask, Offer
from .types import Type


@dataclass(frozen=True, slots=True, kw_only=True)
class Book:
    """One rule set in the core. All passes after elaboration read it, none changes it."""

    name: str
    title: str
    printed: str
    """When the book was printed, as it says; empty where it does not."""
    overlays: tuple[str, ...]
    origins: Mapping[str, str]
    waived_by: Mapping[str, tuple[str, ...]]
    cases: Mapping[str, str]
    case_spans: Mapping[str, Span]
    kinds: Mapping[str, tuple[str, ...]]
    scales: Mapping[str, tuple[str, ...]]
    records: Mapping[str, tuple[tuple[str, Type], ...]]
    fields: Mapping[tuple[str, str], FieldDecl]
    marks: Mapping[tuple[str, str], Mark]
    bindings: Mapping[str, Type]
    phases: Mapping[str, str]
    boxes: Mapping[str, Box]
    places: tuple[str, ...]
    hexes: int
    map: Map | None
    units: tuple[UnitLine, ...]
    calendar: Calendar | None
    definitions: Mapping[str, Definition]
    grows: Mapping[str, Grow]
    memories: Mapping[str, Memory]
    quotas: Mapping[str, Quota]
    tables: Mapping[str, Table]
    routes: Mapping[str, Route]
    matchings: Mapping[str, Matching]
    actions: Mapping[str, Action]
    procedures: Mapping[str, Procedure]
    triggers: tuple[Trigger, ...]
    duties: Mapping[str, Duty]
    invariants: Mapping[str, Invariant]
    unclear: Mapping[str, Unclear]
    untranslated: Mapping[str, str]
    scenarios: Mapping[str, Scenario]
    examples: tuple[Example, ...]
    asks: tuple[Ask, ...]
    offers: tuple[Offer, ...]
    data_cases: Mapping[str, tuple[str, ...]]
    house: Mapping[str, str]
    words: tuple[Wording, ...]
    shown: tuple[Shown, ...]
    veils: tuple[Veil, ...]
    previews: tuple[Preview, ...]
    styles: tuple[StyleLine, ...]
    doctrine: Doctrine | None = None


@dataclasses.dataclass(slots=True)
class BookDraft:
    """A rule set while it is read and elaborated; `finished` gives the book."""

    name: str = ""
    title: str = ""
    printed: str = ""
    overlays: tuple[str, ...] = ()
    origins: dict[str, str] = field(default_factory=dict)
    waived_by: dict[str, tuple[str, ...]] = field(default_factory=dict)
    cases: dict[str, str] = field(default_factory=dict)
    case_spans: dict[str, Span] = field(default_factory=dict)
    kinds: dict[str, tuple[str, ...]] = field(default_factory=dict)
    scales: dict[str, tuple[str, ...]] = field(default_factory=dict)
    records: dict[str, tuple[tuple[str, Type], ...]] = field(default_factory=dict)
    fields: dict[tuple[str, str], FieldDecl] = field(default_factory=dict)
    marks: dict[tuple[str, str], Mark] = field(default_factory=dict)
    bindings: dict[str, Type] = field(default_factory=dict)
    phases: dict[str, str] = field(default_factory=dict)
    boxes: dict[str, Box] = field(default_factory=dict)
    places: tuple[str, ...] = ()
    hexes: int = 0
    map: Map | None = None
    units: tuple[UnitLine, ...] = ()
    calendar: Calendar | None = None
    definitions: dict[str, Definition] = field(default_factory=dict)
    grows: dict[str, Grow] = field(default_factory=dict)
    memories: dict[str, Memory] = field(default_factory=dict)
    quotas: dict[str, Quota] = field(default_factory=dict)
    tables: dict[str, Table] = field(default_factory=dict)
    routes: dict[str, Route] = field(default_factory=dict)
    matchings: dict[str, Matching] = field(default_factory=dict)
    actions: dict[str, Action] = field(default_factory=dict)
    procedures: dict[str, Procedure] = field(default_factory=dict)
    triggers: list[Trigger] = field(default_factory=list)
    duties: dict[str, Duty] = field(default_factory=dict)
    invariants: dict[str, Invariant] = field(default_factory=dict)
    unclear: dict[str, Unclear] = field(default_factory=dict)
    untranslated: dict[str, str] = field(default_factory=dict)
    scenarios: dict[str, Scenario] = field(default_factory=dict)
    examples: list[Example] = field(default_factory=list)
    asks: list[Ask] = field(default_factory=list)
    offers: list[Offer] = field(default_factory=list)
    data_cases: dict[str, tuple[str, ...]] = field(default_factory=dict)
    house: dict[str, str] = field(default_factory=dict)
    words: list[Wording] = field(default_factory=list)
    shown: list[Shown] = field(default_factory=list)
    veils: list[Veil] = field(default_factory=list)
    previews: list[Preview] = field(default_factory=list)
    styles: list[StyleLine] = field(default_factory=list)
    doctrine: Doctrine | None = None

    def finished(self) -> Book:
        """The book as it stands now; later changes of the draft do not reach it."""
        return Book(
            name=self.name,
            title=self.title,
            printed=self.printed,
            overlays=self.overlays,
            origins=dict(self.origins),
            waived_by=dict(self.waived_by),
            cases=dict(self.cases),
            case_spans=dict(self.case_spans),
            kinds=dict(self.kinds),
            scales=dict(self.scales),
            records=dict(self.records),
            fields=dict(self.fields),
            marks=dict(self.marks),
            bindings=dict(self.bindings),
            phases=dict(self.phases),
            boxes=dict(self.boxes),
            places=self.places,
            hexes=self.hexes,
            map=self.map,
            units=self.units,
            calendar=self.calendar,
            definitions=dict(self.definitions),
            grows=dict(self.grows),
            memories=dict(self.memories),
            quotas=dict(self.quotas),
            tables=dict(self.tables),
            routes=dict(self.routes),
            matchings=dict(self.matchings),
            actions=dict(self.actions),
            procedures=dict(self.procedures),
            triggers=tuple(self.triggers),
            duties=dict(self.duties),
            invariants=dict(self.invariants),
            unclear=dict(self.unclear),
            untranslated=dict(self.untranslated),
            scenarios=dict(self.scenarios),
            examples=tuple(self.examples),
            asks=tuple(self.asks),
            offers=tuple(self.offers),
            data_cases=dict(self.data_cases),
            house=dict(self.house),
            words=tuple(self.words),
            shown=tuple(self.shown),
            veils=tuple(self.veils),
            previews=tuple(self.previews),
            styles=tuple(self.styles),
            doctrine=self.doctrine,
        )
