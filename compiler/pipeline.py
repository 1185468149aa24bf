"""The passes, in order. This list is the architecture."""

from __future__ import annotations

import atexit
import gc
import hashlib
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

from rulewright.dsl import nodes as n
from rulewright.dsl.diagnostics import Reporter, choose, did_you_mean
from rulewright.dsl.parse import blocks, parse, room_for_chains
from rulewright.dsl.source import Origin, Span

from .analyse.dependencies import Depends, check_circles
from .analyse.order_exceptions import order
from .cache.incremental import Memory, memory_of
from .cache.parsed_blocks import forget, keep, recall
from .check.cases import check_cases, inventory
from .check.flow import check_flow
from .check.loops import check_loops
from .check.map import check_lines, check_maps
from .check.names import check_names
from .check.phases import check_phases
from .check.secrets import check_secrets
from .check.telling_expressions import telling
from .check.usage import check
from .core import nodes as c
from .core.entries import Entry
from .elaborate.declarations import elaborate
from .elaborate.declare import declare
from .emit.allow_list import allow_arguments, allow_pieces
from .emit.lower import Lowered, lower
from .emit.modules import Emitted, emit
from .overlay.amend import amended, overlay
from .overlay.origins import origins, waived_by
from .overlay.stack import Layer, stack
from .read.collect import Collected, collect
from .read.library import Source, find_book, find_library, known_books
from .read.symbols import Symbols

FORMAT = "1"


@dataclass(slots=True)
class Compiled:
    """A rule set as far as the passes came; `texts` stand in for files that are open and not saved."""

    name: str
    report: Reporter
    book: c.Book | None = None
    entries: list[Entry] | None = None
    lowered: dict[str, Lowered] | None = None
    depends: Depends | None = None
    symbols: Symbols | None = None
    emitted: Emitted | None = None
    overlays: dict[str, n.Overlay] = field(default_factory=dict)
    layers: list[Layer] = field(default_factory=list)
    sources: tuple[Path, ...] = ()
    digest: str = ""
    folded: bool = True
    memory: Memory = field(default_factory=Memory)
    texts: Mapping[Path, str] = field(default_factory=dict)


def split_name(name: str) -> tuple[str, list[str], str]:
    """`trc@1984-08+26.9+mine` as a book, its overlays, and the day whose errata are in force."""
    book, *overlays = name.split("+")
    day = re.fullmatch(r"(.+)@([0-9]{4}(?:-[0-9]{2}){0,2})", book)
    return (day[1], overlays, day[2]) if day else (book, overlays, "")


def read(source: Source, report: Reporter, texts: Mapping[Path, str]) -> list[n.Decl]:
    """Parse every file of a source; a file (by its resolved path) with a text of its own is not read from disk."""
    found: list[n.Decl] = []
    for path in source.files:
        draft = texts.get(path.resolve()) if texts else None
        try:
            text = path.read_text(encoding="utf-8") if draft is None else draft
        except (OSError, UnicodeDecodeError) as error:
            report.error("RW100", nowhere(str(path)), f"the file cannot be read: {error}", help="save it as UTF-8 text")
            continue
        real = path.resolve()
        memory = recall(real)
        before = len(memory)
        found += parse(text, display(path, real), report, memory)
        known = {block for _, block in blocks(text)} if draft is not None or len(memory) != before else set()
        if draft is not None:
            if len(memory) > 3 * len(known) + 50:  # a draft comes and goes: the blocks of the last few stay known
                forget(memory, known)
        elif len(memory) != before:
            keep(real, memory, known)
    return found


def display(path: Path, real: Path) -> str:
    """The name of a file as an author reads it: from where they stand, if it lies below."""
    here = os.getcwd() + os.sep
    return real.as_posix().removeprefix(here) if str(real).startswith(here) else path.as_posix()


def nowhere(file: str) -> Span:
    return Span(Origin(file), 1, 1, 1, 2)


