"""Build the loops of a search.

In:  what a search is made of (parts.py).
Out: the body of its function.

A place has two costs, since a stop rule may end a path on entry: `cost` and `last` hold the cheapest way in, `free` and
`through` the cheapest way in after which the path may go on. Where stopping depends on the place alone and every step
costs something, the two are equal and one pair is emitted. Whether a goal is in reach needs neither, where the first
way into a place is the cheapest; with `counts` that result also says how much work it took, measured in places of a
search backwards: positive where a goal is in reach, negative where not. Integer prices use buckets by cost, others a
heap; ties go to the lower place. Places from which the budget does not pay for the cheapest step, beyond the `brink`,
are not expanded; where a place has one cost they are not even queued.
"""

from __future__ import annotations

from ..model.expressions import (
    FALSE,
    NONE,
    ONE,
    TRUE,
    ZERO,
    Attr,
    Call,
    Comp,
    Expr,
    Index,
    Lit,
    Loop,
    Lst,
    Name,
    Neg,
    Op,
    S,
    Star,
    Tup,
    all_of,
    any_of,
    compare,
    every,
    length,
    method,
    negated,
)
from ..model.statements import BREAK, CONTINUE, Assign, Do, For, If, Return, Stmt
from ..model.walk import exprs, walk
from ..naming import HELPERS
from .parts import HERE, THERE, Search
from .way import with_crossing

BEGIN, GOALS, REACH, SEEN, AHEAD = (Name(x) for x in ("begin", "goals", "reach", "seen", "ahead"))
COSTS, LAST, FREE, THROUGH, GONE, OLD = (Name(x) for x in ("costs", "last", "free", "through", "gone", "old"))
BUCKETS, BUCKET, ROOM, QUEUE = (Name(x) for x in ("buckets", "bucket", "room", "queue"))
COST, TOTAL, PRICE, LIMIT, BRINK, LEAP, AROUND, P, G = (
    Name(x) for x in ("cost", "total", "price", "limit", "brink", "leap", "around", "p", "g")
)
Body = list[Stmt]


def give(target: Expr, value: Expr) -> Assign:
    return Assign((target,), value)


def unless(test: Expr) -> If:
    """Go on with the next where something holds."""
    return If(test, (CONTINUE,))


def over_limit(s: Search, spent: Expr) -> Expr:
    """Whether a cost is more than the budget; a budget may be absent."""
    more = compare(spent, ">", LIMIT)
    return more if s.limited else all_of(compare(LIMIT, "is not", NONE), more)


def make_room() -> If:
    """A bucket for every cost up to the total."""
    fresh = Comp(Lst(()), (Loop(Name("_"), Call(Name("range"), (ROOM, Op("+", TOTAL, ONE)))),), "[]")
    return If(compare(TOTAL, ">=", ROOM), (Do(method(BUCKETS, "extend", fresh)), give(ROOM, Op("+", TOTAL, ONE))))


