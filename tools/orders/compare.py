"""Compare a book with itself in another order: the core in its order, and whole seeded games.

In:  a rule set and a source of random numbers.
Out: how many choices were compared, and the first difference, if there is one.
"""

from __future__ import annotations

import itertools
import tempfile
from dataclasses import dataclass, fields, is_dataclass
from pathlib import Path
from random import Random
from typing import Any

from rulewright.compiler.core import nodes as c
from rulewright.compiler.loader import load
from rulewright.compiler.pipeline import analyse
from rulewright.compiler.read.library import find_book
from rulewright.dsl.render import render_text
from rulewright.runtime.game import Game
from rulewright.runtime.players import RandomPlayer
from rulewright.runtime.problems import Fault

from .shuffled import shuffled

TOLD = {"case_spans", "house", "examples", "origins", "waived_by", "cases", "name", "title"}
"""What a core keeps for telling and testing: where a text stood, and in which order it is shown."""


@dataclass
class Compared:
    """What was compared of one book in one other order."""

    book: str
    seed: int
    games: int = 0
    finished: int = 0
    choices: int = 0
    difference: str = ""


def compare(
    name: str, seed: int, scenarios: tuple[str | None, ...] = (None,), games: int = 1, most: int = 200
) -> Compared:
    """A rule set and its shuffled twin: cores first, then games choice by choice."""
    found = Compared(name, seed)
    book, plus, overlays = name.partition("+")
    source = find_book(book)
    assert source is not None, name
    with tempfile.TemporaryDirectory() as folder:
        root = shuffled(source, Path(folder), Random(seed))
        other = f"{root}{plus}{overlays}"
        found.difference = cores(name, other)
        for scenario, number in itertools.product(scenarios, range(games)):
            if not found.difference:
                play_both(name, other, scenario, number, most, found)
    return found


def cores(one: str, other: str) -> str:
    """Where two rule sets first differ in the core, order included."""
    mine, theirs = analyse(one), analyse(other)
    if mine.book is None or theirs.book is None:
        return "does not compile: " + render_text([d for d in theirs.report.found if d.severity == "error"])[:600]
    for field in fields(c.Book):
        if field.name not in TOLD:
            spot = apart(plain(getattr(mine.book, field.name)), plain(getattr(theirs.book, field.name)))
            if spot:
                return f"{field.name}{spot}"
    return ""


def plain(x: Any) -> Any:
    """A piece of the core as nested tuples, in its order, without places in the text."""
    if isinstance(x, dict):
        return tuple((plain(k), plain(v)) for k, v in x.items())
    if isinstance(x, (tuple, list)):
        return tuple(map(plain, x))
    if isinstance(x, (set, frozenset)):
        return tuple(sorted(map(repr, map(plain, x))))
    if is_dataclass(x):
        return (type(x).__name__, *((f.name, plain(getattr(x, f.name))) for f in fields(x) if f.name != "span"))
    return x


def apart(a: Any, b: Any, way: str = "") -> str:
    """The way to the first difference of two nested tuples."""
    if a == b:
        return ""
    if not isinstance(a, tuple) or not isinstance(b, tuple) or len(a) != len(b):
        return f"{way}: {str(a)[:200]} against {str(b)[:200]}"
    for i, (x, y) in enumerate(zip(a, b, strict=True)):
        if x != y:
            return apart(x, y, f"{way}.{x[0] if isinstance(x, tuple) and x and isinstance(x[0], str) else i}")
    return ""


def play_both(one: str, other: str, scenario: str | None, seed: int, most: int, found: Compared) -> None:
    """The same seed on both: every decision, choice, log line and state must be the same."""
    mine, theirs = (Side(load(x).new(scenario, seed), seed) for x in (one, other))
    found.games += 1
    for number in range(most):
        if mine.game.over or theirs.game.over:
            break
        a, b = mine.step(), theirs.step()
        found.choices += 1
        if a != b:
            found.difference = f"{scenario or 'game'}, seed {seed}, choice {number + 1}: {a[:300]} against {b[:300]}"
            return
    found.finished += mine.game.over
    if mine.game.over != theirs.game.over or mine.game.digest() != theirs.game.digest():
        found.difference = f"{scenario or 'game'}, seed {seed}: another position after {found.choices} choices"


class Side:
    """One of the two games, with random players of the same seeds."""

    def __init__(self, game: Game, seed: int) -> None:
        self.game = game
        self.players = {side: RandomPlayer(seed * 1009 + i) for i, side in enumerate(game.program.sides)}

    def step(self) -> str:
        decision = self.game.decisions[0]
        told = len(self.game.log)
        try:
            choice = self.players[decision.side](self.game, decision)
            self.game.do(choice)
        except Fault as fault:
            return f"fault: {fault}"
        return f"{decision.side} {choice} {self.game.log[told:]} {self.game.digest()}"
