"""What was once taken in and should not have been: choices, numbers and saves out of form, one test for each."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from rulewright.compiler import load
from rulewright.runtime import Choice, Fault, RandomPlayer, Refusal, SaveProblem, canon, journal, play, resume
from rulewright.runtime.forms import sound
from rulewright.runtime.journal import Journal
from rulewright.runtime.notation import of_type
from rulewright.runtime.values import bounded, ratio, span

BOOK = Path(__file__).parent.parent / "books" / "skirmish.rules"


@pytest.fixture(scope="module")
def book():
    return load(str(BOOK))


def refused(game, choice) -> str:
    before = canon.dumps(game.state.plain())
    with pytest.raises(Refusal) as caught:
        game.do(choice)
    assert canon.dumps(game.state.plain()) == before
    assert len(game.journal) == 0
    return caught.value.message


# ---------------------------------------------------------------- choices


@pytest.mark.parametrize(
    "args",
    [
        (("u", 0), ("p", (0, 1)), ("@draft", 0)),  # one more would have become a value of the procedure under way
        (("u", 0), ("p", (0, 1)), ("u", 0)),
        (("u", False), ("p", (0, 1))),  # equal to 0, and another thing in the state
        (("u", 0), ("p", (0.0, 1.0))),
        (("u", 0), ("p", [0, 1])),
        (("u", -4), ("p", (0, 1))),
        (("u", 0), ("p", (0, 10**4000))),
        (("u", 0), ("p", object)),
    ],
)
def test_an_argument_that_is_too_much_or_of_another_type_is_refused(book, args):
    game = book.new(seed=1)
    assert game.refusals(Choice(game.decisions[0].id, "red", "move", (("u", 0), ("p", (0, 1))))) == []
    refused(game, Choice(game.decisions[0].id, "red", "move", args))


def test_words_take_no_arguments(book):
    game = book.new(seed=1)
    assert "takes no arguments" in refused(game, Choice(game.decisions[0].id, "red", "done", (("x", 1),)))


def test_a_refusal_is_one_line_whatever_it_is_about(book):
    game = book.new(seed=1)
    said = refused(game, Choice(game.decisions[0].id, "red\nblue\u2028", "x" * 9000))
    assert len(said.splitlines()) == 1 and len(said) <= 2000


@pytest.mark.parametrize(
    "plain", [[True, "red", "done", []], [0, "red", "done", [[1, 2]]], {}, 7, [0, "red", "done", "ab"]]
)
def test_plain_data_that_is_no_choice_is_refused(plain):
    with pytest.raises(Refusal, match="not a choice"):
        Choice.from_plain(plain)


def test_numbers_in_texts_are_numbers(tmp_path):
    path = tmp_path / "bids.rules"
    path.write_text(
        'book bids "Bids"\ncase 1:\n  kind side: red, blue\n  sequence s:\n    ask red for one bid from {1 .. 3}\n'
        "  scenario x:\n    sequence: s\n"
    )
    game = load(str(path)).new()
    for text in ("1/0", "00/000", "9" * 5000, "-" + "9" * 60):
        refused(game, f"red: bid({text})")
    game.do("red: bid(2)")


def test_a_choice_that_cannot_be_recorded_leaves_the_game_as_it_was(book, monkeypatch):
    game = book.new(seed=1)
    before = game.digest()

    def full(_: object) -> str:
        raise SaveProblem("the disk is full", "make room")

    monkeypatch.setattr(game.journal, "append", full)
    logged = len(game.log)
    with pytest.raises(SaveProblem):
        game.do(next(game.legal()))
    assert (game.digest(), len(game.log)) == (before, logged)


@pytest.mark.parametrize(
    ("type", "good", "bad"),
    [
        ("unit", 0, 99),
        ("place", 3, -1),
        ("path", (0, 1), (0, "A1")),
        ("flag", True, 1),
        ("number", Fraction(1, 3), Fraction(2)),
        ("number", 7, 10**18),
        ("kind:side", "red", "green"),
        ("set:unit", (0, 1), (0, True)),
        ("shares:unit", ((0, 2),), ((0,),)),
        ("plan:unit|place", (((3,), (0, 1)),), ((3, (0,)),)),
        ("text", "x", b"x"),
    ],
)
def test_a_value_has_the_form_of_its_type(book, type, good, bad):
    assert of_type(book.program, type, good) and not of_type(book.program, type, bad)


# ---------------------------------------------------------------- numbers


def test_numbers_and_sets_have_a_size():
    assert bounded(10**17) == 10**17 and span(1, 3) == (1, 2, 3)
    for grown in (lambda: bounded(10**18), lambda: ratio(1, 10**18), lambda: span(1, 10**9)):
        with pytest.raises(Fault):
            grown()


@pytest.mark.parametrize("line", ["set n = n * n", "set n = n + n", "set n = count({1 .. n * 400000000})"])
def test_a_book_that_counts_without_end_is_stopped(tmp_path, line):
    path = tmp_path / "far.rules"
    path.write_text(
        'book far "Far"\ncase 1:\n  kind side: red, blue\n  mark n of game: number = 3\n  sequence s:\n'
        f"    ask red whether go\n    repeat at most 200:\n      {line}\n  scenario x:\n    sequence: s\n"
    )
    game = load(str(path)).new()
    before = game.digest()
    with pytest.raises(Fault, match="more than"):
        game.do("red: go(yes)")
    assert game.digest() == before


# ---------------------------------------------------------------- saves


def forged(book, path, header=lambda h: h, events=(), snapshot=None):
    """A save with other contents under seals that fit."""
    log = Journal(header(book.new(seed=1).journal.header))
    for event in events:
        log.append(event)
    if snapshot is not None:
        log.snapshot(snapshot)
    log.save_as(path)
    return lambda: resume(path, lambda _: book.program)


@pytest.mark.parametrize("start", [b"7", b"[]", b"{}", b'{"readings":[1,2]}', b'{"readings":{"a":{"b":1}}}'])
def test_a_first_state_that_is_none_is_named(book, tmp_path, start):
    with pytest.raises(SaveProblem):
        forged(book, tmp_path / "a", lambda h: replace(h, start=start))()


@pytest.mark.parametrize(
    ("change", "said"),
    [({"scenario": "no\nsuch"}, "cannot begin"), ({"seed": 2}, "does not begin"), ({"rules_hash": ""}, "other rules")],
)
def test_a_save_that_begins_otherwise_is_named(book, tmp_path, change, said):
    with pytest.raises(SaveProblem, match=said) as caught:
        forged(book, tmp_path / "a", lambda h: replace(h, **change))()
    assert "\n" not in caught.value.message


def test_an_event_that_does_not_replay_is_named_by_its_number(book, tmp_path):
    game = book.new(seed=1)
    game.do(next(game.legal()))
    (first,) = game.journal.events()
    for second in (first, 7, [0, "red", "done", [["x", 1]]]):
        with pytest.raises(SaveProblem, match=r"event 2 of .* does not replay"):
            forged(book, tmp_path / "a", events=(first, second))()


def test_a_snapshot_out_of_form_is_passed_over(book, tmp_path):
    game = book.new(seed=1)
    game.do(next(game.legal()))
    plain = game.state.plain()
    assert sound(book.program, plain)
    for name in plain:
        assert not sound(book.program, {k: v for k, v in plain.items() if k != name})
    for change in (
        {"at": []},
        {"at": [10**9] * len(plain["at"])},
        {"pending": [1]},
        {"stack": [["x", 0, {}]]},
        {"unit_moved": 7},
    ):
        assert not sound(book.program, {**plain, **change})
        again = forged(book, tmp_path / "a", events=tuple(game.journal.events()), snapshot={**plain, **change})()
        assert again.digest() == game.digest()
    assert not sound(book.program, [1, 2]) and not sound(book.program, 7)


def test_rules_that_are_not_at_hand_are_named(book, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("no_such_book", "", "../x", "a\nb"):
        forged(book, tmp_path / "a", lambda h, name=name: replace(h, rules=name))
        with pytest.raises(SaveProblem, match="not at hand") as caught:
            resume(tmp_path / "a")
        assert "\n" not in caught.value.message


def test_a_problem_with_a_save_is_one_line():
    assert journal.SaveProblem("a\nb", "").message == "a b"


LOOPS = {
    "rounds within rounds": "".join("  " * k + "repeat at most 99999:\n    " for k in range(5))
    + "  " * 5
    + "set n = 1",
    "shares beyond counting": "ask red for shares parts of n * 400000000 among {1, 2}",
}


@pytest.mark.parametrize("name", LOOPS)
def test_what_goes_on_without_end_is_stopped(tmp_path, name):
    path = tmp_path / "long.rules"
    path.write_text(
        'book long "Long"\ncase 1:\n  kind side: red, blue\n  mark n of game: number = 3\n  sequence s:\n'
        f"    ask red whether go\n    {LOOPS[name]}\n  scenario x:\n    sequence: s\n"
    )
    game = load(str(path)).new()
    with pytest.raises(Fault, match="more than"):
        game.do("red: go(yes)")


def test_a_listing_that_meets_a_missing_value_names_the_case(tmp_path):
    text = BOOK.read_text(encoding="utf-8")
    late = '\ncase 99 "Late":\n  field due_on of unit: number or nothing\n  forbid move as late when u.due_on > 2\n'
    path = tmp_path / "late.rules"
    path.write_text(text.rstrip("\n") + "\n" + late, encoding="utf-8")
    game = load(str(path)).new(seed=1)
    with pytest.raises(Fault, match="is not there"):
        list(game.legal())


# ---------------------------------------------------------------- snapshots that were forged with care


@pytest.mark.parametrize(
    ("name", "scenario"),
    [("trc", "battle"), ("tdv", "smolensk"), ("fragment", None), (str(BOOK.with_name("ambush.rules")), None)],
)
def test_every_position_of_a_game_is_sound(name, scenario):
    """Otherwise every resumed game would be played again from its first choice."""
    book = load(name)
    game = book.new(scenario, 2)
    players = {side: RandomPlayer(i) for i, side in enumerate(book.program.sides)}
    for _ in range(30):
        if game.over:
            break
        game.do(players[game.decisions[0].side](game, game.decisions[0]))
        assert sound(book.program, canon.loads(canon.dumps(game.state.plain())))


def test_a_forged_snapshot_is_passed_over_or_plays(tmp_path):
    """Every part of a position in turn is given values of other forms, under seals that fit."""
    book = load("trc")
    game = book.new("battle", 2)
    players = {side: RandomPlayer(i) for i, side in enumerate(book.program.sides)}
    play(game, players, 12)
    plain = game.state.plain()
    kinds = ("bind_", "past_", "spent_", "unit_", "place_", "game_")
    assert {kind for kind in kinds if any(name.startswith(kind) for name in plain)} >= {"bind_", "past_", "spent_"}
    strange = [None, -1, "x", True, ["x"], {"x": 1}, {("x",): 1}, {(10**9,): None}]
    taken = []
    for at, (name, held) in enumerate(plain.items()):
        for value in strange[at % 8 :: 8]:  # one in eight of each part: all of them over the parts
            if value == held and type(value) is type(held):
                continue
            again = resume_forged(book, tmp_path / "a", game, {**plain, name: value})
            taken.append((name, value, again.digest() == game.digest()))
    for value in ({"extra": 1}, {"past_nothing": {}}):
        assert resume_forged(book, tmp_path / "a", game, {**plain, **value}).digest() == game.digest()
    other = {name for name, _, same in taken if not same}
    assert not {
        name for name in other if name in ("at", "stack", "pending", "queue", "dice", "readings", "drafts", "parked")
    }


def resume_forged(book, path, game, snapshot):
    """Resume a save with this snapshot; whatever follows is a game or one clear line."""
    log = game.journal.opening(len(game.journal))
    log.snapshot(snapshot)
    log.save_as(path)
    again = resume(path, lambda _: book.program)
    try:
        before = again.digest()
        assert again.over or again.decisions
        play(again, {side: RandomPlayer(5 + i) for i, side in enumerate(book.program.sides)}, 2)
        again.undo(agreed=True, steps=2)
        assert again.digest() == before
    except (Fault, Refusal) as problem:
        assert "\n" not in str(problem)
    return again
