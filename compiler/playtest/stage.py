"""One game of a playtest.

In:  a setting, and a task of it.
Out: what the game tells; the same for the same task, in any process.

Games are playouts on the watched program of the rules. One that ends in a fault is played once more as an ordinary
game, which says where the rules could not go on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rulewright.runtime.begin import new_game
from rulewright.runtime.game import Decision, Game
from rulewright.runtime.lookahead.worth import margins as counted
from rulewright.runtime.players import Player, RandomPlayer, play
from rulewright.runtime.playout import playout
from rulewright.runtime.problems import Conflict, Fault, Refusal
from rulewright.runtime.program import Program
from rulewright.runtime.telling.promises import check_promises
from rulewright.runtime.text import Choice

from ..loader import load
from ..players import Contestant, contestant, seat_players
from .observer import Observer
from .records import CONFLICT, FAULT, UNFINISHED, Number, Played, Setting, Task, number
from .watched import Watched


class Stage:
    """A rule set with its contestants, ready to play."""

    def __init__(self, setting: Setting, contestants: Sequence[Contestant] = ()) -> None:
        self.setting = setting
        self.loaded = load(setting.book)
        named = contestants or (contestant(self.loaded, word) for word in setting.players)
        self.contestants: tuple[Contestant, ...] = tuple(named)
        self.watched = Watched(self.loaded) if setting.cases else None
        self.program = self.loaded.program if self.watched is None else self.watched.program

    @property
    def sides(self) -> tuple[str, ...]:
        return self.loaded.program.sides

    @property
    def scenario(self) -> str:
        return self.setting.scenario or next(iter(self.loaded.program.scenarios))

    def play(self, task: Task) -> Played:
        """One game to its end."""
        observer: Observer | None = None
        game: Game | None = None
        if self.watched is not None:
            self.watched.clear()
        try:
            game = new_game(self.program, self.setting.scenario or None, task.seed)
            observer = Observer(game)
            if self.watched is not None:
                self.watched.listener = observer.looked_up
            made = self.played(game, observer, self.seated(task, observer))
        except (Fault, Refusal) as problem:
            return self.again(task, problem)
        finally:
            if self.watched is not None:
                self.watched.listener = None
        left = "" if game.over else f"unfinished after {made} choices"
        return self.record(task, game, observer, made, left)

    def played(self, game: Game, observer: Observer, players: Mapping[str, Player]) -> int:
        promised = bool(game.program.invariants)

        def watch(game: Game, choice: Choice) -> None:
            if promised and not game.state.together:
                game.check()
            observer.watch(game, choice)

        made = playout(game, players, self.setting.until, watch, observer)
        if promised:
            game.check()
        observer.places(game)
        return made

    def seated(self, task: Task, observer: Observer | None = None) -> dict[str, Player]:
        """The players of a game."""
        held = zip(self.sides, task.seats, strict=True)
        seats = {side: self.contestants[i].seats[side] for side, i in held}
        players = seat_players(seats, task.seed)
        if observer is None:
            return players
        return {s: p if type(p) is RandomPlayer else Thinking(p, observer) for s, p in players.items()}

    def record(self, task: Task, game: Game, observer: Observer, made: int, left: str) -> Played:
        return Played(
            seed=task.seed,
            seats=task.seats,
            winner=game.winner,
            case=observer.won,
            turn=turn_of(game),
            choices=made,
            problem=left,
            sort=UNFINISHED if left else "",
            margin=margins(game, self.scenario),
            shown=shown(game),
            left=observer.by_place(observer.left),
            came=observer.by_place(observer.came),
            reads=observer.columns(),
            duties={name: (owed, undone) for name, (owed, undone) in sorted(observer.duties.items())},
            ran=self.watched.ran() if self.watched is not None else (),
        )

    def again(self, task: Task, met: Fault | Refusal) -> Played:
        """A game that ended in a fault, told by an ordinary one of the same choices."""
        game: Game | None = None
        problem: Fault | Refusal = met
        try:
            game = new_game(self.loaded.program, self.setting.scenario or None, task.seed)
            check_promises(game)
            play(game, self.seated(task), self.setting.until, lambda game, _: check_promises(game))
        except (Fault, Refusal) as found:
            problem = found
        told = "; ".join((str(problem), *getattr(problem, "notes", ())))
        return Played(
            seed=task.seed,
            seats=task.seats,
            case=getattr(problem, "case", ""),
            turn=turn_of(game),
            choices=len(game.journal) if game is not None else 0,
            problem=told,
            sort=CONFLICT if isinstance(problem, Conflict) else FAULT,
        )


class Thinking:
    """A player whose look-ups of tables are not those of play."""

    def __init__(self, player: Player, observer: Observer) -> None:
        self.player, self.observer = player, observer
        if hasattr(player, "interrupt"):
            self.interrupt = self.out_of_turn

    def __call__(self, game: Game, decision: Decision) -> Choice:
        made: Choice = self.quietly(self.player, game, decision)
        return made

    def out_of_turn(self, game: Game, decision: Decision) -> Choice | None:
        made: Choice | None = self.quietly(self.player.interrupt, game, decision)  # type: ignore[attr-defined]
        return made

    def quietly(self, ask: Any, game: Game, decision: Decision) -> Any:
        self.observer.thinking = True
        try:
            return ask(game, decision)
        finally:
            self.observer.thinking = False


# ---------------------------------------------------------------- what stands at the end


def turn_of(game: Game | None) -> str:
    """The turn that a game is in, by the first binding that holds one."""
    if game is None:
        return ""
    turns = game.program.turns
    held = (
        getattr(game.state, f"bind_{name}", None) for name, type_ in game.program.bindings.items() if type_ == "turn"
    )
    return next((turns[now][0] for now in held if isinstance(now, int) and 0 <= now < len(turns)), "")


def margins(game: Game, scenario: str) -> dict[str, Number]:
    """Each side's number less the best of the others, where the scenario has one."""
    return {side: number(margin) for side, margin in counted(game, scenario).items()}


def shown(game: Game) -> dict[str, Number]:
    """The numbers that the book shows, by name, or `name owner`."""
    found: dict[str, Number] = {}
    for key, value in shown_values(game.program, game):
        if value is not None and not isinstance(value, bool):
            found[key] = number(value)
    return found


def shown_values(program: Program, game: Game) -> Any:
    for key in program.shown:
        if key.startswith("value "):
            name = key[6:]
            _, types, result, _ = program.values[name]
            if result == "number" and not types:
                yield name, game.value(name)
            elif result == "number" and types[0].startswith("kind:"):
                yield from ((f"{name} {word}", game.value(name, word)) for word in program.words(types[0][5:]))
        elif not key.startswith("bind_"):
            column = program.column[key]
            if column.type == "number" and column.sort in ("game", "key"):
                rows = game.state.each(column)
                yield from ((key if owner is None else f"{key} {owner}", value) for owner, value in rows)
