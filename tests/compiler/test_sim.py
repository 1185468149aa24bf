"""Many games: the same for the same seeds, wherever they run; shares with honest intervals."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rulewright.compiler.cli.main import main
from rulewright.compiler.simulate import Played, balance, interval, sim, summary

BOOK = str(Path(__file__).parent.parent / "books" / "skirmish.rules")


def test_the_same_seeds_give_the_same_games_on_one_process_and_two() -> None:
    one, two = (sim(BOOK, "battle", range(6), jobs) for jobs in (1, 2))
    assert one == two
    assert one[2:4] == sim(BOOK, "battle", range(2, 4), 1)


def test_wilsons_interval() -> None:
    low, high = interval(8, 10)
    assert round(low, 4) == 0.4902 and round(high, 4) == 0.9433
    assert interval(0, 0) == (0.0, 1.0)
    assert round(interval(10, 10)[1], 6) == 1.0


def test_balance_pairs_the_seeds() -> None:
    def games(winners: str) -> list[Played]:
        return [Played(i, {"r": "red", "b": "blue"}[w], "5", "", 9) for i, w in enumerate(winners)]

    found = balance(games("rrbb"), games("rbbb"), ("red", "blue"))
    assert found["turned"] == 1
    assert found["sides"]["red"]["shift"] == -0.25 and found["sides"]["blue"]["shift"] == 0.25
    low, high = found["sides"]["red"]["interval"]
    assert low < -0.25 < high
    assert balance(games("rb"), games("rb"), ("red",))["sides"]["red"]["interval"] == [0.0, 0.0]


def test_the_command_prints_a_summary(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sim", BOOK, "--games", "3", "--jobs", "1", "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["games"] == 3 and set(found["wins"]) == {"red", "blue"}
    assert found == summary(sim(BOOK, None, range(3), 1), ("red", "blue"))
    assert main(["sim", BOOK, "--games", "3", "--jobs", "1", "--until", "1"]) == 0
    assert "unfinished after 1 choices" in capsys.readouterr().out
