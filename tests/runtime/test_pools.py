"""Counters made in play: they come from a pool and go back into it without a trace."""

from __future__ import annotations

from pathlib import Path

from rulewright.compiler import load
from rulewright.runtime import Game, RandomPlayer, canon, ops, play, resume
from rulewright.runtime.places import counters, spare
from rulewright.runtime.state import State

BOOK = str(Path(__file__).parents[1] / "compiler" / "books" / "pools.rules")


def laid(game: Game, choice: str = "red: lay_dump(@B2)") -> Game:
    game.do(choice)
    return game


def test_a_counter_that_was_made_and_taken_back_leaves_an_equal_state() -> None:
    program = load(BOOK).program
    one, other = load(BOOK).new("first", seed=1).state, load(BOOK).new("first", seed=1).state
    dump = spare(one, program.place_index["dumps(red)"])
    assert dump == program.unit_index["Red Dump 1"]
    ops.set_mark(one, "unit_load", dump, 4, "")
    ops.set_mark(one, "side_base", "red", dump, "")
    ops.set_mark(one, "side_known", "blue", (0, dump), "")
    ops.spend(one, "drawn", (dump,), 1, "")
    ops.put(one, dump, program.place_index["B2"], "")
    assert dump in counters(one, "red") and one.past_seen[(dump,)]
    ops.put(one, dump, program.place_index["dumps(red)"], "")
    ops.set_mark(other, "side_known", "blue", (0,), "")
    assert one.at == other.at and dump not in counters(one, "red")
    differ = [name for name in program.flat if getattr(one, name) != getattr(other, name)]
    assert [name for name in differ if name != "game_tally"] == []


def test_made_counters_are_saved_resumed_and_undone(tmp_path: Path) -> None:
    loaded = load(BOOK)
    game = loaded.new("first", seed=3)
    before = game.digest()
    laid(game)
    plain = canon.loads(canon.dumps(game.state.plain()))
    assert State.from_plain(game.program, plain).digest() == game.digest()
    game.save(tmp_path / "made.save")
    again = resume(tmp_path / "made.save", lambda _: loaded.program)
    assert again.digest() == game.digest()
    assert again.state.at[again.program.unit_index["Red Dump 1"]] == again.program.place_index["B2"]
    game.undo()
    assert game.digest() == before


def test_the_same_choices_make_the_same_counters() -> None:
    loaded = load(BOOK)
    for seed in range(3):
        ends = []
        for _ in range(2):
            game = loaded.new("first", seed=seed)
            play(game, {"red": RandomPlayer(seed), "blue": RandomPlayer(seed + 1)}, 200)
            ends.append(game.digest())
        assert ends[0] == ends[1]
