"""A table without a server: one page, all seats at it, in a Python that runs in the browser.

In:  the printed matter that `folder.py` wrote, the compiled book, the settings of a game and the choices made so far.
Out: messages of the page carried out, frames as the server would send them, the game as text to keep in the browser.

This is the room of the server with another beginning: no file, no journal on disk, no link but the one for all seats.
Every secret of the game is in the browser's memory, so that only people who trust one another can play here.
"""

from __future__ import annotations

import importlib
import json
import sys
import types
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rulewright.compiler.core.looks import Look, StyleLine
from rulewright.compiler.pages.map.style import Sign, Style
from rulewright.compiler.seat.facts import Facts
from rulewright.dsl.source import NOWHERE
from rulewright.runtime import canon
from rulewright.runtime.automatic import AUTOMATIC, seat
from rulewright.runtime.begin import new_game
from rulewright.runtime.game import Game
from rulewright.runtime.players import Player
from rulewright.runtime.problems import Fault, Refusal
from rulewright.runtime.program import Program
from rulewright.runtime.text import Choice

from ..links import HOT, Link
from ..pictures import Pictures
from ..room import PERSON, Room, Sitter, Tell
from ..shelf import Card

if TYPE_CHECKING:
    from rulewright.compiler.loader import Loaded

SLICE = 0.25
"""Seconds for which players that need no person go on before the page is shown how it stands."""


class Shipped:
    """A compiled rule set as an ordinary package: what a table asks of it, without a compiler."""

    def __init__(self, name: str, package: str) -> None:
        self.name = name
        self.package = package
        self.program: Program = importlib.import_module(package).PROGRAM

    def data(self) -> types.ModuleType:
        return importlib.import_module(f"{self.package}.data")


class Printed(Pictures):
    """The printed matter of a book, read from what was drawn when the folder was written."""

    def __init__(self, shipped: Shipped, told: dict[str, Any]) -> None:
        self.program = shipped.program
        self.style = Style([style_line(x) for x in told["style"]])
        self.printed = told["units"]
        self.facts = Facts(shipped.program, shipped.data())
        self.faces, self._looks = {}, {}
        self.spots = {p: (x, y) for p, x, y in told["spots"]}
        self.signs = {field: [Sign(**x) for x in signs] for field, signs in told["signs"].items()}


def style_line(told: dict[str, Any]) -> StyleLine:
    look: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in told["look"].items()}
    names = {k: told[k] for k in ("about", "name", "value")}
    return StyleLine(**names, look=Look(**look), text="", case="", overlay="", span=NOWHERE)


class NoShelf:
    """Nothing is kept on a disk here."""

    def path(self, card: Card) -> Path:
        return Path("nowhere.save")


class Alone(Room):
    """The one room of the page; `made` are the choices of an earlier visit."""

    def __init__(self, card: Card, shipped: Shipped, printed: dict[str, Any], made: str, tell: Tell) -> None:
        self.shipped, self.told, self.made = shipped, printed, made
        super().__init__(card, NoShelf(), tell)  # type: ignore[arg-type]

    def _rules(self) -> Loaded:
        return self.shipped  # type: ignore[return-value]

    def _players(self) -> dict[str, Player | None]:
        words = list(self.card.players.items())
        made = seat([word if word in AUTOMATIC else "random" for _, word in words], self.program.sides, self.card.seed)
        return {side: None if word == PERSON else made[side] for side, word in words}

    def _drawn(self, game: Game) -> Pictures:
        return Printed(self.shipped, self.told["maps"][game.state.map])

    def _begin(self) -> Game:
        game = new_game(self.program, self.card.scenario or None, self.card.seed)
        for event in canon.loads(self.made.encode()) if self.made else ():
            game.do(Choice.from_plain(event))
        return game

    def kept(self) -> str:
        """The choices so far, to go on from on another day."""
        return canon.dumps(list(self.table.game.journal.events())).decode()


class Seat:
    """The page's way to its room: texts in, texts out."""

    def __init__(self, folder: str, settings: str, tell: Callable[[str], None]) -> None:
        sys.path.append(folder)
        printed = json.loads(Path(folder, "printed.json").read_text(encoding="utf-8"))
        asked = json.loads(settings)
        shipped = Shipped(printed["rules"], printed["package"])
        players = dict(zip(shipped.program.sides, asked["players"], strict=True))
        card = Card("alone", printed["rules"], asked["scenario"], "", players, [], int(asked["seed"]))
        self.room = Alone(card, shipped, printed, asked.get("made", ""), tell)
        self.sitter: Sitter = self.room.enter(Link("alone", HOT, tuple(self.room.table.persons)))

    def hear(self, text: str) -> str:
        """Carry a message out; what is to be sent to the page."""
        return self.told(self.room.obey(self.sitter, json.loads(text)))

    def go_on(self) -> bool:
        """Let other players go on for a moment; says whether a person is to decide, or the game is over."""
        return self.room.run(SLICE)

    def told(self, answers: list[dict[str, Any]] | None = None) -> str:
        found = list(answers or ())
        if (frame := self.room.news(self.sitter)) is not None:
            found.append(frame)
        return json.dumps(found, ensure_ascii=False)

    def state(self) -> str:
        """How it stands, for whoever keeps the game: the choices, their number and the digest."""
        game = self.room.table.game
        return json.dumps(
            {"made": self.room.kept(), "choices": len(game.journal), "digest": game.digest(), "over": game.over}
        )


def begin(folder: str, settings: str, tell: Callable[[str], None]) -> Seat:
    """Sit down; a refusal comes as one that the page can show."""
    try:
        return Seat(folder, settings, tell)
    except (Refusal, Fault) as problem:
        raise RuntimeError(str(problem)) from None
