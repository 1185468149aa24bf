"""Every command of docs/diff.md is run, and what the page shows is what comes out."""

import json
import re
import shlex
from pathlib import Path

import pytest

from rulewright.compiler.cli.main import main

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "diff.md").read_text()


@pytest.fixture(scope="module")
def desk(tmp_path_factory):
    folder = tmp_path_factory.mktemp("desk")
    book, sheet = re.findall(r"```rules\n(.*?)```", PAGE, re.S)
    (folder / "ford.rules").write_text(book + "\n" + sheet)
    for name, text in re.findall(r"<!-- file: (\w+) -->\n```text\n(.*?)```", PAGE, re.S):
        (folder / name).write_text(text)
    return folder


def test_every_command_works_and_the_first_prints_what_is_shown(desk, monkeypatch, capsys):
    monkeypatch.chdir(desk)
    commands = [line for block in re.findall(r"```sh\n(.*?)```", PAGE, re.S) for line in block.strip().split("\n")]
    assert len(commands) == 15
    said = {}
    for command in commands:
        words = shlex.split(command)
        assert words[0] == "rulewright"
        assert main(words[1:]) == 0, command
        said[command] = capsys.readouterr().out
    shown = re.search(r"```text\n(ford.*?)```", PAGE, re.S)[1]
    assert said[commands[0]] == shown
    assert "first differs" in said[commands[5]] or "replays identically" in said[commands[5]]
    assert "play is the same" in said[commands[9]] or "no difference" in said[commands[9]]
    assert json.loads((desk / "changes.json").read_text())["facts"]


def test_without_the_ignore_file_the_build_fails(desk, monkeypatch, capsys):
    monkeypatch.chdir(desk)
    assert main(["diff", "ford.rules", "ford.rules+sheet", "--fail-on", "narrower,different"]) == 1
