"""Build worked examples: positions, choices and what must be so."""

from __future__ import annotations

from functools import partial
from typing import Any

from rulewright.dsl import nodes as n
from rulewright.dsl.diagnostics import choose

from ..core import nodes as c
from ..core import types as t
from ..core.entries import Entry
from ..core.types import Type
from ..read.symbols import Scope
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
        lines = tuple(x for x in (self._example_line(line) for line in node.lines) if x is not None)
        return c.Example(title=node.title, case=entry.case, lines=lines, covers=entry.covers, span=node.span)

    def _example_line(self, line: n.ExampleLine) -> c.ExampleLine | None:
        scope = Scope({})
        exprs: tuple[c.Expr, ...] = ()
        info: Any = None
        sort = line.sort
        match sort:
            case "given_at":
                exprs = tuple(self.e._expr(v, scope, t.PLACE if i % 2 else t.UNIT) for i, v in enumerate(line.values))
            case "given_is":
                made = self._given(line, scope)
                if made is None:
                    return None
                info, exprs = made
            case "given_during" | "given_scenario":
                name = line.words[0]
                known: Any = self.book.phases if sort == "given_during" else self.book.scenarios
                if name not in known:
                    what = "phase" if sort == "given_during" else "scenario"
                    self.report.error(
                        "RW201", line.span, f'there is no {what} "{name}"', help=choose(name, known, what + "s")
                    )
            case "dice":
                exprs = tuple(self.e.number(v, scope) for v in line.values)
            case "draws":
                exprs = tuple(self.e._expr(v, scope, None) for v in line.values)
            case "expect" | "expect_conflict":
                exprs = (self.e._expr(line.values[0], scope, t.FLAG if sort == "expect" else None),)
            case "expect_asked":
                exprs = (self.e.expr(line.values[0], scope, t.SIDE),)
            case "expect_quiet":
                pass
            case "run":
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
                info, exprs = name, self.e.arguments(as_call, signature.params, scope)
            case "play" | "refused" | "legal":
                made = self._choice(line, scope)
                if made is None:
                    return None
                info, exprs = made
        return c.ExampleLine(sort=sort, exprs=exprs, words=line.words, info=info, span=line.span)

    def _given(self, line: n.ExampleLine, scope: Scope) -> tuple[Any, tuple[c.Expr, ...]] | None:
        what, value = line.values
        if isinstance(what, n.Name) and what.id in self.book.bindings:
            return ("bind", what.id), (self.e.expr(value, scope, self.book.bindings[what.id]),)
        if isinstance(what, n.Name) and what.id in self.book.unclear:
            return ("reading", what.id), (self.e.expr(value, scope, Type("kind", what.id)),)
        if isinstance(what, n.Name) and ("game", what.id) in self.book.marks:
            return ("mark", ("game", what.id)), (self.e.expr(value, scope, self.book.marks["game", what.id].type),)
        if isinstance(what, n.Dot):
            base = self.e._expr(what.base, scope, None)
            owner = base.type.of if base.type.of is not None else base.type
            key = (owner.plain.name, what.name)
            if key in self.book.marks:
                return ("mark", key), (self.e.expr(value, scope, self.book.marks[key].type), base)
        if isinstance(what, n.Call | n.Name):
            name = what.id if isinstance(what, n.Name) else what.name
            if name in self.book.memories or name in self.book.quotas:
                inner = self.e._expr(what, scope, None)
                sort = "memory" if inner.op == "memory" else "spent"
                type = self.symbols.callables[name].type if sort == "memory" else t.NUMBER
                return (sort, name), (self.e.expr(value, scope, type), *inner.args)
        self.report.error(
            "RW220",
            line.span,
            "an example can give a mark, a name that a phase binds, something remembered, or a reading",
            help="units are placed with given UNIT at PLACE",
        )
        return None

    def _choice(self, line: n.ExampleLine, scope: Scope) -> tuple[Any, tuple[c.Expr, ...]] | None:
        side = self.e.expr(line.values[0], scope, t.SIDE)
        call = line.values[1]
        if isinstance(call, n.Name):
            call = n.Call(name=call.id, arguments=(), span=call.span)
        assert isinstance(call, n.Call)
        if call.name in ("done", "take_back"):
            return (call.name, "word"), (side,)
        if call.name in self.symbols.actions:
            params = []
            for p in self.symbols.actions[call.name].params:
                type = t.list_of(t.PLACE) if p.type == t.PATH else p.type
                params.append(c.Param(name=p.name, type=type))
            return (call.name, "action"), (side, *self.e.arguments(call, tuple(params), scope))
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
        return (call.name, "ask"), (side, self.e.expr(call.arguments[0].value, scope, expected))


BINDERS = ("filter", "any", "every", "count", "sum", "each", "each_of", "highest", "lowest")
