"""Which functions of a compiled rule set each worked example calls, how long it takes, and whether it holds.

In:  a book and its program, every definition with a function of its own.
Out: a record an example, and the lines that ran in any of them; kept beside the modules until the text changes.
"""

from __future__ import annotations

import ast
import json
import sys
import time
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

from rulewright.dsl.cache import write_whole

from ..core import nodes as c
from ..loader import Loaded
from .executed_lines import Line, heads
from .run import Functions, Runner

Function = tuple[str, str]
"""A module of a package and one of its functions."""
FILE = "called.json"


@dataclass(frozen=True, slots=True)
class Called:
    """What one example did: the functions it called, its processor time in seconds, what failed."""

    functions: frozenset[Function]
    seconds: float
    failures: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Runs:
    """What some examples did, one by one; and the lines of the modules that ran in any of them."""

    examples: list[Called]
    lines: frozenset[Line]


def called(
    book: c.Book,
    loaded: Loaded,
    examples: Sequence[c.Example],
    functions: list[Functions],
    told: Callable[[int], None] = lambda _: None,
) -> Runs:
    """A record for each of some examples, from an earlier run where there was one."""
    path = loaded.folder / FILE
    titles = [f"{x.case} {x.title}" for x in examples]
    known = read(path, titles)
    if known is not None:
        return known
    found = []
    finder = Calls(loaded.folder)
    for i, example in enumerate(examples):
        since = time.process_time()
        with finder:
            outcome = Runner(book, loaded.program, functions[i]).run(example)
        spent = time.process_time() - since
        problems = tuple(f"{example.span.file}:{line}: {text}" for line, text in outcome.failures)
        found.append(Called(frozenset(finder.functions()), spent, problems))
        told(i + 1)
    made = Runs(found, finder.lines())
    write(path, titles, made)
    return made


def read(path: Path, titles: list[str]) -> Runs | None:
    """What was kept of these examples; nothing where it is damaged or of others."""
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
        names = [(module, name) for module, name in document["functions"]]
        rows = [
            Called(frozenset(names[k] for k in row["called"]), float(row["seconds"]), tuple(row["failures"]))
            for row in document["examples"]
        ]
        lines = frozenset((module, int(line)) for module, row in document["lines"].items() for line in row)
    except (OSError, ValueError, KeyError, TypeError, IndexError):
        return None
    return Runs(rows, lines) if document.get("titles") == titles and len(rows) == len(titles) else None


def write(path: Path, titles: list[str], made: Runs) -> None:
    rows = made.examples
    lines: dict[str, list[int]] = {}
    for module, line in sorted(made.lines):
        lines.setdefault(module, []).append(line)
    names = sorted({f for row in rows for f in row.functions})
    at = {f: i for i, f in enumerate(names)}
    document = {
        "titles": titles,
        "functions": names,
        "examples": [
            {"called": sorted(at[f] for f in r.functions), "seconds": round(r.seconds, 6), "failures": r.failures}
            for r in rows
        ],
        "lines": lines,
    }
    write_whole(path, json.dumps(document, ensure_ascii=False).encode())


class Calls:
    """A context in which the calls into the modules of a folder are collected, afresh each time.

    Lines are collected over all times; a piece of code of which every line has run is not watched any longer.
    """

    def __init__(self, folder: Path) -> None:
        self.files = {str(path): path.stem for path in folder.glob("chapter_*.py")}
        self.ran: set[tuple[str, int]] = set()
        self.heads: dict[str, tuple[list[int], list[str]]] = {}
        self.ran_lines: set[tuple[str, int]] = set()
        self.left: dict[CodeType, set[int]] = {}

    def __enter__(self) -> Calls:
        self.ran = set()
        self._old = sys.gettrace()
        sys.settrace(self._call)
        return self

    def __exit__(self, *_: object) -> None:
        sys.settrace(self._old)

    def _call(self, frame: FrameType, event: str, _: Any) -> Any:
        code = frame.f_code
        if code.co_filename not in self.files:
            return None
        self.ran.add((code.co_filename, code.co_firstlineno))
        if code not in self.left:
            self.left[code] = {line for _, _, line in code.co_lines() if line is not None}
        return self._line if self.left[code] else None

    def _line(self, frame: FrameType, event: str, _: Any) -> Any:
        self.ran_lines.add((frame.f_code.co_filename, frame.f_lineno))
        self.left[frame.f_code].discard(frame.f_lineno)
        return self._line

    def lines(self) -> frozenset[Line]:
        """The lines that ran so far; one of a statement's lines stands for all of them."""
        found = {(self.files[file], line) for file, line in self.ran_lines}
        for file in sorted({file for file, _ in self.ran_lines}):
            module = self.files[file]
            for first, last in heads(file):
                inside = [(module, i) for i in range(first, last + 1)]
                if any(x in found for x in inside):
                    found.update(inside)
        return frozenset(found)

    def functions(self) -> set[Function]:
        """The functions that were called; what is nested in one, or stands outside of all, counts as its own."""
        return {(self.files[file], self._name(file, line)) for file, line in self.ran}

    def _name(self, file: str, line: int) -> str:
        if file not in self.heads:
            tree = ast.parse(Path(file).read_text(encoding="utf-8"))
            found = [(f.lineno, f.name) for f in tree.body if isinstance(f, ast.FunctionDef)]
            self.heads[file] = [first for first, _ in found], [name for _, name in found]
        firsts, names = self.heads[file]
        i = bisect_right(firsts, line) - 1
        return names[i] if i >= 0 else ""
