"""`rulewright new book` and `rulewright new variant`: write a file to start from."""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path

from rulewright.dsl.render import render_text

NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,127}")


def add_new(p: argparse.ArgumentParser) -> None:
    kinds = p.add_subparsers(dest="kind", required=True, metavar="book|variant")
    book = kinds.add_parser("book", help="a small game that plays, with an opponent, to be changed case by case")
    variant = kinds.add_parser("variant", help="changes on top of a book, with a first one to try")
    for sub in (book, variant):
        sub.add_argument("name", help="a word: letters, digits and underscores")
        sub.add_argument("--title", default="")
    variant.add_argument("--of", required=True, metavar="BOOK", help="the book, or book+overlay, that it changes")
    variant.add_argument("--case", default="", help="the case whose number it changes first")
    p.set_defaults(run=run_new)


def run_new(args: argparse.Namespace) -> int:
    """Write NAME.rules to the current folder, of a book also its opponent; an existing file is never overwritten."""
    if not NAME.fullmatch(args.name):
        print(f'"{args.name}" is no name\nhelp: use letters, digits and underscores', file=sys.stderr)
        return 2
    from .skeleton import new_book, new_doctrine, new_plan, new_variant

    path = Path(f"{args.name}.rules")
    plan = Path("doctrines", f"{new_plan(args.name)}.rules")
    taken = next((p for p in (path, plan)[: 2 if args.kind == "book" else 1] if p.exists()), None)
    if taken is not None:
        print(f"there is a file {taken} already\nhelp: choose another name, or move the file", file=sys.stderr)
        return 2

    title = (args.title or args.name.replace("_", " ").capitalize()).replace('"', "'")
    if args.kind == "book":
        path.write_text(new_book(args.name, title), encoding="utf-8")
        plan.parent.mkdir(exist_ok=True)
        plan.write_text(new_doctrine(args.name), encoding="utf-8")
        steps = [
            f"check {path}",
            f"test {path}",
            f"play {path} --players person,doctrine",
            f"sim {path} --players doctrine,random --pairs 20",
        ]
    else:
        text = new_variant(args.name, args.of, title, args.case)
        if text is None:
            from ..pipeline import analyse

            print(render_text(analyse(args.of).report.found), file=sys.stderr)
            return 1
        path.write_text(text, encoding="utf-8")
        made = f"{args.of}+{path}"
        steps = [f"check {made}", f"test {made} --case V.1", f"diff {args.of} {made}", f"play {made}"]
    written = f"{path} and its opponent {plan} are written" if args.kind == "book" else f"{path} is written"
    print(f"{written}; next:", *(f"  rulewright {step}" for step in steps), sep="\n")
    return 0
