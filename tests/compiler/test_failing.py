"""`failing:` in every form of a question, alone and together with others; plans that a rule looks at one by one.

Generated code and oracle play the same books; what happens is checked against what the book says as well.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from rulewright.runtime.begin import new_game, resume
from rulewright.runtime.choices import solver
from rulewright.runtime.game import Game
from rulewright.runtime.problems import Fault

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tools"))
from twin.games import play_both  # noqa: E402
from twin.pair import Twins  # noqa: E402

BOOK = """
book fails "Nothing to choose"
case 1 "Everything":
  kind side: red, blue
  field strength of unit: number
  mark failed of side: number
  mark answered of side: number
  map web:
    points: P0, P1
    lines road: P0 P1
  roster all:
    form: strength side
    1 red: One @P0
    2 red: Two @P0
    3 red: Three @P0
    1 blue: Four @P1
  matching pairing(s: side):
    each u in units(s)
    to t in units(s) where it.strength > 1
    require: count(assigned) = 1
    idle
    empty
  define umpire -> side or nothing: nothing
  procedure ask_red:
{ask}
    failing:
      set red.failed = red.failed + 1
    set red.answered = red.answered + 1
  sequence of_play:
    phase turn for nr in {{1..2}}:
      do ask_red
  scenario first:
    sequence: of_play
"""
NOTHING_TO_CHOOSE = {
    "one": "ask red for one a from units(red) where it.strength > 5",
    "one so that": "ask red for one a from units(red) so that a.strength > 5",
    "some": "ask red for some a from units(red), exactly 4",
    "some at least": "ask red for some a from units(red), at least 4",
    "some so that": "ask red for some a from units(red) so that sum(it.strength over a) > 6",
    "some of none so that": "ask red for some a from (units(red) where it.strength > 5) so that count(a) > 0",
    "some exactly so that": "ask red for some a from units(red), exactly 2 so that sum(it.strength over a) = 2",
    "some below nothing": "ask red for some a from units(red), exactly count(units(blue)) - 2",
    "some at most less than nothing": "ask red for some a from units(red), at most count(units(blue)) - 2",
    "order": "ask red for order a from units(red) so that count(a) = 2",
    "order of none": "ask red for order a from (units(red) where it.strength > 5) so that count(a) > 0",
    "shares": "ask red for shares a of 2 among (units(red) where it.strength > 5)",
    "shares so that": 'ask red for shares a of 2 among units(red) so that share(a, "One") > 2',
    "shares of less than nothing": "ask red for shares a of count(units(blue)) - 2 among units(red)",
    "plan": "ask red for one a from pairing(red) so that count(placed(a)) > 2",
    "nobody to ask": "ask umpire whether a",
}
SOMETHING_TO_CHOOSE = {
    "one": "ask red for one a from units(red) where it.strength > 2",
    "some of none": "ask red for some a from units(red) where it.strength > 5",
    "some": "ask red for some a from units(red), exactly 3",
    "some so that": "ask red for some a from units(red) so that sum(it.strength over a) > 5",
    "order of none": "ask red for order a from units(red) where it.strength > 5",
    "order so that": "ask red for order a from units(red) so that count(a) = 3",
    "shares": 'ask red for shares a of 2 among units(red) so that share(a, "One") > 1',
    "plan": "ask red for one a from pairing(red) so that count(placed(a)) > 1",
    "whether": "ask red whether a",
}


def twins(text: str, folder: Path) -> Twins:
    book = folder / "fails.rules"
    book.write_text(text, encoding="utf-8")
    return Twins.of(str(book), folder / "made")


def marks(game: Game, name: str) -> dict[str, int]:
    return {side: n for side, n in getattr(game.state, f"side_{name}").items() if n}


def test_the_forms_are_all_of_them() -> None:
    every = " ".join((*NOTHING_TO_CHOOSE.values(), *SOMETHING_TO_CHOOSE.values()))
    assert all(f"for {x} a" in every for x in ("one", "some", "order", "shares")) and "whether a" in every


def asked(form: str) -> str:
    return BOOK.format(ask="    " + form)


@pytest.mark.parametrize("name", NOTHING_TO_CHOOSE)
def test_with_nothing_to_choose_the_block_runs(name: str, tmp_path: Path) -> None:
    pair = twins(asked(NOTHING_TO_CHOOSE[name]), tmp_path)
    game = new_game(pair.plain, "first", 1)
    assert game.state.over or not game.decisions
    assert marks(game, "failed") == {"red": 2} and marks(game, "answered") == {"red": 2}
    play_both(pair, "first", 1, 10)
    assert pair.tally.differences == []


@pytest.mark.parametrize("name", SOMETHING_TO_CHOOSE)
def test_with_something_to_choose_it_does_not(name: str, tmp_path: Path) -> None:
    pair = twins(asked(SOMETHING_TO_CHOOSE[name]), tmp_path)
    game = new_game(pair.plain, "first", 1)
    for _ in range(2):
        for decision in game.decisions:
            choice = next(game.legal(decision.side))
            game.do(choice)
    assert marks(game, "failed") == {} and marks(game, "answered") == {"red": 2}
    play_both(pair, "first", 1, 10)
    assert pair.tally.differences == []


TOGETHER = """
  procedure both:
    together:
      ask red for some a from units(red) so that sum(it.strength over a) > 6
      failing:
        set red.failed = 2 * red.failed + 1
        set blue.failed = 10 * blue.failed + 1
      ask blue for one b from units(blue)
      failing:
        set blue.failed = 10 * blue.failed + 7
      ask red for order d from units(red) so that count(d) = 2
      failing:
        set blue.failed = 10 * blue.failed + 2
    if b != nothing: set blue.answered = blue.answered + 1
  sequence in_pairs:
    phase turn for nr in {1..2}:
      do both
  scenario second:
    sequence: in_pairs
