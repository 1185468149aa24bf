"""The symbol table: declared names and their types, and the local names in scope.

In:  declarations, as `declare` enters them.
Out: what a name means, for whoever elaborates a body.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from rulewright.dsl import nodes as n
from rulewright.dsl.diagnostics import Reporter, did_you_mean

from ..core.entries import Entry
from ..core.nodes import BookDraft, Param
from ..core.types import ABSENT, PRIMITIVES, Type, list_of, plan_of, set_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Signature:
    """What can be called: a definition, memory, quota, table, route, matching, grow, box or record."""

    sort: str
    name: str
    params: tuple[Param, ...]
    type: Type
    entry: Entry | None = None


@dataclass(slots=True)
class Symbols:
    """Every declared name of one rule set; `matchings` says what each sorts onto what, and whether in groups.

    Where maps share ids and names, `shared` has what each of them means by one; `places` and `names` have the first.
    """

    book: BookDraft
    callables: dict[str, Signature] = field(default_factory=dict)
    procedures: dict[str, Signature] = field(default_factory=dict)
    actions: dict[str, Signature] = field(default_factory=dict)
    units: dict[str, int] = field(default_factory=dict)
    places: dict[str, int] = field(default_factory=dict)
    names: dict[str, int | tuple[int, ...]] = field(default_factory=dict)
    shared: dict[str, dict[str, int | tuple[int, ...]]] = field(default_factory=dict)
    layers: dict[str, str] = field(default_factory=dict)
    matchings: dict[str, tuple[Type, Type, bool]] = field(default_factory=dict)
    read: set[tuple[str, str]] = field(default_factory=set)

    def place(self, text: str, on: str = "") -> int | tuple[int, ...] | None:
        """The place or hexside of an id or a name: of those that maps share, the one of this map, else of the first."""
        found = self.shared.get(text, {})
        if found:
            return found.get(on, next(iter(found.values())))
        return self.places.get(text, self.names.get(text))

    def kind_of(self, value: str) -> list[str]:
        """The kinds that have this value."""
        return [k for k, values in self.book.kinds.items() if value in values]

    def type(self, t: n.TypeName, report: Reporter) -> Type:
        """The type an author named."""
        found = PRIMITIVES.get(t.name)
        if found is None and t.name in self.book.kinds:
            found = Type("kind", t.name)
        if found is None and t.name in self.book.scales:
            found = Type("scale", t.name)
        if found is None and t.name in self.book.records:
            found = Type("record", t.name)
        if found is None and t.name in self.matchings:
            found = plan_of(t.name)
        if found is None:
            known = [*PRIMITIVES, *self.book.kinds, *self.book.scales, *self.book.records]
            report.error(
                "RW210",
                t.span,
                f'unknown type "{t.name}"',
                help=did_you_mean(t.name, known) or f"declare it with: kind {t.name}: …",
            )
            found = Type("any", t.name)
        for wrap in reversed(t.wrap):
            found = set_of(found) if wrap == "set" else list_of(found)
        if t.absent is not None:
            if t.absent not in ABSENT:
                report.error(
                    "RW210",
                    t.span,
                    f'"{t.absent}" is no word for an absent value',
                    help="use one of: " + ", ".join(ABSENT),
                )
            found = replace(found, absent=True)
        return found


@dataclass(frozen=True, slots=True)
class Scope:
    """Local names in scope; `usual` and `keep` are the types of those words, where they have a meaning."""

    locals: Mapping[str, Type]
    usual: Type | None = None
    keep: Type | None = None

    def plus(self, **more: Type) -> Scope:
        return Scope({**self.locals, **more}, self.usual, self.keep)

    def names(self) -> Iterable[str]:
        return self.locals.keys()
