"""A fork shares what it can with the state that it is of: neither may ever see what the other does."""

from itertools import islice
from pathlib import Path

import pytest

from rulewright.compiler import load
from rulewright.runtime import RandomPlayer
from rulewright.runtime.game import Game
from rulewright.runtime.kept.fork import fork
from rulewright.runtime.ops import put
from rulewright.runtime.players import play
from rulewright.runtime.state import State

CAUSEWAY = str(Path(__file__).parents[1] / "books" / "causeway.rules")


def ways(state: State) -> list[object]:
    return [*islice(Game(state.program, state).legal(), 150)]


def step(state: State, player: RandomPlayer) -> State:
    """One choice carried out; taking back in a draft gives another state."""
    game = Game(state.program, state)
    if not game.over:
        game.playout(player(game, game.decisions[0]))
        game.state.log = []
    return game.state


@pytest.mark.parametrize(
    ("book", "scenario", "begun", "rounds"),
    [(CAUSEWAY, "crossing", 6, 40), ("trc", "battle", 20, 16), ("tdv", "smolensk", 25, 6), ("fite", "niemen", 15, 6)],
)
def test_forks_of_forks_that_go_their_own_ways_each_play_as_if_alone(book, scenario, begun, rounds) -> None:
    loaded = load(book)
    game = loaded.new(scenario, seed=3)
    play(game, {side: RandomPlayer(i) for i, side in enumerate(loaded.program.sides)}, begun)
    states, players, compared = [game.state], [RandomPlayer(100)], 0
    for turn in range(rounds):
        if turn % 3 == 0 and len(states) < 4:
            states.append(fork(states[turn % len(states)]))
            players.append(RandomPlayer(200 + turn))
        for i, player in enumerate(players):
            states[i] = step(states[i], player)
        for state in states:
            alone = State.from_plain(state.program, state.plain())
            found = ways(state)
            assert found == ways(alone)
            assert state.here == alone.here
            compared += len(found)
    assert len({state.digest() for state in states}) > 1
    assert compared > 100


@pytest.mark.parametrize(("book", "scenario", "begun"), [("trc", "battle", 20), ("tdv", "smolensk", 25)])
def test_a_fork_whose_units_move_before_anything_is_asked_asks_anew(book, scenario, begun) -> None:
    loaded = load(book)
    game = loaded.new(scenario, seed=3)
    play(game, {side: RandomPlayer(i) for i, side in enumerate(loaded.program.sides)}, begun)
    state = game.state
    before, different = ways(state), 0
    side = state.unit_side[before[0].args[0][1]]
    paths = [way for choice in before for _, way in choice.args if isinstance(way, tuple)]
    ends = sorted({way[-1] for way in paths})
    for unit in units_of(state, side)[:12]:
        for place in ends[:3]:
            made = fork(fork(state))
            put(made, unit, place, "")
            found = ways(made)
            assert found == ways(State.from_plain(made.program, made.plain()))
            different += found != before
    assert different > 10
    assert ways(state) == before


def units_of(state: State, side: str) -> list[int]:
    """The units on the map of all other sides."""
    return [u for u, place in enumerate(state.at) if place in state.ground and state.unit_side[u] != side]


def test_what_one_fork_finds_out_the_others_need_not() -> None:
    """Answers that neither has made void are found once for all forks of a state."""
    loaded = load("trc")
    state = loaded.new("battle", seed=1).state
    state.forget()
    one, other = fork(state), fork(state)
    assert not any(other.memo)
    ways(one)
    shared = [i for i, answers in enumerate(other.memo) if answers and answers is one.memo[i]]
    assert len(shared) > 2
