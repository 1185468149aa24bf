"""Players that need no person: which kinds of action they take, and when they are done."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from rulewright.compiler import load
from rulewright.compiler.loader import Loaded
from rulewright.runtime import BusyPlayer, Choice, RandomPlayer, Refusal
from rulewright.runtime.automatic import seat
from rulewright.runtime.choices.spaces import WordSpace
from rulewright.runtime.files.past import RECENT
from rulewright.runtime.players import play

YARD = """book yard "A yard"

case 1 "Pieces":
  kind side: red, blue
  mark spent of unit: flag
  mark waved of unit: flag
  map field:
    grid: rows A..B, columns from the east
    hexes: A1..A3, B1..B3
  roster all:
    form: side
    red: One @A1, Two @A1, Three @A1, Four @A1
    blue: Other @B3

case 2 "Turns":
  sequence main:
    phase work:
      offer red{sort}: {actions}
    win blue
  scenario war "War":
    sequence: main

case 3 "Work":
  action use(u: unit from units(red) where not it.spent) by red during work:
    set u.spent
  action wave(u: unit from units(red) where not it.waved and {waves}) by red during work:
    set u.waved
  action pace(u: unit from units(red), h: hex from neighbors(u.hex)) by red during work:
    put u in h
  action bow() by red during work:
    set "One".waved
"""


@pytest.fixture
def yard(tmp_path: Path) -> Any:
    def made(actions: str, waves: str = "true", sort: str = "") -> Loaded:
        path = tmp_path / "yard.rules"
        path.write_text(YARD.format(actions=actions, waves=waves, sort=sort))
        return load(str(path))

    return made


def first_choices(book: Loaded, kind: type[RandomPlayer], games: int) -> Counter[str]:
    found: Counter[str] = Counter()
    for seed in range(games):
        game = book.new(seed=seed)
        found[kind(seed)(game, game.decisions[0]).name] += 1
    return found


def test_done_weighs_as_much_as_one_counter_that_can_act(yard: Any) -> None:
    """Four can act: one game in five ends at once, whatever else the list holds."""
    found = first_choices(yard("use"), RandomPlayer, 2_000)
    assert 340 <= found["done"] <= 460
    found = first_choices(yard("wave", 'it = "One"'), RandomPlayer, 2_000)
    assert 930 <= found["done"] <= 1_070, "one can act: stopping is as likely"
    found = first_choices(yard("bow"), RandomPlayer, 2_000)
    assert 930 <= found["done"] <= 1_070, "an action that takes nothing weighs as one"


def test_every_open_kind_is_as_likely_and_done_is_drawn_last(yard: Any) -> None:
    found = first_choices(yard("use, wave"), RandomPlayer, 4_000)
    assert 110 <= found["done"] <= 215, "stopping in both kinds: one game in 25"
    assert abs(found["use"] - found["wave"]) < 250
    found = first_choices(yard("use, wave", "false"), RandomPlayer, 2_000)
    assert 340 <= found["done"] <= 460, "a kind that is shut neither adds nor takes away"


def test_on_average_half_of_what_is_open_is_done(yard: Any) -> None:
    book = yard("use")
    made = []
    for seed in range(600):
        game = book.new(seed=seed)
        made.append(play(game, seat(["random"], book.program.sides, seed)) - 1)
    assert set(made) == {0, 1, 2, 3, 4}
    assert 1.8 < sum(made) / len(made) < 2.2


def test_a_busy_player_is_done_when_nothing_useful_is_open(yard: Any) -> None:
    book = yard("use, wave, bow")
    for seed in range(20):
        game = book.new(seed=seed)
        player = BusyPlayer(seed)
        while not game.over:
            decision = game.decisions[0]
            choice = player(game, decision)
            if choice.name == "done":
                ways = [s for s in game.spaces(decision) if not isinstance(s, WordSpace) and s.name != "bow"]
                assert not [args for s in ways for args in s.listing()]
            game.do(choice)


def test_a_busy_player_does_not_pace_for_ever(yard: Any) -> None:
    book = yard("pace, use")
    game = book.new(seed=1)
    made = play(game, {"red": BusyPlayer(1), "blue": BusyPlayer(2)}, 500)
    assert game.over and 4 * 4 <= made <= 4 * 4 + 4 + 1


def test_in_a_draft_both_stop_as_often_as_they_go_on(yard: Any) -> None:
    book = yard("pace, use", sort=" draft")
    for kind in (RandomPlayer, BusyPlayer):
        found = first_choices(book, kind, 1_000)
        assert 430 <= found["done"] <= 570


def test_seats_take_one_word_or_one_a_side() -> None:
    players = seat(["busy", "random"], ("red", "blue"), 3)
    assert [type(p) for p in players.values()] == [BusyPlayer, RandomPlayer]
    assert [type(p) for p in seat(["busy"], ("red", "blue"), 3).values()] == [BusyPlayer, BusyPlayer]
    assert players["blue"].rng == RandomPlayer(3 * 1009 + 1).rng
    with pytest.raises(ValueError):
        seat(["busy"] * 3, ("red", "blue"), 3)
    with pytest.raises(KeyError):
        seat(["clever"], ("red", "blue"), 3)


def test_a_player_with_nothing_legal_says_so(yard: Any) -> None:
    game = yard("use").new()
    game.do("red: done")
    assert game.over
    with pytest.raises(Refusal):
        game.do("red: done")


def test_a_long_game_keeps_few_positions_and_every_choice_can_still_be_undone(yard: Any) -> None:
    """Earlier positions are played again from one that was kept, so that memory does not grow with the game."""
    book = yard("pace")
    game = book.new(seed=3)
    player = RandomPlayer(4)
    digests = []
    while len(digests) < 3 * RECENT + 30:
        digests.append(game.digest())
        space = next(s for s in game.spaces(game.decisions[0]) if s.name == "pace")
        args, player.rng = space.sample(player.rng)
        assert args is not None
        game.do(Choice(game.decisions[0].id, "red", "pace", args))
    made = len(game.journal)
    assert sum(before is not None for before, _ in game._past) <= RECENT + made // RECENT + 1
    for steps in (1, 7, RECENT - 3, RECENT + 11):
        made -= steps
        game.undo(steps=steps)
        assert len(game.journal) == made and game.digest() == digests[made]
    with pytest.raises(Refusal):
        game.undo(steps=made + 1)


ALONE = "\n".join(f"    red: Lone {h} @{h}" for h in (f"{row}{i}" for row in "ABIJ" for i in range(1, 9)))
CROWD = f"""book crowd "A crowd"

