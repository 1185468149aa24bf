"""Chances of a diff against brute force over all dice, on random small books; and signs, fractions, cells out of reach."""

import itertools
import random
from collections import Counter
from fractions import Fraction

import pytest

from rulewright.compiler.core.types import NUMBER
from rulewright.compiler.diff.compare import diff
from rulewright.compiler.diff.render import render_text
from rulewright.compiler.evaluate.expression import read_expression
from rulewright.compiler.interpret.game import Oracle
from rulewright.compiler.pipeline import analyse
from rulewright.compiler.sheet.write import sheet_text
from rulewright.dsl.diagnostics import Reporter

BOOK = """book dice "Dice"

case 1 "Pieces":
  kind side: red, blue
  field strength of unit: number
  mark hits of game: number = 0
  mark lucky of game: flag = false
  box dead
  map field:
    grid: rows A..B, columns from the east
    hexes: A1..A4, B1..B4
  roster armies:
    form: strength side
    3 red: Red 1 @A1
    2 blue: Blue 1 @B4

case 2 "Modifiers":
  define modifier(s: side) -> number:
    MODIFIER when s = red
    0 otherwise
  define bound() -> number: BOUND
  gather sum_of(s: side) -> number: 0
  add to sum_of: GIVEN when s = red

case 3 "Results":
  table results(die: number, range: number) -> number:
CLAMP    | die | 1 | 2 |
ROWS
  procedure shoot(range: number):
    roll d = DICE
    set hits = results(KEY, range)
  procedure try_it():
    roll d = DICE
    if TEST: set lucky = true

case 4 "Sequence":
  action fire() by phasing during movement:
    do shoot(1)
    do shoot(2)
    do try_it()
  sequence play:
    phase side_turn for phasing in [red, blue]:
      phase movement:
        offer phasing: fire
  scenario battle:
    sequence: play
"""
KEYS = ["d", "d + 1", "d + modifier(red)", "d - modifier(red)", "up(d / 2) + modifier(red)", "7 - d", "d + sum_of(red)",
        "down((d + modifier(red)) / 2)", "2 * d - modifier(red)", "lowest(it over {d, 4}) + sum_of(red)"]  # fmt: skip
TESTS = ["d {s} bound()", "bound() {s} d", "d + modifier(red) {s} 4", "d {s} 4 - modifier(red)", "2 * d {s} bound()",
         "not d {s} bound()", "d - sum_of(red) {s} NUMBER", "d {s} NUMBER", "NUMBER {s} d", "d * bound() {s} 6"]  # fmt: skip


def book(path, chosen):
    text = BOOK
    for word, value in chosen.items():
        text = text.replace(word, str(value))
    path.write_text(text)
    made = analyse(str(path))
    assert not made.report.failed, ([d.message for d in made.report.found], text)
    return made


def rows(r, low, high):
    """Rows that cover the die without a gap, and their cells."""
    lines, at = [], low
    while at <= high:
        to = min(high, at + r.randint(0, 2))
        label = str(at) if at == to else f"{at}-{to}"
        lines.append((label, r.randint(0, 3), r.randint(0, 3)))
        at = to + 1
    return lines


def drawn(lines):
    return "\n".join(f"    | {label} | {x} | {y} |" for label, x, y in lines)


def choose(r):
    count, sides = r.choice([(1, 6), (2, 6), (1, 10), (2, 4)])
    low, high = count - r.randint(0, 2), count * sides + r.randint(-1, 2)
    chosen = {
        "MODIFIER": r.choice(["-3", "-2", "-1", "0", "1", "2", "1/2"]) if r.random() < 0.9 else "-1/2",
        "BOUND": r.choice(["-1", "2", "3", "4", "7/2", "5/3", "2 + 3"]),
        "GIVEN": r.choice(["-2", "-1", "1", "2"]),
        "NUMBER": r.choice(["-1", "3", "4", "9/2"]),
        "CLAMP": f"    clamp die to {low}..{high}\n",
        "KEY": r.choice(KEYS),
        "TEST": r.choice(TESTS).format(s=r.choice(["<", "<=", ">", ">=", "="])),
        "DICE": f"{count}d{sides}",
    }
    if "1/2" in chosen["MODIFIER"] and "modifier" in chosen["KEY"]:
        chosen["KEY"] = "down((d + modifier(red)) / 2)"
    return chosen, rows(r, low, high)


