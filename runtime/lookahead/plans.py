"""What is worth trying at a decision: plans, each a row of choices that a side may make before anything is shown.

In:  a position as a side sees it, its decision, and a seed.
Out: plans, all of them different; the first choice of each is lawful now, each later one after those before it.

Every answer to a question is a plan of its own where they are few, else some that are drawn fairly. In a window a plan
is all that the side does until it is done, or until a die is rolled or somebody else decides: a single move among a
hundred changes little, and what it changes drowns in the luck of the dice, but one whole set of moves is clearly better
than another. Half of the plans are drawn by the fair random player and half by the busy one; to be done at once is
always one of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from ..dice import new_dice
from ..game import Decision, Game
from ..kept.fork import fork
from ..players import BusyPlayer, RandomPlayer
from ..problems import NONSENSE, Fault, Refusal
from ..state import State
from ..text import Choice

Plan = tuple[Choice, ...]
LONGEST = 60
"""So many choices are planned ahead at most."""
IN_VAIN = 3
"""So many times the wanted number are drawn before it is taken that there are no more."""


def only_answer(game: Game, decision: Decision) -> Choice | None:
    """The one lawful way to answer a decision; None where there are more, or none that the listing finds."""
    found = list(islice(answers(game, decision), 2))
    return found[0] if len(found) == 1 else None


def answers(game: Game, decision: Decision) -> Iterator[Choice]:
    for space in game.spaces(decision):
        for args in space.listing():
            yield Choice(decision.id, decision.side, space.name, args)


def plans(S: State, decision: Decision, seed: int, most: int) -> list[Plan]:
    """At most so many plans."""
    game = Game(S.program, fork(S))
    found: dict[Plan, None] = {}
    if decision.sort != "offer":
        known = list(islice(answers(game, decision), most + 1))
        if len(known) <= most:
            return [(choice,) for choice in known]
    else:
        for space in game.spaces(decision):
            if space.name == "done" and not space.refusals(()):
                found[(Choice(decision.id, decision.side, "done", ()),)] = None
    for i in range(IN_VAIN * most):
        if len(found) >= most:
            break
        player = (BusyPlayer if i % 2 else RandomPlayer)(seed + i)
        plan = drawn(S, decision, player, seed + i)
        if plan:
            found[plan] = None
    return list(found)


def drawn(S: State, decision: Decision, player: RandomPlayer, seed: int) -> Plan:
    """What a player does from a decision on until something is shown or somebody else decides."""
    game, plan = Game(S.program, at_the_table(S, seed)), list[Choice]()
    try:
        at = decision
        while True:
            plan.append(player(game, at))
            if decision.sort != "offer" or len(plan) >= LONGEST:
                break
            game.playout(plan[-1])
            if game.over or game.state.revealed != S.revealed:
                break
            at = game.pending[0]
            if at.side != decision.side:
                break
    except (Fault, Refusal, *NONSENSE):
        pass
    return tuple(plan)


def at_the_table(S: State, seed: int) -> State:
    """A copy of a position to try things on, with dice of its own: those of the game are nobody's to know."""
    made = fork(S)
    made.dice, made.log = new_dice(seed), None
    return made
