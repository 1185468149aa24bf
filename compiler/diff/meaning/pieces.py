"""Canonical declarations: pieces of the core with every expression in its canonical form.

In:  a book, and pieces of it with the names that are bound around them.
Out: the pieces, so that two which mean the same are equal in their plain form.

Parameters, `let`, answers, rolls and loop variables are numbered by where they are bound. Clauses and branches that
exclude one another are sorted; `if not a … else …` and `if a … else …` have the same form.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import product
from typing import Any, assert_never

from ...core import nodes as c
from .canonical import Canonical, Names, bind, numeric, spine
from .wholes import Wholes

Piece = (
    c.Definition | c.Layer | c.Waiver | c.Rule | c.Grow | c.Memory | c.Quota | c.Route | c.Matching | c.Action
    | c.Procedure | c.Duty | c.Invariant | c.FieldDecl | c.Mark | c.Unclear | c.Trigger | c.Wrapper
)  # fmt: skip
Around = tuple[str, tuple[c.Param, ...], tuple[str, ...]]
"""What binds names around a piece: the sort of its owner and the owner's name, parameters, and other names."""
NOTHING: Around = ("", (), ())


class CanonicalPieces:
    """Pieces of one book in their canonical form."""

    def __init__(self, book: c.Book, wholes: Wholes | None = None) -> None:
        self.canonical = Canonical(book, wholes)
        self.wholes = wholes

    def piece(self, x: Piece, around: Around) -> Any:
        """A piece without the parts that other declarations add to it, in canonical form."""
        names = self.bound(around)
        match x:
            case c.Layer():
                return self.layer(x, names)
            case c.Definition():
                stages = tuple(self.stage(s, names) for s in x.stages)
                return replace(x, params=self.params(x.params, names), stages=stages)
            case c.Waiver():
                return replace(x, guard=self.maybe(x.guard, names))
            case c.Wrapper():
                return replace(x, guard=self.maybe(x.guard, names), body=self.block(x.body, names))
            case c.Rule():
                return replace(x, test=self.expr(x.test, names), guard=self.maybe(x.guard, names))
            case c.Grow():
                domain, test = self.expr(x.domain, names), self.expr(x.test, bind(names, "it"))
                return replace(x, params=self.params(x.params, names), domain=domain, test=test)
            case c.Route():
                legs = tuple(replace(leg, args=tuple(self.expr(a, names) for a in leg.args)) for leg in x.legs)
                over = self.maybe(x.over_test, names)
                return replace(x, params=self.params(x.params, names), over_test=over, legs=legs)
            case c.Matching():
                made = replace(x, params=self.params(x.params, names), item="%item", target="%target")
                made = replace(made, items=self.expr(x.items, names), targets=self.expr(x.targets, names))
                return replace(made, idle=self.maybe(x.idle, names), empty=self.maybe(x.empty, names))
            case c.Action():
                spends = tuple(
                    (quota, tuple(self.expr(y, names) for y in given), self.expr(amount, names))
                    for quota, given, amount in x.spends
                )
                procedure = self.procedure(x.procedure, names)
                params, by = self.params(x.params, names), self.expr(x.by, names)
                return replace(x, params=params, by=by, spends=spends, procedure=procedure)
            case c.Procedure():
                return self.procedure(x, names)
            case c.Trigger():
                return replace(
                    x, params=self.params(x.params, names), guard=self.maybe(x.guard, names),
                    procedure=self.procedure(x.procedure, names),
                )  # fmt: skip
            case c.Duty():
                inner = names if x.var is None else bind(names, x.var)
                failing = None if x.failing is None else self.procedure(x.failing, inner)
                over, test = self.maybe(x.domain, names), self.expr(x.test, inner)
                var = None if x.var is None else inner[x.var].label
                return replace(x, var=var, domain=over, test=test, failing=failing)
            case c.Invariant():
                return replace(x, test=self.expr(x.test, names))
            case c.Mark():
                inner = names if x.until_test is None and x.secret_to is None else bind(names, "it")
                return replace(x, until_test=self.maybe(x.until_test, inner), secret_to=self.maybe(x.secret_to, inner))
            case c.Memory() | c.Quota() | c.FieldDecl() | c.Unclear():
                return x
            case _:
                assert_never(x)

    def bound(self, around: Around) -> Names:
        """The names around a piece, numbered in order."""
        owner, params, others = around
        known = self.wholes.params(tuple(owner.split(" ", 1)), params) if self.wholes is not None and owner else {}
        names: Names = {}
        for p in params:
            names = bind(names, p.name, numeric(p.type) and known.get(p.name, False))
        for name in others:
            names = bind(names, name)
        return names

    def stage(self, s: c.Stage, names: Names) -> c.Stage:
        return replace(s, most=self.maybe(s.most, names), least=self.maybe(s.least, names))

    def expr(self, e: c.Expr, names: Names) -> c.Expr:
        return self.canonical.expr(e, names)

    def maybe(self, e: c.Expr | None, names: Names) -> c.Expr | None:
        return None if e is None else self.expr(e, names)

    def params(self, params: tuple[c.Param, ...], names: Names) -> tuple[c.Param, ...]:
        known = {p.name: names[p.name].label if p.name in names else p.name for p in params}
        return tuple(replace(p, name=known[p.name], domain=self.maybe(p.domain, names)) for p in params)

    def procedure(self, p: c.Procedure, names: Names) -> c.Procedure:
        return replace(p, params=self.params(p.params, names), body=self.block(p.body, names))

    # ------------------------------------------------------------ clauses

    def layer(self, x: c.Layer, names: Names) -> c.Layer:
        lets = []
        for name, value in x.lets:
            made = self.expr(value, names)
            names = bind(names, name, self.canonical.whole(made, names))
            lets.append((names[name].label, made))
        clauses = [replace(cl, value=self.expr(cl.value, names), guard=self.maybe(cl.guard, names)) for cl in x.clauses]
        return replace(x, lets=tuple(lets), clauses=self.clauses(clauses, names))

    def clauses(self, found: list[c.Clause], names: Names) -> tuple[c.Clause, ...]:
        """Clauses in one order, as far as they are mutually exclusive."""
        last = [found.pop()] if found and found[-1].guard is None else []
        if len(found) == 1 and last and found[0].guard is not None and not found[0].operation and not last[0].operation:
            one, other = found[0], last[0]
            turned = self.canonical.negated(found[0].guard, names)
            if self.canonical.key(turned) < self.canonical.key(found[0].guard):
                return replace(other, guard=turned), replace(one, guard=None)
            return one, other

        def said(clause: c.Clause) -> str:
            return repr((clause.operation, self.canonical.key(clause.value)))

        return (*self.sorted(found, lambda clause: clause.guard, said), *last)

    def sorted(self, found: list[Any], test: Any, more: Any) -> list[Any]:
        """Repeatedly the least of those that may come first; clauses that can apply together keep their order."""
        if not all(test(x) is not None and self.canonical.sure(test(x)) for x in found):
            return found
        keys = {id(x): (self.canonical.key(test(x)), more(x)) for x in found}
        made, left = [], list(found)
        while left:
            free = [x for i, x in enumerate(left) if all(self.exclude(test(x), test(y)) for y in left[:i])]
            first = min(free, key=lambda x: keys[id(x)])
            made.append(first)
            left = [x for x in left if x is not first]
        return made

    def exclude(self, a: c.Expr, b: c.Expr) -> bool:
        """Whether two canonical conditions cannot both hold, as far as one pair of their operands shows it."""
        return any(self.contrary(x, y) for x in spine(a, c.And) for y in spine(b, c.And))

    def contrary(self, x: c.Expr, y: c.Expr) -> bool:
        key = self.canonical.key
        match x, y:
            case (c.Equal(left=a, right=b), c.Equal(left=d, right=e)):
                for (one, value), (two, other) in product(((a, b), (b, a)), ((d, e), (e, d))):
                    if isinstance(value, c.Const) and isinstance(other, c.Const) and key(one) == key(two):
                        return value.value != other.value
                return False
            case (c.AtMost() | c.Less(), c.AtMost() | c.Less()):
                if not all(numeric(z.type) for z in (x.left, x.right, y.left, y.right)):
                    return False
                ends = [self.canonical.linear(c.Minus(z.left, z.right, type=z.left.type, span=z.span)) for z in (x, y)]
                both = self.canonical.added(ends[0], ends[1], 1)
                strict = isinstance(x, c.Less) or isinstance(y, c.Less)
                return both is not None and not both[1] and (both[0] > 0 or (strict and both[0] == 0))
        if isinstance(x, c.Or) or isinstance(y, c.Or):
            return all(self.contrary(u, v) for u in spine(x, c.Or) for v in spine(y, c.Or))
        return key(self.canonical.negated(x, {})) == key(y)

    # ------------------------------------------------------------ statements

    def block(self, body: tuple[c.Stmt, ...], names: Names) -> tuple[c.Stmt, ...]:
        """Statements in order; each may bind a name for the following ones."""
        made: list[c.Stmt] = []
        for s in body:
            done, names = self.statement(s, names)
            if not isinstance(done, c.Note):
                made.append(done)
        return tuple(made)

    def statement(self, s: c.Stmt, names: Names) -> tuple[c.Stmt, Names]:
        """A statement, and the names after it."""
        expr, maybe = self.expr, self.maybe
        match s:
            case c.Note() | c.DoUsual():
                return s, names
            case c.Let():
                value = expr(s.value, names)
                after = bind(names, s.name, self.canonical.whole(value, names))
                return replace(s, name=after[s.name].label, value=value), after
            case c.Roll():
                after = bind(names, s.name, True)
                return replace(s, name=after[s.name].label, dice=expr(s.dice, names)), after
            case c.Draw():
                source = expr(s.source, names)
                after = bind(names, s.name, self.canonical.whole(source, names))
                secret = maybe(s.secretly_for, names)
                return replace(s, name=after[s.name].label, source=source, secretly_for=secret), after
            case c.SetMark():
                return replace(s, value=expr(s.value, names), of=maybe(s.of, names)), names
            case c.Put():
                return replace(s, what=expr(s.what, names), place=expr(s.place, names)), names
            case c.Walk():
                return replace(s, unit=expr(s.unit, names), path=expr(s.path, names)), names
            case c.Spend():
                given = tuple(expr(x, names) for x in s.given)
                return replace(s, amount=expr(s.amount, names), given=given), names
            case c.Reveal():
                return replace(s, what=expr(s.what, names)), names
            case c.Win():
                return replace(s, side=expr(s.side, names)), names
            case c.Halt():
                return replace(s, unit=expr(s.unit, names)), names
            case c.Do():
                return replace(s, given=tuple(expr(x, names) for x in s.given)), names
            case c.SkipPhase() | c.RepeatPhase():
                return replace(s, guard=maybe(s.guard, names)), names
            case c.RunPhase():
                made = replace(s, source=maybe(s.source, names), guard=maybe(s.guard, names))
                return replace(made, block=self.block(s.block, names)), names
            case c.OfferWindow():
                actions = tuple((name, maybe(guard, names)) for name, guard in s.offer.actions)
                return replace(s, offer=replace(s.offer, side=expr(s.offer.side, names), actions=actions)), names
            case c.AskSide():
                return self.ask(s, names)
            case c.Block() | c.Together():
                return replace(s, block=self.block(s.block, names)), names
            case c.If():
                return self.branches(s, names), names
            case c.ForEach():
                source = expr(s.source, names)
                inner = bind(names, s.var, self.canonical.whole(source, names))
                return replace(s, var=inner[s.var].label, source=source, block=self.block(s.block, inner)), names
            case c.Repeat():
                made_ = replace(s, most=expr(s.most, names), condition=maybe(s.condition, names))
                return replace(made_, block=self.block(s.block, names)), names
            case _:
                assert_never(s)

    def ask(self, s: c.AskSide, names: Names) -> tuple[c.Stmt, Names]:
        ask = s.ask
        source = self.maybe(ask.source, names)
        after = bind(names, ask.name, source is not None and self.canonical.whole(source, names))
        made = replace(
            ask, name=after[ask.name].label, side=self.expr(ask.side, names), source=source,
            number=self.maybe(ask.number, names), so_that=self.maybe(ask.so_that, after),
        )  # fmt: skip
        failing = None if s.failing is None else self.block(s.failing, names)
        return replace(s, ask=made, failing=failing), after

    def branches(self, s: c.If, names: Names) -> c.Stmt:
        """An `if` with all its `else if` in one order."""
        chain: list[tuple[c.Expr, tuple[c.Stmt, ...]]] = []
        at: c.If | None = s
        rest: tuple[c.Stmt, ...] = ()
        while at is not None:
            chain.append((self.expr(at.test, names), self.block(at.block, names)))
            rest = at.otherwise
            at = rest[0] if len(rest) == 1 and isinstance(rest[0], c.If) else None
        last = self.block(rest, names)
        chain = self.sorted(chain, lambda x: x[0], lambda x: repr(self.canonical.form(x[1])))
        if len(chain) == 1:
            turned = self.canonical.negated(chain[0][0], names)
            if self.canonical.key(turned) < self.canonical.key(chain[0][0]) and last:
                chain, last = [(turned, last)], chain[0][1]
        for test, block in reversed(chain):
            last = (replace(s, test=test, block=block, otherwise=last),)
        made = last[0]
        assert isinstance(made, c.If)
        return made


