"""docs/variants.md is walked from top to bottom as an author would."""

import re
import shlex
from pathlib import Path

import pytest

from rulewright.compiler.cli.main import main

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "variants.md").read_text()
STEP = re.compile(r"<!-- file: (\S+) -->\n```text\n(.*?)```|(<!-- fails -->\n)?```sh\n(.*?)```", re.S)


def test_the_whole_walk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mild.rules").write_text(re.search(r"mild.rules -->\n```text\n(.*?)```", PAGE, re.S)[1])
    said = {}
    for file, text, fails, commands in STEP.findall(PAGE):
        if file:
            (tmp_path / file).write_text(text)
            continue
        for command in commands.strip().split("\n"):
            words = shlex.split(command)
            assert words[0] == "rulewright"
            assert main(words[1:]) == (1 if fails else 0), (command, capsys.readouterr())
            said[command] = capsys.readouterr().out
    assert len(said) >= 12
    assert "requires fast" in said["rulewright check outpost.rules+retreat.rules"]
    assert "5 of 5 amendments apply" in said["rulewright check fast.rules --on outpost.rules"]
    assert "<html" in (tmp_path / "changes.html").read_text()
    assert any("unaffected" in text for text in said.values())
    notes = said["rulewright diff outpost.rules outpost.rules+fast.rules"]
    for line in ("woods price: 2 becomes 1", "AE becomes EX", "Red Lancers"):
        assert line in notes
