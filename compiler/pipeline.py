"""The passes, in order. This list is the architecture.

Every command, the editor and every call from Python runs it: what one refuses, all refuse. Errors stop it where
`stop_on_errors` stands. `analyse` runs it up to the checked core; the passes after that write modules and refuse
nothing.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from rulewright.dsl.parse import room_for_chains

from .cache.garbage_collector import collector_paused
from .cache.incremental import memory_of
from .passes.check import (
    check_cases,
    check_circles,
    check_conflicts,
    check_counters,
    check_doctrine,
    check_drawn,
    check_flow,
    check_kinds,
    check_lines,
    check_loops,
    check_more_helps,
    check_phases,
    check_reach,
    check_rules_stay,
    check_secrets,
    check_styles,
    check_usage,
    check_words,
    depend,
    order,
)
from .passes.compiled import Compiled, Pass, stop_on_errors
from .passes.elaborate import check_maps, check_names, declare, elaborate, schema
from .passes.read import amend, digest, gather, stack
from .passes.write import allow, inline, lower, write
from .read.sources import Texts, nowhere

__all__ = ["CORE", "MODULES", "PASSES", "REFUSING", "Compiled", "Pass", "analyse", "compile_book", "finished", "run"]

PASSES: tuple[Pass, ...] = (
    gather,  # files → declarations, with what the book stands on and uses
    stop_on_errors,
    stack,  # → overlays in force, in order
    check_rules_stay,
    stop_on_errors,
    amend,  # → entries, every amendment carried out
    stop_on_errors,
    digest,  # → the hash of the text
    check_names,
    schema,  # → data blocks of the right shape
    declare,  # → symbols
    check_maps,
    elaborate,  # → the book in the core
    stop_on_errors,
    order,
    check_conflicts,
    depend,  # → what everything rests on
    check_circles,
    check_loops,
    check_more_helps,
    check_cases,
    check_phases,
    check_flow,
    check_secrets,
    check_doctrine,
    check_usage,
    check_words,
    check_styles,
    check_reach,
    check_counters,
    check_lines,
    check_drawn,
    stop_on_errors,
    check_kinds,
    stop_on_errors,
    inline,  # → definitions that stand where they are asked
    lower,  # → procedures as resumable steps
    write,  # → modules
    allow,
)

CORE = PASSES[: PASSES.index(inline)]
"""The passes up to the checked core: all that can refuse a rule set."""
WARNING = (
    check_conflicts,
    check_cases,
    check_phases,
    check_flow,
    check_doctrine,
    check_usage,
    check_reach,
    check_counters,
    check_lines,
    check_drawn,
)
"""Checks that warn and refuse nothing."""
REFUSING = tuple(step for step in CORE if step not in WARNING)
"""The passes that make the core or may refuse a rule set: enough for one that nobody reads."""
MODULES = PASSES[PASSES.index(inline) :]
"""The passes that write a checked core out."""


def analyse(name: str, places: tuple[Path, ...] = (), texts: Texts | None = None) -> Compiled:
    """A rule set up to the checked core; `texts` stand in for files."""
    memory = memory_of(name, places, Path.cwd())
    with room_for_chains():
        return run(CORE, Compiled(name=name, places=places, texts=texts or {}, memory=memory))


def compile_book(name: str, places: tuple[Path, ...] = (), folded: bool = True) -> Compiled:
    """All passes; unless `folded`, every case has lines of its own in the modules."""
    with collector_paused():
        return finished(replace(analyse(name, places), folded=folded))


def finished(made: Compiled) -> Compiled:
    """An analysed rule set with its modules, unless errors stand."""
    if made.report.failed or made.book is None or made.emitted is not None:
        return made
    try:
        with room_for_chains():
            return run(MODULES, made)
    except (SyntaxError, RecursionError, MemoryError):  # the caps of the parser are meant to make this impossible
        help = "name the parts of the longest expressions with definitions"
        made.report.error("RW105", nowhere(made.name), "an expression of this book is too deep", help=help)
        return made


def run(passes: tuple[Pass, ...], made: Compiled) -> Compiled:
    """One pass after another, until one stops."""
    for step in passes:
        made = step(made)
        if made.stopped:
            break
    return made
