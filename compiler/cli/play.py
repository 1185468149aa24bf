"""`rulewright play` and `rulewright why`: games from the command line.

In:  a rule set or a save, and who plays each side.
Out: a game on the terminal, its log and its save; for `why` an explanation.

A person plays on a full-screen interface where the terminal supports it, else with plain questions and answers. Each
choice is written to the game's file before the next one is asked for, so a game survives a lost connection.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import signal
import sys
from pathlib import Path
from typing import Any

from rulewright.runtime.begin import resume
from rulewright.runtime.game import Game
from rulewright.runtime.journal import Header
from rulewright.runtime.program import Program
from rulewright.runtime.telling.diary import Diary
from rulewright.runtime.telling.panel import panel
from rulewright.runtime.telling.words import heading, phase_words

from ..evaluate.problems import Unread
from ..loader import Loaded
from .desk.table import Table, pick_players, take_up
from .faults import Usage
from .signals import Stopped


def played_before(header: Header) -> str:
    """Under which rules a game was played before others took over."""
    done = ", ".join(f"{x.choices} choice{'s' if x.choices != 1 else ''} under {x.rules}" for x in header.before)
    return f"this game: {done}, then {header.rules}"


def run_play(loaded: Loaded, args: argparse.Namespace) -> int:
    """Play until the game is over, the players stop, or enough choices are made."""
    program = loaded.program
    speak(program, args.words)
    if args.resume:
        game = take_up(Path(args.resume), program)
        if game.journal.header.before and args.format == "text" and not args.quiet:
            print(played_before(game.journal.header))
    else:
        readings = dict(r.partition("=")[::2] for r in args.reading)
        game = loaded.new(args.scenario, args.seed, readings)
    players = pick_players(args.players, loaded, args.seed)
    code = 0
    with contextlib.ExitStack() as stack:
        log = stack.enter_context(open(args.log, "w", encoding="utf-8", buffering=1)) if args.log else None
        table = Table(loaded, game, players, args.until, log, args.check, args.detail)
        stack.enter_context(table.stopping)
        stack.callback(game.journal.close)
        take_file(table, args)
        if log is not None:
            table.write_log()
        try:
            table.check()
            sit_down(table, args) if table.persons else watch(table, args)
        except Stopped as stopped:
            if not (table.persons and stopped.number == signal.SIGINT):
                code = stopped.code
        table.stopping.asked = None
        table.close()
        left(table, args)
    if args.format == "json":
        print(json.dumps(result(table), indent=1, ensure_ascii=False))
    else:
        for name, value in panel(table.game):
            print(f"{name}: {value}")
        print(f"{table.made} choices; {outcome(table)}")
    return code


def speak(program: Program, language: str) -> None:
    """Have a book speak one of its languages."""
    if language != "en" and language not in program.said:
        known = ", ".join(program.said) or "en"
        raise Usage(f'{program.name} has no words in "{language}"', f"it has: {known}; lay a file of words over it")
    program.language = language


def take_file(table: Table, args: argparse.Namespace) -> None:
    """Set up autosave: to the named file, or to the file of a resumed game that a person plays on."""
    same = args.save and args.resume and os.path.exists(args.save) and os.path.samefile(args.save, args.resume)
    if args.save and not same:
        table.keep_in(Path(args.save))
    elif args.resume and (same or table.persons):
        table.keep_in(Path(args.resume), going_on=True)


def watch(table: Table, args: argparse.Namespace) -> None:
    """Play a game without persons, with its log printed as it goes."""
    told, diary = 0, Diary(table.game.program, detail=args.detail)

    def tell() -> None:
        nonlocal told
        lines = diary.lines(table.game.log[told:])
        if not args.quiet and args.format == "text":
            for line in lines:
                print(line)
        told = len(table.game.log)

    table.watch = tell
    tell()
    table.advance()


def sit_down(table: Table, args: argparse.Namespace) -> None:
    """Play a game with at least one person, full-screen or with plain questions."""
    from .desk.desk import Desk

    desk = Desk(table)
    if can_draw() and not args.plain:
        from .desk.screen import run_screen

        run_screen(desk)
    else:
        from .desk.plain import run_plain

        run_plain(desk, args.quiet)


def left(table: Table, args: argparse.Namespace) -> None:
    """Print where the game of a person who has left is saved."""
    if table.saved is None or not table.persons or args.quiet or args.format != "text":
        return
    if table.game.over:
        print(f"the whole game is in {table.saved}")
    else:
        print(f"saved; to go on: rulewright play {args.book} --resume {table.saved}{as_before(args)}")


def as_before(args: argparse.Namespace) -> str:
    return f" --players {args.players}" if args.players != "person" else ""


def can_draw() -> bool:
    """Whether the terminal supports full-screen drawing."""
    return sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM", "dumb") not in ("dumb", "unknown", "")


def outcome(table: Table) -> str:
    game = table.game
    return f"{game.winner} wins" if game.winner else "no winner" if game.over else "unfinished"


def result(table: Table) -> dict[str, Any]:
    """How a game ended, as data."""
    game = table.game
    won = next((e for e in reversed(game.log) if e["event"] == "win"), None)
    return {
        "rules": game.program.name,
        "scenario": game.journal.header.scenario,
        "seed": game.journal.header.seed,
        "choices": table.made,
        "over": game.over,
        "winner": game.winner,
        "case": won["case"] if won is not None else "",
        "state": dict(panel(game)),
        "save": str(table.saved) if table.saved is not None else None,
        "digest": game.digest(),
    }


def summary(game: Game) -> dict[str, Any]:
    """How a saved game stands: what the book shows its players, and who is to decide what, by which case."""
    program, header = game.program, game.journal.header
    asked = []
    for d in game.pending:
        what = "a secret decision" if d.secret else game.asks(d) or phase_words(program, game.state.phases[-1])
        asked.append({"side": heading(program, "kind:side", d.side), "asked": what, "case": d.case})
    return {
        "rules": program.name,
        "scenario": header.scenario,
        "seed": header.seed,
        "choices": len(game.journal),
        "over": game.over,
        "winner": game.winner,
        "state": dict(panel(game)),
        "asked": asked,
    }


def as_lines(told: dict[str, Any]) -> list[str]:
    """A summary in lines."""
    ended = f"{told['winner']} wins" if told["winner"] else "no winner" if told["over"] else "unfinished"
    head = f"{told['rules']} · {told['scenario']} · seed {told['seed']} · {told['choices']} choices; {ended}"
    state = [f"{name}: {value}" for name, value in told["state"].items()]
    return [head, *state, *(f"{x['side']}: {x['asked']} [{x['case']}]" for x in told["asked"])]


def run_why(loaded: Loaded, args: argparse.Namespace) -> int:
    """Explain a choice, or the value of an expression, in a saved game.

    Text that starts with a side and a colon is parsed as a choice, even if malformed; any other as an expression.
    """
    game = resume(args.save, lambda _: loaded.program)
    if args.asked is None:
        told = summary(game)
        print(json.dumps(told, indent=1, ensure_ascii=False) if args.format == "json" else "\n".join(as_lines(told)))
        return 0
    try:
        answer = game.why(args.asked)
    except Unread as error:
        sides = ", ".join(loaded.program.sides)
        raise Usage(error.render(), f"a choice begins with a side: {sides}") from None
    if args.format == "json":
        shown = {
            "text": answer.text,
            "legal": answer.legal,
            "value": answer.shown if answer.value else None,
            "cases": list(answer.cases),
            "grounds": [{"case": g.case, "label": g.label, "where": g.where} for g in answer.grounds],
            "lines": answer.lines(),
            "state": dict(panel(game)),
        }
        print(json.dumps(shown, indent=1, ensure_ascii=False))
    else:
        standing = " · ".join(f"{name}: {value}" for name, value in panel(game))
        print(f"{standing}\n{answer}" if standing else answer)
    return 0 if answer.legal else 1
