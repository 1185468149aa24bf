"""Names in procedures that stand for secrets, and whether another has answered, are told to nobody else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rulewright.compiler import load
from rulewright.runtime import Game, Refusal
from rulewright.runtime.view import legal_for, log_for, save_for, undo_for

BOOK = Path(__file__).parent.parent / "books" / "spies.rules"


def after(*lines: str) -> Game:
    game = load(str(BOOK)).new(seed=1)
    for line in lines:
        game.do(line)
    return game


def bids(red: int) -> tuple[str, ...]:
    return ("red: ready(true)", f"red: red_bid({red})", "blue: blue_bid(1)", "green: green_bid(1)")


def listed(game: Game, side: str) -> list[Any]:
    return [c.args[0][1] for c in legal_for(game, side)]


def test_a_name_for_a_secret_is_as_secret() -> None:
    own = {}
    for red in (1, 2, 3):
        game = after(*bids(red))
        assert listed(game, "blue") == [1, 2, 3]
        game.do(f"blue: first({red % 3 + 1})")
        own[red] = listed(game, "red")
        game.do(f"red: own({red % 3 + 1})")
        assert listed(game, "blue") == [1, 2, 3, 4, 5]
        game.do("blue: second(5)")
        assert listed(game, "blue") == [1, 2, 3]  # handed to a procedure
        game.do(f"blue: told({red % 3 + 1})")
        assert listed(game, "blue") == [1, 2, 3]
    assert own == {1: [2, 3], 2: [1, 3], 3: [1, 2]}  # its owner has the true list


def test_an_argument_that_ends_in_a_secret_is_kept_while_its_action_runs() -> None:
    game = after(*bids(1), "blue: first(2)", "red: own(2)", "blue: second(5)", "blue: told(2)", "blue: told(1)")
    game.do('red: aim("Guard", @A2)')
    assert len(listed(game, "blue")) == 3


def test_undo_does_not_tell_whether_another_has_answered() -> None:
    """Red's question stood open when the others were asked; blue's answer, given or not, stays as it is."""
    asked = after("red: ready(true)", "red: red_bid(2)")
    answered = after("red: ready(true)", "red: red_bid(2)", "blue: blue_bid(3)")
    for game in (asked, answered):
        undo_for(game, "red")
        assert listed(game, "red") == [1, 2, 3]
    assert save_for(asked, "red") == save_for(answered, "red")
    assert "blue_bid" in [d.name for d in asked.pending] and "blue_bid" not in [d.name for d in answered.pending]
    assert [e["value"] for e in log_for(answered, "blue") if e["event"] == "answer"][-1] == 3
    assert len(answered.journal) == 2 and answered.log[-1]["event"] == "answer"


def test_a_choice_that_put_secret_questions_is_not_taken_back_answered_or_not() -> None:
    said = []
    for lines in (("red: ready(true)",), ("red: ready(true)", "blue: blue_bid(3)")):
        with pytest.raises(Refusal) as refused:
            undo_for(after(*lines), "red")
        said.append(refused.value.message)
    assert said == ["another side may have chosen since; undo needs the table's agreement"] * 2


def test_who_has_not_chosen_has_nothing_to_undo_whatever_others_have_answered() -> None:
    for lines in (("red: ready(true)",), ("red: ready(true)", "blue: blue_bid(3)")):
        with pytest.raises(Refusal, match="another's"):
            undo_for(after(*lines), "green")
