"""The player that looks ahead: it tries what it may do by games played out by the fair random player on both sides.

In:  a game and a decision; a seed, and a level that says how much is tried.
Out: a choice, and the trial behind it.

It knows the rules and what its side may know of the position, and nothing else: where a rule set keeps secrets it
tries on the blinded position of view.py, and always with dice of its own. What is tried is bounded by counted choices
and by no clock, so that a seed gives one game everywhere. All plans are tried by the same number of games; then the
better half by more games, until few are left (sequential halving). The k-th game of every plan has the same seed, so
that luck tells less between them.

A plan that was chosen is followed as long as nothing is shown and nobody else decides. What has but one lawful answer
is not tried.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import ceil, log2

from ..game import Decision, Game
from ..kept.fork import fork
from ..players import RandomPlayer
from ..playout import playout
from ..problems import NONSENSE, Fault, Refusal
from ..program import Program
from ..state import State
from ..telling.secrecy import keeps_secrets
from ..text import Choice
from ..view import blinded
from .plans import Plan, at_the_table, only_answer, plans
from .worth import Spread, Worth, worth

LEVELS = {"easy": (6, 500), "normal": (12, 3_000), "hard": (24, 12_000)}
"""By level, how many plans are tried at most, and how many choices are made in all the games of one decision."""
EACH = 6
"""So many games a plan should have in the mean: where games are long, fewer plans are tried."""
FEWEST = 4
KEPT = 60
"""So many trials are remembered."""
BARE = 1
"""What a game counts for besides its choices."""


@dataclass(frozen=True, slots=True)
class Tried:
    """A plan with the games that tried it."""

    plan: Plan
    score: float
    found: tuple[Worth, ...]


@dataclass(frozen=True, slots=True)
class Trial:
    """How a choice came about: the plans from the best to the worst, and how many choices were made to try them.

    `step` is the place of the choice in the plan that is followed; `made` is how many choices the game had seen before.
    """

    decision: Decision
    choice: Choice
    tried: tuple[Tried, ...] = ()
    work: int = 0
    step: int = 0
    said: str = ""
    made: int = 0


class LookaheadPlayer(RandomPlayer):
    """Tries plans; `last` is the trial behind its last choice."""

    def __init__(self, seed: int, level: str = "normal") -> None:
        super().__init__(seed)
        self.most, self.budget = LEVELS[level]
        self.program: Program | None = None
        self.plan: tuple[Trial, Plan] | None = None
        self.thoughts: deque[Trial] = deque(maxlen=KEPT)
        self.considered: tuple[object, ...] = ()

    @property
    def last(self) -> Trial | None:
        return self.thoughts[-1] if self.thoughts else None

    # ------------------------------------------------------------ choosing

    def __call__(self, game: Game, decision: Decision) -> Choice:
        self.program = game.program
        trial = self.planned(game, decision)
        if trial is None:
            trial = self.tried(game, decision)
        self.thoughts.append(replace(trial, made=len(game.journal)))
        return trial.choice

    def planned(self, game: Game, decision: Decision) -> Trial | None:
        """The next choice of the plan that is followed, while it can be."""
        if self.plan is None:
            return None
        trial, left = self.plan
        self.plan = None
        if not left or left[0].side != decision.side:
            return None
        choice = replace(left[0], decision=decision.id)
        try:
            if game.refusals(choice):
                return None
        except (Fault, *NONSENSE):
            return None
        step = replace(trial, choice=choice, decision=decision, step=trial.step + 1)
        self.plan = (step, left[1:])
        return step

    def tried(self, game: Game, decision: Decision) -> Trial:
        """The choice that stands its trial best."""
        S = seen(game, decision.side)
        try:
            only = only_answer(Game(S.program, S), decision)
        except (Fault, *NONSENSE):
            only = None
        if only is not None and not game.refusals(only):
            return Trial(decision, only, said="there is but one lawful answer")
        seed, scenario = self.below(1 << 40), game.journal.header.scenario
        options = plans(S, decision, seed, self.affordable(S, decision.side, scenario, seed))
        found, work = self.halve(S, decision.side, options, scenario, seed)
        for one in found:
            choice = one.plan[0]
            if not game.refusals(choice):
                trial = Trial(decision, choice, tuple(found), work)
                self.plan = (trial, one.plan[1:])
                return trial
        said = "no game that was tried came to anything, so it is drawn from all that is legal"
        return Trial(decision, super().__call__(game, decision), said=said, work=work)

    def interrupt(self, game: Game, decision: Decision) -> Choice | None:
        """A standing offer is thought about once in every window, against letting it pass."""
        S = game.state
        now = (decision.name, *S.phases, *sorted(S.turn_of_phase.items()), *(x["case"] for x in S.pending))
        if now == self.considered:
            return None
        self.considered = now
        position = seen(game, decision.side)
        seed = self.below(1 << 40)
        try:
            options = [(), *plans(position, decision, seed, 4)]
        except (Fault, Refusal, *NONSENSE):
            return None
        found, work = self.halve(position, decision.side, options, game.journal.header.scenario, seed)
        if not found or not found[0].plan or game.refusals(found[0].plan[0]):
            return None
        choice = found[0].plan[0]
        self.plan = None
        self.thoughts.append(Trial(decision, choice, tuple(found), work, made=len(game.journal)))
        return choice

    # ------------------------------------------------------------ trying

    def affordable(self, S: State, side: str, scenario: str, seed: int) -> int:
        """How many plans can be tried, by the length of one game from here."""
        _, made = self.one_game(S, side, (), scenario, seed, self.budget // (2 * FEWEST))
        return max(FEWEST, min(self.most, self.budget // (EACH * max(1, made))))

    def halve(self, S: State, side: str, options: Sequence[Plan], scenario: str, seed: int) -> tuple[list[Tried], int]:
        """The plans from the best to the worst, and the work of trying them; one that no game can try is left out."""
        if not options:
            return [], 0
        results: dict[int, list[Worth]] = {i: [] for i in range(len(options))}
        alive, work, games = list(results), 0, 0
        rounds = max(1, ceil(log2(len(options))))
        longest = max(40, self.budget // (2 * len(options)))
        order: list[tuple[float, int]] = []
        for r in range(rounds):
            until = self.budget * (r + 1) // rounds
            while work < until and alive:
                for i in list(alive):
                    one, made = self.one_game(S, side, options[i], scenario, seed + games, longest)
                    work += made + BARE
                    if one is None:
                        alive.remove(i)
                        del results[i]
                    else:
                        results[i].append(one)
                games += 1
            spread = Spread.of([x for i in results for x in results[i]])
            order = sorted((-spread.score(results[i]), i) for i in alive)
            alive = [i for _, i in order[: max(2, (len(order) + 1) // 2)]]
        spread = Spread.of([x for i in results for x in results[i]])
        ranked = sorted(results, key=lambda i: (-len(results[i]), -spread.score(results[i]), i))
        return [Tried(options[i], spread.score(results[i]), tuple(results[i])) for i in ranked], work

    def one_game(
        self, S: State, side: str, plan: Plan, scenario: str, seed: int, longest: int
    ) -> tuple[Worth | None, int]:
        """A plan carried out and played on at random: what it comes to, and how many choices were made."""
        game = Game(S.program, at_the_table(S, seed))
        players = {x: RandomPlayer(seed * len(S.program.sides) + i) for i, x in enumerate(S.program.sides)}
        try:
            for choice in plan:
                game.playout(choice)
            made = len(plan) + playout(game, players, longest)
            return worth(game, side, scenario), made
        except (Fault, Refusal, *NONSENSE):
            return None, len(plan)


def seen(game: Game, side: str) -> State:
    """The position as a side may know it."""
    return blinded(game, side).state if keeps_secrets(game.program) else fork(game.state)
