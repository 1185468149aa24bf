"""Record a game: what each choice said, changed and logged, and why it was allowed.

In:  a game at its beginning, the choices that were made, and the side that looks on; None looks at everything.
Out: `Replay`: the position at the beginning, and one step a choice with the differences that it made.

A choice that the side may not see is no step of its own: what it can see of it belongs to the step before.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from rulewright.runtime.game import Game
from rulewright.runtime.players import Player
from rulewright.runtime.telling.diary import Diary
from rulewright.runtime.telling.secrecy import said_for
from rulewright.runtime.telling.words import capital, heading, phase_words, say
from rulewright.runtime.text import Choice
from rulewright.runtime.view import entry_for, why_for

from .seen import Mark, Onlooker, Seen, Stand

Entry = dict[str, Any]


@dataclass(slots=True)
class Step:
    """One choice, and all that followed from it before the next."""

    said: str = ""
    side: str = ""
    lines: list[str] = field(default_factory=list)
    why: list[str] = field(default_factory=list)
    units: dict[int, Stand | None] = field(default_factory=dict)
    signs: dict[int, tuple[Mark, ...]] = field(default_factory=dict)
    cups: dict[int, int] = field(default_factory=dict)
    panel: dict[str, str | None] = field(default_factory=dict)
    path: list[int] = field(default_factory=list)
    turn: str = ""
    phase: str = ""


@dataclass(slots=True)
class Replay:
    steps: list[Step]
    ending: str
    choices: int


def record(game: Game, choices: Iterable[Choice], onlooker: Onlooker, side: str | None) -> Replay:
    """Make the choices, one after the other."""
    return Recorder(game, onlooker, side).run(choices)


def moves(game: Game, players: Mapping[str, Player], until: int | None) -> Iterator[Choice]:
    """The choices of players that need no person, as the game asks for them."""
    while not game.over and (until is None or len(game.journal) < until):
        decision = game.decisions[0]
        yield players[decision.side](game, decision)


class Recorder:
    def __init__(self, game: Game, onlooker: Onlooker, side: str | None) -> None:
        self.game, self.onlooker, self.side = game, onlooker, side
        self.program = game.program
        self.diary = Diary(game.program, side)
        self.logged = 0
        self.turn = ""
        self.seen = Seen({}, {}, {}, {})
        self.steps = [Step(said="The beginning")]

    def run(self, choices: Iterable[Choice]) -> Replay:
        self.note(self.steps[0], self.entries())
        made = 0
        for choice in choices:
            why, path = self.why(choice), self.path(choice)
            self.game.do(choice)
            made += 1
            whole = next(e for e in self.game.log[self.logged :] if e["event"] == "choice")
            entries = self.entries()
            own = next((e for e in entries if e["event"] == "choice"), None)
            if own is not None:
                said = own.get("said") or said_for(self.program, own, self.side)
                open_to = self.side in (None, choice.side) or own["text"] == whole["text"]
                self.steps.append(Step(side=choice.side, why=why, said=said, path=path if open_to else []))
            self.note(self.steps[-1], entries)
        return Replay(self.steps, self.ending(), made)

    def why(self, choice: Choice) -> list[str]:
        """Why the choice is allowed, as far as whoever looks on may know."""
        if self.side is None:
            return [str(line) for line in self.game.why(choice).lines()]
        return why_for(self.game, self.side, choice).splitlines() if choice.side == self.side else []

    def path(self, choice: Choice) -> list[int]:
        """The places that a choice names: its longest way, or else its places."""
        action = self.program.actions.get(choice.name)
        types = {p.name: p.type for p in action.params} if action is not None else {}
        for item in self.game.state.pending if action is None and choice.args else ():
            if item["id"] == choice.decision:
                types = {"": self.program.asks[item["ref"]].type}
        found: list[list[int]] = [[]]
        for name, value in choice.args:
            match types.get(name, ""):
                case "path" | "set:place" | "list:place":
                    found.append(list(value))
                case "place" if value is not None:
                    found.append([value])
        return max(found, key=len)

    def entries(self) -> list[Entry]:
        """The entries of the log since the last step, as the side reads them."""
        new = self.game.log[self.logged :]
        self.logged = len(self.game.log)
        if self.side is None:
            return new
        return [seen for e in new if (seen := entry_for(self.game, e, self.side)) is not None]

    def note(self, step: Step, entries: list[Entry]) -> None:
        """What has changed since the last look."""
        lines = self.diary.lines(entries)
        if step.said in lines:
            lines.remove(step.said)
        step.lines += lines
        for e in entries:
            type = self.program.bindings.get(e["var"], "") if e["event"] == "phase" and e["var"] else ""
            if type == "turn":
                self.turn = heading(self.program, type, e["value"])
            elif type and e["name"] == "turn":
                self.turn = capital(f"{phase_words(self.program, e['name'])} {say(self.program, type, e['value'])}")
        step.turn = self.turn
        step.phase = " › ".join(phase_words(self.program, p) for p in self.game.state.phases[-2:])
        now, before = self.onlooker.look(self.game), self.seen
        step.units |= {u: now.units.get(u) for u in changed(before.units, now.units)}
        step.signs |= {p: now.signs.get(p, ()) for p in changed(before.signs, now.signs)}
        step.cups |= {p: now.cups.get(p, 0) for p in changed(before.cups, now.cups)}
        step.panel |= {k: now.panel.get(k) for k in changed(before.panel, now.panel)}
        self.seen = now

    def ending(self) -> str:
        game = self.game
        if not game.over:
            return "The game is not over; this is how far it has come."
        if game.winner is None:
            return "The game is over; nobody has won."
        return f"The game is over; {heading(self.program, 'kind:side', game.winner)} wins."


def changed(before: Mapping[Any, Any], now: Mapping[Any, Any]) -> list[Any]:
    """The keys whose values differ, in the order of the later."""
    return [k for k in {**now, **before} if before.get(k) != now.get(k)]
