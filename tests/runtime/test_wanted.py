"""A refused answer is told what it lacks, and what would do."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.compiler import load
from rulewright.runtime import Refusal

BOOK = """book depot "Depot"

case 1 "Pieces":
  kind side: red, blue
  field load of unit: number
  house map field:
    grid: rows A..A, columns 1..8
    hexes: A1..A8
  house roster army:
    form: load side
    1 red: First @A1
    2 red: Second @A2
    3 red: Third @A3
    1 red: Fourth @A4

case 2 "Play":
  sequence days:
    phase day:
      ask red for {asked}
    phase night:
      offer red: wave
  action wave() by red during night:
    log "They wave."
  scenario one:
    sequence: days
"""


@pytest.mark.parametrize(
    ("asked", "given", "told"),
    [
        ("one x from {@A2, @A3, @A4, @A5, @A6, @A7, @A8}", "@A1", "A1 is not among the answers; choose one of A2, A3, A4, A5, A6 and 2 more"),
        ("some x from units(red), exactly 2", '{"First"}', "1 chosen; choose exactly 2 of First, Fourth, Second and Third"),
        ("some x from units(red), at most 2", '{"First", "Second", "Third"}', "3 chosen; choose at most 2 of First, Fourth, Second and Third"),
        ("some x from units(red) where it.load < 3", '{"Third"}', "not to be chosen: Third; choose any of First, Fourth and Second"),
        ("some x from (units(red) where it.load > 1) else units(red), exactly 3", '{"First", "Second"}', "2 chosen; choose exactly 3"),
        ("some x from (units(red) where it.load > 1) else units(red), exactly 3", '{"First", "Second", "Fourth"}', "Second and Third must all be taken before any other"),
        ("order x from units(red)", '["First", "Second"]', "not each of them once; put in order: First, Fourth, Second and Third"),
        ("shares x of 5 among units(red)", '{"First": 2}', "2 shared out; share out 5 among First, Fourth, Second and Third"),
        ("some x from units(red), at least 1 so that sum(it.load over x) < 3", '{"Third"}', "it must be so that the total load of Third is less than 3"),
    ],
)  # fmt: skip
def test_what_is_missing_is_said(asked: str, given: str, told: str, tmp_path: Path) -> None:
    path = tmp_path / "depot.rules"
    path.write_text(BOOK.format(asked=asked), encoding="utf-8")
    game = load(str(path)).new("one")
    with pytest.raises(Refusal) as refused:
        game.do(f"red: x({given})")
    assert told in str(refused.value)
    assert game.decisions[0].name == "x"


def test_another_choice_is_told_what_is_asked(tmp_path: Path) -> None:
    path = tmp_path / "depot.rules"
    path.write_text(BOOK.format(asked="one x from units(red)"), encoding="utf-8")
    game = load(str(path)).new("one")
    with pytest.raises(Refusal, match="this is asked: Choose "):
        game.do("red: wave()")
