"""docs/owners.md is walked from top to bottom as an owner would; what it shows is what the program says."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from rulewright.compiler.cli.main import main

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "owners.md").read_text()
STEP = re.compile(
    r"<!-- file: (\S+) -->\n```text\n(.*?)```|(<!-- fails -->\n)?```sh\n(.*?)```|```console\n\$ (.*?)\n(.*?)```", re.S
)


def test_the_whole_walk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    said: dict[str, str] = {}
    for file, text, fails, commands, shown, lines in STEP.findall(PAGE):
        if file:
            (tmp_path / file).write_text(text)
        elif shown:
            assert_shown(lines, said[shown])
        for command in filter(None, commands.strip().split("\n")):
            words = shlex.split(command)
            assert words[0] == "rulewright"
            code = main(words[1:])
            told = capsys.readouterr()
            assert code == (1 if fails else 0), (command, told)
            said[command] = told.out + told.err
    assert len(said) >= 16
    assert "RW310" in said["rulewright own fragment crt --from gap.csv -o gap.rules"]


def assert_shown(lines: str, said: str) -> None:
    """Every line that the page shows stands in the output, in that order; `…` stands for anything."""
    at = 0
    for line in lines.splitlines():
        for part in filter(None, line.split("…")):
            found = said.find(part, at)
            assert found >= 0, (part, said)
            at = found + len(part)
