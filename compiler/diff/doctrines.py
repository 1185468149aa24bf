"""What two doctrines of a book choose differently: a sample of positions, each with what both would do.

In:  the same rules under two doctrines, a scenario and seeds.
Out: in how many positions of those games they differ, by kind of choice, and the positions themselves: seed, number of
     the choice, both choices with the cases that chose.
Reports: `Refusal` where the two play no side in common.

The games are played by the first doctrine against the random player. In each of its decisions the second is asked too,
with the same random source and the same memory of the window; where one takes what the other holds to be as good, they
do not differ. It is a sample: what does not show in it may still differ.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from rulewright.runtime.doctrine.player import DoctrinePlayer, Thought
from rulewright.runtime.game import Decision, Game
from rulewright.runtime.players import RandomPlayer
from rulewright.runtime.problems import Refusal
from rulewright.runtime.program import Program

from ..loader import Loaded

MOST = 400
"""So many decisions a game are compared."""


@dataclass(frozen=True, slots=True)
class Otherwise:
    """One position in which two doctrines differ: both choices as text, and the cases that chose."""

    seed: int
    made: int
    side: str
    phases: tuple[str, ...]
    choices: tuple[str, str]
    cases: tuple[str, str]


@dataclass(slots=True)
class Sample:
    """What was compared, and where they differed."""

    names: tuple[str, str]
    scenario: str
    games: int = 0
    asked: int = 0
    differ: list[Otherwise] = field(default_factory=list)
    by_name: Counter[str] = field(default_factory=Counter)

    def data(self) -> dict[str, Any]:
        return {
            "doctrines": list(self.names),
            "scenario": self.scenario,
            "games": self.games,
            "positions": self.asked,
            "differ": [
                {"seed": x.seed, "choice": x.made, "side": x.side, "phases": list(x.phases), "choices": list(x.choices),
                 "cases": list(x.cases)}
                for x in self.differ
            ],
        }  # fmt: skip

    def lines(self, most: int = 10) -> list[str]:
        """The sample for a reader."""
        first, second = self.names
        head = f"{first} and {second} choose differently in {len(self.differ)} of {self.asked} positions"
        found = [f"{head} ({self.games} games of {self.scenario}, played by {first} against random)"]
        found += [f"  {name}: {n}" for name, n in sorted(self.by_name.items(), key=lambda x: (-x[1], x[0]))]
        for x in self.differ[:most]:
            found.append(f"seed {x.seed}, after {x.made} choices, {' › '.join(x.phases)}")
            rows = zip(self.names, x.choices, x.cases, strict=True)
            found += [f"  {name}: {text}  [{case}]" for name, text, case in rows]
        if len(self.differ) > most:
            found.append(f"… and {len(self.differ) - most} positions more")
        return found


def compare(book: Loaded, first: Program, second: Program, scenario: str | None, seeds: Iterable[int]) -> Sample:
    """Ask both doctrines in the positions that the first one comes to."""
    assert first.doctrine is not None and second.doctrine is not None
    sides = [side for side in first.doctrine.sides if side in second.doctrine.sides]
    if not sides:
        raise Refusal(f"{first.name} and {second.name} play no side in common")
    names = (first.name.partition("+")[2], second.name.partition("+")[2])
    found = Sample(names, scenario or next(iter(first.scenarios)))
    for seed in seeds:
        game = book.new(scenario, seed)
        found.games += 1
        one, two, other = DoctrinePlayer(first, seed), DoctrinePlayer(second, seed), RandomPlayer(seed)
        asked = 0
        while not game.over and asked < MOST:
            decision = game.decisions[0]
            if decision.side not in sides:
                game.do(other(game, decision))
                continue
            asked += 1
            found.asked += 1
            game.do(ask_both(game, decision, seed, one, two, found))
    return found


def ask_both(game: Game, decision: Decision, seed: int, one: DoctrinePlayer, two: DoctrinePlayer, found: Sample) -> Any:
    """The choice of the first; where the second would choose otherwise, that is noted down."""
    two.rng, two.window, two.taken = one.rng, one.window, one.taken.copy()
    choice, other = one(game, decision), two(game, decision)
    if choice != other and not (as_good(one.last, other) or as_good(two.last, choice)):
        found.by_name[choice.name] += 1
        thoughts = (one.last, two.last)
        cases = tuple(t.chosen.case if t is not None and t.chosen is not None else "no case" for t in thoughts)
        shown = (game.show(choice), game.show(other))
        phases = tuple(game.state.phases)
        made = len(game.journal)
        found.differ.append(Otherwise(seed, made, choice.side, phases, shown, (cases[0], cases[1])))
    return choice


def as_good(thought: Thought | None, other: Any) -> bool:
    """Whether a choice is as good as the best one of a thought."""
    if thought is None or thought.chosen is None or thought.choice.name != other.name:
        return False
    return tuple(value for _, value in other.args) in thought.tried[-1].best.tied
