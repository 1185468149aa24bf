"""Print expressions on one line, with brackets only where precedence needs them.

In:  an expression of the model, and the module that it is printed for.
Out: its text; the names that it takes from modules and the cases that speak in it are noted.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .expressions import (
    At,
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
    Lit,
    Lst,
    Name,
    Neg,
    Not,
    Op,
    Ref,
    Slice,
    Star,
    Tup,
)
from .literals import PLAIN, literal, quoted

ANY, COND, OR, AND, NOT, COMPARE, ADD, TIMES, NEGATIVE, AFTER = range(10)
RANK = {"+": ADD, "-": ADD, "*": TIMES, "//": TIMES, "%": TIMES, "or": OR, "and": AND}
BY_MODULE = ("chapter_", "rules")
"""Modules whose functions are called through their module: they import one another in circles."""


class Flat:
    """Prints for one module; `refs` are the names of other modules, `cites` the cases that were met."""

    def __init__(self, home: str = "") -> None:
        self.home = home
        self.refs: set[tuple[str, str]] = set()
        self.cites: list[At] = []

    def flat(self, e: Expr, rank: int = ANY) -> str:
        """An expression on one line."""
        return FLAT[type(e)](self, e, rank)

    def _name(self, e: Name, rank: int) -> str:
        return e.id

    def _ref(self, e: Ref, rank: int) -> str:
        module = e.module
        if module == self.home:
            return e.id
        if module.startswith(BY_MODULE):
            self.refs.add(("", module))
            return f"{module}.{e.id}"
        self.refs.add((module, e.id))
        return e.id

    def _lit(self, e: Lit, rank: int) -> str:
        value = e.value
        kind = type(value)
        if kind is str:
            return quoted(value)
        if kind in PLAIN:
            text = repr(value)
            return f"({text})" if rank > NEGATIVE and kind is int and value < 0 else text
        text = literal(value)
        if "Fraction(" in text and not isinstance(value, str):
            self.refs.add(("fractions", "Fraction"))
        return text

    def _call(self, e: Call, rank: int) -> str:
        inner = [FLAT[type(a)](self, a, ANY) for a in e.args]
        if e.named:
            inner += [f"{k}={FLAT[type(v)](self, v, ANY)}" for k, v in e.named]
        return f"{FLAT[type(e.fn)](self, e.fn, AFTER)}({', '.join(inner)})"

    def _attr(self, e: Attr, rank: int) -> str:
        return f"{FLAT[type(e.of)](self, e.of, AFTER)}.{e.name}"

    def _index(self, e: Index, rank: int) -> str:
        return f"{FLAT[type(e.of)](self, e.of, AFTER)}[{FLAT[type(e.key)](self, e.key, ANY)}]"

    def _slice(self, e: Slice, rank: int) -> str:
        return f"{self.flat(e.low)} : {self.flat(e.high)}"

    def _op(self, e: Op, rank: int) -> str:
        mine = RANK[e.op]
        left, right = e.left, e.right
        text = f"{FLAT[type(left)](self, left, mine)} {e.op} {FLAT[type(right)](self, right, mine + 1)}"
        return f"({text})" if rank > mine else text

    def _neg(self, e: Neg, rank: int) -> str:
        text = f"-{self.flat(e.of, NEGATIVE)}"
        return f"({text})" if rank > NEGATIVE else text

    def _compare(self, e: Compare, rank: int) -> str:
        rest = [f" {op} {FLAT[type(x)](self, x, ADD)}" for op, x in e.rest]
        text = FLAT[type(e.first)](self, e.first, ADD) + "".join(rest)
        return f"({text})" if rank > COMPARE else text

    def _both(self, e: Both, rank: int) -> str:
        mine = RANK[e.op]
        text = f" {e.op} ".join([FLAT[type(x)](self, x, mine + 1) for x in e.parts])
        return f"({text})" if rank > mine else text

    def _not(self, e: Not, rank: int) -> str:
        text = f"not {self.flat(e.of, NOT)}"
        return f"({text})" if rank > NOT else text

    def _cond(self, e: Cond, rank: int) -> str:
        text = f"{self.flat(e.yes, OR)} if {self.flat(e.test, OR)} else {self.flat(e.no, OR)}"
        return f"({text})" if rank > COND else text

    def _comp(self, e: Comp, rank: int) -> str:
        found = [self.flat(e.element, COND)]
        for loop in e.loops:
            found.append(f"for {self.target(loop.target)} in {self.flat(loop.over, OR)}")
            found += [f"if {self.flat(x, OR)}" for x in loop.tests]
        text = " ".join(found)
        if e.brackets:
            return f"[{text}]"
        return f"({text})" if rank > COND else text

    def _lambda(self, e: Lambda, rank: int) -> str:
        text = f"lambda {', '.join(e.params)}: {self.flat(e.body)}" if e.params else f"lambda: {self.flat(e.body)}"
        return f"({text})" if rank > ANY else text

    def _tup(self, e: Tup, rank: int) -> str:
        inner = [FLAT[type(x)](self, x, COND) for x in e.items]
        return f"({inner[0]},)" if len(inner) == 1 else f"({', '.join(inner)})"

    def _lst(self, e: Lst, rank: int) -> str:
        return f"[{', '.join([self.flat(x, COND) for x in e.items])}]"

    def _dct(self, e: Dct, rank: int) -> str:
        return "{" + ", ".join([f"{self.flat(k)}: {self.flat(v)}" for k, v in e.items]) + "}"

    def _star(self, e: Star, rank: int) -> str:
        return f"*{self.flat(e.of, ADD)}"

    def _cited(self, e: Cited, rank: int) -> str:
        self.cites.append(e.at)
        return self.flat(e.of, rank)

    def target(self, e: Expr) -> str:
        """What a loop or an assignment gives a value to; several names stand without brackets."""
        return ", ".join([self.flat(x) for x in e.items]) if isinstance(e, Tup) else self.flat(e)


FLAT: dict[type, Callable[[Flat, Any, int], str]] = {
    Name: Flat._name,
    Ref: Flat._ref,
    Lit: Flat._lit,
    Call: Flat._call,
    Attr: Flat._attr,
    Index: Flat._index,
    Slice: Flat._slice,
    Op: Flat._op,
    Neg: Flat._neg,
    Compare: Flat._compare,
    Both: Flat._both,
    Not: Flat._not,
    Cond: Flat._cond,
    Comp: Flat._comp,
    Lambda: Flat._lambda,
    Tup: Flat._tup,
    Lst: Flat._lst,
    Dct: Flat._dct,
    Star: Flat._star,
    Cited: Flat._cited,
}
