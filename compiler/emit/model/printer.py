"""Print the emission model as Python: the one place where text comes of it.

In:  expressions, statements and functions of the model, and the module that they are printed for.
Out: lines of text, the names that they take from modules, and where every line comes from.

Brackets stand only where precedence needs them. No line is longer than WIDTH: a longer one is broken inside its
brackets, one part a line. The cases that speak in a line are cited at its end, or above it where there is no room.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any

from rulewright.dsl.source import Span

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
from .literals import PLAIN, comment, items_of, literal, pieces, quoted
from .statements import Assign, Do, For, Function, Give, Hint, If, Param, Return, Stmt, Word, Yield

WIDTH = 120
SHORT = 30
"""Keys up to this length stay behind what they are looked up in."""
ANY, COND, OR, AND, NOT, COMPARE, ADD, TIMES, NEGATIVE, AFTER = range(10)
RANK = {"+": ADD, "-": ADD, "*": TIMES, "//": TIMES, "%": TIMES, "or": OR, "and": AND}
BY_MODULE = ("chapter_", "rules")
"""Modules whose functions are called through their module: they import one another in circles."""

Row = tuple[int, str, Span, str]
"""A line of a function, with its case, span and element."""


class Printer:
    """Prints for one module; `refs` are the names of other modules that were printed."""

    def __init__(self, home: str = "") -> None:
        self.home = home
        self.refs: set[tuple[str, str]] = set()
        self.cites: list[At] = []
        self.lines: list[str] = []
        self.rows: list[Row] = []
        self.last: tuple[str, ...] = ()
        self.cites_cases = True

    # ------------------------------------------------------------ one line

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
        text = f"{self.flat(e.left, mine)} {e.op} {self.flat(e.right, mine + 1)}"
        return f"({text})" if rank > mine else text

    def _neg(self, e: Neg, rank: int) -> str:
        text = f"-{self.flat(e.of, NEGATIVE)}"
        return f"({text})" if rank > NEGATIVE else text

    def _compare(self, e: Compare, rank: int) -> str:
        text = self.flat(e.first, ADD) + "".join([f" {op} {self.flat(x, ADD)}" for op, x in e.rest])
        return f"({text})" if rank > COMPARE else text

    def _both(self, e: Both, rank: int) -> str:
        mine = RANK[e.op]
        text = f" {e.op} ".join([self.flat(x, mine + 1) for x in e.parts])
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
        inner = [self.flat(x, COND) for x in e.items]
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

    # ------------------------------------------------------------ several lines

    def put(self, indent: int, before: str, e: Expr, after: str = "", rank: int = ANY, inside: bool = False) -> None:
        """An expression between two texts; broken where one line is too short. `inside` brackets lines end freely."""
        mark = len(self.cites)
        text = f"{before}{self.flat(e, rank)}{after}"
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
            if cases and cases != self.last and self.cites_cases:
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

    def _items(self, indent: int, rows: list[tuple[str, Expr]], closing: str) -> None:
        """What stands between brackets: on one line below them, or one a line."""
        mark = len(self.cites)
        inner = ", ".join([before + self.flat(e) for before, e in rows])
        if indent + 4 + len(inner) <= WIDTH:
            self.line(indent + 4, inner)
        else:
            del self.cites[mark:]
            for before, e in rows:
                self.put(indent + 4, before, e, ",", ANY, True)
        self.line(indent, closing)

    def _break_call(self, indent: int, before: str, e: Call, after: str, rank: int, inside: bool) -> None:
        if not (e.args or e.named):
            self.put(indent, before, e.fn, f"(){after}", AFTER)
            return
        self.put(indent, before, e.fn, "(", AFTER)
        if len(e.args) == 1 and not e.named and isinstance(e.args[0], Comp) and not e.args[0].brackets:
            self._loops(indent + 4, e.args[0])
            self.line(indent, ")" + after)
            return
        self._items(indent, [*(("", a) for a in e.args), *((f"{k}=", v) for k, v in e.named)], ")" + after)

    def _loops(self, indent: int, e: Comp) -> None:
        """The parts of a comprehension, one a line."""
        mark = len(self.cites)
        text = self.flat(Comp(e.element, e.loops), COND)
        if indent + len(text) <= WIDTH:
            self.line(indent, text)
            return
        del self.cites[mark:]
        self.put(indent, "", e.element, "", COND, True)
        for loop in e.loops:
            self.put(indent, f"for {self.target(loop.target)} in ", loop.over, "", OR, True)
            for test in loop.tests:
                self.put(indent, "if ", test, "", OR, True)

    def _break_comp(self, indent: int, before: str, e: Comp, after: str, rank: int, inside: bool) -> None:
        brackets = e.brackets or "()"
        self.line(indent, before + brackets[0])
        self._loops(indent + 4, e)
        self.line(indent, brackets[1] + after)

    def _rows(
        self, indent: int, before: str, rows: list[tuple[str, Expr, int]], after: str, bare: bool, inside: bool
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

    def _break_both(self, indent: int, before: str, e: Both, after: str, rank: int, inside: bool) -> None:
        mine = RANK[e.op]
        rows = [(f"{e.op} " * (i > 0), x, mine + 1) for i, x in enumerate(e.parts)]
        self._rows(indent, before, rows, after, rank <= mine, inside)

    def _break_cond(self, indent: int, before: str, e: Cond, after: str, rank: int, inside: bool) -> None:
        rows: list[tuple[str, Expr, int]] = [("", e.yes, OR), ("if ", e.test, OR), ("else ", e.no, OR)]
        self._rows(indent, before, rows, after, rank <= COND, inside)

    def _break_op(self, indent: int, before: str, e: Op, after: str, rank: int, inside: bool) -> None:
        mine = RANK[e.op]
        rows: list[tuple[str, Expr, int]] = []
        left: Expr = e
        while isinstance(left, Op) and RANK[left.op] == mine:
            rows.append((f"{left.op} ", left.right, mine + 1))
            left = left.left
        rows.append(("", left, mine))
        self._rows(indent, before, rows[::-1], after, rank <= mine, inside)

    def _break_compare(self, indent: int, before: str, e: Compare, after: str, rank: int, inside: bool) -> None:
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

    def _break_not(self, indent: int, before: str, e: Not, after: str, rank: int, inside: bool) -> None:
        if rank > NOT:
            before, after = before + "(", ")" + after
        self.put(indent, before + "not ", e.of, after, NOT)

    def _break_neg(self, indent: int, before: str, e: Neg, after: str, rank: int, inside: bool) -> None:
        if rank > NEGATIVE:
            before, after = before + "(", ")" + after
        self.put(indent, before + "-", e.of, after, NEGATIVE)

    def _break_lambda(self, indent: int, before: str, e: Lambda, after: str, rank: int, inside: bool) -> None:
        if rank > ANY:
            before, after = before + "(", ")" + after
        self.put(indent, f"{before}lambda {', '.join(e.params)}: ".replace("lambda :", "lambda:"), e.body, after, COND)

    def _break_tup(self, indent: int, before: str, e: Tup, after: str, rank: int, inside: bool) -> None:
        if len(e.items) == 1:
            self.line(indent, before + "(")
            self.put(indent + 4, "", e.items[0], ",", COND, True)
            self.line(indent, ")" + after)
            return
        self.line(indent, before + "(")
        self._items(indent, [("", x) for x in e.items], ")" + after)

    def _break_lst(self, indent: int, before: str, e: Lst, after: str, rank: int, inside: bool) -> None:
        self.line(indent, before + "[")
        self._items(indent, [("", x) for x in e.items], "]" + after)

    def _break_dct(self, indent: int, before: str, e: Dct, after: str, rank: int, inside: bool) -> None:
        self.line(indent, before + "{")
        self._items(indent, [(self.flat(k) + ": ", v) for k, v in e.items], "}" + after)

    def _break_index(self, indent: int, before: str, e: Index, after: str, rank: int, inside: bool) -> None:
        mark = len(self.cites)
        key = self.flat(e.key)
        if len(key) <= SHORT:
            self.put(indent, before, e.of, f"[{key}]{after}", AFTER)
            return
        del self.cites[mark:]
        self.put(indent, before, e.of, "[", AFTER)
        self.put(indent + 4, "", e.key, "", ANY, True)
        self.line(indent, "]" + after)

    def _break_attr(self, indent: int, before: str, e: Attr, after: str, rank: int, inside: bool) -> None:
        self.put(indent, before, e.of, f".{e.name}{after}", AFTER)

    def _break_star(self, indent: int, before: str, e: Star, after: str, rank: int, inside: bool) -> None:
        self.put(indent, before + "*", e.of, after, ADD)

    def _break_cited(self, indent: int, before: str, e: Cited, after: str, rank: int, inside: bool) -> None:
        self.cites.append(e.at)
        BREAK[type(e.of)](self, indent, before, e.of, after, rank, inside)

    def _break_lit(self, indent: int, before: str, e: Lit, after: str, rank: int, inside: bool) -> None:
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
            self.line(indent, f"{before}{self._lit(Lit(value), ANY)}{after}")
            return
        opening, items, closing = items_of(value)
        self.line(indent, before + opening)
        pad, most = " " * (indent + 4), WIDTH - indent - 5
        now: list[str] = []
        used = 0
        out = self.lines
        for word, item in items:
            text = word + (quoted(item) if type(item) in PLAIN else self._lit(Lit(item), ANY))
            if used + len(text) > most and now:
                out.append(f"{pad}{', '.join(now)},")
                now, used = [], 0
            if len(text) > most:
                self.value(indent + 4, word, item, ",")
                continue
            now.append(text)
            used += len(text) + 2
        if now:
            out.append(f"{pad}{', '.join(now)},")
        self.line(indent, closing + after)

    # ------------------------------------------------------------ statements

    def block(self, body: Iterable[Stmt], indent: int) -> None:
        for s in body:
            STATEMENT[type(s)](self, s, indent)

    def head(self, at: At | None, indent: int, before: str, e: Expr, after: str = "") -> None:
        """A statement with what it comes from, in each of its lines."""
        if at is None:
            self.put(indent, before, e, after)
            return
        first = len(self.lines)
        self.cites.append(at)
        self.put(indent, before, e, after)
        self.rows += [(i, at.case, at.span, at.element) for i in range(first + 1, len(self.lines))]

    def _assign(self, s: Assign, indent: int) -> None:
        before = "".join([f"{self.target(t)} = " for t in s.targets])
        if isinstance(s.value, Tup) and isinstance(s.targets[0], Tup) and len(s.value.items) > 1:
            mark = len(self.cites)
            text = f"{before}{', '.join([self.flat(x, COND) for x in s.value.items])}"
            if indent + len(text) <= WIDTH:
                self.cites += [s.at] if s.at is not None else []
                self.line(indent, text)
                return
            del self.cites[mark:]
        self.head(s.at, indent, before, s.value)

    def _return(self, s: Return, indent: int) -> None:
        if s.value is None:
            self.lines.append(" " * indent + "return")
        else:
            self.head(s.at, indent, "return ", s.value)

    def _if(self, s: If, indent: int, word: str = "if ") -> None:
        self.head(s.at, indent, word, s.test, ":")
        self.block(s.body, indent + 4)
        if len(s.orelse) == 1 and isinstance(s.orelse[0], If):
            self._if(s.orelse[0], indent, "elif ")
        elif s.orelse:
            self.lines.append(" " * indent + "else:")
            self.block(s.orelse, indent + 4)

    def _for(self, s: For, indent: int) -> None:
        self.head(s.at, indent, f"for {self.target(s.target)} in ", s.over, ":")
        self.block(s.body, indent + 4)

    def _do(self, s: Do, indent: int) -> None:
        self.head(s.at, indent, "", s.value)

    def _yield(self, s: Yield, indent: int) -> None:
        self.head(s.at, indent, "yield ", s.value)

    def _word(self, s: Word, indent: int) -> None:
        self.lines.append(" " * indent + s.word)

    def _give(self, s: Give, indent: int) -> None:
        raise ValueError("an answer that nobody said how to give")

    # ------------------------------------------------------------ functions

    def hint(self, hint: Hint | None) -> str:
        if hint is None:
            return ""
        self.refs.update(hint.refs)
        return hint.text

    def param(self, p: Param) -> str:
        text = f"{p.name}: {self.hint(p.hint)}" if p.hint is not None else p.name
        if p.default is None:
            return text
        return f"{text} = {self.flat(p.default)}" if p.hint is not None else f"{text}={self.flat(p.default)}"

    def function(self, f: Function) -> None:
        """A function, after two blank lines."""
        self.last = ()
        params = [self.param(p) for p in f.params]
        returns = f" -> {self.hint(f.returns)}" if f.returns is not None else ""
        self.lines += ["", ""]
        text = f"def {f.name}({', '.join(params)}){returns}:"
        if len(text) <= WIDTH:
            self.lines.append(text)
        elif len(text) - len(f.name) - len(returns) <= WIDTH:
            self.lines += [f"def {f.name}(", "    " + ", ".join(params), f"){returns}:"]
        else:
            self.lines += [f"def {f.name}(", *(f"    {p}," for p in params), f"){returns}:"]
        doc = comment(f.doc)
        if len(doc) + 10 <= WIDTH:
            self.lines.append(f'    """{doc}"""')
        else:
            cut = doc.rfind(" ", 0, WIDTH - 10)
            cut = cut if cut > 0 else WIDTH - 10
            self.lines += [f'    """{doc[:cut].rstrip()}', *wrapped(doc[cut:].strip()), '    """']
        self.block(f.body, 4)


def wrapped(text: str) -> list[str]:
    """The rest of a long docstring."""
    found = []
    while len(text) > WIDTH - 8:
        cut = text.rfind(" ", 0, WIDTH - 8)
        cut = cut if cut > 0 else WIDTH - 8
        found.append("    " + text[:cut].rstrip())
        text = text[cut:].strip()
    return [*found, "    " + text] if text else found


FLAT: dict[type, Callable[[Printer, Any, int], str]] = {
    Name: Printer._name,
    Ref: Printer._ref,
    Lit: Printer._lit,
    Call: Printer._call,
    Attr: Printer._attr,
    Index: Printer._index,
    Slice: Printer._slice,
    Op: Printer._op,
    Neg: Printer._neg,
    Compare: Printer._compare,
    Both: Printer._both,
    Not: Printer._not,
    Cond: Printer._cond,
    Comp: Printer._comp,
    Lambda: Printer._lambda,
    Tup: Printer._tup,
    Lst: Printer._lst,
    Dct: Printer._dct,
    Star: Printer._star,
    Cited: Printer._cited,
}
BREAK: dict[type, Callable[[Printer, int, str, Any, str, int, bool], None]] = {
    Name: Printer._whole,
    Ref: Printer._whole,
    Slice: Printer._whole,
    Lit: Printer._break_lit,
    Call: Printer._break_call,
    Attr: Printer._break_attr,
    Index: Printer._break_index,
    Op: Printer._break_op,
    Neg: Printer._break_neg,
    Compare: Printer._break_compare,
    Both: Printer._break_both,
    Not: Printer._break_not,
    Cond: Printer._break_cond,
    Comp: Printer._break_comp,
    Lambda: Printer._break_lambda,
    Tup: Printer._break_tup,
    Lst: Printer._break_lst,
    Dct: Printer._break_dct,
    Star: Printer._break_star,
    Cited: Printer._break_cited,
}
STATEMENT: dict[type, Callable[[Printer, Any, int], None]] = {
    Assign: Printer._assign,
    Return: Printer._return,
    Give: Printer._give,
    If: Printer._if,
    For: Printer._for,
    Do: Printer._do,
    Yield: Printer._yield,
    Word: Printer._word,
}
