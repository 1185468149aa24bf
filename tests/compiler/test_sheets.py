"""A board of two sheets that share an edge: its hexes are found by either id, wherever a book or a player names one."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.compiler.examples.run import run_examples
from rulewright.compiler.loader import load
from rulewright.compiler.pages.draw_map import draw_map
from rulewright.compiler.pipeline import Compiled, analyse
from rulewright.dsl.diagnostics import Reporter
from rulewright.dsl.parse import parse
from rulewright.dsl.print import print_rules
from rulewright.runtime.notation import show
from rulewright.runtime.program import Program
from rulewright.runtime.reading import Reader

BOOK = """book sheets "Two sheets"
case 1 "Board":
  kind side: red, blue
  field hill, city of hex: flag
  field river of hexside: flag
  field goal of unit: hex
  mark guarded of hex
  map board:
    sheet G: columns 1..12, rows 01..05 from the south, ids like G1.01, even columns touch n and n+1
    sheet J: columns 1..12, rows 01..05 from the south, ids like J1.01, offset 0 4, over G
    hexes: G4.01..G4.05, G5.01..G5.05, J4.03, J4.04, J5.03, J5.04
    hill: G4.01
    name Ford: G4.01/J4.04
    sides river: G4.01/J4.04
  roster armies:
    form: side goal
    red G4.01: Hammer @G5.01
    blue J5.05: Tongs @J5.04
  sequence play:
    phase turn:
      win red
  scenario both:
    sequence: play
    units:
      G4.01: Hammer
      J5.05: Tongs
    set:
      G4.01.guarded: yes
case 2 "Amended":
  amend @G4.01.city: no becomes yes
  example "by either id":
    given scenario both
    expect @G4.01 = @J4.05 and "Hammer".hex = @J4.05 and "Tongs".hex = @G5.01
    expect @J4.05.hill and @J4.05.city and @G4.01.guarded and not @G4.02.hill
    expect "Hammer".goal = @J4.05 and "Tongs".goal = @G5.01
    expect @G4.01/J4.04.river and @J4.04/J4.05.river and Ford.river and not @G4.01/G4.02.river
    expect adjacent(@G4.02, @J4.05) and distance(@G4.05, @J4.04) = 5
"""


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> tuple[Compiled, Program]:
    path: Path = tmp_path_factory.mktemp("sheets") / "sheets.rules"
    path.write_text(BOOK)
    made = analyse(str(path))
    assert made.book is not None and not made.report.failed, made.report.found
    return made, load(str(path)).program


def test_a_book_names_a_hex_by_either_id(book: tuple[Compiled, Program]) -> None:
    made, program = book
    assert made.book is not None
    assert [x.passed for x in run_examples(made.book, program)] == [True]


def test_a_player_names_a_hex_by_either_id_and_it_is_printed_by_the_upper_one(book: tuple[Compiled, Program]) -> None:
    _, program = book
    for text in ("@G4.01", "@J4.05", "G4.01"):
        assert show(program, "place", Reader(program, text).value("place")) == "@J4.05"
    for text in ("@G4.01/J4.04", "@J4.04/J4.05", "edge(@J4.04, @G4.01)"):
        assert show(program, "hexside", Reader(program, text).value("hexside")) == "@J4.04/J4.05"


def test_a_drawing_shows_the_upper_id(book: tuple[Compiled, Program]) -> None:
    made, _ = book
    assert made.book is not None and made.book.map is not None
    drawn = draw_map(made.book.map, around="G4.01")
    assert "J4.05" in drawn and "G4.01" not in drawn


def test_the_line_of_an_amended_hex_is_printed_as_it_is_read() -> None:
    text = 'book a\n\ncase 1 "One":\n  define far -> flag: @J4.33 = @G4.01 and @J4.05/J4.04.river and @A1.hill\n'
    assert print_rules(parse(text, "a.rules", Reporter())) == text
