"""An answer that is a path: what bars it on its way is told, by the cases of the route."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.compiler import load
from rulewright.runtime import Refusal

BOOK = """book away "Away"

case 1 "Pieces":
  kind side: red, blue
  map board:
    grid: rows A..B, columns from the east
    hexes: A1..A5, B1..B5
  roster armies:
    form: side
    red: Red @A3
    blue: Blue @A4

case 2 "Retreats":
  route retreat(u: unit):
    from: u.hex
    budget: 2
    enter: 1

case 3 "Enemies":
  forbid retreat as enemy_there when any units_at(there) where it.side != u.side

case 4 "Play":
  sequence of_play:
    phase flight:
      ask red for one way from (retreat("Red") where last(it) != @A1)
      walk "Red" along way
    win red
  scenario rout:
    sequence: of_play
"""


@pytest.fixture
def game(tmp_path: Path):  # type: ignore[no-untyped-def]
    path = tmp_path / "away.rules"
    path.write_text(BOOK, encoding="utf-8")
    return load(str(path)).new("rout")


@pytest.mark.parametrize(
    ("path", "cases"),
    [
        ("A3>A4", ["4", "3"]),
        ("A3>A5", ["4", "2"]),
        ("A3>A2>A1", ["4"]),
        ("A3>B3>B2>A2", ["4", "2"]),
    ],
)
def test_a_refusal_names_what_bars_the_path(game, path: str, cases: list[str]) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(Refusal) as refused:
        game.do(f"red: way({path})")
    assert [g.case for g in refused.value.grounds] == cases, refused.value


def test_a_path_that_nothing_bars_is_taken(game) -> None:  # type: ignore[no-untyped-def]
    game.do("red: way(A3>B3)")
    assert game.winner == "red"