class Loops:
    """One search; its parts are statements in the order in which they are asked."""

    def __init__(self, s: Search) -> None:
        self.s = s
        self.bare = s.found and s.single and s.steady
        self.brink = s.single and s.limited and bool(s.cheapest)
        self.seen = SEEN if s.flood or self.bare else COSTS if s.single or s.stopping else FREE
        self.yes: Expr = TRUE
        if s.counts:
            count = length(self.seen)
            self.yes = Op("+", ONE, Op("//", count, Lit(8))) if self.bare else count
        self.nothing: Expr = (ZERO if s.counts else FALSE) if s.found else REACH

    def body(self) -> Body:
        """The whole search."""
        s = self.s
        body: Body = [give(BEGIN, every("set", Name("starts"))), Do(method(BEGIN, "discard", NONE))]
        if s.found:
            at_once = negated(method(BEGIN, "isdisjoint", GOALS))
            body.append(If(at_once, (Return(ONE if s.counts else TRUE),)))
        if not s.flood and not self.bare:
            body.append(give(REACH, Call(HELPERS["Reach"], (BEGIN, TRUE) if s.stopping and not s.single else (BEGIN,))))
        body.append(If(negated(BEGIN), (Return(self.nothing),)))
        rest: Body = [If(test, (Return(self.nothing),), (), at) for test, at in s.never]
        if s.jumps is not None:
            rest.append(give(LEAP, s.jumps))
        seen = SEEN if s.flood or self.bare else Attr(REACH, "cost")
        rest += [*self.rounds(), Do(Call(HELPERS["each"], (S, seen)))]
        rest.append(Return(Neg(self.yes) if s.counts else self.nothing))
        limit: Body = [give(LIMIT, s.budget)] if s.budget is not None else []
        return [*body, *limit, *taken_out(s, rest)]

    def rounds(self) -> Body:
        """The places in the order in which they are reached."""
        s = self.s
        if s.flood:
            return [
                give(SEEN, every("set", BEGIN)),
                give(AHEAD, Lst((Star(BEGIN),))),
                For(HERE, AHEAD, tuple(self.flood())),
            ]
        if self.bare and s.even:
            return [
                give(SEEN, every("set", BEGIN)),
                give(BUCKETS, Lst((Tup((ZERO, Lst((Star(BEGIN),)))),))),
                For(Tup((COST, BUCKET)), BUCKETS, tuple(self.level())),
            ]
        body: Body = []
        if self.bare:
            body.append(give(SEEN, every("set", BEGIN)))
        elif s.single:
            body.append(give(Tup((COSTS, LAST)), Tup((Attr(REACH, "cost"), Attr(REACH, "last")))))
            body += [] if s.steady else [give(Name("known"), Attr(COSTS, "get"))]
        elif s.stopping:
            fields = tuple(Attr(REACH, x) for x in ("cost", "last", "free", "through"))
            body.append(give(Tup((COSTS, LAST, FREE, THROUGH)), Tup(fields)))
        else:
            body.append(give(Tup((FREE, THROUGH)), Tup((Attr(REACH, "cost"), Attr(REACH, "last")))))
        if not s.steady and not s.single:
            body.append(give(GONE, Call(Name("set"))))
        return [*body, *(self.by_bucket() if s.whole else self.by_heap())]

    def by_bucket(self) -> Body:
        """Integer prices: a bucket for each cost."""
        s = self.s
        inner: Body = []
        brink: Body = [give(BRINK, Op("-", LIMIT, Lit(s.cheapest)))] if self.brink else []
        if self.brink:
            inner.append(If(compare(COST, ">", BRINK), (BREAK,)))
        elif s.budget is not None and s.cheapest:
            inner.append(If(over_limit(s, Op("+", COST, Lit(s.cheapest))), (BREAK,)))
        if not s.found:
            inner.append(If(all_of(GOALS, self.goal_behind()), (BREAK,)))
        places: Expr = BUCKET
        if not self.bare:
            places = every("sorted", BUCKET) if s.rising else Call(HELPERS["in_order"], (BUCKET,))
        inner.append(For(HERE, places, tuple(self.single() if s.single else self.expand())))
        return [
            *brink,
            give(Tup((BUCKETS, ROOM)), Tup((Lst((every("sorted", BEGIN),)), ONE))),
            For(Tup((COST, BUCKET)), every("enumerate", BUCKETS), tuple(inner)),
        ]

    def goal_behind(self) -> Expr:
        """Whether a goal was reached at a lower cost."""

        def before(costs: Expr) -> Expr:
            return compare(method(costs, "get", G, COST), "<", COST)

        s = self.s
        tests = [before(COSTS)] if s.single else [before(FREE), *([before(COSTS)] if s.stopping else [])]
        return every("any", Comp(any_of(*tests), (Loop(G, GOALS),)))

    def by_heap(self) -> Body:
        """Other prices: a heap by cost."""
        start = Comp(Tup((ZERO, P)), (Loop(P, every("sorted", BEGIN)),), "[]")
        return [
            give(QUEUE, start),
            For(Tup((COST, HERE)), Call(HELPERS["in_order"], (QUEUE,)), tuple(self.expand())),
        ]

    # ------------------------------------------------------------ one place

    def flood(self) -> Body:
        """Without a budget the first way into a place is enough: a flood fill."""
        body = [*self.step(SEEN), If(compare(THERE, "in", GOALS), (Return(self.yes),)), *self.stop()]
        return self.around([*body, Do(method(SEEN, "add", THERE)), Do(method(AHEAD, "append", THERE))])

    def level(self) -> Body:
        """Where every step costs the same: breadth first, one level after another."""
        s = self.s
        body: Body = [give(TOTAL, Op("+", COST, Lit(s.even)))]
        if s.budget is not None:
            body.append(If(over_limit(s, TOTAL), (BREAK,)))
        inner = [*self.step(SEEN), If(compare(THERE, "in", GOALS), (Return(self.yes),)), Do(method(SEEN, "add", THERE))]
        inner += [*self.stop(), Do(method(AHEAD, "append", THERE))]
        return [
            *body,
            give(AHEAD, Lst(())),
            For(HERE, BUCKET, tuple(self.around(inner))),
            If(AHEAD, (Do(method(BUCKETS, "append", Tup((TOTAL, AHEAD)))),)),
        ]

    def single(self) -> Body:
        """One cost a place: no other way in can go on more cheaply."""
        s = self.s
        body: Body = [] if s.steady else [unless(compare(Index(COSTS, HERE), "<", COST))]
        known = give(OLD, Call(Name("known"), (THERE,)))
        tie = all_of(compare(OLD, "==", TOTAL), compare(Index(LAST, THERE), "<=", HERE))
        no_better = all_of(compare(OLD, "is not", NONE), any_of(compare(OLD, "<", TOTAL), tie))
        inner: Body = []
        if s.ways:
            inner += self.spend()
        if s.steady:
            inner += self.step(self.seen)
        elif s.ways:
            inner += [known, unless(any_of(no_better, *s.entering))]
        else:
            inner += self.step(None)
        if not s.ways:
            inner += self.spend()
        if not s.steady and not s.ways:
            inner += [known, unless(no_better)]
        inner += self.arrive()
        if self.bare:
            inner.append(Do(method(SEEN, "add", THERE)))
        else:
            inner += [give(Index(COSTS, THERE), TOTAL), give(Index(LAST, THERE), HERE)]
        if not s.steady:
            inner.append(unless(compare(TOTAL, "==", OLD)))
        inner += [unless(compare(TOTAL, ">", BRINK))] if self.brink else []
        return [*body, *self.around([*inner, *self.stop(), *self.enqueue()])]

    def expand(self) -> Body:
        """Two costs a place: to end there, and to go on from it."""
        s = self.s
        body: Body = [] if s.steady else [unless(compare(HERE, "in", GONE)), Do(method(GONE, "add", HERE))]
        inner: Body = [*self.step(FREE if s.steady else GONE), *self.spend(), *self.arrive()]
        if not s.steady:
            free = Index(FREE, THERE)
            tie = all_of(compare(free, "==", TOTAL), compare(Index(THROUGH, THERE), "<=", HERE))
            inner.append(unless(all_of(compare(THERE, "in", FREE), any_of(compare(free, "<", TOTAL), tie))))
        if s.stopping:
            better: Expr = compare(THERE, "not in", COSTS)
            if not s.steady:
                old = Index(COSTS, THERE)
                tie = all_of(compare(TOTAL, "==", old), compare(HERE, "<", Index(LAST, THERE)))
                better = any_of(better, compare(TOTAL, "<", old), tie)
            inner.append(If(better, (give(Index(COSTS, THERE), TOTAL), give(Index(LAST, THERE), HERE))))
            inner += self.stop()
        inner += [give(Index(FREE, THERE), TOTAL), give(Index(THROUGH, THERE), HERE)]
        return [*body, *self.around([*inner, *self.enqueue()])]

    # ------------------------------------------------------------ one step

    def around(self, inner: Body) -> Body:
        """The steps out of a place."""
        s = self.s
        inner = [*with_crossing(tuple(inner))]
        body: Body = [unless(any_of(*s.leaving))] if s.leaving else []
        if s.ways:
            return [*body, For(Tup((PRICE, THERE)), Index(Name("ways_1"), HERE), tuple(inner))]
        if s.jumps is None:
            return [*body, For(THERE, Index(s.table, HERE), tuple(inner))]
        others = Comp(P, (Loop(P, LEAP, (compare(P, "!=", HERE),)),))
        far = give(AROUND, Tup((Star(AROUND), Star(others))))
        return [
            *body,
            give(AROUND, Index(s.table, HERE)),
            If(compare(HERE, "in", LEAP), (far,)),
            For(THERE, AROUND, tuple(inner)),
        ]

    def step(self, known: Expr | None) -> Body:
        """What bars a step: a place that is known, or a rule."""
        s = self.s
        against = [*([compare(THERE, "in", known)] if known is not None else []), *s.entering]
        body: Body = [unless(any_of(*against))] if against else []
        return [*body, *(If(test, (CONTINUE,), (), at) for test, at in s.stepping)]

    def spend(self) -> Body:
        s = self.s
        body: Body = [give(TOTAL, Op("+", COST, s.price) if s.price is not None else COST)]
        if s.budget is not None:
            body.append(If(over_limit(s, TOTAL), (BREAK if s.ways else CONTINUE,)))
        return body

    def stop(self) -> Body:
        return [If(test, (CONTINUE,), (), at) for test, at in self.s.stopping]

    def arrive(self) -> Body:
        return [If(compare(THERE, "in", GOALS), (Return(self.yes),))] if self.s.found else []

    def enqueue(self) -> Body:
        s = self.s
        if not s.whole:
            return [Do(Call(HELPERS["heappush"], (QUEUE, Tup((TOTAL, THERE)))))]
        bucket = Index(BUCKETS, TOTAL)
        put = method(bucket, "append", THERE) if s.rising else Call(HELPERS["heappush"], (bucket, THERE))
        return [make_room(), Do(put)]