"""


def test_together_those_that_fail_are_seen_to_in_order_once_the_others_have_answered(tmp_path: Path) -> None:
    pair = twins(asked("ask red whether a") + TOGETHER, tmp_path)
    game = new_game(pair.plain, "second", 1)
    assert [d.side for d in game.decisions] == ["blue"] and marks(game, "failed") == {}
    game.do(next(game.legal("blue")))
    assert marks(game, "failed") == {"red": 1, "blue": 12}
    game.do(next(game.legal("blue")))
    assert marks(game, "failed") == {"red": 3, "blue": 1212} and marks(game, "answered") == {"blue": 2}
    assert not any("@failed" in frame[2] for frame in game.state.stack)
    play_both(pair, "second", 1, 10)
    assert pair.tally.differences == []


def test_a_question_noted_as_failed_survives_a_save(tmp_path: Path) -> None:
    pair = twins(asked("ask red whether a") + TOGETHER, tmp_path)
    game = new_game(pair.plain, "second", 1)
    game.save(tmp_path / "half.save")
    again = resume(tmp_path / "half.save", lambda name: pair.plain)
    again.do(next(again.legal("blue")))
    assert marks(again, "failed") == {"red": 1, "blue": 12}


PLANS = """
  define all_small(s: side) -> flag: every pairing(s) as plan has count(placed(plan)) <= 2
  define some_full(s: side) -> flag: any pairing(s) as plan where count(placed(plan)) = 2
  define none_of_three(s: side) -> flag: no pairing(s) as plan where count(placed(plan)) = 3
  define how_many(s: side) -> number: count(pairing(s))
  define most(s: side) -> number: highest(count(placed(it)) over pairing(s))
  procedure weigh(s: side):
    ask s for one chosen from pairing(s) where count(placed(it)) = 2
    if chosen in pairing(s): set s.answered = s.answered + 1
    put units(blue) in @P0
    if chosen not in pairing(blue): set blue.answered = blue.answered + 1
  sequence of_plans:
    phase turn for nr in {1..2}:
      do weigh(red)
  scenario third:
    sequence: of_plans
"""


def test_a_rule_may_look_at_every_plan(tmp_path: Path) -> None:
    pair = twins(asked("ask red whether a") + PLANS, tmp_path)
    game = new_game(pair.plain, "third", 1)
    assert game.value("all_small", "red") and game.value("some_full", "red") and game.value("none_of_three", "red")
    # Three units, two targets, one each: none placed, one of three in one of two, two of three in order.
    assert game.value("how_many", "red") == 1 + 3 * 2 + 3 * 2 and game.value("most", "red") == 2
    game.do(next(game.legal("red")))
    assert marks(game, "answered") == {"red": 1, "blue": 1}
    for seed in range(3):
        play_both(pair, "third", seed, 10, every=1, asked=30)
    assert pair.tally.differences == [] and pair.tally.unknown == 0


def test_too_many_plans_are_a_fault_with_its_case(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pair = twins(asked("ask red whether a") + PLANS, tmp_path)
    game = new_game(pair.plain, "third", 1)
    monkeypatch.setattr(solver, "MOST_PLANS", 12)
    with pytest.raises(Fault, match=r"more than 12 plans .*case 1"):
        game.value("all_small", "red")
    monkeypatch.setattr("rulewright.compiler.interpret.matchings.MOST_PLANS", 12)
    with pytest.raises(Fault, match="more than 12 plans"):
        pair.oracle.ev.define(pair.oracle.at(game.state).W, "all_small", ("red",))
