"""The value that passes take and return.

In:  `Compiled`, a rule set as far as earlier passes came.
Out: the same with what this pass found. A step changes nothing of the value that it is given, but for `report`, which
     hears of findings, `memory`, which keeps results for the next compile, and the draft of the book in `symbols`,
     which `declare` opens and `elaborate` fills and finishes.

A step takes from the value what its pass asks for and puts the result in; the work is done in the room that the pass
comes from.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeVar

from rulewright.dsl import nodes as n
from rulewright.dsl.diagnostics import Reporter

from ..analyse.dependencies import Depends
from ..analyse.inline import Fold
from ..analyse.value_ranges import Foreseen
from ..cache.incremental import Memory
from ..core import nodes as c
from ..core.entries import Entry
from ..emit.lowering.blocks import Lowered
from ..emit.modules import Emitted
from ..overlay.stack import Layer
from ..read.collect import Collected
from ..read.library import Lookup
from ..read.schema import Checked, Line
from ..read.sources import Texts
from ..read.symbols import Symbols

T = TypeVar("T")
Scenarios = list[tuple[Entry, dict[str, list[Line]]]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Compiled:
    """A rule set as far as the passes came; `texts` stand in for files that are open and not saved."""

    name: str
    places: tuple[Path, ...] = ()
    texts: Texts = field(default_factory=dict)
    folded: bool = True
    report: Reporter = field(default_factory=Reporter)
    memory: Memory = field(default_factory=Memory)
    stopped: bool = False

    called: str = ""
    """What the book is called by its file or folder."""
    sources: tuple[Path, ...] = ()
    lookups: tuple[Lookup, ...] = ()
    """The files that were read, and the names in them that led to others."""
    file_marks: Mapping[Path, str] = field(default_factory=dict)
    """The name that the cases of a file bear, where that is not the book's own."""
    collected: Collected | None = None
    overlays: Mapping[str, n.Overlay] = field(default_factory=dict)
    layers: tuple[Layer, ...] = ()
    entries: list[Entry] | None = None
    data: list[Checked] = field(default_factory=list)
    symbols: Symbols | None = None
    scenarios: Scenarios = field(default_factory=list)
    book: c.Book | None = None
    depends: Depends | None = None
    checked_expressions: list[c.Expr] = field(default_factory=list)
    digest: str = ""
    inlined: Mapping[str, Fold] = field(default_factory=dict)
    foreseen: Foreseen | None = None
    lowered: dict[str, Lowered] | None = None
    emitted: Emitted | None = None


Pass = Callable[[Compiled], Compiled]


def stop_on_errors(made: Compiled) -> Compiled:
    """No pass after this one looks at a rule set in which errors stand."""
    return replace(made, stopped=made.report.failed)


def given(found: T | None) -> T:
    """What an earlier pass has found; without it the list is in a wrong order."""
    assert found is not None
    return found
