"""Judgements: which way a change pushes, whom it concerns, what it touches; and exact chances."""

from fractions import Fraction
from pathlib import Path

import pytest

from rulewright.compiler.cli.main import main
from rulewright.compiler.diff.compare import diff
from rulewright.compiler.pipeline import analyse

BOOK = Path(__file__).parent.parent / "books" / "skirmish.rules"
TEXT = BOOK.read_text()


def judged(tmp_path, *swaps, text=TEXT, examples=False):
    base = tmp_path / "base.rules"
    base.write_text(text)
    for old, new in swaps:
        assert old in text, old
        text = text.replace(old, new)
    other = tmp_path / "other.rules"
    other.write_text(text)
    sides = analyse(str(base)), analyse(str(other))
    for side in sides:
        assert not side.report.failed, [d.message for d in side.report.found]
    return diff(*sides, examples=examples)


DIRECTIONS = {
    "a budget raised": ([("budget: 3", "budget: 4")], "wider"),
    "a budget lowered": ([("budget: 3", "budget: 2")], "narrower"),
    "a cost raised": ([("enter: 1\n", "enter: 2\n")], "narrower"),
    "a ban added": ([("\n\ncase 3.2", "\n  forbid march when u.strength = 3\n\ncase 3.2")], "narrower"),
    "a ban on an action added": ([("\n\ncase 3.2", "\n  forbid move when u.strength = 3\n\ncase 3.2")], "narrower"),
    "a ban struck": ([("    forbid as enemy_there when any units_at(there) where it.side != u.side\n", "")], "wider"),
    "a ban that holds less often": (
        [
            (
                "any units_at(there) where it.side != u.side",
                "any units_at(there) where it.side != u.side and it.strength > 3",
            )
        ],
        "wider",
    ),
    "a stop that holds more often": (
        [
            (
                "stop march when in_zone(enemy(u.side), there)",
                "stop march when in_zone(enemy(u.side), there) or u.strength = 3",
            )
        ],
        "narrower",
    ),
    "a condition less": ([("    when no us where it.fought\n", "")], "wider"),
    "a condition more": ([("when not u.moved\n", "when not u.moved\n    when u.strength > 1\n")], "narrower"),
    "a bound raised": ([("odds_of(us, h) >= 1:2", "odds_of(us, h) >= 1:1")], None),
    "an action more": (
        [
            (
                "case 4 ",
                'case 3.3 "Rest":\n  action rest(u: unit from units(phasing)) by phasing during movement:\n    set u.moved\n\ncase 4 ',
            )
        ],
        "wider",
    ),
    "dearer woods": ([("march.enter: 2 when", "march.enter: 3 when")], "narrower"),
    "woods as clear": ([("  except 3 march.enter: 2 when there.terrain = woods", '  note ""')], "wider"),
    "a zone of its own hex": ([("{u.hex} + neighbors(u.hex)", "{u.hex}")], None),
    "a cell": ([("| 1-3 | A   | A   |", "| 1-3 | A   | D   |")], "different"),
}


@pytest.mark.parametrize("name", DIRECTIONS)
def test_the_form_of_a_change_proves_its_direction(name, tmp_path):
    swaps, expected = DIRECTIONS[name]
    made = judged(tmp_path, *swaps)
    assert len(made.judgements) == 1
    found = made.judgements[0]
    assert found.play == "may" and found.reason
    if expected is None:
        assert found.direction == "different" or found.certainty == "proved"
    else:
        assert (found.direction, found.certainty) == (expected, "" if expected == "different" else "proved")


SUPPLY = """
case 8 "Supply":
  route line(u: unit):
    over: land
    from: u.hex
    to: @D1
    budget: 4
    enter: 1
  define cut(u: unit) -> flag: no line(u)
  forbid move when cut(u)
"""


def test_a_push_is_followed_through_definitions_to_what_is_legal(tmp_path):
    made = judged(tmp_path, ("budget: 4", "budget: 5"), text=TEXT + SUPPLY)
    assert (made.judgements[0].direction, made.judgements[0].certainty) == ("wider", "proved")
    assert "8" in made.judgements[0].case
    turned = SUPPLY.replace("no line(u)", "any line(u)")
    made = judged(tmp_path, ("budget: 4", "budget: 5"), text=TEXT + turned)
    assert (made.judgements[0].direction, made.judgements[0].certainty) == ("narrower", "proved")


def test_a_push_that_acts_both_ways_proves_no_direction(tmp_path):
    both = SUPPLY + "  forbid attack when any us where not cut(it)\n"
    made = judged(tmp_path, ("budget: 4", "budget: 5"), text=TEXT + both)
    assert made.judgements[0].direction == "different"


