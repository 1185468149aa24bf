"""From files to one list of declarations: gather, stack, amend, digest."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from rulewright.dsl import nodes as n
from rulewright.dsl.diagnostics import Reporter, did_you_mean

from ..overlay import amend as amending
from ..overlay import stack as stacking
from ..overlay.gather import Gatherer, check_book
from ..read.inventory import printed_cases
from ..read.library import doctrine_places, find_book, known_books
from ..read.marks import marked_overlays
from ..read.sources import digest_texts, nowhere, split_name
from .compiled import Compiled, given


def gather(made: Compiled) -> Compiled:
    """Read the book, the book that it stands on, and the libraries that it uses.

    In:  the name of a rule set.
    Out: `collected`, its declarations case by case and its overlays; `sources`, the files.
    Reports: RW100 a book, library or file that is not there; RW101 to RW108 syntax and caps; RW110, RW111 declarations
             out of place; RW112, RW114 cases of another book; RW401, RW402, RW405 to RW408 amendments of a book that
             stands on another.
    """
    word = split_name(made.name)[0]
    gatherer = Gatherer(made.places, made.texts, made.memory, made.report)
    source = find_book(word, made.places)
    if source is None:
        known = known_books()
        help = did_you_mean(word, known) or "books: " + ", ".join(known)
        made.report.error("RW100", nowhere(word), f'there is no book "{word}"', help=help)
        return made
    collected = gatherer.gather(source)
    lookups = tuple(gatherer.lookups)
    return replace(
        made,
        called=source.name,
        collected=collected,
        sources=gatherer.sources,
        file_marks=gatherer.file_marks,
        lookups=lookups,
    )


def stack(made: Compiled) -> Compiled:
    """Choose the overlays in force and put them in order.

    In:  `collected`, and the overlays that the name of the rule set lists, inside the book or in files of their own.
    Out: `layers`, in the order in which they are carried out; `overlays`, all that are known.
    Reports: RW112, RW114 cases of another book; RW121, RW123 a head that is malformed; RW403 an overlay that is not
             there or of another book, a day before the book was printed; RW404 overlays that do not go together.
    """
    collected = given(made.collected)
    _, wanted, day = split_name(made.name)
    known = dict(collected.overlays)
    beside = {file.parent for file, mark in made.file_marks.items() if mark in collected.marks.values()}
    places = (*made.places, *sorted(beside), *doctrine_places(made.sources))
    gatherer = Gatherer(places, made.texts, made.memory, made.report)

    def outside(word: str) -> n.Overlay | None:
        found, others = gatherer.outside(word)
        for other in others:
            known.setdefault(other.name, other)
        if found is not None:
            book = collected.book.name if collected.book is not None else ""
            check_book(found, collected.marks, book, made.report)
        return found

    if collected.book is not None:
        stacking.check_date(collected.book, day, made.report)
    layers = stacking.stack(made.name, known, wanted, day, outside, made.report, made.memory.clean)
    printed = printed_cases(made.sources, made.file_marks)
    room = partial(made.memory.room, "mark overlays")
    in_force = marked_overlays([layer for _, layer in layers], collected, printed, room, made.report)
    room = partial(made.memory.room, "mark known overlays")
    others = marked_overlays(known.values(), collected, printed, room, Reporter())
    return replace(
        made,
        overlays={layer.name: layer for layer in (*others, *in_force)},
        layers=tuple((head, layer) for (head, _), layer in zip(layers, in_force, strict=True)),
        sources=made.sources + gatherer.sources,
    )


def amend(made: Compiled) -> Compiled:
    """Carry every amendment out.

    In:  `collected` and `layers`.
    Out: `entries` in the order of their cases, each declaration with the case and overlay that it stands under and the
         amendments that touched it.
    Reports: RW401, RW402 an amendment that misses, RW405 two that touch the same element, RW406 an item that is not
             in the text although it says so, RW407 rules of other cases that would fall with what goes,
             RW408 an owner's file that replaces no house value.
    """
    entries = amending.overlay(given(made.collected).entries, list(made.layers), made.report, made.memory)
    return replace(made, entries=None if made.report.failed else entries)


def digest(made: Compiled) -> Compiled:
    """Hash the text.

    In:  `sources`, and the names of the book and its `layers`.
    Out: `digest`: games are saved under it, and modules are kept by it.
    """
    name = "+".join((book_name(made), *(head.name for head, _ in made.layers)))
    return replace(made, digest=digest_texts(name, made.sources, made.texts))


def book_name(made: Compiled) -> str:
    """The name that the book gives itself, else that of its file or folder."""
    book = given(made.collected).book
    return book.name if book is not None else made.called
