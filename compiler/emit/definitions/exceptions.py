"""Build exceptions: which of several cases speaks first.

In:  a layer with what excepts it, and the functions that were made for those that need one.
Out: statements that ask the exceptions: one that outranks the others before them, others in turn or side by side,
     where two of a rank must agree.
"""

from __future__ import annotations

from ...core import nodes as c
from ..model.expressions import NONE, At, Call, Expr, Index, Lit, Name, Ref, Star, Tup, all_of, any_of, compare
from ..model.printer import Printer
from ..model.statements import Assign, Do, If, Return, Stmt
from ..naming import HELPERS
from .clauses import Asked

HIT, NOTHING = Name("hit"), HELPERS["NOTHING"]


def exceptions(
    asked: Asked, layer: c.Layer, made: dict[str, Ref], given: tuple[Expr, ...], keep: bool, operation: str = ""
) -> list[Stmt]:
    """Ask what excepts a layer; where it is a contribution, an exception works by the same operation."""
    body: list[Stmt] = []
    ctx, d = asked.ctx, asked.d
    ordered = sorted(layer.exceptions, key=lambda x: not x.outranks)
    while ordered and ordered[0].id not in made and {y.id for y in ordered[1:]} <= set(ordered[0].outranks):
        x = ordered.pop(0)  # it wins over all the others
        body += asked.clauses_of(x, lambda v, _, at, x=x: (given_by(asked, x.case, v, operation, at),))  # type: ignore[misc]
        if x.clauses[-1].guard is None:
            return body
    if not ordered:
        return body

    def ask(x: c.Layer) -> Expr:
        return Call(made[x.id], given, (("keep", Name("keep")),) if keep else ())

    if len(ordered) == 1:
        x = ordered[0]
        body.append(Assign((HIT,), ask(x), At(x.case, x.span, x.id + " asked")))
        answer: Stmt
        if ctx.traced:
            answer = Return(part(Index(HIT, Lit(0)), operation, Index(HIT, Lit(1)))) if operation else asked.handed_on()
        else:
            answer = Return(part(Lit(x.case), operation, HIT)) if operation else asked.answer("", HIT)
        body.append(If(compare(HIT, "is not", NOTHING), (answer,)))
        return body
    if operation:
        answer = Return(part(Index(HIT, Lit(0)), operation, Index(HIT, Lit(1))))
    else:
        answer = asked.handed_on() if ctx.traced else asked.answer("", Index(HIT, Lit(1)))
    most = 3 if ctx.folded else 0
    plain = not made and all(plain_rank(ordered, i) for i in range(len(ordered)))
    if plain and few(ordered, most):
        return [*body, *at_once(asked, ordered, operation)]
    if plain:
        return [*body, *in_turn(asked, ordered), If(compare(HIT, "is not", NONE), (answer,))]
    for i, x in enumerate(ordered):
        value = Name(f"value_{i}")
        if x.id in made:
            body.append(Assign((value,), ask(x), At(x.case, x.span, x.id + " asked")))
            continue
        if x.clauses[-1].guard is not None:
            body.append(Assign((value,), NOTHING))
        body += asked.clauses_of(
            x,
            lambda v, _, at, value=value, x=x: (  # type: ignore[misc]
                Assign((value,), Tup((Lit(x.case), v)) if ctx.traced else v, at),
            ),
            True,
        )
    inner: list[Stmt] = [Assign((HIT,), NONE)]
    values = [Name(f"value_{i}") for i in range(len(ordered))]
    for i, x in enumerate(ordered):
        value = values[i]
        tests = [
            compare(value, "is not", NOTHING),
            *(compare(values[j], "is", NOTHING) for j in outrankers(ordered, i)),
        ]
        agreed: Expr = Call(HELPERS["agree"], (HIT, Lit(x.case), value, Lit(d.name)))
        if ctx.traced:
            agreed = Call(HELPERS["agree_both"], (HIT, Star(value), Lit(d.name)))
        inner.append(If(all_of(*tests), (Assign((HIT,), agreed),)))
    inner.append(If(compare(HIT, "is not", NONE), (answer,)))
    body.append(If(any_of(*(compare(v, "is not", NOTHING) for v in values)), tuple(inner)))
    return body


def given_by(asked: Asked, case: str, value: Expr, operation: str, at: At) -> Stmt:
    """What an exception answers: with its operation where it is a contribution."""
    return Return(part(Lit(case), operation, value), at) if operation else asked.answer(case, value, at)


def part(case: Expr, operation: str, value: Expr) -> Expr:
    """A part of a gathered number: by whom, by which operation, how much."""
    return Tup((case, Lit(operation), value))


def in_turn(asked: Asked, ordered: list[c.Layer]) -> list[Stmt]:
    """Exceptions one after another: an outranked one is asked only where none before it has an answer."""
    body: list[Stmt] = [Assign((HIT,), NONE)]
    for i, x in enumerate(ordered):
        outranked = bool(outrankers(ordered, i))
        first = not i or outranked

        def give(v: Expr, _: str, at: At, x: c.Layer = x, first: bool = first) -> tuple[Stmt, ...]:
            return (Assign((HIT,), Tup((Lit(x.case), v)) if first else agreed_on(asked, x, v), at),)

        inner = asked.clauses_of(x, give, True)
        body += [If(compare(HIT, "is", NONE), tuple(inner))] if outranked else inner
    return body


def agreed_on(asked: Asked, x: c.Layer, value: Expr) -> Expr:
    """What two exceptions say that both apply; the traced twin cites both."""
    agreed = HELPERS["agree_both" if asked.ctx.traced else "agree"]
    return Call(agreed, (HIT, Lit(x.case), value, Lit(asked.d.name)))


def at_once(asked: Asked, ordered: list[c.Layer], operation: str) -> list[Stmt]:
    """A few exceptions of one clause: the first that applies answers, once those of its rank are known to agree."""
    body: list[Stmt] = []
    rows = []
    for x in ordered:
        build = asked.build(x)
        guard = x.clauses[0].guard
        assert guard is not None
        rows.append((x, build(guard), build(x.clauses[0].value)))
    for i, (x, test, value) in enumerate(rows):
        span = x.clauses[0].span
        inner: list[Stmt] = []
        for j, (y, also, other) in enumerate(rows[i + 1 :], i + 1):
            if outrankers(ordered, j) or same(value, other):
                continue
            first = Tup((Lit(x.case), value))
            clash = Do(Call(HELPERS["agree"], (first, Lit(y.case), other, Lit(asked.d.name))))
            inner.append(If(also, (clash,), (), At(y.case, y.clauses[0].span, y.id + " guard")))
        inner.append(given_by(asked, x.case, value, operation, At(x.case, span, x.id)))
        body.append(If(test, tuple(inner), (), At(x.case, span, x.id + " guard")))
    return body


def same(one: Expr, other: Expr) -> bool:
    """Whether two values are written alike, whoever says them."""
    return Printer().flat(one) == Printer().flat(other)


def outrankers(ordered: list[c.Layer], i: int) -> list[int]:
    """Which of several exceptions win over one of them."""
    return [j for j, y in enumerate(ordered) if ordered[i].id in y.outranks]


def plain_rank(ordered: list[c.Layer], i: int) -> bool:
    """Whether an exception yields to none or to all before it."""
    return outrankers(ordered, i) in ([], list(range(i)))


def few(ordered: list[c.Layer], most: int) -> bool:
    """Whether exceptions are so few and short that each may stand beside every other."""
    return len(ordered) <= most and all(len(x.clauses) == 1 and x.clauses[0].guard is not None for x in ordered)
