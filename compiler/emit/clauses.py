"""Emit clauses: what one layer says where nothing excepts it, in place.

In:  a layer of a definition, and how its value is given: returned, noted, or added to others.
Out: lines of the function that asks; in the traced twin an answer is told, or handed on together with its case.
"""

from __future__ import annotations

from collections.abc import Callable

from ..analyse.dependencies import ASKING
from ..analyse.inline import TABLE
from ..core import nodes as c
from ..core.walk import definition_exprs
from .expressions import Printer, mangle
from .memoised import Keeping
from .module import Function
from .traced import telling


class Clauses(Keeping):
    """Clauses in place, and answers as they are given."""

    def in_place(self, layer: c.Layer) -> bool:
        """Whether what a layer says can stand where it is asked, without a function of its own."""
        return not (layer.exceptions or layer.waivers or layer.lets)

    def clauses_of(self, f: Function, layer: c.Layer, give: Callable[[str, str], str], word: str = "if") -> None:
        """The clauses of a layer in place; `give` turns a value and its operation into a statement."""
        p = self.printer(usual=self.usuals.get(layer.id, ""))
        for i, clause in enumerate(layer.clauses):
            given = give(p(clause.value), clause.operation)
            if clause.guard is None:
                pad = "" if word == "if" or not i else "    "
                f.lines += ["else:"] if pad else []
                f.lines.append(self.at(pad + given, layer.case, clause.span, layer.id))
                return
            test = f"{word if i else 'if'} {p(clause.guard)}:"
            f.lines.append(self.at(test, layer.case, clause.span, layer.id + " guard"))
            f.lines.append(self.at(f"    {given}", layer.case, clause.span, layer.id))

    def sums(self, f: Function, e: c.Expr, p: Printer, taken: set[str], by: tuple[str, str]) -> c.Expr:
        """Sums that a value asks for in any case, added up before it; a loop is faster than a list."""
        if (
            not self.folded
            or e.op in ("and", "or", "choose", "suppose", "else")
            or (isinstance(e, c.Loop) and not isinstance(e, c.SumOf))
        ):
            return e
        said = p.folded(e)
        if said is not None:
            return self.sums(f, said, p, taken, by)
        if e.op != "sum" or str(e.info) in taken:
            return e.with_args(tuple(self.sums(f, a, p, taken, by) for a in e.args)) if e.args else e
        name = f"total_{sum(line.startswith('total_') for line in f.lines) + 1}"
        var, over = str(e.info), e.args[0]
        narrow = over.op == "filter" and over.info == var
        text, test = p._narrow(over.args[0], over.args[1], var) if narrow else (p(over), None)
        lines = [f"for {mangle(var)} in {text}:", f"    {name} = {name} + {p.with_var(var, e.args[1])}"]
        if test is not None:
            lines[1:] = [f"    if {p.with_var(var, test)}:", "    " + lines[1]]
        f.lines += [f"{name} = 0", *(self.at(line, by[0], e.span, by[1]) for line in lines)]
        return c.Total(name, type=e.type, span=e.span)

    def answer(self, d: c.Definition, case: str, text: str) -> str:
        """The statement that gives an answer; the traced twin tells it, or hands it on together with its case."""
        if not self.traced:
            return f"return {text}"
        if not self.top:
            return f"return ({case!r}, {text})"
        return self.told(d, repr(case), text)

    def told(self, d: c.Definition, case: str, value: str, parts: str = "()") -> str:
        return telling(d.name, [mangle(p.name) for p in d.params], case, value, parts, self.asks_nothing(d))

    def handed_on(self, d: c.Definition) -> str:
        """The answer of an exception in the traced twin, which comes with its case."""
        return self.told(d, "hit[0]", "hit[1]") if self.top else "return hit"

    def asks_nothing(self, d: c.Definition) -> bool:
        """Whether a definition asks nothing that is told of in turn, and its node is not kept."""
        if d.gathered or self.worth_keeping(d):
            return False
        found = [clause.value for layer in d.layers() for clause in layer.clauses]
        tables = [e.args for e in found if e.op == "call" and self.constants.how(str(e.info)) == TABLE]
        mine = [e for e in definition_exprs(d) if e.op != "call" or self.constants.how(str(e.info)) != TABLE]
        asked = (e for top in (*mine, *(x for args in tables for x in args)) for e in top.walk())
        return not any(isinstance(e, ASKING) or e.op in ("table", "usual", "memory") for e in asked)
