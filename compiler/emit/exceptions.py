"""Emit exceptions: which of several cases speaks first.

In:  a layer with what excepts it, and the functions that were made for those that need one.
Out: lines that ask the exceptions: one that outranks the others before them, others in turn or side by side, where
     two of a rank must agree.
"""

from __future__ import annotations

from ..core import nodes as c
from .clauses import Clauses
from .module import Function


class Exceptions(Clauses):
    """What excepts a layer."""

    def exceptions(
        self, f: Function, d: c.Definition, layer: c.Layer, made: dict[str, str], params: str, operation: str = ""
    ) -> None:
        """Ask what excepts a layer; where it is a contribution, an exception works by the same operation."""
        ordered = sorted(layer.exceptions, key=lambda x: not x.outranks)
        while ordered and ordered[0].id not in made and {y.id for y in ordered[1:]} <= set(ordered[0].outranks):
            x = ordered.pop(0)  # it wins over all the others
            case = x.case
            self.clauses_of(
                f,
                x,
                lambda v, _, case=case: (  # type: ignore[misc]
                    f"return ({case!r}, {operation!r}, {v})" if operation else self.answer(d, case, v)
                ),
            )
            if x.clauses[-1].guard is None:
                return
        if not ordered:
            return
        if len(ordered) == 1:
            x = ordered[0]
            f.lines.append(self.at(f"hit = {made[x.id]}({params})", x.case, x.span, x.id + " asked"))
            answer = f"return ({x.case!r}, {operation!r}, hit)" if operation else "return hit"
            if self.traced:
                answer = f"return (hit[0], {operation!r}, hit[1])" if operation else self.handed_on(d)
            f.lines += ["if hit is not NOTHING:", f"    {answer}"]
            return
        answer = f"return (hit[0], {operation!r}, hit[1])" if operation else "return hit[1]"
        if self.traced and not operation:
            answer = self.handed_on(d)
        most = 3 if self.folded else 2 if self.traced else 0
        if not made and all(plain_rank(ordered, i) for i in range(len(ordered))) and few(ordered, most):
            self._exceptions_at_once(f, d, ordered, operation)
            return
        if not made and all(plain_rank(ordered, i) for i in range(len(ordered))):
            self._exceptions_in_turn(f, d, ordered)
            f.lines += ["if hit is not None:", f"    {answer}"]
            return
        for i, x in enumerate(ordered):
            if x.id in made:
                f.lines.append(self.at(f"value_{i} = {made[x.id]}({params})", x.case, x.span, x.id + " asked"))
                continue
            if x.clauses[-1].guard is not None:
                f.lines.append(f"value_{i} = NOTHING")
            if self.traced:
                self.clauses_of(f, x, lambda v, _, i=i, x=x: f"value_{i} = ({x.case!r}, {v})", "elif")  # type: ignore[misc]
                continue
            self.clauses_of(f, x, lambda v, _, i=i: f"value_{i} = {v}", "elif")  # type: ignore[misc]
        f.lines.append("if " + " or ".join(f"value_{i} is not NOTHING" for i in range(len(ordered))) + ":")
        f.lines.append("    hit = None")
        for i, x in enumerate(ordered):
            outranked = outrankers(ordered, i)
            guard = "".join(f" and value_{j} is NOTHING" for j in outranked)
            f.lines.append(f"    if value_{i} is not NOTHING{guard}:")
            given = f"agree(hit, {x.case!r}, value_{i}, {d.name!r})"
            if self.traced:
                given = f"(value_{i}[0], agree(hit, *value_{i}, {d.name!r})[1])"
            f.lines.append(f"        hit = {given}")
        f.lines += ["    if hit is not None:", f"        {answer}"]

    def _exceptions_in_turn(self, f: Function, d: c.Definition, ordered: list[c.Layer]) -> None:
        """Exceptions one after another: an outranked one is asked only where none before it has an answer."""
        f.lines.append("hit = None")
        for i, x in enumerate(ordered):
            pad = "    " if outrankers(ordered, i) else ""
            f.lines += ["if hit is None:"] if pad else []
            first = not i or pad
            start = len(f.lines)
            self.clauses_of(
                f,
                x,
                lambda v, _, x=x, first=first: (  # type: ignore[misc]
                    f"hit = ({x.case!r}, {v})" if first else f"hit = {self._agreed(x, v, d)}"
                ),
                "elif",
            )
            f.lines[start:] = [pad + line for line in f.lines[start:]]

    def _agreed(self, x: c.Layer, value: str, d: c.Definition) -> str:
        """What two exceptions say that both apply; the traced twin cites the later one."""
        agreed = f"agree(hit, {x.case!r}, {value}, {d.name!r})"
        return f"({x.case!r}, {agreed}[1])" if self.traced else agreed

    def _exceptions_at_once(self, f: Function, d: c.Definition, ordered: list[c.Layer], operation: str) -> None:
        """A few exceptions of one clause: the first that applies answers, once those of its rank are known to agree."""
        printed = []
        for x in ordered:
            p = self.printer(usual=self.usuals.get(x.id, ""))
            guard = x.clauses[0].guard
            assert guard is not None
            printed.append((x, p(guard), p(x.clauses[0].value)))
        for i, (x, test, value) in enumerate(printed):
            span = x.clauses[0].span
            f.lines.append(self.at(f"if {test}:", x.case, span, x.id + " guard"))
            for j, (y, also, other) in enumerate(printed[i + 1 :], i + 1):
                if outrankers(ordered, j) or value == other:
                    continue
                f.lines.append(self.at(f"    if {also}:", y.case, y.clauses[0].span, y.id + " guard"))
                f.lines.append(f"        agree(({x.case!r}, {value}), {y.case!r}, {other}, {d.name!r})")
                if self.traced and not operation:  # of two that agree the later is cited
                    f.lines.append(f"        {self.answer(d, y.case, value)}")
            answer = f"return ({x.case!r}, {operation!r}, {value})" if operation else self.answer(d, x.case, value)
            f.lines.append(self.at(f"    {answer}", x.case, span, x.id))


def outrankers(ordered: list[c.Layer], i: int) -> list[int]:
    """Which of several exceptions win over one of them."""
    return [j for j, y in enumerate(ordered) if ordered[i].id in y.outranks]


def plain_rank(ordered: list[c.Layer], i: int) -> bool:
    """Whether an exception yields to none or to all before it."""
    return outrankers(ordered, i) in ([], list(range(i)))


def few(ordered: list[c.Layer], most: int) -> bool:
    """Whether exceptions are so few and short that each may stand beside every other."""
    return len(ordered) <= most and all(len(x.clauses) == 1 and x.clauses[0].guard is not None for x in ordered)