def changes(r, chosen, lines):
    """One change of the book: a number, a cell, the dice."""
    other = dict(chosen)
    what = r.choice(["MODIFIER", "BOUND", "GIVEN", "NUMBER", "cell", "cell", "DICE"])
    after = list(lines)
    if what == "cell":
        i = r.randrange(len(lines))
        label, x, y = lines[i]
        after[i] = (label, x + 1, y) if r.random() < 0.5 else (label, x, y + 1)
    elif what == "DICE":
        other["DICE"] = r.choice([x for x in ("1d6", "2d6", "1d10", "2d4") if x != chosen["DICE"]])
    else:
        pool = {"MODIFIER": ["-3", "-2", "-1", "0", "1", "2"], "BOUND": ["-1", "2", "3", "4", "7/2", "5/3"],
                "GIVEN": ["-3", "-2", "-1", "1", "2"], "NUMBER": ["-1", "3", "4", "9/2", "5"]}[what]  # fmt: skip
        other[what] = r.choice([x for x in pool if x != chosen[what]])
    return other, after, what


def value(made, text, d, extra):
    report = Reporter()
    e = read_expression(made, text, report, {"d": NUMBER, **{k: NUMBER for k in extra}})
    assert e is not None, [x.message for x in report.found]
    table = Oracle(made.book).new(seed=1).begun()[0]
    return table.ev.value(table.W, e, {"d": d, **extra})


def throws(dice):
    count, sides = map(int, dice.split("d"))
    sums = Counter(sum(faces) for faces in itertools.product(range(1, sides + 1), repeat=count))
    return {total: Fraction(ways, sides**count) for total, ways in sums.items()}


def brute(made, chosen):
    """The chance of every outcome of both procedures, by asking the oracle for every face."""
    found = {}
    for column in (1, 2):
        chances = Counter()
        for d, p in throws(chosen["DICE"]).items():
            chances[str(value(made, f"results({chosen['KEY']}, column)", d, {"column": column}))] += p
        found[f"range {column}"] = dict(chances)
    met = sum((p for d, p in throws(chosen["DICE"]).items() if value(made, chosen["TEST"], d, {})), Fraction(0))
    found["test"] = met
    return found


@pytest.mark.parametrize("seed", range(40))
def test_chances_are_those_of_brute_force(seed, tmp_path):
    r = random.Random(seed)
    chosen, lines = choose(r)
    other, after, what = changes(r, chosen, lines)
    chosen["ROWS"], other["ROWS"] = drawn(lines), drawn(after)
    chosen["TEST"] = chosen["TEST"].replace("NUMBER", chosen["NUMBER"])
    other["TEST"] = other["TEST"].replace("NUMBER", other["NUMBER"])
    a, b = book(tmp_path / "a.rules", chosen), book(tmp_path / "b.rules", other)
    made = diff(a, b, examples=False)
    before, now = brute(a, chosen), brute(b, other)
    tables = [d for d in made.distributions if d.table == "results"]
    tests = [d for d in made.distributions if d.table != "results"]
    for d in tables:
        for column in d.columns:
            for side, truth in ((1, before), (2, now)):
                told = {row[0]: row[side] for row in column.outcomes if row[side]}
                assert told == truth[column.name], (what, chosen, other, column)
    changed = {k for k in ("range 1", "range 2") if before[k] != now[k]}
    assert changed == {col.name for d in tables for col in d.columns if col.changed}, (what, chosen, other)
    for d in tests:
        assert d.columns[0].outcomes[0][1:] == (before["test"], now["test"]), (what, chosen, other)
    assert bool(tests) == (before["test"] != now["test"]), (what, chosen, other)


def test_a_roll_that_a_mark_keeps_is_not_followed_and_that_is_said(tmp_path):
    text = """book kept "Kept"

case 1 "The die is kept":
  kind side: red, blue
  mark drawn of game: number = 0
  define needed() -> number: 4
  procedure look():
    roll d = 1d6
    let twice = d + d
    set drawn = twice
  procedure act():
    if drawn >= needed(): win red
"""
    first, second = tmp_path / "kept.rules", tmp_path / "other.rules"
    first.write_text(text)
    second.write_text(text.replace("number: 4", "number: 5"))
    sides = analyse(str(first)), analyse(str(second))
    assert not any(s.report.failed for s in sides), [d.message for s in sides for d in s.report.found]
    made = diff(*sides, examples=False)
    assert [*made.unfollowed.values()] == [{"drawn": "1"}] and not made.distributions
    assert "no chances are told through drawn (case 1), which keeps a roll" in render_text(made)
    assert "No chances are told through drawn (case 1), which keeps a roll." in sheet_text(made, "html", detail=True)


