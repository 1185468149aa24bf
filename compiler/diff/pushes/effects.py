"""Follow a push on a definition, a route or a quota to what is legal.

In:  names with the direction in which each is pushed (+1 more, longer, more often; -1 less), and the book.
Out: the actions and duties that are reached, each with the directions in which its legality moves; None where the form
     does not tell.

Nothing is told where a name is used in a place that this module does not know: the uses that are followed are counted
against all uses in the book. `usual`, `keep` and the factors of a gathered number turn a push round where they stand
behind a minus or may be negative; such definitions have no direction.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from ...analyse.bounds import bounds
from ...core import nodes as c
from ...core.walk import declared, layer_values, rule_exprs, top_exprs, waiver_exprs
from ..dependents import name_asked
from ..once import once_a_book
from .polarity import uses

COSTS = ("enter", "leave", "cross")
UNDIRECTED = (c.QuotaSpent, c.ShortestPaths, c.PathCost, c.BlockedItems, c.UncoveredTargets)
"""Questions about something whose answer has no known direction when that something is pushed."""
MOST = 60

Wanted = Callable[[c.Expr], bool]
Name = tuple[str, str]
Push = tuple[str, str, int]
Legal = tuple[str, str, int]
"""An action or duty, by sort and name, and the direction in which it becomes legal or is met."""


def effects(pushes: Iterable[Push], book: c.Book) -> frozenset[Legal] | None:
    """What becomes legal more or less often; None where that is unknown, or where nothing legal is reached."""
    found: set[Legal] = set()
    todo = list(pushes)
    seen: set[Push] = set()
    while todo:
        at = todo.pop()
        if at in seen:
            continue
        seen.add(at)
        sort, name, sign = at
        if sign == 0 or len(seen) > MOST:
            return None
        definition = book.definitions.get(name) if sort == "define" else None
        if definition is not None and not straight(definition, book):
            return None
        if sort in ("action", "duty"):
            found.add((sort, name, sign))
            continue
        if name in book.quotas:
            found |= {("action", a.name, sign) for a in book.actions.values() if any(q == name for q, _, _ in a.spends)}
        for (kind, user), way in users(sort, name, book):
            todo.append((kind, user, sign * way))
    return frozenset(found) or None


def of_rule(name: str, sort: str, sign: int, book: c.Book) -> list[Push]:
    """A push on a route or matching; a route that is like it has its rules too."""
    target = book.routes.get(name)
    if sort != "route" or target is None:
        return [(sort, name, sign)]
    mine = {rule.id for rule in target.rules}
    kin = [r.name for r in book.routes.values() if r.name == name or mine & {rule.id for rule in r.rules}]
    return [("route", x, sign) for x in kin]


def users(sort: str, name: str, book: c.Book) -> Iterator[tuple[Name, int]]:
    """What uses something, with the direction in which it follows; 0 for a use that has none."""
    known = asked_in(book)

    def wanted(e: c.Expr) -> bool:
        return name_asked(e) == (sort, name) and not isinstance(e, UNDIRECTED)

    followed = 0
    for place in known.places.get((sort, name), ()):
        yield from ((place.user, way) for way in place.ways(wanted, book))
        followed += count(place.exprs, wanted)
    for r in book.routes.values():
        for facet, own in r.facets.items():
            if sort == "define" and own == name:
                yield ("route", r.name), 1 if facet == "budget" else -1 if facet in COSTS else 0
        if sort == "route" and any(leg.route == name for leg in r.legs):
            yield ("route", r.name), 0
    if followed != known.total[sort, name] or (sort, name) in known.undirected:
        yield ("action", ""), 0


@dataclass(frozen=True, slots=True)
class Place:
    """Expressions of one declaration whose part in what it decides is known."""

    user: Name
    exprs: tuple[c.Expr, ...]
    part: tuple[c.Definition, c.Layer] | tuple[c.Rule, ...] | None

    def ways(self, wanted: Wanted, book: c.Book) -> Iterator[int]:
        match self.part:
            case (c.Definition() as d, c.Layer() as layer):
                return layer_uses(d, layer, wanted, book)
            case None:
                return (way for e in self.exprs for way in uses(e, wanted))
            case rules:
                return rule_uses((x for x in rules if isinstance(x, c.Rule)), wanted)


@dataclass(slots=True)
class Asked:
    """All that a book asks for: how often, where in a way that is understood, and what without a direction."""

    places: defaultdict[Name, list[Place]]
    total: Counter[Name]
    undirected: set[Name]


@once_a_book
def asked_in(book: c.Book) -> Asked:
    """The index of one book, made once."""
    made = Asked(defaultdict(list), Counter(), set())
    for x in declared(book):
        for e in (y for top in top_exprs(x) for y in top.walk()) if not isinstance(x, c.Invariant) else ():
            name = name_asked(e)
            if name is not None and isinstance(e, UNDIRECTED):
                made.undirected.add(name)
            elif name is not None:
                made.total[name] += 1
    for place in places(book):
        for name in {name_asked(x) for e in place.exprs for x in e.walk()}:
            if name is not None:
                made.places[name].append(place)
    return made


def places(book: c.Book) -> Iterator[Place]:
    """Where an expression decides what is legal in a way that is understood."""
    for d in book.definitions.values():
        for layer in d.layers():
            own = (*layer_values(layer), *(e for w in layer.waivers for e in waiver_exprs(w)))
            yield Place(("define", d.name), own, (d, layer))
        caps = tuple(x for stage in d.stages for x in (stage.most, stage.least) if x is not None)
        yield Place(("define", d.name), caps, None)
    ruled: list[c.Route | c.Matching | c.Action] = [*book.routes.values(), *book.matchings.values()]
    for x in (*ruled, *book.actions.values()):
        kind = "route" if isinstance(x, c.Route) else "matching" if isinstance(x, c.Matching) else "action"
        if x.rules:
            yield Place((kind, x.name), tuple(e for rule in x.rules for e in rule_exprs(rule)), x.rules)
    for a in book.actions.values():
        taken = tuple(y for p in a.params if p.domain is not None for y in filtered(p.domain))
        yield Place(("action", a.name), taken, None)
    for duty in book.duties.values():
        yield Place(("duty", duty.name), (duty.test,), None)


def filtered(e: c.Expr) -> Iterator[c.Expr]:
    """What an argument is taken from, and what it must meet: here every path counts, listed or not."""
    while isinstance(e, c.Filter):
        yield e.test
        e = e.base
    yield e


def count(exprs: Iterable[c.Expr], wanted: Wanted) -> int:
    return sum(wanted(x) for top in exprs for x in top.walk())


# ---------------------------------------------------------------- definitions


def layer_uses(d: c.Definition, layer: c.Layer, wanted: Wanted, book: c.Book) -> Iterator[int]:
    """The directions in which a definition follows what one of its layers uses."""
    for clause in layer.clauses:
        factor = clause.operation == "times"
        yield from (0 if factor and not at_least_nought(d, book) else way for way in uses(clause.value, wanted))
        if clause.guard is not None:
            yield from (way if plain(d, clause) else 0 for way in uses(clause.guard, wanted))
    for _, value in layer.lets:
        yield from (0 for _ in uses(value, wanted))
    for e in (e for w in layer.waivers for e in waiver_exprs(w)):
        yield from (0 for _ in uses(e, wanted))


def plain(d: c.Definition, clause: c.Clause) -> bool:
    """Whether a flag is true more often when the guard of a clause holds more often."""
    return d.type.name == "flag" and isinstance(clause.value, c.Const) and clause.value.value is True


def straight(d: c.Definition, book: c.Book) -> bool:
    """Whether a push on any layer of a definition is a push on its value in the same direction."""

    def layered(e: c.Expr) -> bool:
        return isinstance(e, c.Usual | c.Keep)

    ways = {way for layer in d.layers() for way in layer_uses(d, layer, layered, book)}
    factors = [x for layer in d.layers() for x in layer.clauses if x.operation == "times"]
    return ways <= {1} and all(nought_or_more(book, x.value) for x in factors)


def at_least_nought(d: c.Definition, book: c.Book) -> bool:
    """Whether what the factors of a gathered number multiply is surely not negative, and each factor counts."""
    if any(stage.once for stage in d.stages):
        return False
    return all(nought_or_more(book, x.value) for layer in d.layers() for x in layer.clauses)


def nought_or_more(book: c.Book, e: c.Expr) -> bool:
    found = bounds(book, e)
    return found is not None and found.low >= 0


# ---------------------------------------------------------------- rules


def rule_uses(found: Iterable[c.Rule], wanted: Wanted) -> Iterator[int]:
    """The directions in which legality follows what prohibitions and requirements use."""
    for r in found:
        ban = r.sort in ("forbid", "stop")
        yield from (way * (-1 if ban else 1) for way in uses(r.test, wanted))
        if r.guard is not None:
            yield from (-way for way in uses(r.guard, wanted))
        for w in r.waivers:
            if w.guard is not None:
                yield from (way if not w.waivers else 0 for way in uses(w.guard, wanted))
            yield from (0 for inner in w.waivers for e in waiver_exprs(inner) for _ in uses(e, wanted))
