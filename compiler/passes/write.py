"""From the checked core to modules; these passes refuse nothing."""

from __future__ import annotations

from dataclasses import replace

from ..analyse import inline as inlining
from ..analyse.value_ranges import Foreseen
from ..emit import modules
from ..emit.allow_list import allow_arguments, allow_pieces
from ..emit.lowering import lower as lowering
from .compiled import Compiled, given


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
