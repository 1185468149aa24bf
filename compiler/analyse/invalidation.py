"""Which keys of a memory a change invalidates, and whose marks it can end.

In:  a memory kept `always` or `ever`, or a mark with a condition for its end, and the dependencies.
Out: for each column that it reads, which keys a change of that column invalidates; the sets that keys are looked up
     in; and what its keys are taken from.

How a column is read (column_reads.py) says which keys of a memory about places or units a change of it invalidates:
with `place` and `unit` those that changed, with `where` the places of the units that changed, with `set` those that
such a set gained or lost, else every key.

A memory whose value would change although nothing it reads has changed (`keep + 1`), and one that reads itself, are
recomputed for all keys.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ..core import nodes as c
from ..core.walk import layer_exprs, waiver_exprs
from .column_reads import KEY, OPAQUE, Known, Look, Names
from .dependencies import Depends, column_name
from .inline import plain_value

EVERY = {"hexes", "points"}


@dataclass(frozen=True, slots=True)
class Near:
    """How the keys of a memory are narrowed: by its parameter `at`, in the ways of `by`.

    The keys are those members of `base`, or of all there are, for which each of the tests holds; each test has a name
    for the member.
    """

    at: int
    by: Mapping[str, str]
    sets: tuple[c.Expr, ...]
    base: c.Expr | None
    tests: tuple[tuple[str, c.Expr], ...]


def near(depends: Depends, memory: c.Memory) -> Near | None:
    """How a memory is narrowed; none where every change may touch every key."""
    d = memory.definition
    at = next((i for i, p in enumerate(d.params) if p.type.plain.name in ("place", "unit") and not p.type.many), None)
    reads = depends.named("define", d.name)
    if at is None or f"past_{d.name}" in reads or not (memory.how == "ever" or settled(d)):
        return None
    look = Domain(depends, d.params[at].type.plain.name)
    names: dict[str, Known] = {p.name: KEY if i == at else OPAQUE for i, p in enumerate(d.params)}
    look.definition(d, names)
    for i, p in enumerate(d.params):
        if p.domain is not None and i != at:
            look.at(p.domain, names)
    base, tests = look.domain(d.params[at].domain, names)
    by = {column: look.by.get(column, "any") for column in sorted(reads)}
    return Near(at, by, tuple(look.sets), base, tests) if {*by.values()} - {"any"} else None


def settled(d: c.Definition) -> bool:
    """Whether the value stays as it is when it is worked out again with nothing changed but what was kept.

    From the first clause that asks what was kept, all clauses give that, or else one and the same value.
    """
    base = d.base
    others = [e for layer in d.layers() if layer is not base for e in layer_exprs(layer)]
    others += [e for w in base.waivers for e in waiver_exprs(w)] + [value for _, value in base.lets]
    if d.gathered or any(asks_kept(e) for e in others):
        return False
    if any(asks_kept(x.value) and not isinstance(x.value, c.Keep) for x in base.clauses):
        return False
    first = next((i for i, x in enumerate(base.clauses) if x.guard is not None and asks_kept(x.guard)), None)
    return first is None or sum(not isinstance(x.value, c.Keep) for x in base.clauses[first:]) <= 1


def asks_kept(e: c.Expr) -> bool:
    return any(isinstance(x, c.Keep | c.Usual) for x in e.walk())


class Domain(Look):
    """Also notes what tells whether something is a key."""

    def domain(self, e: c.Expr | None, names: Names) -> tuple[c.Expr | None, tuple[tuple[str, c.Expr], ...]]:
        """What the keys are taken from, and the tests that leave some out; notes what these read."""
        if e is None or (isinstance(e, c.BuiltinCall) and e.name in EVERY):
            return None, ()
        if not self.depends.of([e]):
            return e, ()
        if isinstance(e, c.Filter):
            self.at(e.test, {**names, e.var: KEY})
            base, tests = self.domain(e.base, names)
            return base, (*tests, (e.var, e.test))
        if isinstance(e, c.Call) and not e.asked:
            value = plain_value(self.depends.book.definitions[e.name])
            if value is not None:
                return self.domain(value, {})
        if not self.looked_for(e, names):
            self.at(e, names)
        return e, ()


def narrowed(depends: Depends) -> Iterator[tuple[str, Near]]:
    """The memories of a book that are narrowed."""
    for memory in depends.book.memories.values():
        found = near(depends, memory) if memory.how in ("always", "ever") else None
        if found is not None:
            yield memory.name, found


def lifetime(depends: Depends, owner: str, mark: c.Mark) -> dict[str, str]:
    """By column, how the owners of a mark are found whose time may be up when it changes."""
    assert mark.until_test is not None
    own, known = column_name(owner, mark.name), owner in ("unit", "place")
    look = Look(depends, owner if known else "unit", depends.looks)
    look.at(mark.until_test, {"it": KEY})
    look.note(own, owner)
    return {column: how if known else "any" for column, how in look.by.items()}
