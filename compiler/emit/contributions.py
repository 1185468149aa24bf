"""Emit reckonings: what several cases add to one value, step by step.

In:  a definition with its steps and contributions; its value so far stands in `value`.
Out: lines that add the parts of each step, round and cap. Where it can be foreseen that nothing else comes of it, parts
     are reckoned as they are found, and a value that is whole anyway is not rounded.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ..core import nodes as c
from .exceptions import Exceptions
from .expressions import Printer, fraction, mangle, rounded_part
from .module import Function
from .traced import telling, told_lines


class Reckoning(Exceptions):
    """Contributions to a value."""

    def contributions(
        self, f: Function, d: c.Definition, p: Printer, bare: bool, helper: Callable[[c.Layer], str]
    ) -> None:
        """All steps, and the value that comes of them; `helper` makes a function for a layer that needs one."""
        params = ", ".join(["S", *(mangle(x.name) for x in d.params)])
        number = d.type.name in ("number", "ratio")
        if self.traced:
            f.lines += [f"case = {d.case!r}", *(["reckoning = []"] if number else [])]
        stages = d.stages or (c.Stage(name=""),)
        whole = number and self._is_whole(d.base)
        for stage in stages:
            mine = [x for x in d.contributions if x.stage == stage.name or not d.stages]
            if number and self._all_alike(stage, mine):
                whole = self._one_of(f, stage, mine, whole)
                continue
            if number and self._in_order(stage, mine):
                taken = {*(x.name for x in d.params), *(name for name, _ in d.base.lets)}
                whole = self._reckon(f, stage, mine, p, whole, taken)
                continue
            if number:
                f.lines.append("parts = []")
            for x in mine:
                self._contribution(f, d, x, params, number, helper)
            if number:
                most = p(stage.most) if stage.most is not None else "None"
                least = p(stage.least) if stage.least is not None else "None"
                trace = ", reckoning" if self.traced else ""
                step = f"value = step_value(value, parts, {stage.round!r}, {stage.once}, {most}, {least}{trace})"
                cited = ["if parts:", "    case = parts[-1][0]"] if self.traced else ["if parts:"]
                if whole and (most, least) == ("None", "None"):
                    f.lines += [*cited, f"    {step}"]
                else:
                    f.lines += [*cited[: 2 * self.traced], step]
                whole = whole and bool(stage.round)
        if not self.traced or (bare and not number):
            f.lines.append("return value")
        elif bare:
            f.lines += told_lines(telling("", [], "''", "value", "reckoning", leaf=True))
        else:
            f.lines.append(self.told(d, "case", "value", "reckoning" if number else "()"))

    def _contribution(
        self,
        f: Function,
        d: c.Definition,
        x: c.Contribution,
        params: str,
        number: bool,
        helper: Callable[[c.Layer], str],
    ) -> None:
        """What one case adds: to the parts of a reckoning, to a set, or to a flag."""
        add = "parts.append({})" if number else "value = union(value, {})" if d.type.many else "value = value or {}"
        if self.traced and not number:
            add = f"{add.replace('value = ', 'value, case = ')}, {x.layer.case!r}"
        before, _, after = add.partition("{}")
        layer = x.layer
        if self.in_place(layer):

            def give(text: str, operation: str) -> str:
                part = f"({layer.case!r}, {operation or 'plus'!r}, {text})" if number else text
                return f"{before}{part}{after}"

            self.clauses_of(f, layer, give, "elif")
            return
        name = helper(layer)
        self.sink(f)
        f.lines.append(self.at(f"hit = {name}({params})", layer.case, layer.span, layer.id + " asked"))
        hit = "hit[1]" if self.traced and not number else "hit"
        f.lines += ["if hit is not NOTHING:", f"    {before}{hit}{after}"]

    def _all_alike(self, stage: c.Stage, mine: list[c.Contribution]) -> bool:
        """Whether the parts of a step of which one counts are all the same, and can be asked until one applies."""
        clauses = [clause for x in mine for clause in x.layer.clauses]
        if not (self.folded and stage.once and clauses and len(clauses) == len(mine)):
            return False
        first = clauses[0]
        if first.value.op != "const" or any(
            x.guard is None or (x.operation, x.value.op, x.value.info) != (first.operation, "const", first.value.info)
            for x in clauses
        ):
            return False
        if not all(self.in_place(x.layer) for x in mine) or stage.most is not None or stage.least is not None:
            return False
        return all(self.constants.foreseen.is_sure(x.guard) for x in clauses if x.guard is not None)

    def _one_of(self, f: Function, stage: c.Stage, mine: list[c.Contribution], whole: bool) -> bool:
        """A step of which one part counts, all of them alike: it counts as soon as one applies."""
        f.lines.append("if (")
        for i, x in enumerate(mine):
            p = self.printer(usual=self.usuals.get(x.layer.id, ""))
            clause = x.layer.clauses[0]
            assert clause.guard is not None
            f.lines.append(self.at(f"    {'or ' if i else ''}{p(clause.guard)}", x.layer.case, clause.span, x.layer.id))
        clause = mine[0].layer.clauses[0]
        sign = "*" if clause.operation == "times" else "+"
        given = f"value {sign} {self.printer()(clause.value)}"
        is_number = whole and isinstance(clause.value.info, int)
        rounded = given if is_number else f"{stage.round or 'exact'}({given})"
        f.lines += ["):", f"    value = {rounded}"]
        if not whole:
            f.lines += ["else:", f"    value = {stage.round or 'exact'}(value)"]
        return is_number or (whole and bool(stage.round))

    def _in_order(self, stage: c.Stage, mine: list[c.Contribution]) -> bool:
        """Whether the parts of a step can be reckoned one after another as they are found."""
        return not stage.once and not self.traced and all(self.in_place(x.layer) for x in mine)

    def _reckon(
        self, f: Function, stage: c.Stage, mine: list[c.Contribution], p: Printer, whole: bool, taken: set[str]
    ) -> bool:
        """One step of a reckoning in place: what each case adds, then rounding, then caps.

        Says whether the value is whole afterwards, if it was before; a whole one is rounded only where parts came.
        """
        again = whole and len(mine) == 1 and len(mine[0].layer.clauses) == 1
        part = self._part_of(stage, mine[0]) if again and self.folded else ""
        if part:
            self.clauses_of(f, mine[0].layer, lambda _, how: f"value = {part}")
            return (stage.most is None and stage.least is None) or self._capped(f, stage, p)
        for x in mine:
            layer, clause = x.layer, x.layer.clauses[0]
            if clause.guard is None:
                value = self.sums(f, clause.value, p, taken, (layer.case, layer.id))
                layer = replace(layer, clauses=(replace(clause, value=value),))
            self.clauses_of(f, layer, lambda v, how: f"value = value {'*' if how == 'times' else '+'} {v}", "elif")
        guarded = again and mine[0].layer.clauses[0].guard is not None
        if self.folded and whole and all([self._is_whole(x.layer) for x in mine]):
            self._capped(f, stage, p)
            return stage.most is None and stage.least is None
        if mine or not whole:
            f.lines.append(f"{'    ' if guarded else ''}value = {stage.round or 'exact'}(value)")
        self._capped(f, stage, p)
        return whole and (bool(stage.round) or not mine) and stage.most is None and stage.least is None

    def _capped(self, f: Function, stage: c.Stage, p: Printer) -> bool:
        for cap, than in ((stage.most, ">"), (stage.least, "<")):
            if cap is not None:
                f.lines += [f"if value {than} {p(cap)}:", f"    value = {p(cap)}"]
        return False

    def _is_whole(self, layer: c.Layer) -> bool:
        """Whether the clauses of a layer give whole numbers only."""
        return all([self.constants.foreseen.is_whole(clause.value) for clause in layer.clauses])

    def _part_of(self, stage: c.Stage, x: c.Contribution) -> str:
        """A whole number times a fraction, rounded: reckoned in whole numbers."""
        clause = x.layer.clauses[0]
        times = fraction(clause.value) if clause.operation == "times" else None
        if times is None or times <= 0 or stage.round not in ("up", "down"):
            return ""
        return rounded_part("value", times, stage.round)[1:-1]
