"""What a map prints is declared, and is a value that the field can have."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.compiler import load
from rulewright.compiler.pipeline import analyse
from rulewright.dsl.diagnostics import Diagnostic

HEAD = """case 1 "Map":
  kind side: red, blue
  kind terrain: clear, woods
  scale height: low, high
  field terrain of hex: terrain = clear
  field lord of hex: side or nobody
  field level of hex: number = 0
  field slope of hex: ratio = 1
  field height of hex: height = low
  field town of hex: flag
  field nearest of hex: place or nowhere
  field river of hexside: flag
  define told(a: hex, b: hex) -> flag: a.terrain = woods and a.level > 2 and a.town and river(a, b)
  define asked(h: hex) -> flag: h.slope > 1 and h.height = high and h.nearest = nowhere and h.lord = red
  define river(a: hex, b: hex) -> flag: a.town or b.town
  map board:
    grid: rows A..B, columns from the east
    hexes: A1..A5, B1..B5
"""


def findings(tmp_path: Path, line: str) -> list[Diagnostic]:
    path = tmp_path / "m.rules"
    path.write_text(f"{HEAD}    {line}\n", encoding="utf-8")
    return [d for d in analyse(str(path)).report.found if d.severity == "error"]


@pytest.mark.parametrize(
    ("line", "code", "help_"),
    [
        ("terrain wods: B2", "RW123", 'did you mean "woods"?'),
        ("level high: B2", "RW123", "a number is needed here"),
        ("height higher: B2", "RW123", "a height is needed here"),
        ("town big: B2", "RW123", "write town: A1, A2 where it holds"),
        ("terrain: B2", "RW123", "write terrain VALUE: A1, A2"),
        ("nearest A1: B2", "RW123", "write nearest: A1, A2 where it holds"),
        ("sides rivr: A1/A2", "RW706", 'did you mean "river"?'),
        ("line road: A1", "RW706", 'did you mean "lines"?'),
        ("castle: A1", "RW706", "declare it: field castle of hex: flag"),
    ],
)
def test_a_line_that_prints_what_nobody_could_read_is_refused(tmp_path: Path, line: str, code: str, help_: str) -> None:
    assert [(d.code, d.help) for d in findings(tmp_path, line)] == [(code, help_)]


def test_printed_values_have_the_type_of_their_field(tmp_path: Path) -> None:
    printed = ("level 3: A1", "slope 3/2: A1", "height high: A1", "lord red: A1", "lord nobody: A2", "town: A1")
    assert findings(tmp_path, "\n    ".join(printed)) == []
    data = load(str(tmp_path / "m.rules")).data()
    at = [data.PLACE_LEVEL[0], str(data.PLACE_SLOPE[0]), data.PLACE_HEIGHT[0], data.PLACE_LORD[:2]]
    assert at == [3, "3/2", 1, ("red", None)]


def test_an_overlay_beside_the_book_may_declare_what_the_map_prints(tmp_path: Path) -> None:
    assert [d.code for d in findings(tmp_path, "castle: A1")] == ["RW706"]
    option = 'option castles of m "Castles":\n  case 2 "Castles":\n    field castle of hex: flag\n'
    text = (tmp_path / "m.rules").read_text(encoding="utf-8")
    (tmp_path / "m.rules").write_text(f'book m "M"\n\n{text}\n{option}', encoding="utf-8")
    assert [d for d in analyse(str(tmp_path / "m.rules")).report.found if d.severity == "error"] == []


def test_a_hex_is_on_one_map_only(tmp_path: Path) -> None:
    again = "town: A1\n  map other:\n    grid: rows A..B, columns from the east\n    hexes: A1"
    assert [d.code for d in findings(tmp_path, again)] == ["RW709"]
