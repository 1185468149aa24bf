"""`rulewright play` and `rulewright why`: games from the command line."""

from __future__ import annotations

import argparse
import contextlib
import re
from pathlib import Path
from typing import Any

from rulewright.runtime.explain import explain, why
from rulewright.runtime.game import Decision, Game, resume
from rulewright.runtime.players import RandomPlayer, ScriptedPlayer
from rulewright.runtime.problems import Refusal
from rulewright.runtime.text import Choice, Reader, show_choice

from .load import Loaded
from .narrate import narrate

PAGE = 20


def run_play(loaded: Loaded, args: argparse.Namespace) -> int:
    """Play until the game is over, the players stop, or enough choices are made."""
    program = loaded.program
    if args.resume:
        game = resume(args.resume, lambda _: program)
    else:
        readings = dict(r.partition("=")[::2] for r in args.reading)
        game = loaded.new(args.scenario, args.seed, readings)
    players = pick_players(args.players, program.sides, args.seed)
    made = 0
    with contextlib.ExitStack() as stack:
        log = stack.enter_context(open(args.log, "w", encoding="utf-8")) if args.log else None
        if args.save:
            stack.callback(lambda: game.save(args.save))
        told = tell(game, 0, log, args.quiet)
        while not game.over and (args.until is None or made < args.until):
            decision = game.decisions[0]
            choice = players[decision.side](game, decision)
            if choice is None:
                break
            game.do(choice)
            made += 1
            told = tell(game, told, log, args.quiet)
    if not args.quiet:
        print(
            f"{made} choices; " + (f"{game.winner} wins" if game.winner else "no winner" if game.over else "unfinished")
        )
    return 0


def tell(game: Game, told: int, log: Any, quiet: bool) -> int:
    for event in game.log[told:]:
        line = narrate(game.program, event)
        if line is None:
            continue
        if log is not None:
            log.write(line + "\n")
        if not quiet:
            print(line)
    return len(game.log)


def pick_players(text: str, sides: tuple[str, ...], seed: int) -> dict[str, Any]:
    words = text.split(",")
    if len(words) == 1:
        words = words * len(sides)
    if len(words) != len(sides):
        raise Refusal(f"name a player for each side ({', '.join(sides)}), by commas")
    found: dict[str, Any] = {}
    for i, (side, word) in enumerate(zip(sides, words, strict=True)):
        if word == "random":
            found[side] = RandomPlayer(seed * 1009 + i)
        elif word.startswith("script:"):
            found[side] = ScriptedPlayer(Path(word[7:]).read_text(encoding="utf-8").splitlines())
        elif word == "person":
            found[side] = Person()
        else:
            raise Refusal(f'"{word}" is no kind of player: person, random or script:FILE')
    return found


class Person:
    """Asks at the terminal: a number, a choice as text, or a word (why, undo, save, more, find, quit)."""

    def __call__(self, game: Game, decision: Decision) -> Choice | None:
        listing = game.legal(decision.side)
        shown: list[Choice] = []
        self._more(game, listing, shown, decision)
        while True:
            try:
                line = input(f"{decision.side}> ").strip()
            except EOFError:
                return None
            word, _, rest = line.partition(" ")
            try:
                if line.isdigit() and 1 <= int(line) <= len(shown):
                    return shown[int(line) - 1]
                if word == "quit":
                    return None
                if word == "more":
                    self._more(game, listing, shown, decision)
                elif word == "find":
                    for i, c in enumerate(shown, 1):
                        if rest in show_choice(game.program, c):
                            print(f"{i:4} {show_choice(game.program, c)}")
                elif word == "why":
                    print(why(game, shown[int(rest) - 1] if rest.isdigit() else self._full(decision, rest)))
                elif word == "undo":
                    game.undo()
                    return self(game, game.decisions[0])
                elif word == "save":
                    game.save(rest or "game.save")
                    print("saved")
                elif line:
                    choice = game.read(self._full(decision, line))
                    grounds = game.refusals(choice)
                    if not grounds:
                        return choice
                    print(why(game, choice))
            except (Refusal, IndexError) as problem:
                print(problem)

    def _full(self, decision: Decision, text: str) -> str:
        return text if re.match(r"\w+:", text) else f"{decision.side}: {text}"

    def _more(self, game: Game, listing: Any, shown: list[Choice], decision: Decision) -> None:
        print(f"{decision.side} decides {decision.name} (case {decision.case})")
        for _ in range(PAGE):
            choice = next(listing, None)
            if choice is None:
                return
            shown.append(choice)
            print(f"{len(shown):4} {show_choice(game.program, choice)}")
        print("     more, find TEXT, why N, undo, save FILE, quit")


def run_why(loaded: Loaded, args: argparse.Namespace) -> int:
    """Explain a choice, or the value of a definition, in a saved game."""
    program = loaded.program
    game = resume(args.save, lambda _: program)
    match = re.match(r"\s*([A-Za-z_]\w*)\s*(\(.*\))?\s*\Z", args.choice, re.S)
    if match is not None and match[1] in program.values:
        types = program.values[match[1]][1]
        reader = Reader(program, (match[2] or "()")[1:-1])
        values = []
        for i, type in enumerate(types):
            values.append(reader.value(type))
            if i + 1 < len(types):
                reader.expect(",")
        print(explain(game, match[1], *values))
        return 0
    answer = why(game, args.choice)
    print(answer)
    return 0 if answer.legal else 1
