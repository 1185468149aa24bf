"""`rulewright edition BOOK -o DIR`: a rule set as a rulebook to read and print.

Exit codes: 0 written, 2 usage, a rule set that does not compile, a day before the first edition, PDF without its extra.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path

from rulewright.dsl.render import render_text

from ...core import nodes as c
from ...overlay.heads import read_date
from ...passes.compiled import Compiled
from ...pipeline import analyse
from ...read.schema import FORMS
from ...read.sources import split_name
from ..faults import wrong


def add_edition(p: argparse.ArgumentParser) -> None:
    p.add_argument("book", help="a rule set (trc, fite+errata, fite@1986), a folder or a .rules file")
    p.add_argument("-o", "--output", type=Path, metavar="DIR", required=True, help="the folder of the edition")
    p.add_argument(
        "--since",
        metavar="DATE|EDITION",
        help="mark what changed since a day, or since an edition that was written into a folder",
    )
    p.add_argument("--examples", default="2", metavar="N|all", help="so many examples a case (default: 2)")
    p.add_argument("--pdf", action="store_true", help="write edition.pdf too, with the extra rulewright[pdf]")
    p.set_defaults(run=run_edition)


class Wrong(Exception):
    """A command line that cannot be carried out; one clear line."""


def run_edition(args: argparse.Namespace) -> int:
    """Write the page, its manifest and perhaps a PDF; other files in the folder are left alone."""
    from ...edition.build import build
    from ...edition.changes import changes
    from ...edition.manifest import FILE, Earlier, NoEdition, as_earlier, manifest, read_manifest
    from ...edition.render import render
    from ...pages.pdf import NoPdf, pdf_of, weasyprint

    def earlier(text: str) -> Earlier:
        """The edition to compare with: one in a folder, or the rule set as of a day."""
        if Path(text).exists():
            return read_manifest(Path(text))
        if read_date(text) is None:
            raise Wrong(f'"{text}" is neither a date nor the folder of an edition: {FORMS["date"]}')
        return as_earlier(build(compiled(on_day(args.book, text)), 0))

    try:
        if args.output.exists() and not args.output.is_dir():
            raise Wrong(f"{args.output} is a file; name a folder for the edition")
        if args.pdf:
            weasyprint()
        most = None if args.examples == "all" else number(args.examples)
        made = compiled(args.book)
        before = earlier(args.since) if args.since else None
        edition = build(made, most, holds(args.book, made))
        page = render(edition, changes(edition, before) if before is not None else None)
        printed = pdf_of(page) if args.pdf else None
    except (Wrong, NoEdition, NoPdf) as error:
        return wrong(str(error))
    args.output.mkdir(parents=True, exist_ok=True)
    (args.output / "index.html").write_text(page, encoding="utf-8", newline="\n")
    (args.output / FILE).write_text(manifest(edition), encoding="utf-8", newline="\n")
    print(args.output / "index.html")
    if printed is not None:
        (args.output / "edition.pdf").write_bytes(printed)
        print(args.output / "edition.pdf")
    return 0


def compiled(name: str) -> Compiled:
    """A rule set without errors."""
    made = analyse(name)
    if made.report.failed or made.book is None:
        raise Wrong(render_text([d for d in made.report.found if d.severity == "error"]))
    return made


def holds(name: str, made: Compiled) -> Callable[[Sequence[c.Example]], list[bool]]:
    """Runs examples on the compiled rule set; it is compiled only where there are some to run."""

    def held(examples: Sequence[c.Example]) -> list[bool]:
        if not examples:
            return []
        from ...examples.run import run_examples
        from ...loader import load
        from ..progress import Progress

        assert made.book is not None
        program = load(name).program
        with Progress("examples", len(examples), False) as progress:
            return [x.passed for x in run_examples(made.book, program, examples, progress)]

    return held


def on_day(name: str, day: str) -> str:
    """The same rule set on another day; overlays that are named stay in force."""
    book, overlays, _ = split_name(name)
    return "+".join([f"{book}@{day}", *overlays])


def number(text: str) -> int:
    if not text.isdecimal():
        raise Wrong(f'--examples takes a number or all, not "{text}"')
    return int(text)
