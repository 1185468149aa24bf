"""Print expressions on one line, with brackets only where precedence needs them.

In:  an expression of the model, and the module that it is printed for.
Out: its text; the names that it takes from modules and the cases that speak in it are noted.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from . import expressions as m
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
        self.cites: list[m.At] = []

    def flat(self, e: m.Expr, rank: int = ANY) -> str:
        """An expression on one line."""
        return FLAT[type(e)](self, e, rank)

    def _name(self, e: m.Name, rank: int) -> str:
        return e.id

    def _ref(self, e: m.Ref, rank: int) -> str:
        module = e.module
        if module == self.home:
            return e.id
        if module.startswith(BY_MODULE):
            self.refs.add(("", module))
            return f"{module}.{e.id}"
        self.refs.add((module, e.id))
        return e.id

    def _lit(self, e: m.Lit, rank: int) -> str:
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

    def _call(self, e: m.Call, rank: int) -> str:
        inner = [FLAT[type(a)](self, a, ANY) for a in e.args]
        if e.named:
            inner += [f"{k}={FLAT[type(v)](self, v, ANY)}" for k, v in e.named]
        return f"{FLAT[type(e.fn)](self, e.fn, AFTER)}({', '.join(inner)})"

    def _attr(self, e: m.Attr, rank: int) -> str:
        return f"{FLAT[type(e.of)](self, e.of, AFTER)}.{e.name}"

    def _index(self, e: m.Index, rank: int) -> str:
        return f"{FLAT[type(e.of)](self, e.of, AFTER)}[{FLAT[type(e.key)](self, e.key, ANY)}]"

    def _slice(self, e: m.Slice, rank: int) -> str:
        return f"{self.flat(e.low)} : {self.flat(e.high)}"

    def _op(self, e: m.Op, rank: int) -> str:
        mine = RANK[e.sign]
        left, right = e.left, e.right
        text = f"{FLAT[type(left)](self, left, mine)} {e.sign} {FLAT[type(right)](self, right, mine + 1)}"
        return f"({text})" if rank > mine else text

    def _neg(self, e: m.Neg, rank: int) -> str:
        text = f"-{self.flat(e.of, NEGATIVE)}"
        return f"({text})" if rank > NEGATIVE else text

    def _compare(self, e: m.Compare, rank: int) -> str:
        rest = [f" {op} {FLAT[type(x)](self, x, ADD)}" for op, x in e.rest]
        text = FLAT[type(e.first)](self, e.first, ADD) + "".join(rest)
        return f"({text})" if rank > COMPARE else text

    def _both(self, e: m.Both, rank: int) -> str:
        mine = RANK[e.sign]
        text = f" {e.sign} ".join([FLAT[type(x)](self, x, mine + 1) for x in e.parts])
        return f"({text})" if rank > mine else text

    def _not(self, e: m.Not, rank: int) -> str:
        text = f"not {self.flat(e.of, NOT)}"
        return f"({text})" if rank > NOT else text

    def _cond(self, e: m.Cond, rank: int) -> str:
        text = f"{self.flat(e.yes, OR)} if {self.flat(e.test, OR)} else {self.flat(e.no, OR)}"
        return f"({text})" if rank > COND else text

    def _comp(self, e: m.Comp, rank: int) -> str:
        found = [self.flat(e.element, COND)]
        for loop in e.loops:
            found.append(f"for {self.target(loop.target)} in {self.flat(loop.over, OR)}")
            found += [f"if {self.flat(x, OR)}" for x in loop.tests]
        text = " ".join(found)
        if e.brackets:
            return f"[{text}]"
        return f"({text})" if rank > COND else text

    def _lambda(self, e: m.Lambda, rank: int) -> str:
        text = f"lambda {', '.join(e.params)}: {self.flat(e.body)}" if e.params else f"lambda: {self.flat(e.body)}"
        return f"({text})" if rank > ANY else text

    def _tup(self, e: m.Tup, rank: int) -> str:
        inner = [FLAT[type(x)](self, x, COND) for x in e.items]
        return f"({inner[0]},)" if len(inner) == 1 else f"({', '.join(inner)})"

    def _lst(self, e: m.Lst, rank: int) -> str:
        return f"[{', '.join([self.flat(x, COND) for x in e.items])}]"

    def _dct(self, e: m.Dct, rank: int) -> str:
        return "{" + ", ".join([f"{self.flat(k)}: {self.flat(v)}" for k, v in e.items]) + "}"

    def _star(self, e: m.Star, rank: int) -> str:
        return f"*{self.flat(e.of, ADD)}"

    def _cited(self, e: m.Cited, rank: int) -> str:
        self.cites.append(e.at)
        return self.flat(e.of, rank)

    def target(self, e: m.Expr) -> str:
        """What a loop or an assignment gives a value to; several names stand without brackets."""
        return ", ".join([self.flat(x) for x in e.items]) if isinstance(e, m.Tup) else self.flat(e)


FLAT: dict[type, Callable[[Flat, Any, int], str]] = {
    m.Name: Flat._name,
    m.Ref: Flat._ref,
    m.Lit: Flat._lit,
    m.Call: Flat._call,
    m.Attr: Flat._attr,
    m.Index: Flat._index,
    m.Slice: Flat._slice,
    m.Op: Flat._op,
    m.Neg: Flat._neg,
    m.Compare: Flat._compare,
    m.Both: Flat._both,
    m.Not: Flat._not,
    m.Cond: Flat._cond,
    m.Comp: Flat._comp,
    m.Lambda: Flat._lambda,
    m.Tup: Flat._tup,
    m.Lst: Flat._lst,
    m.Dct: Flat._dct,
    m.Star: Flat._star,
    m.Cited: Flat._cited,
}
