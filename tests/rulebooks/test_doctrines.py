"""Doctrines of books compile without a warning of their own, choose by their cases, and say why.

Those of Case Blue play in `make opponents` alone: they take longer to load than all others together.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.compiler import load
from rulewright.compiler.pipeline import analyse
from rulewright.compiler.players import find_seat, own_doctrine, seat_players
from rulewright.compiler.playtest.stage import margins
from rulewright.runtime.doctrine.player import DoctrinePlayer
from rulewright.runtime.doctrine.told import why_that
from rulewright.runtime.game import Game
from rulewright.runtime.players import play
from rulewright.runtime.text import Choice

ROOT = Path(__file__).resolve().parents[2]
FIRST = [
    ("trc", "battle", 120),
    ("fragment", "first_year", 60),
    ("tdv", "smolensk", 60),
]
FILES = sorted(ROOT.glob("rulebooks/*/doctrines/*.rules"))


def test_every_file_of_doctrines_is_a_doctrine_or_a_variant_of_one() -> None:
    for file in FILES:
        opening = next(line for line in file.read_text(encoding="utf-8").splitlines() if line[:1].isalpha())
        assert opening.split()[0] in ("doctrine", "variant") and opening.split()[1] == file.stem


@pytest.mark.parametrize("name", ["trc+manstein", "trc+zhukov", "fragment+guderian", "fragment+timoshenko"])
def test_doctrines_have_no_case_that_never_chooses(name: str) -> None:
    assert [d for d in analyse(name).report.found if d.code in ("RW801", "RW807")] == []


@pytest.mark.parametrize(("book", "scenario", "most"), FIRST)
def test_doctrines_of_a_book_act_by_their_cases(book: str, scenario: str, most: int) -> None:
    loaded = load(book)
    own = {side: own_doctrine(loaded, side) for side in loaded.program.sides}
    players = seat_players({side: find_seat(loaded, name, side) for side, name in own.items()}, 5)
    play(loaded.new(scenario, 5), players, most)
    for side, player in players.items():
        assert isinstance(player, DoctrinePlayer)
        cases = {t.chosen.case for t in player.thoughts if t.chosen is not None}
        assert len(cases) >= 2, f"{own[side]} chose by {cases}"
        assert why_that([player])[0].startswith(f"{own[side]}, {side}: ")


def test_on_the_niemen_both_sides_fight_for_the_towns() -> None:
    book, made = load("fite"), []
    seats = {side: find_seat(book, name, side) for side, name in (("axis", "hoepner"), ("soviet", "kuznetsov"))}
    players = seat_players(seats, 5)
    game = book.new("niemen", 5)

    def watch(game: Game, choice: Choice) -> None:
        last = players[choice.side].last  # type: ignore[attr-defined]
        made.append((choice.name, last.chosen.case if last.chosen is not None else "", game.show(choice)))

    play(game, players, watch=watch)
    first = next(told for name, _, told in made if name == "attack")
    assert "h: @1B/3018" in first and "Pz" in first, "the armour strikes at Kaunas first"
    assert {case for name, case, _ in made if name == "attack"} <= {"H.3", "K.2"}
    assert {"H.4", "K.3"} <= {case for name, case, _ in made if name == "move"}
    assert game.winner == "axis", "random takes a town in four games of ten, Höpner nearly always"
    held = {side: game.value("towns_held", side) for side in seats}
    assert sum(held.values()) == 6 and margins(game, "niemen") == {
        "axis": held["axis"] - held["soviet"],
        "soviet": held["soviet"] - held["axis"],
    }
