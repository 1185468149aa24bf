"""`why` of something remembered: the value, its case, the moment it is from, and how it would come about now."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.compiler import load
from rulewright.compiler.cli.main import main
from rulewright.runtime import RandomPlayer
from rulewright.runtime.game import Game
from rulewright.runtime.ops import put

BOOKS = Path(__file__).with_name("books")
ORACLE, MEMORIES = str(BOOKS / "oracle.rules"), str(BOOKS / "memories.rules")


def told(game: Game, name: str, args: str = "") -> list[str]:
    return str(game.why(name + args)).splitlines()


@pytest.fixture
def game() -> Game:
    return load(ORACLE).new("brawl", seed=1)


def unit(game: Game, name: str) -> int:
    return game.program.unit_index[name]


def place(game: Game, name: str) -> int:
    return game.program.place_index[name]


def test_always_cites_the_clause_that_holds_and_what_it_asked(game):
    first, second, *rest = told(load(MEMORIES).new("war", seed=1), "held", "(@A2)")
    assert first == "held(@A2) = red"
    assert (
        second == '  5 "Only what a set gains or loses": brought up to date after every change; its clauses give it now'
    )
    assert rest[0] == "  covers(red, @A2) = true  [2 Zones]"


def test_always_names_the_exception_that_gives_it():
    game = load(MEMORIES).new("war", seed=1)
    game.do("red: burn(@A2)")
    first, second = told(game, "held", "(@A2)")[:2]
    assert first == "held(@A2) = nothing" and second.endswith("after every change; 5.2 gives it now")


def test_always_says_that_it_was_kept(game):
    put(game.state, unit(game, "Red Horse"), place(game, "A1"), "")
    put(game.state, unit(game, "Red Horse"), place(game, "B1"), "")
    assert told(game, "holder", "(@A1)")[:2] == [
        "holder(@A1) = red",
        '  5 "Memories": kept from before; nothing changes it now',
    ]


def test_always_says_when_it_is_not_looked_at(game):
    assert told(game, "holder", "(@B1)") == [
        "holder(@B1) = nothing",
        '  5 "Memories": kept from before; it is not looked at now',
    ]


def test_the_moment_of_a_start_and_what_it_would_be_now(game):
    was = told(game, "stood", '("Red Horse")')
    assert was == ['stood("Red Horse") = @B5', '  5 "Memories": as it was at the start of turn; now it would be @B5']
    put(game.state, unit(game, "Red Horse"), place(game, "A6"), "")
    assert told(game, "stood", '("Red Horse")')[1].endswith("now it would be @A6")
    assert told(game, "stood", '("Red Horse")')[0].endswith("= @B5")


def test_the_end_of_a_phase_has_not_come_yet(game):
    assert told(game, "ended", "(red)") == [
        "ended(red) = 0",
        '  5 "Memories": waits for the end of side_turn, which has not come yet; now it would be 5',
    ]
    players = {side: RandomPlayer(i) for i, side in enumerate(game.program.sides)}
    while game.state.turn_of_phase.get("side_turn", 0) < 2:
        decision = game.decisions[0]
        game.do(players[decision.side](game, decision))
    assert "as it was at the end of side_turn" in told(game, "ended", "(red)")[1]


def test_ever(game):
    blue = told(game, "took_ford", "(blue)")
    assert blue[:2] == ["took_ford(blue) = true", '  5 "Memories": has held once, and stays so; it holds now']
    put(game.state, (unit(game, "Blue Foot 2"), unit(game, "Blue Staff")), place(game, "E6"), "")
    assert told(game, "took_ford", "(blue)")[1].endswith("has held once, and stays so; it does not hold now")
    assert told(game, "took_ford", "(red)")[1].endswith("has never held; it does not hold now")


def test_counting(game):
    assert told(game, "quiet", "(red)")[:2] == [
        "quiet(red) = 1",
        '  5 "Memories": how many times in a row it held at the start of turn; it holds now',
    ]


def test_a_memory_that_another_value_rests_on_is_told_there(tmp_path, capsys):
    """The Dark Valley remembers who holds a place; a definition that asks for it cites it."""
    save = str(tmp_path / "one.save")
    main(
        ["play", "tdv", "--scenario", "crimea", "--players", "random,random", "--until", "2", "--quiet", "--save", save]
    )
    capsys.readouterr()
    assert main(["why", "tdv", save, "holds(soviet, Sevastopol)"]) == 0
    first, second = capsys.readouterr().out.splitlines()[1:3]
    assert first.endswith("= true  [2.4/p5 Control]") and second.strip().startswith("holder(")
    assert main(["why", "tdv", save, "holder(Sevastopol)"]) == 0
    assert "brought up to date after every change" in capsys.readouterr().out
    assert main(["why", "tdv", save, "holder(Sevastopol)", "--format", "json"]) == 0
    assert '"2.4/p5"' in capsys.readouterr().out
