"""The seventeen options of case 26: they all stand together, their examples hold, and a game can be played."""

from __future__ import annotations

from rulewright.compiler import load
from rulewright.compiler.examples.run import run_examples
from rulewright.compiler.pipeline import analyse
from rulewright.runtime import RandomPlayer

ALL = "+".join(("trc", *(f"26.{i}" for i in range(1, 18))))


def test_all_options_together_keep_their_examples() -> None:
    made = analyse(ALL)
    assert made.report.wrong == [] and made.book is not None
    own = [e for e in made.book.examples if "overlays/26-" in str(e.span)]
    assert len(own) >= 140
    assert [
        (o.example.title, o.failures) for o in run_examples(made.book, load(ALL).program, own) if not o.passed
    ] == []


def test_optional_workers_need_the_bidding() -> None:
    assert [d.code for d in analyse("trc+26.14").report.found] == ["RW404"]


def test_a_battle_under_all_options() -> None:
    book = load(ALL)
    game = book.new("battle", 4)
    players = {side: RandomPlayer(i) for i, side in enumerate(book.program.sides)}
    for _ in range(2000):
        if game.over:
            break
        decision = game.decisions[0]
        game.do(players[decision.side](game, decision))
        game.check()
    assert game.over
