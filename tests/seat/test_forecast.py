"""Chances before one commits: equal to trying every face, blind to the real dice and to secrets, silent where it must."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest

from rulewright.compiler import load
from rulewright.compiler.seat.forecast import Roll, faces, forecast, position, sums
from rulewright.runtime.dice import new_dice
from rulewright.runtime.game import Game
from rulewright.runtime.problems import Refusal
from rulewright.runtime.state import State
from rulewright.runtime.text import Choice
from rulewright.runtime.view import blinded
from rulewright.table.chances import told_chances

BOOKS = Path(__file__).parents[1] / "books"
GAMBLE = """
book gamble "A gamble"

case 1 "Stakes":
  kind side: red, blue
  field strength of unit: number
  box dead(s: side)
  cup deck
  map field:
    grid: rows A..A, columns 1..4
    hexes: A1..A4
  roster bands:
    form: strength side
    2 red: Red 1 @A1, Red 2 @A2
    2 blue: Blue 1 @deck, Blue 2 @deck
  mark score of game: number

case 2 "Dice":
  action throw(u: unit from units(red)) by red during play:
    roll a = 2d6
    if a >= 10:
      roll b = 1d6
      set score = b
    else if a <= 3: put u in dead(red)
    else: set score = a
  action wager(u: unit from units(red)) by red during play:
    ask red for one stake from {1 .. 3}
    roll c = 1d6
    if c <= stake: put u in dead(red)
  action draws_one() by red during play:
    draw open from deck
    put open in @A4
  action many() by red during play:
    repeat at most 6:
      roll d = 2d6
      set score = score + d

case 3 "Sequence":
  sequence whole:
    repeat at most 9:
      phase play for phasing in [red]:
        offer red once: throw, wager, draws_one, many
  scenario one:
    sequence: whole
"""


@pytest.fixture(scope="module")
def gamble(tmp_path_factory: pytest.TempPathFactory) -> Game:
    file = tmp_path_factory.mktemp("books") / "gamble.rules"
    file.write_text(GAMBLE)
    return load(str(file)).new(None, 1)


def tried(game: Game, choice: Choice, dice: int, sides: int = 6) -> Counter[str]:
    """How many of all ways for so many dice to fall lead to each position, by making the choice for real.

    Positions are compared as the side sees them.
    """
    found: Counter[str] = Counter()
    for script in product(range(1, sides + 1), repeat=dice):
        fork = Game(game.program, State.from_plain(game.program, game.state.plain()), game.journal.opening(0))
        fork.state.dice, fork.state.revealed = new_dice(0, script), game.state.revealed
        fork.do(choice)
        found[position(blinded(fork, choice.side))] += 1
    return found


def same_as_tried(game: Game, side: str, choice: Choice, dice: int) -> None:
    [told] = forecast(game, side, choice)
    every = tried(game, choice, dice)
    chances: dict[str, Fraction] = {}
    for result in told.results:
        chances[result.state] = chances.get(result.state, Fraction(0)) + result.chance
    assert chances == {state: Fraction(n, 6**dice) for state, n in every.items()}
    assert sum(row.chance for row in told.rows()) == 1


def test_chances_are_those_of_all_faces(gamble: Game) -> None:
    same_as_tried(gamble, "red", gamble.read('red: throw(u: "Red 1")'), 3)


def test_a_battle_of_a_book_of_tests() -> None:
    game = load(str(BOOKS / "ambush.rules")).new(None, 3)
    for text in ("red: red_snare(A1)", "blue: blue_snare(C1)"):
        game.do(text)
    game.do('red: move(u: "Red 2", h: B2)')
    game.do("red: done")
    while "move" not in game.decisions[0].name or game.decisions[0].side != "red":
        game.do(f"{game.decisions[0].side}: done")
    game.do('red: move(u: "Red 2", h: B3)')
    game.do("red: done")
    attack = game.read('red: attack(u: "Red 2", e: "Blue 1")')
    same_as_tried(game, "red", attack, 1)


def test_a_real_battle() -> None:
    """On which column a battle is resolved, in trc: every face of the die that the answer rolls."""
    game = load("trc").new("battle", 5)
    game.do("axis: done")
    game.do('axis: attack(hexes: {S17}, attackers: {"12 Infantry", "24 Panzer"})')
    game.do("axis: planes({})")
    same_as_tried(game, "axis", game.read("axis: column(1:2)"), 1)


def test_the_real_dice_tell_nothing_and_are_not_touched(gamble: Game) -> None:
    choice = gamble.read('red: throw(u: "Red 1")')
    found = []
    for seed in range(5):
        gamble.state.dice = new_dice(seed)
        before, made = gamble.digest(), len(gamble.journal)
        found.append(forecast(gamble, "red", choice))
        assert gamble.digest() == before and len(gamble.journal) == made and gamble.state.dice == new_dice(seed)
    assert all(x == found[0] for x in found)


def test_a_question_before_the_dice_is_followed_answer_by_answer(gamble: Game) -> None:
    told = forecast(gamble, "red", gamble.read('red: wager(u: "Red 1")'))
    assert [x.answers[-1][-1] for x in told] == ["1", "2", "3"]
    lost = [min(r.chance for r in x.results) if i < 2 else None for i, x in enumerate(told)]
    assert lost[:2] == [Fraction(1, 6), Fraction(1, 3)]


def test_it_says_so_where_it_cannot_be_reckoned(gamble: Game) -> None:
    with pytest.raises(Refusal, match="blind draw"):
        forecast(gamble, "red", gamble.read("red: draws_one"))
    with pytest.raises(Refusal, match="too many"):
        forecast(gamble, "red", gamble.read("red: many"))
    with pytest.raises(Refusal, match="too many"):
        forecast(gamble, "red", gamble.read('red: throw(u: "Red 1")'), runs=5)
    with pytest.raises(Refusal, match="not allowed"):
        forecast(gamble, "red", gamble.read('red: throw(u: "Blue 1")'))


def test_what_the_other_side_keeps_does_not_show() -> None:
    """A snare costs whoever walks into it; the forecast of the step is the same wherever it lies."""
    found = []
    for snare in ("B2", "C4"):
        game = load(str(BOOKS / "ambush.rules")).new(None, 3)
        game.do("red: red_snare(A1)")
        game.do(f"blue: blue_snare({snare})")
        [told] = forecast(game, "red", game.read('red: move(u: "Red 2", h: B2)'))
        found.append((told.rolls, told.rows()))
    assert found[0] == found[1] and not found[0][0]


def test_words_of_faces_with_one_result_are_one_row(gamble: Game) -> None:
    game = load("trc").new("battle", 5)
    game.do("axis: done")
    game.do('axis: attack(hexes: {S17}, attackers: {"12 Infantry", "24 Panzer"})')
    game.do("axis: planes({})")
    [told] = forecast(game, "axis", game.read("axis: column(1:6)"))
    rows = {tuple(way[0].total for way in row.dice): row.chance for row in told.rows()}
    assert rows == {(1,): Fraction(1, 6), (2, 3): Fraction(1, 3), (4, 5, 6): Fraction(1, 2)}


@pytest.mark.parametrize(("count", "sides"), [(1, 6), (2, 6), (3, 10)])
def test_every_sum_has_faces_and_its_share(count: int, sides: int) -> None:
    every = Counter(map(sum, product(range(1, sides + 1), repeat=count)))
    assert sums(count, sides) == {total: Fraction(n, sides**count) for total, n in every.items()}
    for total in every:
        made = faces(Roll(count, sides, "", total))
        assert sum(made) == total and len(made) == count and all(1 <= f <= sides for f in made)


MINES = """book mines "Hidden strength"
case 1 "Pieces":
  kind side: red, blue
  field strength of unit: number
  box dead(s: side)
  map glen:
    grid: rows A..B, columns 1..3
    hexes: A1..A3, B1..B3
  roster bands:
    form: strength side
    3 red: Red 1 @A1
    3 blue: Blue 1 @A2, Blue 2 @B3
  mark dug of unit secret to it.side
