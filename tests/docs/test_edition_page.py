"""docs/edition.md is walked from top to bottom as a reader would."""

import re
import shlex
from pathlib import Path

import pytest

from rulewright.compiler.cli.main import main

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "edition.md").read_text(encoding="utf-8")
STEP = re.compile(r"<!-- file: (\S+) -->\n```text\n(.*?)```|(<!-- fails -->\n)?```sh\n(.*?)```", re.S)


def test_the_whole_walk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ferry").mkdir()
    pages = []
    for file, text, fails, commands in STEP.findall(PAGE):
        if file:
            (tmp_path / file).write_text(text, encoding="utf-8")
        for command in commands.strip().split("\n") if commands else ():
            assert main(shlex.split(command)[1:]) == (2 if fails else 0), (command, capsys.readouterr())
            told = capsys.readouterr()
            if fails:
                assert "before the first edition" in told.err
            else:
                pages.append((tmp_path / told.out.strip()).read_text(encoding="utf-8"))
    shown = re.search(r"```console\n\$ (.*?)\n(.*?)```", PAGE, re.S)
    assert main(shlex.split(shown[1])[1:]) == 0 and capsys.readouterr().out == shown[2]
    first, by_day, by_folder = pages
    assert (
        by_day == by_folder and "It may cost at most 3." in first and 'class="bar"' not in first.partition("<body>")[2]
    )
    quoted = re.search(r"> changed 1986 \| (.*?) … History: (.*)", PAGE)
    text = " ".join(re.sub(r"<[^>]+>", "", by_day).split())
    assert quoted[1] in text and f"History: {quoted[2]}" in text and "changed 1986" in text
