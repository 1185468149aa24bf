"""Which secrets an expression looks at that are not the own of the side that chooses.

In:  an expression that decides what a side may choose, what everything reads, and the secrets of the book.
Out: the secrets that another side may keep from it.

A mark is the side's own where it is read of the side itself or of its own units, or where it is secret to that side; a
box where its key is the side; a memory where what it was made from is; a quota where one of its keys is. Definitions
are followed with what they are asked of, so `planned(phasing)` is no secret to `phasing`.
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
    """What is foreign to the side `by` that makes one choice; `mine` are names for what is its own."""

    book: c.Book
    depends: Depends
    boxes: SecretBoxes
    secret: frozenset[str]
    by: c.Expr
    mine: Mine
    known: dict[tuple[str, tuple[bool, ...]], set[str]] = field(default_factory=dict)

    def of(self, top: c.Expr) -> set[str]:
        """The secrets of others that an expression looks at."""
        return self._foreign(top, self.mine)

    def spent(self, quota: str, keys: Iterable[c.Expr]) -> set[str]:
        """The same of a quota by these keys."""
        key = f"spent_{quota}"
        return {key} & self.secret if not any(self._mine(x, self.mine) for x in keys) else set()

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
        elif isinstance(e, c.Remembered):
            flags = tuple(self._mine(x, mine) for x in e.asked)
            found |= {f"past_{e.name}"} & self.secret if self._remembered(e.name, flags) else set()
        elif isinstance(e, c.QuotaLeft | c.QuotaSpent) and any(self._mine(x, mine) for x in e.args):
            found |= self._limit(e.name, tuple(self._mine(x, mine) for x in e.args))
        elif isinstance(e, c.OfRoute | c.OfMatching | c.Grown | c.OfQuota):
            return self._all((e,))
        elif isinstance(e, c.Bound) and not c.alike(e, self.by):
            found |= {f"bind_{e.name}"} & self.secret
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

    def _limit(self, name: str, flags: tuple[bool, ...]) -> set[str]:
        """What the limit of a quota looks at, by which of its keys are the side's own."""
        d = self.book.quotas[name].definition
        mine = dict(zip((p.name for p in d.params), flags, strict=False))
        return {x for e in definition_exprs(d) for x in self._foreign(e, mine)}

    def _remembered(self, name: str, flags: tuple[bool, ...]) -> set[str]:
        """The secrets of others that a memory was made from."""
        roams = any(self.boxes.roams(name) for _ in self.boxes.secret)
        return {name} if roams or name not in self.book.definitions else self._asked(name, flags)

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
        if isinstance(e, c.BuiltinCall) and e.name == "units_at":
            return self._own_box(e.asked[0], mine)
        if isinstance(e, c.Call) and e.name in self.book.definitions:
            d = self.book.definitions[e.name]
            body = list(definition_exprs(d))
            inner = {p.name: self._mine(x, mine) for p, x in zip(d.params, e.asked, strict=False)}
            return len(body) == 1 and not isinstance(body[0], c.Call) and self._mine(body[0], inner)
        return c.alike(e, self.by)

    def _own_mark(self, e: c.MarkOf, mine: Mine) -> bool:
        to = self.book.marks[e.key].secret_to
        if e.of is not None and to is not None and any(isinstance(x, c.Local) for x in to.walk()):
            return self._mine(e.of, mine)
        return to is not None and c.alike(to, self.by)

    def _own_box(self, e: c.Expr, mine: Mine) -> bool:
        return isinstance(e, c.BoxOf) and len(e.asked) == 1 and self._mine(e.asked[0], mine)


def own_names(owners: Owners, params: Iterable[c.Param]) -> dict[str, bool]:
    """Of the parameters of an action, whether each is the acting side's own, each by those before it."""
    found = dict(owners.mine)
    for p in params:
        found[p.name] = p.domain is not None and owners._mine(p.domain, found)
    return found
