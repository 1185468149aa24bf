"""Emit definitions: a function for each, and for each exception that cannot stand in place.

In:  a definition of the core: layers with their exceptions, waivers and clauses.
Out: functions of the generated module, helpers above the one that asks them.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial

from ..core import nodes as c
from ..core.types import empty_of
from ..core.walk import layer_values
from .bans import waived
from .contributions import Reckoning
from .expressions import Printer, literal, mangle
from .memoised import keeping
from .module import Function
from .traced import BEGIN, told_lines

CALL = re.compile(r"\bd_\w+\(S(?:, \w+)*\)")
FIRST = re.compile(r"(?:if|return|\w+ =) [-(]*$")


class Layers(Reckoning):
    """Definitions, layer by layer."""

    def definition(self, d: c.Definition) -> None:
        always = d.sort == "memory" and self.book.memories[d.name].how == "always"
        name = mangle(d.name, "d")
        if always or not self.worth_keeping(d):
            self.layer(d, d.base, True, name=name)
            for f in self.functions:
                f.lines[:] = [line for x in f.lines for line in told_lines(x)]
        else:
            self._kept_definition(d, name)

    def _kept_definition(self, d: c.Definition, name: str) -> None:
        """A definition whose answers are kept: the look-up first, then its body, which keeps what it gives."""
        names, owner, rests = self.kept_by(d)
        self.layer(d, d.base, True, name=name)
        f = next(x for x in self.functions if x.name == name)
        look_up = self.function(f"{name}__memo", "", "")
        self.memoised(look_up, name, names, "", rests, owner)
        self.functions.remove(look_up)
        key = names if "," not in names and names else "key"
        if self.traced:
            look_up.lines[-3] = f"    return tell_again(S, memo[{key}])"
        f.lines[:] = [*look_up.lines[:-2], *(line for x in f.lines for line in keeping(x, key))]

    def layer(
        self, d: c.Definition, layer: c.Layer, base: bool, contribution: str | None = None, name: str = ""
    ) -> str:
        """A function for what one case says; exceptions first, then its own clauses."""
        params = ", ".join(["S", *(mangle(p.name) for p in d.params)])
        always = d.sort == "memory" and self.book.memories[d.name].how == "always"
        keep = ", keep=None" if always else ""
        pass_keep = ", keep=keep" if always else ""
        name = name or self.unique(f"{mangle(d.name, 'x')}__{mangle(layer.case, 'c')}")
        self.taken.add(name)
        self.made.add(name)
        if any(e.op == "usual" for x in layer.exceptions for top in layer_values(x) for e in top.walk()):
            for x in layer.exceptions:
                self.usuals[x.id] = f"{name}__usual({params}{pass_keep})"
            own = self.function(
                f"{name}__usual", params + keep, f"{self.title(layer.case)}: {d.name}, without exceptions."
            )
            self.clauses(own, d, layer, base, None, bare=True)
        only = self._always(layer) if contribution is None else None
        made = {x.id: self.layer(d, x, False) for x in (only or layer).exceptions if not self.in_place(x)}
        cases = ", ".join(dict.fromkeys(x.case for x in layer.exceptions)) if base else ""
        more = f" Excepted by {cases}." if cases else ""
        f = self.function(name, params + keep, f"{self.title(layer.case)}: {d.name}.{more}")
        p = self.printer(usual=self.usuals.get(layer.id, ""))
        outer, self.top = self.top, base
        if base and self.traced and not self.asks_nothing(d):
            f.lines.append(BEGIN)
        if layer.waivers:
            f.lines.append(
                self.at(
                    f"if {waived(layer.waivers, p)}:",
                    layer.waivers[0].case,
                    layer.waivers[0].span,
                    layer.waivers[0].id,
                )
            )
            f.lines.append("    return NOTHING")
        if not base and layer.exceptions:
            self._applies(f, layer, p)
        amount = (
            (layer.clauses[0].operation or contribution) if contribution and d.type.name in ("number", "ratio") else ""
        )
        if only is not None:
            self.exceptions(f, d, only, made, params + pass_keep)
            self.clauses(f, d, only, False, None)
        else:
            self.exceptions(f, d, layer, made, params + pass_keep, amount)
            self.clauses(f, d, layer, base, contribution)
        if self.folded:
            once_each(f)
        self.top = outer
        return name

    def _always(self, layer: c.Layer) -> c.Layer | None:
        """An exception that always applies: what it says stands in for what it excepts."""
        only = layer.exceptions[0] if (self.folded or self.traced) and len(layer.exceptions) == 1 else None
        if only is None or only.waivers or self.in_place(only) or only.clauses[-1].guard is not None:
            return None
        asked = (e for x in only.walk() for top in layer_values(x) for e in top.walk())
        return None if any(e.op == "usual" for e in asked) else only

    def _applies(self, f: Function, layer: c.Layer, p: Printer) -> None:
        """An exception to an exception counts only where the exception itself applies."""
        guards = [x.guard for x in layer.clauses]
        if any(g is None for g in guards):
            return
        for name, value in layer.lets:
            f.lines.append(f"{mangle(name)} = {p(value)}")
        f.lines.append(f"if not ({' or '.join(p(g) for g in guards if g is not None)}):")
        f.lines.append("    return NOTHING")

    def clauses(
        self, f: Function, d: c.Definition, layer: c.Layer, base: bool, contribution: str | None, bare: bool = False
    ) -> None:
        """What a layer says by itself; `bare` values come without their case."""
        p = self.printer(usual=self.usuals.get(layer.id, ""))
        taken = {x.name for x in d.params} | {name for name, _ in layer.lets}
        for name, value in layer.lets:
            value = self.sums(f, value, p, taken, (layer.case, layer.id))
            f.lines.append(self.at(f"{mangle(name)} = {p(value)}", layer.case, value.span, layer.id))
        staged = base and d.gathered
        for clause in layer.clauses:
            if clause.guard is None:
                clause = replace(clause, value=self.sums(f, clause.value, p, taken, (layer.case, layer.id)))
            text = p(clause.value)
            case = "" if clause.value.op == "keep" else layer.case  # no case is cited for what stays as it was
            given = f"value = {text}" if staged else self.answer(d, case, text)
            if bare and not staged:
                given = f"return {text}"
            elif contribution is not None and d.type.name in ("number", "ratio"):
                given = f"return ({layer.case!r}, {clause.operation or contribution!r}, {text})"
            if clause.guard is None:
                f.lines.append(self.at(given, layer.case, clause.span, layer.id))
                break
            word = "elif" if staged and clause is not layer.clauses[0] else "if"
            f.lines.append(self.at(f"{word} {p(clause.guard)}:", layer.case, clause.span, layer.id + " guard"))
            f.lines.append(self.at(f"    {given}", layer.case, clause.span, layer.id))
        else:
            if base and staged:
                f.lines += ["else:", f"    value = {literal(empty_of(d.type))}"]
            elif base:
                always = d.sort == "memory" and self.book.memories[d.name].how == "always"
                nothing = "keep" if always else literal(empty_of(d.type))
                f.lines.append(f"return {nothing}" if bare else self.answer(d, "", nothing))
            else:
                f.lines.append("return NOTHING")
        if staged:
            if len(layer.clauses) > 1 and layer.clauses[-1].guard is None:
                last = f.lines.pop()
                f.lines += ["else:", "    " + last]
            self.contributions(f, d, p, bare, partial(self.layer, d, base=False, contribution="plus"))


def once_each(f: Function) -> None:
    """A definition that a function asks at once and asks again is asked once."""
    text = "\n".join(f.lines)
    if "suppose(" in text or "lambda" in text:
        return
    for call in dict.fromkeys(CALL.findall(text)):
        at = next(i for i, line in enumerate(f.lines) if call in line)
        names = call[:-1].split(", ")[1:]
        if text.count(call) < 2 or not FIRST.match(f.lines[at].split(call)[0]):
            continue
        if any(re.search(rf"\bfor {name} in|^ *{name} = ", text, re.MULTILINE) for name in names):
            continue
        name = f"the_{call[2:].split('(')[0]}"
        if name in text:
            continue
        f.lines[at:] = [f"{name} = {call}", *(line.replace(call, name) for line in f.lines[at:])]
