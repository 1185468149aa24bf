"""`rulewright compare [CONCEPT] [BOOK…]`: one question to all books.

In:  a concept of `concepts.tsv`, and rule sets (all books at hand where none is named).
Out: how each defines it, in words with its cases, and in what they differ: text, Markdown, HTML or JSON. Without a
     concept, the list of them.

Exit codes: 0 compared, 2 usage, a file of concepts that cannot be read, or a rule set that does not compile.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from rulewright.dsl.render import render_text as render_diagnostics

from ...core import nodes as c
from ..faults import wrong
from ..progress import busy

if TYPE_CHECKING:
    from ...compare.concepts import Concept


def add_compare(p: argparse.ArgumentParser) -> None:
    p.add_argument("concept", nargs="?", help="what to ask about (default: list what can be asked)")
    p.add_argument("books", nargs="*", metavar="BOOK", help="rule sets to ask (default: all books at hand)")
    p.add_argument("--format", choices=("text", "json", "html", "md"), default="text")
    p.add_argument("--detail", action="store_true", help="long rules whole")
    p.add_argument("-o", "--output", type=Path, metavar="FILE", help="write there instead of to standard output")
    p.add_argument("--quiet", action="store_true", help="no progress")
    p.set_defaults(run=run_compare)


def run_compare(args: argparse.Namespace) -> int:
    """Ask and print."""
    from ...compare.concepts import BadConcepts, concepts
    from ...pipeline import analyse
    from ...read.library import known_books
    from ..faults import Usage, near

    try:
        known = concepts()
    except BadConcepts as error:
        return wrong(str(error))
    if args.concept is None:
        print(listing(known, args.format))
        return 0
    if args.concept not in known:
        raise Usage(f'there is no concept "{args.concept}"', near(args.concept, known, "concepts"))
    books: list[tuple[str, c.Book]] = []
    for name in args.books or known_books():
        with busy(f"reading {name}", args.quiet):
            made = analyse(name)
        if made.report.failed or made.book is None:
            return wrong(render_diagnostics([d for d in made.report.found if d.severity == "error"]))
        books.append((name, made.book))
    try:
        text = rendered(args.concept, known, books, args)
    except BadConcepts as error:
        return wrong(str(error))
    if args.output is None:
        print(text.rstrip("\n"))
    else:
        args.output.write_text(text if text.endswith("\n") else text + "\n", encoding="utf-8")
    return 0


def rendered(
    concept: str, known: Mapping[str, Concept], books: list[tuple[str, c.Book]], args: argparse.Namespace
) -> str:
    from ...compare import render
    from ...compare.table import compared

    made = compared(known[concept], known, books)
    match args.format:
        case "json":
            return json.dumps(made.as_json(), indent=1, ensure_ascii=False)
        case "md":
            return render.render_markdown(made, args.detail)
        case "html":
            return render.render_html(made, args.detail)
    return render.render_text(made, args.detail)


def listing(known: Mapping[str, Concept], form: str) -> str:
    """The concepts with their questions."""
    rows = [(x.name, x.title, x.question) for x in known.values()]
    if form == "json":
        keys = ("concept", "title", "question")
        return json.dumps([dict(zip(keys, row, strict=True)) for row in rows], indent=1, ensure_ascii=False)
    width = max((len(name) for name, _, _ in rows), default=0)
    return "\n".join(f"{name:{width}}  {title}: {question}" for name, title, question in rows)
