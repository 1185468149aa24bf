"""What a struck declaration leaves behind: a finding that names the amendment, whatever sort of declaration it was."""

import pytest

from rulewright.compiler.pipeline import analyse

BOOK = """
book loose "Loose ends"
case 1 "Pieces":
  kind side: red, blue
  field strength, speed of unit: number
  map field:
    grid: rows A..B, columns from the west
    hexes: A1..A4, B1..B4
  roster armies:
    form: strength-speed side
    3-4 red: Red 1 @A1
    4-4 blue: Blue 1 @B4
case 2 "Words":
  kind sky: fair, rain
  scale odds: 1:2, 1:1
  record blow:
    power: number
  box dead
  mark weather of game: sky = fair
  quota shots per turn: 2
  unclear late "Is it late?":
    reading soon "by the title"
    reading never_late "by the example"
case 3 "Reckoning":
  define pace(u: unit) -> number: u.speed
  table price(s: sky) -> number:
    | s    | price |
    | fair | 1 |
    | rain | 2 |
  grow chain(s: side) -> set of unit from units(s): it.hex = @A1
  remember held(h: hex from {@A1}) -> flag ever: any units_at(h)
  matching pairs(s: side):
    each a in units(s)
    to h in occupied(s)
    idle
  route march(u: unit):
    from: u.hex
    budget: 2
    enter: 1
case 4 "Deeds":
  procedure lose(u: unit):
    put u in dead
  action move(u: unit from units(phasing), p: path from march(u)) by phasing during turn:
    when pace(u) > 1 and price(weather) = 1 and held(@A1)
    when any pairs(phasing) and u in chain(phasing)
    when late = soon
    when blow(power: 2).power > 1 and on_scale(odds, u.strength / 2) >= 1:2
    spend shots
    walk u along p
  action fall(u: unit from units(phasing)) by phasing during turn:
    do lose(u)
case 5 "Sequence":
  sequence play:
    phase turn for phasing in [red, blue]:
      offer phasing: move, fall
  scenario battle:
    sequence: play

errata sheet of loose "Sheet":
  case E.1 "Gone":
    AMENDMENT
"""
STRUCK = {
    "a kind": "2 sky",
    "a scale": "2 odds",
    "a record": "2 blow",
    "a box": "2 dead",
    "a mark": "2 weather",
    "a quota": "2 shots",
    "an open question": "2 late",
    "a definition": "3 pace",
    "a table": "3 price",
    "a growing set": "3 chain",
    "a memory": "3 held",
    "a matching": "3 pairs",
    "a route": "3 march",
    "a procedure": "4 lose",
    "an action": "4 fall",
    "a sequence": "5 play",
    "a whole case": "2",
}


@pytest.mark.parametrize("name", STRUCK)
def test_a_name_that_an_amendment_took_out_is_told_with_the_amendment(name, tmp_path):
    path = tmp_path / "loose.rules"
    path.write_text(BOOK.replace("AMENDMENT", f"strike {STRUCK[name]}"))
    assert not analyse(str(path)).report.failed
    found = [d for d in analyse(f"{path}+sheet").report.found if d.severity == "error"]
    assert found
    assert any(d.help.startswith("E.1 of sheet takes it out (") for d in found), [(d.message, d.help) for d in found]
