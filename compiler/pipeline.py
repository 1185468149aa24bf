"""The passes, in order. This list is the architecture."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from rulewright.dsl import nodes as n
from rulewright.dsl.diagnostics import Reporter, choose, did_you_mean
from rulewright.dsl.parse import blocks, parse
from rulewright.dsl.source import Origin, Span

from . import core as c
from .allow import allow
from .blocks import forget, keep, recall
from .check_cases import check_cases, inventory
from .check_flow import check_flow
from .check_loops import check_loops
from .check_names import check_names
from .check_phases import check_phases
from .check_secrets import check_secrets
from .checks import check
from .collect import Collected, Entry, collect
from .declare import declare
from .depends import Depends, check_circles
from .elaborate import elaborate
from .emit import Emitted, emit
from .library import Source, find_book, find_library, known_books
from .lower import Lowered, lower
from .order import order
from .origins import origins, waived_by
from .overlay import amended, overlay
from .stack import stack

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
    emitted: Emitted | None = None
    overlays: dict[str, n.Overlay] = field(default_factory=dict)
    sources: tuple[Path, ...] = ()
    digest: str = ""
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
        memory = recall(path)
        before = len(memory)
        found += parse(text, display(path), report, memory)
        known = {block for _, block in blocks(text)}
        if draft is None:
            keep(path, memory, before, known)
        elif len(memory) > 3 * len(known) + 50:  # a draft comes and goes: the blocks of the last few stay known
            forget(memory, known)
    return found


def display(path: Path) -> str:
    try:
        return path.resolve().relative_to(Path.cwd()).as_posix()
    except ValueError:
        return path.as_posix()


def nowhere(file: str) -> Span:
    return Span(Origin(file), 1, 1, 1, 2)


def analyse(name: str, places: tuple[Path, ...] = (), texts: Mapping[Path, str] | None = None) -> Compiled:
    """Everything up to the core: parse, stack overlays, declare, elaborate, order, check."""
    report = Reporter()
    made = Compiled(name, report, texts=texts or {})
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
    layers = stack(name, known, wanted, as_of, lambda word: find_overlay(word, collected, made, report, places), report)
    entries = overlay(collected.entries, layers, report)
    if report.failed:
        return made
    made.entries = entries
    head = collected.book
    book = c.Book(
        name=head.name if head is not None else source.name, title=head.title if head is not None else source.name
    )
    book.overlays = tuple(head.name for head, _ in layers)
    book.origins = origins(entries)
    book.waived_by = waived_by([o for o in known.values() if o.name not in book.overlays])
    for case, (title, node) in collected.cases.items():
        book.cases[case] = title
        book.case_spans[case] = node.span
    for _, layer in layers:
        for case, (title, node) in collect(layer.body, Reporter(), layer.name).cases.items():
            book.cases.setdefault(case, title)
            book.case_spans.setdefault(case, node.span)
    check_names(entries, report)
    symbols, scenarios = declare(entries, book, report)
    elaborate(entries, symbols, scenarios, report)
    made.book = book
    if report.failed:
        return made
    order(book, report)
    made.depends = Depends(book)
    check_circles(book, made.depends, report)
    check_loops(book, report)
    check_cases(entries, set(book.cases), inventory(made.sources), report)
    check_phases(book, report)
    check_flow(entries, book, report)
    check_secrets(book, made.depends, report)
    check(book, symbols, report)
    return made


def gather(source: Source, report: Reporter, places: tuple[Path, ...], made: Compiled) -> Collected | None:
    """A book with all that it stands on and uses, lowest first."""
    collected = collect(read(source, report, made.texts), report)
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
    collected.entries = amended(entries, collected.entries, report)
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


def compile_book(name: str, places: tuple[Path, ...] = ()) -> Compiled:
    """All passes: the core, lowered, emitted and walked against the allow-list."""
    made = analyse(name, places)
    if made.report.failed or made.book is None or made.depends is None:
        return made
    made.digest = digest_of(made)
    made.lowered = lower(made.book, made.depends)
    made.emitted = emit(made.book, made.lowered, made.depends, made.digest)
    for part in ("data", "rules", "traced"):
        allow(getattr(made.emitted, part), part)
    return made
