"""Dependencies: which columns of the state everything reads.

In:  the book in the core.
Out: for each definition, route, matching and memory the columns of the state that it reads, directly or
     through others; and whether an expression is fixed for the whole game.
Reports: RW304 definitions that ask one another in a circle.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from functools import partial
from typing import Any, TypeAlias, assert_never

from rulewright.dsl.diagnostics import Reporter

from ..cache.incremental import Memory
from ..core import nodes as c
from ..core.builtins import BUILTINS
from ..core.maps import several
from ..core.shown import veil_keys
from ..core.types import UNIT, Type
from ..core.walk import definition_exprs, rule_exprs

Asking: TypeAlias = c.Call | c.OfQuota | c.OfRoute | c.OfMatching | c.Grown
"""Operators that ask for something declared, which reads columns of its own."""
ASKING = (c.Call, c.OfQuota, c.OfRoute, c.OfMatching, c.Grown)
"""The same for `isinstance`, which is faster with a tuple."""

Asked = c.Definition | c.Route | c.Matching | c.Grow


def asked_by(e: Asking) -> tuple[str, str]:
    """What an operator asks for: its sort and its name."""
    match e:
        case c.Call() | c.OfQuota():
            return "define", e.name
        case c.OfRoute():
            return "route", e.name
        case c.OfMatching():
            return "matching", e.name
        case c.Grown():
            return "grow", e.name
        case _:
            assert_never(e)


def column_name(owner: str, name: str) -> str:
    return f"{owner}_{name}"


def column_of(e: c.MarkOf) -> str:
    """The column that a mark is read from."""
    return column_name(*e.key)


def put_columns(book: c.Book) -> set[str]:
    """The columns that a `put` may change: where units are and, where there are pools, all that is said of units.

    A counter that goes back into a pool loses its marks, and whatever names it is cleared.
    """
    columns = {"at"}
    if any(box.sort == "pool" for box in book.boxes.values()):
        marks = {column_name(*key) for key, m in book.marks.items() if UNIT in (m.owner, *held(m.type))}
        memories = {f"past_{m.name}" for m in book.memories.values() if of_units(m.definition)}
        columns |= marks | memories | {f"spent_{q}" for q in book.quotas if of_units(book.definitions[q])}
    return columns


def of_units(d: c.Definition) -> bool:
    """Whether something is told of units, or gives units."""
    return UNIT in (*(p.type.plain for p in d.params), *held(d.type))


def held(type: Type) -> tuple[Type, ...]:
    """What a value is, or what its members are."""
    return (type.plain if type.of is None else type.of.plain,)


BY_MAP = frozenset(("hexes", "points", "distance", "west_of", "north_of", "on_this_map", "twin"))
"""What differs from game to game where a book has several maps."""


class Depends:
    """What each declaration reads; built once per book."""

    def __init__(self, book: c.Book, memory: Memory | None = None) -> None:
        self.book = book
        self.pools = any(box.sort == "pool" for box in book.boxes.values())
        self.direct: dict[tuple[str, str], set[str]] = {}
        self.moved: set[tuple[str, str]] = set()
        self.calls: dict[tuple[str, str], set[tuple[str, str]]] = {}
        self.maps = several(book.map)
        room = (memory or Memory()).room("depends", (self.pools, self.maps))
        for sort, name, thing in self._all():
            self.direct[sort, name], self.calls[sort, name], moved = room.work((thing,), partial(self._one, thing))
            if moved:
                self.moved.add((sort, name))
        for name, route in book.routes.items():
            calls = {("define", d) for d in route.facets.values()} | {("route", leg.route) for leg in route.legs}
            self.calls["route", name] = self.calls["route", name] | calls
        self.closed = self._close()
        self.owners: dict[str, tuple[int, dict[str, str]] | None] = {}
        self.looks: dict[tuple[str, str, tuple[str, ...]], dict[str, str]] = {}

    def of(self, exprs: Iterable[c.Expr]) -> set[str]:
        """The columns that some expressions read."""
        reads: set[str] = set()
        calls: set[tuple[str, str]] = set()
        for e in exprs:
            self._look(e, reads, calls)
        for call in calls:
            reads |= self.closed.get(call, set())
        return reads

    def named(self, sort: str, name: str) -> set[str]:
        return self.closed.get((sort, name), set())

    def asked(self, sort: str, name: str) -> list[str]:
        """The definitions that a declaration asks, directly or through others."""
        seen, todo = {(sort, name)}, [(sort, name)]
        while todo:
            more = self.calls.get(todo.pop(), set()) - seen
            seen |= more
            todo += more
        return sorted(key for of, key in seen if of == "define" and key in self.book.definitions)

    def grows(self, sort: str, name: str) -> set[str]:
        """The least sets that a declaration asks for, directly or through others."""
        return self._grows(self.calls.get((sort, name), set()))

    def grows_of(self, exprs: Iterable[c.Expr]) -> set[str]:
        """The least sets that some expressions ask for."""
        calls: set[tuple[str, str]] = set()
        for e in exprs:
            self._look(e, set(), calls)
        return self._grows(calls)

    def _grows(self, calls: set[tuple[str, str]]) -> set[str]:
        found: set[str] = set()
        if not self.book.grows:
            return found
        seen, todo = set(calls), [*calls]
        while todo:
            sort, name = todo.pop()
            if sort == "grow":
                found.add(name)
            more = self.calls.get((sort, name), set()) - seen
            seen |= more
            todo += more
        return found

    def still(self, sort: str, name: str) -> bool:
        """Whether a declaration depends on printed values and the map alone, in every game."""
        if self.closed.get((sort, name), {""}):
            return False
        seen, todo = {(sort, name)}, [(sort, name)]
        while todo:
            key = todo.pop()
            if key in self.moved or key not in self.calls:
                return False
            todo += self.calls[key] - seen
            seen |= self.calls[key]
        return True

    def _look(self, top: c.Expr, reads: set[str], calls: set[tuple[str, str]]) -> bool:
        """Note what an expression reads and asks; says whether it may differ from game to game in other ways too."""
        moved = False
        for e in top.walk():
            moved |= self.look_at(e, reads, calls)
        return moved

    def look_at(self, e: c.Expr, reads: set[str], calls: set[tuple[str, str]]) -> bool:
        """The same of one operator, without what stands below it."""
        e = c.known(e)
        match e:
            case c.Const() | c.Local() | c.FieldOf() | c.Binary() | c.Not() | c.Member() | c.IsIn() | c.Loop():
                pass
            case c.Call() | c.QuotaCap() | c.OfRoute() | c.OfMatching() | c.Grown():
                calls.add(asked_by(e))
            case c.MarkOf():
                reads.add(column_of(e))
            case c.PlaceOf():
                reads.add("at")
            case c.BuiltinCall():
                found = BUILTINS.get(e.name)
                reads.update("unit_side" if r == "m_side" else r for r in (found.reads if found else ()))
                if e.name == "counters" and self.pools:
                    reads.add("at")
                return e.name == "winner" or (self.maps and e.name in BY_MAP)
            case c.Bound():
                reads.add(f"bind_{e.name}")
            case c.Remembered():
                reads.add(f"past_{e.name}")
            case c.QuotaLeft() | c.QuotaSpent():
                reads.add(f"spent_{e.name}")
                calls.add(asked_by(e))
            case c.InPhase():
                reads.add("phases")
            case c.Reading() | c.Suppose() | c.Usual() | c.Keep():
                return True
            case c.Within():
                return self.maps
            case c.Between() | c.Negative() | c.OnScale() | c.Shifted() | c.Rank() | c.Other():
                pass
            case c.TableCell() | c.RecordOf() | c.BoxOf() | c.SetOf() | c.ListOf() | c.Range() | c.FirstOf():
                pass
            case c.Choose() | c.Total():
                pass
            case _:
                assert_never(e)
        return False

    def _all(self) -> Iterator[tuple[str, str, Asked]]:
        yield from (("define", name, d) for name, d in self.book.definitions.items())
        yield from (("route", name, r) for name, r in self.book.routes.items())
        yield from (("matching", name, m) for name, m in self.book.matchings.items())
        yield from (("grow", name, g) for name, g in self.book.grows.items())

    def _one(self, thing: Asked) -> tuple[set[str], set[tuple[str, str]], bool]:
        """What one of them reads and asks itself, and whether it asks for what can differ from game to game."""
        reads: set[str] = set()
        calls: set[tuple[str, str]] = set()
        moved = False
        for e in asked_exprs(thing):
            moved |= self._look(e, reads, calls)
        moved |= self.maps and isinstance(thing, c.Route) and "from" not in thing.facets
        return reads, calls, moved

    def _close(self) -> dict[tuple[str, str], set[str]]:
        closed = {k: set(v) for k, v in self.direct.items()}
        changed = True
        while changed:
            changed = False
            for key, calls in self.calls.items():
                before = len(closed[key])
                for call in calls:
                    closed[key] |= closed.get(call, set())
                changed = changed or len(closed[key]) != before
        return closed


def asked_exprs(thing: Asked) -> list[c.Expr]:
    match thing:
        case c.Definition():
            return list(definition_exprs(thing))
        case c.Route():
            exprs = [x for rule in thing.rules for x in rule_exprs(rule)]
            exprs += [thing.over_test] if thing.over_test is not None else []
            return exprs + [a for leg in thing.legs for a in leg.args]
        case c.Matching():
            exprs = [thing.items, thing.targets, *(x for x in (thing.idle, thing.empty) if x is not None)]
            return exprs + [x for rule in thing.rules for x in rule_exprs(rule)]
        case c.Grow():
            return [thing.domain, thing.test]
        case _:
            assert_never(thing)


def hidden_memories(book: c.Book, depends: Depends) -> dict[str, tuple[str, ...]]:
    """The memories that depend on secret marks, each with those marks: what they tell is as secret."""
    secret = {column_name(owner, name) for (owner, name), m in book.marks.items() if m.secret_to is not None}
    rests = {name: depends.named("define", name) & secret for name in book.memories}
    return through_memories(rests, book, depends)


def veiled_memories(book: c.Book, depends: Depends) -> dict[str, tuple[str, ...]]:
    """The memories that depend on veiled marks of places, each with those marks."""
    veiled = {key for key in veil_keys(book) if key != "unit"}
    return through_memories({name: depends.named("define", name) & veiled for name in book.memories}, book, depends)


def through_memories(rests: Mapping[str, Set[str]], book: c.Book, depends: Depends) -> dict[str, tuple[str, ...]]:
    """What each memory reveals, with what the memories that it reads reveal; those that reveal nothing are left out."""
    found = dict(rests)
    for _ in found:
        for name in found:
            for other in book.memories:
                if f"past_{other}" in depends.named("define", name):
                    found[name] = found[name] | found[other]
    return {name: tuple(sorted(x)) for name, x in found.items() if x}


def check_circles(book: c.Book, depends: Depends, report: Reporter) -> None:
    """Definitions may not ask one another in a circle, except through a `grow`."""
    state: dict[tuple[str, str], int] = {}
    names: dict[str, Any] = {"define": book.definitions, "route": book.routes, "matching": book.matchings}

    def visit(key: tuple[str, str], trail: list[tuple[str, str]]) -> None:
        if key[0] == "grow" or state.get(key) == 2:
            return
        if state.get(key) == 1:
            circle = [*trail[trail.index(key) :], key]
            thing = names[key[0]].get(key[1])
            if thing is None:
                return
            span = thing.base.span if isinstance(thing, c.Definition) else thing.span
            report.error(
                "RW304",
                span,
                "these ask one another in a circle: " + " → ".join(k[1] for k in circle),
                help="write the set that grows as: grow NAME(…) -> set of … from …: …, or remember one of them",
                case=thing.case,
            )
            return
        state[key] = 1
        for call in sorted(depends.calls.get(key, ())):
            visit(call, [*trail, key])
        state[key] = 2

    for key in sorted(depends.calls):
        if state.get(key) is None:
            visit(key, [])