def test_a_route_whose_cost_is_asked_proves_no_direction(tmp_path):
    asked = SUPPLY + "  define dear(u: unit, p: path) -> flag: cost(line(u), p) > 2\n"
    asked += "  forbid move as dear_line when dear(u, [@A1, @A2])\n"
    made = judged(tmp_path, ("budget: 4", "budget: 5"), text=TEXT + asked)
    assert (made.judgements[0].direction, made.judgements[0].certainty) == ("different", "")


def test_what_nothing_asks_for_does_not_alter_play(tmp_path):
    text = TEXT.replace("  define enemy", "  define idle() -> number: 1\n  define enemy")
    made = judged(tmp_path, ("idle() -> number: 1", "idle() -> number: 2"), text=text)
    assert made.judgements[0].play == "not" and made.judgements[0].reason == "nothing asks for it"


def test_whom_it_concerns_is_read_from_its_conditions(tmp_path):
    made = judged(tmp_path, ("\n\ncase 3.2", "\n  forbid march when u.side = red and u.strength in {3, 4}\n\ncase 3.2"))
    concerns = made.judgements[0].concerns
    assert concerns.sides == ("red",) and concerns.units == ("strength 3, 4",)
    made = judged(tmp_path, ("Blue 1 @D4", "Blue 1 @D3"))
    assert made.judgements[0].concerns.sides == ("blue",) and made.judgements[0].concerns.units == ("Blue 1",)


def test_the_cases_that_rest_on_a_change_are_named(tmp_path):
    made = judged(tmp_path, ("{u.hex} + neighbors(u.hex)", "neighbors(u.hex)"))
    assert made.judgements[0].case == "2"
    assert set(made.judgements[0].touches) >= {"3.1", "3"}
    assert "4" not in made.judgements[0].touches


def test_examples_that_come_out_otherwise_are_named(tmp_path):
    made = judged(tmp_path, ("budget: 3", "budget: 1"), examples=True)
    assert [e["title"] for e in made.judgements[0].examples] == ["a zone stops a march"]
    assert made.judgements[0].alters and "a zone stops a march" in made.judgements[0].evidence
    made = judged(tmp_path, ("budget: 3", "budget: 4"), examples=True)
    assert made.judgements[0].examples == ()


SHORT = """
errata sheet of skirmish:
  case E.1 "Short marches":
    amend 3 march: 3 becomes 1
    strike 6 "a zone stops a march"
    define longest -> number: 1
    example "no march of two":
      given "Red 1" at @A1
      given phasing = red
      given during movement
      refused red: move("Red 1", [@A1, @A2, @A3]) by 3
    example "what only the sheet knows":
      given "Red 1" at @A1
      given phasing = red
      given during movement
      refused red: move("Red 1", [@A1, @A2, @A3])
      expect longest = 1
    example "a march of one, as before":
      given "Red 1" at @A1
      given phasing = red
      given during movement
      legal red: move("Red 1", [@A1, @A2])
"""


def test_examples_that_a_sheet_brings_or_strikes_are_run_under_both(tmp_path):
    path = tmp_path / "skirmish.rules"
    path.write_text(f"{TEXT}\n{SHORT}")
    sides = analyse(str(path)), analyse(f"{path}+sheet")
    assert not any(side.report.failed for side in sides), [d.message for d in sides[1].report.found]
    made = diff(*sides)
    (told,) = (j for j in made.judgements if j.examples)
    assert {e["title"]: (e["before"][:5], e["after"][:5]) for e in told.examples} == {
        "a zone stops a march": ("holds", "fails"),
        "no march of two": ("fails", "holds"),
    }
    assert told.alters


def test_positions_that_were_observed_are_counted(tmp_path):
    made = judged(tmp_path, ("phase combat:", "phase combat when any units(blue):"))
    fact = made.facts[0]
    assert (made.judgements[0].play, made.judgements[0].certainty) == ("may", "")
    seen = diff(
        made.before,
        made.after,
        examples=False,
        search=lambda a, b, facts: [{"fact": f.id, "found": 3} for f in facts],
    )
    assert (seen.judgements[0].play, seen.judgements[0].certainty) == ("alters", "observed in 3 positions")
    assert seen.judgements[0].id == made.judgements[0].id
    assert seen.witnesses == [{"fact": fact.id, "found": 3}]


