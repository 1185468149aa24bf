"""`more helps` is proved or refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.compiler.pipeline import analyse

BOOK = """\
book duel "Duel"

case 1 "Pieces":
  kind side: red, blue
  scale odds: 1:2, 1:1, 2:1
  field strength, skill of unit: number
  field leader of unit: flag
  record fight:
    attackers: set of unit
    target: hex
  mark wounds of unit: number
  map board:
    grid: rows A..B, columns from the west
    hexes: A1..A3, B1..B3
  roster armies:
    form: strength side
    3 red: Red 1 @A1, Red 2 @A2
      skill: -1
    4 blue: Blue 1 @B2
case 2 "Values":
  gather worth(u: unit, f: fight) -> number:
    u.strength
    stages: halved round up, doubled once
  add to worth in doubled: times 2 when any f.attackers where it.leader
  define odds_of(f: fight) -> odds:
    2:1 when count(units_at(f.target)) = 0
    on_scale(odds, sum(it.strength over f.attackers) / sum(it.strength over units_at(f.target))) otherwise
  define odds_halved(f: fight) -> odds:
    1:2 when count(f.attackers) > 2
    odds_of(f) otherwise
  define led(us: set of unit) -> flag: any us where it.leader
  define left_of(u: unit) -> number: u.strength - u.wounds
  matching assault(s: side):
    each a in units(s)
    to h in hexes where any units_at(it) where it.side != s
    forbid when not adjacent(a.hex, h)
    require as asked: {condition}
    idle
    more helps
  define can(s: side) -> flag: any assault(s)
"""


def verdicts(tmp_path: Path, condition: str) -> list[str]:
    path = tmp_path / "duel.rules"
    path.write_text(
        BOOK.replace("{condition}", condition).replace("mark wounds of", "mark wounds on").replace("stages:", "steps:")
    )
    found = [d for d in analyse(str(path)).report.found if d.severity == "error"]
    assert {d.code for d in found} <= {"RW309"}, found
    return [d.message for d in found]


@pytest.mark.parametrize(
    "condition",
    [
        "any assigned",
        "count(assigned) >= 2",
        "not count(assigned) < 2",
        "sum(it.strength over assigned) >= 2 * count(group)",
        "led(assigned) or count(assigned) > 1",
        "odds_of(fight(attackers: assigned, target: h)) >= 1:1",
        "sum(worth(it, fight(attackers: assigned, target: h)) over assigned) > 5",
        "every group has count(units_at(it)) < 9",
        "highest(it.skill over assigned) >= 0",
        "sum(highest(0, left_of(it)) over assigned) > 3",
        "count(assigned) > 1 when s = red",
    ],
)
def test_conditions_that_only_gain(tmp_path: Path, condition: str) -> None:
    assert verdicts(tmp_path, condition) == []


@pytest.mark.parametrize(
    ("condition", "said"),
    [
        ("count(assigned) <= 1", "one more item can spoil"),
        ("every assigned has it.leader", "one more item can spoil"),
        ("no assigned where it.leader", "one more item can spoil"),
        ("lowest(it.strength over assigned) > 1", "one more item can spoil"),
        ("count(assigned) = 2", "it cannot be seen"),
        ("sum(it.skill over assigned) >= 0", "it cannot be seen"),
        ("sum(left_of(it) over assigned) > 3", "it cannot be seen"),
        ("odds_halved(fight(attackers: assigned, target: h)) >= 1:1", "it cannot be seen"),
        ("s = red when count(assigned) > 1", "one more item can spoil"),
        ("count(unassigned) <= 1", '"asked" asks about the whole plan'),
    ],
)
def test_conditions_that_more_can_spoil_or_that_are_not_plain(tmp_path: Path, condition: str, said: str) -> None:
    (found,) = verdicts(tmp_path, condition)
    assert found.startswith(said)
