"""Go through expressions and statements of the model."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from .expressions import (
    Attr,
    Both,
    Call,
    Cited,
    Comp,
    Compare,
    Cond,
    Dct,
    Expr,
    Index,
    Lambda,
    Loop,
    Lst,
    Neg,
    Not,
    Op,
    Slice,
    Star,
    Tup,
)
from .statements import Assign, Do, For, Give, If, Return, Stmt, Yield


def parts(e: Expr) -> tuple[Expr, ...]:
    """The expressions right below one."""
    below = BELOW.get(type(e))
    return below(e) if below is not None else ()


def of_call(e: Call) -> tuple[Expr, ...]:
    return (e.fn, *e.args, *[x for _, x in e.named]) if e.named else (e.fn, *e.args)


def of_loops(e: Comp) -> tuple[Expr, ...]:
    return (e.element, *[x for loop in e.loops for x in (loop.target, loop.over, *loop.tests)])


# By class: a match would try one class after another, and every node of a package comes through here.
BELOW: dict[type, Callable[[Any], tuple[Expr, ...]]] = {
    Call: of_call,
    Comp: of_loops,
    **dict.fromkeys((Attr, Neg, Not, Star, Cited), lambda e: (e.of,)),
    Index: lambda e: (e.of, e.key),
    Slice: lambda e: (e.low, e.high),
    Op: lambda e: (e.left, e.right),
    Compare: lambda e: (e.first, *[x for _, x in e.rest]),
    **dict.fromkeys((Tup, Lst), lambda e: e.items),
    Both: lambda e: e.parts,
    Dct: lambda e: tuple(x for row in e.items for x in row),
    Cond: lambda e: (e.test, e.yes, e.no),
    Lambda: lambda e: (e.body,),
}


def mapped(e: Expr, change: Callable[[Expr], Expr]) -> Expr:
    """An expression with what stands right below it changed."""
    match e:
        case Call(fn, args, named):
            return Call(change(fn), tuple(map(change, args)), tuple((k, change(x)) for k, x in named))
        case Attr(of, name):
            return Attr(change(of), name)
        case Neg(of):
            return Neg(change(of))
        case Not(of):
            return Not(change(of))
        case Star(of):
            return Star(change(of))
        case Cited(of, at):
            return Cited(change(of), at)
        case Index(one, other):
            return Index(change(one), change(other))
        case Slice(one, other):
            return Slice(change(one), change(other))
        case Op(op, one, other):
            return Op(op, change(one), change(other))
        case Compare(first, rest):
            return Compare(change(first), tuple((op, change(x)) for op, x in rest))
        case Both(op, items):
            return Both(op, tuple(map(change, items)))
        case Tup(items):
            return Tup(tuple(map(change, items)))
        case Lst(items):
            return Lst(tuple(map(change, items)))
        case Dct(rows):
            return Dct(tuple((change(k), change(v)) for k, v in rows))
        case Cond(test, yes, no):
            return Cond(change(test), change(yes), change(no))
        case Comp(element, loops, brackets):
            made = tuple(Loop(x.target, change(x.over), tuple(map(change, x.tests))) for x in loops)
            return Comp(change(element), made, brackets)
        case Lambda(params, body):
            return Lambda(params, change(body))
        case _:
            return e


def walk(e: Expr) -> Iterator[Expr]:
    """An expression and all below it."""
    stack = [e]
    while stack:
        x = stack.pop()
        yield x
        stack += parts(x)


def replaced(e: Expr, old: Expr, new: Expr) -> Expr:
    return new if e == old else mapped(e, lambda x: replaced(x, old, new))


def exprs(body: tuple[Stmt, ...]) -> Iterator[Expr]:
    """The expressions of statements, at any depth."""
    for s in body:
        match s:
            case Assign(targets, value):
                yield from (*targets, value)
            case Return(value):
                yield from () if value is None else (value,)
            case Give(value, case, _, told):
                yield from (value, case, told)
            case If(test, inner, orelse):
                yield test
                yield from exprs(inner)
                yield from exprs(orelse)
            case For(target, over, inner):
                yield from (target, over)
                yield from exprs(inner)
            case Do(value) | Yield(value):
                yield value


def with_exprs(body: tuple[Stmt, ...], change: Callable[[Expr], Expr]) -> tuple[Stmt, ...]:
    """Statements with each of their expressions changed."""
    found: list[Stmt] = []
    for s in body:
        match s:
            case Assign(targets, value, at):
                found.append(Assign(targets, change(value), at))
            case Return(value, at):
                found.append(Return(None if value is None else change(value), at))
            case Give(value, case, at, told):
                found.append(Give(change(value), change(case), at, change(told)))
            case If(test, inner, orelse, at):
                found.append(If(change(test), with_exprs(inner, change), with_exprs(orelse, change), at))
            case For(target, over, inner, at):
                found.append(For(target, change(over), with_exprs(inner, change), at))
            case Do(value, at):
                found.append(Do(change(value), at))
            case Yield(value, at):
                found.append(Yield(change(value), at))
            case _:
                found.append(s)
    return tuple(found)