case 2 "Play":
  action attack(u: unit from units(phasing), e: unit from units(blue)) by phasing during turn:
    roll d = 1d6
    if d - count(units(blue) where it.dug) >= 4: put e in dead(blue)
  action shell(u: unit from units(phasing), e: unit from units(blue)) by phasing during turn:
    roll d = 1d6
    if d >= 4: put e in dead(blue)
  sequence play:
    ask blue secretly for some hiding from units(blue)
    set hiding.dug
    phase turn for phasing in [red, blue]:
      offer phasing once: attack, shell
  scenario glen:
    sequence: play
"""


def test_chances_that_look_at_a_secret_say_so(tmp_path):
    """Blue has dug in, in secret: Red is not told that its chance is exact, unless nothing hidden was looked at."""
    path = tmp_path / "mines.rules"
    path.write_text(MINES)
    for hidden in ('{"Blue 1", "Blue 2"}', "{}"):
        once = load(str(path)).new(seed=1)
        once.do(f"blue: hiding({hidden})")
        [attack] = forecast(once, "red", once.read('red: attack(u: "Red 1", e: "Blue 1")'))
        [shell] = forecast(once, "red", once.read('red: shell(u: "Red 1", e: "Blue 1")'))
        assert attack.unseen and not shell.unseen
        told = told_chances(once, "red", once.read('red: attack(u: "Red 1", e: "Blue 1")'))["said"]
        assert "may not see" in told and "Exact" not in told


def test_chances_of_an_answer_do_not_tell_whether_others_have_answered_in_secret():
    game = load(str(BOOKS / "secrets.rules")).new(seed=1)
    while len({d.side for d in game.pending}) < 2:
        game.do(next(game.legal()))
    mine, other = game.pending[:2]
    choice = next(x for x in game.legal(mine.side) if x.decision == mine.id)
    with pytest.raises(Refusal, match="in secret") as before:
        forecast(game, mine.side, choice)
    game.do(next(x for x in game.legal(other.side) if x.decision == other.id))
    with pytest.raises(Refusal, match="in secret") as after:
        forecast(game, mine.side, choice)
    assert str(before.value) == str(after.value)
