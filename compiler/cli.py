"""The command line."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable

from rulewright.dsl.render import render_json, render_sarif, render_text

from .examples import run_examples
from .load import NotCompiled, load
from .pipeline import analyse


def main(argv: list[str] | None = None) -> int:
    """Exit codes: 0 fine, 1 findings, 2 usage, 3 our fault."""
    parser = argparse.ArgumentParser(prog="rulewright", description="Wargame rulebooks as running law.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, add in COMMANDS.items():
        add(commands.add_parser(name))
    args = parser.parse_args(argv)
    run: Callable[[argparse.Namespace], int] = args.run
    return run(args)


def check_command(p: argparse.ArgumentParser) -> None:
    p.description = "Check rule sets and report what is wrong with them."
    p.add_argument("books", nargs="+", metavar="PATH")
    p.add_argument("--format", choices=("text", "json", "sarif"), default="text")
    p.set_defaults(run=check)


def check(args: argparse.Namespace) -> int:
    found = [d for name in args.books for d in analyse(name).report.found]
    if args.format == "json":
        print(render_json(found))
    elif args.format == "sarif":
        print(render_sarif(found))
    elif found:
        print(render_text(found))
    return 1 if found else 0


def test_command(p: argparse.ArgumentParser) -> None:
    p.description = "Run a book's worked examples."
    p.add_argument("book")
    p.add_argument("--case", default="")
    p.add_argument("--format", choices=("text", "json"), default="text")
    p.set_defaults(run=test)


def test(args: argparse.Namespace) -> int:
    try:
        loaded = load(args.book)
    except NotCompiled as error:
        print(error, file=sys.stderr)
        return 1
    book = analyse(args.book).book
    assert book is not None
    chosen = [e for e in book.examples if not args.case or e.case == args.case or args.case in e.covers]
    outcomes = run_examples(book, loaded.program, chosen)
    failed = [o for o in outcomes if not o.passed]
    if args.format == "json":
        print(json.dumps([{"case": o.example.case, "title": o.example.title, "passed": o.passed, "failures": o.failures} for o in outcomes]))
        return 1 if failed else 0
    for o in failed:
        print(f"case {o.example.case}: {o.example.title}")
        for line, why in o.failures:
            print(f"  {o.example.span.file}:{line}: {why}")
    print(f"{len(outcomes) - len(failed)} passed, {len(failed)} failed")
    return 1 if failed else 0


COMMANDS: dict[str, Callable[[argparse.ArgumentParser], None]] = {"check": check_command, "test": test_command}
