"""A git repository with a small book in it, for tests of what a keeper does."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path
from types import SimpleNamespace

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "diff.md").read_text(encoding="utf-8")


def ford() -> str:
    """The book of docs/diff.md with its sheet."""
    book, sheet = re.findall(r"```rules\n(.*?)```", PAGE, re.S)
    return f"{book}\n{sheet}"


def git(folder: Path, *words: str, when: str = "2026-05-01T12:00:00Z") -> str:
    """Run git there, as somebody, on a day."""
    who = {"GIT_AUTHOR_NAME": "K", "GIT_AUTHOR_EMAIL": "k@x", "GIT_COMMITTER_NAME": "K", "GIT_COMMITTER_EMAIL": "k@x"}
    around = {k: v for k, v in os.environ.items() if not k.startswith("GIT_")}
    day = {"GIT_AUTHOR_DATE": when, "GIT_COMMITTER_DATE": when, "GIT_CONFIG_GLOBAL": os.devnull}
    env = {**around, **who, **day}
    done = subprocess.run(["git", "-C", str(folder), *words], env=env, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def repository(folder: Path, files: dict[str, str]) -> Path:
    """A repository with one commit, tagged v1."""
    folder.mkdir(parents=True, exist_ok=True)
    git(folder, "init", "-q", "-b", "main")
    commit(folder, files)
    git(folder, "tag", "v1")
    return folder


def commit(folder: Path, files: dict[str, str], when: str = "2026-05-01T12:00:00Z") -> str:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    git(folder, "add", "-A", when=when)
    git(folder, "commit", "-q", "-m", "rules", when=when)
    return git(folder, "rev-parse", "HEAD")


@pytest.fixture
def repos() -> SimpleNamespace:
    return SimpleNamespace(git=git, repository=repository, commit=commit, ford=ford)
