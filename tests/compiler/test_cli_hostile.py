"""Odd arguments that once ended in a traceback or waited for ever, one test for each."""

from __future__ import annotations

import os
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
