"""The core without its text: one plain form to compare and to hash.

In:  a book in the core.
Out: nested tuples without spans, provenance of overlays or coverage marks; places and units go by
     name, so that a number which only reflects the order of the text does not count.

Declarations that have no order in play (exceptions, rules, contributions, units) are sorted;
statements, clauses and the triggers of one event keep theirs.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from . import nodes as c
from .maps import Map
from .types import PLACE, UNIT, Type

SKIPPED = {"span", "overlay", "covers", "id", "via"}
MATCHED = re.compile(r"\Amatched\d+_\d+\Z")  # a name that `match` makes: the how manyth of its declaration
UNORDERED = {"exceptions", "waivers", "contributions", "rules"}

PARTS = (
    "kinds", "scales", "records", "fields", "marks", "bindings", "boxes", "definitions", "grows", "memories",
    "quotas", "tables", "routes", "matchings", "actions", "procedures", "duties", "invariants", "unclear",
    "untranslated", "scenarios",
)  # fmt: skip
"""The parts of a book that go by name."""


def core_digest(book: c.Book) -> str:
    """A hash of all that the book means in play."""
    return hashlib.sha256(repr(core_form(book)).encode()).hexdigest()


def core_form(book: c.Book) -> dict[str, Any]:
    """The book by parts, each in its plain form."""
    form = Form(book)
    parts: dict[str, Any] = {}
    for name in PARTS:
        parts[name] = form(getattr(book, name))
    parts["phases"] = tuple(sorted(book.phases))
    parts["places"] = tuple(sorted(book.places))
    parts["map"] = form(book.map)
    parts["calendar"] = form(book.calendar)
    parts["units"] = tuple(sorted((form(u) for u in book.units), key=repr))
    parts["triggers"] = triggers(book, form)
    return parts


def triggers(book: c.Book, form: Form) -> Any:
    """The triggers of each event, in their order."""
    return tuple((event, by_event(book, event, form)) for event in sorted(map(event_of, book.triggers)))


def event_of(trigger: c.Trigger) -> tuple[str, str]:
    """What sets a trigger off; every `whenever` waits for the same thing, any change."""
    return ("soon", "") if trigger.event[0] == "soon" else trigger.event


def by_event(book: c.Book, event: tuple[str, str], form: Form) -> tuple[Any, ...]:
    return tuple(form(t) for t in book.triggers if event_of(t) == event)


_PARTS: dict[type, tuple[str, ...]] = {}


def parts_of(kind: Any) -> tuple[str, ...]:
    if kind not in _PARTS:
        _PARTS[kind] = tuple(f.name for f in fields(kind) if f.name not in SKIPPED)
    return _PARTS[kind]


class Form:
    """Plain forms of the pieces of one book."""

    def __init__(self, book: c.Book) -> None:
        self.book = book

    def __call__(self, value: Any) -> Any:
        if isinstance(value, c.Operator):
            return self.expr(value)
        if isinstance(value, Type):
            return str(value)
        if isinstance(value, Map):
            told = (f.name for f in fields(value) if f.name != "parts" or value.parts)
            return tuple((name, self(getattr(value, name))) for name in told)
        if isinstance(value, c.Definition):
            return self.definition(value)
        if is_dataclass(value) and not isinstance(value, type):
            told = (x for x in parts_of(type(value)) if x != "map" or getattr(value, x))
            return (type(value).__name__, *(self.part(value, name) for name in told))
        if isinstance(value, Mapping):
            return tuple(sorted(((self(k), self(v)) for k, v in value.items()), key=repr))
        if isinstance(value, tuple | list):
            return tuple(self(x) for x in value if not isinstance(x, c.Note))
        if isinstance(value, str) and value.startswith("matched"):
            return MATCHED.sub("matched", value)
        return value

    def part(self, owner: Any, name: str) -> Any:
        value = getattr(owner, name)
        if name == "outranks":
            return tuple(sorted(x.partition(" (")[0] for x in value))
        if name in UNORDERED and isinstance(value, tuple):
            return tuple(sorted((self(x) for x in value), key=repr))
        if name == "name" and isinstance(owner, c.Procedure) and owner.sort == "trigger":
            return ""
        if name == "event" and isinstance(owner, c.Trigger) and owner.event[0] == "soon":
            return "soon"
        return self(value)

    def definition(self, d: c.Definition) -> Any:
        return (
            "Definition",
            d.name,
            self(d.params),
            str(d.type),
            self(d.base),
            d.gathered,
            self(d.stages),
            tuple(sorted((self(x) for x in d.contributions), key=repr)),
            d.sort,
        )

    def expr(self, top: c.Operator) -> Any:
        """Operators in reading order, each with how many expressions stand below it."""
        return tuple((type(e).__name__, str(e.type), self.own(e), len(e.args)) for e in top.walk())

    def own(self, e: c.Expr) -> Any:
        return self.named(e.value, e.type) if isinstance(e, c.Const) else self(e.own)

    def named(self, value: c.Value, type: Type) -> Any:
        """A constant; a place or a unit by its name, so that the order of the text does not show."""
        if isinstance(value, tuple) and type.of is not None:
            return tuple(self.named(x, type.of) for x in value)
        if isinstance(value, int) and not isinstance(value, bool):
            if type.plain == PLACE and 0 <= value < len(self.book.places):
                return self.book.places[value]
            if type.plain == UNIT and 0 <= value < len(self.book.units):
                return self.book.units[value].name
        return self(value)
