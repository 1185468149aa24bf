"""Build worked examples: positions, choices and assertions.

In:  examples as syntax.
Out: their lines in the core.
Reports: RW201 unknown names, RW214 unknown units, RW710 units on a map that is not played on, what expressions find.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from rulewright.dsl import nodes as n
from rulewright.dsl.diagnostics import choose

from ..core import nodes as c
from ..core import types as t
from ..core.entries import Entry
from ..core.maps import elsewhere
from ..core.types import Type
from ..read.printed_values import off_map
from ..read.symbols import Scope
from .expressions.calls import arguments
from .play import Play


class Examples(Play):
    """Examples in the core."""

    def _build_examples(self) -> None:
        for entry in self.entries:
            node = entry.node
            if isinstance(node, n.Example):
                self.report.case = entry.case
                self.book.examples.append(self._known(("example", entry), partial(self._example, entry, node)))

    def _example(self, entry: Entry, node: n.Example) -> c.Example:
        self.e.map = self._first_map()
        lines = tuple(x for x in (self._example_line(line) for line in node.lines) if x is not None)
        self.e.map = ""
        self._check_on_map(lines)
        return c.Example(title=node.title, case=entry.case, lines=lines, covers=entry.covers, span=node.span)

    def _example_line(self, line: n.ExampleLine) -> c.ExampleLine | None:
        scope, span, values = Scope({}), line.span, line.values
        match line.sort:
            case "given_at":
                e = self.e
                pairs = zip(values[::2], values[1::2], strict=True)
                placed = ((e.hinted(what, scope, t.UNIT), e.hinted(at, scope, t.PLACE)) for what, at in pairs)
                return c.GivenAt(tuple(placed), span=span)
            case "given_is":
                return self._given(line, scope)
            case "given_during":
                self._is_known(line, self.book.phases, "phase")
                return c.GivenPhase(line.words[0], span=span)
            case "given_scenario":
                self._is_known(line, self.book.scenarios, "scenario")
                if line.words[0] in self.book.scenarios:
                    self.e.map = self.book.scenarios[line.words[0]].map
                return c.GivenScenario(line.words[0], span=span)
            case "given_map":
                known = [name.removeprefix("map ") for name in self.book.data_cases if name.startswith("map ")]
                self._is_known(line, dict.fromkeys(known), "map")
                self.e.map = line.words[0]
                return c.GivenMap(line.words[0], span=span)
            case "dice":
                return c.GivenDice(tuple(self.e.number(v, scope) for v in values), span=span)
            case "draws":
                return c.GivenDraws(tuple(self.e.hinted(v, scope, None) for v in values), span=span)
            case "expect":
                return c.Expected(self.e.hinted(values[0], scope, t.FLAG), span=span)
            case "expect_conflict":
                return c.ExpectedConflict(self.e.hinted(values[0], scope, None), span=span)
            case "expect_asked":
                side = self.e.expr(values[0], scope, t.SIDE)
                return c.ExpectedAsked(side, line.words[0] if line.words else None, span=span)
            case "expect_quiet":
                return c.ExpectedQuiet(span=span)
            case "run":
                return self._run(line, scope)
            case "play" | "refused" | "legal":
                return self._choice(line, scope)
        raise ValueError(f"no meaning for the example line {line.sort!r}")

    def _check_on_map(self, lines: tuple[c.ExampleLine, ...]) -> None:
        """Of several maps, units stand on the one that the example is played on."""
        board, on = self.book.map, self._first_map()
        for line in lines if on else ():
            match line:
                case c.GivenMap():
                    on = line.map
                case c.GivenScenario() if line.scenario in self.book.scenarios:
                    on = self.book.scenarios[line.scenario].map
                case c.GivenAt():
                    for _, at in line.placed:
                        if isinstance(at, c.Const) and (other := elsewhere(board, on, at.value)):
                            off_map(self.book.places[int(str(at.value))], other, on, at.span, self.report)
                case _:
                    pass

    def _first_map(self) -> str:
        """Of several maps, the one that an example is played on unless it names another."""
        return self.book.map.parts[0].name if self.book.map is not None and self.book.map.parts else ""

    def _is_known(self, line: n.ExampleLine, known: Mapping[str, object], what: str) -> None:
        name = line.words[0]
        if name not in known:
            self.report.error("RW201", line.span, f'there is no {what} "{name}"', help=choose(name, known, what + "s"))

    def _run(self, line: n.ExampleLine, scope: Scope) -> c.RunLine | None:
        call = line.values[0]
        name = call.id if isinstance(call, n.Name) else call.name if isinstance(call, n.Call) else ""
        signature = self.symbols.procedures.get(name)
        if signature is None:
            self.report.error(
                "RW221",
                line.span,
                f'unknown procedure "{name}"',
                help=choose(name, self.symbols.procedures, "procedures"),
            )
            return None
        as_call = call if isinstance(call, n.Call) else n.Call(name=name, arguments=(), span=call.span)
        return c.RunLine(name, arguments(self.e, as_call, signature.params, scope), span=line.span)

    def _given(self, line: n.ExampleLine, scope: Scope) -> c.ExampleLine | None:
        what, value = line.values
        span, e = line.span, self.e
        if isinstance(what, n.Name) and what.id in self.book.bindings:
            return c.GivenBound(what.id, e.expr(value, scope, self.book.bindings[what.id]), span=span)
        if isinstance(what, n.Name) and what.id in self.book.unclear:
            return c.GivenReading(what.id, e.expr(value, scope, Type("kind", what.id)), span=span)
        if isinstance(what, n.Name) and ("game", what.id) in self.book.marks:
            key = ("game", what.id)
            return c.GivenMark(key, e.expr(value, scope, self.book.marks[key].type), None, span=span)
        if isinstance(what, n.Dot):
            base = e.hinted(what.base, scope, None)
            owner = base.type.of if base.type.of is not None else base.type
            key = (owner.plain.name, what.name)
            if key in self.book.marks:
                return c.GivenMark(key, e.expr(value, scope, self.book.marks[key].type), base, span=span)
        if isinstance(what, n.Call | n.Name):
            name = what.id if isinstance(what, n.Name) else what.name
            if name in self.book.memories or name in self.book.quotas:
                inner = e.hinted(what, scope, None)
                if isinstance(inner, c.Remembered):
                    type = self.symbols.callables[name].type
                    return c.GivenMemory(name, e.expr(value, scope, type), inner.asked, span=span)
                return c.GivenSpent(name, e.expr(value, scope, t.NUMBER), inner.args, span=span)
        self.report.error(
            "RW220",
            span,
            "an example can give a mark, a name that a phase binds, something remembered, or a reading",
            help="units are placed with given UNIT at PLACE",
        )
        return None

    def _choice(self, line: n.ExampleLine, scope: Scope) -> c.ExampleLine | None:
        side = self.e.expr(line.values[0], scope, t.SIDE)
        call = line.values[1]
        if isinstance(call, n.Name):
            call = n.Call(name=call.id, arguments=(), span=call.span)
        assert isinstance(call, n.Call)
        if call.name in ("done", "take_back"):
            return chosen(line, "word", call.name, side, ())
        if call.name in self.symbols.actions:
            params = []
            for p in self.symbols.actions[call.name].params:
                type = t.list_of(t.PLACE) if p.type == t.PATH else p.type
                params.append(c.Param(name=p.name, type=type))
            return chosen(line, "action", call.name, side, arguments(self.e, call, tuple(params), scope))
        asks = [a for a in self.book.asks if a.name == call.name]
        if not asks:
            known = [*self.symbols.actions, *(a.name for a in self.book.asks), "done"]
            self.report.error(
                "RW222",
                line.span,
                f'"{call.name}" is neither an action nor something that is asked',
                help=choose(call.name, known, "actions and answers"),
            )
            return None
        if len(call.arguments) != 1:
            self.report.error(
                "RW212", line.span, f'"{call.name}" is answered by one value', help=f"write {call.name}(ANSWER)"
            )
            return None
        type = asks[0].type
        expected = t.list_of(t.PLACE) if type == t.PATH else type
        return chosen(line, "ask", call.name, side, (self.e.expr(call.arguments[0].value, scope, expected),))


def chosen(
    line: n.ExampleLine, sort: c.ChoiceSort, name: str, side: c.Expr, given: tuple[c.Expr, ...]
) -> c.ExampleLine:
    if line.sort == "refused":
        return c.RefusedLine(sort, name, side, given, line.words, span=line.span)
    return (c.PlayLine if line.sort == "play" else c.LegalLine)(sort, name, side, given, span=line.span)