def test_what_only_new_rules_ask_for_is_not_a_change_of_its_own(tmp_path):
    more = "\n  define frail(u: unit) -> flag: u.strength = 1\n  forbid move when frail(u)\n\ncase 3.2"
    made = judged(tmp_path, ("\n\ncase 3.2", more))
    found = {f.element: j for f in made.facts for j in made.judgements if j.fact == f.id}
    assert found["definition"].play == "not" and found["definition"].reason == "only what is new asks for it"
    assert found["prohibition"].direction == "narrower"
    used = ("when not u.moved\n", "when not u.moved and not frail(u)\n")
    made = judged(tmp_path, ("\n\ncase 3.2", "\n  define frail(u: unit) -> flag: u.strength = 1\n\ncase 3.2"), used)
    found = {f.element: j for f in made.facts for j in made.judgements if j.fact == f.id}
    assert found["definition"].play == "may" and found["action"].direction == "narrower"


def test_saves_are_asked(tmp_path, capsys):
    base, other, same = (tmp_path / f"{x}.rules" for x in ("base", "other", "same"))
    base.write_text(TEXT)
    other.write_text(TEXT.replace("budget: 3", "budget: 1"))
    same.write_text(TEXT.replace("d: hex", "d: hex").replace("at most 10", "at most 11"))
    save = tmp_path / "game.save"
    players = ["--players", "random,random", "--seed", "3", "--quiet"]
    assert main(["play", str(base), *players, "--until", "12", "--save", str(save)]) == 0
    assert main(["diff", str(base), str(other), "--save", str(save), "--detail"]) == 0
    assert "first differs at event" in capsys.readouterr().out
    assert main(["diff", str(base), str(same), "--save", str(save), "--detail"]) == 0
    assert "replays identically" in capsys.readouterr().out


# ---------------------------------------------------------------- chances


def test_a_changed_cell_gives_exact_chances_in_every_column(tmp_path):
    made = judged(tmp_path, ("| 1-3 | A   | A   | D   |", "| 1-3 | A   | D   | D   |"))
    (d,) = made.distributions
    assert (d.table, d.dice, d.case) == ("results", "1d6", "4")
    columns = {c.name: c for c in d.columns}
    assert list(columns) == ["odds 1:2", "odds 1:1", "odds 2:1"]
    assert columns["odds 1:1"].outcomes == (("A", Fraction(1, 2), Fraction(0)), ("D", Fraction(1, 2), Fraction(1)))
    assert columns["odds 1:2"].outcomes == (("A", Fraction(1), Fraction(1)),)
    assert [c.changed for c in d.columns] == [False, True, False]


LOSSES = """
case 8 "Losses":
  define losses(r: text) -> number:
    2 when r = "D"
    1 otherwise
"""


def test_declared_losses_give_the_shift_of_what_is_expected(tmp_path):
    made = judged(tmp_path, ("| 1-3 | A   | A   | D   |", "| 1-3 | A   | D   | D   |"), text=TEXT + LOSSES)
    column = made.distributions[0].columns[1]
    assert column.expected == (("losses", Fraction(3, 2), Fraction(2)),)


def test_other_dice_change_the_chances(tmp_path):
    text = TEXT.replace(
        "table results(die: number, odds: odds) -> text:",
        "table results(die: number, odds: odds) -> text:\n    clamp die to 1..6",
    )
    made = judged(tmp_path, ("roll d = 1d6", "roll d = 2d6"), text=text)
    (d,) = made.distributions
    assert d.because == "1d6 → 2d6"
    column = next(c for c in d.columns if c.name == "odds 1:1")
    assert column.outcomes == (("A", Fraction(1, 2), Fraction(1, 12)), ("D", Fraction(1, 2), Fraction(11, 12)))


def test_a_changed_modifier_is_told_as_the_shift_it_makes(tmp_path):
    text = TEXT.replace(
        "table results(die: number, odds: odds) -> text:",
        "gather drm(s: side) -> number: 0\n  table results(die: number, odds: odds) -> text:\n    clamp die to 1..6",
    )
    text = text.replace("if results(d, odds_of", "if results(d + drm(phasing), odds_of")
    made = judged(tmp_path, ("\n\ncase 3.2", "\n  add to drm: 2 when s = red\n\ncase 3.2"), text=text)
    (d,) = made.distributions
    assert "drm 0 → +2" in d.because
    column = next(c for c in d.columns if c.name == "odds 1:1")
    assert column.outcomes == (("A", Fraction(1, 2), Fraction(1, 6)), ("D", Fraction(1, 2), Fraction(5, 6)))


def test_a_changed_bound_on_a_roll_gives_both_chances(tmp_path):
    text = TEXT.replace('    if results(d, odds_of(us, h)) = "D":', "    if d <= 4:")
    text = text.replace("  mark fought", "  define worst() -> text: results(1, 1:2)\n  mark fought")
    made = judged(tmp_path, ("if d <= 4", "if d <= 5"), text=text)
    (d,) = made.distributions
    assert d.columns[0].outcomes == (
        ("met", Fraction(2, 3), Fraction(5, 6)),
        ("not met", Fraction(1, 3), Fraction(1, 6)),
    )
