"""What of veiled things an expression looks at that the side which chooses may not see.

In:  an expression that decides what a side may choose, whose choice it is, and the veils of the book.
Out: the columns of veiled marks that it reads where they may be another's, and `unit` where it makes a number of units
     of another side.

A veiled mark is its own where the same condition asks whose it is (`h.dump_side = actor`), or whether it is veiled
(`not beneath(h, actor)`), and not of a side that is surely another. Units are another's where they are taken from an
enemy's, or chosen by their side (`other(actor)`, `it.side != actor`). Whether there is any unit is not followed: what
lies open decides that in a book whose veils leave one of a stack to be seen.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from ..core import nodes as c
from ..core.shown import of_units, veil_keys
from ..core.walk import rule_exprs
from .dependencies import column_of

UNIT = "unit"
OWNED = ("units", "counters")
"""Builtins that give the units of the side they are asked of."""

Known: TypeAlias = frozenset[str]
"""Names that are the choosing side, its units or sets of them."""
Seen: TypeAlias = tuple[c.Expr, ...]
"""Places whose veiled marks are known to be its own, or to lie open."""


@dataclass(slots=True)
class Sight:
    """What is not to be seen by the side `by`."""

    book: c.Book
    by: c.Expr
    veils: Mapping[str, tuple[str, ...]] = field(init=False)
    told: frozenset[str] = field(init=False)
    known: dict[tuple[Any, ...], frozenset[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.veils = veil_keys(self.book)
        self.told = frozenset(name for names in self.veils.values() for name in names)

    def of(self, e: c.Expr, own: Known, seen: Seen = ()) -> frozenset[str]:
        """What an expression looks at beyond the side's sight."""
        match e:
            case c.MarkOf(of=c.Operator() as place) if column_of(e) in self.veils:
                hidden = not any(c.alike(place, x) for x in seen)
                return self.of(place, own, seen) | ({column_of(e)} if hidden else set())
            case c.Equal(left=c.MarkOf(of=c.Operator() as place), right=side) if self.owner(e, own) is not None:
                return self.of(place, own, seen) | self.of(side, own, seen)
            case c.And():
                parts = list(conjuncts(e))
                seen = (*seen, *(x for part in parts if (x := self.owner(part, own)) is not None))
                return self.all(parts, own, seen)
            case c.Choose(test=test, then=then, otherwise=otherwise):
                held = (*seen, *self.owners(test, own))
                return self.of(test, own, seen) | self.of(then, own, held) | self.of(otherwise, own, seen)
            case c.Loop():
                return self.looped(e, own, seen)
            case c.Call(name=name) if name in self.book.definitions:
                return self.all(e.args, own, seen) | self.asked(e, "define", own, seen)
            case c.OfRoute():
                return self.all(e.args, own, seen) | self.asked(e, "route", own, seen)
            case c.OfMatching():
                return self.all(e.args, own, seen) | self.asked(e, "matching", own, seen)
            case c.Grown():
                return self.all(e.args, own, seen) | self.asked(e, "grow", own, seen)
            case _:
                return self.all(e.args, own, seen)

    def all(self, exprs: Iterable[c.Expr], own: Known, seen: Seen) -> frozenset[str]:
        return frozenset[str]().union(*(self.of(x, own, seen) for x in exprs))

    def looped(self, e: c.Loop, own: Known, seen: Seen) -> frozenset[str]:
        """A loop: of its members that is own or seen which the base chose so."""
        found, base = self.of(e.base, own, seen), e.base
        mine = self.mine(base, own)
        own = own | {e.var} if mine else own - {e.var, foe(e.var)}
        while isinstance(base, c.Filter):
            chosen = [x for x in self.owners(base.test, own) if isinstance(x, c.Local) and x.name == base.var]
            seen = (*seen, *(c.Local(e.var, type=x.type, span=x.span) for x in chosen))
            base = base.base
        if isinstance(e, c.CountOf | c.Folded) and of_units(e.base.type) and e.type.plain.name == "number":
            tested = e.inner is not None and isinstance(e, c.CountOf) and self.foreign(e.inner, e.var, own)
            found |= {UNIT} if tested or self.theirs(e.base, own) else set()
        return found | (self.of(e.inner, own, seen) if e.inner is not None else set())

    def asked(self, e: c.Named, sort: str, own: Known, seen: Seen) -> frozenset[str]:
        """What a declaration looks at, by which of its arguments are the side's own or seen."""
        name, given = e.name, e.asked
        if name in self.told:
            return frozenset()
        flags = tuple((self.mine(x, own), self.theirs(x, own)) for x in given)
        places = tuple(any(c.alike(x, y) for y in seen) for x in given)
        key = (sort, name, flags, places)
        if key not in self.known:
            self.known[key] = frozenset()  # a circle adds nothing
            params, clauses = self.declared(sort, name)
            inner = frozenset(p.name for p, (mine, _) in zip(params, flags, strict=False) if mine)
            inner |= {foe(p.name) for p, (_, theirs) in zip(params, flags, strict=False) if theirs}
            inner |= self.members(name, inner) if sort == "matching" else set()
            here = tuple(
                c.Local(p.name, type=p.type, span=e.span) for p, flag in zip(params, places, strict=False) if flag
            )
            found = frozenset[str]()
            for value, guard in clauses:
                held = (*here, *(self.owners(guard, inner) if guard is not None else ()))
                found |= self.of(value, inner, held) | (self.of(guard, inner, here) if guard is not None else set())
            self.known[key] = found
        return self.known[key]

    def declared(self, sort: str, name: str) -> tuple[tuple[c.Param, ...], list[tuple[c.Expr, c.Expr | None]]]:
        """The parameters of a declaration, and its values with their conditions."""
        match sort:
            case "define":
                d = self.book.definitions[name]
                layers = list(d.layers())
                pairs = [(x.value, x.guard) for layer in layers for x in layer.clauses]
                return d.params, pairs + [(value, None) for layer in layers for _, value in layer.lets]
            case "route":
                r = self.book.routes[name]
                exprs = [y for rule in r.rules for y in rule_exprs(rule)] + [y for leg in r.legs for y in leg.args]
                facets = [self.declared("define", x)[1] for x in r.facets.values() if x in self.book.definitions]
                return r.params, [(x, None) for x in exprs] + [pair for pairs in facets for pair in pairs]
            case "matching":
                m = self.book.matchings[name]
                exprs = [m.items, m.targets, *(y for rule in m.rules for y in rule_exprs(rule))]
                return m.params, [(x, None) for x in exprs]
            case _:
                g = self.book.grows[name]
                return g.params, [(g.domain, None), (g.test, None)]

    def members(self, name: str, own: Known) -> Known:
        """The names in a matching for what is matched, where that is the side's own."""
        m = self.book.matchings[name]
        return frozenset((m.item, "assigned")) if self.mine(m.items, own) else frozenset()

    # ------------------------------------------------------------ whose it is

    def mine(self, e: c.Expr, own: Known) -> bool:
        """Whether a value is the choosing side, its unit, or a set of its units."""
        match e:
            case c.Local(name):
                return name in own
            case c.Filter(base, test, var):
                return self.mine(base, own) or self.sided(test, var, own)
            case c.BuiltinCall(name=name) if name in OWNED:
                return self.mine(e.asked[0], own)
            case c.FieldOf(of=unit, key=(_, "side")) | c.MarkOf(of=c.Operator() as unit, name="side"):
                return self.mine(unit, own)
            case c.Without(left=left):
                return self.mine(left, own)
            case c.FirstOf(tiers):
                return all(self.mine(x, own) for x in tiers)
            case c.Union(left=left, right=right):
                return self.mine(left, own) and self.mine(right, own)
            case c.SetOf():
                return all(self.mine(x, own) for x in e.args)
            case c.Call(name=name) if name in self.book.definitions and of_units(e.type):
                d = self.book.definitions[name]
                inner = frozenset(p.name for p, x in zip(d.params, e.asked, strict=False) if self.mine(x, own))
                values = [x.value for layer in d.layers() for x in layer.clauses]
                return bool(inner) and all(self.mine(x, inner) for x in values)
            case _:
                return c.alike(e, self.by)

    def theirs(self, e: c.Expr, own: Known) -> bool:
        """Whether a value is surely another side, or a set of its units."""
        match e:
            case c.Local(name):
                return foe(name) in own
            case c.Other(value):
                return self.mine(value, own)
            case c.Filter(base, test, var):
                return self.theirs(base, own) or self.foreign(test, var, own)
            case c.BuiltinCall(name=name) if name in OWNED:
                return self.theirs(e.asked[0], own)
            case c.Call(name=name) if name in self.book.definitions and self.sidely(e):
                d = self.book.definitions[name]
                inner = frozenset(p.name for p, x in zip(d.params, e.asked, strict=False) if self.mine(x, own))
                inner |= {foe(p.name) for p, x in zip(d.params, e.asked, strict=False) if self.theirs(x, own)}
                values = [x.value for layer in d.layers() for x in layer.clauses]
                return bool(inner) and all(self.theirs(x, inner) for x in values)
            case _:
                return False

    def sidely(self, e: c.Expr) -> bool:
        return of_units(e.type) or e.type.plain.name == "side"

    def foreign(self, test: c.Expr, var: str, own: Known) -> bool:
        """Whether a test lets no unit of the choosing side pass."""
        for part in conjuncts(test):
            match part:
                case (
                    c.Unequal(left=c.FieldOf(of=c.Local(name), key=(_, "side")), right=whose)
                    | c.Unequal(left=c.MarkOf(of=c.Local(name), name="side"), right=whose)
                ) if name == var and self.mine(whose, own):
                    return True
                case (
                    c.Equal(left=c.FieldOf(of=c.Local(name), key=(_, "side")), right=whose)
                    | c.Equal(left=c.MarkOf(of=c.Local(name), name="side"), right=whose)
                ) if name == var and self.theirs(whose, own):
                    return True
        return False

    def sided(self, test: c.Expr, var: str, own: Known) -> bool:
        """Whether a test lets only units of the choosing side pass."""
        for part in conjuncts(test):
            match part:
                case (
                    c.Equal(left=c.FieldOf(of=c.Local(name), key=(_, "side")), right=whose)
                    | c.Equal(left=c.MarkOf(of=c.Local(name), name="side"), right=whose)
                ) if name == var and self.mine(whose, own):
                    return True
        return False

    def owner(self, e: c.Expr, own: Known) -> c.Expr | None:
        """The place of which a condition says that what is veiled there is the side's own, or lies open."""
        match e:
            case c.Equal(left=c.MarkOf(of=c.Operator() as place) as mark, right=side):
                whose = column_of(mark) in self.veils and side.type.plain.name == "side"
                return place if whose and not self.theirs(side, own) else None
            case c.Not(c.Call() as asked) if asked.name in self.told:
                place, side = asked.asked
                return None if self.theirs(side, own) else place
            case _:
                return None

    def owners(self, test: c.Expr, own: Known) -> Seen:
        return tuple(x for part in conjuncts(test) if (x := self.owner(part, own)) is not None)


def foe(name: str) -> str:
    """How a name stands among the known ones that is another side's."""
    return f"not {name}"


def conjuncts(e: c.Expr) -> Iterator[c.Expr]:
    """The conditions that must all hold."""
    if isinstance(e, c.And):
        for x in e.args:
            yield from conjuncts(x)
    else:
        yield e