def pieces(book: c.Book) -> Iterator[tuple[Piece, Around]]:
    """The declarations of the core, each with the parameters in scope around it."""
    for d in book.definitions.values():
        around = (f"call {d.name}", d.params, ())
        yield d, around
        for layer in d.layers():
            yield layer, around
            yield from ((w, around) for w in waivers(layer.waivers))
    for group in (book.grows, book.memories, book.quotas, book.invariants, book.fields, book.marks, book.unclear):
        for x in group.values():
            yield x, ("", x.params, ()) if isinstance(x, c.Grow) else NOTHING
    for duty in book.duties.values():
        yield duty, NOTHING
        yield from ((w, ("", (), () if duty.var is None else (duty.var,))) for w in waivers(duty.waivers))
    for m in book.matchings.values():
        yield m, ("", m.params, (m.item, m.target))
        yield from rules(m.rules, ("", m.params, (m.item, m.target)))
    for r in book.routes.values():
        yield r, ("", r.params, ())
        yield from rules(r.rules, ("", r.params, ()))
    for a in book.actions.values():
        yield a, (f"do {a.procedure.name}", a.params, ())
        yield from rules(a.rules, (f"do {a.procedure.name}", a.params, ()))
    for p in book.procedures.values():
        yield p, (f"do {p.name}", p.params, ())
    for t in book.triggers:
        yield t, ("", t.params, ())
        yield from ((w, ("", t.params, ())) for w in waivers(t.waivers))
    for p in (
        *book.procedures.values(),
        *(a.procedure for a in book.actions.values()),
        *(t.procedure for t in book.triggers),
    ):
        yield from ((w, (f"do {p.name}", p.params, ())) for w in p.wrappers)


def rules(found: Iterable[c.Rule], around: Around) -> Iterator[tuple[Piece, Around]]:
    for rule in found:
        yield rule, around
        yield from ((w, around) for w in waivers(rule.waivers))


def waivers(found: Iterable[c.Waiver]) -> Iterator[c.Waiver]:
    for w in found:
        yield w
        yield from waivers(w.waivers)
