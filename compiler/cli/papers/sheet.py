"""`rulewright sheet BOOK+ERRATA -o FILE`: the errata sheet of a rule set, ready to post.

In:  a rule set with overlays in force.
Out: a file, HTML, Markdown or PDF by its ending: what each item changes against the book without them.

Exit codes: 0 written, 2 usage, a rule set that does not compile, or a PDF without its extra.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from rulewright.dsl.render import render_text as render_diagnostics

from ...cache.garbage_collector import collector_paused
from ...examples.workers import Until
from ...pipeline import Compiled, analyse
from ..diff import gathered, only
from ..faults import wrong
from ..options import add_search
from ..progress import Progress, busy

ENDINGS = (".html", ".md", ".pdf")


def add_sheet(p: argparse.ArgumentParser) -> None:
    p.add_argument("book", metavar="BOOK+ERRATA", help="a rule set with overlays (fite+errata, trc@1986)")
    p.add_argument("-o", "--output", type=Path, required=True, metavar="FILE", help="FILE.html, FILE.md or FILE.pdf")
    p.add_argument("--since", metavar="BOOK", help="the rule set to compare with (default: the book without overlays)")
    p.add_argument("--detail", action="store_true", help="with reasons, worked examples and traces")
    p.add_argument("--case", action="append", default=[], metavar="CASE", help="only this item or case")
    add_search(p)
    p.set_defaults(run=run_sheet)


def run_sheet(args: argparse.Namespace) -> int:
    """Compare and write."""
    from ...diff.compare import diff
    from ...pages.pdf import NoPdf
    from ...sheet.write import write_sheet

    until = Until(time.monotonic() + args.time)
    if args.output.suffix not in ENDINGS:
        return wrong(f'"{args.output}" has no ending that says what to write; name a file in {", ".join(ENDINGS)}')
    before = args.since or bare(args.book)
    if before == args.book:
        return wrong(f"{args.book} has no overlay; name one (rulewright books lists them), or --since BOOK")
    sides: list[Compiled] = []
    for name in (before, args.book):
        with busy(f"reading {name}", args.quiet):
            made = analyse(name)
        if made.report.failed or made.book is None or made.depends is None:
            return wrong(render_diagnostics([d for d in made.report.found if d.severity == "error"]))
        sides.append(made)
    with Progress("witnesses", 0, args.quiet) as progress, collector_paused():
        evidence = gathered(sides, args, until, progress)
        found = diff(
            *sides,
            search=None if args.no_witnesses else evidence.witnesses,
            file=evidence.file,
            examples=not args.no_examples,
            wanted=only(args.case, []),
            jobs=evidence.jobs,
            until=until,
        )
    try:
        write_sheet(found, args.output, args.detail)
    except NoPdf as missing:
        return wrong(str(missing))
    print(args.output)
    return 0


def bare(name: str) -> str:
    """The book of a rule set, without overlays and without a date."""
    return name.partition("+")[0].partition("@")[0]
