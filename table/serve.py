"""Start the server, say where it is, and open the page.

In:  the words of the command line.
Out: a server until Ctrl-C; 2 where a book or an address cannot be had.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib.util
import logging
import socket
import sys
import threading
import webbrowser
from pathlib import Path

import uvicorn

from rulewright.compiler.cli.faults import Usage, near
from rulewright.compiler.cli.progress import busy
from rulewright.compiler.read.library import known_books
from rulewright.runtime.journal import Journal
from rulewright.runtime.problems import Refusal

from .app import Server
from .bench.desk import Desk
from .bench.language import LONGEST as TEXTS
from .bench.routes import Workbench
from .books import offers
from .guard import LOOPBACK, names_for
from .links import new_token
from .messages import LONGEST
from .room import PERSON
from .shelf import Card, Shelf, usual_folder


def serve(args: argparse.Namespace) -> int:
    """Serve until Ctrl-C."""
    shelf = Shelf(Path(args.folder) if args.folder else usual_folder())
    if args.books and len(offers(args.books)) < len(args.books):
        missing = next(name for name in args.books if not offers([name]))
        raise Usage(f'there is nothing to play in "{missing}"', near(missing, known_books(), "books"))
    owner = new_token()
    bench = workbench(args.edit, shelf) if args.edit else None
    editing = bench is not None or (args.host in LOOPBACK and importlib.util.find_spec("pygls") is not None)
    server = Server(shelf, args.books, owner, names_for(args.host, args.name), bench, editing)
    card = first_table(server, args)
    listening = listen(args.host, args.port)
    at = f"http://{'localhost' if args.host in LOOPBACK else args.host}:{listening.getsockname()[1]}"
    if args.host not in LOOPBACK:
        print("others can reach this server: links are passwords, and a proxy has to encrypt them", file=sys.stderr)
    start = f"{at}/{'edit' if bench is not None else ''}#{owner}"
    name = "workbench" if bench is not None else "table"
    print(f"the {name} is at {start}  (Ctrl-C ends it; games stay in {shelf.folder})")
    if card is not None:
        tell_links(server, card, at)
        start = at + server.href(card, next(x.token for x in [*card.links[-2:-1], *card.links]))
    sys.stdout.flush()
    if not args.no_open and sys.stdout.isatty():
        threading.Timer(0.8, lambda: webbrowser.open(start)).start()
    logging.basicConfig(level=logging.WARNING)
    settings = uvicorn.Config(
        server.app,
        log_level="warning",
        ws="websockets-sansio",
        ws_max_size=TEXTS if editing else LONGEST,
        ws_max_queue=16,
        limit_concurrency=1000,
        server_header=False,
        date_header=False,
        timeout_graceful_shutdown=3,
    )
    with contextlib.suppress(KeyboardInterrupt):
        uvicorn.Server(settings).run(sockets=[listening])
    return 0


def workbench(given: str, shelf: Shelf) -> Workbench:
    """The workbench on a book; its desk lies beside the games."""
    try:
        return Workbench(Desk(given, shelf.folder / "workbench"))
    except Refusal as refused:
        raise Usage(str(refused), near(given, known_books(), "books")) from None


def listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    found = socket.socket(family, socket.SOCK_STREAM)
    found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        found.bind((host, port))
        found.listen(256)  # whoever comes before the server is up waits for it
    except OSError as error:
        found.close()
        raise Usage(f"cannot listen at {host}:{port}: {error.strerror}", "take another one: --port 0") from None
    return found


def first_table(server: Server, args: argparse.Namespace) -> Card | None:
    """The table that the command line asks for, if it does."""
    if args.resume:
        return resumed(server, Path(args.resume), args.players)
    if not (args.scenario or args.players):
        return None
    if not args.books:
        raise Usage("--scenario and --players need the name of a BOOK", "rulewright table trc --scenario battle")
    return begin(server, args.books[0], args.scenario, args.players, None)


def resumed(server: Server, path: Path, players: str | None) -> Card:
    """A table that goes on in the file of a saved game."""
    here = next((x for x in server.shelf.cards() if server.shelf.path(x).resolve() == path.resolve()), None)
    if here is not None:
        return here
    header = Journal.read(path).header
    return begin(server, header.rules, header.scenario, players, path)


def begin(server: Server, rules: str, scenario: str | None, players: str | None, save: Path | None) -> Card:
    from rulewright.compiler.loader import load
    from rulewright.compiler.players import find_seat

    with busy(f"compiling {rules}"):
        loaded = load(rules)
    sides = loaded.program.sides
    words = (players or PERSON).split(",")
    words = words * len(sides) if len(words) == 1 else words
    if len(words) != len(sides):
        raise Usage(f"name a player for each side ({', '.join(sides)}), by commas")
    try:
        for side, word in zip(sides, words, strict=True):
            if word != PERSON:
                find_seat(loaded, word, side)
        return server.begin(rules, scenario, dict(zip(sides, words, strict=True)), save, listed=False)
    except Refusal as refused:
        raise Usage(str(refused)) from None


def tell_links(server: Server, card: Card, at: str) -> None:
    for link in card.links:
        who = ", ".join(link.sides) or link.kind
        print(f"  {link.kind if link.sides else 'look on'}: {who}: {at}{server.href(card, link.token)}")
