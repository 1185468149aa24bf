"""A direction that is told as proved holds: changes that look one way by their form and go the other, or both ways."""

import pytest

from rulewright.compiler.diff.compare import diff
from rulewright.compiler.pipeline import analyse

BASE = """
book tiny "Tiny"
case 1 "Pieces":
  kind side: red, blue
  kind arm: foot, horse, guns
  kind weather: clear, mud
  field strength: STRENGTH
  field arm of unit: arm
  field arrives of unit: turn or never
  calendar campaign:
    from: Mar 1815
    to: Aug 1815
    step: 1 month
  mark weather of game: weather = clear
  mark owner of hex: side or nobody
  mark tired of unit
  box dead
  map field:
    grid: rows A..C, columns from the west
    hexes: A1..A6, B1..B6, C1..C6
  roster armies:
    form: strength-movement arm arrives side
    3-4 foot Apr 1815 red: Red 1 @A1, Red 2 @B1
    2-6 horse never red: Lancers @C1
    4-4 foot May 1815 blue: Blue 1 @A6, Blue 2 @B6
case 2 "March":
  define pace(u: unit) -> number: 3
  route march(u: unit):
    from: u.hex
    budget: pace(u)
    enter: 1
    forbid as enemy when any units_at(there) where it.side != u.side
  mark moved of unit until end of movement
  action move(u: unit from units(phasing), p: path from march(u)) by phasing during movement:
    when not u.moved
    walk u along p
    set u.moved
case 3 "Fire":
  mark fought of unit until end of combat
  action attack(u: unit from units(phasing), e: unit from all_units()) by phasing during combat:
    when e.side != phasing
    when not u.fought
    when distance(u.hex, e.hex) = 1
    roll d = 1d6
    set u.fought
    if d >= 5: put e in dead
case 4 "Tried":
  note "here"
EXTRA
case 9 "Sequence":
  sequence play:
    phase turn for now in turns:
      phase side_turn for phasing in [red, blue]:
        phase movement:
          offer phasing: move
        phase combat:
          offer phasing: attack
  scenario battle:
    sequence: play
""".replace("field strength: STRENGTH", "field strength, movement of unit: number")

DUTY = """
  duty must for u in units(phasing) during combat:
    u.fought
"""
LET = """
  define able(u: unit) -> flag:
    let weak = u.strength < 2
    not weak
  forbid attack when not able(u)
"""
BACK = """
  route back(u: unit) like march:
    budget: 1
  forbid attack as able when any back(u)
"""
LEFT = """
  quota shots(s: side) per turn: 1
  forbid attack as many when left(shots(phasing)) >= 2
  on attack(u, e): spend shots(phasing)
"""
TIMES = """
  gather mod(u: unit) -> number:
    VALUE
    stages: turned, plain
  add to mod in turned: times FACTOR when u.arm = horse
  forbid attack as weak when mod(u) < 2
"""
WAIVED = """
  except 2 pace: 1 when u.arm = guns
  forbid attack as slow when u.arm = guns
case 5 "Lifted":
  note "here too"
  waive 4 pace when weather = mud
"""
ENDS = """
  define need -> number: 3
case 4.1 "Otherwise":
  except 4 need: 6 - usual when weather = mud
  on end of turn when count(units(red)) < need: win blue
"""
LET_WINS = """
  define many -> flag:
    let need = 3
    count(units(red)) >= need
  on end of turn when many: win blue
"""
LISTED = """
  route walk_on(u: unit):
    from: u.hex
    budget: 3
    enter: 1
  forbid attack as far when any walk_on(u) as p where @A3 in steps(p)
"""

CASES = {
    "a budget that an exception takes away from": (
        "  except 2 pace: 8 - usual when u.arm = horse\n",
        ("-> number: 3", "-> number: 4"),
        "different",
    ),
    "a quota of which much may not be left": (LEFT, ("per turn: 1", "per turn: 2"), "narrower"),
    "what is left, with an exception": (
        LEFT + "  except 4 shots: 3 when s = red\n",
        ("  except 4 shots: 3 when s = red\n", ""),
        "wider",
    ),
    "a name for what is then denied": (LET, ("u.strength < 2", "u.strength < 3"), "different"),
    "a rule of a route that another is like": (
        BACK + "  forbid march as off when weather = mud\n",
        ("  forbid march as off when weather = mud\n", ""),
        "different",
    ),
    "a price of a route that another is like": (BACK, ("    enter: 1\n", "    enter: 2\n"), "different"),
    "a number that is turned round": (
        TIMES.replace("VALUE", "3").replace("FACTOR", "-1"),
        ("    3\n    stages", "    4\n    stages"),
        "different",
    ),
    "a number that is doubled": (
        TIMES.replace("VALUE", "3").replace("FACTOR", "2"),
        ("    3\n    stages", "    4\n    stages"),
        "wider",
    ),
    "a factor of what may be negative": (
        TIMES.replace("VALUE", "u.strength - 3").replace("FACTOR", "2"),
        ("times 2", "times 3"),
        "different",
    ),
    "a factor of what is not negative": (
        TIMES.replace("VALUE", "u.strength").replace("FACTOR", "2"),
        ("times 2", "times 3"),
        "wider",
    ),
    "a waiver of an exception beside a ban": (WAIVED, ("  waive 4 pace when weather = mud\n", ""), "different"),
    "a waiver of the ban": (
        WAIVED.replace("waive 4 pace", "waive 4 slow"),
        ("  waive 4 slow when weather = mud\n", ""),
        "narrower",
    ),
    "a way to win that an exception turns": (ENDS, ("need -> number: 3", "need -> number: 2"), "different"),
    "a name in a way to win": (LET_WINS, ("need = 3", "need = 2"), "different"),
    "a path that is another one when more are open": (LISTED, ("budget: 3", "budget: 4"), "different"),
}


