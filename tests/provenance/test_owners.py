"""Owners' files: house values out to a sheet and back, printed in the place of house, under every other overlay."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rulewright.compiler.cli.main import main
from rulewright.compiler.pipeline import Compiled, analyse
from rulewright.compiler.provenance.own import differing, from_sheet, owners_file, replaceable, sheet_of
from rulewright.compiler.provenance.sheets import NoSheet

BOOK = """\
book hill "The hill"

case 1 "Sides and arms":
  kind side: red, blue
  kind arm: foot, horse
  field arm of unit: arm
  field strength, movement of unit: number
  field guards of unit: flag
  field terrain of hex: terrain
  kind terrain: clear, woods

case 2 "Counters":
  house roster reds:
    form: strength-movement arm
    side: red
    3-4 foot: 1 Red @A1, 2 Red @A1
    3-4 foot: 3 Red @A3
      guards: yes
    2-6 horse: Lancer x2 @A2
  house roster blues:
    form: strength
    side: blue
    movement: 4
    arm: foot
    3: 1 Blue @B2

case 3 "Prices":
  house table price(terrain: terrain, arm: arm) -> number:
    | terrain | foot | horse |
    | clear   | 1    | 1     |
    | woods   | 2    | 3     |

case 4 "The map":
  house map board:
    grid: rows A..B, columns from the west
    hexes: A1..A3, B1..B3
    terrain woods: A2

case 5 "Movement":
  mark moved of unit until end of game
  route march(u: unit):
    over: land
    from: u.hex
    budget:
      u.movement + 1 when u.guards
      u.movement otherwise
    enter: price(there.terrain, u.arm)
  action move(u: unit from units(red), p: path from march(u)) by red during marches:
    when not u.moved and u.strength > 0
    walk u along p
    set u.moved
  sequence game:
    phase marches:
      offer red: move
    win red
  scenario start "The start":
    sequence: game
  example "woods are slow":
    expect price(woods, horse) = 3

option bog of hill "Bog":
  case O.1 "Woods are bogs":
    replace cell 3 price:
      woods | foot: 2 becomes 4
"""


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Compiled:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "hill.rules").write_text(BOOK)
    found = analyse("hill.rules")
    assert not found.report.failed, found.report.found
    return found


def fields(made: Compiled) -> frozenset[str]:
    assert made.book is not None
    return frozenset(name for owner, name in made.book.fields if owner == "unit") | {"side"}


def test_a_sheet_of_counters_comes_back_as_it_went(made: Compiled) -> None:
    assert made.entries is not None
    known = replaceable(made.entries)
    entries = [known["reds"], known["blues"]]
    rows = sheet_of(entries, fields(made))
    assert rows[0] == ["roster", "name", "at", "strength", "movement", "arm", "side", "guards"]
    assert ["reds", "Lancer 2", "A2", "2", "6", "horse", "red", ""] in rows
    assert ["blues", "1 Blue", "B2", "3", "4", "foot", "blue", ""] in rows
    back = from_sheet(entries, rows, fields(made))
    assert [differing(e.node, back[e.name], fields(made))[0] for e in entries] == [0, 0]
    Path("mine.rules").write_text(owners_file("mine", "hill", entries, back))
    again = analyse("hill.rules+mine.rules")
    assert again.report.wrong == []
    assert again.book is not None and made.book is not None
    assert {u.name: u.fields for u in again.book.units} == {u.name: u.fields for u in made.book.units}
    assert {u.house for u in again.book.units} == {False} != {u.house for u in made.book.units}


@pytest.mark.parametrize("book", ["fragment"])
def test_the_counters_of_a_shipped_book_come_back(book: str) -> None:
    found = analyse(book)
    assert found.entries is not None
    entries = [e for e in replaceable(found.entries).values() if getattr(e.node, "kind", "") == "roster"]
    back = from_sheet(entries, sheet_of(entries, fields(found)), fields(found))
    assert sum(differing(e.node, back[e.name], fields(found))[0] for e in entries) == 0


def printed(name: str, body: str) -> str:
    return f'variant {name} of hill "My copy":\n  nature: printed\n  case 3 "Prices":\n    replace 3 price:\n{body}'


PRICES = """\
      {}table price(terrain: terrain, arm: arm) -> number:
        | terrain | foot | horse |
        | clear   | 1    | 1     |
        | woods   | 2    | {}     |
