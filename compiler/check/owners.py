"""Which secrets a rule of an action looks at that are not the acting side's own.

In:  an expression of the action, what everything reads, and the secrets of the book.
Out: the secrets that another side than the acting one may keep from it.

A mark is the side's own where it is read of the side itself, of an argument, or of its own units; a box where its key
is the side. Definitions are followed with what they are asked of, so `planned(phasing)` is no secret to `phasing`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from ..analyse.dependencies import Depends, column_of
from ..analyse.secret_boxes import SecretBoxes
from ..core import nodes as c
from ..core.walk import definition_exprs

OWNED = ("units", "counters")
"""Builtins that give the units of the side they are asked of."""

Mine = Mapping[str, bool]
"""Of each name, whether it is the acting side, its thing or a set of its things."""


@dataclass(slots=True)
class Owners:
    """What is foreign to the side that takes one action."""

    book: c.Book
    depends: Depends
    boxes: SecretBoxes
    secret: frozenset[str]
    action: c.Action
    known: dict[tuple[str, tuple[bool, ...]], set[str]] = field(default_factory=dict)

    def of(self, top: c.Expr) -> set[str]:
        """The secrets of others that an expression of the action looks at."""
        return self._foreign(top, {"actor": True, **{p.name: True for p in self.action.params}})

    def _foreign(self, e: c.Expr, mine: Mine) -> set[str]:
        if not self._all((e,)):
            return set()
        found: set[str] = set()
        if isinstance(e, c.Loop) and e.inner is not None:
            base, var = e.args[0], str(getattr(e, "var", "it"))
            found |= self._foreign(base, mine)
            return found | self._foreign(e.inner, {**mine, var: self._mine(base, mine)})
        if isinstance(e, c.Call) and e.name in self.book.definitions:
            flags = tuple(self._mine(x, mine) for x in e.asked)
            found |= self._asked(e.name, flags)
        elif isinstance(e, c.OfRoute | c.OfMatching | c.Grown | c.OfQuota):
            return self._all((e,))
        elif isinstance(e, c.MarkOf) and column_of(e) in self.secret:
            found |= set() if self._own_mark(e, mine) else {column_of(e)}
        elif (box := self.boxes.named_by(e)) is not None and not self._own_box(e, mine):
            found.add(f"box {box}")
        for inner in e.args:
            found |= self._foreign(inner, mine)
        return found

    def _asked(self, name: str, flags: tuple[bool, ...]) -> set[str]:
        """What a definition looks at, by which of its arguments are the side's own."""
        key = (name, flags)
        if key not in self.known:
            self.known[key] = set()  # a circle adds nothing
            d = self.book.definitions[name]
            mine = dict(zip((p.name for p in d.params), flags, strict=False))
            self.known[key] = {x for e in definition_exprs(d) for x in self._foreign(e, mine)}
        return self.known[key]

    def _all(self, exprs: Iterable[c.Expr]) -> set[str]:
        exprs = tuple(exprs)
        return (self.depends.of(exprs) & self.secret) | {f"box {name}" for name in self.boxes.of(exprs)}

    def _mine(self, e: c.Expr, mine: Mine) -> bool:
        """Whether a value is the acting side, its thing, or a set of its things."""
        if isinstance(e, c.Local):
            return mine.get(e.name, False)
        if isinstance(e, c.Filter):
            return self._mine(e.base, mine)
        if isinstance(e, c.BuiltinCall) and e.name in OWNED:
            return bool(e.asked) and self._mine(e.asked[0], mine)
        if isinstance(e, c.Call) and e.name in self.book.definitions:
            d = self.book.definitions[e.name]
            body = list(definition_exprs(d))
            inner = {p.name: self._mine(x, mine) for p, x in zip(d.params, e.asked, strict=False)}
            return len(body) == 1 and not isinstance(body[0], c.Call) and self._mine(body[0], inner)
        return c.alike(e, self.action.by)

    def _own_mark(self, e: c.MarkOf, mine: Mine) -> bool:
        if e.of is not None:
            return self._mine(e.of, mine)
        to = self.book.marks[e.key].secret_to
        return to is not None and c.alike(to, self.action.by)

    def _own_box(self, e: c.Expr, mine: Mine) -> bool:
        return isinstance(e, c.BoxOf) and len(e.asked) == 1 and self._mine(e.asked[0], mine)
