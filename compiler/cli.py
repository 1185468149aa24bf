"""The command line. Exit codes: 0 fine, 1 findings, 2 usage, 3 our fault."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path

from rulewright.dsl.render import render_json, render_sarif, render_text
from rulewright.runtime.journal import SaveProblem
from rulewright.runtime.problems import Fault, Refusal

Add = Callable[[argparse.ArgumentParser], None]


def main(argv: list[str] | None = None) -> int:
    """Run one command."""
    parser = argparse.ArgumentParser(prog="rulewright", description="Wargame rulebooks as running law.")
    parser.add_argument("--version", action="version", version="rulewright 0.1.0")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, (add, text) in commands_for(sys.argv[1:] if argv is None else argv).items():
        sub = commands.add_parser(name, help=text, description=text)
        add(sub)
        if name not in ("fmt", "migrate", "new", "lsp"):
            sub.add_argument("--as-of", metavar="DATE", help="with all dated errata in force that day, as book@DATE")
    args = parser.parse_args(argv)
    if getattr(args, "as_of", None):
        date_books(args)
    try:
        run: Callable[[argparse.Namespace], int] = args.run
        return run(args)
    except (Refusal, SaveProblem) as problem:
        say(str(problem) + (f"\nhelp: {problem.help}" if isinstance(problem, SaveProblem) and problem.help else ""))
        return 1
    except Fault as fault:
        say(f"the rules cannot go on: {fault}")
        for line in fault.notes:
            say(f"  {line}")
        return 1
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        say("stopped")
        return 1
    except OSError as error:
        say(f"{error.filename or 'a file'}: {error.strerror or error}")
        return 2


def date_books(args: argparse.Namespace) -> None:
    """`--as-of DATE` as part of every rule set's name."""

    def dated(name: str) -> str:
        book, plus, rest = name.partition("+")
        return f"{book}@{args.as_of}{plus}{rest}"

    if getattr(args, "book", None):
        args.book = dated(args.book)
    if hasattr(args, "books"):
        args.books = [dated(name) for name in args.books]


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
    p.add_argument("--on", metavar="EDITION", help="say how these overlays fit an edition, amendment by amendment")
    p.set_defaults(run=check)


def check(args: argparse.Namespace) -> int:
    from .pipeline import analyse

    if args.on:
        from .cli_report import run_fits

        return run_fits(args)
    found = []
    for name in args.books:
        made = analyse(name)
        if made.layers:
            from .check_kinds import check_kinds

            check_kinds(made)
        found += made.report.found
    if args.format == "json":
        print(render_json(found))
    elif args.format == "sarif":
        print(render_sarif(found))
    elif found:
        print(render_text(found, color=color()))
    return 1 if found else 0


# ---------------------------------------------------------------- compile, test


def add_compile(p: argparse.ArgumentParser) -> None:
    p.add_argument("book")
    p.add_argument("-o", "--output", metavar="DIR", help="where the modules go (default: the cache)")
    p.set_defaults(run=compile_)


def compile_(args: argparse.Namespace) -> int:
    from .load import NotCompiled, build, write

    if args.output is None:
        try:
            print(build(args.book)[1])
        except NotCompiled as error:
            say(render_text([d for d in error.diagnostics if d.severity == "error"]))
            return 1
        return 0
    from .pipeline import compile_book

    made = compile_book(args.book)
    if made.emitted is None or made.book is None:
        say(render_text([d for d in made.report.found if d.severity == "error"]))
        return 1
    folder = Path(args.output) / made.book.name
    write(made, folder)
    print(folder)
    return 0


def compiled(name: str):  # type: ignore[no-untyped-def]
    """A loaded rule set, or None after its errors have been printed."""
    from .load import NotCompiled, load

    try:
        return load(name)
    except NotCompiled as error:
        say(render_text([d for d in error.diagnostics if d.severity == "error"]))
        return None


def add_test(p: argparse.ArgumentParser) -> None:
    p.add_argument("book")
    p.add_argument("--case", default="", help="only the examples of this case")
    p.add_argument("--format", choices=("text", "json"), default="text")
    p.set_defaults(run=test)


def test(args: argparse.Namespace) -> int:
    from .examples import run_examples
    from .pipeline import analyse

    loaded = compiled(args.book)
    if loaded is None:
        return 1
    book = analyse(args.book).book
    assert book is not None
    chosen = [e for e in book.examples if not args.case or args.case in (e.case, *e.covers)]
    outcomes = run_examples(book, loaded.program, chosen)
    failed = [o for o in outcomes if not o.passed]
    if args.format == "json":
        rows = [
            {"case": o.example.case, "title": o.example.title, "passed": o.passed, "failures": o.failures}
            for o in outcomes
        ]
        print(json.dumps(rows, indent=1))
        return 1 if failed else 0
    for o in failed:
        print(f"case {o.example.case}: {o.example.title}")
        for line, why_ in o.failures:
            print(f"  {o.example.span.file}:{line}: {why_}")
    print(f"{len(outcomes) - len(failed)} passed, {len(failed)} failed")
    return 1 if failed else 0


# ---------------------------------------------------------------- play, why


