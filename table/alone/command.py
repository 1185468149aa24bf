"""`rulewright export BOOK|SAVE -o FILE.html|FOLDER/`: games without a server.

In:  a saved game, or a book that players without a person play to the end; for a folder, a book.
Out: one page that replays the game from disk; or a folder that plays the book in the browser alone.

Exit codes: 0 written, 1 a save or a rule set that does not fit, 2 usage.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from rulewright.compiler.cli.faults import Usage, near, wrong
from rulewright.compiler.cli.options import compiled, count, scenario_of
from rulewright.compiler.cli.progress import busy

if TYPE_CHECKING:
    from rulewright.compiler.loader import Loaded
    from rulewright.runtime.game import Game
    from rulewright.runtime.text import Choice

HELP = "write a game as a page that replays it, or a book as a folder that plays in the browser alone"
PAGE = ".html"


def add_export(p: argparse.ArgumentParser) -> None:
    p.add_argument("book", metavar="BOOK|SAVE", help="a saved game, or a rule set that is played for the page")
    p.add_argument(
        "-o",
        "--output",
        required=True,
        metavar="FILE.html|FOLDER/",
        help="a replay as one page, or a folder to play in",
    )
    p.add_argument("--side", help="the page holds what this side may know, and nothing else")
    p.add_argument("--rules", metavar="BOOK", help="of a save: its rule set, where the name in the save finds none")
    p.add_argument("--scenario", help="of a book: the scenario to play")
    p.add_argument("--seed", type=int, default=0, help="of a book: the seed of the game and of its players")
    p.add_argument(
        "--players", default="random", help="of a book: random, busy, lookahead or script:FILE for each side, by commas"
    )
    p.add_argument("--until", type=count, metavar="N", help="stop after N choices")
    p.add_argument("--pyodide", type=Path, metavar="DIR", help="for a folder: your copy of Pyodide, to be put into it")
    p.add_argument("--quiet", action="store_true", help="no progress")
    p.set_defaults(run=run_export)


def run_export(args: argparse.Namespace) -> int:
    output = Path(args.output)
    if args.output.endswith("/") or output.is_dir():
        return export_folder(args, output)
    if output.suffix != PAGE:
        return wrong(f'"{args.output}" does not say what to write; name a page (FILE.html) or a folder (FOLDER/)')
    from rulewright.compiler.replay.play import replay

    loaded, game, choices = taken_up(args)
    sides = loaded.program.sides
    if args.side is not None and args.side not in sides:
        raise Usage(f'there is no side "{args.side}"', near(args.side, sides, "sides"))
    with busy("replaying", args.quiet):
        text = replay(loaded, game, choices, args.side)
    output.write_text(text, encoding="utf-8", newline="\n")
    print(output)
    return 0


def export_folder(args: argparse.Namespace, output: Path) -> int:
    """A book as a folder that plays."""
    from .folder import write_folder

    if is_save(Path(args.book)):
        raise Usage("a folder plays a book from its beginning", "a save becomes a page: -o FILE.html")
    loaded = compiled(args.book)
    if not loaded.program.scenarios:
        raise Usage(f"{args.book} has no scenario to play", "add one to the book")
    with busy("writing the folder", args.quiet):
        write_folder(loaded, output, args.pyodide)
    print(output / "index.html")
    return 0


def taken_up(args: argparse.Namespace) -> tuple[Loaded, Game, Iterator[Choice]]:
    """The rule set, the game at its beginning, and its choices."""
    from rulewright.runtime.begin import begun
    from rulewright.runtime.journal import Journal
    from rulewright.runtime.text import Choice

    path = Path(args.book)
    if is_save(path):
        journal = Journal.read(path)
        loaded = compiled(args.rules or journal.header.rules)
        game = begun(loaded.program, journal.header)
        return loaded, game, islice((Choice.from_plain(event) for event in journal.events()), args.until)
    from rulewright.compiler.cli.desk.table import pick_players
    from rulewright.compiler.replay.record import moves

    loaded = compiled(args.book)
    players = pick_players(args.players, loaded, args.seed)
    seated = {side: player for side, player in players.items() if player is not None}
    if len(seated) < len(players):
        raise Usage("nobody is asked while a page is written", "name players that need no person: --players random")
    game = loaded.new(scenario_of(loaded, args.scenario), args.seed)
    return loaded, game, moves(game, seated, args.until)


def is_save(path: Path) -> bool:
    """Whether a file is a saved game."""
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(6) == b"SQLite"


COMMAND = (add_export, HELP)
