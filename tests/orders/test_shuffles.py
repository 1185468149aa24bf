"""Play does not hang on the order of files, cases, rosters or declarations."""

from pathlib import Path

import pytest
from orders.compare import compare, cores

from rulewright.compiler.loader import load
from rulewright.compiler.pipeline import analyse

BOOKS = Path(__file__).parent.parent / "books"


@pytest.mark.parametrize(("book", "most"), [("trc", 20), ("tdv", 8), ("fite", 0), ("fragment", 120)])
def test_a_shipped_book_in_another_order_plays_the_same_game(book: str, most: int) -> None:
    """Of fite the core alone, order included, from which all that plays is made; `make shuffles` plays it."""
    found = compare(book, seed=7, games=min(most, 1), most=most)
    assert not found.difference
    assert found.choices == most


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("book", ["skirmish", "ambush", "council", "secrets"])
def test_a_small_book_in_another_order_plays_the_same_game(book: str, seed: int) -> None:
    found = compare(str(BOOKS / f"{book}.rules"), seed, games=2)
    assert not found.difference
    assert found.choices > 5


SMALL = {
    "sides": """case 1 "Sides":
  kind side: red, blue
  field lends of unit: unit or nothing
""",
    "board": """case 2 "Board":
  map field:
    grid: rows A..B, columns 1..9 from the west
    hexes: A1..A9, B1..B9
""",
    "reds": """case 3 "Reds":
  roster reds:
    form: side
    red: Hammer @A1, Anvil @A2
      lends: Tongs
""",
    "blues": """case 4 "Blues":
  roster blues:
    form: side
    blue: Tongs @A3
""",
    "tally": """case 5 "Tally":
  mark tally of game: number
  action go() by red during turn:
    set tally = tally + 1
  action wait() by red during turn:
    set tally = tally
""",
    "double": """case 6 "Doubled":
  on go():
    set tally = tally * 2
""",
    "more": """case 10 "And one more":
  on go():
    set tally = tally + 1
  on go():
    set tally = tally * 3
""",
    "game": """case 11 "The game":
  sequence game:
    phase turn for nr in [1, 2]:
      for each u in units(red):
        set last = u
      offer red: go, wait
  mark last of game: unit or nothing
  scenario first:
    sequence: game
""",
}


def book(folder: Path, *parts: str) -> str:
    """A small book with its cases in the order of `parts`, a file each."""
    folder.mkdir()
    (folder / "00.rules").write_text('book small "Small"\n')
    for i, part in enumerate(parts):
        (folder / f"{i + 1}.rules").write_text(SMALL[part])
    return str(folder)


def test_triggers_of_one_event_run_by_case_number(tmp_path: Path) -> None:
    """By the order of files the tally would be 3 (×2 last) or 4; by case it is doubled, then the rest."""
    for i, order in enumerate([list(SMALL), list(reversed(SMALL))]):
        game = load(book(tmp_path / f"b{i}", *order)).new(None, 1)
        game.do(next(c for c in game.legal("red") if c.name == "go"))
        assert game.state.plain()["game_tally"] == 7  # (1 * 2) * 3 + 1: within case 10 the text decides, "* 3" first


def test_units_are_numbered_by_case_line_and_name(tmp_path: Path) -> None:
    for i, order in enumerate([list(SMALL), list(reversed(SMALL))]):
        made = analyse(book(tmp_path / f"b{i}", *order))
        assert made.book is not None, made.report.found
        assert [u.name for u in made.book.units] == ["Anvil", "Hammer", "Tongs"]
        assert made.book.units[0].fields["lends"] == 2, "a field may name a unit of a later roster"


def test_two_orders_have_one_core(tmp_path: Path) -> None:
    one, other = book(tmp_path / "one", *SMALL), book(tmp_path / "two", *reversed(SMALL))
    assert cores(one, other) == ""


def test_a_difference_is_found(tmp_path: Path) -> None:
    one, other = book(tmp_path / "one", *SMALL), book(tmp_path / "two", *(x for x in SMALL if x != "double"))
    assert cores(one, other).startswith("triggers")


def test_the_default_scenario_is_stated_or_that_of_the_lowest_case(tmp_path: Path) -> None:
    name = book(tmp_path / "b", *SMALL)
    later = tmp_path / "b" / "9.rules"
    later.write_text('case 2.1 "Another":\n  scenario other:\n    sequence: game\n')
    assert list(analysed(name)) == ["other", "first"]
    text = SMALL["game"].replace("sequence: game\n", "sequence: game\n    default: yes\n")
    (tmp_path / "b" / "8.rules").write_text(text)
    assert list(analysed(name)) == ["first", "other"]
    later.write_text('case 2.1 "Another":\n  scenario other:\n    sequence: game\n    default: yes\n')
    found = analyse(name).report.found
    assert [d.code for d in found if d.severity == "error"] == ["RW123"]


def analysed(name: str) -> list[str]:
    made = analyse(name)
    assert made.book is not None, made.report.found
    return list(made.book.scenarios)
