"""What the README shows is run."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from rulewright.compiler.cli.main import main

ROOT = Path(__file__).resolve().parent.parent.parent
README = (ROOT / "README.md").read_text()


def blocks(language):
    return re.findall(rf"```{language}\n(.*?)```", README, re.S)


@pytest.fixture(scope="module")
def desk(tmp_path_factory):
    folder = tmp_path_factory.mktemp("desk")
    (folder / "picket.rules").write_text(blocks("rules")[0])
    return folder


def run(command, folder):
    """A command as it is typed, in a process of its own."""
    words = shlex.split(command)
    assert words[0] == "rulewright"
    code = "import sys; from rulewright.compiler.cli.main import main; sys.exit(main(sys.argv[1:]))"
    return subprocess.run(
        [sys.executable, "-c", code, *words[1:]],
        cwd=folder,
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
    )


def test_every_command_shown_works(desk, monkeypatch, capsys):
    """In this process, which knows the books already; tests/install/test_wheel.py runs commands as they are installed."""
    monkeypatch.chdir(desk)
    fresh = "pip install"  # that block is run in an environment of its own: tests/install/test_wheel.py
    commands = [line for block in blocks("sh") if not block.startswith(fresh) for line in block.strip().split("\n")]
    assert len(commands) >= 8
    for command in commands:
        assert main(shlex.split(command)[1:]) == 0, (command, capsys.readouterr())


def test_a_house_rule_takes_five_commands_from_install_to_play():
    block = next(b for b in blocks("sh") if b.startswith("pip install"))
    commands = block.strip().split("\n")
    assert len(commands) <= 5 and commands[-1].startswith("rulewright play trc+mine.rules ")


def test_the_ten_lines_do_what_they_say(desk):
    shown = re.search(r"\$ (rulewright test .*)\n\s+(.*)", README)
    done = run(shown.group(1), desk)
    assert done.stdout.strip() == shown.group(2)


def test_the_python_shown_runs(desk):
    for block in blocks("python"):
        subprocess.run([sys.executable, "-c", block], cwd=desk, check=True, capture_output=True)
