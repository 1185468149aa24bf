"""Emit tables, least sets and matchings.

In:  a table, a grow or a matching of the core.
Out: the functions that look it up, grow it, or tell the plans that it allows.
"""

from __future__ import annotations

from ..core import nodes as c
from .bans import refusal
from .definitions import Layers
from .expressions import literal, mangle
from .memo_dependencies import Rests
from .traced import BEGIN, telling, told_lines


class Sets(Layers):
    """What is looked up, grown or matched."""

    def table(self, table: c.Table) -> None:
        name = mangle(table.name, "table")
        f = self.function(name, "S, key", f"{self.title(table.case)}.")
        line = f"return {self.constants.table(table)}[key]"
        if self.traced:
            line = telling(table.name, "key", repr(table.case), line.removeprefix("return "), leaf=True)
        f.lines += told_lines(self.at(line, table.case, table.span, f"table {table.name}"))

    def grow(self, g: c.Grow) -> None:
        names = [mangle(x.name) for x in g.params]
        params = ", ".join(["S", *names])
        p = self.printer()
        name = mangle(g.name, "g")
        f = self.function(name, params, f"{self.title(g.case)}: the least set {g.name}.")
        key = literal(g.name) + "".join(f", {x}" for x in names)
        domain, test = p(g.domain), p.with_var("it", g.test)
        call = f"grow(S, ({key},), lambda: {domain}, lambda it: {test})"
        if self.traced:
            line = self.at(telling(g.name, names, repr(g.case), call), g.case, g.span, f"grow {g.name}")
            f.lines += [BEGIN, *told_lines(line)]
            return
        self.memoised(f, name, ", ".join(names), call, Rests(("grow", g.name)))
        f.lines[-2] = self.at(f.lines[-2], g.case, g.span, f"grow {g.name}")

    def matching(self, m: c.Matching) -> None:
        names = [mangle(x.name) for x in m.params]
        params = ", ".join(["S", *names])
        base = mangle(m.name, "m")
        title = self.title(m.case)
        p = self.printer()
        item, target = mangle(m.item), mangle(m.target)
        pair = self.function(
            f"{base}_pair", f"{params}, {item}, {target}", f"{title}: whether an item may go to a target."
        )
        for rule in (x for x in m.rules if x.sort == "forbid"):
            pair.lines.append(self.at(f"if {refusal(rule, p)}:", rule.case, rule.span, rule.id))
            pair.lines.append("    return False")
        pair.lines.append("return True")
        needs = [x for x in m.rules if x.sort == "require"]
        whole = [x for x in needs if any(e.op == "local" and e.info == "unassigned" for e in x.test.walk())]
        group, assigned, rest = mangle("group"), mangle("assigned"), mangle("unassigned")
        each = self.function(
            f"{base}_each", f"{params}, {group}, {assigned}, {rest}=()", f"{title}: what is required of one group."
        )
        each.lines.append(f"{target} = {group}[0]")
        for rule in needs:
            if rule not in whole:
                each.lines.append(self.at(f"if {refusal(rule, p)}:", rule.case, rule.span, rule.id))
                each.lines.append("    return False")
        each.lines.append("return True")
        whole_text = "None"
        if whole:
            f = self.function(f"{base}_whole", f"{params}, plan", f"{title}: what is required of the whole plan.")
            f.lines.append(f"{rest} = without({p(m.items)}, placed(plan))")
            f.lines.append(f"for {group}, {assigned} in plan:")
            f.lines.append(f"    {target} = {group}[0]")
            for rule in whole:
                f.lines.append(self.at(f"    if {refusal(rule, p)}:", rule.case, rule.span, rule.id))
                f.lines.append("        return False")
            f.lines.append("return True")
            whole_text = f"lambda plan: {base}_whole({params}, plan)"
        idle = f"lambda {item}: {p.with_var(m.item, m.idle)}" if m.idle is not None else f"lambda {item}: False"
        empty = (
            f"lambda {target}: {p.with_var(m.target, m.empty)}" if m.empty is not None else f"lambda {target}: False"
        )
        f = self.function(base, params, f"{title}: the plans of {m.name}.")
        f.lines.append("return Matching(")
        f.lines.append(self.at(f"    items={p(m.items)},", m.case, m.span, f"matching {m.name}"))
        f.lines.append(f"    targets={p(m.targets)},")
        f.lines.append(f"    pair=lambda {item}, {target}: {base}_pair({params}, {item}, {target}),")
        f.lines.append(f"    each_target=lambda group, assigned: {base}_each({params}, group, assigned),")
        f.lines.append(f"    group={m.groups}, more_helps={m.more_helps},")
        f.lines.append(f"    idle={idle}, empty={empty}, whole={whole_text}, case={m.case!r},")
        f.lines.append(")")
