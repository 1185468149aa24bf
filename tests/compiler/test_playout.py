"""Playouts: the same choices and the same end as an ordinary game between the same players."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rulewright.compiler import load
from rulewright.runtime import RandomPlayer, dice
from rulewright.runtime.choices.chance import Shuffle, every
from rulewright.runtime.choices.spaces import ActionSpace
from rulewright.runtime.choices.ways import ways
from rulewright.runtime.game import Game
from rulewright.runtime.players import play
from rulewright.runtime.playout import MANY, Ahead, next_words, playout
from rulewright.runtime.problems import Fault

RIDGE = str(Path(__file__).parents[2] / "benchmarks" / "ridge.rules")
GAMES = [
    *((RIDGE, None, seed, 10_000) for seed in range(12)),
    *(("trc", "battle", seed, 10_000) for seed in range(3)),
    *(("fragment", None, seed, 400) for seed in range(2)),
    ("tdv", None, 1, 150),
]


def players(game: Game, seed: int) -> dict[str, RandomPlayer]:
    return {side: RandomPlayer(2 * seed + i) for i, side in enumerate(game.program.sides)}


def played(way: Any, game: Game, seed: int, most: int) -> tuple[Any, ...]:
    """All that a game comes to: its choices, where its players' sources stand, its state and its end."""
    seen: list[Any] = []
    sides = players(game, seed)
    made = way(game, sides, most, lambda _, choice: seen.append(choice.plain()))
    assert made == len(seen)
    return seen, [p.rng for p in sides.values()], game.state.plain(), game.digest(), game.winner


@pytest.mark.parametrize(("name", "scenario", "seed", "most"), GAMES)
def test_a_playout_is_the_same_game(name: str, scenario: str | None, seed: int, most: int) -> None:
    book = load(name)
    ordinary = played(play, book.new(scenario, seed), seed, most)
    quick = played(playout, book.new(scenario, seed), seed, most)
    assert len(ordinary[0]) > 10
    assert quick == ordinary


def test_a_playout_can_stop_anywhere_and_go_on_as_an_ordinary_game() -> None:
    book = load(RIDGE)
    whole = book.new(seed=5)
    sides = players(whole, 5)
    made = play(whole, sides)
    for most in range(1, made, 7):
        game = book.new(seed=5)
        mine = players(game, 5)
        assert playout(game, mine, most) == most
        assert not game.over
        assert play(game, mine) == made - most
        assert game.digest() == whole.digest()
        assert [p.rng for p in mine.values()] == [p.rng for p in sides.values()]


def test_windows_of_the_small_wargame_are_filled_in_place() -> None:
    """Otherwise the tests above would show nothing of them."""
    filled = []
    for seed in range(4):
        game = load(RIDGE).new(seed=seed)
        playout(game, players(game, seed), watch=lambda g, choice: filled.append((choice.name, len(g.state.pending))))
    assert {name for name, _ in filled} == {"move", "attack", "done"}
    assert all(pending == 0 for _, pending in filled)


def test_a_player_of_another_kind_is_asked_everything() -> None:
    class Eager(RandomPlayer):
        asked = 0

        def __call__(self, game: Game, decision: Any) -> Any:
            self.asked += 1
            return super().__call__(game, decision)

    game = load(RIDGE).new(seed=2)
    sides = {side: Eager(i) for i, side in enumerate(game.program.sides)}
    made = playout(game, sides)
    assert made == sum(p.asked for p in sides.values()) > 10


def test_one_player_for_both_sides_draws_from_one_source() -> None:
    games = []
    for way in (play, playout):
        game, one = load(RIDGE).new(seed=3), RandomPlayer(8)
        way(game, dict.fromkeys(game.program.sides, one))
        games.append((game.digest(), one.rng))
    assert games[0] == games[1]


