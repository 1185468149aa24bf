"""An invariant that does not hold is found by `sim` and by `play --check`, with its case, the choice and the position."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.compiler.cli.main import main

BOOK = """book promise "A promise"

case 1 "Pieces":
  kind side: red, blue
  mark steps of side: number = 0
  map field:
    grid: rows A..A, columns 1..3
    hexes: A1..A3
  house roster men:
    form: side
    red: Guard @A1
    blue: Scout @A3

case 2 "Promise":
  invariant few_steps: every side has it.steps <= {most}

case 3 "Play":
  action step() by red during day:
    set red.steps = red.steps + 1
  sequence days:
    phase day:
      repeat at most 4: offer red once: step
  scenario one:
    sequence: days
"""


@pytest.fixture
def book(tmp_path: Path) -> Path:
    (tmp_path / "script").write_text("red: step\n" * 4)
    return tmp_path / "promise.rules"


def test_sim_finds_a_broken_invariant(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    book.write_text(BOOK.format(most=1))
    args = ["sim", str(book), "--games", "1", "--jobs", "1", "--players", "busy", "--quiet"]
    assert main(args) == 1
    out = capsys.readouterr().out
    assert "the invariant few_steps does not hold (case 2)" in out
    assert "after choice 2, red: step(), during day" in out and "the position is " in out and "seed 0, 2 choices" in out
    book.write_text(BOOK.format(most=4))
    assert main(args) == 0


def test_play_checks_when_it_is_told_to(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    book.write_text(BOOK.format(most=2))
    args = ["play", str(book), "--players", f"script:{book.parent / 'script'}", "--quiet"]
    assert main(args) == 0
    capsys.readouterr()
    assert main([*args, "--check"]) == 1
    told = "".join(capsys.readouterr())
    assert "the invariant few_steps does not hold" in told and "after choice 3, red: step(), during day" in told


def test_a_position_that_breaks_it_from_the_start(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    book.write_text(BOOK.format(most=-1))
    assert main(["sim", str(book), "--games", "1", "--jobs", "1", "--quiet"]) == 1
    assert "where the game begins" in capsys.readouterr().out
