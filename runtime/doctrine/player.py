"""The player of a doctrine.

In:  a program with a doctrine, a seed, a level; a game and a decision.
Out: a choice, and the thought behind it.

The cases are tried in order. The first that has a way which passes its conditions, and none of which `avoid` holds,
chooses the best of its ways; what is equally good is drawn by seed. Where no case has one, the side is done, or does
whatever is legal. What a counter has done often in one window it does no more, so that a window closes.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ..choices.questions import AskSpace
from ..choices.ranked import Best, Ranked, Test, Wanted, ranked_answers
from ..choices.spaces import ActionSpace, Space, WordSpace
from ..game import Decision, Game
from ..players import RandomPlayer
from ..problems import Fault, Refusal, rested
from ..program import Asked, DoctrineInfo, PreferenceInfo, Program
from ..state import State
from ..text import Args, Choice
from .ahead import expected
from .mind import Mind

OFTEN = 3
"""How often one counter takes the same kind of action in one window."""
LEVELS = ("easy", "normal", "hard")
AHEAD = 4
"""At the level `hard`, so many of the best ways are followed over their dice."""
STILL = 2
"""So often an action is walked that has rolled no dice yet."""
KEPT = 60
"""So many thoughts are remembered."""
SLIPS = 4
"""At the level `easy`, one choice in so many is that of the random player."""
Values = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Tried:
    """One case that was tried: what it found, and what stood against other ways and how often."""

    preference: PreferenceInfo
    best: Best
    against: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Thought:
    """How a choice came about: the position as it was seen, the cases in order, and the one that chose.

    `made` is how many choices the game had seen before; `frame` holds the names in reach of a question.
    """

    decision: Decision
    choice: Choice
    tried: tuple[Tried, ...]
    chosen: PreferenceInfo | None
    seen: dict[str, Any]
    said: str = ""
    made: int = 0
    frame: tuple[Any, ...] = ()


class DoctrinePlayer(RandomPlayer):
    """Follows a doctrine; `last` is the thought behind its last choice."""

    def __init__(self, program: Program, seed: int, level: str = "normal") -> None:
        super().__init__(seed)
        if program.doctrine is None:
            raise Refusal(f"{program.name} has no doctrine")
        if level not in LEVELS:
            raise Refusal(f'"{level}" is no level: {", ".join(LEVELS)}')
        self.program, self.level = program, level
        self.doctrine: DoctrineInfo = program.doctrine
        self.mind = Mind(program)
        self.window: Any = None
        self.taken: Counter[tuple[str, Any]] = Counter()
        self.thoughts: deque[Thought] = deque(maxlen=KEPT)
        self.passed: tuple[Tried, ...] = ()
        self.still: Counter[str] = Counter()

    @property
    def last(self) -> Thought | None:
        """The thought behind the last choice."""
        return self.thoughts[-1] if self.thoughts else None

    # ------------------------------------------------------------ choosing

    def __call__(self, game: Game, decision: Decision) -> Choice:
        if self.level == "easy" and not self.below(SLIPS):
            choice = super().__call__(game, decision)
            said = "at this level some choices are not thought over"
            self.thoughts.append(Thought(decision, choice, (), None, {}, said, len(game.journal)))
            return choice
        thought = self.think(game, decision)
        if thought is None:
            thought = self.rest(game, decision)
        self.note(thought)
        return thought.choice

    def interrupt(self, game: Game, decision: Decision) -> Choice | None:
        """A standing offer is taken up where a case says so."""
        thought = self.think(game, decision) if self.answers(decision.name) else None
        if thought is None:
            return None
        self.note(thought)
        return thought.choice

    def answers(self, name: str) -> bool:
        return any(p.target == name and p.sort == "prefer" for p in self.doctrine.preferences)

    def note(self, thought: Thought) -> None:
        self.thoughts.append(thought)
        choice = thought.choice
        if choice.args:
            self.taken[choice.name, choice.args[0][1]] += 1

    def think(self, game: Game, decision: Decision) -> Thought | None:
        """What the first case says that has something to say; None where none has."""
        S = self.mind.see(game, decision.side)
        self.begin(S, decision)
        spaces = self.spaces(S, decision)
        tried: list[Tried] = []
        for preference in self.doctrine.preferences:
            space = spaces.get(preference.target)
            if preference.sort != "prefer" or space is None or not fits(S, preference, space):
                continue
            best, against = self.search(S, space, preference)
            tried.append(Tried(preference, best, against))
            choice = self.best_of(game, decision, space, best)
            if choice is not None:
                frame = frame_of(space, preference)
                return Thought(decision, choice, tuple(tried), preference, S.plain(), "", len(game.journal), frame)
        self.passed = tuple(tried)
        return None

    def begin(self, S: State, decision: Decision) -> None:
        """Count anew what has been done, in a new window."""
        window = (decision.name, decision.side, *S.phases, *sorted(S.turn_of_phase.items()))
        if window != self.window and decision.sort == "offer":
            self.window, self.taken = window, Counter()

    def spaces(self, S: State, decision: Decision) -> dict[str, Space]:
        """The ways to answer a decision, as the doctrine sees them."""
        seen = Game(self.program, S)
        try:
            return {space.name: space for space in seen.spaces(decision)}
        except (Fault, Refusal):
            return {}

    def best_of(self, game: Game, decision: Decision, space: Space, best: Best) -> Choice | None:
        """The best way that is legal in the game itself; of equally good ones any."""
        order = [*self.shuffle(best.tied), *(values for _, values in best.found if values not in best.tied)]
        if self.level == "hard" and len(order) > 1 and isinstance(space, ActionSpace):
            different = sorted(best.each.values(), key=lambda x: x[0], reverse=True)
            order = self.looked_ahead(decision, space, list(dict.fromkeys([*(v for _, v in different), *order])))
        for values in order:
            choice = Choice(decision.id, decision.side, space.name, named(space, values))
            if not game.refusals(choice):
                return choice
        return None

    def looked_ahead(self, decision: Decision, space: ActionSpace, order: list[Values]) -> list[Values]:
        """The best ways by what they lead to on average, where their dice can be reckoned with; else as they stand.

        An action that has not rolled dice so far is not walked again.
        """
        judge, S = self.doctrine.judge, self.mind.state
        if judge is None or S is None or self.still[space.name] >= STILL:
            return order
        inner = DoctrinePlayer(self.program, 0)
        prospects: list[Fraction] = []
        rolling = False
        for values in order[:AHEAD]:
            choice = Choice(decision.id, decision.side, space.name, named(space, values))
            found = expected(S, choice, inner, lambda after: judge(after, decision.side))
            if found is None:
                return order
            prospects.append(found[0])
            rolling = rolling or found[1]
        if not rolling:
            self.still[space.name] += 1
            return order
        self.still[space.name] = -1_000_000
        at = max(range(len(prospects)), key=lambda i: (prospects[i], -i))
        return [order[at], *(values for i, values in enumerate(order) if i != at)]

    def rest(self, game: Game, decision: Decision) -> Thought:
        """What is done where no case applies."""
        tried, seen = self.passed, self.mind.state.plain() if self.mind.state is not None else {}
        words = [s for s in game.spaces(decision) if isinstance(s, WordSpace) and s.name == "done"]
        for word in words if self.doctrine.otherwise == "done" else ():
            if not word.refusals(()):
                choice = Choice(decision.id, decision.side, "done", ())
                said = "no case applies, so the side is done"
                return Thought(decision, choice, tried, None, seen, said, len(game.journal))
        said = "no case applies, and something must be chosen: drawn from all that is legal"
        return Thought(decision, super().__call__(game, decision), tried, None, seen, said, len(game.journal))

    # ------------------------------------------------------------ searching

    def search(self, S: State, space: Space, preference: PreferenceInfo) -> tuple[Best, tuple[tuple[str, int], ...]]:
        """The best ways by one case, and what shut others out."""
        wanted = self.wanted(S, space, preference)
        if isinstance(space, ActionSpace):
            best = Ranked(S, space.info, space.actor, wanted).run()
        else:
            assert isinstance(space, AskSpace)
            best = ranked_answers(space, wanted)
        return best, tuple((t.told, t.failed) for tests in (*wanted.tests, wanted.late) for t in tests if t.failed)

    def wanted(self, S: State, space: Space, preference: PreferenceInfo) -> Wanted:
        """The tests, ranking and orders of a case, as functions of the values that are picked."""
        action = isinstance(space, ActionSpace)
        levels = len(space.info.params) if isinstance(space, ActionSpace) else 1
        actor = space.actor if isinstance(space, ActionSpace) else side_of(S, space)
        tests: list[list[Test]] = [[] for _ in range(levels + 1)]
        late: list[Test] = []
        frame = frame_of(space, preference)
        for asked in preference.tests:
            tests[asked.level].append(Test(asked.text, holds(S, asked, actor, frame)))
        for other in self.doctrine.preferences:
            if other.sort == "avoid" and other.target == space.name and fits(S, other, space):
                text = f"avoid {other.target} when {' and '.join(a.text for a in other.tests)} (case {other.case})"
                spare = spared(S, other, actor, frame_of(space, other))
                level = max((a.level for a in other.tests), default=0)
                (late if action and level == levels > 1 else tests[level]).append(Test(text, spare))
        if action:
            tests[min(1, levels)].append(Test("it has done so often enough in this window", self.fresh(space.name)))
        rank = value_of(S, preference.by, actor, frame) if preference.by is not None else None
        orders = {at: order_of(S, asked, actor, frame) for at, asked in preference.each}
        return Wanted(tests, rank, orders, late)

    def fresh(self, name: str) -> Callable[[Values], bool]:
        """Whether a counter has not done this too often."""
        return lambda values: not values or self.taken[name, values[0]] < OFTEN


def fits(S: State, preference: PreferenceInfo, space: Space) -> bool:
    """Whether a case is about this decision."""
    if isinstance(space, AskSpace):
        return bool(preference.asks) and any(S.program.asks[i] is space.info for i in preference.asks)
    return isinstance(space, ActionSpace) and not preference.asks


def frame_of(space: Space, preference: PreferenceInfo) -> Values:
    """The names of the asking procedure that a case looks at."""
    return tuple(space.local.get(name) for name in preference.frame) if isinstance(space, AskSpace) else ()


def side_of(S: State, space: Space) -> str:
    """Who is asked."""
    assert isinstance(space, AskSpace)
    return str(space.info.side(S, space.local))


def named(space: Space, values: Sequence[Any]) -> Args:
    if isinstance(space, ActionSpace):
        return space.named(tuple(values))
    return (("", values[0]),)


# ---------------------------------------------------------------- what a case asks


def holds(S: State, asked: Asked, actor: str, frame: Values) -> Callable[[Values], bool]:
    fn, level = asked.ask, asked.level

    def test(values: Values) -> bool:
        rested(S)
        return bool(fn(S, actor, *values[:level], *frame))

    return test


def spared(S: State, avoided: PreferenceInfo, actor: str, frame: Values) -> Callable[[Values], bool]:
    """Whether what a case avoids does not hold."""
    tests = [holds(S, asked, actor, frame) for asked in avoided.tests]
    return lambda values: not all(test(values) for test in tests)


def value_of(S: State, asked: Asked, actor: str, frame: Values) -> Callable[[Values], Any]:
    fn, level = asked.ask, asked.level

    def rank(values: Values) -> Any:
        rested(S)
        return fn(S, actor, *values[:level], *frame)

    return rank


def order_of(S: State, asked: Asked, actor: str, frame: Values) -> Callable[[Values, Any], Any]:
    fn, level = asked.ask, asked.level

    def order(values: Values, one: Any) -> Any:
        rested(S)
        return fn(S, actor, *values[: level - 1], one, *frame)

    return order
