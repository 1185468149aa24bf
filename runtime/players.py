"""Players: random and scripted ones, over the same decisions that people answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from . import dice
from .choices.chance import Shuffle
from .choices.duties import UNDECIDED
from .choices.owed import concerned
from .choices.questions import AskSpace
from .choices.spaces import ActionSpace, Space, WordSpace
from .game import Decision, Game
from .problems import Ground, Refusal, reasons_of
from .telling.faults import leads_home
from .text import Choice

PATIENCE = 400
"""How often a random player chooses in one window before it closes it, if it is not told otherwise."""
Player = Callable[[Game, Decision], Choice]
Watch = Callable[[Game, Choice], Any]


class RandomPlayer(Shuffle):
    """Takes any kind of action that is open, one as likely as another, and any of its targets.

    `done` is drawn last: in each kind of action stopping weighs as much as one of the counters that could still take it
    (see choices/chance.py), and who has stopped in all of them is done. In a draft it stops as often as it goes on; a
    draft that the rules do not let it end it mostly takes back again. A window in which it has chosen very often it
    closes as soon as it may: some actions can be taken back and forth for ever. Where a duty keeps it open, the units
    that the duty is about act first.
    """

    drafting = False
    at: Any = None
    """The window in which it chose last."""
    chosen = 0
    """How often it has chosen in the window."""

    def __init__(self, seed: int, patience: int = PATIENCE) -> None:
        super().__init__(dice.seed(seed))
        self.patience = patience

    @leads_home
    def __call__(self, game: Game, decision: Decision) -> Choice:
        S = game.state
        window = (decision.name, decision.side, *S.phases, *sorted(S.turn_of_phase.items()))
        if window != self.at:
            self.at, self.chosen = window, 0
            self.opened()
        self.chosen += 1
        spaces = game.spaces(decision)
        words = [s for s in spaces if isinstance(s, WordSpace)]
        self.drafting = game.drafts(decision)
        choice = self._pick(decision, [s for s in spaces if not isinstance(s, WordSpace)], words)
        if choice is None:
            grounds = [ground for word in words for ground in word.refusals(()) if word.name == "done"]
            asked = [s for s in spaces if isinstance(s, AskSpace) and s.undecided]
            grounds += [Ground(case=s.info.case, label=UNDECIDED.format(s.name, s.undecided)) for s in asked]
            none = "finds" if asked else "has"
            why = f": {reasons_of(grounds)}" if reasons_of(grounds) else ""
            message = f"{decision.side} {none} nothing legal to do at {decision.name} (case {decision.case}){why}"
            raise Refusal(message, tuple(grounds))
        return choice

    def opened(self) -> None:
        """Another window is open than before."""

    def interrupt(self, game: Game, decision: Decision) -> Choice | None:
        """Now and then takes up a standing offer."""
        return None if self.below(6) else self._pick(decision, game.spaces(decision), [])

    def _pick(self, decision: Decision, ways: Sequence[Space], words: Sequence[WordSpace]) -> Choice | None:
        if self.drafting and words:
            choice = self._word(decision, words) if self.below(3 if words[0].refusals(()) else 2) else None
        elif self.chosen > self.patience:
            choice = self._word(decision, words) or self._dutiful(decision, ways)
        else:
            choice = (self._any(decision, ways, few=True) or self._word(decision, words)) if words else None
        return choice or self._any(decision, ways) or self._word(decision, words)

    def _word(self, decision: Decision, words: Sequence[WordSpace]) -> Choice | None:
        return next((Choice(decision.id, decision.side, w.name, ()) for w in words if not w.refusals(())), None)

    def _dutiful(self, decision: Decision, ways: Sequence[Space]) -> Choice | None:
        """A choice for a unit that an unmet duty is about."""
        actions = [space for space in ways if isinstance(space, ActionSpace)]
        among = concerned(actions[0].S) if actions else frozenset()
        for space in self.shuffle(actions) if among else ():
            args, self.rng = space.sample_among(self.rng, among)
            if args is not None:
                return Choice(decision.id, decision.side, space.name, args)
        return None

    def _any(self, decision: Decision, ways: Sequence[Space], few: bool = False) -> Choice | None:
        """A choice of any kind of action; with `few`, None also where it stops."""
        for space in self.shuffle(ways):
            choice = self._one(decision, space, few)
            if choice is not None:
                return choice
        return None

    def _one(self, decision: Decision, space: Space, few: bool) -> Choice | None:
        args, self.rng = space.sample(self.rng, few)
        return Choice(decision.id, decision.side, space.name, args) if args is not None else None


ENOUGH = 4
"""How often one counter takes the same kind of action in one window before that is useful no longer."""
AGAIN = 8


class BusyPlayer(RandomPlayer):
    """Is never done while something useful is open: any way to take an action, but for what one counter has done often.

    A window in which moves can be repeated for ever closes so all the same. In a draft it plays like the random one,
    which may take back what leads nowhere.
    """

    def __init__(self, seed: int, patience: int = PATIENCE) -> None:
        super().__init__(seed, patience)
        self.taken: Counter[tuple[str, Any]] = Counter()

    def opened(self) -> None:
        self.taken = Counter()

    def _pick(self, decision: Decision, ways: Sequence[Space], words: Sequence[WordSpace]) -> Choice | None:
        if not words or self.drafting:
            return super()._pick(decision, ways, words)
        choice = self._any(decision, ways) or self._word(decision, words)
        if choice is None:  # a duty keeps the window open
            choice = self._dutiful(decision, ways)
        if choice is None:
            self.taken.clear()
            choice = self._any(decision, ways)
        return choice

    def _one(self, decision: Decision, space: Space, few: bool) -> Choice | None:
        for _ in range(AGAIN):
            choice = super()._one(decision, space, few)
            if choice is None or not isinstance(space, ActionSpace):
                return choice
            done = (choice.name, choice.args[0][1] if choice.args else None)
            if self.taken[done] < ENOUGH:
                self.taken[done] += 1
                return choice
        return None


class ScriptedPlayer:
    """Gives its answers in order, as text."""

    def __init__(self, lines: Iterable[str]) -> None:
        self.lines = [x.strip() for x in lines if x.strip() and not x.lstrip().startswith("#")]

    def __call__(self, game: Game, decision: Decision) -> Choice:
        if not self.lines:
            raise Refusal(f"the script is at its end, and {decision.side} must decide {decision.name}")
        return game.read(self.lines.pop(0))


def play(game: Game, players: Mapping[str, Player], most: int = 1_000_000, watch: Watch | None = None) -> int:
    """Let the players answer until the game is over; returns how many choices were made."""
    made = 0
    while not game.over and made < most:
        decisions = game.decisions
        choice = out_of_turn(game, players, decisions)
        if choice is None:
            choice = players[decisions[0].side](game, decisions[0])
        game.do(choice)
        made += 1
        if watch is not None:
            watch(game, choice)
    return made


def out_of_turn(game: Game, players: Mapping[str, Player], decisions: list[Decision]) -> Choice | None:
    """What a player does on a standing offer, before the decision at hand is answered."""
    for decision in (d for d in decisions if d.sort == "standing"):
        interrupt = getattr(players[decision.side], "interrupt", None)
        choice: Choice | None = interrupt(game, decision) if interrupt is not None else None
        if choice is not None:
            return choice
    return None
