"""Emit Python.

In:  the book in the core, its lowered procedures and what everything rests on.
Out: the text of three modules (data, rules, traced twin) and the source map of the rules.

The model is complete before a template sees it: templates own layout, Python owns decisions.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import jinja2

from rulewright.dsl.source import Span

from . import core as c
from .depends import Depends, column_name, definition_exprs
from .emit_data import emit_data
from .lower import Block, Lowered
from .python import Constants, Printer, literal, mangle
from .types import Type

MARK = re.compile(r"⟦(\d+)⟧")


@dataclass(slots=True)
class Function:
    """One function to print; lines carry a number that the source map resolves."""

    name: str
    params: str
    doc: str
    lines: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class Emitted:
    """The modules of one rule set; `map` is (line of rules.py, case, file, line, element id) for every emitted line."""

    data: str
    rules: str
    traced: str
    map: tuple[tuple[int, str, str, int, str], ...]


@cache
def templates() -> jinja2.Environment:
    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).with_name("templates")),
        undefined=jinja2.StrictUndefined,
        keep_trailing_newline=True,
        autoescape=False,
    )


def emit(book: c.Book, lowered: dict[str, Lowered], depends: Depends, rules_hash: str) -> Emitted:
    """All modules of the rule set."""
    plain = Emitter(book, lowered, depends, rules_hash, traced=False)
    text, places = plain.module()
    traced, _ = Emitter(book, lowered, depends, rules_hash, traced=True).module()
    data = (
        templates()
        .get_template("data.py.j2")
        .render(title=comment(book.title or book.name), name=comment(book.name), values=emit_data(book))
    )
    return Emitted(data=data, rules=text, traced=traced, map=places)


def comment(text: str) -> str:
    """Text that may stand in a comment or docstring."""
    return re.sub(r"[^\w .,:;()/+*'’–—-]", " ", text).strip()


def type_text(t: Type) -> str:
    if t.of is not None:
        return f"{t.sort}:{type_text(t.of)}"
    if t.sort in ("kind", "scale", "record"):
        return f"{t.sort}:{t.name}"
    return t.name


def answer_text(book: c.Book, ask: c.Ask) -> str:
    """The type of an answer, with what a plan sorts onto what and what shares are given to."""
    if ask.type.name == "shares" and ask.source is not None and ask.source.type.of is not None:
        return f"shares:{type_text(ask.source.type.of)}"
    if ask.type.name == "plan" and ask.type.via in book.matchings:
        m = book.matchings[ask.type.via]
        return f"plan:{type_text(m.items.type.of or m.items.type)}|{type_text(m.targets.type.of or m.targets.type)}"
    return type_text(ask.type)


class Emitter:
    def __init__(
        self, book: c.Book, lowered: dict[str, Lowered], depends: Depends, rules_hash: str, traced: bool
    ) -> None:
        self.book = book
        self.lowered = lowered
        self.depends = depends
        self.rules_hash = rules_hash
        self.traced = traced
        self.constants = Constants(book)
        self.functions: list[Function] = []
        self.marks: list[tuple[str, Span, str]] = []
        self.memo: dict[str, set[str]] = {}
        self.procs: dict[str, str] = {}
        self.names: set[str] = set()
        self.taken: set[str] = set()
        self.usuals: dict[str, str] = {}

    # ------------------------------------------------------------ assembling

    def module(self) -> tuple[str, tuple[tuple[int, str, str, int, str], ...]]:
        book = self.book
        if not self.traced:
            sets = (d.name for d in book.definitions.values() if d.type.many and self._worth_keeping(d))
            self.constants.kept = frozenset(sets)
        for name in book.tables:
            self._table(book.tables[name])
        for d in book.definitions.values():
            self._definition(d)
        for g in book.grows.values():
            self._grow(g)
        for r in book.routes.values():
            self._route(r)
        for m in book.matchings.values():
            self._matching(m)
        program = self._program()
        title = f"{book.title or book.name}: the rules" if not self.traced else f"{book.title or book.name}: traced"
        text = (
            templates()
            .get_template("module.py.j2")
            .render(
                title=comment(title),
                name=comment(book.name),
                traced=self.traced,
                constants=self.constants.lines,
                functions=self.functions,
                program=program,
            )
        )
        return self._resolve(text)

    def _resolve(self, text: str) -> tuple[str, tuple[tuple[int, str, str, int, str], ...]]:
        """Turn the marks of lines into comments that cite cases, and into the source map."""
        lines, found, last = [], [], ""
        for i, line in enumerate(text.split("\n"), 1):
            match = MARK.search(line)
            if match is None:
                if line.startswith("def "):
                    last = ""
                lines.append(line.rstrip())
                continue
            case, span, element = self.marks[int(match.group(1))]
            line = MARK.sub("", line).rstrip()
            if case and case != last:
                line += f"  # {comment(case)}"
                last = case
            lines.append(line)
            found.append((i, case, span.file, span.line, element))
        return "\n".join(lines), tuple(found)

    def at(self, text: str, case: str, span: Span, element: str) -> str:
        """A line of code with a mark for the source map."""
        self.marks.append((case, span, element))
        return f"{text}⟦{len(self.marks) - 1}⟧"

    def function(self, name: str, params: str, doc: str) -> Function:
        if name in self.names:
            raise ValueError(f"two functions called {name}")
        self.names.add(name)
        made = Function(name, params, comment(doc))
        self.functions.append(made)
        return made

    def printer(self, frame: bool = False, usual: str = "") -> Printer:
        return Printer(self.book, self.constants, frame, usual)

    def title(self, case: str) -> str:
        name = self.book.cases.get(case, "")
        return f"{case} {name}".strip()

    # ------------------------------------------------------------ definitions

    def _table(self, table: c.Table) -> None:
        name = mangle(table.name, "table")
        f = self.function(name, "S, key", f"{self.title(table.case)}.")
        body = f"cell(data.{mangle(table.name, 'T')}, key, {table.name!r}, {table.case!r})"
        if self.traced:
            f.lines.append(f"open_trace(S, {table.name!r}, key)")
            body = f"close_trace(S, by(S, {table.case!r}, {body}))"
        f.lines.append(self.at(f"return {body}", table.case, table.span, f"table {table.name}"))

    def _definition(self, d: c.Definition) -> None:
        params = ", ".join(["S", *(mangle(p.name) for p in d.params)])
        names = ", ".join(mangle(p.name) for p in d.params)
        always = d.sort == "memory" and self.book.memories[d.name].how == "always"
        tail = ", keep=None" if always else ""
        pass_keep = ", keep=keep" if always else ""
        name = mangle(d.name, "d")
        if not self.traced and (always or not self._worth_keeping(d)):
            self._layer(d, d.base, True, name=name)
            return
        inner = self._layer(d, d.base, True)
        call = f"{inner}({params}{pass_keep})"
        cases = ", ".join(dict.fromkeys(x.case for x in d.layers() if x.case != d.case))
        doc = f"{self.title(d.case)}: {d.name}." + (f" See also {cases}." if cases else "")
        f = self.function(name, params + tail, doc)
        if self.traced:
            f.lines.append(f"open_trace(S, {d.name!r}, ({names + ',' if names else ''}))")
            f.lines.append(f"return close_trace(S, {call})")
            return
        self._memoised(f, name, names, call, self.depends.named("define", d.name))

    def _memoised(self, f: Function, name: str, names: str, call: str, reads: set[str]) -> None:
        index = len(self.memo)
        self.memo[name] = reads
        key = names if names and "," not in names else f"({names})"
        f.lines += [
            f"memo = S.memo[{index}]",
            f"key = {key}",
            "if key in memo:",
            "    return memo[key]",
            f"value = memo[key] = {call}",
            "return value",
        ]

    def members(self) -> None:
        """For every kept set that something is looked for in: the same set, ready for look-ups."""
        for name in sorted(self.constants.looked_up):
            d = self.book.definitions[name]
            params = ", ".join(["S", *(mangle(p.name) for p in d.params)])
            names = ", ".join(mangle(p.name) for p in d.params)
            base = mangle(name, "d")
            f = self.function(f"{base}__members", params, f"{self.title(d.case)}: {name}, for look-ups.")
            self._memoised(f, f.name, names, f"frozenset({base}({params}))", self.depends.named("define", name))

    def _worth_keeping(self, d: c.Definition) -> bool:
        """Whether an answer is dear enough to be kept until something it rests on changes."""
        if d.sort == "facet" or any(p.type.sort == "record" for p in d.params):
            return False
        heavy = {
            "union",
            "filter",
            "any",
            "every",
            "sum",
            "each",
            "each_of",
            "route",
            "ends",
            "shortest",
            "matching",
            "grow",
            "count",
            "highest",
            "lowest",
        }
        return any(e.op in heavy for top in definition_exprs(d) for e in top.walk())

    def _waived(self, waivers: tuple[c.Waiver, ...], p: Printer) -> str:
        parts = []
        for w in waivers:
            text = p(w.guard) if w.guard is not None else "True"
            if w.waivers:
                text = f"({text} and not {self._waived(w.waivers, p)})"
            parts.append(text)
        return "(" + " or ".join(parts) + ")"

    def _layer(
        self, d: c.Definition, layer: c.Layer, base: bool, contribution: str | None = None, name: str = ""
    ) -> str:
        """A function for what one case says; exceptions first, then its own clauses."""
        params = ", ".join(["S", *(mangle(p.name) for p in d.params)])
        always = d.sort == "memory" and self.book.memories[d.name].how == "always"
        keep = ", keep=None" if always else ""
        pass_keep = ", keep=keep" if always else ""
        name = name or self._unique(f"{mangle(d.name, 'x')}__{mangle(layer.case, 'c')}")
        self.taken.add(name)
        if any(e.op == "usual" for x in layer.exceptions for top in layer_values(x) for e in top.walk()):
            for x in layer.exceptions:
                self.usuals[x.id] = f"{name}__usual({params}{pass_keep})"
            own = self.function(
                f"{name}__usual", params + keep, f"{self.title(layer.case)}: {d.name}, without exceptions."
            )
            self._clauses(own, d, layer, base, None)
        made = {x.id: self._layer(d, x, False) for x in layer.exceptions}
        cases = ", ".join(dict.fromkeys(x.case for x in layer.exceptions)) if base else ""
        more = f" Excepted by {cases}." if cases else ""
        f = self.function(name, params + keep, f"{self.title(layer.case)}: {d.name}.{more}")
        p = self.printer(usual=self.usuals.get(layer.id, ""))
        if layer.waivers:
            f.lines.append(
                self.at(
                    f"if {self._waived(layer.waivers, p)}:",
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
        self._exceptions(f, d, layer, made, params + pass_keep, amount)
        self._clauses(f, d, layer, base, contribution)
        return name

    def _applies(self, f: Function, layer: c.Layer, p: Printer) -> None:
        """An exception to an exception counts only where the exception itself applies."""
        guards = [x.guard for x in layer.clauses]
        if any(g is None for g in guards):
            return
        for name, value in layer.lets:
            f.lines.append(f"{mangle(name)} = {p(value)}")
        f.lines.append(f"if not ({' or '.join(p(g) for g in guards if g is not None)}):")
        f.lines.append("    return NOTHING")

    def _unique(self, name: str) -> str:
        found, i = name, 1
        while found in self.names or found in self.taken:
            i += 1
            found = f"{name}_{i}"
        return found

    def _exceptions(
        self, f: Function, d: c.Definition, layer: c.Layer, made: dict[str, str], params: str, operation: str = ""
    ) -> None:
        """Ask what excepts a layer; where it is a contribution, an exception works by the same operation."""
        ordered = sorted(layer.exceptions, key=lambda x: not x.outranks)
        if not ordered:
            return
        if len(ordered) == 1:
            x = ordered[0]
            f.lines.append(self.at(f"hit = {made[x.id]}({params})", x.case, x.span, x.id + " asked"))
            answer = f"({x.case!r}, {operation!r}, hit)" if operation else "hit"
            f.lines += ["if hit is not NOTHING:", f"    return {answer}"]
            return
        for i, x in enumerate(ordered):
            f.lines.append(self.at(f"value_{i} = {made[x.id]}({params})", x.case, x.span, x.id + " asked"))
        f.lines.append("hit = None")
        for i, x in enumerate(ordered):
            outranked = [j for j, y in enumerate(ordered) if x.id in y.outranks]
            guard = "".join(f" and value_{j} is NOTHING" for j in outranked)
            f.lines.append(f"if value_{i} is not NOTHING{guard}:")
            f.lines.append(f"    hit = agree(hit, {x.case!r}, value_{i}, {d.name!r})")
        answer = f"(hit[0], {operation!r}, hit[1])" if operation else "hit[1]"
        f.lines += ["if hit is not None:", f"    return {answer}"]

    def _give(self, case: str, text: str) -> str:
        return f"by(S, {case!r}, {text})" if self.traced else text

    def _clauses(self, f: Function, d: c.Definition, layer: c.Layer, base: bool, contribution: str | None) -> None:
        p = self.printer(usual=self.usuals.get(layer.id, ""))
        for name, value in layer.lets:
            f.lines.append(self.at(f"{mangle(name)} = {p(value)}", layer.case, value.span, layer.id))
        staged = base and d.gathered
        for clause in layer.clauses:
            text = p(clause.value)
            if contribution is not None:
                text = (
                    f"({layer.case!r}, {clause.operation or contribution!r}, {text})"
                    if d.type.name in ("number", "ratio")
                    else text
                )
            given = f"value = {text}" if staged else f"return {self._give(layer.case, text)}"
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
                f.lines.append("return keep" if always else f"return {literal(empty_of(d.type))}")
            else:
                f.lines.append("return NOTHING")
        if staged:
            if len(layer.clauses) > 1 and layer.clauses[-1].guard is None:
                last = f.lines.pop()
                f.lines += ["else:", "    " + last]
            self._contributions(f, d, p)

    def _contributions(self, f: Function, d: c.Definition, p: Printer) -> None:
        params = ", ".join(["S", *(mangle(x.name) for x in d.params)])
        number = d.type.name in ("number", "ratio")
        if self.traced:
            f.lines.append(f"value = by(S, {d.case!r}, value)")
        stages = d.stages or (c.Stage(name=""),)
        for stage in stages:
            mine = [x for x in d.contributions if x.stage == stage.name or not d.stages]
            if number:
                f.lines.append("parts = []")
            for x in mine:
                name = self._layer(d, x.layer, False, "plus")
                self._sink(f)
                f.lines.append(self.at(f"hit = {name}({params})", x.layer.case, x.layer.span, x.layer.id + " asked"))
                f.lines.append("if hit is not NOTHING:")
                if number:
                    f.lines.append("    parts.append(hit)")
                elif d.type.many:
                    f.lines.append("    value = union(value, hit)")
                else:
                    f.lines.append("    value = value or hit")
            if number:
                most = p(stage.most) if stage.most is not None else "None"
                least = p(stage.least) if stage.least is not None else "None"
                trace = ", S.trace" if self.traced else ""
                f.lines.append(
                    f"value = step_value(value, parts, {stage.round!r}, {stage.once}, {most}, {least}{trace})"
                )
        f.lines.append("return value")

    def _sink(self, f: Function) -> None:
        """Keep helper functions above the one that calls them."""
        self.functions.remove(f)
        self.functions.append(f)

    def _grow(self, g: c.Grow) -> None:
        names = [mangle(x.name) for x in g.params]
        params = ", ".join(["S", *names])
        p = self.printer()
        name = mangle(g.name, "g")
        f = self.function(name, params, f"{self.title(g.case)}: the least set {g.name}.")
        key = literal(g.name) + "".join(f", {x}" for x in names)
        domain, test = p(g.domain), p.with_var("it", g.test)
        call = f"grow(S, ({key},), lambda: {domain}, lambda it: {test})"
        if self.traced:
            f.lines.append(f"open_trace(S, {g.name!r}, ({''.join(x + ', ' for x in names)}))")
            call = f"close_trace(S, by(S, {g.case!r}, {call}))"
            f.lines.append(self.at(f"return {call}", g.case, g.span, f"grow {g.name}"))
            return
        self._memoised(f, name, ", ".join(names), call, self.depends.named("grow", g.name))
        f.lines[-2] = self.at(f.lines[-2], g.case, g.span, f"grow {g.name}")

    # ------------------------------------------------------------ rules

    def _refusal(self, rule: c.Rule, p: Printer) -> str:
        if rule.sort == "require":
            text = f"(not {p(rule.test)})"
            if rule.guard is not None:
                text = f"({p(rule.guard)} and {text})"
        else:
            text = p(rule.test)
        if rule.waivers:
            text = f"({text} and not {self._waived(rule.waivers, p)})"
        return text

    # ------------------------------------------------------------ routes

    def _route(self, r: c.Route) -> None:
        names = [mangle(x.name) for x in r.params]
        params = ", ".join(["S", *names])
        args = ", ".join(names)
        base = mangle(r.name, "r")
        title = self.title(r.case)
        self._route_step(r, base, params)
        self._route_stops(r, base, params)
        stops = f"lambda here, there: {base}_stops({params}, here, there)"
        if not any(x.sort == "stop" for x in r.rules):
            stops = "None"
        step = f"lambda here, there: {base}_step({params}, here, there)"
        facet = {k: f"{mangle(v, 'd')}({params})" for k, v in r.facets.items()}
        budget = facet.get("budget", "None")
        starts = facet.get("from", "HEXES")
        goals = facet.get("to")
        jumps = facet.get("jump", "()")
        layers = literal(r.layers)
        needs = [x for x in r.rules if x.sort == "require"]
        reads = self.depends.named("route", r.name)
        if r.legs:
            self._legs(r, base, params, args, starts, goals)
            return
        f = self.function(
            f"{base}_reach", params, f"{title}: every place in reach, with its cost and the place before it."
        )
        call = f"search(S, {starts}, {layers}, {budget}, {step}, {stops}, None, {jumps})"
        if self.traced:
            f.lines.append(self.at(f"return {call}", r.case, r.span, f"route {r.name}"))
        else:
            self._memoised(f, f"{base}_reach", args, call, reads)
            f.lines[-2] = self.at(f.lines[-2], r.case, r.span, f"route {r.name}")
        check = f"{base}_fits({params}, p)"
        f = self.function(f"{base}_fits", f"{params}, path", f"{title}: what is required of a whole path.")
        p = self.printer()
        for rule in needs:
            f.lines.append(self.at(f"if {self._refusal(rule, p)}:", rule.case, rule.span, rule.id))
            f.lines.append("    return False")
        f.lines.append("return True")
        whole = "length" in r.needs or "path" in r.needs
        f = self.function(base, params, f"{title}: the paths of {r.name}, one to each end.")
        least = "" if goals is not None else " and len(p) > 1"
        if whole:
            walk = f"walks(S, {starts}, {layers}, {budget}, {step}, {stops}, {jumps})"
            if goals is not None:
                f.lines.append(f"goals = frozenset({goals})")
            at_goal = " and p[-1] in goals" if goals is not None else ""
            call = f"one_each([p for p in {walk} if {check}{at_goal}{least}])"
        elif "start" in r.needs:
            if goals is not None:
                f.lines.append(f"goals = frozenset({goals})")
            at_goal = " and p[-1] in goals" if goals is not None else ""
            call = f"from_each(S, {starts}, {layers}, {budget}, {step}, {stops}, {jumps}, lambda p: {check}{at_goal}{least})"
        else:
            f.lines.append(f"reach = {base}_reach({params})")
            if goals is not None:
                f.lines.append(f"goals = frozenset({goals})")
                some = "sorted(p for p in reach if p in goals)"
            else:
                some = "sorted(reach)"
            keep = f" if {check}{least}" if needs or least else ""
            call = f"tuple(p for p in (path_to(reach, q) for q in {some}){keep})"
        f.lines.append(f"return {call}")
        f = self.function(f"{base}_any", params, f"{title}: whether {r.name} has any path.")
        if whole or needs or goals is None:
            f.lines.append(f"return bool({base}({params}))")
        elif self.traced:
            f.lines.append(f"open_trace(S, {r.name!r}, ({args + ',' if args else ''}))")
            f.lines.append(f"goals = {goals}")
            f.lines.append(f"reach = search(S, {starts}, {layers}, {budget}, {step}, {stops}, goals, {jumps})")
            f.lines.append(f"return close_trace(S, by(S, {r.case!r}, any(g in reach for g in goals)))")
        else:
            inner = self.function(f"{base}_found", params, f"{title}: search until an end is reached.")
            inner.lines.append(f"goals = {goals}")
            inner.lines.append(
                self.at(
                    f"reach = search(S, {starts}, {layers}, {budget}, {step}, {stops}, goals, {jumps})",
                    r.case,
                    r.span,
                    f"route {r.name}",
                )
            )
            inner.lines.append("return any(g in reach for g in goals)")
            self._memoised(f, f"{base}_any", args, f"{base}_found({params})", reads)
            self._sink(f)
        f = self.function(f"{base}_ends", params, f"{title}: where {r.name} can end.")
        if whole or needs:
            f.lines.append(f"return unique(p[-1] for p in {base}({params}))")
        else:
            f.lines.append(f"reach = {base}_reach({params})")
            if goals is not None:
                f.lines.append(f"goals = frozenset({goals})")
            ends = "p in goals" if goals is not None else "reach[p][1] >= 0"
            f.lines.append(f"return tuple(sorted(p for p in reach if {ends}))")
        f = self.function(f"{base}_shortest", params, f"{title}: the paths of {r.name} of the least cost.")
        if whole or needs or goals is None:
            f.lines.append(f"ways = [({base}_cost({params}, p), p) for p in {base}({params})]")
            f.lines.append("least = lowest(x[0] for x in ways) if ways else 0")
            f.lines.append("return tuple(x[1] for x in ways if x[0] == least)")
        else:
            f.lines.append(f"reach = {base}_reach({params})")
            f.lines.append(f"goals = frozenset({goals})")
            f.lines.append("ends = sorted(p for p in reach if p in goals)")
            f.lines.append("least = lowest(reach[p][0] for p in ends) if ends else 0")
            f.lines.append("return tuple(path_to(reach, p) for p in ends if reach[p][0] == least)")
        f = self.function(f"{base}_cost", f"{params}, path", f"{title}: what a path of {r.name} costs.")
        f.lines.append(f"reach = {base}_reach({params})")
        f.lines.append("if path and path[-1] in reach and path_to(reach, path[-1]) == path:")
        f.lines.append("    return reach[path[-1]][0]")
        f.lines.append(f"return price_of(path, {step})")
        f = self.function(f"{base}_accepts", f"{params}, path", f"{title}: whether a given path keeps to {r.name}.")
        goal_test = f" and path[-1] in {goals}" if goals is not None else ""
        f.lines.append(
            f"return follows(S, path, {starts}, {layers}, {budget}, {step}, {stops}, {jumps})"
            f" and {base}_fits({params}, path){goal_test}"
        )
        self._grounds(r, base, params, starts, budget, goals)

    def _route_step(self, r: c.Route, base: str, params: str) -> None:
        f = self.function(
            f"{base}_step",
            f"{params}, here, there",
            f"{self.title(r.case)}: the price of a step, or None where it is barred.",
        )
        p = self.printer()
        f.lines.append("crossing = (here, there) if here < there else (there, here)")
        if r.over_test is not None:
            f.lines.append(self.at(f"if not {p(r.over_test)}:", r.case, r.span, f"route {r.name}"))
            f.lines.append("    return None")
        for rule in r.rules:
            if rule.sort == "forbid":
                f.lines.append(self.at(f"if {self._refusal(rule, p)}:", rule.case, rule.span, rule.id))
                f.lines.append("    return None")
        parts = []
        for name in ("leave", "cross", "enter"):
            if name in r.facets:
                parts.append(f"{mangle(r.facets[name], 'd')}({params}, here, there, crossing)")
        f.lines.append("return " + (" + ".join(parts) or "0"))

    def _route_stops(self, r: c.Route, base: str, params: str) -> None:
        stops = [x for x in r.rules if x.sort == "stop"]
        if not stops:
            return
        f = self.function(
            f"{base}_stops", f"{params}, here, there", f"{self.title(r.case)}: whether a path must end on entering."
        )
        p = self.printer()
        f.lines.append("crossing = (here, there) if here < there else (there, here)")
        for rule in stops:
            f.lines.append(self.at(f"if {self._refusal(rule, p)}:", rule.case, rule.span, rule.id))
            f.lines.append("    return True")
        f.lines.append("return False")

    def _grounds(self, r: c.Route, base: str, params: str, starts: str, budget: str, goals: str | None) -> None:
        """Why a path is refused: every rule that bars one of its steps, its length, or the whole."""
        f = self.function(f"{base}_grounds", f"{params}, path", f"{self.title(r.case)}: what speaks against a path.")
        p = self.printer()
        f.lines += ["found = []", f"if path[0] not in {starts}:"]
        f.lines.append(f"    found.append(Ground(case={r.case!r}, label='starts elsewhere', where={where(r.span)!r}))")
        f.lines.append("for i in range(1, len(path)):")
        f.lines.append("    here, there = path[i - 1], path[i]")
        f.lines.append("    crossing = (here, there) if here < there else (there, here)")
        touching = " or ".join(
            "there in neighbors(S, here)" if x == "land" else f"there in linked(S, {x!r}, here)" for x in r.layers
        )
        f.lines.append(f"    if not ({touching}):")
        f.lines.append(f"        found.append(Ground(case={r.case!r}, label='not joined', where={where(r.span)!r}))")
        for rule in r.rules:
            if rule.sort == "require":
                continue
            text = self._refusal(rule, p)
            label = rule.label or ("must stop" if rule.sort == "stop" else "barred")
            trail = "there"
            if self.traced:
                f.lines.append("    mark = traced_so_far(S)")
                trail = "traced_since(S, mark)"
            if rule.sort == "stop":
                f.lines.append(f"    if i + 1 < len(path) and {text}:")
            else:
                f.lines.append(f"    if {text}:")
            f.lines.append(
                f"        found.append(Ground(case={rule.case!r}, label={label!r}, where={where(rule.span)!r}, trail={trail}))"
            )
        f.lines.append(f"limit = {budget}")
        f.lines.append(f"if limit is not None and not found and {base}_cost({params}, path) > limit:")
        f.lines.append(f"    found.append(Ground(case={r.case!r}, label='too far', where={where(r.span)!r}))")
        for rule in r.rules:
            if rule.sort == "require":
                f.lines.append(f"if {self._refusal(rule, p)}:")
                f.lines.append(
                    f"    found.append(Ground(case={rule.case!r}, label={(rule.label or 'required')!r}, where={where(rule.span)!r}))"
                )
        if goals is not None:
            f.lines.append(f"if path[-1] not in {goals}:")
            f.lines.append(
                f"    found.append(Ground(case={r.case!r}, label='ends elsewhere', where={where(r.span)!r}))"
            )
        f.lines.append("return found")

    def _legs(self, r: c.Route, base: str, params: str, args: str, starts: str, goals: str | None) -> None:
        title = self.title(r.case)
        p = self.printer()
        f = self.function(f"{base}_reach", params, f"{title}: where a line of {r.name} can end.")
        rows = []
        for leg in r.legs:
            route = self.book.routes[leg.route]
            inner = ", ".join(["S", *(p(a) for a in leg.args)])
            name = mangle(leg.route, "r")
            facet = {k: f"{mangle(v, 'd')}({inner})" for k, v in route.facets.items()}
            stops = (
                f"lambda here, there: {name}_stops({inner}, here, there)"
                if any(x.sort == "stop" for x in route.rules)
                else "None"
            )
            run = (
                f"lambda starts: search(S, starts, {literal(route.layers)}, {facet.get('budget', 'None')}, "
                f"lambda here, there: {name}_step({inner}, here, there), {stops}, None, {facet.get('jump', '()')})"
            )
            begins = f"lambda: {facet['from']}" if "from" in facet else "lambda: None"
            ends = f"lambda: {facet['to']}" if "to" in facet else "lambda: None"
            rows.append(f"({leg.sort!r}, {run}, {begins}, {ends}),")
        f.lines.append(f"return legs_reach({starts}, (")
        f.lines += [self.at("    " + row, r.case, r.span, f"route {r.name}") for row in rows]
        f.lines.append("))")
        f = self.function(f"{base}_ends", params, f"{title}: the ends of {r.name}.")
        limit = f"goals = frozenset({goals})" if goals is not None else "goals = None"
        f.lines += [limit, f"return tuple(p for p in {base}_reach({params}) if goals is None or p in goals)"]
        f = self.function(f"{base}_any", params, f"{title}: whether {r.name} reaches an end.")
        if self.traced:
            f.lines.append(f"open_trace(S, {r.name!r}, ({args + ',' if args else ''}))")
            f.lines.append(f"return close_trace(S, by(S, {r.case!r}, bool({base}_ends({params}))))")
        else:
            self._memoised(f, f"{base}_any", args, f"bool({base}_ends({params}))", self.depends.named("route", r.name))
        f = self.function(base, params, f"{title}: {r.name} as bare ends.")
        f.lines.append(f"return tuple((p,) for p in {base}_ends({params}))")

    # ------------------------------------------------------------ matchings

    def _matching(self, m: c.Matching) -> None:
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
            pair.lines.append(self.at(f"if {self._refusal(rule, p)}:", rule.case, rule.span, rule.id))
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
                each.lines.append(self.at(f"if {self._refusal(rule, p)}:", rule.case, rule.span, rule.id))
                each.lines.append("    return False")
        each.lines.append("return True")
        whole_text = "None"
        if whole:
            f = self.function(f"{base}_whole", f"{params}, plan", f"{title}: what is required of the whole plan.")
            f.lines.append(f"{rest} = without({p(m.items)}, placed(plan))")
            f.lines.append(f"for {group}, {assigned} in plan:")
            f.lines.append(f"    {target} = {group}[0]")
            for rule in whole:
                f.lines.append(self.at(f"    if {self._refusal(rule, p)}:", rule.case, rule.span, rule.id))
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

    # ------------------------------------------------------------ the program

    def _program(self) -> list[str]:
        from .emit_program import program_lines

        return program_lines(self)

    # ------------------------------------------------------------ procedures

    def blocks(self, low: Lowered) -> list[str]:
        """One function a block; returns their names."""
        names = []
        base = self._unique(mangle(low.name, "p"))
        self.names.add(base)
        for i, block in enumerate(low.blocks):
            f = self.function(f"{base}_{i}", "S, L", f"{self.title(low.case)}: {low.name}, step {i}.")
            self._block(f, low, block)
            names.append(f.name)
        return names

    def _block(self, f: Function, low: Lowered, block: Block) -> None:
        p = self.printer(frame=True)
        for s in block.stmts:
            self._stmt(f, s, p, low, "")
        f.lines.append(self._end(block.end, p, low))

    def _stmt(self, f: Function, s: c.Stmt, p: Printer, low: Lowered, pad: str) -> None:
        element = f"{s.case} {low.name}"

        def line(text: str) -> None:
            f.lines.append(self.at(pad + text, s.case, s.span, element))

        match s.op:
            case "let":
                text = p(s.args[0])
                line(f"L[{s.info!r}] = exact({text})" if s.args[0].type.name == "number" else f"L[{s.info!r}] = {text}")
            case "set":
                owner = p(s.args[1]) if len(s.args) > 1 else "None"
                value = p(s.args[0])
                if s.args[0].type.name == "number":
                    value = f"exact({value})"
                line(f"set_mark(S, {column_name(*s.info)!r}, {owner}, {value}, {s.case!r})")
            case "put":
                line(f"put(S, {p(s.args[0])}, {p(s.args[1])}, {s.case!r})")
            case "roll":
                dice = s.args[0]
                if dice.op == "const":
                    count, sides = dice.info
                    line(f"L[{s.info!r}] = roll(S, {count}, {sides}, {s.case!r})")
                else:
                    line(f"L[{s.info!r}] = roll(S, *{p(dice)}, {s.case!r})")
            case "draw":
                secret = f", {p(s.args[1])}" if len(s.args) > 1 else ""
                line(f"L[{s.info!r}] = draw(S, {p(s.args[0])}, {s.case!r}{secret})")
            case "spend":
                key = p.key(s.args[1:])
                line(f"spend(S, {s.info!r}, {key}, exact({p(s.args[0])}), {s.case!r})")
            case "win":
                line(f"win(S, {p(s.args[0])}, {s.case!r})")
            case "halt":
                line(f"halt(S, {p(s.args[0])})")
            case "reveal":
                mark = ""
                if s.args[0].op == "mark":
                    of = s.args[0].args
                    mark = f", {column_name(of[0].type.plain.name if of else 'game', str(s.args[0].info))!r}"
                    mark += f", {p(of[0])}" if of else ""
                line(f"reveal(S, {p(s.args[0])}, {s.case!r}{mark})")
            case "note":
                line(f"note(S, 'note', {s.case!r}, text={s.info!r})")
            case "skip":
                phase, guard = s.info
                line(f"skip(S, {phase!r}, {guard!r}, L, {s.case!r})")
            case "again":
                if s.args:
                    line(f"if {p(s.args[0])}:")
                    line(f"    call_again(S, {s.info!r}, {s.case!r})")
                else:
                    line(f"call_again(S, {s.info!r}, {s.case!r})")
            case "schedule":
                phase, name, kept = s.info
                line(f"schedule(S, {phase!r}, {name!r}, L, {kept!r}, {s.case!r})")
            case "due":
                if s.args:
                    line(f"if not {p(s.args[0])}:")
                    f.lines.append(pad + "    return -1")
                line("due(S, L)")
            case "test":
                line(f"return 1 if {p(s.args[0])} else 0")
            case "do":
                args = ", ".join(p(a) for a in s.args)
                line(f"call(S, {s.info!r}, ({args + ',' if args else ''}))")
            case "usual":
                line("usual(S, L)")
            case "together":
                line(f"together(S, {bool(s.info)})")
            case "begin_for":
                line(f"L[{s.info!r}] = [*{p(s.args[0])}]")
            case "begin_repeat":
                line(f"L[{s.info!r}] = down({p(s.args[0])})")
            case "begin_walk":
                line(f"begin_walk(S, L, {s.info!r}, {p(s.args[0])}, {p(s.args[1])})")
            case "bind":
                var, local = s.info
                line(f"bind(S, {var!r}, L[{local!r}])")
            case "enter_phase":
                name, var = s.info
                extra = f", {var!r}, S.{mangle(var, 'bind')}" if var is not None else ""
                line(f"enter_phase(S, {name!r}{extra})")
            case "close_phase":
                line(f"close_phase(S, {s.info!r})")
            case "leave_phase":
                line(f"leave_phase(S, {s.info!r})")
            case "seq":
                for x in s.body:
                    self._stmt(f, x, p, low, pad)
            case "if":
                line(f"if {p(s.args[0])}:")
                self._nested(f, s.body, p, low, pad)
                if s.other:
                    f.lines.append(pad + "else:")
                    self._nested(f, s.other, p, low, pad)
            case "for":
                line(f"for L[{s.info!r}] in {p(s.args[0])}:")
                self._nested(f, s.body, p, low, pad)
            case "repeat":
                line(f"for L['@round'] in range(down({p(s.args[0])})):")
                if len(s.args) > 1:
                    f.lines.append(f"{pad}    if not {p(s.args[1])}:")
                    f.lines.append(f"{pad}        break")
                self._nested(f, s.body, p, low, pad)
            case _:
                raise ValueError(f"no Python for the statement {s.op}")

    def _nested(self, f: Function, body: tuple[c.Stmt, ...], p: Printer, low: Lowered, pad: str) -> None:
        if not body:
            f.lines.append(pad + "    pass")
        for x in body:
            self._stmt(f, x, p, low, pad + "    ")

    def _end(self, end: tuple[Any, ...], p: Printer, low: Lowered) -> str:
        match end:
            case ("end",):
                return "return -1"
            case ("goto" | "goto_now", n):
                return f"return {n}"
            case ("branch", test, yes, no):
                return self.at(
                    f"return {yes} if {p(test)} else {no}", low.case, test.span, f"{low.case} {low.name} branch"
                )
            case ("next", slot, var, body, after):
                return f"return next_item(L, {slot!r}, {var!r}, {body}, {after})"
            case ("times", slot, condition, body, after):
                go = p(condition) if condition is not None else "True"
                return f"return count_down(L, {slot!r}, {go}, {body}, {after})"
            case ("walk", slot, case, on, after):
                return f"return walk_on(S, L, {slot!r}, {case!r}, {on}, {after})"
            case ("ask", index, after, failing, has_failing):
                span = self.book.asks[index].span
                if has_failing:
                    return self.at(
                        f"return {after} if ask(S, {index}, L, {failing}) else {failing}",
                        low.case,
                        span,
                        f"ask {index}",
                    )
                return self.at(f"return ({after}, ask(S, {index}, L))[0]", low.case, span, f"ask {index}")
            case ("ask_all", indices, after):
                return f"return ({after}, {', '.join(f'ask(S, {i}, L)' for i in indices)})[0]"
            case ("offer", index, again, after):
                return self.at(
                    f"return window(S, {index}, L, {again}, {after})",
                    low.case,
                    self.book.offers[index].span,
                    f"offer {index}",
                )
            case ("unless_skipped", name, begin, out):
                return f"return {out} if skipped(S, {name!r}) else {begin}"
            case ("again", name, begin, out):
                return f"return {begin} if again(S, {name!r}) else {out}"
            case _:
                raise ValueError(f"no way on: {end!r}")


def layer_values(layer: c.Layer) -> list[c.Expr]:
    found = [v for _, v in layer.lets]
    for clause in layer.clauses:
        found.append(clause.value)
        if clause.guard is not None:
            found.append(clause.guard)
    return found


def empty_of(t: Type) -> Any:
    if t.many:
        return ()
    if t.name in ("number", "ratio"):
        return 0
    return False if t.name == "flag" else None


def where(span: Span) -> str:
    return f"{Path(span.file).name}:{span.line}"
