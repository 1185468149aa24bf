"""`rulewright sim`: play many games of one rule set between named players.

In:  a rule set, a scenario, seeds and players that need no person; perhaps a file that keeps the games.
Out: what the games amount to, as text, JSON or a page.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rulewright.runtime.problems import Refusal

from ...players import Unknown, contestant
from ..faults import Usage, near
from ..options import compiled, count, positive, scenario_of
from ..progress import Progress

if TYPE_CHECKING:
    from ...loader import Loaded
    from ...playtest.kept import Kept
    from ...playtest.run import Place
    from ...playtest.sprt import Question

MOST = 20_000
GAMES = 100


def add_sim(p: argparse.ArgumentParser) -> None:
    p.add_argument("book", nargs="?", help="a rule set; without one, --keep FILE is told")
    p.add_argument("--scenario")
    p.add_argument(
        "--players",
        default="random",
        metavar="A,B",
        help="two players, who play each seed twice with sides swapped; or one, who plays itself; A/B is one a side",
    )
    p.add_argument("--games", type=positive, help=f"games to play (default {GAMES}, or pairs of them)")
    p.add_argument("--pairs", type=positive, help="seeds to play, each with both players on either side")
    p.add_argument("--seed", type=int, default=0, help="the first seed; each game or pair takes the next")
    p.add_argument(
        "--sprt",
        metavar="LOW,HIGH[,ERROR]",
        help="stop when it is settled whether the first player's pair score is LOW or HIGH (0.5,0.55 asks for five"
        " points; ERROR is how often either answer may be wrong, 0.05)",
    )
    p.add_argument("--matrix", action="store_true", help="all players against one another, on either side")
    p.add_argument("--keep", type=Path, metavar="FILE", help="keep the games there, and take those that it has")
    p.add_argument("--page", type=Path, metavar="FILE", help="write a page with plots as well")
    p.add_argument("--on", metavar="dask://HOST:PORT", help="play on the workers of that cluster (docs/cluster.md)")
    p.add_argument("--jobs", type=count, default=0, help="processes (default: one a core)")
    p.add_argument("--until", type=positive, default=MOST, metavar="N", help="stop a game after N choices")
    p.add_argument("--no-cases", action="store_true", help="do not record which cases run: games are a fifth faster")
    p.add_argument("--format", choices=("text", "json"), default="text")
    p.add_argument("--quiet", action="store_true", help="no progress")
    p.set_defaults(run=run_sim)


def run_sim(args: argparse.Namespace) -> int:
    """Print what the games amount to; exit code 1 where one ends in a fault."""
    from ...playtest.kept import Kept

    try:
        kept = Kept(args.keep) if args.keep is not None else None
        try:
            return simulated(args, kept) if args.book is not None else told(args, kept)
        finally:
            if kept is not None:
                kept.close()
    except Refusal as refused:
        raise Usage(str(refused)) from None


def simulated(args: argparse.Namespace, kept: Kept | None) -> int:
    from ...playtest import matrix as table
    from ...playtest.page import page
    from ...playtest.playtest import playtest
    from ...playtest.records import Setting
    from ...playtest.stage import Stage
    from ...playtest.summary import faulty
    from ...playtest.text import text

    loaded = compiled(args.book)
    scenario = scenario_of(loaded, args.scenario) or ""
    words = tuple(args.players.split(","))
    known(loaded, words)
    if args.matrix and (args.sprt or args.page):
        raise Usage("--matrix goes without --sprt and --page", "ask the question of two players: --players A,B")
    stage = Stage(Setting(args.book, scenario, words, args.until, not args.no_cases))
    games = kept.of(stage) if kept is not None else None
    a_seed = len(words) ** (2 if args.matrix else 1)
    seeds = args.pairs or -(-(args.games or GAMES) // a_seed)
    every = range(args.seed, args.seed + seeds)
    with Progress("games", seeds * a_seed, args.quiet) as progress:
        if args.matrix:
            document, played = table.matrix(stage, every, place_of(args), games, progress)
            lines: Iterable[str] = table.text(document)
        else:
            made = playtest(stage, every, question(args.sprt), place_of(args), games, progress)
            document, played, lines = made.document, [*made.played], text(made.document)
    if args.page is not None:
        args.page.write_text(page(document), encoding="utf-8")
    show(args, document, lines)
    return 1 if faulty(played) else 0


def told(args: argparse.Namespace, kept: Kept | None) -> int:
    """Print what a file holds."""
    from ...playtest.compared import compared, text

    if kept is None:
        raise Usage("name a rule set to play, or a file of playtests with --keep FILE")
    document = compared(kept)
    show(args, document, text(document))
    return 0


def show(args: argparse.Namespace, document: dict[str, Any], lines: Iterable[str]) -> None:
    print(json.dumps(document, indent=1, ensure_ascii=False) if args.format == "json" else "\n".join(lines))


def place_of(args: argparse.Namespace) -> Place:
    """Where games are played."""
    from ...playtest.cluster import Cluster
    from ...playtest.run import Here

    return Here(args.jobs) if args.on is None else Cluster(args.on)


def question(text: str | None) -> Question | None:
    """The question that ends a playtest."""
    from ...playtest.sprt import Question

    if text is None:
        return None
    try:
        low, high, *error = map(float, text.split(","))
        asked = Question(low, high, *error)
    except (ValueError, TypeError):
        asked = Question(1, 0)
    if not (0 < asked.low < asked.high < 1 and 0 < asked.error < 0.5):
        raise Usage(f'"{text}" is no question', "write two scores and perhaps an error: 0.5,0.55 or 0.5,0.55,0.05")
    return asked


def known(loaded: Loaded, words: Sequence[str]) -> None:
    """Refuse words that nobody goes by, and those of persons and scripts."""
    for word in words:
        try:
            contestant(loaded, word)
        except Unknown as unknown:
            raise Usage(str(unknown), near(unknown.word, unknown.known, "players")) from None
        except Refusal as refused:
            raise Usage(str(refused)) from None
