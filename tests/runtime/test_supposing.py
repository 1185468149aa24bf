"""What is supposed counts for answers that are kept, whatever the mark belongs to, and leaves nothing behind."""

from __future__ import annotations

from pathlib import Path

from rulewright.compiler import load

BOOK = """\
book guns "Guns"
case 1 "Guns":
  kind side: red, blue
  kind sky: clear, fog
  map field:
    grid: rows A..B, columns from the west
    hexes: A1..A3, B1..B3
  mark silent of unit
  mark shelled of hex
  mark mined of hexside
  mark weather of side: sky = clear
  roster all:
    form: side
    red: Gun x2 @A1
    blue: Scout @B3
  define fire(h: hex) -> number: count(units_at(h) where not it.silent)
  define cover(h: hex) -> number: count(neighbors(h) where not it.shelled)
  define ways(h: hex) -> number: count(neighbors(h) where not edge(h, it).mined)
  define sight(h: hex) -> number: count(units_at(h) where it.side.weather = clear)
  sequence play:
    win nobody
  scenario first:
    sequence: play
"""
ASKED = {
    "fire(@A1)": ('"Gun 1".silent = true', 2, 1),
    "cover(@A1)": ("@A2.shelled = true", 3, 2),
    "ways(@A1)": ("edge(@A1, @A2).mined = true", 3, 2),
    "sight(@A1)": ("red.weather = fog", 2, 0),
}


def test_answers_that_are_kept_are_set_aside(tmp_path: Path) -> None:
    (tmp_path / "guns.rules").write_text(BOOK, encoding="utf-8")
    game = load(str(tmp_path / "guns.rules")).new("first", seed=1)
    for asked, (change, before, then) in ASKED.items():
        thrice = f"100 * {asked} + 10 * (supposing {change}: {asked}) + {asked}"
        told = str(game.why(thrice))
        assert told.splitlines()[0].endswith(f"= {100 * before + 10 * then + before}"), told
