"""Mutants: a rule set with one change.

In:  a compiled rule set.
Out: every mutant of its rules in the order of the book; and a sample of them, the same for the same seed.

The id of a mutant is its case, its kind, and a digest of the declaration's text and of the change. It survives edits
elsewhere in the book; an edit of the declaration itself makes another mutant.
"""

from __future__ import annotations

import hashlib
import random
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from rulewright.dsl import nodes as n
from rulewright.dsl.print import print_rules
from rulewright.dsl.source import Span

from ..core.case_marks import chapter
from ..core.entries import Entry
from ..overlay.edit_tree import Spot
from ..passes.compiled import Compiled, given
from ..read.library import find_book
from ..read.sources import split_name
from .changes import KINDS, Change, changed, changes

QUIET = (
    n.Example,
    n.Note,
    n.Covers,
    n.Unclear,
    n.Untranslated,
    n.Kind,
    n.Scale,
    n.Record,
    n.Box,
    n.Data,
    n.Invariant,
    n.Preview,
    n.Use,
    n.Book,
)
"""Declarations that are no rule of play: words, data of the map and the counters, what is said about the book."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change of one declaration, the `at`-th of the rule set."""

    id: str
    at: int
    case: str
    house: bool
    change: Change

    @property
    def kind(self) -> str:
        return self.change.kind

    @property
    def what(self) -> str:
        return self.change.what

    @property
    def span(self) -> Span:
        return self.change.span


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which mutants are requested; an empty part means all."""

    ids: frozenset[str] = frozenset()
    kinds: frozenset[str] = frozenset()
    cases: tuple[str, ...] = ()
    chapters: frozenset[str] = frozenset()

    def case(self, case: str) -> bool:
        if self.ids and not any(id.startswith(f"{case}:") for id in self.ids):
            return False
        if self.chapters and chapter(case) not in self.chapters:
            return False
        return not self.cases or any(case == x or case.startswith((f"{x}.", f"{x}/")) for x in self.cases)

    def mutant(self, mutant: Mutant) -> bool:
        return (not self.ids or mutant.id in self.ids) and (not self.kinds or mutant.kind in self.kinds)


def mutants(made: Compiled, wanted: Wanted | None = None) -> list[Mutant]:
    """The mutants of a rule set in the order of the book: those wanted, of its own files and overlays.

    Libraries are left out, since their rules are not the book's own, and so are files in a folder `examples`.
    """
    wanted = wanted or Wanted()
    source = find_book(split_name(made.name)[0], made.places)
    own = {str(path) for path in source.files if "examples" not in path.parts} if source is not None else set()
    sides = given(made.book).kinds.get("side", ())
    found: list[Mutant] = []
    for at, entry in enumerate(given(made.entries)):
        mine = entry.overlay or entry.node.span.file in own
        if mine and not isinstance(entry.node, QUIET) and wanted.case(entry.case):
            found += [m for m in of_entry(at, entry, sides) if wanted.mutant(m)]
    return found


def of_entry(at: int, entry: Entry, sides: tuple[str, ...]) -> Iterator[Mutant]:
    """The mutants of one declaration."""
    text = print_rules([entry.node]) if entry.touched else " ".join(entry.node.span.text.split())
    text = LABEL.sub("when ", text)
    seen: dict[object, int] = {}
    for change in changes(entry.node, sides):
        place = (change.kind, unlabelled(change.spot))
        seen[place] = seen.get(place, 0) + 1
        digest = hashlib.sha256(repr((text, place, seen[place])).encode()).hexdigest()[:8]
        yield Mutant(f"{entry.case}:{change.kind}:{digest}", at, entry.case, entry.house, change)


LABEL = re.compile(r"\bwhen as \w+:\s*")
"""What names a `when` line of an action: no rule, so a mutant keeps its id with it and without."""


def unlabelled(spot: Spot) -> Spot:
    """A spot in a condition of an action as if the condition stood by itself."""
    return (*spot[:2], *spot[3:]) if spot[:1] == ("guards",) else spot


def sample(found: Iterable[Mutant], seed: int) -> list[Mutant]:
    """Mutants in the order in which they are tried: kinds alternate, each shuffled by the seed.

    So a kind with few mutants is tried completely before the others are.
    """
    by_kind: dict[str, list[Mutant]] = {kind: [] for kind in KINDS}
    for mutant in found:
        by_kind[mutant.kind].append(mutant)
    for kind, row in by_kind.items():
        random.Random(f"{seed} {kind}").shuffle(row)
    rows = [row for row in by_kind.values() if row]
    longest = max(map(len, rows), default=0)
    return [row[i] for i in range(longest) for row in rows if i < len(row)]


def mutated(entries: list[Entry], mutant: Mutant) -> Iterator[list[Entry]]:
    """The declarations with one changed or removed; one that others depend on is made never to apply instead."""
    entry, change = entries[mutant.at], mutant.change
    before, after = entries[: mutant.at], entries[mutant.at + 1 :]
    if change.spot:
        yield [*before, replace(entry, node=changed(entry.node, change.spot, change.node)), *after]
        return
    yield [*before, *after]
    silent = silenced(entry.node)
    if silent is not None:
        yield [*before, replace(entry, node=silent), *after]


def silenced(node: n.Decl) -> n.Decl | None:
    """A declaration that never applies."""
    never = n.Literal(sort="flag", value=False, span=node.span)
    match node:
        case n.Except() | n.Add():
            clauses = tuple(replace(x, guard=never, last=False) for x in node.body.clauses)
            return replace(node, body=replace(node.body, clauses=clauses))
        case n.Rule():
            yes = n.Literal(sort="flag", value=True, span=node.span)
            return replace(node, tests=((yes, never),) if node.sort == "require" else ((None, never),))
        case n.Waive() | n.Trigger() | n.Instead():
            return replace(node, guard=never)
    return None
