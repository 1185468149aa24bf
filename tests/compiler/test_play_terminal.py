"""`rulewright play` as a person meets it: in a terminal of its own, over a pipe, on a dumb terminal, and stopped."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from rulewright.compiler import load
from rulewright.runtime import resume

pty = pytest.importorskip("pty", reason="a terminal needs a Unix system")
pyte = pytest.importorskip("pyte")

ROOT = Path(__file__).parent.parent.parent
sys.path.insert(0, str(ROOT / "tools"))

from terminal import Terminal  # noqa: E402

BOOK = str(ROOT / "tests" / "books" / "skirmish.rules")
COMMAND = [
    sys.executable,
    "-c",
    "import sys; from rulewright.compiler.cli.main import main; sys.exit(main(sys.argv[1:]))",
]


@pytest.fixture
def terminal(tmp_path: Path):
    made: list[Terminal] = []

    def start(*words: str, width: int = 110, height: int = 32, **settings: str) -> Terminal:
        found = Terminal([*COMMAND, "play", BOOK, *words], width, height, tmp_path, settings)
        made.append(found)
        return found

    yield start
    for one in made:
        one.stop()


def test_a_person_moves_asks_why_undoes_and_leaves(terminal, tmp_path: Path) -> None:
    t = terminal("--players", "person,random")
    t.wait("what to do", "(Blu1", "red>")
    t.type("1\r")
    t.wait("which unit?", "Red 1", "Red 2")
    t.type("Red 1\r")
    t.wait("move › Red 1", "where to?")
    t.type("why D4\r")
    t.wait("refused", "Enter or Esc goes back")
    t.type("\x1b")
    t.wait("where to?")
    t.type("B1\r")
    t.wait("[Red1", "Red: move: Red 1, A1, B1")
    t.type("undo\r")
    t.wait("taken back")
    t.type("/b2\r")
    t.wait("Red 1 › B2", "Red 2 › B2")
    t.type("\x1b[B\r")
    t.wait("Red: move: Red 2")
    t.type("quit\r")
    assert t.end() == 0
    assert "saved; to go on: rulewright play" in t.left_over() and "skirmish-battle.save" in t.left_over()
    assert (tmp_path / "skirmish-battle.save").is_file()


def test_control_c_saves_and_says_how_to_go_on_and_it_goes_on(terminal, tmp_path: Path) -> None:
    t = terminal()
    t.wait("what to do")
    t.type("move\r")
    t.wait("which unit?")
    t.type("Red 2\r")
    t.wait("where to?")
    t.type("A4\r")
    t.wait("move › Red 1")
    t.type("\x03")
    assert t.end() == 0
    assert "--resume skirmish-battle.save" in t.left_over() and "Traceback" not in t.left_over()
    again = terminal("--resume", "skirmish-battle.save")
    again.wait("what to do", "[Red2")
    again.type("\x03")
    assert again.end() == 0


def test_a_closed_terminal_loses_nothing(terminal, tmp_path: Path) -> None:
    t = terminal()
    t.wait("what to do")
    t.type("done\r")
    t.wait("Blue: what to do")
    os.kill(t.pid, signal.SIGHUP)
    t.end()
    assert (tmp_path / "skirmish-battle.save").is_file()


def test_no_color_draws_without_color(terminal) -> None:
    for settings, wanted in (({"NO_COLOR": "1"}, False), ({}, True)):
        t = terminal(**settings)
        t.wait("what to do")
        assert t.colored() is wanted
        t.type("\x03")
        t.end()


def test_a_narrow_terminal_and_a_new_size(terminal) -> None:
    t = terminal(width=60, height=20)
    t.wait("what to do", "1 move")
    t.resize(130, 40)
    t.wait("what to do", "(Blu1")
    t.type("\x03")
    assert t.end() == 0


def test_a_dumb_terminal_gets_plain_questions(terminal) -> None:
    t = terminal(TERM="dumb")
    t.wait("Red: what to do", "1 move", "red>")
    t.type("move\r")
    t.wait("which unit?")
    t.type("quit\r")
    assert t.end() == 0
    assert "\x1b[" not in t.raw


def test_a_pipe_gets_plain_questions_and_an_end_of_input_saves(tmp_path: Path) -> None:
    lines = "move\nRed 1\nmore\nmap\nwhy in_zone(blue, D3)\nB1\nlog\n"
    done = subprocess.run(
        [*COMMAND, "play", BOOK], input=lines, capture_output=True, text=True, cwd=tmp_path, timeout=600, check=False
    )
    assert done.returncode == 0 and done.stderr == ""
    assert "Red: move › Red 1" in done.stdout and "in_zone(blue, @D3) = true" in done.stdout
    assert "(Blu1" in done.stdout and "\x1b" not in done.stdout
    assert "skirmish-battle.save" in done.stdout
    program = load(BOOK).program
    assert resume(tmp_path / "skirmish-battle.save", lambda _: program).state.at[0] == program.place_index["B1"]


def test_a_game_is_played_to_its_end_over_a_pipe(tmp_path: Path) -> None:
    done = subprocess.run(
        [*COMMAND, "play", BOOK, "--players", "person,random", "--seed", "3"],
        input="done\n" * 200,
        capture_output=True,
        text=True,
        cwd=tmp_path,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0 and "the game is over" in done.stdout
    assert "the whole game is in skirmish-battle.save" in done.stdout
    assert resume(tmp_path / "skirmish-battle.save", lambda _: load(BOOK).program).over
