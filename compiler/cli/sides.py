"""The two rule sets that `diff` compares: as they stand, or at a revision.

In:  the names of the command line, and what `--git` says.
Out: two revisions, read up to the checked core.
Reports: `Usage` of what is missing, of a repository, revision or book that is not to be had, and of a rule set that
         does not compile.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

from rulewright.dsl.diagnostics import Reporter
from rulewright.dsl.render import render_text, visible

from ..diff.items import day
from ..overlay.heads import DOCTRINE, ERRATA, read_date, read_head
from ..pipeline import Compiled
from ..read.sources import split_name
from ..revisions.git import GitProblem
from ..revisions.revision import Revision, present, revision
from .faults import Usage
from .progress import busy


def two_sides(before: str, after: str | None, ref: str | None) -> tuple[Revision, Revision]:
    """The revisions of the two rule sets."""
    if ref is None:
        if after is None:
            raise Usage("a second rule set is missing", "rulewright diff A B, or rulewright diff A --git REF")
        return present(before), present(after)
    first, dots, second = ref.partition("..")
    if dots and (not first or not second or second.startswith(".")):
        help = "write --git v1..v2, or --git v1 to compare with the files as they are"
        raise Usage(f'"{visible(ref)}" is no pair of revisions', help)
    try:
        old = revision(before, first)
        new = revision(after or before, second) if dots else present(after or before)
    except GitProblem as problem:
        raise Usage(visible(problem.message), visible(problem.help)) from problem
    for side in (old, new):
        for word in side.outside:
            print(f"{word} is not in the repository: it is taken as it stands, also for {side.ref}", file=sys.stderr)
        if side.links:
            which = ", ".join(side.links[:3]) + (" and others" if len(side.links) > 3 else "")
            print(f"at {side.ref} these links do not lead to a file of it and are not read: {which}", file=sys.stderr)
    return old, new


def read_side(side: Revision, quiet: bool) -> Compiled:
    """One of them, read and checked."""
    with busy(f"reading {side.shown}", quiet):
        made = side.analysed()
    if made.report.failed or made.book is None or made.depends is None:
        found = render_text([d for d in made.report.found if d.severity == "error"]).rstrip("\n")
        found = found.replace(f"{side.root}/", "") if side.root is not None else found
        raise Usage(f"{side.shown} does not compile:\n{found}" if side.commit else found)
    check_day(side, made)
    return made


def check_day(side: Revision, made: Compiled) -> None:
    """Refuse a day on which nothing of the book had come out but the book itself."""
    word, _, asked = split_name(side.name)
    when = read_date(asked) if asked else None
    if when is None:
        return
    heads = [read_head(overlay, Reporter()) for overlay in made.overlays.values()]
    dated = [head.date for head in heads if head.date is not None and head.kind in ERRATA]
    if dated and min(dated) <= when:
        return
    name = made.book.name if made.book is not None else word
    first = f"its first count from {day(min(dated))} on" if dated else "it has no errata with a date"
    raise Usage(f"{name} had no errata by {asked}: {first}", f"for {name} as printed, leave the date out")


def rules_alone(side: Revision, made: Compiled, quiet: bool) -> tuple[Revision, Compiled]:
    """The same without the doctrine that is stacked on it, and what varies that: who plays is no part of the rules."""
    plays = {name for name, overlay in made.overlays.items() if overlay.sort == DOCTRINE}
    book, *stacked = side.name.split("+")
    at = next((i for i, word in enumerate(stacked) if Path(word).stem in plays), None)
    if at is None:
        return side, made
    alone = replace(side, name="+".join((book, *stacked[:at])))
    return alone, read_side(alone, quiet)
