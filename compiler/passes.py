"""The passes as steps of one value.

In:  `Compiled`, a rule set as far as earlier passes came.
Out: the same with what this pass found. A step changes nothing of the value that it is given, but for `report`, which
     hears of findings, `memory`, which keeps results for the next compile, and the draft of the book in `symbols`,
     which `declare` opens and `elaborate` fills and finishes.

A step takes from the value what its pass asks for and puts the result in; the work is done in the room that the pass
comes from. `pipeline.py` lists the steps in order.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeVar

from rulewright.dsl import nodes as n
from rulewright.dsl.diagnostics import Reporter, did_you_mean

from .analyse import dependencies, order_exceptions
from .analyse import inline as inlining
from .analyse.value_ranges import Foreseen
from .cache.incremental import Memory
from .check import cases as citing
from .check import flow, loops, monotone, phases, secrets, usage
from .check import map as maps
from .check import names as naming
from .check import overlay_kinds as kinds
from .check.telling_expressions import telling
from .core import nodes as c
from .core.entries import Entry
from .elaborate import declarations
from .elaborate import declare as declaring
from .emit import lower as lowering
from .emit import modules
from .emit.allow_list import allow_arguments, allow_pieces
from .overlay import amend as amending
from .overlay import stack as stacking
from .overlay.gather import Gatherer, check_book
from .overlay.origins import origins, waived_by
from .read import schema as schemas
from .read.collect import Collected
from .read.library import Lookup, find_book, known_books
from .read.sources import Texts, digest_texts, nowhere, split_name
from .read.symbols import Symbols

T = TypeVar("T")
Scenarios = list[tuple[Entry, dict[str, list[schemas.Line]]]]


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
    collected: Collected | None = None
    overlays: Mapping[str, n.Overlay] = field(default_factory=dict)
    layers: tuple[stacking.Layer, ...] = ()
    entries: list[Entry] | None = None
    data: list[schemas.Checked] = field(default_factory=list)
    symbols: Symbols | None = None
    scenarios: Scenarios = field(default_factory=list)
    book: c.Book | None = None
    depends: dependencies.Depends | None = None
    telling: list[c.Expr] = field(default_factory=list)
    digest: str = ""
    inlined: Mapping[str, inlining.Fold] = field(default_factory=dict)
    foreseen: Foreseen | None = None
    lowered: dict[str, lowering.Lowered] | None = None
    emitted: modules.Emitted | None = None


Pass = Callable[[Compiled], Compiled]


def stop_on_errors(made: Compiled) -> Compiled:
    """No pass after this one looks at a rule set in which errors stand."""
    return replace(made, stopped=made.report.failed)


# ---------------------------------------------------------------- read, overlay: from files to entries


def gather(made: Compiled) -> Compiled:
    """Read the book, the book that it stands on, and the libraries that it uses.

    In:  the name of a rule set.
    Out: `collected`, its declarations case by case and its overlays; `sources`, the files.
    Reports: RW100 a book, library or file that is not there; RW101 to RW108 syntax and caps; RW110, RW111 declarations
             out of place; RW401, RW402, RW405, RW406 amendments of a book that stands on another.
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
    return replace(made, called=source.name, collected=collected, sources=gatherer.sources, lookups=lookups)


def stack(made: Compiled) -> Compiled:
    """Choose the overlays in force and put them in order.

    In:  `collected`, and the overlays that the name of the rule set lists, inside the book or in files of their own.
    Out: `layers`, in the order in which they are carried out; `overlays`, all that are known.
    Reports: RW121, RW123 a head that is malformed; RW403 an overlay that is not there or of another book; RW404
             overlays that do not go together.
    """
    collected = given(made.collected)
    _, wanted, day = split_name(made.name)
    known = dict(collected.overlays)
    gatherer = Gatherer(made.places, made.texts, made.memory, made.report)

    def outside(word: str) -> n.Overlay | None:
        found, others = gatherer.outside(word)
        for other in others:
            known.setdefault(other.name, other)
        if found is not None:
            check_book(found, collected.book.name if collected.book is not None else "", made.report)
        return found

    layers = stacking.stack(made.name, known, wanted, day, outside, made.report, made.memory.clean)
    return replace(made, overlays=known, layers=tuple(layers), sources=made.sources + gatherer.sources)