def test_a_fault_leaves_the_game_as_one_that_can_be_played_on() -> None:
    game = load(RIDGE).new(seed=3)

    def stop(*_: Any) -> None:
        raise Fault("enough")

    with pytest.raises(Fault):
        playout(game, players(game, 3), watch=stop)
    assert game.state.log == []
    assert game.state.playout is None


# ---------------------------------------------------------------- the ways of an action


def positions(name: str, scenario: str | None, seed: int, most: int) -> Iterator[Game]:
    game = load(name).new(scenario, seed)
    sides = players(game, seed)
    for _ in range(most):
        if game.over:
            return
        yield game
        play(game, sides, 1)


@pytest.mark.parametrize(
    ("name", "scenario", "seed", "most"),
    [(RIDGE, None, 3, 40), ("trc", "battle", 4, 25), ("fragment", None, 1, 120), ("tdv", None, 2, 60)],
)
def test_generated_ways_are_those_of_the_tables(name: str, scenario: str | None, seed: int, most: int) -> None:
    """The function of each action against a walk over its domains and rules, listed and at random."""
    found = 0
    for game in positions(name, scenario, seed, most):
        S = game.state
        for action in game.program.actions.values():
            for side in game.program.sides:
                shut = bool(ActionSpace(S, action, side).closed())
                mine = [] if shut else some(ways(S, action, side, (), every))
                assert some(action.ways(S, side, every)) == mine, action.name
                one, other = Shuffle(seed), Shuffle(seed)
                picked = None if shut else next(ways(S, action, side, (), one.pick), None)
                assert next(action.ways(S, side, other.pick), None) == picked, action.name
                assert one.rng == other.rng
                found += len(mine)
    assert found > 100


def some(listed: Iterator[Any], most: int = 60) -> list[Any]:
    return [x for x, _ in zip(listed, range(most), strict=False)]


# ---------------------------------------------------------------- words ahead


@pytest.mark.parametrize("size", [0, 1, 2, 3, 5, 23, MANY, MANY + 1, 3 * MANY + 7])
def test_a_shuffle_ahead_is_a_shuffle(size: int) -> None:
    ahead, plain = Ahead(RandomPlayer(size)), Shuffle(dice.seed(size))
    for _ in range(40):
        order = list(plain.shuffle(range(size)))
        assert list(ahead.shuffle(range(size))) == order and sorted(order) == list(range(size))
        assert ahead.rng == plain.rng
        assert ahead.below(size + 1) == plain.below(size + 1)


def test_a_shuffle_draws_only_what_is_looked_at() -> None:
    plain = Shuffle(dice.seed(4))
    before = plain.rng
    members = plain.shuffle(range(1_000))
    seen = [next(members) for _ in range(3)]
    assert len(set(seen)) == 3
    assert plain.rng == before + 3 * dice.STEP & dice.MASK


def test_a_word_that_is_drawn_again_is_drawn_again_ahead() -> None:
    """The source before its highest word: of three, that word is not fair and must not count."""
    state = unmixed(2**64 - 1) - dice.STEP & dice.MASK
    assert dice.draw(state, 3)[1] == state + 2 * dice.STEP & dice.MASK
    for before in range(5):
        player = RandomPlayer(0)
        player.rng = state - before * dice.STEP & dice.MASK
        ahead, plain = Ahead(player), Shuffle(player.rng)
        assert list(ahead.shuffle("abcdefgh")) == list(plain.shuffle("abcdefgh"))
        assert ahead.rng == plain.rng
    assert next_words(state, 4) == ()


def unmixed(word: int) -> int:
    """The state whose word this is."""

    def back(x: int, shift: int) -> int:
        found = x
        for _ in range(64 // shift + 1):
            found = x ^ found >> shift
        return found

    word = back(word, 31) * pow(dice.TWICE, -1, 2**64) & dice.MASK
    word = back(word, 27) * pow(dice.ONCE, -1, 2**64) & dice.MASK
    return back(word, 30)
