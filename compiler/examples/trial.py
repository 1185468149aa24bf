"""Try mutants: compile one, run the examples that can tell it from the rules, stop at the first that fails.

In:  a rule set whose examples hold, and mutants of it.
Out: the result of each: detected (and by which example), undetected, or no valid mutant because the compiler refuses it
     or its code is the same.
"""

from __future__ import annotations

import gc
import signal
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from rulewright.dsl.diagnostics import Reporter
from rulewright.dsl.parse import room_for_chains
from rulewright.runtime.problems import Refusal

from ..cache.garbage_collector import collector_paused
from ..core import nodes as c
from ..emit import modules
from ..loader import Loaded, load_compiled
from ..passes.check import check_kinds
from ..passes.compiled import Compiled, given
from ..passes.elaborate import check_names
from ..passes.write import inline, lower
from ..pipeline import REFUSING, compile_book, run
from .differences import Differences, differences
from .empty_board import EmptyBoard
from .executed_statements import ExampleRun, Function, Runs, record_runs
from .expressions import Expressions, Functions
from .in_memory import InMemory
from .mutants import Mutant, mutated
from .run import Runner

REST = (*(x for x in REFUSING[REFUSING.index(check_names) :] if x is not check_kinds), inline, lower)
"""The passes that a changed declaration runs through once more; the kind of an overlay is a matter of its text."""
LEAST, TIMES = 2.0, 20.0
"""Processor time that an example has under a mutant: so many seconds, and so many times what it takes."""


@dataclass(frozen=True, slots=True)
class Tried:
    """The result of a mutant: noticed, unnoticed, refused or same; by which example, of how many that could."""

    status: str
    by: str = ""
    met: int = 0


class OutOfTime(BaseException):
    """An example does not terminate under a mutant."""


class Trials:
    """A rule set prepared for trying mutants of it."""

    def __init__(
        self,
        name: str,
        places: tuple[Path, ...] = (),
        told: Callable[[str, int, int], None] = lambda *_: None,
        only: Callable[[c.Example], bool] = lambda _: True,
    ) -> None:
        self.made: Compiled = compile_book(name, places, folded=False)
        self.loaded: Loaded = load_compiled(self.made)
        self.book: c.Book = given(self.made.book)
        self.memory = InMemory(self.loaded, given(self.made.emitted).modules)
        self.examples = examples = tuple(filter(only, self.book.examples))
        self.expressions = Expressions(self.book, examples)
        progress = partial(self.example_done, told)
        self.runs: Runs = record_runs(self.book, self.memory, examples, self.expressions, progress)
        self.called: list[ExampleRun] = self.runs.examples
        self.empty: EmptyBoard | None = None
        self.callers: dict[Function, list[int]] = {}
        for i, functions in enumerate(self.runs.functions):
            for f in functions:
                self.callers.setdefault(f, []).append(i)

    def example_done(self, told: Callable[[str, int, int], None], done: int) -> None:
        told("examples", done, len(self.examples))

    def failing(self) -> list[str]:
        """The failures of examples under the unchanged rules; with any, nothing can be said about mutants."""
        return [text for row in self.called for text in row.failures]

    # ------------------------------------------------------------ one mutant

    def compiled(self, mutant: Mutant) -> Compiled | None:
        """The mutant as a rule set with modules; None where the compiler refuses it."""
        base = self.made
        with room_for_chains(), collector_paused():
            for entries in mutated(given(base.entries), mutant):
                memory = base.memory.aside()
                made = replace(base, entries=entries, report=Reporter(), memory=memory, stopped=False, emitted=None)
                try:
                    made = run(REST, made)
                    if not made.stopped:
                        return written(made)
                except (SyntaxError, RecursionError, MemoryError):
                    pass
        return None

    def try_out(self, mutant: Mutant, only: Collection[int] | None = None) -> Tried:
        """Compile a mutant and run examples under it until one fails: the given ones, or all that it can affect."""
        made = self.compiled(mutant)
        if made is None:
            return Tried("refused")
        emitted = given(made.emitted)
        other = differences(given(self.made.emitted), emitted)
        if other.none:
            return Tried("same")
        met, rest = self.order(mutant.case, other)
        if only is not None:
            met, rest = [i for i in met if i in only], [i for i in rest if i in only]
        if not met and not rest:
            return Tried("unnoticed")
        with self.memory.program(emitted.modules) as program:
            functions = self.functions(made, program)
            if functions is None:
                return Tried("refused")
            for i in (*met, *rest):
                if not self.holds(i, program, functions[i]):
                    example = self.examples[i]
                    return Tried("noticed", f"{example.case}: {example.title}", len(met))
        return Tried("unnoticed", "", len(met) + len(rest))

    def order(self, case: str, other: Differences) -> tuple[list[int], list[int]]:
        """The examples that call a differing function, nearest first; then those that other differences may affect."""
        met = {i for f in other.functions for i in self.callers.get(f, ())}
        rest = {*range(len(self.called))} - met if other.more else set()

        def far(i: int) -> tuple[bool, bool, float, int]:
            x = self.examples[i]
            near = x.case.split("/")[0].split(".")[0] == case.split("/")[0].split(".")[0]
            return case not in (x.case, *x.covers), not near, self.called[i].seconds, i

        return sorted(met, key=far), sorted(rest, key=far)

    def functions(self, made: Compiled, program: Any) -> list[Functions] | None:
        """The expressions of the examples as functions of the mutant."""
        try:
            return self.expressions.bound(program)
        except AttributeError:  # a name of the package has changed: compile them for this book
            return Expressions(given(made.book), self.examples).bound(program)

    def holds(self, i: int, program: Any, functions: Functions) -> bool:
        example = self.examples[i]
        try:
            with limited(LEAST + TIMES * self.called[i].seconds):
                if self.empty is None or self.empty.program is not program:
                    self.empty = EmptyBoard(program)
                return Runner(self.book, program, functions, self.empty).run(example).passed
        except (OutOfTime, Exception):
            return False


def written(made: Compiled) -> Compiled:
    """The modules of a mutant, without the traced twin."""
    book, lowered, depends = given(made.book), given(made.lowered), given(made.depends)
    inlined, foreseen = dict(made.inlined), given(made.foreseen)
    emitted = modules.emit(book, lowered, depends, made.digest, inlined, foreseen, made.memory, False, twin=False)
    return replace(made, emitted=emitted)


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Stop the enclosed code after a limit of processor time, on systems with timers."""
    if not hasattr(signal, "setitimer"):
        yield
        return

    def stop(*_: object) -> None:
        raise OutOfTime

    old = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, old)


def ready(
    name: str,
    places: tuple[Path, ...],
    told: Callable[[str, int, int], None],
    only: Callable[[c.Example], bool] = lambda _: True,
) -> Trials:
    """A rule set prepared for trials, if its examples hold."""
    made = Trials(name, places, told, only)
    failing = made.failing()
    if failing:
        raise Refusal(f"examples of {name} fail, so that mutants prove nothing: {failing[0]}")
    gc.freeze()
    return made