def amend(made: Compiled) -> Compiled:
    """Carry every amendment out.

    In:  `collected` and `layers`.
    Out: `entries`, each declaration with the case and overlay that it stands under and the amendments that touched it.
    Reports: RW401, RW402 an amendment that misses, RW405 two that touch the same element, RW406 an item that is not
             in the text although it says so.
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


# ---------------------------------------------------------------- elaborate: from entries to the core


def check_names(made: Compiled) -> Compiled:
    """Find names that could never be used.

    In:  `entries`.
    Reports: RW202 a name declared twice, RW217 a word of the language as a name, RW218 a name that hides
             a built-in one.
    """
    naming.check_names(given(made.entries), made.report, made.memory)
    return made


def schema(made: Compiled) -> Compiled:
    """Check data blocks against their schemas.

    In:  `entries`.
    Out: `data`, the blocks that are of their shape, line by line.
    Reports: RW120 an unknown kind of data, RW121 an unknown key, RW122 a missing key, RW123 a value of the wrong form.
    """
    return replace(made, data=schemas.schema(given(made.entries), made.report, made.memory))


def declare(made: Compiled) -> Compiled:
    """Declare every name with its type.

    In:  `entries` and `data`.
    Out: `symbols`, and `scenarios` still unread.
    Reports: RW201, RW202, RW205, RW206, RW207, RW210 names and types that do not go together; RW123, RW131 to RW134,
             RW213, RW214, RW401, RW402, RW406 rosters and calendars; RW701 to RW705 maps.
    """
    entries, report = given(made.entries), made.report
    symbols, scenarios = declaring.declare(entries, made.data, opened(made), report, made.memory)
    return replace(made, symbols=symbols, scenarios=scenarios)


def check_maps(made: Compiled) -> Compiled:
    """Find what a map prints and nobody can ask about.

    In:  `entries`, `symbols` and `overlays`.
    Reports: RW123, RW706.
    """
    maps.check_maps(given(made.entries), given(made.symbols), made.overlays, made.report)
    return made


def elaborate(made: Compiled) -> Compiled:
    """Bind every body to names and types.

    In:  `entries`, `symbols` and `scenarios`.
    Out: `book`, the rule set in the core.
    Reports: RW201, RW203, RW204, RW208 to RW216, RW220 to RW224, RW226 names and types; RW301, RW302 definitions that
             may have no value; RW310, RW311, RW312 tables with gaps and overlaps.
    """
    entries, symbols, report = given(made.entries), given(made.symbols), made.report
    draft = declarations.elaborate(entries, symbols, made.scenarios, report, made.memory)
    return replace(made, book=draft.finished())


# ---------------------------------------------------------------- analyse, check: what holds of the core


def order(made: Compiled) -> Compiled:
    """Find exceptions that contradict one another.

    In:  `book`.
    Reports: RW303 two exceptions that can apply together, neither outranking the other.
    """
    order_exceptions.order(given(made.book), made.report)
    return made


def depend(made: Compiled) -> Compiled:
    """Find what every definition reads.

    In:  `book`.
    Out: `depends`, and `telling`, the expressions that checks of the whole book ask about.
    """
    book = given(made.book)
    return replace(made, depends=dependencies.Depends(book, made.memory), telling=telling(book, made.memory))


def check_circles(made: Compiled) -> Compiled:
    """Find definitions that ask one another in a circle.

    In:  `book` and `depends`.
    Reports: RW304.
    """
    dependencies.check_circles(given(made.book), given(made.depends), made.report)
    return made


def check_loops(made: Compiled) -> Compiled:
    """Find what would not end.

    In:  `book` and `telling`.
    Reports: RW305 procedures in a circle, RW306 a bound that is none, RW307, RW308 a set that does not grow.
    """
    loops.check_loops(given(made.book), made.telling, made.report)
    return made


def check_more_helps(made: Compiled) -> Compiled:
    """Check that more items help where a matching says so.

    In:  the book in the core.
    Reports: RW309.
    """
    monotone.check_more_helps(given(made.book), made.report)
    return made


def check_cases(made: Compiled) -> Compiled:
    """Find citations that lead nowhere.

    In:  `entries`, `book`, and the inventories beside `sources`.
    Reports: RW113.
    """
    declared, printed = set(given(made.book).cases), citing.inventory(made.sources)
    citing.check_cases(given(made.entries), declared, printed, made.report)
    return made


def check_phases(made: Compiled) -> Compiled:
    """Find phases, actions and triggers that never come up.

    In:  `book`.
    Reports: RW505 a phase that nothing runs, RW508 a condition that never holds, RW509 an action out of its time.
    """
    phases.check_phases(given(made.book), made.report)
    return made


def check_flow(made: Compiled) -> Compiled:
    """Find what reads well and plays wrongly.

    In:  `entries`, `book` and `telling`.
    Reports: RW507, RW510, RW511, RW512.
    """
    flow.check_flow(given(made.entries), given(made.book), made.telling, made.report, made.memory)
    return made


def check_secrets(made: Compiled) -> Compiled:
    """Find ways by which a side would learn a secret.

    In:  `book` and `depends`.
    Reports: RW601 to RW604.
    """
    secrets.check_secrets(given(made.book), given(made.depends), made.report)
    return made


def check_usage(made: Compiled) -> Compiled:
    """Find rules that would do nothing.

    In:  `book`, `symbols` and `telling`.
    Reports: RW501 to RW506.
    """
    usage.check(given(made.book), given(made.symbols), made.telling, made.report, made.memory)
    return made


def check_lines(made: Compiled) -> Compiled:
    """Find lines of the map that no rule follows.

    In:  `entries`, `book` and `telling`.
    Reports: RW707.
    """
    maps.check_lines(given(made.entries), given(made.book), made.telling, made.report)
    return made


def check_kinds(made: Compiled) -> Compiled:
    """Find overlays that are not of the kind that they say.

    In:  `layers`, `entries` and `book`.
    Reports: RW406 a clarification that changes play, another kind that does not.
    """

    def core_of(layers: tuple[stacking.Layer, ...]) -> c.Book | None:
        """The same book under another stack, None where that does not stand; its findings are nobody's."""
        other = replace(made, layers=layers, report=Reporter(), memory=made.memory.aside())
        for step in (amend, stop_on_errors, schema, declare, elaborate, stop_on_errors):
            other = step(other)
            if other.stopped:
                return None
        return other.book

    kinds.check_kinds(made.layers, given(made.entries), given(made.book), core_of, made.report)
    return made


