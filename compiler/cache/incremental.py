"""Incremental cache of pass results: reused where nothing that a pass reads has changed.

In:  the pass, what one piece of its work looks at, and the work.
Out: its result, computed now or cached, with everything it reported.

The syntax of a block whose text is unchanged is the very same object from one compile to the
next (see parsed_blocks.py), and its spans move with the block. So a piece of work is known by the
*identity* of what it looks at, never by a comparison of trees. What all pieces of a pass look at
together (its `common` part: the names and types that bodies are resolved against) is compared by
value; when that differs, the pass starts anew. What the last compile did not use is let go.

A memory lives as long as the process, one for each rule set; parsed_blocks.py and passed_checks.py keep what pays
between processes. Every result is the same, byte for byte, as that of a compile without one.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from rulewright.dsl.cache import cache_directory
from rulewright.dsl.diagnostics import Diagnostic, Reporter

from ..core.types import Type
from .passed_checks import Clean, compiler_stamp, digest, of_text, read

if TYPE_CHECKING:
    from ..core.entries import Entry

T = TypeVar("T")
MOST = 6


class Known(NamedTuple):
    """A cached result, with its diagnostics and the objects that must stay alive for its key to be valid."""

    parts: tuple[Any, ...]
    value: Any
    found: tuple[Diagnostic, ...] = ()
    case: str = ""


class Room:
    """The cache of one pass."""

    def __init__(self) -> None:
        self.common: Any = None
        self.before: dict[Any, Known] = {}
        self.now: dict[Any, Known] = {}

    def begin(self, common: Any) -> Room:
        """Start a round; entries that the last round did not use are dropped."""
        self.before = self.now if common == self.common else {}
        self.now = {}
        self.common = common
        return self

    def find(self, key: Any) -> Known | None:
        known = self.now.get(key)
        if known is None:
            known = self.before.get(key)
            if known is not None:
                self.now[key] = known
        return known

    def work(self, parts: tuple[Any, ...], make: Callable[[], T], report: Reporter | None = None) -> T:
        """The result of `make`, which reads `parts` and the common part and nothing else."""
        key = ident(parts)
        known = self.find(key)
        if known is None:
            value, found, case = listen(make, report)
            known = self.now[key] = Known(parts, value, found, case)
        repeat(known, report)
        result: T = known.value
        return result


def listen(make: Callable[[], T], report: Reporter | None) -> tuple[T, tuple[Diagnostic, ...], str]:
    """Run `make`; its diagnostics are returned, not yet added to the report."""
    if report is None:
        return make(), (), ""
    outer, report.found = report.found, []
    try:
        value = make()
        return value, tuple(report.found), report.case
    finally:
        report.found = outer


def repeat(known: Known, report: Reporter | None) -> None:
    """Report the diagnostics of a cached result again."""
    if report is not None:
        report.case = known.case
        for diagnostic in known.found:
            if diagnostic not in report.found:
                report.found.append(diagnostic)


def ident(x: Any) -> Any:
    """The cache key of some inputs: strings and types by value, everything else by identity."""
    kind = type(x)
    if kind is str or x is None or kind is Type:
        return x
    if kind is tuple:
        return tuple([ident(y) for y in x])
    if kind is int:
        return ("int", x)
    return id(x)


class Memory:
    """The caches of all passes for one rule set."""

    def __init__(self, clean: Clean | None = None) -> None:
        self.rooms: dict[str, Room] = {}
        self.clean = clean or Clean()

    def room(self, name: str, common: Any = None) -> Room:
        """The cache of a pass, at the start of a round; `common` is what all its entries read."""
        return self.rooms.setdefault(name, Room()).begin(common)

    def aside(self) -> Memory:
        """A copy that starts from these entries and does not change them, for another stack of the same book."""
        made = Memory(self.clean)
        for name, room in self.rooms.items():
            made.rooms[name] = Room()
            made.rooms[name].common, made.rooms[name].now = room.common, room.now
        return made

    def check(self, room: Room, name: str, entry: Entry, make: Callable[[], None], report: Reporter) -> None:
        """Check one declaration by itself, unless the same text passed before."""
        key = id(entry)
        known = room.find(key)
        if known is None:
            span = entry.node.span
            place = (span.row, span.column, span.end_row, span.end_column)
            words = (entry.case, *place, of_text(span.origin.text)) if entry.as_written is entry.node else None
            if words is not None and self.clean.passed(name, *words):
                known = Known((entry,), None, (), report.case)
            else:
                _, found, case = listen(make, report)
                known = Known((entry,), None, found, case)
                if words is not None and not found:
                    self.clean.note(name, *words)
            room.now[key] = known
        repeat(known, report)


_MEMORIES: dict[tuple[Any, ...], Memory] = {}


def memory_of(name: str, *place: object) -> Memory:
    """The caches of a rule set; the most recently used rule sets are kept.

    A rule set that is new here starts from what is known of the last one of the same book: overlays change little. A
    book of that name in another place does no harm, since work is known by the very objects that it looks at.
    """
    key = (name, *place)
    memory = _MEMORIES.pop(key, None)
    if memory is None:
        book = book_of(name)
        near = [known for other, known in _MEMORIES.items() if book_of(other[0]) == book]
        memory = near[-1].aside() if near else Memory()
        passed = near[-1].clean.now if near else read(stored(book, *place))
        memory.clean = Clean(stored(*key), passed)
    _MEMORIES[key] = memory
    while len(_MEMORIES) > MOST:
        del _MEMORIES[next(iter(_MEMORIES))]
    return memory


def book_of(name: str) -> str:
    """The book under a stack of overlays, as it is named."""
    return name.partition("+")[0].partition("@")[0]


def stored(*key: object) -> Path:
    return cache_directory() / "clean" / f"{compiler_stamp()}-{digest(*key).hex()}.bin"


def forget() -> None:
    """Drop everything, as in a new process."""
    _MEMORIES.clear()
