"""The completion scripts in the real shells: what a person types before the tab, and what then stands there."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("pty", reason="a terminal needs a Unix system")
pytest.importorskip("pyte")
sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))

from terminal import Terminal

WAIT = float(os.environ.get("RULEWRIGHT_TEST_WAIT", 600))
CODE = "import sys; from rulewright.compiler.cli.main import main; sys.exit(main())"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home with nothing but the command in it."""
    command = tmp_path / "bin" / "rulewright"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec {sys.executable} -c "{CODE}" "$@"\n')
    command.chmod(0o755)
    return tmp_path


def surroundings(home: Path) -> dict[str, str]:
    path = f"{home / 'bin'}:{os.environ['PATH']}"
    return {**os.environ, "PATH": path, "HOME": str(home), "ZDOTDIR": str(home), "LC_ALL": "C.UTF-8"}


def script(home: Path, shell: str) -> str:
    words = [str(home / "bin" / "rulewright"), "completion", shell]
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout


# ---------------------------------------------------------------- fish


@pytest.mark.skipif(shutil.which("fish") is None, reason="there is no fish")
@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("rulewright pla", ["play"]),
        ("rulewright play trc --scenario ba", ["barbarossa", "battle"]),
        ("rulewright check trc+26.9", ["trc+26.9"]),
        ("rulewright check trc --format s", ["sarif"]),
        ("rulewright why trc sav", ["saved.game"]),
    ],
)
def test_fish_completes(typed: str, found: list[str], home: Path) -> None:
    folder = home / ".config" / "fish" / "completions"
    folder.mkdir(parents=True)
    (folder / "rulewright.fish").write_text(script(home, "fish"))
    (home / "saved.game").write_text("")
    done = subprocess.run(
        ["fish", "-c", f'complete -C "{typed}"'],
        cwd=home, env=surroundings(home), capture_output=True, text=True, timeout=WAIT,
    )  # fmt: skip
    assert [line.split("\t")[0] for line in done.stdout.splitlines()] == found, done.stderr


# ---------------------------------------------------------------- zsh


LOADED = {
    "as a file": "fpath=($HOME/functions $fpath)\nautoload -Uz compinit\ncompinit -u -D",
    "as a line": 'autoload -Uz compinit\ncompinit -u -D\neval "$(rulewright completion zsh)"',
}


@pytest.fixture(params=sorted(LOADED))
def zsh(request: pytest.FixtureRequest, home: Path) -> Iterator[Terminal]:
    """An interactive zsh that has the script."""
    if shutil.which("zsh") is None:
        pytest.skip("there is no zsh")
    (home / "functions").mkdir()
    (home / "functions" / "_rulewright").write_text(script(home, "zsh"))
    (home / "saved.game").write_text("")
    (home / ".zshrc").write_text(f"PS1='ready> '\n{LOADED[request.param]}\n")
    shell = Terminal(["zsh", "-i"], 90, 24, home, surroundings(home))
    shell.wait("ready>")
    yield shell
    shell.stop()


def test_zsh_completes(zsh: Terminal) -> None:
    """The rest of the word is put in, and behind it one can type on; where there are several, all are listed."""
    for typed, found in (
        ("rulewright pla", "rulewright play"),
        ("rulewright play trc --scenario bat", "--scenario battle"),
        ("rulewright check trc --format sa", "--format sarif"),
        ("rulewright check trc+26.9", "trc+26.9"),
        ("rulewright why trc sav", "saved.game"),
    ):
        zsh.type(typed + "\t")
        zsh.type("on")
        zsh.wait(f"{found} on")
        zsh.type("\x15")  # the line is taken back
    zsh.type("rulewright play trc --scenario ba\t\t")
    zsh.wait("barbarossa", "battle")
