"""One game with its players, log file and save.

In:  a loaded rule set, and who plays each side.
Out: `advance` runs the automatic players and stops where a person must decide; undo by the table or by one side.

The game's file holds every choice from the first on. A person's choice is written before anything else happens; those
of automatic players are written a few times a second, and before a person is asked.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from itertools import islice
from pathlib import Path
from time import monotonic
from typing import IO, TYPE_CHECKING, Any, Protocol

from rulewright.dsl.render import visible
from rulewright.runtime.begin import begun, resume
from rulewright.runtime.choices.questions import AskSpace
from rulewright.runtime.choices.spaces import WordSpace
from rulewright.runtime.game import Decision, Game
from rulewright.runtime.journal import Journal, SaveProblem
from rulewright.runtime.players import out_of_turn
from rulewright.runtime.problems import Fault, Refusal
from rulewright.runtime.program import Program
from rulewright.runtime.telling.diary import Diary
from rulewright.runtime.telling.promises import check_promises
from rulewright.runtime.telling.secrecy import keeps_secrets
from rulewright.runtime.text import Choice
from rulewright.runtime.view import do_for, earlier, entry_for, undo_for

from .facts import Facts

if TYPE_CHECKING:
    from ..loader import Loaded

Player = Callable[[Game, Decision], Choice]
REPLAYED = 400
SNAPSHOTS = 200
"""After how many choices the file gets a position to resume from, so that few have to be played again."""


class Unbroken(Protocol):
    """Keeps a section from being interrupted."""

    def whole(self) -> AbstractContextManager[None]: ...


class Undisturbed:
    """For a table that no signal interrupts."""

    def whole(self) -> AbstractContextManager[None]:
        return nullcontext()


class Table:
    """A running game; a side without an automatic player is played by a person."""

    def __init__(
        self,
        loaded: Loaded,
        game: Game,
        players: Mapping[str, Player | None],
        until: int | None = None,
        log: Any = None,
        checking: bool = False,
        detail: bool = False,
    ) -> None:
        self.loaded, self.game, self.players, self.until = loaded, game, players, until
        self.path: Path | None = None
        self.saved: Path | None = None
        self.keeping = bool(self.persons)
        self.stopping: Unbroken = Undisturbed()
        self.facts = Facts(loaded.program, loaded.data())
        self.log: IO[str] | None = log
        self.checking = checking
        self.made, self.logged = 0, 0
        self.detail = detail
        self.diary = Diary(loaded.program, detail=detail)
        self.own = own_choices(game, self.persons)
        self.passed: set[tuple[str, ...]] = set()
        self.offered = -1
        self.ready = True
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
        """Run the automatic players; returns the next decision of a person, None when the game is over."""
        return self.run(None)

    def run(self, seconds: float | None) -> Decision | None:
        """The same for so many seconds; `ready` says whether somebody's decision, or the end, is reached."""
        late = None if seconds is None else monotonic() + seconds
        self.ready = True
        while not self.over:
            if late is not None and monotonic() > late:
                self.ready = False
                break
            taken_up = self.taken_up()
            if taken_up is not None:
                self.carry_out(taken_up)
                continue
            decision, *others = self.game.decisions
            player = self.players[decision.side]
            if player is None:
                forced = self.forced(decision)
                if forced is None:
                    self.flush()
                    return decision
                self.carry_out(forced)
                continue
            standing = next(
                (d for d in others if self.players[d.side] is None and self.key(d) not in self.passed), None
            )
            if standing is not None:
                self.flush()
                return standing
            self.carry_out(player(self.game, decision))
        self.flush()
        return None

    def taken_up(self) -> Choice | None:
        """What an automatic player does on a standing offer of its own; each is asked once between two choices."""
        if self.offered == len(self.game.journal):
            return None
        self.offered = len(self.game.journal)
        decisions = self.game.decisions
        mine = [d for d in decisions if d.sort == "standing" and self.players[d.side] is not None]
        players = {side: player for side, player in self.players.items() if player is not None}
        return out_of_turn(self.game, players, mine) if mine else None

    def flush(self) -> None:
        """Write all choices made so far to the file."""
        with self.stopping.whole():
            self.game.journal.flush()

    def carry_out(self, choice: Choice) -> None:
        """Make a choice of an automatic player."""
        with self.stopping.whole():
            self.game.journal.lazy = True
            self.game.do(choice)
            self.keep()
            self.after()

    def forced(self, decision: Decision) -> Choice | None:
        """The word that closes a window without other choices, or the only lawful answer to a question.

        Where sides have secrets every question is put, and so is one for a way, since the rules may take others than
        those that are listed.
        """
        spaces = self.game.spaces(decision)
        if len(spaces) == 1 and isinstance(spaces[0], AskSpace):
            space = spaces[0]
            if self.secrets or decision.secret or space.accept is not None:
                return None
            answers = list(islice(space.listing(), 2))
            return Choice(decision.id, decision.side, space.name, answers[0]) if len(answers) == 1 else None
        words = [s for s in spaces if isinstance(s, WordSpace) and not s.refusals(())]
        others = (s for s in spaces if not isinstance(s, WordSpace))
        if len(words) != 1 or any(next(iter(s.listing()), None) is not None for s in others):
            return None
        return Choice(decision.id, decision.side, words[0].name, ())

    def key(self, standing: Decision) -> tuple[str, ...]:
        """A standing offer in one phase: a person is asked about it once, before others go on."""
        return (standing.side, standing.name, *self.game.state.phases)

    def do(self, side: str, choice: Choice) -> None:
        """Make a person's choice, or refuse it with the reasons that the side may know."""
        before = len(self.game.journal)
        with self.stopping.whole():
            self.game.journal.lazy = False
            do_for(self.game, side, choice)
            self.keep()
            self.own.append((before, side))
            self.after()

    def after(self) -> None:
        self.made += 1
        if self.game.journal.path is not None and len(self.game.journal) % SNAPSHOTS == 0:
            self.game.journal.snapshot(self.game.state.plain())
        self.passed = {key for key in self.passed if key[2:] == tuple(self.game.state.phases)}
        if self.log is not None:
            self.write_log()
        self.watch()
        self.check()

    def check(self) -> None:
        """Check the book's invariants, if requested; the choice that breaks one is not undone."""
        if self.checking:
            check_promises(self.game)

    def spelt(self, line: str) -> str:
        """A line of the log as it is written."""
        return visible(line)

    def write_log(self) -> None:
        assert self.log is not None
        for line in self.diary.lines(self.game.log[self.logged :]):
            self.log.write(self.spelt(line) + "\n")
        self.logged = len(self.game.log)

    def undo(self, agreed: bool) -> None:
        """Go back to the last choice of a person, completely or not at all."""
        if not self.own:
            raise Refusal("there is nothing to undo")
        self.go_back(self.own[-1][0], agreed)

    def go_back(self, to: int, agreed: bool) -> None:
        """Take back all choices from the number `to` on."""
        steps = len(self.game.journal) - to
        with self.stopping.whole():
            self.game.undo(agreed, steps)
            self.own = [(n, side) for n, side in self.own if n < to]
            self.made -= steps
            self.taken_back()

    def taken_back(self) -> None:
        if self.log is not None and self.logged > len(self.game.log):
            self.log.write("(taken back)\n")
            self.logged = len(self.game.log)

    def undo_by(self, side: str) -> None:
        """Take back a side's own last choice, and what followed from it by itself; never the choice of another person.

        Where sides have secrets, what has followed is judged by what the side may know (see `undo_for`).
        """
        if keeps_secrets(self.game.program):
            with self.stopping.whole():
                before = len(self.game.journal)
                undo_for(self.game, side)
                self.own = own_choices(self.game, self.persons)
                self.made -= before - len(self.game.journal)
                self.taken_back()
            return
        self.go_back(self.last_of(side), False)

    def last_of(self, side: str) -> int:
        """The number of the last choice of a person, if it was this side's."""
        if not self.own:
            raise Refusal("there is nothing to undo")
        n, who = self.own[-1]
        if who != side:
            raise Refusal("the last choice was another's; undo needs the table's agreement")
        return n

    def undo_phase(self, side: str) -> None:
        """Take back what a side chose in the phase in which it made its last choice, as far as that can be taken back.

        Where sides have secrets this goes choice by choice, by what the side may read of each (see `undo_for`).
        """
        if not keeps_secrets(self.game.program):
            self.go_back(self.phase_start(side), False)
            return
        more = self.more_in_phase(side)
        self.undo_by(side)
        while more:
            more = self.more_in_phase(side)
            try:
                self.undo_by(side)
            except Refusal:
                return

    def more_in_phase(self, side: str) -> bool:
        """Whether the choice that a side can read before its last one is its own and of the same phase."""
        last = False
        for entry in reversed(self.game.log):
            own = entry_for(self.game, entry, side)
            if own is None or own["event"] not in ("choice", "phase"):
                continue
            if own["event"] == "phase":
                if last:
                    return False
            elif own["side"] != side or last:
                return bool(own["side"] == side)
            else:
                last = True
        return False

    def phase_start(self, side: str) -> int:
        """The number of the first choice that a side made in the phase in which it made its last one.

        Going back stops where a die was rolled or something was shown, and at the choice of another person.
        """
        first, later = self.last_of(side), len(self.game.log)
        for n, who in reversed(self.own):
            then = earlier(self.game, n)
            since = self.game.log[len(then.log) : later] if n != first else ()
            entered = any(e["event"] == "phase" for e in since)
            if who != side or entered or then.state.revealed != self.game.state.revealed:
                break
            first, later = n, len(then.log)
        return first

    # ------------------------------------------------------------ saves

    def keep_in(self, path: Path, going_on: bool = False) -> None:
        """Autosave to a file from now on: a new one, or with `going_on` the one that the game was read from."""
        self.path = path
        journal = self.game.journal
        (journal.go_on_in if going_on else journal.keep_in)(path)

    def keep(self) -> None:
        """Start autosave with the first choice of a person; if the file cannot be written, the choice is undone."""
        journal = self.game.journal
        if not self.keeping or journal.path is not None:
            return
        try:
            self.keep_in(self.path or self._new_file())
        except (OSError, SaveProblem):
            self.game.undo(agreed=True)
            raise

    def save(self, path: Path | None = None) -> Path:
        """Save a copy to a named file; without a name to the game's own file, created if there is none."""
        with self.stopping.whole():
            if path is None or path == self.path:
                if self.game.journal.path is None:
                    self.keep_in(self.path or self._new_file())
                path = self.path
            assert path is not None
            self.game.save(path)
        return path

    def close(self) -> None:
        """Close the game's file, with a position in it that `resume` can start from."""
        with self.stopping.whole():
            if self.game.journal.path is not None:
                self.saved = self.game.journal.path
                self.game.save(self.saved)
                self.game.journal.close()

    def _new_file(self) -> Path:
        """Create a file under an unused name."""
        for name in self._names():
            try:
                os.close(os.open(name, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666))
                return name
            except FileExistsError:
                continue
        raise SaveProblem("all names for a save are taken", "name one: --save FILE")

    def _names(self) -> Iterator[Path]:
        book = "".join(c if c.isalnum() or c in "-_." else "-" for c in Path(self.loaded.name).stem)
        stem = f"{book}-{self.game.journal.header.scenario}"
        return (Path(f"{stem}{i}.save") for i in ("", *(f"-{n}" for n in range(2, 1000))))

    def resume(self, path: Path) -> None:
        """Continue with another save of the same rules."""
        program = self.loaded.program
        rules = saved_rules(path)
        if rules != program.name:
            raise SaveProblem(f"{path} is a game of {rules}, not of {program.name}", f"rulewright play --resume {path}")
        game = take_up(path, program)
        own = self.game.journal.path
        with self.stopping.whole():
            if own is not None and os.path.samefile(own, path):
                self.close()
            game.journal.go_on_in(path)
            self.close()
            self.game, self.path, self.own = game, path, own_choices(game, self.persons)
            self.logged = len(game.log)


def own_choices(game: Game, persons: list[str]) -> list[tuple[int, str]]:
    """The numbers and sides of the choices that persons made, as far back as the game can be undone."""
    told = [e for e in game.log if e["event"] == "choice"]
    made = [(i, str(e["side"])) for i, e in enumerate(told) if e["side"] in persons]
    return made if len(told) == len(game.journal) else []


def take_up(path: Path, program: Program) -> Game:
    """A saved game; a short one is replayed, so that its log and undo are available."""
    game = resume(path, lambda _: program)
    if len(game.journal) > REPLAYED:
        return game
    try:
        again = begun(program, game.journal.header)
        for event in game.journal.events():
            again.do(Choice.from_plain(event))
    except (Refusal, Fault, SaveProblem):
        return game
    return again if again.digest() == game.digest() else game


def saved_rules(path: Path) -> str:
    """The rule set that a save was played under."""
    return Journal.read(path).header.rules