"""


def codes(name: str) -> list[tuple[str, str]]:
    return [(d.code, d.severity) for d in analyse(name).report.found]


@pytest.mark.parametrize(
    ("house", "value", "found", "marked"),
    [
        ("", 4, [], False),  # edited and printed
        ("", 3, [], False),  # the print has what the house guessed
        ("house ", 4, [], True),  # another guess is a guess
        ("house ", 3, [("RW408", "remark")], True),  # not touched yet
    ],
)
def test_a_value_is_printed_when_its_owner_says_so(
    house: str, value: int, found: list[tuple[str, str]], marked: bool, made: Compiled
) -> None:
    Path("mine.rules").write_text(printed("mine", PRICES.format(house, value)))
    assert codes("hill.rules+mine.rules") == found
    [entry] = [e for e in analyse("hill.rules+mine.rules").entries or () if e.name == "price"]
    assert entry.house is marked


def test_options_amend_the_owners_chart_in_either_order(made: Compiled) -> None:
    Path("mine.rules").write_text(printed("mine", PRICES.format("", 5)))
    for name in ("hill.rules+bog+mine.rules", "hill.rules+mine.rules+bog"):
        found = analyse(name)
        assert found.report.wrong == [], name
        assert found.book is not None
        cells = found.book.tables["price"].cells
        assert (cells["woods", "foot"], cells["woods", "horse"]) == (4, 5)


def test_an_owners_file_changes_no_rule(made: Compiled) -> None:
    Path("mine.rules").write_text(
        'variant mine of hill "My copy":\n  nature: printed\n  case 5 "Movement":\n    amend "1 Red".strength: 3 becomes 4\n'
    )
    assert codes("hill.rules+mine.rules") == [("RW408", "error")]


def test_test_tells_house_examples_apart_from_failures(made: Compiled, capsys: pytest.CaptureFixture[str]) -> None:
    Path("mine.rules").write_text(printed("mine", PRICES.format("", 5)))
    assert main(["test", "hill.rules+mine.rules", "--quiet"]) == 0
    told = capsys.readouterr().out
    assert "0 passed, 0 failed, 1 come out otherwise on your values" in told
    assert main(["test", "hill.rules+mine.rules", "--quiet", "--format", "json"]) == 0
    [row] = json.loads(capsys.readouterr().out)
    assert (row["passed"], row["otherwise"]) == (False, True)


def test_what_the_text_states_is_held_against_an_owners_values(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Facts stand beside a book that is a folder; one names a counter that the owner's sheet does not have."""
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "rulebooks" / "hill"
    folder.mkdir(parents=True)
    (folder / "hill.rules").write_text(BOOK)
    rows = [
        "3\t1\t\t\tprice(woods, horse) = 3",
        '2\t2\t\t\t"2 Red".strength = 3',
        "3\t3\tbog\t\tprice(woods, foot) = 4",
    ]
    (folder / "facts.tsv").write_text("case\tline\twith\tgiven\tfact\n" + "\n".join(rows) + "\n")
    sheet = 'variant mine of hill "My copy":\n  nature: printed\n  case 2 "Counters":\n    replace 2 reds:\n'
    sheet += "      roster reds:\n        form: strength-movement arm\n        side: red\n        3-4 foot: 1 Red @A1\n"
    Path("mine.rules").write_text(sheet)
    assert main(["test", "hill+mine.rules", "--quiet"]) == 1
    told = capsys.readouterr().out
    assert "case 2: the text says otherwise" in told and '"2 Red".strength = 3' in told
    assert "1 of 2 facts of the text hold" in told
    assert main(["house", "hill", "price"]) == 0
    assert "3: price(woods, horse) = 3" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("sheet", "told"),
    [
        ("terrain,foot\nclear,1,1\nwoods,2,3\n", "cells"),
        ("", "empty"),
        ("terrain,foot,horse\nclear,1,a|b\n", "bar"),
    ],
)
def test_a_sheet_that_is_none_is_refused(
    sheet: str, told: str, made: Compiled, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("mine.csv").write_text(sheet)
    assert main(["own", "hill.rules", "price", "--from", "mine.csv", "-o", "mine.rules"]) == 2
    assert told in capsys.readouterr().err
    assert not Path("mine.rules").exists()


def test_counters_without_a_column_of_the_form_are_refused(made: Compiled) -> None:
    assert made.entries is not None
    reds = [replaceable(made.entries)["reds"]]
    with pytest.raises(NoSheet, match="movement"):
        from_sheet(reds, [["name", "strength", "arm"], ["1 Red", "3", "foot"]], fields(made))


def test_semicolons_and_a_byte_order_mark_are_read(made: Compiled, capsys: pytest.CaptureFixture[str]) -> None:
    Path("mine.csv").write_text("\ufeffterrain;foot;horse\nclear;1;1\nwoods;2;5\n", encoding="utf-8")
    assert main(["own", "hill.rules", "price", "--from", "mine.csv", "-o", "mine.rules"]) == 0
    assert "1 of 9 cells differ" in capsys.readouterr().out
    assert "house" not in Path("mine.rules").read_text().partition("variant")[2]


def test_nothing_is_written_over(made: Compiled, capsys: pytest.CaptureFixture[str]) -> None:
    Path("mine.rules").write_text("# mine\n")
    assert main(["own", "hill.rules", "price", "-o", "mine.rules"]) == 2
    assert Path("mine.rules").read_text() == "# mine\n"
    assert main(["own", "hill.rules", "prise", "-o", "new.rules"]) == 2
    assert 'did you mean "price"' in capsys.readouterr().err
