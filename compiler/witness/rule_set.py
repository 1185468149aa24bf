"""One rule set with everything to evaluate positions: compiled module, traced twin and interpreter.

In:  lines of a position, and expressions as text.
Out: values, outcomes of examples, explanations.

Values go in and out by name, so that the same question can be put to two rule sets that number units and places
differently.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from copy import copy
from functools import cached_property
from typing import Any, assert_never

from rulewright.dsl import nodes as n
from rulewright.dsl.diagnostics import Reporter
from rulewright.dsl.parse import parse
from rulewright.dsl.source import Origin, Span
from rulewright.runtime.problems import Conflict, Fault, Refusal
from rulewright.runtime.program import Program
from rulewright.runtime.telling.trace import nodes

from ..core import nodes as c
from ..core import types as t
from ..core.names import Name
from ..core.types import Type
from ..diff.dependents import Dependents, asked, memories_behind, memories_read
from ..elaborate.declarations import Elaborator
from ..evaluate.expression import read_expression
from ..evaluate.functions import Fn, functions
from ..examples.empty_board import EmptyBoard
from ..examples.expressions import load_functions
from ..examples.run import Outcome, Runner, Stop
from ..interpret.asks import Unknown as GivenUp
from ..interpret.board import printed
from ..interpret.expressions import Weary
from ..interpret.game import Oracle
from ..interpret.worked import Worked
from ..loader import load_compiled
from ..pipeline import Compiled
from . import lines as w
from .effort import Patience
from .lines import Given, Line

NOWHERE = Span(Origin("<witness>"), 1, 1, 1, 2)
BROKEN = (Stop, Fault, Refusal, TypeError, IndexError, KeyError, AttributeError, ValueError, AssertionError)


class Unknown(Exception):
    """A name that this rule set does not have."""


class Rules:
    """A rule set and everything needed to evaluate positions on it."""

    def __init__(self, made: Compiled, program: Callable[[], Program] | None = None) -> None:
        """`program` makes the compiled program where the cache has none under the hash of the rule set."""
        assert made.book is not None and made.symbols is not None
        self.book = made.book
        self.made = made
        self._program = program or (lambda: load_compiled(made).program)
        self._asked: dict[tuple[str, tuple[Type, ...]], tuple[c.Expr, Fn] | None] = {}
        self._oracle: Oracle | None = None
        self._reads: dict[Any, frozenset[str] | None] = {}
        self._empty: dict[frozenset[str] | None, EmptyBoard] = {}

    @cached_property
    def program(self) -> Program:
        """The compiled program; compiled or loaded on first use."""
        return self._program()

    @cached_property
    def touch(self) -> Dependents:
        return Dependents(self.book)

    @cached_property
    def turns(self) -> dict[str, int]:
        return {label: i for i, (label, _, _) in enumerate(self.program.turns)}

    # ------------------------------------------------------------ values by name

    def encode(self, type: Type, value: Any) -> Any:
        """A value in the representation of the compiled module."""
        if value is None:
            return None
        if type.of is not None:
            found = tuple(self.encode(type.of, v) for v in value)
            return tuple(sorted(found)) if type.sort == "set" else found
        if type.sort == "record":
            parts = zip(self.book.records[type.name], value, strict=True)
            return tuple(self.encode(of, v) for (_, of), v in parts)
        try:
            if type.sort == "scale":
                steps = self.program.scales[type.name]
                return -1 if value == below(steps) else steps.index(value)
            match type.name:
                case "unit":
                    return self.program.unit_index[value]
                case "place":
                    return self.program.place_index[value]
                case "path":
                    return tuple(self.program.place_index[v] for v in value)
                case "hexside":
                    return tuple(sorted(self.program.place_index[v] for v in value))
                case "turn" if isinstance(value, str):
                    return self.turns[value]
        except (KeyError, ValueError):
            raise Unknown(value) from None
        return value

    def decode(self, type: Type, value: Any) -> Any:
        """A value of the compiled module by name."""
        if value is None:
            return None
        if type.of is not None:
            found = tuple(self.decode(type.of, v) for v in value)
            return tuple(sorted(set(found), key=repr)) if type.sort == "set" else found
        if type.sort == "record":
            parts = zip(self.book.records[type.name], value, strict=True)
            return tuple(self.decode(of, v) for (_, of), v in parts)
        if type.sort == "scale":
            steps = self.program.scales[type.name]
            return steps[value] if 0 <= value < len(steps) else below(steps)
        match type.name:
            case "unit":
                return self.program.units[value]
            case "place":
                return self.program.board.places[value]
            case "path" | "hexside":
                return tuple(self.program.board.places[v] for v in value)
            case "turn":
                return self.program.turns[value][0] if 0 <= value < len(self.program.turns) else value
        return value

    def printed(self, key: tuple[str, str]) -> dict[Any, Any]:
        """The printed values of a field, owners by name."""
        field = self.book.fields[key]
        owner = {"unit": t.UNIT, "place": t.PLACE, "hexside": t.HEXSIDE}.get(key[0])
        if owner is None:
            return {}
        return {self.decode(owner, who): v for who, v in printed(self.book, key[0], field).items()}

    # ------------------------------------------------------------ positions

    def at(self, lines: Sequence[Line], read: frozenset[str] | None = None) -> Runner:
        """The position after some lines, with all that begins with it settled; see `runner`."""
        runner = self.runner(lines, read)
        for line in lines:
            self.step(runner, line)
        if not runner.set_up:
            runner.settle()
        return runner

    def runner(self, lines: Sequence[Line], read: frozenset[str] | None = None) -> Runner:
        """An empty board for these lines; where nothing runs, only the memories of `read` look at it."""
        empty = self.empty(None if any(isinstance(line, w.Run | w.Play) for line in lines) else read)
        made = Runner(self.book, self.program, {}, empty)
        made.program = made.state.program = empty.program
        return made

    def empty(self, read: frozenset[str] | None = None) -> EmptyBoard:
        """The empty board, with all memories or the ones of `read` alone."""
        if read not in self._empty:
            program = self.program
            if read is not None:
                program = copy(program)
                program.memories = tuple(m for m in program.memories if m.name in read)
                program.invariants = ()
            self._empty[read] = EmptyBoard(program)
        return self._empty[read]

    def reads(self, names: Iterable[Name]) -> frozenset[str]:
        """The memories behind some names."""
        key = frozenset(names)
        if key not in self._reads:
            self._reads[key] = memories_behind(self.book, key)
        found = self._reads[key]
        assert found is not None
        return found

    def reads_of(self, text: str, types: tuple[Type, ...]) -> frozenset[str] | None:
        """The memories behind an expression over `a0`, `a1` …; None where this rule set has no such thing."""
        key = (text, types)
        if key not in self._reads:
            found = self.asked(text, types)
            self._reads[key] = None if found is None else memories_behind(self.book, asked((found[0],)))
        return self._reads[key]

    def step(self, runner: Runner, line: Line) -> None:
        """One more line."""
        made, values = self.encoded(line)
        j = len(runner.functions)
        for k, value in enumerate(values):
            runner.functions[j, k, ""] = lambda S, value=value: value
        problem = runner.line(j, made)
        if problem is not None:
            raise Stop(problem)

    def encoded(self, line: Line) -> tuple[c.ExampleLine, list[Any]]:
        values = [self.encode(*v) for v in line.values]
        exprs = tuple(c.Const(v, type=of, span=NOWHERE) for (of, _), v in zip(line.values, values, strict=True))
        return core_line(line, exprs), values

    # ------------------------------------------------------------ questions

    def asked(self, text: str, types: tuple[Type, ...]) -> tuple[c.Expr, Fn] | None:
        """An expression over `a0`, `a1` … with its compiled function; None where this rule set cannot compile it."""
        key = (text, types)
        if key not in self._asked:
            self._asked[key] = self._compiled(text, types)
        return self._asked[key]

    def expression(self, text: str, types: tuple[Type, ...]) -> c.Expr | None:
        return read_expression(self.made, text, Reporter(), {f"a{i}": of for i, of in enumerate(types)})

    def elaborator(self, report: Reporter) -> Elaborator:
        assert self.made.symbols is not None
        return Elaborator([], self.made.symbols, report)

    def _compiled(self, text: str, types: tuple[Type, ...], program: Program | None = None) -> tuple[c.Expr, Fn] | None:
        found = self.expression(text, types)
        if found is None:
            return None
        params = tuple(f"a{i}" for i in range(len(types)))
        made = functions(self.book, program or self.program, [("asked", params, found)], traced=program is not None)
        return found, made["asked"]

    def value(self, runner: Runner, text: str, args: tuple[Given, ...]) -> Any:
        """The value of an expression in a position, by name; a conflict of exceptions counts as a value."""
        found = self.asked(text, tuple(of for of, _ in args))
        if found is None:
            raise Unknown(text)
        expr, fn = found
        try:
            return self.decode(expr.type, fn(runner.S, *(self.encode(*v) for v in args)))
        except Conflict as conflict:
            return Clash(str(conflict))

    def trail(self, runner: Runner, text: str, args: tuple[Given, ...]) -> list[str]:
        """The explanation of a value, case by case, from the traced twin."""
        from rulewright.runtime.telling.explain import MOST_LINES, traced, tree

        if self.program.traced is None:
            return []
        twin = self.program.traced()
        found = self._compiled(text, tuple(of for of, _ in args), twin)
        if found is None:
            return []
        game = traced(runner.game)
        root = game.state.trace
        with suppress(Conflict):
            found[1](game.state, *(self.encode(*v) for v in args))
        lines = [x for node in nodes(root) for x in tree(self.program, node, 0)]
        return list(dict.fromkeys(lines))[:MOST_LINES]

    # ------------------------------------------------------------ examples

    def read(self, text: str | n.Example) -> c.Example | None:
        """An example parsed and elaborated on this rule set; None where that fails."""
        report = Reporter()
        lines = example_lines(text.partition("\n")[2], report) if isinstance(text, str) else text.lines
        made = self.elaborator(report)
        found = [made._example_line(line) for line in lines or ()]
        if report.failed or not found or None in found:
            return None
        return c.Example(title="witness", case="", lines=tuple(x for x in found if x is not None), span=NOWHERE)

    def holds(self, example: c.Example) -> Outcome:
        """The outcome of an example on the compiled module."""
        functions = load_functions(self.book, self.program, [example])[0]
        return Runner(self.book, self.program, functions, self.empty()).run(example)

    def walked(self, example: c.Example, patience: Patience | None = None) -> Outcome | None:
        """The outcome by the interpreter; None where it exceeds the remaining steps, or gives up."""
        pool = patience or Patience()
        if pool.left <= 0:
            return None
        if self._oracle is None:
            self._oracle = Oracle(self.book, self.made.digest)
        self._oracle.ev.patience = pool.left
        try:
            return Outcome(example, Worked(self._oracle, memories_read(self.book, example)).run(example))
        except (Weary, GivenUp):
            return None
        finally:
            pool.left = int(self._oracle.ev.patience)


def below(steps: tuple[str, ...]) -> str:
    """The value below all steps of a scale, by name."""
    return f"below {steps[0]}"


class Clash(str):
    """The answer where exceptions contradict one another."""


def core_line(line: Line, exprs: tuple[c.Expr, ...]) -> c.ExampleLine:
    """A line of a position as a line of an example, over these expressions."""
    match line:
        case w.At():
            return c.GivenAt(((exprs[0], exprs[1]),), span=NOWHERE)
        case w.BoundIs():
            return c.GivenBound(line.name, exprs[0], span=NOWHERE)
        case w.ReadingIs():
            return c.GivenReading(line.name, exprs[0], span=NOWHERE)
        case w.MarkIs():
            return c.GivenMark(line.key, exprs[0], exprs[1] if len(exprs) > 1 else None, span=NOWHERE)
        case w.MemoryIs():
            return c.GivenMemory(line.name, exprs[0], exprs[1:], span=NOWHERE)
        case w.SpentIs():
            return c.GivenSpent(line.name, exprs[0], exprs[1:], span=NOWHERE)
        case w.During():
            return c.GivenPhase(line.phase, span=NOWHERE)
        case w.OnMap():
            return c.GivenMap(line.map, span=NOWHERE)
        case w.Setup():
            return c.GivenScenario(line.scenario, span=NOWHERE)
        case w.Die():
            return c.GivenDice(exprs, span=NOWHERE)
        case w.Run():
            return c.RunLine(line.procedure, exprs, span=NOWHERE)
        case w.Play():
            return c.PlayLine(line.sort, line.name, exprs[0], exprs[1:], span=NOWHERE)
        case _:
            assert_never(line)


def example_lines(text: str, report: Reporter) -> tuple[n.ExampleLine, ...] | None:
    """The lines of an example, parsed."""
    body = "\n".join("    " + line.strip() for line in text.splitlines())
    found = parse(f'case 1 "W":\n  example "w":\n{body}\n', "<witness>", report)
    if report.failed or not found or not isinstance(found[0], n.Case):
        return None
    example = found[0].body[0]
    assert isinstance(example, n.Example)
    return example.lines
