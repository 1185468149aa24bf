"""Compiling gives the same bytes: twice in one process, and in others with any seed of hashing."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from rulewright.compiler.pipeline import compile_book

ROOT = Path(__file__).parents[2]
ORACLE = Path(__file__).with_name("books") / "oracle.rules"
BOOKS = [ORACLE, *([ROOT / "rulebooks" / "trc"] if (ROOT / "rulebooks" / "trc" / "00-book.rules").is_file() else [])]

ELSEWHERE = """
import hashlib, pathlib, sys, tempfile
from rulewright.compiler.manifest import manifest, source_map
from rulewright.compiler.pipeline import compile_book
from rulewright.runtime.begin import new_game
from rulewright.runtime.players import RandomPlayer, play
from rulewright.compiler.loader import import_program, write
made = compile_book(sys.argv[1])
parts = [repr(made.emitted.modules), source_map(made), manifest(made)]
print(hashlib.sha256("\\0".join(parts).encode()).hexdigest())
if sys.argv[2]:
    folder = pathlib.Path(tempfile.mkdtemp())
    write(made, folder)
    game = new_game(import_program(folder), sys.argv[2], 7)
    play(game, {side: RandomPlayer(i) for i, side in enumerate(game.program.sides)}, 25)
    print(game.digest())
"""


def fingerprint(book: Path) -> str:
    from rulewright.compiler.manifest import manifest, source_map

    made = compile_book(str(book))
    assert made.emitted is not None
    parts = [repr(made.emitted.modules), source_map(made), manifest(made)]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def elsewhere(book: Path, hash_seed: str, scenario: str = "") -> list[str]:
    """What another process makes of the book."""
    done = subprocess.run(
        [sys.executable, "-c", ELSEWHERE, str(book), scenario],
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


@pytest.fixture(scope="module", params=BOOKS, ids=lambda p: p.stem)
def book(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of a book that nobody changes meanwhile."""
    copy = tmp_path_factory.mktemp("books") / request.param.name
    (shutil.copytree if request.param.is_dir() else shutil.copy)(request.param, copy)
    assert compile_book(str(copy)).emitted is not None
    return copy


def test_twice_the_same(book: Path) -> None:
    assert fingerprint(book) == fingerprint(book)


def test_any_hash_seed(book: Path) -> None:
    """The order in which hashing happens to keep things never reaches the modules or a game."""
    scenario = "brawl" if book.name == ORACLE.name else ""
    found = [elsewhere(book, seed, scenario) for seed in ("0", "1", "4711")]
    assert found[0] == found[1] == found[2]
    assert found[0][0] == fingerprint(book)


def test_another_text_another_print(tmp_path: Path) -> None:
    """The fingerprint sees a single changed number."""
    text = ORACLE.read_text()
    changed = tmp_path / "oracle.rules"
    changed.write_text(text.replace("at least 0 at most 9", "at least 0 at most 8"))
    assert fingerprint(changed) != fingerprint(ORACLE)
