"""A game that is played by the numbers of candidates.

In:  a rule set, a scenario, how many candidates are offered at most, a seed.
Out: at each decision the side that decides, and some of its legal choices in a fixed order, each with what it is about.

A wargame has too many choices to number them once and for all, and sets are never listed as all their subsets. So each
decision offers candidates: `done` and `take_back` where they are legal, then choices that the choice spaces give, in
turn from each kind of action, no two alike. They are drawn from a source that the position and the dice determine: the
same position of the same game offers the same ones. What is not among them cannot be chosen there.

A side is asked what the rules ask it; what it might do out of turn, it may do when it is asked something.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from rulewright.compiler import load
from rulewright.runtime.begin import new_game
from rulewright.runtime.choices.spaces import WordSpace
from rulewright.runtime.dice import seed as seeded
from rulewright.runtime.game import Decision, Game
from rulewright.runtime.players import Player
from rulewright.runtime.problems import Fault
from rulewright.runtime.program import Program
from rulewright.runtime.state import State
from rulewright.runtime.text import Choice

from .sight import Sight

CANDIDATES = 32
TRIES = 3
"""How often in a row a kind of action may give nothing new before it is left alone."""
MOST = 20_000


class Rules:
    """A rule set with a scenario, and what its positions and choices are to a learner."""

    def __init__(self, book: str, scenario: str | None = None, candidates: int = CANDIDATES) -> None:
        self.book, self.scenario, self.most = book, scenario, candidates
        self.loaded = load(book)
        self.sight = Sight(self.program)

    @property
    def program(self) -> Program:
        return self.loaded.program

    @property
    def sides(self) -> tuple[str, ...]:
        return self.program.sides

    def __deepcopy__(self, memo: dict[int, Any]) -> Rules:
        """Rules never change."""
        return self

    def begin(self, seed: int) -> Match:
        """A new game."""
        return Match(self, new_game(self.program, self.scenario, seed))


class Match:
    """One game."""

    def __init__(self, rules: Rules, game: Game, made: int = 0) -> None:
        self.rules, self.game, self.made = rules, game, made
        game.state.log = None
        self._offered: list[Choice] | None = None

    @property
    def over(self) -> bool:
        return self.game.over

    @cached_property
    def decision(self) -> Decision:
        """What is asked now."""
        return self.game.decisions[0]

    @property
    def side(self) -> str:
        """Who decides."""
        return self.decision.side

    @property
    def offered(self) -> Sequence[Choice]:
        """The candidates."""
        if self._offered is None:
            self._offered = self._candidates()
        return self._offered

    def take(self, number: int) -> None:
        """Make the choice of that number."""
        self.make(self.offered[number])

    def make(self, choice: Choice) -> None:
        """Make a choice that a space of this game has given."""
        self.game.state.log = None
        self.game.playout(choice)
        self.game.state.log = None
        self.made += 1
        self.__dict__.pop("decision", None)
        self._offered = None

    def let(self, players: Mapping[str, Player]) -> None:
        """Let players decide until a side without one is asked, or the game is over."""
        while not self.over and self.side in players and self.made < MOST:
            self.make(players[self.side](self.game, self.decision))

    def returns(self) -> dict[str, float]:
        """1 for who has won, -1 for the others, 0 in a draw or while the game goes on."""
        won = self.game.winner
        return {side: 0.0 if won is None else 1.0 if side == won else -1.0 for side in self.rules.sides}

    def copy(self) -> Match:
        """The same game, to be played on in another way; it has the same dice to come."""
        S = State.from_plain(self.rules.program, self.game.state.plain())
        made = Match(self.rules, Game(self.rules.program, S, self.game.journal), self.made)
        made._offered = self._offered
        return made

    def __deepcopy__(self, memo: dict[int, Any]) -> Match:
        return self.copy()

    # ------------------------------------------------------------ candidates

    def _candidates(self) -> list[Choice]:
        game, decision = self.game, self.decision
        mine = [d for d in game.decisions if d.side == decision.side and d.sort == "standing"]
        spaces = [(d, space) for d in (decision, *mine) for space in game.spaces(d)]
        found = [
            Choice(d.id, d.side, space.name, ())
            for d, space in spaces
            if isinstance(space, WordSpace) and not space.refusals(())
        ]
        seen: set[Any] = set()
        rng = seeded(game.state.dice["rng"] ^ game.state.counter * 0x9E3779B97F4A7C15 & 0xFFFFFFFFFFFFFFFF)
        left = {i: TRIES for i, (_, space) in enumerate(spaces) if not isinstance(space, WordSpace)}
        while left and len(found) < self.rules.most:
            for i in [*left]:
                d, space = spaces[i]
                args, rng = space.sample(rng)
                if args is None or (space.name, args) in seen:
                    left[i] = left[i] - 1 if args is not None else 0
                    if not left[i]:
                        del left[i]
                elif len(found) < self.rules.most:
                    left[i] = TRIES
                    seen.add((space.name, args))
                    found.append(Choice(d.id, d.side, space.name, args))
        if not found:
            raise Fault(f"{decision.side} has nothing legal to do at {decision.name}", decision.case)
        return found

    def rows(self, side: str) -> list[list[int]]:
        """What each candidate is about; nothing where another side decides."""
        if self.over or side != self.side:
            return []
        return [self.rules.sight.choice(choice) for choice in self.offered]
