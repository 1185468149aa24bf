"""The one-line text form: whatever `show` prints, `read` reads back as the same value."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from rulewright.compiler import load
from rulewright.runtime import RandomPlayer, Refusal
from rulewright.runtime.notation import show
from rulewright.runtime.program import Program
from rulewright.runtime.reading import Reader

PROBES = Path(__file__).parent.parent / "probes"
BOOKS = sorted(p.stem for p in PROBES.glob("fite_*.rules"))

ALLOTMENT = """\
book allotment "Shares, plans in groups, sets of sets"

case 1 "Pieces":
  kind side: red, blue
  kind weapon: gun, bomb
  field size of unit: number
  box dump
  map board:
    grid: rows A..B, columns 1..3
    hexes: A1..A3, B1..B3
  roster all:
    form: size side
    1 red: Red 1 @A1, Red 2 @A1, Red 3 @A2
    1 blue: Blue 1 @B1, Blue 2 @B2

case 2 "Everything that can be asked":
  mark seen on game: number = 0
  matching raid(s: side):
    each a in units(s)
    to groups h in occupied(blue)
    idle
    empty
  matching armed(s: side):
    each w in weapon
    to u in units(s)
    idle
    empty
  define total(r: raid) -> number: sum(count(it) over targets(r)) + count(placed(r))
  sequence play:
    phase day:
      ask red for one blow from raid(red) so that count(placed(blow)) >= 1
      for each g in targets(blow):
        set seen = seen + count(g) + count(assigned(blow, g))
      ask red for one issue from armed(red)
      for each u in targets(issue):
        set seen = seen + u.size
      ask blue for shares rations of 4 among units(blue)
      ask red for shares shells of 3 among [gun, bomb]
      ask blue for order line from units(red)
      ask blue for some kept from weapon
      ask red for one stack from {{"Red 1", "Red 2"}, {"Red 3"}, {"Red 1", "Red 2", "Red 3"}}
      ask red for some stacks from {{"Red 1", "Red 2"}, {"Red 3"}}
      ask blue for one side_ from {@A1/A2, @A1/B1}
      ask blue whether enough
      set seen = seen + share(rations, "Blue 1") + share(shells, gun) + total(blow) + count(line) + count(kept) + count(stack) + count(stacks)
      if enough and side_ = @A1/A2: put line in dump
  scenario all:
    sequence: play
"""


@pytest.fixture(scope="module")
def allotment(tmp_path_factory):
    path = tmp_path_factory.mktemp("books") / "allotment.rules"
    path.write_text(ALLOTMENT)
    return load(str(path))


def check_every_choice(book, seed, listed=60):
    """Play at random; whatever could be chosen on the way reads back from its text."""
    met = set()
    game = book.new(seed=seed)
    players = {side: RandomPlayer(seed + i) for i, side in enumerate(book.program.sides)}
    while not game.over:
        decision = game.decisions[0]
        made = players[decision.side](game, decision)
        for choice in (made, *itertools.islice(game.legal(decision.side), listed)):
            text = game.show(choice)
            assert "\n" not in text
            assert game.read(text) == choice, text
            if decision.sort == "ask":
                met.add(game.spaces(decision)[0].info.type)
        game.do(game.show(made))
    return met


@pytest.mark.parametrize("book", BOOKS)
def test_every_choice_of_a_probe_reads_back(book):
    for seed in range(3):
        check_every_choice(load(str(PROBES / f"{book}.rules")), seed)


def test_every_sort_of_answer_reads_back(allotment):
    met = set()
    for seed in range(4):
        met |= check_every_choice(allotment, seed, 400)
    assert met == {
        "plan:unit|place", "plan:kind:weapon|unit", "shares:unit", "shares:kind:weapon", "list:unit", "set:kind:weapon",
        "set:unit", "set:set:unit", "hexside", "flag",
    }  # fmt: skip


def test_plans_and_shares_look_like_the_literals_of_the_language(allotment):
    program = allotment.program
    names = program.unit_index
    plan = (((0, 1), (names["Red 1"], names["Red 3"])), ((3,), (names["Red 2"],)))
    text = show(program, "plan:unit|place", plan)
    assert text == '{{"Red 1", "Red 3"} to {@A1, @A2}, "Red 2" to @B1}'
    assert Reader(program, text).value("plan:unit|place") == plan
    shares = ((names["Blue 1"], 3), (names["Blue 2"], 1))
    assert show(program, "shares:unit", shares) == '{"Blue 1": 3, "Blue 2": 1}'
    assert show(program, "plan:unit|place", ()) == "{}" == show(program, "shares:unit", ())


def test_a_plan_may_be_written_in_any_order_and_is_kept_in_one(allotment):
    digests = []
    for text in (
        'red: blow({"Red 3" to B2, {"Red 2", "Red 1"} to B1})',
        'red: blow({{"Red 1", "Red 2"} to B1, "Red 3" to B2})',
    ):
        game = allotment.new(seed=0)
        game.do(text)
        digests.append(game.digest())
    assert digests[0] == digests[1]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('red: blow({"Red 1"})', "who goes where"),
        ('red: blow({"Red 9" to B1})', "no unit"),
        ('red: blow({"Red 1" to Z9})', "no place"),
        ('red: blow({"Red 1" to B1', "expected"),
        ('red: rations({"Blue 1" 3})', "expected"),
        ('red: rations({"Blue 1": many})', "number"),
        ("blue: side_(A1/Z1)", "hexside"),
    ],
)
def test_what_does_not_read_is_refused_with_the_reason(allotment, text, reason):
    with pytest.raises(Refusal, match=reason):
        allotment.new(seed=0).read(text)


def test_hexes_of_several_sheets_read_back():
    program: Program = load(str(PROBES / "fite_12_b.rules")).program
    place = program.place_index["3B/1004"]
    other = program.place_index["3B/1005"]
    for type, value in (
        ("place", place),
        ("path", (place, other)),
        ("hexside", (place, other)),
        ("set:place", (place, other)),
    ):
        assert Reader(program, show(program, type, value)).value(type) == value


def test_a_path_may_be_written_as_in_the_rules():
    program = load(str(Path(__file__).parent.parent / "books" / "skirmish.rules")).program
    assert Reader(program, "[@A1, @A2]").value("path") == Reader(program, "A1>A2").value("path")
    with pytest.raises(Refusal, match='no place "A77"'):
        Reader(program, "[@A1, @A77]").value("path")