WAYS = {
    "an earlier branch takes a face": (
        "if d = 6: win red\n    else if d >= N: set lucky = true",
        lambda d, f, n: (d != 6, d >= n),
    ),
    "two dice in one condition": (
        "roll f = 1d6\n    if d >= N and f >= N: set lucky = true",
        lambda d, f, n: (True, d >= n <= f),
    ),
    "one of two dice is enough": (
        "roll f = 1d6\n    if d >= N or f >= N: set lucky = true",
        lambda d, f, n: (True, d >= n or f >= n),
    ),
    "what must not be": ("if not (d = 1 or d >= N): set lucky = true", lambda d, f, n: (True, not (d == 1 or d >= n))),
    "a second roll after a good first one": (
        "if d >= 3:\n      roll f = 1d6\n      if d + f >= 2 * N: set lucky = true",
        lambda d, f, n: (d >= 3, d + f >= 2 * n),
    ),
    "tens and ones": (
        "roll f = 1d6\n    if 10 * d + f >= 11 * N: set lucky = true",
        lambda d, f, n: (True, 10 * d + f >= 11 * n),
    ),
    "a clause before it": ("if good(d): set lucky = true", lambda d, f, n: (d > 1, d >= n)),
}
LUCK = """
book luck "Luck"
case 1 "Pieces":
  kind side: red, blue
  mark lucky of game: flag = false
  define good(d: number) -> flag:
    false when d = 1
    true when d >= NN
    false otherwise
case 2 "Tries":
  procedure try_it:
    roll d = 1d6
    WAY
  sequence play:
    phase turn for phasing in [red, blue]:
      do try_it
  scenario battle:
    sequence: play
"""


@pytest.mark.parametrize("name", WAYS)
@pytest.mark.parametrize("bounds", [(4, 5), (3, 2)])
def test_the_chance_is_that_of_what_is_asked_and_met(name, bounds, tmp_path):
    way, holds = WAYS[name]
    sides = []
    for n in bounds:
        path = tmp_path / f"b{n}" / "luck.rules"
        path.parent.mkdir()
        path.write_text(LUCK.replace("WAY", way).replace("NN", "N").replace("N", str(n)))
        sides.append(analyse(str(path)))
        assert not sides[-1].report.failed, [d.message for d in sides[-1].report.found]
    found = [x for x in diff(*sides, examples=False).distributions if "met" in dict(outcomes(x))]
    expected = []
    for outcome in ("met", "not met", "not asked"):
        seen = [Fraction(sum(said(holds(d, f, n)) == outcome for d in FACES for f in FACES), 36) for n in bounds]
        expected += [(outcome, tuple(seen))] if any(seen) else []
    assert expected in [outcomes(x) for x in found]


FACES = range(1, 7)


def said(found):
    asked, met = found
    return "not asked" if not asked else "met" if met else "not met"


def outcomes(distribution):
    (column,) = distribution.columns
    return [(name, (x, y)) for name, x, y in column.outcomes]


COLUMN = """
  table fire(die: number, col: number) -> number:
    | die | 1 | 2 | 3 |
    | 1-2 | 0 | 0 | 1 |
    | 3-5 | 0 | 1 | 1 |
    | 6   | 1 | 1 | 2 |
  define col -> number: 1
  procedure shoot:
    roll d = 1d6
    if d = 6: win red
    else if fire(d, col + 1) > 0: set lucky = true
  sequence play:
"""


def test_a_column_that_the_change_decides_is_told_once_and_a_face_that_ends_it_before_is_left_out(tmp_path):
    sides = []
    for n in (1, 2):
        path = tmp_path / f"b{n}" / "luck.rules"
        path.parent.mkdir()
        text = LUCK.replace("WAY", "do shoot").replace("  sequence play:\n", COLUMN).replace("NN", "5")
        path.write_text(text.replace("col -> number: 1", f"col -> number: {n}"))
        sides.append(analyse(str(path)))
        assert not sides[-1].report.failed, [d.message for d in sides[-1].report.found]
    (found,) = diff(*sides, examples=False).distributions
    sixth = Fraction(1, 6)
    assert [c.name for c in found.columns] == [""]
    assert outcomes(found) == [
        ("0", (2 * sixth, Fraction(0))),
        ("1", (3 * sixth, 5 * sixth)),
        ("not asked", (sixth, sixth)),
    ]
