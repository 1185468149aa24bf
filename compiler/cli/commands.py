"""The commands and their options; each command runs in a module of its own.

In:  the words of a command line.
Out: the exit code of the command.

Start-up time counts here: only the parser of the requested command gets its options, and the module that runs it is
imported by the function that calls it.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from pathlib import Path

import rulewright

from .options import compiled, count, date, scenario_of

Add = Callable[[argparse.ArgumentParser], None]
UNDATED = ("fmt", "migrate", "new", "lsp", "books", "completion")
CODES = "exit codes: 0 fine, 1 findings, 2 usage, 3 our fault"


def run(words: list[str]) -> int:
    """Parse a command line and run its command."""
    commands = commands_for(words)
    parser = argparse.ArgumentParser(prog="rulewright", description="Wargame rulebooks as running law.", epilog=CODES)
    parser.add_argument("--version", "-V", action="version", version=f"rulewright {rulewright.__version__}")
    below = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, (add, text) in commands.items():
        sub = below.add_parser(name, help=text, description=text, epilog=CODES)
        if name in words[:1]:
            fill(sub, name, add)
    args = parser.parse_args(words)
    if getattr(args, "as_of", None):
        date_books(args)
    chosen: Callable[[argparse.Namespace], int] = args.run
    return chosen(args)


def fill(p: argparse.ArgumentParser, name: str, add: Add) -> None:
    add(p)
    if name not in UNDATED:
        text = "with all dated errata in force that day, as book@DATE"
        p.add_argument("--as-of", metavar="DATE", type=date, help=text)


def parser_of(name: str, commands: dict[str, tuple[Add, str]]) -> argparse.ArgumentParser:
    """The parser of one command, for completion and for tests of the documents."""
    p = argparse.ArgumentParser(prog=f"rulewright {name}")
    fill(p, name, commands[name][0])
    return p


def date_books(args: argparse.Namespace) -> None:
    """Append the date of `--as-of` to the name of every rule set."""

    def dated(name: str) -> str:
        book, plus, rest = name.partition("+")
        return f"{book}@{args.as_of}{plus}{rest}"

    if getattr(args, "book", None):
        args.book = dated(args.book)
    if hasattr(args, "books"):
        args.books = [dated(name) for name in args.books]
    if hasattr(args, "before"):
        args.before, args.after = dated(args.before), dated(args.after) if args.after else None


def say(text: str) -> None:
    print(text, file=sys.stderr)


def color() -> bool:
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR")


# ---------------------------------------------------------------- check


def add_check(p: argparse.ArgumentParser) -> None:
    p.add_argument(
        "books", nargs="+", metavar="PATH", help="a book, a rule set book+overlay, a folder or a .rules file"
    )
    p.add_argument("--format", choices=("text", "json", "sarif"), default="text")
    p.add_argument("--holding", action="store_true", help="check the books and overlays that these files belong to")
    p.add_argument("--on", metavar="EDITION", help="say how these overlays fit an edition, amendment by amendment")
    p.set_defaults(run=check)


def check(args: argparse.Namespace) -> int:
    from rulewright.dsl.render import render_json, render_sarif, render_text

    from ..pipeline import analyse
    from .options import held

    if args.on:
        from .report import run_fits

        return run_fits(args)
    found = []
    for name in held(args.books) if args.holding else args.books:
        found += analyse(name).report.found
    found = list({(d.code, str(d.span), d.message): d for d in found}.values())
    if args.format == "json":
        print(render_json(found))
    elif args.format == "sarif":
        print(render_sarif(found))
    elif found:
        print(render_text(found, color=color()))
    return 1 if any(d.severity != "remark" for d in found) else 0


# ---------------------------------------------------------------- compile, test


def add_compile(p: argparse.ArgumentParser) -> None:
    p.add_argument("book")
    p.add_argument("-o", "--output", metavar="DIR", help="where the modules go (default: the cache)")
    p.set_defaults(run=compile_)


def compile_(args: argparse.Namespace) -> int:
    from ..loader import NotCompiled, build, write_out
    from .faults import Usage
    from .progress import busy

    if args.output == "":
        raise Usage("-o needs the name of a folder", "leave it out to compile into the cache")
    with busy(f"compiling {args.book}"):
        if args.output is None:
            folder = build(args.book)[1]
        else:
            from ..pipeline import compile_book

            made = compile_book(args.book)
            if made.emitted is None or made.book is None:
                raise NotCompiled(args.book, made.report.found)
            folder = Path(args.output) / made.book.name
            write_out(made, folder)
    print(folder)
    return 0


def add_test(p: argparse.ArgumentParser) -> None:
    from .test import add_test as add

    add(p)


# ---------------------------------------------------------------- play, why


def add_play(p: argparse.ArgumentParser) -> None:
    p.add_argument("book", nargs="?", help="the rule set; --resume finds it in the save")
    p.add_argument("--scenario")
    p.add_argument("--seed", type=int, default=0)
    who = "for each side: person, random, busy, lookahead or script:FILE, by commas"
    p.add_argument("--players", default="person", help=who)
    p.add_argument("--until", type=count, metavar="N", help="stop after N choices")
    p.add_argument("--log", metavar="FILE", help="write what happened, with the cases")
    p.add_argument("--save", metavar="FILE", help="save the game when it stops")
    p.add_argument("--resume", metavar="FILE", help="go on with a saved game")
    p.add_argument("--reading", action="append", default=[], metavar="NAME=READING", help="how an unclear case is read")
    p.add_argument("--plain", action="store_true", help="plain questions and answers, no full screen")
    p.add_argument("--check", action="store_true", help="check the invariants after every choice")
    p.add_argument("--detail", action="store_true", help="tell marks and bookkeeping too, choices as they are typed")
    p.add_argument("--words", default="en", metavar="LANGUAGE", help="the book's words in another language it has")
    p.add_argument("--quiet", action="store_true")
    p.add_argument("--format", choices=("text", "json"), default="text", help="how the result is told")
    p.set_defaults(run=play)


def play(args: argparse.Namespace) -> int:
    from .play import run_play

    if args.book is None:
        if not args.resume:
            from .faults import Usage

            raise Usage("which book? rulewright play BOOK, or --resume FILE", "rulewright books lists them")
        from ..seat.table import saved_rules

        args.book = saved_rules(Path(args.resume))
    loaded = compiled(args.book)
    scenario_of(loaded, args.scenario)
    return run_play(loaded, args)


def add_why(p: argparse.ArgumentParser) -> None:
    p.add_argument("book")
    p.add_argument("save")
    p.add_argument(
        "asked",
        nargs="?",
        metavar="CHOICE_OR_EXPRESSION",
        help='a choice such as "axis: move(u: \\"47 Panzer\\", p: T14>T13)", or any expression such as "holder(Kiev)"; '
        "without it, how the game stands",
    )
    p.add_argument("--format", choices=("text", "json"), default="text")
    p.set_defaults(run=why)


def why(args: argparse.Namespace) -> int:
    from .play import run_why

    return run_why(compiled(args.book), args)


def add_migrate(p: argparse.ArgumentParser) -> None:
    from .migrate import add_migrate as add

    add(p)


def add_new(p: argparse.ArgumentParser) -> None:
    from .new import add_new as add

    add(p)


def add_sim(p: argparse.ArgumentParser) -> None:
    from .playtests.sim import add_sim as add

    add(p)


def add_tune(p: argparse.ArgumentParser) -> None:
    from .playtests.tune import add_tune as add

    add(p)


# ---------------------------------------------------------------- coverage, fmt, map


def add_coverage(p: argparse.ArgumentParser) -> None:
    p.add_argument("book")
    p.add_argument("--inventory", type=Path, help="the printed cases (default: the book's own inventory.tsv)")
    p.add_argument("--chapters", default="", help="only these chapters, by commas")
    p.add_argument("--format", choices=("text", "json"), default="text")
    p.add_argument("--with-overlays", action="store_true", help="count options, scenarios and variants of the book too")
    p.add_argument("--jobs", type=count, default=0, help="processes (default: one a core)")
    p.add_argument("--quiet", action="store_true", help="no progress")
    p.set_defaults(run=coverage)


def coverage(args: argparse.Namespace) -> int:
    from .report import run_coverage

    return run_coverage(args)


def add_fmt(p: argparse.ArgumentParser) -> None:
    p.add_argument("paths", nargs="+", type=Path)
    p.add_argument("--check", action="store_true", help="change nothing; exit 1 where a file would change")
    p.add_argument("--upgrade", action="store_true", help="first rewrite text of older versions in today's words")
    p.add_argument("--format", choices=("text", "json"), default="text", help="how the files are listed")
    p.set_defaults(run=fmt)


def fmt(args: argparse.Namespace) -> int:
    from .report import run_fmt

    return run_fmt(args.paths, args.check, args.format, args.upgrade)


def add_map(p: argparse.ArgumentParser) -> None:
    p.add_argument("book")
    p.add_argument("-o", "--output", type=Path, help="the SVG file (default: standard output)")
    p.add_argument("--save", metavar="FILE", help="show the units of a saved game")
    p.add_argument("--scenario", help="show the units of a scenario, on its map")
    p.add_argument("--map", metavar="NAME", help="of a book with several maps, the one to draw (default: the first)")
    p.add_argument("--ids", action="store_true", help="print every hex id, on large maps too")
    p.set_defaults(run=map_)


def map_(args: argparse.Namespace) -> int:
    from .report import run_map

    return run_map(args)


def add_doc(p: argparse.ArgumentParser) -> None:
    from .papers.doc import add_doc as add

    add(p)


def add_edition(p: argparse.ArgumentParser) -> None:
    from .papers.edition import add_edition as add

    add(p)


def add_diff(p: argparse.ArgumentParser) -> None:
    from .diff import add_diff as add

    add(p)


def add_sheet(p: argparse.ArgumentParser) -> None:
    from .papers.sheet import add_sheet as add

    add(p)


def add_compare(p: argparse.ArgumentParser) -> None:
    from .papers.compare import add_compare as add

    add(p)


def add_mutate(p: argparse.ArgumentParser) -> None:
    from .mutate import add_mutate as add

    add(p)


def add_books(p: argparse.ArgumentParser) -> None:
    from .books import add_books as add

    add(p)


def add_house(p: argparse.ArgumentParser) -> None:
    from .house import add_house as add

    add(p)


def add_own(p: argparse.ArgumentParser) -> None:
    from .house import add_own as add

    add(p)


def add_drift(p: argparse.ArgumentParser) -> None:
    from .drift import add_drift as add

    add(p)


def add_completion(p: argparse.ArgumentParser) -> None:
    from .completion import add_completion as add

    add(p, commands_for([]), parser_of)


COMMANDS: dict[str, tuple[Add, str]] = {
    "check": (add_check, "check rule sets and report what is wrong with them"),
    "compile": (add_compile, "compile a rule set to Python modules"),
    "test": (add_test, "run a book's worked examples"),
    "play": (add_play, "play a game: persons, random or scripted sides"),
    "why": (add_why, "explain a choice or a value in a saved game"),
    "diff": (add_diff, "say what changed between two rule sets, and what that does to play"),
    "sheet": (add_sheet, "write the errata sheet of a rule set as HTML, Markdown or PDF"),
    "compare": (add_compare, "ask all books one question: how each defines a concept, and in what they differ"),
    "doc": (add_doc, "write a rule set's reference as pages to browse"),
    "edition": (add_edition, "write a rule set as a rulebook to read and print, with what changed marked"),
    "migrate": (add_migrate, "say what other rules would mean for a saved game"),
    "new": (add_new, "write a book or a variant to start from"),
    "sim": (add_sim, "play many games between named players: who wins, by how much, how, and which rules came up"),
    "tune": (add_tune, "search better weights for a doctrine, and confirm them with other seeds"),
    "coverage": (add_coverage, "say case by case how much of the printed book runs"),
    "mutate": (add_mutate, "say how many slips of the pen the worked examples of a book would notice"),
    "fmt": (add_fmt, "lay .rules files out in the one layout"),
    "map": (add_map, "draw a book's map as SVG"),
    "house": (add_house, "list the charts, counters and maps that a book makes up for those that its text lacks"),
    "own": (add_own, "put charts, counters or a map of your own copy in the place of house values"),
    "drift": (add_drift, "hold your own copy of the print against the transcription, case by case"),
    "books": (add_books, "list the books with their scenarios and overlays"),
    "completion": (add_completion, "print a script that lets a shell complete commands, books and scenarios"),
}


def commands_for(argv: list[str]) -> dict[str, tuple[Add, str]]:
    """The built-in commands; those of other packages are looked up only where the first word is not built in."""
    if argv and argv[0] in COMMANDS:
        return COMMANDS
    from importlib.metadata import entry_points

    return COMMANDS | {entry.name: entry.load() for entry in entry_points(group="rulewright.commands")}
