"""Skeletons check, compile, hold their examples and play as they are written."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rulewright.compiler.cli.main import main


def run(*words: str) -> int:
    return main(list(words))


def test_a_new_book_plays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("new", "book", "outpost", "--title", 'The "outpost"') == 0
    assert run("check", "outpost.rules") == 0
    assert run("test", "outpost.rules") == 0
    assert "2 passed, 0 failed" in capsys.readouterr().out
    assert run("fmt", "--check", "outpost.rules") == 0
    assert run("play", "outpost.rules", "--players", "random,random", "--seed", "2", "--quiet", "--log", "log") == 0
    assert "wins" in (tmp_path / "log").read_text()


def test_a_new_book_has_an_opponent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("new", "book", "outpost") == 0
    assert run("fmt", "--check", "doctrines/outpost_plan.rules") == 0
    assert run("check", "outpost.rules+doctrines/outpost_plan.rules") == 0
    capsys.readouterr()
    words = ["--players", "doctrine,random", "--pairs", "12", "--no-cases", "--quiet", "--format", "json"]
    assert run("sim", "outpost.rules", *words) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["pairs"]["interval"][0] > 0.5
    assert all(seat["won"]["share"] > 0.7 for seat in found["seats"] if seat["player"] == 0)


def test_a_new_variant_changes_the_book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("new", "book", "outpost") == 0
    assert run("new", "variant", "thick", "--of", "outpost.rules") == 0
    assert "amend 3 woods_price: 2 becomes 3" in (tmp_path / "thick.rules").read_text()
    for command in ("check", "test"):
        assert run(command, "outpost.rules+thick.rules") == 0
    assert run("fmt", "--check", "thick.rules") == 0
    assert run("play", "outpost.rules+thick.rules", "--players", "random,random", "--quiet") == 0
    assert run("new", "variant", "plain", "--of", "outpost.rules", "--case", "5") == 0
    assert run("test", "outpost.rules+plain.rules") == 0


def test_nothing_is_written_over_or_beside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("new", "book", "outpost") == 0
    before = (tmp_path / "outpost.rules").read_text()
    assert run("new", "book", "outpost", "--title", "Other") == 2
    assert run("new", "book", "../away") == 2
    assert run("new", "variant", "mine", "--of", "nowhere") == 1
    assert "there is no book" in capsys.readouterr().err
    assert sorted(p.name for p in tmp_path.rglob("*.rules")) == ["outpost.rules", "outpost_plan.rules"]
    assert (tmp_path / "outpost.rules").read_text() == before
    (tmp_path / "outpost.rules").unlink()
    assert run("new", "book", "outpost") == 2, "its opponent may be somebody's work"
    assert [p.name for p in tmp_path.rglob("*.rules")] == ["outpost_plan.rules"]
