"""A player's word: who goes by it on which side, under which name and hash."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.compiler import load
from rulewright.compiler.players import Unknown, contestant, find_seat, one_a_side, seat_players
from rulewright.runtime import BusyPlayer, RandomPlayer
from rulewright.runtime.problems import Refusal

BOOK = str(Path(__file__).parent.parent / "books" / "skirmish.rules")


def test_a_word_seats_a_player_with_name_and_hash() -> None:
    book = load(BOOK)
    seat = find_seat(book, "busy", "red")
    assert (seat.name, len(seat.hash)) == ("busy", 12) and seat.aimless
    assert seat.hash != find_seat(book, "random", "red").hash
    player = seat.make(5)
    assert isinstance(player, BusyPlayer) and player.rng == BusyPlayer(5).rng


def test_one_word_plays_all_sides_and_two_one_each() -> None:
    book = load(BOOK)
    both, mixed = contestant(book, "random"), contestant(book, "busy/random")
    assert both.name == "random" and both.hash == both.seats["red"].hash
    assert mixed.name == "busy/random" and mixed.hash != both.hash
    players = seat_players(mixed.seats, 3)
    assert [type(p) for p in players.values()] == [BusyPlayer, RandomPlayer]
    assert players["blue"].rng == RandomPlayer(3 * 1009 + 1).rng  # type: ignore[attr-defined]


def test_words_that_nobody_goes_by() -> None:
    book = load(BOOK)
    with pytest.raises(Unknown, match=r'"clever" does not play by itself \(known: random, busy'):
        contestant(book, "clever")
    with pytest.raises(Refusal, match="names 3 players: name one, or one a side"):
        contestant(book, "random/busy/random")


@pytest.mark.parametrize(
    ("word", "words"),
    [
        ("random", ["random"]),
        ("random/busy", ["random", "busy"]),
        ("./mine.rules/busy", ["./mine.rules", "busy"]),
        ("../a/b.rules:hard/./c.rules", ["../a/b.rules:hard", "./c.rules"]),
        ("/a/b.rules", ["/a/b.rules"]),
    ],
)
def test_a_slash_in_a_path_divides_nothing(word: str, words: list[str]) -> None:
    assert one_a_side(word) == words