def backwards(s: Search) -> Body:
    """The search from the ends: what it costs from every place to the nearest end, within the budget.

    `there` is the place that a path enters, `here` the one before: the same steps, bars and stops as forwards.
    """
    assert s.goals is not None
    body: Body = [give(GOALS, s.goals), give(COSTS, Attr(Call(HELPERS["Reach"], (GOALS,)), "cost"))]
    if s.budget is not None:
        body.append(give(LIMIT, s.budget))
    never: Body = [If(test, (Return(COSTS),), (), at) for test, at in s.never]
    place: Body = [unless(any_of(compare(Index(COSTS, THERE), "<", COST), *s.entering))]
    place += [If(all_of(test, compare(THERE, "not in", GOALS)), (CONTINUE,), (), at) for test, at in s.stopping]
    known = all_of(compare(HERE, "in", COSTS), compare(Index(COSTS, HERE), "<=", TOTAL))
    inner: Body = [unless(any_of(known, *s.leaving)), give(Index(COSTS, HERE), TOTAL), make_room()]
    inner.append(Do(method(Index(BUCKETS, TOTAL), "append", HERE)))
    if s.ways:
        spent: Body = [give(TOTAL, Op("+", COST, PRICE))]
        if s.budget is not None:
            spent.append(If(over_limit(s, TOTAL), (BREAK,)))
        place.append(For(Tup((PRICE, HERE)), Index(Name("back_1"), THERE), tuple([*spent, *inner])))
    else:
        place.append(give(TOTAL, Op("+", COST, s.price) if s.price is not None else COST))
        if s.budget is not None:
            place.append(If(over_limit(s, TOTAL), (CONTINUE,)))
        place.append(For(HERE, Index(s.table, THERE), tuple(inner)))
    rest: Body = [
        *never,
        give(Tup((BUCKETS, ROOM)), Tup((Lst((every("sorted", GOALS),)), ONE))),
        For(Tup((COST, BUCKET)), every("enumerate", BUCKETS), (For(THERE, BUCKET, tuple(place)),)),
        Return(COSTS),
    ]
    return [*body, *taken_out(s, rest)]


def taken_out(s: Search, body: Body) -> Body:
    """Statements with those values before them that they look at."""
    found = body
    used = {x.id for top in exprs(tuple(body)) for x in walk(top) if isinstance(x, Name)}
    for name, value in reversed(s.hoisted):
        if name in used:
            used |= {x.id for x in walk(value) if isinstance(x, Name)}
            found = [give(Name(name), value), *found]
    return found