case 1 "Pieces":
  kind side: red, blue
  mark moved of unit: flag
  map field:
    grid: rows A..J, columns from the east
    hexes: A1..A9, B1..B9, C1..C9, D1..D9, E1..E9, F1..F9, G1..G9, H1..H9, I1..I9, J1..J9
  roster all:
    form: side
    red: Crowd x6 @E5
{ALONE}
    blue: Other @E1

case 2 "Turns":
  action pace(u: unit from units(red), h: hex from neighbors(u.hex)) by red during work:
    put u in h
  duty room for h in occupied(red) during work:
    count(units_at(h)) <= 2
  sequence main:
    phase work:
      offer red: pace
    win blue
  scenario war "War":
    sequence: main
"""


@pytest.mark.parametrize("kind", [RandomPlayer, BusyPlayer])
def test_a_player_that_would_stop_lets_those_act_whom_a_duty_is_about(tmp_path: Path, kind: Any) -> None:
    """Six stand where two may, thirty elsewhere: the window closes soon after the player would have left it."""
    path = tmp_path / "crowd.rules"
    path.write_text(CROWD)
    book = load(str(path))
    most = 200
    for seed in range(5):
        game = book.new(seed=seed)
        made = play(game, {"red": kind(seed, patience=3), "blue": kind(seed)}, most)
        assert game.over and made < (most if kind is BusyPlayer else 40), f"{made} choices"


def test_a_random_player_closes_a_window_that_it_could_keep_open_for_ever(yard):
    """Actions that never run out: it is done after so many choices, whatever the seed."""
    made = []
    for seed in range(12):
        book = yard("pace, bow")
        made.append(play(book.new(seed=seed), {side: RandomPlayer(seed, patience=12) for side in ("red", "blue")}, 100))
    assert max(made) == 13, "twelve choices, and done"
    book = yard("pace, bow")
    assert max(play(book.new(seed=s), {"red": RandomPlayer(s), "blue": RandomPlayer(s)}, 100) for s in range(12)) > 13
