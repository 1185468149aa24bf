"""Which statements of a compiled rule set each worked example executes, how long it takes, and whether it holds.

In:  a book and its program, compiled without inlining, so that every definition has a function.
Out: one record for each example, cached on disk until its text, a module or the runtime changes.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import rulewright.runtime
from rulewright.dsl.cache import cache_directory, read_sealed, write_sealed

from ..cache.passed_checks import compiler_stamp
from ..core import nodes as c
from .executed_lines import Line
from .expressions import Expressions
from .in_memory import InMemory
from .instrumented import Instrumented, Statement
from .run import Runner

Function = tuple[str, str]
"""A module of a package and one of its functions."""


@dataclass(frozen=True, slots=True)
class ExampleRun:
    """One run of an example: the executed statements as a bit set, processor time in seconds, and failures."""

    reached: int
    seconds: float
    failures: tuple[str, ...]


class Runs:
    """The runs of some examples."""

    def __init__(self, statements: list[Statement], examples: list[ExampleRun]) -> None:
        self.statements = statements
        self.examples = examples

    @cached_property
    def of_function(self) -> dict[Function, int]:
        """The statements of each function as a bit set."""
        found: dict[Function, int] = {}
        for i, x in enumerate(self.statements):
            found[x.module, x.function] = found.get((x.module, x.function), 0) | 1 << i
        return found

    @cached_property
    def functions(self) -> list[frozenset[Function]]:
        """The functions that each example called."""
        return [frozenset(f for f, mask in self.of_function.items() if mask & x.reached) for x in self.examples]

    @cached_property
    def lines(self) -> frozenset[Line]:
        """The lines that ran in any example."""
        ran = 0
        for x in self.examples:
            ran |= x.reached
        rows = (x for i, x in enumerate(self.statements) if ran >> i & 1)
        return frozenset((x.module, line) for x in rows for line in range(x.first, x.last + 1))


def record_runs(
    book: c.Book,
    memory: InMemory,
    examples: Sequence[c.Example],
    expressions: Expressions,
    told: Callable[[int], None] = lambda _: None,
) -> Runs:
    """Run the examples, or take the records of an earlier run where nothing has changed."""
    store = Store(book.name, memory)
    keys = [key_of(x) for x in examples]
    left = [i for i, key in enumerate(keys) if key not in store.known]
    if left or not store.statements:
        instrumented = Instrumented(memory)
        store.statements = instrumented.statements
        with instrumented.program() as program:
            functions = expressions.bound(program)
            for k, i in enumerate(left):
                instrumented.clear()
                since = time.process_time()
                outcome = Runner(book, program, functions[i]).run(examples[i])
                spent = time.process_time() - since
                problems = tuple(f"{examples[i].span.file}:{line}: {text}" for line, text in outcome.failures)
                store.known[keys[i]] = ExampleRun(instrumented.reached(), spent, problems)
                told(len(examples) - len(left) + k + 1)
        store.write()
    return Runs(store.statements, [store.known[key] for key in keys])


def key_of(example: c.Example) -> str:
    return digest(example.case, example.covers, example.span.text)


def digest(*parts: object) -> str:
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:32]


@cache
def stamp() -> str:
    """A hash of the compiler and of the runtime."""
    root = Path(next(iter(rulewright.runtime.__path__)))
    files = sorted(root.rglob("*.py"))
    return digest(compiler_stamp(), [(path.name, path.read_bytes()) for path in files])


# ---------------------------------------------------------------- between runs


class Store:
    """The on-disk cache of runs, one file for each rule set; failing examples are not cached."""

    def __init__(self, name: str, memory: InMemory) -> None:
        hashes = (line for line in memory.texts["rules"].split("\n") if line.lstrip().startswith("rules_hash="))
        texts = {**memory.texts, "rules": memory.texts["rules"].replace(next(hashes, ""), "")}
        self.modules = digest(sorted(texts.items()))
        self.path = cache_directory() / "called" / f"{digest(name, stamp())}.json"
        self.statements: list[Statement] = []
        self.known: dict[str, ExampleRun] = {}
        self.read()

    def read(self) -> None:
        try:
            document = json.loads(read_sealed(self.path) or b"")
            if document["modules"] != self.modules:
                return
            statements = [Statement(*row) for row in document["statements"]]
            known = {
                str(key): ExampleRun(int(reached, 16), float(seconds), ())
                for key, (reached, seconds) in document["examples"].items()
            }
        except (ValueError, KeyError, TypeError):
            return
        self.statements, self.known = statements, known

    def write(self) -> None:
        document: dict[str, Any] = {
            "modules": self.modules,
            "statements": [(x.module, x.function, x.first, x.last) for x in self.statements],
            "examples": {
                key: (f"{x.reached:x}", round(x.seconds, 6)) for key, x in self.known.items() if not x.failures
            },
        }
        write_sealed(self.path, json.dumps(document, ensure_ascii=False).encode())