def made(tmp_path, extra, swap):
    text = BASE.replace("EXTRA", extra.strip("\n"))
    assert text.count(swap[0]) == 1
    sides = []
    for name, written in (("a", text), ("b", text.replace(*swap))):
        path = tmp_path / f"{name}.rules"
        path.write_text(written)
        sides.append(analyse(str(path)))
        assert not sides[-1].report.failed, [d.message for d in sides[-1].report.found]
    found = diff(*sides, examples=False).judgements
    assert len(found) == 1
    return found[0]


@pytest.mark.parametrize("name", CASES)
def test_a_proved_direction_is_the_true_one(name, tmp_path):
    extra, swap, direction = CASES[name]
    found = made(tmp_path, extra, swap)
    assert (found.direction, found.certainty) == (direction, "" if direction == "different" else "proved")


def test_an_action_that_a_duty_waits_for_moves_the_end_of_its_window(tmp_path):
    more = ("    when distance(u.hex, e.hex) = 1\n", "")
    found = made(tmp_path, DUTY, more)
    assert found.verdict.startswith("may alter play: wider (proved, but for done)")
    assert "done later under the duty must" in found.reason
    assert made(tmp_path, DUTY + "    failing:\n      put u in dead\n", more).but == ""
    assert made(tmp_path, DUTY.replace("combat", "movement").replace("u.fought", "u.moved"), more).but == ""
    assert made(tmp_path, "", more).but == ""
    less = ("    when not u.fought\n", "    when not u.fought\n    when u.arm = foot\n")
    found = made(tmp_path, DUTY, less)
    assert (found.direction, found.but) == ("narrower", "done") and "done sooner" in found.reason


WHOM = {
    "the turn of a counter is its own": ("u.arrives < Jun 1815", (), ("arrives before Jun 1815",), ()),
    "the month in which it comes": ("month(u.arrives) = May", (), (), ()),
    "a turn that is counted on": ("turn_after(now, 1) = May 1815", (), (), ()),
    "the present turn": ("now = May 1815", ("May 1815",), (), ()),
    "the present month": ("month(now) = May", ("May",), (), ()),
    "who holds a hex": ("u.hex.owner = red", (), (), ()),
    "the side of a counter": ("u.side = red", (), (), ("red",)),
}


@pytest.mark.parametrize("name", WHOM)
def test_whom_a_rule_concerns_is_no_more_than_it_says(name, tmp_path):
    condition, turns, units, sides = WHOM[name]
    ban = f"  forbid attack as tried when {condition}\n"
    found = made(tmp_path, ban, (ban.strip(), 'note "gone"')).concerns
    assert (found.turns, found.units, found.sides) == (turns, units, sides)


NOT = {
    "a quota that nothing spends": (
        "  quota shots per turn: 2\n",
        "  quota shots per turn: 2\n",
        "nothing asks for it",
    ),
    "a matching that nothing asks": (
        "  matching pairs(s: side):\n    each a in units(s)\n    to h in occupied(s)\n    idle\n",
        "  matching pairs(s: side):\n    each a in units(s)\n    to h in occupied(s)\n    idle\n",
        "nothing asks for it",
    ),
    "a preview": ("  preview attack as odds: u.strength\n", "  preview attack as odds: u.strength\n", "shown"),
    "a block of what is shown": ("  shown table:\n    weather\n", "  shown table:\n    weather\n", "shown"),
    "a ban that never holds": (
        "  forbid move when u.side = red and u.side = blue\n",
        "  forbid move when u.side = red and u.side = blue\n",
        "never hold",
    ),
}


@pytest.mark.parametrize("name", NOT)
def test_what_can_never_be_felt_is_said_so(name, tmp_path):
    extra, gone, reason = NOT[name]
    found = made(tmp_path, extra, (gone.rstrip("\n"), '  note "gone"'))
    assert found.play == "not" and reason in found.reason


ASKED = {
    "the board": ("  define gold(s: side) -> number: 3\n  shown table:\n    gold\n", "what players are shown"),
    "a preview": (
        "  define gold(s: side) -> number: 3\n  preview attack as odds: gold(e.side)\n",
        "what players are shown",
    ),
    "an invariant": (
        "  define gold(s: side) -> number: 3\n  invariant few: gold(red) < 9\n",
        "an invariant",
    ),
}


@pytest.mark.parametrize("name", ASKED)
def test_who_alone_asks_for_a_value_is_named(name, tmp_path):
    extra, asker = ASKED[name]
    found = made(tmp_path, extra, ("gold(s: side) -> number: 3", "gold(s: side) -> number: 4"))
    assert found.play == "not" and found.reason == f"only {asker} asks for it"