def analyse(
    name: str,
    places: tuple[Path, ...] = (),
    without: frozenset[tuple[str, str]] = frozenset(),
    texts: Mapping[Path, str] | None = None,
) -> Compiled:
    """Everything up to the core: parse, stack overlays, declare, elaborate, order, check.

    Cases of overlays that `without` names (overlay, case) are left out; `texts` stand in for files.
    """
    with room_for_chains():
        return analysed(name, places, without, texts or {})


def analysed(
    name: str, places: tuple[Path, ...], without: frozenset[tuple[str, str]], texts: Mapping[Path, str]
) -> Compiled:
    report = Reporter()
    made = Compiled(name, report, memory=memory_of(name, places, Path.cwd()), texts=texts)
    memory = made.memory
    base, wanted, as_of = split_name(name)
    source = find_book(base, places)
    if source is None:
        report.error(
            "RW100",
            nowhere(base),
            f'there is no book "{base}"',
            help=did_you_mean(base, known_books()) or "books: " + ", ".join(known_books()),
        )
        return made
    made.sources = source.files
    collected = gather(source, report, places, made)
    if report.failed or collected is None:
        return made
    known = made.overlays = collected.overlays

    def outside(word: str) -> n.Overlay | None:
        return find_overlay(word, collected, made, report, places)

    layers = made.layers = without_items(stack(name, known, wanted, as_of, outside, report, memory.clean), without)
    entries = overlay(collected.entries, layers, report, memory)
    if report.failed:
        return made
    made.entries = entries
    head = collected.book
    draft = c.BookDraft(
        name=head.name if head is not None else source.name, title=head.title if head is not None else source.name
    )
    draft.overlays = tuple(head.name for head, _ in layers)
    draft.origins = origins(entries)
    draft.waived_by = waived_by([o for o in known.values() if o.name not in draft.overlays], memory)
    for case, (title, node) in collected.cases.items():
        draft.cases[case] = title
        draft.case_spans[case] = node.span
    for _, layer in layers:
        for inner in layer.body:
            if isinstance(inner, n.Case):
                draft.cases.setdefault(inner.id, inner.title)
                draft.case_spans.setdefault(inner.id, inner.span)
    check_names(entries, report, memory)
    symbols, scenarios = declare(entries, draft, report, memory)
    check_maps(entries, symbols, known, report)
    elaborate(entries, symbols, scenarios, report, memory)
    book = draft.finished()
    made.book = book
    made.symbols = symbols
    if report.failed:
        return made
    order(book, report)
    made.depends = Depends(book, memory)
    check_circles(book, made.depends, report)
    exprs = telling(book, memory)
    check_loops(book, exprs, report)
    check_cases(entries, set(book.cases), inventory(made.sources), report)
    check_phases(book, report)
    check_flow(entries, book, exprs, report, memory)
    check_secrets(book, made.depends, report)
    check(book, symbols, exprs, report, memory)
    check_lines(entries, book, exprs, report)
    return made


def without_items(layers: list[Layer], items: frozenset[tuple[str, str]]) -> list[Layer]:
    """Overlays less some of their cases, to see what those do."""
    if not items:
        return layers
    return [
        (head, replace(layer, body=tuple(x for x in layer.body if (head.name, getattr(x, "id", "")) not in items)))
        for head, layer in layers
    ]


