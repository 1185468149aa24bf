"""Print the emission model as Python: the one place where text comes of it.

In:  expressions, statements and functions of the model, and the module that they are printed for.
Out: lines of text, the names that they take from modules, and where every line comes from.

Brackets stand only where precedence needs them. No line is longer than WIDTH: a longer one is broken inside its
brackets, one part a line. The cases that speak in a line are cited at its end, or above it where there is no room.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from .expressions import At, Expr, Tup
from .flat import COND
from .lines import WIDTH, Lines, Row
from .literals import comment
from .statements import Assign, Do, For, Function, Give, Hint, If, Param, Return, Stmt, Word, Yield

__all__ = ["WIDTH", "Printer", "Row"]


class Printer(Lines):
    """Prints statements and functions of one module."""

    def block(self, body: Iterable[Stmt], indent: int) -> None:
        """Statements of a block, in which cases are cited anew; so they are after it, where it cited others."""
        above, self.last = self.last, ()
        for s in body:
            STATEMENT[type(s)](self, s, indent)
        self.last = above if self.last in ((), above) else ()

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
