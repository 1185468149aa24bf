"""Games that are kept: never played twice, added to, compared, and whole after a kill."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from rulewright.compiler.cli.main import main
from rulewright.compiler.playtest.kept import Kept
from rulewright.compiler.playtest.playtest import playtest
from rulewright.compiler.playtest.records import Played, Setting, Task
from rulewright.compiler.playtest.run import Here
from rulewright.compiler.playtest.stage import Stage

BOOK = str(Path(__file__).parent.parent / "books" / "skirmish.rules")
PAIR = ("random", "busy")


class Counting(Here):
    def __init__(self) -> None:
        super().__init__(1)
        self.tasks: list[Task] = []

    def play(self, stage, tasks):  # type: ignore[no-untyped-def]
        self.tasks += tasks
        yield from super().play(stage, tasks)


def test_kept_games_are_not_played_again(tmp_path: Path) -> None:
    stage, place, kept = Stage(Setting(BOOK, "battle", PAIR, 20_000)), Counting(), Kept(tmp_path / "games.db")
    first = playtest(stage, range(2), place=place, known=kept.of(stage))
    more = playtest(stage, range(3), place=place, known=kept.of(stage))
    assert [t.seed for t in place.tasks] == [0, 0, 1, 1, 2, 2]
    assert more.played[:4] == first.played and more.document == playtest(stage, range(3), place=Here(1)).document
    swapped = Stage(Setting(BOOK, "battle", PAIR[::-1], 20_000))
    again = playtest(swapped, range(3), place=place, known=kept.of(swapped))
    assert len(place.tasks) == 6, "the same games, called by the other player first"
    assert again.document["pairs"]["counts"] == more.document["pairs"]["counts"][::-1]
    other = Stage(Setting(BOOK, "battle", PAIR, 50))
    playtest(other, range(1), place=place, known=kept.of(other))
    assert len(place.tasks) == 8, "games that are stopped earlier are others"


def test_a_kill_loses_nothing_that_was_kept(tmp_path: Path) -> None:
    """The process kills itself amid its games, between one record and the next."""
    file = tmp_path / "games.db"
    code = (
        "import os, signal, sys\n"
        "from pathlib import Path\n"
        "from rulewright.compiler.playtest import kept, stage, run, playtest, records\n"
        f"ready = stage.Stage(records.Setting({BOOK!r}, 'battle', {PAIR!r}, 20000, False))\n"
        f"games = kept.Kept(Path({str(file)!r})).of(ready)\n"
        "made = []\n"
        "def told(n):\n"
        "    if n == 5: os.kill(os.getpid(), signal.SIGKILL)\n"
        "playtest.playtest(ready, range(4), place=run.Here(1), known=games, told=told)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], env=os.environ, capture_output=True)
    assert done.returncode == -signal.SIGKILL, done.stderr
    stage = Stage(Setting(BOOK, "battle", PAIR, 20_000, False))
    kept, place = Kept(file), Counting()
    assert kept.base.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    made = playtest(stage, range(4), place=place, known=kept.of(stage))
    assert len(place.tasks) == 3 and made.played == playtest(stage, range(4), place=Here(1)).played


def test_what_is_kept_is_compared(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, other = str(tmp_path / "games.db"), tmp_path / "harder.rules"
    text = Path(BOOK).read_text()
    other.write_text(text.replace("| 4-6 | A   | D   | D   |", "| 4-6 | A   | A   | D   |"))
    words = ["--players", "random,busy", "--pairs", "3", "--jobs", "1", "--keep", file, "--scenario", "battle"]
    for book in (BOOK, str(other)):
        assert main(["sim", book, *words]) == 0
    capsys.readouterr()
    assert main(["sim", "--keep", file, "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["games"] == 12 and [x["games"] for x in found["played"]] == [3] * 4
    assert [x["pairs"] for x in found["pairs"]] == [3, 3]
    assert [(x["before"], x["after"], x["games"]) for x in found["shifts"]] == [("skirmish", "harder", 3)] * 2
    assert str(tmp_path) not in json.dumps(found), "no path of this machine"
    assert main(["sim", "--keep", file]) == 0
    assert "12 games are kept" in capsys.readouterr().out


def test_a_file_of_another_kind_is_left_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text, base = tmp_path / "a.txt", tmp_path / "other.db"
    text.write_text("a letter\n" * 40)
    made = sqlite3.connect(base)
    made.execute("CREATE TABLE mine(x)")
    made.close()
    for file in (text, base):
        before = file.read_bytes()
        assert main(["sim", BOOK, "--games", "1", "--keep", str(file)]) == 2
        assert "playtests" in capsys.readouterr().err and file.read_bytes() == before
    assert main(["sim"]) == 2 and "--keep FILE" in capsys.readouterr().err


def test_a_record_reads_as_it_was() -> None:
    one = Played(
        seed=3, seats=(1, 0), winner="red", duties={"d": (3, 1)}, ran=("1", "2"), margin={"red": -1.5, "blue": 1.5}
    )
    assert Played.read(one.text()) == one
