"""Many games: the same for the same seeds, wherever they run; what they come to."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from rulewright.compiler import load
from rulewright.compiler.cli.main import main
from rulewright.compiler.players import contestant, seat_players
from rulewright.compiler.playtest.playtest import Playtest, playtest
from rulewright.compiler.playtest.records import Played, Setting, Task
from rulewright.compiler.playtest.rounds import pairs, rounds
from rulewright.compiler.playtest.run import Here
from rulewright.compiler.playtest.stage import Stage
from rulewright.compiler.playtest.summary import balance
from rulewright.runtime.players import play

BOOKS = Path(__file__).parent.parent / "books"
BOOK = str(BOOKS / "skirmish.rules")
SIDES = ("red", "blue")


def played(players: tuple[str, ...], seeds: range, jobs: int = 1, until: int = 20_000) -> Playtest:
    return playtest(Stage(Setting(BOOK, "battle", players, until)), seeds, place=Here(jobs))


def test_the_same_seeds_give_the_same_games_on_one_process_and_two() -> None:
    one, two = (played(("random", "busy"), range(4), jobs) for jobs in (1, 2))
    assert one.played == two.played and one.document == two.document
    assert one.played[4:6] == played(("random", "busy"), range(2, 3)).played


def test_a_game_is_the_one_that_play_plays() -> None:
    loaded = load(BOOK)
    [told] = played(("busy",), range(7, 8)).played
    game = loaded.new("battle", 7)
    made = play(game, seat_players(contestant(loaded, "busy").seats, 7))
    win = next(e for e in game.log if e["event"] == "win")
    assert (told.winner, told.case, told.choices) == (game.winner, win["case"], made)
    gone = {
        s: sum(
            x == s and at not in game.state.ground for x, at in zip(game.program.unit_sides, game.state.at, strict=True)
        )
        for s in SIDES
    }
    assert {s: sum(told.left.get(s, {}).values()) for s in SIDES} == gone and sum(gone.values())
    rolls = sum(e["event"] == "roll" for e in game.log)
    assert sum(told.reads.values()) == rolls > 0


def test_a_record_is_kept_as_text() -> None:
    for one in played(("random", "busy"), range(2)).played:
        assert Played.read(one.text()) == one and "\n" not in one.text()


def test_sides_are_swapped() -> None:
    assert rounds(2, 2, [5]) == [(Task(5, (0, 1)), Task(5, (1, 0)))]
    assert rounds(1, 3, [5, 6]) == [(Task(5, (0, 0, 0)),), (Task(6, (0, 0, 0)),)]
    first, second = played(("random", "busy"), range(1)).played
    fixed = [played((word,), range(1)).played[0] for word in ("random/busy", "busy/random")]
    assert [(x.winner, x.choices, x.ran) for x in (first, second)] == [(x.winner, x.choices, x.ran) for x in fixed]


def game(seed: int, seats: tuple[int, int], winner: str | None, problem: str = "") -> Played:
    return Played(seed=seed, seats=seats, winner=winner, problem=problem)


def test_pairs_are_scored_for_the_first_player() -> None:
    wins = [("red", "blue"), ("red", "red"), ("blue", "red"), (None, "blue"), (None, None), ("red", None)]
    games = [
        game(seed, seats, winner)
        for seed, both in enumerate(wins)
        for seats, winner in zip(((0, 1), (1, 0)), both, strict=True)
    ]
    found = pairs([*games, game(9, (0, 1), "red"), game(9, (1, 0), None, "unfinished")], SIDES)
    assert found.scores == {0: 1.0, 1: 0.5, 2: 0.0, 3: 0.75, 4: 0.5, 5: 0.75}
    assert found.counts == [1, 0, 2, 2, 1] and found.left_out == (9,)


def test_balance_pairs_the_seeds() -> None:
    def games(winners: str) -> list[Played]:
        return [game(i, (0, 0), {"r": "red", "b": "blue"}[w]) for i, w in enumerate(winners)]

    found = balance(games("rrbb"), games("rbbb"), SIDES)
    assert found["turned"] == 1
    assert found["sides"]["red"]["shift"] == -0.25 and found["sides"]["blue"]["shift"] == 0.25
    low, high = found["sides"]["red"]["interval"]
    assert low < -0.25 < high
    low, high = balance(games("rb"), games("rb"), SIDES)["sides"]["red"]["interval"]
    assert low < 0 < high, "two equal games are no certainty"


MARGIN = """
  scenario counted "Counted":
    sequence: play
    margin: strength_left
  define strength_left(s: side) -> number: sum(it.strength over units(s)) / 2
"""


def test_margin_and_what_is_shown(tmp_path: Path) -> None:
    text = Path(BOOK).read_text()
    assert "shown" not in text
    book = tmp_path / "counted.rules"
    book.write_text(f'{text}\ncase 99 "Counting":{MARGIN}  shown table:\n    strength_left\n')
    stage = Stage(Setting(str(book), "counted", ("random",), 20_000, False))
    one = stage.play(Task(3, (0, 0)))
    loaded = load(str(book))
    end = loaded.new("counted", 3)
    play(end, seat_players(contestant(loaded, "random").seats, 3))
    left = {s: float(end.value("strength_left", s)) for s in SIDES}
    assert one.margin == {"red": left["red"] - left["blue"], "blue": left["blue"] - left["red"]} and any(left.values())
    assert one.shown == {f"strength_left {s}": left[s] for s in SIDES}


def test_the_command_prints_a_summary(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["sim", BOOK, "--players", "random,busy", "--pairs", "3", "--jobs", "1"]
    assert main([*words, "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found == json.loads(json.dumps(played(("random", "busy"), range(3)).document))
    assert found["games"] == 6 and sum(found["pairs"]["counts"]) == 3
    assert main(words) == 0
    told = capsys.readouterr().out
    for part in ("random (", "busy (", "caution: busy", "pairs of random and busy", "of ", "how:", "dice read in"):
        assert part in told
    assert main(["sim", BOOK, "--games", "3", "--jobs", "1", "--until", "1"]) == 0
    told = capsys.readouterr().out
    assert "unfinished after 1 choices" in told and "pairs" not in told


@pytest.mark.parametrize(
    ("players", "said"),
    [("person", "does not play by itself"), ("random/busy/random", "names 3 players"), ("busy,busy,busy", "--matrix")],
)
def test_who_cannot_play_is_refused(players: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sim", BOOK, "--players", players, "--games", "1"]) == 2
    assert said in capsys.readouterr().err


def test_cases_that_never_run() -> None:
    found: dict[str, Any] = played(("busy",), range(6)).document["cases"]
    program = load(BOOK).program
    assert set(found["always"]) & {"3", "5"} and not set(found["never"]) & set(found["always"])
    stopped = played(("busy",), range(2), until=1).document
    assert stopped["how"] == [] and "3" in stopped["cases"]["always"]
    names = [*found["never"], *found["always"], *found["sometimes"]]
    assert len(names) == found["known"] and set(names) <= set(program.cases)
