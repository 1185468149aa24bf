"""The declarations behind a fact, in words on both sides.

In:  a fact, and both rule sets.
Out: which declaration it changes, and what that says before and after. A fact about an exception, a ban or a modifier
     belongs to the declaration that it hangs on.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

from rulewright.dsl import nodes as n

from ..core import nodes as c
from ..core.types import FLAG, Type
from ..diff.facts import Fact
from ..diff.judge import changed_names
from ..diff.whom import pieces_of
from ..words.cases import SAYERS, declared, said_of
from ..words.english import Noun, a, article, listed, sentence, words
from ..words.expressions import Words
from ..words.phrases import phrases_of
from ..words.said import Said
from ..words.scope import type_noun

Key = tuple[str, str]
"""The sort and the name of a declaration."""


class Declared:
    """The declarations of one book, in words."""

    def __init__(self, book: c.Book) -> None:
        self.book = book
        self.words = Words(book, phrases_of(book))
        self._known: dict[Key, tuple[Said, ...]] = {}

    def said(self, key: Key) -> tuple[Said, ...]:
        """What a declaration says; nothing where the book has none of that name."""
        if key not in self._known:
            self._known[key] = tuple(x for d in find(self.book, *key) for x in said_of(self.words, d)) or self.plain(
                key
            )
        return self._known[key]

    def plain(self, key: Key) -> tuple[Said, ...]:
        """Declarations that list names: kinds, scales, records, fields and boxes."""
        sort, name = key
        b = self.book
        match sort:
            case "kind" if name in b.kinds:
                return (Said(sentence(f"the kinds of “{words(name)}” are {self.values(name, b.kinds[name])}")),)
            case "scale" if name in b.scales:
                return (Said(sentence(f"the steps of “{words(name)}” are {listed(b.scales[name])}")),)
            case "record" if name in b.records:
                parts = [f"{words(x)} ({self.noun(t)})" for x, t in b.records[name]]
                return (Said(sentence(f"{a(words(name))} has {listed(parts)}")),)
            case "field":
                return tuple(Said(self.field(owner, x)) for (owner, x) in b.fields if x == name)
            case "box" if name in b.boxes:
                return (Said(sentence(f"there is a box “{words(name)}”")),)
        return ()

    def field(self, owner: str, name: str) -> str:
        """What is printed on something, by its phrase where it has one."""
        what = owner if owner != "place" else self.words.place
        own = self.words.phrase(f"{owner}.{name}")
        if own is not None and own.slots and self.book.fields[owner, name].type.plain == FLAG:
            return sentence(f"printed: whether {own.clause(dict.fromkeys(own.slots, Noun(what, article(what))), True)}")
        return sentence(f"{a(what)} has “{words(name)}”")

    def values(self, kind: str, found: tuple[str, ...]) -> str:
        phrases = self.words.phrases
        return listed([phrases[f"{kind}.{v}"].text if f"{kind}.{v}" in phrases else words(v) for v in found])

    def noun(self, of: Type) -> str:
        return type_noun(of, self.words.place)

    @cached_property
    def everything(self) -> dict[Key, tuple[Said, ...]]:
        """All that the book says, by declaration."""
        found: dict[Key, tuple[Said, ...]] = {}
        for span, d in declared(self.book):
            name = getattr(d, "name", "") or f"{span.file}:{span.row}"
            found[type(d).__name__, name] = tuple(said_of(self.words, d))
        return found

    def pieces(self, f: Fact, side: int) -> tuple[Said, ...]:
        """What the pieces of a fact that no name leads to say: triggers, invariants, facts of several declarations."""
        entry = (f.old, f.new)[side]
        found = pieces_of(self.book, entry.node) if entry is not None else []
        return tuple(x for p in found if type(p) in SAYERS for x in said_of(self.words, p))


def changed_by(case: str, both: tuple[Declared, Declared]) -> tuple[list[Said], list[Said]]:
    """The declarations that a case speaks about, before and after: for what hangs on a part without a name."""
    before, after = both[0].everything, both[1].everything
    was: list[Said] = []
    now: list[Said] = []
    for key in dict.fromkeys([*before, *after]):
        ours, theirs = before.get(key, ()), after.get(key, ())
        if ours != theirs and any(x.case == case for top in (*ours, *theirs) for x in top.walk()):
            was += ours
            now += theirs
    return was, now


SORTS = {"growing set": "grow", "sequence": "procedure", "unclear": "unclear", "invariant": "invariant"}


def keys_of(f: Fact, books: tuple[c.Book, c.Book]) -> list[Key]:
    """The declarations whose words a fact changes; none for data and for what has no name."""
    if f.element in ("cell", "table", "unit", "map feature", "map", "set-up", "scenario", "calendar", "phrase", "look"):
        return []
    entry = f.new or f.old
    if entry is not None and isinstance(entry.node, n.Trigger):
        return []
    if f.element in SORTS:
        return [(SORTS[f.element], f.name.split(" ")[0])]
    if f.element == "phase":
        return [("procedure", f.where.partition(":")[0])]
    found: list[Key] = []
    for book in books:
        for sort, name in changed_names(f, book):
            sorts = ("define", "memory", "quota", "grow") if sort == "define" else (sort,)
            found += [(x, name) for x in sorts if x in LISTS or find(book, x, name)]
    return list(dict.fromkeys(found))


def find(book: c.Book, sort: str, name: str) -> list[Any]:
    """The declarations of that sort and name that have sentences."""
    if sort == "mark":
        return [m for (_, x), m in book.marks.items() if x == name]
    named: Mapping[str, Any] = getattr(book, HOMES[sort]) if sort in HOMES else {}
    found = named.get(name)
    return [found] if found is not None and (sort != "define" or found.sort == "define") else []


HOMES = {
    "define": "definitions",
    "grow": "grows",
    "memory": "memories",
    "quota": "quotas",
    "route": "routes",
    "matching": "matchings",
    "action": "actions",
    "procedure": "procedures",
    "duty": "duties",
    "unclear": "unclear",
    "invariant": "invariants",
}
LISTS = ("kind", "scale", "record", "field", "box")