def add_play(p: argparse.ArgumentParser) -> None:
    p.add_argument("book", nargs="?", help="the rule set; --resume finds it in the save")
    p.add_argument("--scenario")
    p.add_argument("--seed", type=int, default=0)
    p.add_argument("--players", default="person", help="for each side: person, random or script:FILE, by commas")
    p.add_argument("--until", type=int, metavar="N", help="stop after N choices")
    p.add_argument("--log", metavar="FILE", help="write what happened, with the cases")
    p.add_argument("--save", metavar="FILE", help="save the game when it stops")
    p.add_argument("--resume", metavar="FILE", help="go on with a saved game")
    p.add_argument("--reading", action="append", default=[], metavar="NAME=READING", help="how an unclear case is read")
    p.add_argument("--plain", action="store_true", help="plain questions and answers, no full screen")
    p.add_argument("--quiet", action="store_true")
    p.add_argument("--format", choices=("text", "json"), default="text", help="how the result is told")
    p.set_defaults(run=play)


def play(args: argparse.Namespace) -> int:
    from .cli_play import run_play

    if args.book is None:
        if not args.resume:
            say("which book? rulewright play BOOK, or --resume FILE\nhelp: rulewright books lists them")
            return 2
        from .cli_play_table import saved_rules

        args.book = saved_rules(Path(args.resume))
    loaded = compiled(args.book)
    return 1 if loaded is None else run_play(loaded, args)


def add_why(p: argparse.ArgumentParser) -> None:
    p.add_argument("book")
    p.add_argument("save")
    p.add_argument(
        "choice",
        help='a choice such as "axis: move(u: \\"47 Panzer\\", p: T14>T13)", or a value such as "holder(Kiev)"',
    )
    p.add_argument("--format", choices=("text", "json"), default="text")
    p.set_defaults(run=why)


def why(args: argparse.Namespace) -> int:
    from .cli_play import run_why

    loaded = compiled(args.book)
    return 1 if loaded is None else run_why(loaded, args)


def add_migrate(p: argparse.ArgumentParser) -> None:
    p.add_argument("save")
    p.add_argument(
        "--overlay", action="append", required=True, metavar="NAME", help="an overlay to add; may be repeated"
    )
    p.add_argument("--book", help="the rule set of the save, where it is not found by the name in it")
    p.add_argument("--write", metavar="FILE", help="write the game under the new rules, as far as it replays")
    p.add_argument("--format", choices=("text", "json"), default="text")
    p.set_defaults(run=migrate)


def migrate(args: argparse.Namespace) -> int:
    from .cli_migrate import run_migrate

    return run_migrate(args)


def add_new(p: argparse.ArgumentParser) -> None:
    from .cli_new import add_new as add

    add(p)


def add_sim(p: argparse.ArgumentParser) -> None:
    from .cli_sim import add_sim as add

    add(p)


# ---------------------------------------------------------------- coverage, fmt, map


def add_coverage(p: argparse.ArgumentParser) -> None:
    p.add_argument("book")
    p.add_argument("--inventory", type=Path, help="the printed cases (default: the book's own inventory.tsv)")
    p.add_argument("--chapters", default="", help="only these chapters, by commas")
    p.add_argument("--format", choices=("text", "json"), default="text")
    p.add_argument("--full", action="store_true", help="try every mutant")
    p.set_defaults(run=coverage)


def coverage(args: argparse.Namespace) -> int:
    from .cli_report import run_coverage

    loaded = compiled(args.book)
    return 1 if loaded is None else run_coverage(loaded, args)


def add_fmt(p: argparse.ArgumentParser) -> None:
    p.add_argument("paths", nargs="+", type=Path)
    p.add_argument("--check", action="store_true", help="change nothing; exit 1 where a file would change")
    p.set_defaults(run=fmt)


def fmt(args: argparse.Namespace) -> int:
    from .cli_report import run_fmt

    return run_fmt(args.paths, args.check)


def add_map(p: argparse.ArgumentParser) -> None:
    p.add_argument("book")
    p.add_argument("-o", "--output", type=Path, help="the SVG file (default: standard output)")
    p.add_argument("--save", metavar="FILE", help="show the units of a saved game")
    p.add_argument("--scenario", help="show the units of a scenario")
    p.set_defaults(run=map_)


def map_(args: argparse.Namespace) -> int:
    from .cli_report import run_map

    return run_map(args)


def add_diff(p: argparse.ArgumentParser) -> None:
    from .cli_diff import add_diff as add

    add(p)


def add_doc(p: argparse.ArgumentParser) -> None:
    from .cli_doc import add_doc as add

    add(p)


COMMANDS: dict[str, tuple[Add, str]] = {
    "check": (add_check, "check rule sets and report what is wrong with them"),
    "compile": (add_compile, "compile a rule set to Python modules"),
    "test": (add_test, "run a book's worked examples"),
    "play": (add_play, "play a game: persons, random or scripted sides"),
    "why": (add_why, "explain a choice or a value in a saved game"),
    "diff": (add_diff, "say what changed between two rule sets, and what that does to play"),
    "migrate": (add_migrate, "say what an overlay would mean for a saved game"),
    "new": (add_new, "write a book or a variant to start from"),
    "sim": (add_sim, "play many random games and count who wins, and how"),
    "coverage": (add_coverage, "say case by case how much of the printed book runs"),
    "fmt": (add_fmt, "lay .rules files out in the one layout"),
    "doc": (add_doc, "write a rule set's reference as pages to browse"),
    "map": (add_map, "draw a book's map as SVG"),
}


def commands_for(argv: list[str]) -> dict[str, tuple[Add, str]]:
    """Our own commands; where the first word is none of them, also those that other packages bring."""
    if argv and argv[0] in COMMANDS:
        return COMMANDS
    from importlib.metadata import entry_points

    return COMMANDS | {entry.name: entry.load() for entry in entry_points(group="rulewright.commands")}


if __name__ == "__main__":
    sys.exit(main())