# ---------------------------------------------------------------- emit: from the core to modules; these refuse nothing


def inline(made: Compiled) -> Compiled:
    """Choose which definitions stand where they are asked.

    In:  `book` and `depends`.
    Out: `inlined`, and `foreseen`, which tells the emitter between which bounds a number lies.
    """
    book = given(made.book)
    inlined = inlining.fold(book, given(made.depends), made.memory)
    return replace(made, inlined=inlined, foreseen=Foreseen(book))


def lower(made: Compiled) -> Compiled:
    """Cut procedures into steps that can be resumed.

    In:  `book` and `depends`.
    Out: `lowered`.
    """
    return replace(made, lowered=lowering.lower(given(made.book), given(made.depends), made.memory))


def write(made: Compiled) -> Compiled:
    """Print the modules.

    In:  `book`, `depends`, `inlined`, `foreseen`, `lowered` and `digest`.
    Out: `emitted`.
    """
    emitted = modules.emit(
        given(made.book),
        given(made.lowered),
        given(made.depends),
        made.digest,
        dict(made.inlined),
        given(made.foreseen),
        made.memory,
        made.folded,
    )
    return replace(made, emitted=emitted)


def allow(made: Compiled) -> Compiled:
    """Walk the modules against the allow-list; one that could reach beyond the runtime is a defect of ours.

    In:  `emitted`.
    """
    for part, pieces in given(made.emitted).pieces.items():
        allow_pieces(pieces, part, made.memory.clean)
    for part, arguments in given(made.emitted).arguments.items():
        allow_arguments(arguments, part, made.memory.clean)
    made.memory.clean.store()
    return made


# ---------------------------------------------------------------- what steps share


def given(found: T | None) -> T:
    """What an earlier pass has found; without it the list is in a wrong order."""
    assert found is not None
    return found


def book_name(made: Compiled) -> str:
    """The name that the book gives itself, else that of its file or folder."""
    book = given(made.collected).book
    return book.name if book is not None else made.called


def opened(made: Compiled) -> c.BookDraft:
    """The book before anything is declared in it: its name, its cases, and where its elements come from."""
    collected, entries = given(made.collected), given(made.entries)
    names = tuple(head.name for head, _ in made.layers)
    cases = {case: node for case, (_, node) in collected.cases.items()}
    for _, layer in made.layers:
        for x in layer.body:
            if isinstance(x, n.Case):
                cases.setdefault(x.id, x)
    return c.BookDraft(
        name=book_name(made),
        title=collected.book.title if collected.book is not None else made.called,
        overlays=names,
        origins=origins(entries),
        waived_by=waived_by([o for o in made.overlays.values() if o.name not in names], made.memory),
        cases={case: node.title for case, node in cases.items()},
        case_spans={case: node.span for case, node in cases.items()},
    )
