"""Which rules look into secret boxes and cups.

In:  the book in the core, and which definitions ask which.
Out: for expressions and memories the secret boxes that they name, directly or through others; and the memories that
     may tell where hidden units are without naming a box.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from ..core import nodes as c
from ..core.types import PLACE, UNIT
from .dependencies import Depends, asked_by, asked_exprs, through_memories

EVERY = "*"
"""Stands for all secret boxes: a memory looks where some unit is, wherever that may be."""


class SecretBoxes:
    """The secret boxes that each named thing looks into; built once for a book."""

    def __init__(self, book: c.Book, depends: Depends) -> None:
        self.book = book
        self.depends = depends
        shut = {name: box for name, box in book.boxes.items() if box.seen_by or box.sort == "cup"}
        alone = sum(len(box.named(name)) for name, box in shut.items()) == 1
        self.secret = {} if alone else shut  # what lies in the only one can be told from what lies elsewhere
        self.places = {book.places.index(place): name for name, box in self.secret.items() for place in box.named(name)}
        self.closed: dict[tuple[str, str], set[str]] = {}

    def __bool__(self) -> bool:
        return bool(self.secret)

    def of(self, exprs: Iterable[c.Expr]) -> set[str]:
        """The secret boxes that some expressions look into."""
        found: set[str] = set()
        for top in exprs if self.secret else ():
            for e in self._asked(top):
                name = self.named_by(e)
                if name is not None:
                    found.add(name)
                elif isinstance(e, c.Call | c.OfQuota | c.OfRoute | c.OfMatching | c.Grown):
                    found |= self.named(asked_by(e))
        return found

    def named(self, key: tuple[str, str]) -> set[str]:
        """The same for a definition, route, matching or least set."""
        if key not in self.closed:
            self.closed[key] = set()  # a circle adds nothing
            self.closed[key] = {x for inner in self._reached(key) for x in self._mentions(inner)}
        return self.closed[key]

    def named_by(self, e: c.Expr) -> str | None:
        """The secret box that an operator names."""
        if isinstance(e, c.BoxOf) and e.name in self.secret:
            return e.name
        if isinstance(e, c.Const) and e.type.plain == PLACE and isinstance(e.value, int):
            return self.places.get(e.value)
        return None

    def roams(self, memory: str) -> bool:
        """Whether a memory asks where units are that it finds neither on the map nor among its keys."""
        asked = [e for key in self._reached(("define", memory)) for e in self._exprs(key)]
        looks = any(isinstance(e, c.PlaceOf) for e in asked)
        return looks and any(finds_units(e) for e in asked)

    def _reached(self, key: tuple[str, str]) -> list[tuple[str, str]]:
        """A named thing and all that it asks for."""
        found = [key]
        for one in found:
            found += sorted(self.depends.calls.get(one, set()) - {*found})
        return found

    def _exprs(self, key: tuple[str, str]) -> Iterator[c.Expr]:
        sort, name = key
        book = self.book
        named: dict[str, Mapping[str, c.Definition | c.Route | c.Matching | c.Grow]]
        named = {"define": book.definitions, "route": book.routes, "matching": book.matchings, "grow": book.grows}
        for top in asked_exprs(named[sort][name]) if name in named[sort] else ():
            yield from self._asked(top)

    def _mentions(self, key: tuple[str, str]) -> Iterator[str]:
        return (name for e in self._exprs(key) if (name := self.named_by(e)) is not None)

    def _asked(self, top: c.Expr) -> Iterator[c.Expr]:
        """An expression and what stands in it, but for how much lies in boxes of which everybody knows that."""
        if self._counts(top):
            return
        yield top
        for inner in top.args:
            yield from self._asked(inner)

    def _counts(self, e: c.Expr) -> bool:
        """Whether it is `count(units_at(BOX))` of a box that is counted."""
        if not isinstance(e, c.CountOf) or e.test is not None:
            return False
        many = e.base
        if not isinstance(many, c.BuiltinCall) or many.name != "units_at":
            return False
        name = self.named_by(many.asked[0])
        return name is not None and self.secret[name].counted


def finds_units(e: c.Expr) -> bool:
    """Whether an operator gives units that may lie anywhere."""
    if isinstance(e, c.BuiltinCall):
        return e.name in ("counters", "spare")
    held = e.type.plain if e.type.of is None else e.type.of.plain
    return held == UNIT and isinstance(e, c.Const | c.FieldOf | c.MarkOf | c.Remembered)


def hidden_boxes(book: c.Book, depends: Depends) -> dict[str, tuple[str, ...]]:
    """The memories that may tell what lies in secret boxes, each with those boxes; `*` stands for all of them."""
    boxes = SecretBoxes(book, depends)
    if not boxes:
        return {}
    rests = {name: {*boxes.named(("define", name)), *({EVERY} if boxes.roams(name) else ())} for name in book.memories}
    return through_memories(rests, book, depends)
