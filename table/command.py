"""`rulewright table`: serve the table to browsers.

In:  the words of the command line.
Out: a server that runs until Ctrl-C; the link of the start page, and those of the seats of a table that was asked for.
"""

from __future__ import annotations

import argparse
import importlib.util
import sys

HELP = "play in the browser: a map to click on, a link for each seat, games that wait on disk"
PORT = 8014


def add_table(p: argparse.ArgumentParser) -> None:
    p.add_argument("books", nargs="*", metavar="BOOK", help="the rule sets to offer (default: all that are at hand)")
    p.add_argument("--scenario", metavar="NAME", help="open a table with this scenario of the first BOOK at once")
    p.add_argument(
        "--players",
        metavar="WORDS",
        help="who plays each side, by commas: person, random, busy, lookahead, a doctrine (default: person)",
    )
    p.add_argument("--resume", metavar="SAVE", help="open a table that goes on with a saved game, in the same file")
    p.add_argument("--edit", metavar="BOOK|FILE", help="open the workbench: change the rules of a book, and try them")
    p.add_argument("--folder", metavar="DIR", help="where games are kept (default: the folder for data of this user)")
    p.add_argument("--port", type=port, default=PORT, help=f"(default {PORT}; 0 takes a free one)")
    p.add_argument("--host", default="127.0.0.1", help="another address to listen at (default: this machine only)")
    p.add_argument("--name", action="append", default=[], metavar="HOST", help="another name by which it is reached")
    p.add_argument("--no-open", action="store_true", help="do not open a browser")
    p.set_defaults(run=run_table)


def port(text: str) -> int:
    if not text.isdigit() or int(text) > 65535:
        raise argparse.ArgumentTypeError(f'"{text}" is no port')
    return int(text)


def run_table(args: argparse.Namespace) -> int:
    """Serve until Ctrl-C; 2 where the extra `table` is not installed."""
    found = (
        importlib.util.find_spec("starlette"),
        importlib.util.find_spec("uvicorn"),
        importlib.util.find_spec("websockets"),
    )
    if None in found:
        print(
            "rulewright table needs starlette, uvicorn and websockets: pip install 'rulewright[table]'", file=sys.stderr
        )
        return 2
    from .serve import serve

    return serve(args)


COMMAND = (add_table, HELP)
