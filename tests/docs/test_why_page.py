"""docs/commands.md: the explanations that it shows are those that the commands print; `make golden` takes them again."""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
from pathlib import Path

from rulewright.compiler.cli.main import main

PAGE = Path(__file__).parent.parent.parent / "docs" / "commands.md"
CONSOLE = re.compile(r"```console\n(.*?)```", re.S)


def told(command: str) -> str:
    """What a command prints, complaints too, with its exit code where that is not 0."""
    text = io.StringIO()
    with contextlib.redirect_stdout(text), contextlib.redirect_stderr(text):
        code = main(shlex.split(command)[1:])
    return text.getvalue() + (f"(exit code {code})\n" if code else "")


def test_the_explanations_are_real(tmp_path: Path, monkeypatch) -> None:
    page = PAGE.read_text(encoding="utf-8")
    [begin] = re.findall(r"^rulewright play .*--save battle.save$", page, re.M)
    [shown] = CONSOLE.findall(page)
    commands = re.findall(r"^\$ (.*)$", shown, re.M)
    assert len(commands) >= 5
    monkeypatch.chdir(tmp_path)
    told(begin)
    real = "\n".join(f"$ {command}\n{told(command)}" for command in commands)
    if os.environ.get("RULEWRIGHT_GOLDEN"):
        PAGE.write_text(page.replace(shown, real), encoding="utf-8")
    assert real == shown or os.environ.get("RULEWRIGHT_GOLDEN")
