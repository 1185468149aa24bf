"""Every command of docs/keeper.md is run in a repository, and what the page shows is what comes out."""

import os
import re
import shlex
import subprocess
import tomllib
from pathlib import Path

import pytest

from rulewright.compiler.cli.main import main
from rulewright.compiler.keeper.settings import settings

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGE = (DOCS / "keeper.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def desk(tmp_path_factory):
    folder = tmp_path_factory.mktemp("keeper")
    book, sheet = re.findall(r"```rules\n(.*?)```", (DOCS / "diff.md").read_text(encoding="utf-8"), re.S)
    old, new = re.search(r"`(2 when [^`]*)` now says `([^`]*)`", PAGE).groups()
    text = f"{book}\n{sheet}"
    assert old in text
    who = [y for x in ("user.name=K", "user.email=k@x", "init.defaultBranch=main", "commit.gpgsign=false") for y in ("-c", x)]
    kept = {k: v for k, v in os.environ.items() if not k.startswith("GIT_")}
    env = {**kept, "GIT_COMMITTER_DATE": "2026-05-01T12:00:00Z"}
    (folder / "ford.rules").write_text(text)
    for words in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "first edition"], ["tag", "v1"]):
        subprocess.run(["git", *who, *words], cwd=folder, env=env, check=True)
    (folder / "ford.rules").write_text(text.replace(old, new))
    return folder


def test_every_command_works_and_prints_what_is_shown(desk, monkeypatch, capsys):
    monkeypatch.chdir(desk)
    ran = 0
    for sort, block in re.findall(r"```(sh|console)\n(.*?)```", PAGE, re.S):
        lines = [x for x in block.splitlines() if x.startswith("$ ")] if sort == "console" else block.splitlines()
        for line in lines:
            words = shlex.split(line.removeprefix("$ "))
            assert words[0] == "rulewright"
            quick = ["--no-witnesses"] if words[1] == "diff" and "--no-witnesses" not in words else []
            assert main([*words[1:], *quick]) == 0, line
            out, err = capsys.readouterr()
            if sort == "console":
                assert out + err == block.partition("\n")[2]
            ran += 1
    assert ran == 15


def test_the_settings_are_sound(tmp_path):
    [text] = re.findall(r"```toml\n(.*?)```", PAGE, re.S)
    (tmp_path / "rulewright.toml").write_text(text)
    found = settings(tmp_path / "rulewright.toml")
    assert found.levels.case == {"1": "off", "2.2": "error"} and found.fail_on == ("error",) and found.git == "v1"
    nested = "\n".join(f"[tool.rulewright.{line[1:]}" if line.startswith("[") else line for line in text.splitlines())
    (tmp_path / "pyproject.toml").write_text(nested)
    assert tomllib.loads(nested)["tool"]["rulewright"] and settings(tmp_path / "pyproject.toml").levels == found.levels


def test_the_hooks_that_are_named_are_there():
    yaml = pytest.importorskip("yaml", reason="the extra dev has it")
    [text] = re.findall(r"```yaml\n(.*?)```", PAGE, re.S)
    named = {hook["id"] for hook in yaml.safe_load(text)["repos"][0]["hooks"]}
    assert named == {hook["id"] for hook in yaml.safe_load((DOCS.parent / ".pre-commit-hooks.yaml").read_text())}
