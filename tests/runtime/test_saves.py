"""Saves of earlier formats resume; a save of rules that changed says who wrote it."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

import rulewright
from rulewright.compiler import load
from rulewright.runtime import RandomPlayer, SaveProblem, play, resume
from rulewright.runtime.journal import FORMAT, Journal

HERE = Path(__file__).parent / "saves"
BOOK = str(HERE / "count.rules")
OLD = sorted(HERE.glob("*.save"))


@pytest.fixture(params=OLD, ids=lambda path: path.stem)
def old(request, tmp_path):
    """A copy of a save that an earlier version wrote: five choices of count.rules."""
    return Path(shutil.copy(request.param, tmp_path))


@pytest.fixture
def program(old):
    """The rules that it was played under; how their text is spelt may have changed since, what it means has not."""
    made = load(BOOK).program
    with Journal.open(old) as journal:
        return replace(made, rules_hash=journal.header.rules_hash)


def test_there_is_a_save_of_every_format():
    assert {path.stem for path in OLD} == {f"format-{n}" for n in range(1, FORMAT + 1)}


def test_an_old_save_resumes_plays_on_and_is_saved_again(old, program, tmp_path):
    with Journal.open(old) as journal:
        format, version = journal.header.format, journal.header.version
    assert old.stem == f"format-{format}" and bool(version) == (format > 1)
    game = resume(old, lambda name: program)
    assert len(game.journal) == 5 and game.state.game_total == 11 and not game.over
    play(game, {side: RandomPlayer(i) for i, side in enumerate(program.sides)})
    assert game.over
    game.save(tmp_path / "again.save")
    assert resume(tmp_path / "again.save", lambda name: program).digest() == game.digest()


def test_an_old_save_replays_from_its_events_alone(old, program):
    """Where the layout of the state has changed since, the events rebuild the game."""
    whole = resume(old, lambda name: program)
    with Journal.open(old) as journal:
        journal._db.execute("DELETE FROM snapshot")
    assert resume(old, lambda name: program).digest() == whole.digest()


def test_a_save_under_other_rules_says_who_wrote_it(tmp_path):
    program = load(BOOK).program
    game = load(BOOK).new(seed=3)
    game.save(tmp_path / "a.save")
    with pytest.raises(SaveProblem) as caught:
        resume(tmp_path / "a.save", lambda name: replace(program, rules_hash="other"))
    assert f"written by Rulewright {rulewright.__version__}," in caught.value.message
    assert "migrate the save" in caught.value.help
