"""A game of the oracle that waits for a decision is closed before the interpreter falls."""

from pathlib import Path

from rulewright.compiler.interpret.game import WAITING, Oracle, close_all
from rulewright.compiler.pipeline import compile_book

BOOK = Path(__file__).parent.parent / "books" / "council.rules"


def test_games_that_wait_are_closed() -> None:
    book = compile_book(str(BOOK)).book
    assert book is not None
    game = Oracle(book).new(None, 1)
    assert game.flow.pending and game.steps in WAITING
    close_all()
    assert game.steps.gi_frame is None
