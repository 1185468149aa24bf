"""The table: one game, who plays which side, the log file and the save.

In:  a loaded rule set and how it is to be played.
Out: `advance` lets everybody play who needs no keyboard and stops where a person must decide.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import IO, Any

from rulewright.runtime import canon
from rulewright.runtime.choices.spaces import WordSpace
from rulewright.runtime.game import Decision, Game, new_game, resume
from rulewright.runtime.journal import Journal, SaveProblem
from rulewright.runtime.players import RandomPlayer, ScriptedPlayer
from rulewright.runtime.problems import Fault, Refusal
from rulewright.runtime.program import Program
from rulewright.runtime.telling.narrate import narrate
from rulewright.runtime.text import Choice
from rulewright.runtime.view import do_for

from ...loader import Loaded
from ..faults import text_of
from .facts import Facts

Player = Callable[[Game, Decision], Choice]
REPLAYED = 400


class Table:
    """A game under way; a side without a player is played by a person."""

    def __init__(
        self,
        loaded: Loaded,
        game: Game,
        players: Mapping[str, Player | None],
        until: int | None = None,
        log: Any = None,
    ) -> None:
        self.loaded, self.game, self.players, self.until = loaded, game, players, until
        self.path: Path | None = None
        self.facts = Facts(loaded.program, loaded.data())
        self.log: IO[str] | None = log
        self.made, self.logged, self.kept = 0, 0, 0
        self.own = own_choices(game, self.persons)
        self.passed: set[tuple[str, ...]] = set()
        self.watch: Callable[[], None] = lambda: None

    @property
    def persons(self) -> list[str]:
        return [side for side in self.game.program.sides if self.players[side] is None]

    @property
    def secrets(self) -> bool:
        """Whether one side may know what another may not."""
        program = self.game.program
        return any(c.secret is not None for c in program.columns) or any(a.secret for a in program.asks)

    @property
    def over(self) -> bool:
        return self.game.over or (self.until is not None and self.made >= self.until)

    def advance(self) -> Decision | None:
        """Let the others play; the next decision of a person, None when it is over."""
        while not self.over:
            decision, *others = self.game.decisions
            player = self.players[decision.side]
            if player is None:
                forced = self.forced(decision)
                if forced is None:
                    return decision
                self.game.do(forced)
                self.after()
                continue
            standing = next(
                (d for d in others if self.players[d.side] is None and self.key(d) not in self.passed), None
            )
            if standing is not None:
                return standing
            self.game.do(player(self.game, decision))
            self.after()
        return None

    def forced(self, decision: Decision) -> Choice | None:
        """The word that closes a window in which nothing else can be done; a question is always put."""
        spaces = self.game.spaces(decision)
        words = [s for s in spaces if isinstance(s, WordSpace) and not s.refusals(())]
        others = (s for s in spaces if not isinstance(s, WordSpace))
        if len(words) != 1 or any(next(iter(s.listing()), None) is not None for s in others):
            return None
        return Choice(decision.id, decision.side, words[0].name, ())

    def key(self, standing: Decision) -> tuple[str, ...]:
        """A standing offer in one phase: a person is asked about it once, before others go on."""
        return (standing.side, standing.name, *self.game.state.phases)

    def do(self, side: str, choice: Choice) -> None:
        """Carry out what a person chose, or refuse it as far as that side may know why."""
        before = len(self.game.journal)
        do_for(self.game, side, choice)
        self.own.append(before)
        self.after()

    def after(self) -> None:
        self.made += 1
        self.passed = {key for key in self.passed if key[2:] == tuple(self.game.state.phases)}
        if self.log is not None:
            self.write_log()
        self.watch()

    def write_log(self) -> None:
        assert self.log is not None
        for event in self.game.log[self.logged :]:
            line = narrate(self.game.program, event)
            if line is not None:
                self.log.write(line + "\n")
        self.logged = len(self.game.log)

    def undo(self, agreed: bool) -> None:
        """Back to where a person last chose, all of it or nothing."""
        if not self.own:
            raise Refusal("there is nothing to undo")
        steps = len(self.game.journal) - self.own[-1]
        self.game.undo(agreed, steps)
        self.own.pop()
        self.made -= steps
        if self.log is not None and self.logged > len(self.game.log):
            self.log.write("(taken back)\n")
            self.logged = len(self.game.log)

    # ------------------------------------------------------------ saves

    @property
    def unsaved(self) -> bool:
        return len(self.game.journal) != self.kept

    def save(self, path: Path | None = None) -> Path:
        """Save to a file, which stays as it is then; without a name to the game's own file, new where it has none."""
        if path is None:
            path = self.path = self.path or self._new_name()
        self.game.save(path)
        self.game.journal.close()
        self.kept = len(self.game.journal)
        return path

    def _new_name(self) -> Path:
        book = "".join(c if c.isalnum() or c in "-_." else "-" for c in Path(self.loaded.name).stem)
        stem = f"{book}-{self.game.journal.header.scenario}"
        names = (Path(f"{stem}{i}.save") for i in ("", *(f"-{n}" for n in range(2, 1000))))
        return next(name for name in names if not name.exists())

    def resume(self, path: Path) -> None:
        """Go on with another saved game of the same rules."""
        program = self.loaded.program
        rules = saved_rules(path)
        if rules != program.name:
            raise SaveProblem(f"{path} is a game of {rules}, not of {program.name}", f"rulewright play --resume {path}")
        self.game = take_up(path, program)
        self.path, self.own, self.kept = path, own_choices(self.game, self.persons), len(self.game.journal)
        self.logged = len(self.game.log)


def own_choices(game: Game, persons: list[str]) -> list[int]:
    """After how many choices persons chose, as far back as the game can be undone."""
    told = [e for e in game.log if e["event"] == "choice"]
    return [i for i, e in enumerate(told) if e["side"] in persons] if len(told) == len(game.journal) else []


def take_up(path: Path, program: Program) -> Game:
    """A saved game; a short one is played again, so that its log and undo are at hand."""
    game = resume(path, lambda _: program)
    if len(game.journal) > REPLAYED:
        return game
    header = game.journal.header
    readings = canon.loads(header.first()).get("readings", {})
    try:
        again = new_game(program, header.scenario, header.seed, readings)
        for event in game.journal.events():
            again.do(Choice.from_plain(event))
    except (Refusal, Fault):
        return game
    return again if again.digest() == game.digest() else game


def saved_rules(path: Path) -> str:
    """The rule set that a save was played under."""
    journal = Journal.open(path)
    journal.close()
    return journal.header.rules


def pick_players(text: str, sides: tuple[str, ...], seed: int) -> dict[str, Player | None]:
    """A player for each side; None is a person."""
    words = text.split(",")
    if len(words) == 1:
        words = words * len(sides)
    if len(words) != len(sides):
        raise Refusal(f"name a player for each side ({', '.join(sides)}), by commas")
    found: dict[str, Player | None] = {}
    for i, (side, word) in enumerate(zip(sides, words, strict=True)):
        if word == "random":
            found[side] = RandomPlayer(seed * 1009 + i)
        elif word.startswith("script:"):
            found[side] = ScriptedPlayer(text_of(Path(word[7:])).splitlines())
        elif word == "person":
            found[side] = None
        else:
            raise Refusal(f'"{word}" is no kind of player: person, random or script:FILE')
    return found
