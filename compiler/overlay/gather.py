"""Gather a book: its own declarations, those of the book it stands on, and those of the libraries it uses.

In:  the source of a book, and where to look for others.
Out: one list of entries, lowest first, each amended by what stands above it; the files that were read. Cases of the
     book below and of libraries bear their names (see read/marks.py).
Reports: RW100 a book or library that is not there, a book that stands on itself; RW403 an overlay of another book;
         and what the parser, the marks, the collector and the amender find.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from pathlib import Path

from rulewright.dsl import nodes as n
from rulewright.dsl.diagnostics import Reporter, choose
from rulewright.dsl.source import Span

from ..cache.incremental import Memory
from ..core.case_marks import mark_of, marked, number_of
from ..read.collect import Collected, collect
from ..read.inventory import printed_cases
from ..read.library import Lookup, Source, find, find_book, known_books
from ..read.marks import Marks
from ..read.sources import Texts, nowhere, read_files
from .amend import amended

Places = tuple[Path, ...]


class Gatherer:
    """Reads sources until nothing more is named; every file is read once.

    `sources` are the files that were read, `file_marks` the marks of those whose cases bear one, `lookups` the names
    in them that led to others.
    """

    def __init__(self, places: Places, texts: Texts, memory: Memory, report: Reporter) -> None:
        self.places, self.texts, self.memory, self.report = places, texts, memory, report
        self.sources: tuple[Path, ...] = ()
        self.file_marks: dict[Path, str] = {}
        self.lookups: list[Lookup] = []
        self.known: set[str] = set()

    def find(self, sort: str, name: str, *first: Path) -> Source | None:
        """What a name in the text leads to."""
        places = (*first, *self.places)
        source = find(Lookup(sort, name, places))
        root = source.root.resolve() if source is not None else None
        self.lookups.append(Lookup(sort, name, tuple(place.resolve() for place in places), root))
        return source

    def gather(self, source: Source, mark: str = "") -> Collected | None:
        """The declarations of a source, and below them those that it stands on and uses."""
        self.sources += source.files
        self.file_marks |= {file: mark for file in source.files if mark}
        decls = read_files(source, self.report, self.texts)
        book = next((x for x in decls if isinstance(x, n.Book)), None)
        below = self.series(source, book) if book is not None else []
        if below is None:
            return None
        uses = sorted(x.name for x in decls if isinstance(x, n.Use))
        libraries = [found for name in uses if (found := self.library(name, source)) is not None]
        under = [*libraries, *below]
        self.known |= {case for x in under for case in (*x.cases, *(e.case for e in x.entries))}
        room = self.memory.room(f"collect {source.root}/{source.name}")
        collected = collect(self.marked(decls, source, mark), self.report, room=room, source=source.name)
        room = self.memory.room(f"amend {source.root}/{source.name}")
        return replace(
            collected,
            entries=amended([e for x in under for e in x.entries], collected.entries, self.report, room),
            cases={case: titled for x in (*under, collected) for case, titled in x.cases.items()},
            overlays={name: o for x in (*below, collected) for name, o in x.overlays.items()},
            marks={name: of for x in below for name, of in x.marks.items()} | ({book.name: mark} if book else {}),
        )

    def marked(self, decls: list[n.Decl], source: Source, mark: str) -> list[n.Decl]:
        """The declarations of a source with the marks of their cases; overlays get theirs when they are stacked."""
        inside = [x for x in decls if not isinstance(x, n.Overlay)]
        marks = Marks(mark, inside, self.known, printed_cases(source.files, self.file_marks), self.report)
        room = self.memory.room(f"mark {source.root}/{source.name}", marks.common())
        return [x if isinstance(x, n.Overlay) else marks.of(x, room) for x in decls]

    def series(self, source: Source, book: n.Book) -> list[Collected] | None:
        """The book that this one stands on, if it names one; None where that is not to be had."""
        if book.on is None:
            return []
        below = self.find("book", book.on, source.root, source.root.parent)
        if below is None:
            message, help = f'there is no book "{book.on}" to stand on', choose(book.on, known_books(), "books")
            self.report.error("RW100", book.span, message, help=help)
            return None
        if set(below.files) & set(self.sources):
            message, help = f'"{book.name}" stands on itself', "strike on …, or name the book below it"
            self.report.error("RW100", book.span, message, help=help)
            return None
        if not self.nameable(book.on, book.span):
            return None
        found = self.gather(below, book.on)
        return [self.without(found, book)] if found is not None else []

    def without(self, below: Collected, book: n.Book) -> Collected:
        """The series without the trial game that the book leaves out, and without the examples that stand on it."""
        if book.without is None:
            return below
        whole = marked(book.on or "", book.without)
        left = {case for case in below.cases if case == whole or case.startswith(f"{whole}/")}
        if not left:
            help = choose(book.without, (number_of(x) for x in below.cases if mark_of(x) == book.on), "its cases")
            self.report.error("RW401", book.span, f"{book.on} has no case {book.without} to leave out", help=help)
        kept = [e for e in below.entries if e.case not in left and not isinstance(e.node, n.Example)]
        return replace(below, entries=kept, cases={case: x for case, x in below.cases.items() if case not in left})

    def library(self, name: str, source: Source) -> Collected | None:
        """A library that is used; None where it is not there, or here already."""
        library = self.find("library", name, source.root)
        if library is None:
            message = f'there is no library "{name}" to use'
            self.report.error("RW100", nowhere(str(source.root)), message, help="libraries live in rulebooks/lib")
            return None
        if set(library.files) <= set(self.sources) or not self.nameable(name, nowhere(str(source.root))):
            return None
        return self.gather(library, name)

    def nameable(self, name: str, span: Span) -> bool:
        """Whether the cases of a series or library can be written with its name."""
        if name[0].islower():
            return True
        message = f'the cases of "{name}" could not be named here: series and libraries are words in small letters'
        self.report.error("RW100", span.find(name), message, help="rename its file or folder")
        return False

    def outside(self, word: str) -> tuple[n.Overlay | None, list[n.Overlay]]:
        """The overlay that a name outside the book means, and all that stand in the same files."""
        source = find_book(word, self.places)
        if source is None:
            return None, []
        inside = collect(read_files(source, self.report, self.texts), self.report).overlays
        if inside:
            self.sources += source.files
        return inside.get(source.name) or next(iter(inside.values()), None), list(inside.values())


def check_book(layer: n.Overlay, books: Collection[str], book: str, report: Reporter) -> None:
    """An overlay goes on the book that it names, and on every book that stands on that."""
    if book and layer.of not in books:
        message = f"{layer.name} is an overlay of {layer.of}, not of {book}"
        help = f"stack it on {layer.of}, or write … of {book}"
        report.error("RW403", layer.span.find(layer.of), message, help=help)
