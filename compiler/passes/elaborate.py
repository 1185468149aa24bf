"""From declarations to the book in the core: names, schemas, symbols, bodies."""

from __future__ import annotations

from dataclasses import replace

from rulewright.dsl import nodes as n

from ..check import map as maps
from ..check import names as naming
from ..core import nodes as c
from ..core.house_values import house_marks
from ..elaborate import declarations
from ..elaborate import declare as declaring
from ..overlay.blame import blame
from ..overlay.origins import origins, waived_by
from ..read import schema as schemas
from .compiled import Compiled, given
from .read import book_name


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
    Reports: RW201, RW202, RW205, RW206, RW207, RW210 names and types that do not go together; RW123, RW131 to RW137,
             RW140, RW213, RW214, RW401, RW402, RW406 rosters and calendars; RW701 to RW705, RW709 maps.
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

    In:  `entries`, `layers`, `symbols` and `scenarios`.
    Out: `book`, the rule set in the core.
    Reports: RW201, RW203, RW204, RW208 to RW216, RW220 to RW224, RW226 to RW228 names and types;
             RW301, RW302 definitions that may have no value; RW310, RW311, RW312 tables with gaps and overlaps; RW710
             units on a map that is not in play; RW802 to RW805, RW808 what a doctrine says of nothing.
    """
    entries, symbols, report = given(made.entries), given(made.symbols), made.report
    draft = declarations.elaborate(entries, symbols, made.scenarios, report, made.memory, [x for _, x in made.layers])
    blame(given(made.collected).entries, entries, made.layers, report)
    return replace(made, book=draft.finished())


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
        printed=collected.book.date if collected.book is not None else "",
        overlays=names,
        origins=origins(entries),
        house=house_marks(entries),
        waived_by=waived_by([o for o in made.overlays.values() if o.name not in names], made.memory),
        cases={case: node.title for case, node in cases.items()},
        case_spans={case: node.span for case, node in cases.items()},
    )
