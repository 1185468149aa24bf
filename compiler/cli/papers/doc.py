"""`rulewright doc BOOK -o DIR`: the reference of a rule set, as pages.

Exit codes: 0 written, 2 usage or a rule set that does not compile.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from rulewright.dsl.render import render_text

from ...pipeline import analyse
from ..faults import wrong

MARK = "Written by Rulewright"


def add_doc(p: argparse.ArgumentParser) -> None:
    p.add_argument("book", help="a rule set (trc, fite+errata), a folder or a .rules file")
    p.add_argument("-o", "--output", type=Path, metavar="DIR", required=True, help="the folder of the pages")
    p.add_argument(
        "--coverage",
        nargs="?",
        const="",
        metavar="FILE",
        help="show coverage: measured now (slow), or from FILE as coverage --format json wrote it",
    )
    p.set_defaults(run=run_doc)


def run_doc(args: argparse.Namespace) -> int:
    """Write the pages; other files in the folder are left alone."""
    from ...doc.coverage import NoCoverage, from_file, inventory, measured, not_measured
    from ...doc.site import doc

    made = analyse(args.book)
    if made.report.failed or made.book is None:
        return wrong(render_text([d for d in made.report.found if d.severity == "error"]))
    if args.output.exists() and not args.output.is_dir():
        return wrong(f"{args.output} is a file; name a folder for the pages")
    try:
        if args.coverage is None:
            covered = not_measured()
        else:
            covered = from_file(Path(args.coverage), made) if args.coverage else measured(made)
    except NoCoverage as error:
        return wrong(str(error))
    pages = doc(made, covered, inventory(made))
    clear_old(args.output, set(pages))
    args.output.mkdir(parents=True, exist_ok=True)
    for name, text in pages.items():
        (args.output / name).write_text(text, encoding="utf-8", newline="\n")
    print(args.output / "index.html")
    return 0


def clear_old(folder: Path, wanted: set[str]) -> None:
    """Delete pages of an earlier run that this reference no longer has; only files that an earlier run wrote."""
    for path in sorted(folder.glob("*.html")) if folder.is_dir() else ():
        if path.name not in wanted and MARK in path.read_text(encoding="utf-8", errors="replace"):
            path.unlink()
