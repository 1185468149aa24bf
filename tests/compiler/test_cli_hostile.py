"""Odd arguments that once ended in a traceback or waited for ever, one test for each."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from rulewright.compiler.cli.main import main

BOOK = Path(__file__).parents[1] / "books" / "skirmish.rules"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "skirmish.rules").write_text(BOOK.read_text(encoding="utf-8"), encoding="utf-8")
    (tmp_path / "latin.rules").write_bytes('book x "Grün"\n'.encode("latin-1"))
    (tmp_path / "list.tsv").write_text("case\n1\n")
    os.mkfifo(tmp_path / "pipe.rules")
    return tmp_path


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["fmt", "latin.rules"], 2, "latin.rules is not UTF-8 text"),
        (["fmt", "pipe.rules"], 2, "pipe.rules is no file"),
        (["play", "skirmish.rules", "--players", "script:latin.rules"], 2, "not UTF-8 text"),
        (["coverage", "skirmish.rules", "--inventory", "list.tsv"], 1, "list.tsv is no inventory"),
        (["coverage", "skirmish.rules", "--inventory", "latin.rules"], 2, "not UTF-8 text"),
        (["compile", "skirmish.rules", "-o", ""], 2, "-o needs the name of a folder"),
        (["check", ""], 1, "there is no book"),
        (["check", "\udcff"], 1, "there is no book"),
        (["play", "\udcff"], 1, "there is no book"),
        (["check", "\udcff", "--format", "sarif"], 1, "%FF"),
    ],
)
def test_one_clear_line(here: Path, capfd: pytest.CaptureFixture[str], words: list[str], code: int, said: str) -> None:
    assert main(words) == code
    out, err = capfd.readouterr()
    assert said in out + err
    assert "Traceback" not in err and len(err.splitlines()) <= 6


STEERING = """book loud "A \x1b]0;gone\x07 book"

case 1 "Pieces \x1b[2J":
  kind side: red, blue
  map field:
    grid: rows A..B, columns from the east
    hexes: A1..A2, B1..B2
  roster all:
    form: side
    red: Red\x1b[31m1 @A1
    blue: Blue\x9b2J @B2
  sequence main:
    phase talk:
      offer red: shout
    win blue
  scenario war "War \x1b[5m":
    sequence: main
  action shout(u: unit from units(red)) by red during talk:
    log "hear \x1b]52;c;Z29uZQ==\x07 this"
  example "loud \x1b[1m":
    given "Red\x1b[31m1" at @A1
    expect "Red\x1b[31m1".side = blue
"""


@pytest.mark.parametrize(
    "words",
    [
        ["play", "loud.rules", "--players", "busy", "--save", "loud.save", "--log", "loud.log"],
        ["play", "loud.rules", "--plain"],
        ["why", "loud.rules", "loud.save", "units(red)"],
        ["why", "loud.rules", "loud.save", 'red: shout("Red\x1b[31m1")'],
        ["test", "loud.rules"],
        ["check", "loud.rules"],
        ["books", "loud.rules"],
        ["sim", "loud.rules", "--games", "2", "--jobs", "1"],
        ["diff", "loud.rules", "loud.rules", "--format", "json"],
        ["coverage", "loud.rules"],
        ["play", "no\x1b[2Jsuch.rules"],
        ["nosuch\x1b[2J"],
    ],
)  # fmt: skip
def test_what_would_steer_a_terminal_is_spelt_out(tmp_path: Path, words: list[str]) -> None:
    (tmp_path / "loud.rules").write_text(STEERING)
    start = "import sys; from rulewright.compiler.cli.main import main; sys.exit(main(sys.argv[1:]))"
    if "loud.save" in words and words[0] == "why":
        first = [sys.executable, "-c", start, "play", "loud.rules", "--players", "random", "--until", "0", "--save", "loud.save"]
        subprocess.run(first, cwd=tmp_path, check=False, capture_output=True)
    told = subprocess.run(
        [sys.executable, "-c", start, *words], cwd=tmp_path, input=b"shout\n1\nlog\nquit\n", capture_output=True, check=False
    )
    said = told.stdout + told.stderr
    if (tmp_path / "loud.log").exists():
        said += (tmp_path / "loud.log").read_bytes()
        assert b"\\u001b]52;" in said
    assert told.returncode in (0, 1, 2), said
    assert not [byte for byte in b"\x1b\x07\x08" if bytes([byte]) in said] and "\x9b" not in said.decode()
