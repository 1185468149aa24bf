"""Small forms of the language: sums of dice, case numbers with brackets, dates in rosters, words for what is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.compiler import load
from rulewright.compiler.examples.run import run_examples
from rulewright.compiler.pipeline import analyse

BOOK = """\
book small "Small"

case 1 "Pieces":
  kind side: red, blue
  kind arm: foot, horse
  field strength, movement of unit: number
  field arm of unit: arm
  field arrives of unit: turn or never
  box dead(s: side)
  calendar war:
    from: Apr 1644
    to: Jul 1644
    step: 1 month
  map board:
    grid: rows A..B, columns from the west
    hexes: A1..A3, B1..B3
  roster armies:
    form: {form}
    side: red
    {line}: Guards @A1
"""

PLAY = """
case 2.a) "Luck":
  mark luck of side: number
  procedure try_it(n: number):
    roll die = 2d6 - n + 1
    set red.luck = die
    together:
      roll second = 1 + 1d6
      set blue.luck = second
  example "a modified roll":
    dice 5, 4, 6
    run try_it(3)
    expect red.luck = 7 and blue.luck = 7
case 2.b) "More luck":
  action gamble(n: number from {1..3}) by phasing during gambling:
    when n < 3
    set red.luck = n
  forbid gamble as too_low when n = 1
  covers 2.c), 2.d)/p1
  example "refused by a case with a bracket":
    given phasing = red
    given during gambling
    refused red: gamble(1) by 2.b)
    refused red: gamble(3) by 2.b)
    play red: gamble(2)
    expect red.luck = 2
case 2.e) "Never too low":
  waive 2.b) too_low when red.luck > 5
case 3 "Sequence":
  sequence of_play:
    phase gambling for phasing in [red, blue]:
      offer phasing: gamble
      do try_it(1)
  scenario first:
    sequence: of_play
"""


def book(tmp_path: Path, form: str = "strength-movement arm arrives", line: str = "4-4 foot Apr 1644") -> str:
    path = tmp_path / "small.rules"
    path.write_text(BOOK.format(form=form, line=line) + PLAY)
    return str(path)


def test_sums_of_dice_and_case_numbers_with_brackets(tmp_path: Path) -> None:
    made = analyse(book(tmp_path))
    assert not made.report.failed
    outcomes = run_examples(made.book, load(book(tmp_path)).program)
    assert [(o.example.case, o.passed) for o in outcomes] == [("2.a)", True), ("2.b)", True)]


def test_waivers_may_waive_one_another_to_any_depth(tmp_path: Path) -> None:
    """Each stands before the one that it waives, so that the first finds its target last of all."""
    path = Path(book(tmp_path))
    chain = "".join(f'case 1.{i} "Waiver {i}":\n  waive 1.{i + 1} when red.luck > {i}\n' for i in range(1, 8))
    last = 'case 1.8 "The last":\n  waive 2.b) too_low when red.luck > 9\n'
    path.write_text(path.read_text() + chain + last)
    made = analyse(str(path))
    assert [d.message for d in made.report.found if d.severity == "error"] == []
    [ban] = [r for r in made.book.actions["gamble"].rules if r.label == "too_low"]
    depth, waivers = 0, ban.waivers
    while inner := next((w for w in waivers if w.case.startswith("1.")), None):
        depth, waivers = depth + 1, inner.waivers
    assert depth == 8


@pytest.mark.parametrize(
    ("form", "line", "arrives"),
    [
        ("strength-movement arm arrives", "4-4 foot Apr 1644", 0),
        ("arrives arm strength-movement", "Jun 1644 foot 4-4", 2),
        ("strength-movement arm arrives", "4-4 foot never", None),
    ],
)
def test_a_roster_line_may_hold_a_date(tmp_path: Path, form: str, line: str, arrives: int | None) -> None:
    made = analyse(book(tmp_path, form, line))
    assert not made.report.failed
    assert made.book.units[0].fields["arrives"] == arrives


@pytest.mark.parametrize(
    ("form", "line", "said", "help"),
    [
        (
            "strength-movement arm arrives",
            "4-4 foot Apr",
            '"4-4 foot Apr" does not have the form "strength-movement arm arrives"',
            "write strength-movement arm arrives: NAME, NAME @PLACE, …; strength is a number, movement is a number, "
            "arm is one of foot, horse, arrives is a turn such as Apr 1644",
        ),
        ("strength-movement arm arrives", "4-4 foot Apr 1650", '"Apr 1650" is no turn or nothing', ""),
    ],
)
def test_what_a_line_should_look_like_is_said_in_words(
    tmp_path: Path, form: str, line: str, said: str, help: str
) -> None:
    found = [d for d in analyse(book(tmp_path, form, line)).report.found if d.code == "RW123"]
    assert [d.message for d in found] == [said]
    assert found[0].help.startswith(help)


def test_a_step_of_the_wrong_form_is_told_in_words(tmp_path: Path) -> None:
    path = Path(book(tmp_path))
    path.write_text(path.read_text().replace("step: 1 month", "step: a month"))
    found = [d for d in analyse(str(path)).report.found if d.code == "RW123"]
    assert found[0].help.startswith(
        "a step is half month, 1 month, 2 months, a number of days such as 7 days, or the days"
    )


def test_turns_on_fixed_days_of_each_month(tmp_path: Path) -> None:
    path = Path(book(tmp_path))
    old = path.read_text().split("calendar ")[1].split("step: 1 month")[0]
    for end, last in (("8 Mar 1942", "8 Mar 1942"), ("9 Mar 1942", None)):
        new = old.split("from:")[0] + f"from: 22 Feb 1942\n    to: {end}\n    "
        changed = path.read_text().replace(old, new).replace("step: 1 month", "step: days 1, 8, 22, 29")
        other = path.with_name("days.rules")
        other.write_text(changed)
        made = analyse(str(other))
        told = [d for d in made.report.found if d.code == "RW123" and "is no day of" in d.message]
        assert bool(told) == (last is None)
        if last is not None:
            assert made.book is not None and made.book.calendar is not None
            assert [t[0] for t in made.book.calendar.turns] == ["22 Feb 1942", "1 Mar 1942", "8 Mar 1942"]
