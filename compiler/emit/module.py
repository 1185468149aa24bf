"""Print a module, one declaration after another.

In:  the functions that one declaration comes to, as lines with marks.
Out: their text and the places they come from: printed now, or as they were printed before.

A chunk notes down all that printing it took from the module around it: names, constants, numbers of kept answers,
folds and what was foreseen. It is taken again only where it would take the same.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

from rulewright.dsl.source import Span

from ..analyse.dependencies import Depends
from ..analyse.inline import TABLE, Fold
from ..analyse.value_ranges import Foreseen
from ..cache.incremental import Known, Memory, Room, ident
from ..core import nodes as c
from .expressions import Constants, Printer
from .layout import layout
from .lower import Lowered
from .memo_dependencies import Rests
from .steps import stirs_of
from .text import SAID, comment, file_line

T = TypeVar("T")
MARK = re.compile(r"⟦(\d+)⟧")

Place = tuple[int, str, Span, str]
"""A line of a function, with its case, span and element."""


@dataclass(slots=True, eq=False)
class Function:
    """One function to print; lines carry a number that the source map resolves."""

    name: str
    params: str
    doc: str
    lines: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Printed:
    """A function as it stands in the module, and where its lines come from."""

    text: str
    lines: int
    places: tuple[Place, ...]


@dataclass(frozen=True, slots=True)
class Chunk:
    """The functions of one declaration, with all that printing them took from the module around it."""

    value: Any
    functions: tuple[Printed, ...]
    names: frozenset[str]
    tried: frozenset[str]
    constants: tuple[tuple[str, str, str], ...]
    looked_up: frozenset[str]
    memo: tuple[tuple[int, str, Rests], ...]
    said: tuple[tuple[Span, str], ...]
    asked: tuple[tuple[str, Fold | None], ...]
    foreseen: tuple[tuple[str, c.Expr, object], ...]


class Module:
    """What is printed of one module, and what that took."""

    def __init__(
        self,
        book: c.Book,
        lowered: dict[str, Lowered],
        depends: Depends,
        rules_hash: str,
        traced: bool,
        memory: Memory | None = None,
        folds: dict[str, Fold] | None = None,
        foreseen: Foreseen | None = None,
    ) -> None:
        self.book = book
        self.lowered = lowered
        self.stirs = stirs_of(book, depends, lowered)
        self.depends = depends
        self.rules_hash = rules_hash
        self.traced = traced
        self.constants = Constants(book)
        self.functions: list[Function] = []
        self.printed: list[Printed] = []
        self.pieces: tuple[str, ...] = ()
        self.arguments: tuple[str, ...] = ()
        self.marks: list[tuple[str, Span, str]] = []
        self.memo: dict[str, Rests] = {}
        self.names: set[str] = set()
        self.taken: set[str] = set()
        self.made: set[str] = set()
        self.tried: set[str] = set()
        self.collided = False
        self.noted: list[tuple[int, str, Rests]] = []
        self.memory = memory or Memory()
        self.folded = folds is not None and not traced
        self.constants.foreseen = foreseen or Foreseen(book)
        self.constants.folded, self.constants.traced = self.folded, traced
        self.constants.folds = {k: x for k, x in (folds or {}).items() if x == TABLE or not traced}
        self.room = Room()
        self.worth = Room()
        self.usuals: dict[str, str] = {}
        self.top = False

    # ------------------------------------------------------------ chunks

    def chunk(self, parts: tuple[Any, ...], make: Callable[[], T]) -> T:
        """Print the functions of one declaration, or take them as they were printed before.

        `make` looks at `parts`, at what `seen` tells of the book, and at what a chunk notes down.
        """
        key = ident(parts)
        known = self.room.find(key)
        if known is None or not self._fits(known.value):
            chunk, alone = self._record(make)
            known = Known(parts, chunk)
            if alone:
                self.room.now[key] = known
            else:
                self.room.now.pop(key, None)
        else:
            self._take(known.value)
        self.printed += known.value.functions
        value: T = known.value.value
        return value

    def once(self, make: Callable[[], T]) -> T:
        """Print functions that are cheaper to print anew than to remember."""
        chunk, _ = self._record(make)
        self.printed += chunk.functions
        value: T = chunk.value
        return value

    def _fits(self, chunk: Chunk) -> bool:
        """Whether the numbers and names that a chunk took are the ones that it would take now."""
        if not (self.names.isdisjoint(chunk.tried) and self.taken.isdisjoint(chunk.tried)):
            return False
        if chunk.memo and chunk.memo[0][0] != len(self.memo):
            return False
        if any(file_line(span) != text for span, text in chunk.said):
            return False
        if any(self.constants.how(name) is not how for name, how in chunk.asked):
            return False
        foreseen = self.constants.foreseen
        if any(foreseen.answer(question, e) != answer for question, e, answer in chunk.foreseen):
            return False
        return self.constants.fits(chunk.constants)

    def _take(self, chunk: Chunk) -> None:
        self.names |= chunk.names
        for constant in chunk.constants:
            self.constants.use(*constant)
        self.constants.looked_up |= chunk.looked_up
        for _, name, rests in chunk.memo:
            self.memo[name] = rests

    def _record(self, make: Callable[[], Any]) -> tuple[Chunk, bool]:
        """Print, and note down all that is taken from the module; says whether no name was in the way of another."""
        constants = self.constants
        looked_up, constants.looked_up, constants.used = constants.looked_up, set(), {}
        constants.asked, constants.foreseen.noted = {}, []
        self.made, self.tried, self.collided, self.noted = set(), set(), False, []
        self.functions, self.marks = [], []
        SAID.clear()
        value = make()
        chunk = Chunk(
            value,
            tuple(map(self._print, self.functions)),
            frozenset(self.made),
            frozenset(self.tried | self.made),
            tuple(constants.used.values()),
            frozenset(constants.looked_up),
            tuple(self.noted),
            tuple(SAID),
            tuple(constants.asked.items()),
            tuple(constants.foreseen.noted),
        )
        constants.looked_up |= looked_up
        self.functions = []
        return chunk, not self.collided

    def _print(self, f: Function) -> Printed:
        """A function with its marks turned into comments that cite cases, and into places for the source map."""
        text: str = layout().function(f)
        lines, found, last = [], [], ""
        for i, line in enumerate(text.split("\n")):
            match = MARK.search(line) if "⟦" in line else None
            if match is None:
                lines.append(line.rstrip())
                continue
            case, span, element = self.marks[int(match.group(1))]
            line = MARK.sub("", line).rstrip()
            if case and case != last:
                line += f"  # {comment(case)}"
                last = case
            lines.append(line)
            found.append((i, case, span, element))
        return Printed("\n".join(lines), len(lines) - 1, tuple(found))

    # ------------------------------------------------------------ functions

    def at(self, text: str, case: str, span: Span, element: str) -> str:
        """A line of code with a mark for the source map."""
        self.marks.append((case, span, element))
        return f"{text}⟦{len(self.marks) - 1}⟧"

    def function(self, name: str, params: str, doc: str) -> Function:
        if name in self.names:
            raise ValueError(f"two functions called {name}")
        self.names.add(name)
        self.made.add(name)
        made = Function(name, params, comment(doc))
        self.functions.append(made)
        return made

    def printer(self, frame: bool = False, usual: str = "") -> Printer:
        return Printer(self.book, self.constants, frame, usual, self.traced)

    def title(self, case: str) -> str:
        name = self.book.cases.get(case, "")
        return f"{case} {name}".strip()

    def unique(self, name: str) -> str:
        found, i = name, 1
        self.tried.add(found)
        while found in self.names or found in self.taken:
            self.collided = self.collided or found not in self.made
            i += 1
            found = f"{name}_{i}"
            self.tried.add(found)
        return found

    def sink(self, f: Function) -> None:
        """Keep helper functions above the one that calls them."""
        self.functions.remove(f)
        self.functions.append(f)

    def slot(self, name: str, rests: Rests) -> int:
        """The number under which a function keeps its answers."""
        index = len(self.memo)
        self.memo[name] = rests
        self.noted.append((index, name, rests))
        return index

    def memoised(self, f: Function, name: str, names: str, call: str, rests: Rests, owner: str = "") -> None:
        """Keep answers until something they rest on changes; with an owner, apart for each."""
        index = self.slot(name, rests)
        key = names if names and "," not in names else "key"
        f.lines += [
            f"memo = S.memo[{index}].setdefault({owner}, {{}})" if owner else f"memo = S.memo[{index}]",
            *([f"key = ({names})"] if key == "key" else []),
            f"if {key} in memo:",
            f"    return memo[{key}]",
            f"value = memo[{key}] = {call}",
            "return value",
        ]
