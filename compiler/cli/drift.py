"""`rulewright drift`: what has become of a book's cases in somebody's own copy of the print.

In:  a book with fingerprints, and a text or PDF.
Out: the cases that are changed, moved, gone or new there; exit code 1 where there are any.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from ..drift.compare import Drift, Verdict, drift
from ..drift.fingerprints import Print, Unreadable, read
from ..drift.own_copy import text_of_copy
from ..read.library import find_book
from ..read.sources import split_name
from .faults import Usage

TOLD = ("changed", "moved", "gone")
MOST = 3


def add_drift(p: argparse.ArgumentParser) -> None:
    p.add_argument("book")
    p.add_argument("text", type=Path, help="your copy of the printed rules: a text, or a PDF")
    p.add_argument("--fingerprints", type=Path, metavar="FILE", help="another edition's (default: the book's own)")
    p.add_argument("--format", choices=("text", "json"), default="text")
    p.set_defaults(run=run_drift)


def run_drift(args: argparse.Namespace) -> int:
    """Hold the copy against the fingerprints."""
    try:
        found = drift(prints_of(args), text_of_copy(args.text))
    except Unreadable as error:
        raise Usage(str(error), "see docs/drift.md") from None
    if not any(found.of(status) for status in ("unchanged", "changed", "moved")):
        raise Usage(f"no case of {args.book} stands in {args.text}", "is it the text of another game, or of no rules?")
    print(as_json(found) if args.format == "json" else "\n".join(lines(found)))
    return 1 if found.new or any(found.of(status) for status in TOLD) else 0


def prints_of(args: argparse.Namespace) -> list[Print]:
    path = args.fingerprints
    if path is None:
        source = find_book(split_name(args.book)[0])
        if source is None:
            raise Usage(f'there is no book "{args.book}"', "rulewright books lists them")
        path = source.root / "fingerprints.tsv"
        if not path.is_file():
            raise Usage(f"{args.book} has no fingerprints of its print", "tools/fingerprints.py makes them")
    try:
        return read(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise Usage(f"{path}: {error}", "name a file that tools/fingerprints.py has made") from None


def lines(found: Drift) -> list[str]:
    """The findings as lines."""
    told = []
    for status in TOLD:
        told += [line for v in found.of(status) for line in of_case(v)]
    told += [f"new: lines {p.first} to {p.last} ({p.words} words) stand in no case of the print" for p in found.new]
    counted = ", ".join(f"{len(found.of(s))} {s}" for s in ("unchanged", *TOLD))
    short = len(found.of("too short"))
    return [*told, f"{counted}, {len(found.new)} new; {short} cases are too short to tell"]


def of_case(v: Verdict) -> list[str]:
    at = f" (line {v.line})" if v.line else ""
    more = [f"  line {x.line}: {x.text}" for x in v.changes[:MOST]]
    rest = len(v.changes) - MOST
    return [f"{v.case}: {v.status}{at}", *more, *([f"  and {rest} more"] if rest > 0 else [])]


def as_json(found: Drift) -> str:
    cases = [
        {
            "case": v.case,
            "status": v.status,
            "line": v.line or None,
            "changes": [{"line": x.line, "text": x.text} for x in v.changes],
        }
        for v in found.verdicts
    ]
    new = [{"first": p.first, "last": p.last, "words": p.words} for p in found.new]
    return json.dumps({"cases": cases, "new": new}, indent=1, ensure_ascii=False)