def gather(source: Source, report: Reporter, places: tuple[Path, ...], made: Compiled) -> Collected | None:
    """A book with all that it stands on and uses, lowest first."""
    read_ = read(source, report, made.texts)
    collected = collect(read_, report, room=made.memory.room(f"collect {source.root}/{source.name}"))
    entries: list[Entry] = []
    if collected.book is not None and collected.book.on is not None:
        below = find_book(collected.book.on, (source.root, source.root.parent, *places))
        if below is None:
            report.error(
                "RW100",
                collected.book.span,
                f'there is no book "{collected.book.on}" to stand on',
                help=choose(collected.book.on, known_books(), "books"),
            )
            return None
        if set(below.files) & set(made.sources):
            report.error(
                "RW100",
                collected.book.span,
                f'"{collected.book.name}" stands on itself',
                help="strike on …, or name the book below it",
            )
            return None
        made.sources += below.files
        under = gather(below, report, places, made)
        if under is not None:
            entries += under.entries
            collected.cases = {**under.cases, **collected.cases}
            collected.overlays = {**under.overlays, **collected.overlays}
    for name in collected.uses:
        library = find_library(name, (source.root, *places))
        if library is None:
            report.error(
                "RW100",
                nowhere(str(source.root)),
                f'there is no library "{name}" to use',
                help="libraries live in rulebooks/lib",
            )
            continue
        if set(library.files) <= set(made.sources):
            continue
        made.sources += library.files
        inner = gather(library, report, places, made)
        if inner is not None:
            entries = [*inner.entries, *entries]
            collected.cases = {**inner.cases, **collected.cases}
    room = made.memory.room(f"amend {source.root}/{source.name}")
    collected.entries = amended(entries, collected.entries, report, room)
    return collected


def find_overlay(
    word: str, collected: Collected | None, made: Compiled, report: Reporter, places: tuple[Path, ...]
) -> n.Overlay | None:
    """An overlay that lies outside its book, as a file or a folder; `collected` is the book it must be for."""
    source = find_book(word, places)
    if source is None:
        return None
    inside = collect(read(source, report, made.texts), report).overlays
    layer = inside.get(source.name) or next(iter(inside.values()), None)
    if layer is None:
        return None
    made.sources += source.files
    for other in inside.values():
        made.overlays.setdefault(other.name, other)
    book = collected.book.name if collected is not None and collected.book is not None else ""
    if layer.of != book and book:
        report.error(
            "RW403",
            layer.span.find(layer.of),
            f"{layer.name} is an overlay of {layer.of}, not of {book}",
            help=f"stack it on {layer.of}, or write … of {book}",
        )
    return layer


def digest_of(made: Compiled) -> str:
    """A hash of the rule set's text: the same text, the same modules, wherever the files lie."""
    assert made.book is not None
    name = "+".join((made.book.name, *made.book.overlays))
    h = hashlib.sha256(f"{FORMAT}\n{name}\n".encode())
    for path in made.sources:
        h.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return h.hexdigest()


def compile_book(name: str, places: tuple[Path, ...] = (), folded: bool = True) -> Compiled:
    """All passes: the core, lowered, emitted and walked against the allow-list."""
    with no_pauses():
        made = analyse(name, places)
        made.folded = folded
        return finished(made)


atexit.register(gc.freeze)  # what a process leaves behind need not be searched for garbage when it ends


@contextmanager
def no_pauses() -> Iterator[None]:
    """Trees are made in great numbers and kept: looking for garbage among them takes time and finds none."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            freeze_once()
            gc.enable()


@cache
def freeze_once() -> None:
    """What a first compile leaves behind stays, and is not searched; to count it would take as long as to search it."""
    gc.freeze()


def finished(made: Compiled) -> Compiled:
    """The passes after the core, unless errors stand."""
    if made.report.failed or made.book is None or made.depends is None or made.emitted is not None:
        return made
    try:
        with room_for_chains():
            return written_out(made)
    except (SyntaxError, RecursionError, MemoryError):  # Python reads no more than some 90 brackets within each other
        help = "name the parts of the longest expressions with definitions"
        made.emitted = None
        made.report.error("RW105", nowhere(made.name), "an expression of this book is too deep", help=help)
        return made


def written_out(made: Compiled) -> Compiled:
    assert made.book is not None and made.depends is not None
    made.digest = digest_of(made)
    made.lowered = lower(made.book, made.depends, made.memory)
    made.emitted = emit(made.book, made.lowered, made.depends, made.digest, made.memory, made.folded)
    for part, pieces in made.emitted.pieces.items():
        allow_pieces(pieces, part, made.memory.clean)
    for part, arguments in made.emitted.arguments.items():
        allow_arguments(arguments, part, made.memory.clean)
    made.memory.clean.store()
    return made
