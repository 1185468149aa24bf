"""A game under way: refusals change nothing, undo stops at dice, saves go on elsewhere."""

import subprocess
import sys
from pathlib import Path

import pytest

from rulewright.compiler import load
from rulewright.runtime import Choice, RandomPlayer, Refusal, SaveProblem, play, resume
from rulewright.runtime.telling.explain import explain

BOOK = str(Path(__file__).parent.parent / "books" / "skirmish.rules")


@pytest.fixture(scope="module")
def book():
    return load(BOOK)


def players(book, seed):
    return {side: RandomPlayer(seed * 31 + i) for i, side in enumerate(book.program.sides)}


def test_the_same_seed_gives_the_same_game(book):
    ends = []
    for _ in range(2):
        game = book.new(seed=4)
        play(game, players(book, 4))
        ends.append(game.digest())
    assert ends[0] == ends[1]


def test_every_listed_choice_is_accepted_and_every_sample_is_legal(book):
    for seed in range(4):
        game = book.new(seed=seed)
        who = players(book, seed)
        while not game.over:
            for choice in game.legal():
                assert game.refusals(choice) == []
            decision = game.decisions[0]
            choice = who[decision.side](game, decision)
            assert game.refusals(choice) == []
            game.do(choice)


WRONG = [
    Choice(0, "blue", "move", (("u", 0), ("p", (0, 1)))),
    Choice(99, "red", "move", (("u", 0), ("p", (0, 1)))),
    Choice(0, "red", "move", (("u", 0), ("p", (0, 17)))),
    Choice(0, "red", "move", (("u", 77), ("p", (0, 1)))),
    Choice(0, "red", "move", (("u", "x"), ("p", None))),
    Choice(0, "red", "move", ()),
    Choice(0, "red", "attack", (("h", 3), ("us", (0,)))),
    Choice(0, "red", "nonsense", ()),
    Choice(0, "red", "take_back", ()),
]


@pytest.mark.parametrize("choice", WRONG)
def test_a_refused_choice_leaves_the_state_as_it_was(book, choice):
    game = book.new(seed=1)
    before = game.digest()
    with pytest.raises(Refusal):
        game.do(choice)
    assert game.digest() == before
    assert len(game.journal) == 0


def played_to_a_die(book, game, seed):
    who = players(book, seed)
    while not game.over:
        decision = game.decisions[0]
        game.do(who[decision.side](game, decision))
        if any(e["event"] == "roll" for e in game.log):
            return True
    return False


def test_undo_takes_a_move_back_and_stops_at_a_die(book):
    game = book.new(seed=2)
    start = game.digest()
    game.do('red: move(u: "Red 1", p: A1>A2)')
    game.undo()
    assert game.digest() == start
    with pytest.raises(Refusal):
        game.undo()
    seeds = iter(range(100))
    game = next(g for g in (book.new(seed=s) for s in range(20)) if played_to_a_die(book, g, next(seeds)))
    with pytest.raises(Refusal, match="die"):
        game.undo()
    game.undo(agreed=True)


def test_a_save_goes_on_in_another_process(book, tmp_path):
    game = book.new(seed=7)
    play(game, players(book, 7), most=9)
    path = tmp_path / "game.save"
    game.save(path)
    code = (
        "import sys\nfrom rulewright.compiler import load\nfrom rulewright.runtime import RandomPlayer, play, resume\n"
        f"book = load({BOOK!r})\ngame = resume({str(path)!r}, lambda _: book.program)\n"
        "play(game, {s: RandomPlayer(5 + i) for i, s in enumerate(book.program.sides)})\nprint(game.digest())"
    )
    play(game, {s: RandomPlayer(5 + i) for i, s in enumerate(book.program.sides)})
    for seed in ("0", "123"):
        done = subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            check=True,
            env={**__import__("os").environ, "PYTHONHASHSEED": seed},
        )
        assert done.stdout.strip() == game.digest()


def test_a_save_under_other_rules_says_so(book, tmp_path):
    import dataclasses

    game = book.new(seed=7)
    game.save(tmp_path / "game.save")
    other = dataclasses.replace(book.program, rules_hash="else") if dataclasses.is_dataclass(book.program) else None
    with pytest.raises(SaveProblem, match="other rules"):
        resume(tmp_path / "game.save", lambda _: other)


def test_the_text_of_a_choice_reads_back(book):
    from rulewright.runtime.text import show_choice

    game = book.new(seed=3)
    who = players(book, 3)
    for _ in range(40):
        if game.over:
            break
        for choice in list(game.legal())[:15]:
            assert game.read(show_choice(book.program, choice)) == choice
        decision = game.decisions[0]
        game.do(who[decision.side](game, decision))


def test_a_refusal_names_the_case_and_the_reason(book):
    game = book.new(seed=1)
    answer = game.why('red: move(u: "Red 1", p: A1>B1>C1>C2>D3)')
    assert not answer.legal and answer.cases == ("3",)
    assert "too far" in str(answer)


def test_a_value_shows_the_cases_that_made_it(book):
    game = book.new(seed=1)
    text = str(explain(game, "in_zone", "blue", book.program.place_index["C3"]))
    assert "in_zone(blue, @C3) = true" in text and "[2 Zones]" in text
