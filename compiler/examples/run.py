"""Run worked examples.

In:  the examples of a book in the core, and its compiled program.
Out: for each example whether it holds, and where and why it does not.

An example sets up a position, makes choices, runs procedures, and states what must hold. It runs on the compiled
module; its own expressions are compiled by the same emitter (expressions.py).
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, assert_never

from rulewright.runtime import machine, ops, phases
from rulewright.runtime.choices.questions import AskSpace
from rulewright.runtime.choices.spaces import ActionSpace
from rulewright.runtime.game import Decision, Game
from rulewright.runtime.notation import show
from rulewright.runtime.problems import NONSENSE, Conflict, Fault, Ground, Refusal, rested
from rulewright.runtime.program import Program
from rulewright.runtime.state import fresh
from rulewright.runtime.telling.faults import located
from rulewright.runtime.text import Choice

from ..core import nodes as c
from ..core.texts import type_text
from .empty_board import EmptyBoard
from .expressions import Functions, load_functions


@dataclass(slots=True)
class Outcome:
    """The outcome of one example."""

    example: c.Example
    failures: list[tuple[int, str]] = field(default_factory=list)

    @property
    def passed(self) -> bool:
        return not self.failures


def run_examples(
    book: c.Book,
    program: Program,
    examples: Iterable[c.Example] | None = None,
    told: Callable[[int], None] = lambda _: None,
) -> list[Outcome]:
    """Run every example of the book, or the given ones; `told` is called with the number done."""
    chosen = list(book.examples if examples is None else examples)
    loaded, empty = load_functions(book, program, chosen), EmptyBoard(program)
    gc.freeze()  # a state of many places sets off collections, which would walk the whole book each time
    found: list[Outcome] = []
    for i, example in enumerate(chosen):
        found.append(Runner(book, program, loaded[i], empty).run(example))
        told(len(found))
    return found


Promise = tuple[str, str, Callable[[Any], Any]]
"""An invariant: its name, its case and its test."""


def holds(promise: Promise, S: Any) -> bool:
    """Whether an invariant holds; False in a position too bare to evaluate it."""
    try:
        return bool(promise[2](S))
    except (Fault, *NONSENSE):
        return False


class Stop(Exception):
    """The example cannot continue."""


class Runner:
    """Runs one example, line by line, on a fresh state; `empty`, where there is one, saves looking at all of it."""

    def __init__(self, book: c.Book, program: Program, functions: Functions, empty: EmptyBoard | None = None) -> None:
        self.book = book
        self.empty = empty
        self.program = program
        self.functions = functions
        self.state = fresh(program, 0)
        self.game = Game(program, self.state)
        self.phases: list[str] = []
        self.kept: list[tuple[str, tuple[Any, ...], Any]] = []
        self.set_up = False
        self.promised: list[Promise] = []

    @property
    def S(self) -> Any:
        return self.game.state

    def run(self, example: c.Example) -> Outcome:
        found = Outcome(example)
        for j, line in enumerate(example.lines):
            try:
                problem = self.line(j, line) or self._broken(line)
            except Stop as stop:
                found.failures.append((line.span.line, str(stop)))
                break
            except (Fault, Refusal) as error:
                found.failures.append((line.span.line, f"{type(error).__name__}: {located(error)}"))
                break
            except (*NONSENSE, AssertionError) as error:
                fault = located(error)
                bare = f"a value is not there: {type(error).__name__}: {error}"
                found.failures.append((line.span.line, str(fault) if isinstance(fault, Fault) else bare))
                break
            if problem is not None:
                found.failures.append((line.span.line, problem))
        return found

    def value(self, j: int, k: int, word: str = "") -> Any:
        rested(self.S)
        return self.functions[j, k, word](self.S)

    # ------------------------------------------------------------ lines

    def line(self, j: int, line: c.ExampleLine) -> str | None:
        if isinstance(line, c.Given):
            self._given(j, line)
            return None
        if not self.set_up:
            self.settle()
        match line:
            case c.Expected():
                return self._expect(j, line)
            case c.ExpectedAsked():
                return self._asked(self.value(j, 0), line.name)
            case c.ExpectedQuiet():
                asked = ", ".join(f"{d.side}: {d.name}" for d in self.game.decisions)
                return f"something is asked: {asked}" if asked else None
            case c.ExpectedConflict():
                try:
                    value = self.value(j, 0)
                except Conflict:
                    return None
                return f"no conflict: the value is {self._show(line.exprs[0], value)}"
            case c.RunLine():
                args = tuple(self.value(j, k) for k in range(len(line.given)))
                if self.S.pending:
                    params = self.program.procedures[line.procedure].params
                    machine.interrupt(self.S, line.procedure, dict(zip(params, args, strict=True)))
                else:
                    machine.call(self.S, line.procedure, args)
                machine.run(self.S)
                self.game.take_log()
                return None
            case c.PlayLine():
                return self._play(j, line)
            case c.LegalLine() | c.RefusedLine():
                return self._judge(j, line)
            case _:
                assert_never(line)

    def _broken(self, line: c.ExampleLine) -> str | None:
        """The invariant that a line has broken; those that the given position already breaks do not count."""
        if not isinstance(line, c.PlayLine | c.RunLine) or self.S.together:
            return None
        for name, case, test in self.promised:
            if not test(self.S):
                return f"this breaks the invariant {name} (case {case})"
        return None

    def _asked(self, side: Any, wanted: str | None) -> str | None:
        """The failure of a line that expects a side to be asked for something; None where it holds."""
        mine = (d for d in self.game.decisions if d.side == side)
        names = [n for d in mine for n in (d.name.split() if d.sort == "offer" else [d.name])]
        if names and (wanted is None or wanted in names):
            return None
        asked = ", ".join(f"{d.side}: {d.name}" for d in self.game.decisions) or "nothing"
        return f"{side} is not asked for {wanted or 'anything'}; asked: {asked}"

    def _given(self, j: int, line: c.GivenLine) -> None:
        S = self.S
        match line:
            case c.GivenAt():
                for k in range(0, len(line.exprs), 2):
                    units, place = ops.as_many(self.value(j, k)), self.value(j, k + 1)
                    before = {S.at[u] for u in units}
                    for u in units:
                        ops.shift(S, u, place)
                    ops.touch(S, "at", unit=[*units], place={place, *before})
                if self.set_up:
                    ops.settle(S)
            case c.GivenPhase():
                if self.set_up:
                    S.phases.append(line.phase)
                    ops.touch(S, "phases")
                    phases.begin(S, line.phase)
                else:
                    self.phases.append(line.phase)
            case c.GivenScenario():
                ops.set_up(S, self.program.scenarios[line.scenario])
                S.unsettle()
            case c.GivenMap():
                S.play_on(line.map)
            case c.GivenDice():
                S.dice["script"] = [*S.dice["script"], *(int(self.value(j, k)) for k in range(len(line.faces)))]
            case c.GivenDraws():
                S.dice["draws"] = [*S.dice.get("draws", []), *(self.value(j, k) for k in range(len(line.drawn)))]
            case c.GivenBound():
                setattr(S, "bind_" + line.name, self.value(j, 0))
                ops.touch(S, "bind_" + line.name)
            case c.GivenReading():
                S.readings[line.name] = self.value(j, 0)
                S.forget()
                S.seen.clear()
            case c.GivenMark():
                value, owner = self.value(j, 0), self.value(j, 1) if line.of is not None else None
                S.together += not self.set_up  # nothing settles before the position is complete
                ops.set_mark(S, "_".join(line.key), owner, value, "")
                S.together -= not self.set_up
            case c.GivenMemory():
                self._keep(j, "past_" + line.name, len(line.asked), self.book.memories[line.name].how == "at")
            case c.GivenSpent():
                self._keep(j, "spent_" + line.name, len(line.asked))
            case _:
                assert_never(line)

    def _keep(self, j: int, column: str, keys: int, stays: bool = True) -> None:
        """Store a value of a memory or quota in the state, under its arguments; where it `stays`, a phase that begins
        with the position does not lose it."""
        value, key = self.value(j, 0), tuple(self.value(j, k + 1) for k in range(keys))
        self._store(column, key, value)
        if stays and not self.set_up:
            self.kept.append((column, key, value))

    def _store(self, column: str, key: tuple[Any, ...], value: Any) -> None:
        self.S.own(column)[key] = value
        ops.touch(self.S, column)
        self.S.seen.clear()

    def settle(self) -> None:
        """The position is complete: update the memories, begin the given phases."""
        S = self.S
        self.set_up = True
        S.forget()
        if self.empty is not None:
            self.empty.remember(S)
        else:
            ops.refresh_all(S)
        for phase in self.phases:
            S.phases.append(phase)
            ops.touch(S, "phases")
        for phase in self.phases:
            phases.begin(S, phase)
        for kept in self.kept:
            self._store(*kept)
        for trigger in self.program.by_event.get(("soon", ""), ()):
            S.soon[trigger.id] = bool(trigger.guard(S)) if trigger.guard is not None else True
        S.queue, S.dirty = [], {}
        self.promised = [promise for promise in self.program.invariants if holds(promise, S)]
        self.game.take_log()

    def _expect(self, j: int, line: c.Expected) -> str | None:
        if self.value(j, 0):
            return None
        e = line.test
        if isinstance(e, c.Comparison) and (j, 0, "left") in self.functions:
            left, right = self.value(j, 0, "left"), self.value(j, 0, "right")
            return f"expected {e.sign} {self._show(e.right, right)}, but it is {self._show(e.left, left)}"
        return "this does not hold"

    def _show(self, e: c.Expr, value: Any) -> str:
        try:
            return show(self.program, type_text(e.type, self.book), value)
        except (TypeError, IndexError, KeyError):
            return repr(value)

    # ------------------------------------------------------------ choices

    def choice(self, j: int, line: c.ChoiceLine) -> Choice:
        name, side = line.name, self.value(j, 0)
        args = [self.value(j, k + 1) for k in range(len(line.given))]
        mine = [d for d in self.game.decisions if d.side == side]
        if line.sort == "word":
            decision = next((d.id for d in mine if d.sort == "offer"), -(10**6))
            return Choice(decision, side, name)
        if line.sort == "ask":
            asked = next((d for d in mine if d.sort == "ask" and d.name == name), None)
            answer = self._answer(asked, args[0], line.given[0])
            return Choice(-(10**6) if asked is None else asked.id, side, name, (("", answer),))
        action = self.program.actions[name]
        decision = next(
            (
                d.id
                for d in mine
                if (d.sort == "offer" and name in d.name.split()) or (d.sort == "standing" and d.name == name)
            ),
            -(10**6),
        )
        given: list[tuple[str, Any]] = []
        for i, (param, value) in enumerate(zip(action.params, args, strict=True)):
            if param.type == "path" and len(value) == 1 and param.domain is not None:
                paths = param.domain(self.S, side, *(v for _, v in given[:i]))
                value = next((p for p in paths if p[-1] == value[0]), (*value, *value))
            given.append((param.name, value))
        return Choice(decision, side, name, tuple(given))

    def _answer(self, asked: Decision | None, value: Any, e: c.Expr) -> Any:
        """An answer; a path given by its end alone means the listed path to that end."""
        if asked is None or not isinstance(e, c.ListOf) or len(value) != 1:
            return value
        [space] = self.game.spaces(asked)
        if not isinstance(space, AskSpace) or space.info.type != "path":
            return value
        listed = (args[0][1] for args in space.listing())
        return next((p for p in listed if isinstance(p, tuple) and p and p[-1] == value[0]), value)

    def grounds(self, choice: Choice) -> list[Ground]:
        if choice.decision == -(10**6) and choice.name in self.program.actions and not self.S.pending:
            action = self.program.actions[choice.name]
            return ActionSpace(self.S, action, choice.side).refusals(choice.args)
        return self.game.refusals(choice)

    def _play(self, j: int, line: c.PlayLine) -> str | None:
        choice = self.choice(j, line)
        grounds = self.grounds(choice)
        if grounds:
            raise Stop("refused: " + self._reasons(grounds))
        if choice.decision == -(10**6):
            machine.push(self.S, "action " + choice.name, {**dict(choice.args), "actor": choice.side})
            machine.run(self.S)
            self.game.take_log()
        else:
            self.game.do(choice)
        return None

    def _judge(self, j: int, line: c.JudgedLine) -> str | None:
        choice = self.choice(j, line)
        grounds = self.grounds(choice)
        if isinstance(line, c.LegalLine):
            return "refused: " + self._reasons(grounds) if grounds else None
        if not grounds:
            return "this is legal"
        cases = {g.case for g in grounds}
        missing = [x for x in line.cases if x not in cases]
        if missing:
            return f"refused, but not by {', '.join(missing)}: " + self._reasons(grounds)
        return None

    def _reasons(self, grounds: list[Ground]) -> str:
        return "; ".join(f"{g.case} {g.label}".strip() for g in grounds)
