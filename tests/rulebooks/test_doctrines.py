"""Every book's doctrines compile without a warning of their own, choose by their cases, and say why."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.compiler import load
from rulewright.compiler.pipeline import analyse
from rulewright.compiler.players import find_seat, known_doctrines, seat_players
from rulewright.compiler.playtest.stage import margins
from rulewright.runtime.doctrine.player import DoctrinePlayer
from rulewright.runtime.doctrine.told import why_that
from rulewright.runtime.game import Game
from rulewright.runtime.players import RandomPlayer, play
from rulewright.runtime.text import Choice

ROOT = Path(__file__).resolve().parents[2]
FIRST = {"trc": "battle", "fragment": "first_year"}
FILES = sorted(ROOT.glob("rulebooks/*/doctrines/*.rules"))


def test_every_file_of_doctrines_is_a_doctrine_or_a_variant_of_one() -> None:
    for file in FILES:
        opening = next(line for line in file.read_text(encoding="utf-8").splitlines() if line[:1].isalpha())
        assert opening.split()[0] in ("doctrine", "variant") and opening.split()[1] == file.stem


@pytest.mark.parametrize("book", FIRST)
def test_doctrines_of_a_book_are_clean_and_act_by_their_cases(book: str) -> None:
    loaded = load(book)
    for name, sides in known_doctrines(loaded).items():
        found = [
            d for d in analyse(f"{book}+{name}").report.found if d.code.startswith("RW80") and d.severity != "remark"
        ]
        assert found == []
        game = loaded.new(FIRST[book], 5)
        players = {
            s: find_seat(loaded, name, s).make(5) if s in sides else RandomPlayer(5) for s in loaded.program.sides
        }
        play(game, players, 160)
        mine = [p for p in players.values() if isinstance(p, DoctrinePlayer)]
        cases = {t.chosen.case for p in mine for t in p.thoughts if t.chosen is not None}
        assert len(cases) >= 1, f"{name} never chose by a case"
        assert why_that(mine)[0].startswith(f"{name}, ")


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
