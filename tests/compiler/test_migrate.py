"""What an overlay means for a game under way."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rulewright.compiler import load
from rulewright.compiler.cli.main import main
from rulewright.runtime.begin import resume
from rulewright.runtime.players import RandomPlayer

BASE = (Path(__file__).parent.parent / "books" / "skirmish.rules").read_text(encoding="utf-8")
OVERLAYS = """
option never of skirmish:
  case O.1 "A rule that no game asks":
    define unasked(u: unit) -> number: u.strength
option same of skirmish:
  case O.2 "Asked, with the same answer":
    amend 3 march.budget: 3 becomes highest(3, 0 - count(units_at(u.hex)))
option short of skirmish:
  case O.3 "Shorter marches":
    amend 3 march.budget: 3 becomes 1
errata clear of skirmish:
  nature: clarification
  case E.1 "Said otherwise":
    note "nothing changes"
    example "still three":
      expect "Red 1".strength = 3
"""


@pytest.fixture
def save(tmp_path: Path) -> Path:
    book = tmp_path / "skirmish.rules"
    book.write_text(BASE + OVERLAYS, encoding="utf-8")
    game = load(str(book)).new("battle", seed=3)
    players = {side: RandomPlayer(i) for i, side in enumerate(game.program.sides)}
    while not game.over and len(game.log) < 60:
        decision = game.decisions[0]
        game.do(players[decision.side](game, decision))
    path = tmp_path / "game.save"
    game.save(str(path))
    return path


def ask(save: Path, overlay: str, capsys: pytest.CaptureFixture[str], *more: str) -> tuple[int, dict[str, object]]:
    book = str(save.parent / "skirmish.rules")
    code = main(["migrate", str(save), "--book", book, "--overlay", overlay, "--format", "json", *more])
    return code, json.loads(capsys.readouterr().out)


@pytest.mark.parametrize(
    "overlay, answer", [("never", "unaffected"), ("clear", "unaffected"), ("same", "replays identically")]
)
def test_games_that_go_on_as_they_are(
    save: Path, overlay: str, answer: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, found = ask(save, overlay, capsys)
    assert (code, found["answer"]) == (0, answer)


def test_the_first_event_that_differs_and_its_case(save: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, found = ask(save, "short", capsys, "--write", str(save.parent / "new.save"))
    assert code == 1
    event = found["event"]
    assert isinstance(event, int)
    assert str(found["answer"]).startswith(f"first differs at event {event} under case 3")
    program = load(f"{save.parent / 'skirmish.rules'}+short").program
    game = resume(str(save.parent / "new.save"), lambda _: program)
    assert game.program.name == "skirmish+short"
    assert not game.over
