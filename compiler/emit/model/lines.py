"""Break expressions over lines that fit.

In:  an expression between two texts, and how far it is indented.
Out: lines no longer than WIDTH: a longer one is broken inside its brackets, one part a line. The cases that speak in a
     line are cited at its end, or above it where there is no room.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from rulewright.dsl.source import Span

from . import expressions as m
from .flat import ADD, AFTER, ANY, COMPARE, COND, FLAT, NEGATIVE, NOT, OR, RANK, Flat
from .literals import PLAIN, comment, has_fraction, items_of, literal, pieces

WIDTH = 120
SHORT = 30
"""Keys up to this length stay behind what they are looked up in."""

QUOTE = re.compile("['\"]")
Row = tuple[int, str, Span, str]
"""A line of a function, with its case, span and element."""


class Lines(Flat):
    """Lines of one module, and where each comes from."""

    def __init__(self, home: str = "") -> None:
        super().__init__(home)
        self.lines: list[str] = []
        self.rows: list[Row] = []
        self.last: tuple[str, ...] = ()

    def put(self, indent: int, before: str, e: m.Expr, after: str = "", rank: int = ANY, inside: bool = False) -> None:
        """An expression between two texts; broken where one line is too short. `inside` brackets lines end freely."""
        if not too_long(e):
            mark = len(self.cites)
            text = f"{before}{FLAT[type(e)](self, e, rank)}{after}"
            if indent + len(text) <= WIDTH:
                self.line(indent, text)
                return
            del self.cites[mark:]
        BREAK[type(e)](self, indent, before, e, after, rank, inside)

    def line(self, indent: int, text: str) -> None:
        """One line of text, with the cases that speak in it."""
        cites = self.cites
        if cites:
            at = len(self.lines)
            cases = tuple(dict.fromkeys([x.case for x in cites if x.case]))
            if cases and cases != self.last:
                self.last = cases
                note = "# " + comment(", ".join(cases))
                if indent + len(text) + len(note) + 2 <= WIDTH:
                    text = f"{text}  {note}"
                else:
                    while len(note) > WIDTH - indent:
                        cut = note.rindex(", ", 0, WIDTH - indent) + 1
                        self.lines.append(" " * indent + note[:cut])
                        note = "#" + note[cut:]
                        at += 1
                    self.lines.append(" " * indent + note)
                    at += 1
            self.rows += [(at, x.case, x.span, x.element) for x in cites]
            cites.clear()
        self.lines.append(" " * indent + text)

    def _items(self, indent: int, rows: list[tuple[str, m.Expr]], closing: str) -> None:
        """What stands between brackets: on one line below them, or one a line."""
        mark = len(self.cites)
        long = any(too_long(e) for _, e in rows)
        inner = "" if long else ", ".join([before + self.flat(e) for before, e in rows])
        if not long and indent + 4 + len(inner) <= WIDTH:
            self.line(indent + 4, inner)
        else:
            del self.cites[mark:]
            for before, e in rows:
                self.put(indent + 4, before, e, ",", ANY, True)
        self.line(indent, closing)

    def _break_call(self, indent: int, before: str, e: m.Call, after: str, rank: int, inside: bool) -> None:
        if not (e.args or e.named):
            self.put(indent, before, e.fn, f"(){after}", AFTER)
            return
        self.put(indent, before, e.fn, "(", AFTER)
        if len(e.args) == 1 and not e.named and isinstance(e.args[0], m.Comp) and not e.args[0].brackets:
            self._loops(indent + 4, e.args[0])
            self.line(indent, ")" + after)
            return
        self._items(indent, [*(("", a) for a in e.args), *((f"{k}=", v) for k, v in e.named)], ")" + after)

    def _loops(self, indent: int, e: m.Comp) -> None:
        """The parts of a comprehension, one a line."""
        mark = len(self.cites)
        text = self.flat(m.Comp(e.element, e.loops), COND)
        if indent + len(text) <= WIDTH:
            self.line(indent, text)
            return
        del self.cites[mark:]
        self.put(indent, "", e.element, "", COND, True)
        for loop in e.loops:
            self.put(indent, f"for {self.target(loop.target)} in ", loop.over, "", OR, True)
            for test in loop.tests:
                self.put(indent, "if ", test, "", OR, True)

    def _break_comp(self, indent: int, before: str, e: m.Comp, after: str, rank: int, inside: bool) -> None:
        brackets = e.brackets or "()"
        self.line(indent, before + brackets[0])
        self._loops(indent + 4, e)
        self.line(indent, brackets[1] + after)

    def _rows(
        self, indent: int, before: str, rows: list[tuple[str, m.Expr, int]], after: str, bare: bool, inside: bool
    ) -> None:
        """Parts of one expression, one a line, in brackets of their own where there are none around them."""
        if not (inside and bare) or before.endswith("="):
            self.line(indent, before + "(")
            before, after, indent = "", after, indent + 4
            for word, e, rank in rows:
                self.put(indent, word, e, "", rank, True)
            self.line(indent - 4, ")" + after)
            return
        for i, (word, e, rank) in enumerate(rows):
            self.put(indent, before * (i == 0) + word, e, after * (i == len(rows) - 1), rank, True)

    def _break_both(self, indent: int, before: str, e: m.Both, after: str, rank: int, inside: bool) -> None:
        mine = RANK[e.sign]
        rows = [(f"{e.sign} " * (i > 0), x, mine + 1) for i, x in enumerate(e.parts)]
        self._rows(indent, before, rows, after, rank <= mine, inside)

    def _break_cond(self, indent: int, before: str, e: m.Cond, after: str, rank: int, inside: bool) -> None:
        rows: list[tuple[str, m.Expr, int]] = [("", e.yes, OR), ("if ", e.test, OR), ("else ", e.no, OR)]
        self._rows(indent, before, rows, after, rank <= COND, inside)

    def _break_op(self, indent: int, before: str, e: m.Op, after: str, rank: int, inside: bool) -> None:
        mine = RANK[e.sign]
        rows: list[tuple[str, m.Expr, int]] = []
        left: m.Expr = e
        while isinstance(left, m.Op) and RANK[left.sign] == mine:
            rows.append((f"{left.sign} ", left.right, mine + 1))
            left = left.left
        rows.append(("", left, mine))
        self._rows(indent, before, rows[::-1], after, rank <= mine, inside)

    def _break_compare(self, indent: int, before: str, e: m.Compare, after: str, rank: int, inside: bool) -> None:
        """One operand is broken where the other is short; else they stand below one another."""
        mark = len(self.cites)
        texts = [self.flat(e.first, ADD), *(self.flat(x, ADD) for _, x in e.rest)]
        del self.cites[mark:]
        if (
            len(e.rest) == 1
            and rank <= COMPARE
            and min(map(len, texts)) + indent + len(before) + len(after) < WIDTH - 30
        ):
            (op, right), left = e.rest[0], e.first
            if len(texts[1]) >= len(texts[0]):
                self.put(indent, f"{before}{self.flat(left, ADD)} {op} ", right, after, ADD)
            else:
                self.put(indent, before, left, f" {op} {self.flat(right, ADD)}{after}", ADD)
            return
        rows = [("", e.first, ADD), *((f"{op} ", x, ADD) for op, x in e.rest)]
        self._rows(indent, before, rows, after, rank <= COMPARE, inside)

    def _break_not(self, indent: int, before: str, e: m.Not, after: str, rank: int, inside: bool) -> None:
        if rank > NOT:
            before, after = before + "(", ")" + after
        self.put(indent, before + "not ", e.of, after, NOT)

    def _break_neg(self, indent: int, before: str, e: m.Neg, after: str, rank: int, inside: bool) -> None:
        if rank > NEGATIVE:
            before, after = before + "(", ")" + after
        self.put(indent, before + "-", e.of, after, NEGATIVE)

    def _break_lambda(self, indent: int, before: str, e: m.Lambda, after: str, rank: int, inside: bool) -> None:
        if rank > ANY:
            before, after = before + "(", ")" + after
        self.put(indent, f"{before}lambda {', '.join(e.params)}: ".replace("lambda :", "lambda:"), e.body, after, COND)

    def _break_tup(self, indent: int, before: str, e: m.Tup, after: str, rank: int, inside: bool) -> None:
        if len(e.items) == 1:
            self.line(indent, before + "(")
            self.put(indent + 4, "", e.items[0], ",", COND, True)
            self.line(indent, ")" + after)
            return
        self.line(indent, before + "(")
        self._items(indent, [("", x) for x in e.items], ")" + after)

    def _break_lst(self, indent: int, before: str, e: m.Lst, after: str, rank: int, inside: bool) -> None:
        self.line(indent, before + "[")
        self._items(indent, [("", x) for x in e.items], "]" + after)

    def _break_dct(self, indent: int, before: str, e: m.Dct, after: str, rank: int, inside: bool) -> None:
        self.line(indent, before + "{")
        self._items(indent, [(self.flat(k) + ": ", v) for k, v in e.items], "}" + after)

    def _break_index(self, indent: int, before: str, e: m.Index, after: str, rank: int, inside: bool) -> None:
        mark = len(self.cites)
        key = self.flat(e.key)
        if len(key) <= SHORT:
            self.put(indent, before, e.of, f"[{key}]{after}", AFTER)
            return
        del self.cites[mark:]
        self.put(indent, before, e.of, "[", AFTER)
        self.put(indent + 4, "", e.key, "", ANY, True)
        self.line(indent, "]" + after)

    def _break_attr(self, indent: int, before: str, e: m.Attr, after: str, rank: int, inside: bool) -> None:
        self.put(indent, before, e.of, f".{e.name}{after}", AFTER)

    def _break_star(self, indent: int, before: str, e: m.Star, after: str, rank: int, inside: bool) -> None:
        self.put(indent, before + "*", e.of, after, ADD)

    def _break_cited(self, indent: int, before: str, e: m.Cited, after: str, rank: int, inside: bool) -> None:
        self.cites.append(e.at)
        BREAK[type(e.of)](self, indent, before, e.of, after, rank, inside)

    def _break_lit(self, indent: int, before: str, e: m.Lit, after: str, rank: int, inside: bool) -> None:
        self.value(indent, before, e.value, after)

    def _whole(self, indent: int, before: str, e: Any, after: str, rank: int, inside: bool) -> None:
        self.line(indent, f"{before}{self.flat(e, rank)}{after}")

    def value(self, indent: int, before: str, value: Any, after: str) -> None:
        """A plain value over several lines, as many items in each as there is room for."""
        if isinstance(value, str):
            self.line(indent, before + "(")
            for piece in pieces(value, WIDTH - indent - 4):
                self.line(indent + 4, piece)
            self.line(indent, ")" + after)
            return
        if isinstance(value, Fraction | bool | int) or value is None or not value:
            self.line(indent, f"{before}{self._lit(m.Lit(value), ANY)}{after}")
            return
        opening, held, closing = items_of(value)
        if has_fraction(value):
            self.refs.add(("fractions", "Fraction"))
        self.line(indent, before + opening)
        if isinstance(value, tuple | list) and PLAIN.issuperset(map(type, value)):
            whole = literal(value)
            said = [] if not QUOTE.search(whole) else [literal(item) for item in value]
        else:
            named = any(QUOTE.search(word) for word, _ in held)
            said = ["" if named and is_long(item) else literal(item) for _, item in held]
            comma = "," if isinstance(value, tuple) and len(said) == 1 else ""
            whole = "" if named else ", ".join(word + text for (word, _), text in zip(held, said, strict=True)) + comma
            whole = whole and f"({whole})"
        if whole and not QUOTE.search(whole):
            self.lines += filled(whole[1:-1], indent + 4)
            self.line(indent, closing + after)
            return
        pad, most = " " * (indent + 4), WIDTH - indent - 5
        now: list[str] = []
        used = 0
        out = self.lines
        for (word, item), text in zip(held, said, strict=True):
            row = word + text
            beyond = not text or len(row) > most
            if (beyond or used + len(row) > most) and now:
                out.append(f"{pad}{', '.join(now)},")
                now, used = [], 0
            if beyond:
                self.value(indent + 4, word, item, ",")
                continue
            now.append(row)
            used += len(row) + 2
        if now:
            out.append(f"{pad}{', '.join(now)},")
        self.line(indent, closing + after)


def too_long(e: m.Expr) -> bool:
    """Whether an expression is a collection of so many items that no line holds it, or a call with one by name."""
    if isinstance(e, m.Lit):
        return is_long(e.value)
    return isinstance(e, m.Call) and any(isinstance(x, m.Lit) and is_long(x.value) for _, x in e.named)


def is_long(value: Any) -> bool:
    """The same of a plain value."""
    return isinstance(value, tuple | list | dict) and 3 * len(value) > WIDTH


def filled(text: str, indent: int) -> list[str]:
    """Numbers, as many in a line as there is room for; a line ends between two rows where it can."""
    found, at, most = [], 0, WIDTH - indent
    while len(text) - at > most:
        cut = text.rfind("), ", at, at + most) + 1 or text.rfind(", ", at, at + most)
        found.append(" " * indent + text[at : cut + 1])
        at = cut + 2
    return [*found, " " * indent + text[at:]]


BREAK: dict[type, Callable[[Lines, int, str, Any, str, int, bool], None]] = {
    m.Name: Lines._whole,
    m.Ref: Lines._whole,
    m.Slice: Lines._whole,
    m.Lit: Lines._break_lit,
    m.Call: Lines._break_call,
    m.Attr: Lines._break_attr,
    m.Index: Lines._break_index,
    m.Op: Lines._break_op,
    m.Neg: Lines._break_neg,
    m.Compare: Lines._break_compare,
    m.Both: Lines._break_both,
    m.Not: Lines._break_not,
    m.Cond: Lines._break_cond,
    m.Comp: Lines._break_comp,
    m.Lambda: Lines._break_lambda,
    m.Tup: Lines._break_tup,
    m.Lst: Lines._break_lst,
    m.Dct: Lines._break_dct,
    m.Star: Lines._break_star,
    m.Cited: Lines._break_cited,
}
