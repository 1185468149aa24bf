"""What a book says of a choice before it is made: in the list, of a set as it is built, and nothing where it has no value."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.compiler import load
from rulewright.compiler.pipeline import analyse
from rulewright.compiler.seat.seat import Seat
from rulewright.compiler.seat.table import Table
from rulewright.compiler.words.cases import by_case

BOOK = Path(__file__).parents[1] / "books" / "skirmish.rules"
WORDS = '\ncase 90 "Beforehand":\n'


def book_with(tmp_path: Path, lines: str) -> str:
    path = tmp_path / "skirmish.rules"
    path.write_text(BOOK.read_text(encoding="utf-8") + WORDS + lines, encoding="utf-8")
    return str(path)


def seated(name: str) -> tuple[Table, Seat]:
    loaded = load(name)
    table = Table(loaded, loaded.new(None, 1), dict.fromkeys(loaded.program.sides))
    seat = Seat(table, loaded.program.sides[0])
    seat.look_again()
    return table, seat


def test_each_line_tells_what_the_book_foresees(tmp_path):
    lines = "  preview move as price: cost(march(u), p)\n  words en:\n    move.price: price of the march\n"
    table, seat = seated(book_with(tmp_path, lines))
    seat.take(seat.pick(seat.step, 1))
    seat.take(seat.pick(seat.step, 1))
    assert seat.step.items
    for item in seat.step.items:
        assert item.note.endswith(f"price of the march {item.cost}")
    action = table.game.program.actions["move"]
    assert action.previews == (("price", "move_price"),)


def test_a_value_that_cannot_be_given_is_not_told(tmp_path):
    _, seat = seated(book_with(tmp_path, "  preview move as share: 1 / (length(p) - length(p))\n"))
    seat.take(seat.pick(seat.step, 1))
    seat.take(seat.pick(seat.step, 1))
    assert seat.step.items and all("share" not in x.note for x in seat.step.items)


@pytest.mark.parametrize(
    ("lines", "code"),
    [
        ("  preview mvoe as price: 1\n", "RW201"),
        ("  preview move as price: 1\n  preview move as price: 2\n", "RW202"),
        ("  preview move as price: u.hex + 1\n", "RW211"),
        ("  preview move as price: 1\n  words en:\n    move.prise: price\n", "RW138"),
    ],
)
def test_what_is_wrong_is_found(tmp_path, lines, code):
    found = [d.code for d in analyse(book_with(tmp_path, lines)).report.found if d.severity == "error"]
    assert found == [code]


def test_it_is_said_in_words(tmp_path):
    made = analyse(book_with(tmp_path, "  preview move as price: cost(march(u), p)\n"))
    assert made.book is not None
    said = [s.text for s in by_case(made.book)["90"]]
    assert len(said) == 1 and said[0].startswith("Before") and "price" in said[0]


def test_the_odds_of_an_attack_are_told_while_it_is_put_together():
    table, _ = seated("trc")
    loaded = table.loaded
    game = loaded.new("battle", 5)
    seat = Seat(Table(loaded, game, dict.fromkeys(loaded.program.sides)), "axis")
    game.do(next(c for c in game.legal("axis") if c.name == "done"))
    seat.look_again()
    way = next(i for i, x in enumerate(seat.step.items) if x.text == "attack")
    seat.take(seat.pick(seat.step, way + 1))
    first = next(x for x in seat.step.whole())
    places, us = (value for _, value in first.args)
    for i, item in enumerate(seat.step.items):
        if item.value in places:
            seat.take(seat.pick(seat.step, i + 1))
    seat.close()
    for i, item in enumerate(seat.step.items):
        if item.value in us:
            seat.take(seat.pick(seat.step, i + 1))
    odds = game.value("attack_odds", "axis", places, us)
    label = loaded.program.scales["odds"][odds] if isinstance(odds, int) else str(odds)
    assert f"odds without air units {label}" in seat.step.state()
