"""The cache: a module is verified before it runs, nobody else can write there, and without one only time is lost."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from rulewright.dsl import cache
from rulewright.dsl.cache import read_sealed, write_sealed

BOOK = Path(__file__).parents[1] / "books" / "skirmish.rules"
START = "import sys; from rulewright.compiler.cli.main import main; sys.exit(main(sys.argv[1:]))"


def run(folder: Path | None, *words: str, **settings: str) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, **settings}
    env.pop("RULEWRIGHT_CACHE", None)
    env.pop("PYTHONDONTWRITEBYTECODE", None)
    if folder is not None:
        env["RULEWRIGHT_CACHE"] = str(folder)
    return subprocess.run(
        [sys.executable, "-c", START, *words], env=env, capture_output=True, text=True, check=False, timeout=300
    )


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache in which the book is compiled, with bytecode."""
    folder = tmp_path_factory.mktemp("cache") / "mine"
    assert run(folder, "test", str(BOOK)).returncode == 0
    return folder


@pytest.fixture
def mine(filled: Path, tmp_path: Path) -> Path:
    """A copy of it."""
    copied = tmp_path / "mine"
    shutil.copytree(filled, copied)
    for stamp in (copied / "stamps").iterdir():  # its folder is named in full
        content = read_sealed(stamp)
        assert content is not None and write_sealed(stamp, content.replace(str(filled).encode(), str(copied).encode()))
    return copied


def books(folder: Path, kind: str) -> list[Path]:
    return sorted(path for path in (folder / "books").rglob(kind) if path.is_file())


def fine(folder: Path | None, **settings: str) -> None:
    told = run(folder, "test", str(BOOK), **settings)
    assert (told.returncode, told.stdout) == (0, "2 passed, 0 failed\n"), told.stderr


EVIL = "import os\nopen(os.environ['TRAP'], 'w').close()\n"


def test_an_edited_module_is_rebuilt_and_not_run(mine: Path, tmp_path: Path) -> None:
    trap = tmp_path / "trap"
    edited = [p for p in books(mine, "*.py") if "traced" not in p.parts]
    assert edited
    written = {path: path.read_text() for path in edited}
    for path in edited:
        path.write_text(EVIL + path.read_text())
    fine(mine, TRAP=str(trap))
    assert not trap.exists()
    assert {path: path.read_text() for path in edited} == written


@pytest.mark.parametrize("left", [0, 1, 100])
def test_a_cut_module_is_rebuilt(mine: Path, left: int) -> None:
    for path in books(mine, "*.py"):
        path.write_bytes(path.read_bytes()[:left])
    fine(mine)


def test_foreign_bytecode_is_not_run(mine: Path, tmp_path: Path) -> None:
    """Bytecode that fits its module by time and size, but is another's, or cut, or turned."""
    trap = tmp_path / "trap"
    kept = books(mine, "*.pyc")
    assert kept
    import marshal

    evil = marshal.dumps(compile(EVIL, "evil", "exec"))
    for path in kept:
        path.write_bytes(path.read_bytes()[:16] + evil)
    fine(mine, TRAP=str(trap))
    assert not trap.exists()
    for path in books(mine, "*.pyc"):
        content = bytearray(path.read_bytes())
        content[len(content) // 2] ^= 1
        path.write_bytes(content)
    fine(mine)


def test_modules_without_their_seal_are_rebuilt(mine: Path) -> None:
    for path in books(mine, "seal.json"):
        path.write_text("{")
    fine(mine)
    for path in books(mine, "*.py"):
        path.unlink()
    fine(mine)
    for path in books(mine, "map.json"):
        path.write_text("{}")
    told = run(mine, "coverage", str(BOOK), "--quiet")
    assert "Traceback" not in told.stderr and told.returncode in (0, 1, 2), told.stderr


def test_a_changed_byte_anywhere_costs_time_alone(mine: Path) -> None:
    """One byte of every file of the cache, whatever it holds: rules that were parsed, templates, checks, rows."""
    whole = run(mine, "coverage", str(BOOK), "--quiet")
    rng = Random(3)
    files = sorted(path for path in mine.rglob("*") if path.is_file() and path.stat().st_size)
    assert {"blocks", "stamps", "books", "coverage"} <= {path.relative_to(mine).parts[0] for path in files}
    for path in files:
        content = bytearray(path.read_bytes())
        content[rng.randrange(len(content))] ^= 1 << rng.randrange(8)
        path.write_bytes(content)
    fine(mine)
    again = run(mine, "coverage", str(BOOK), "--quiet")
    assert (again.returncode, again.stdout) == (whole.returncode, whole.stdout), again.stderr


def test_a_cache_that_cannot_be_written_costs_time_alone(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    fine(blocked)
    fine(blocked / "deeper")
    told = run(Path("/proc/nowhere"), "coverage", str(BOOK), "--quiet")
    assert told.returncode in (0, 1) and told.stdout and not told.stderr, told.stderr
    assert blocked.read_text() == "in the way"


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="owners of Unix systems")
def test_a_folder_of_others_is_not_used_and_our_own_is_closed_to_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_to_all = tmp_path / "open"
    open_to_all.mkdir(mode=0o777)
    open_to_all.chmod(0o777)
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(open_to_all))
    assert cache.cache_directory() == open_to_all
    assert open_to_all.stat().st_mode & 0o777 == 0o755
    monkeypatch.setattr(cache.os, "geteuid", lambda: 12345)
    private = cache.cache_directory()
    assert private != open_to_all and private.stat().st_mode & 0o777 == 0o700


def test_new_folders_are_closed_to_others(tmp_path: Path) -> None:
    assert cache.write_whole(tmp_path / "a" / "b" / "c", b"x")
    assert all((tmp_path / name).stat().st_mode & 0o777 == 0o700 for name in ("a", "a/b"))


def test_without_a_home_the_folder_cannot_be_guessed_and_is_gone_afterwards() -> None:
    code = (
        "import pathlib; pathlib.Path.home = classmethod(lambda cls: (_ for _ in ()).throw(RuntimeError()))\n"
        "from rulewright.dsl.cache import cache_directory\n"
        "print(cache_directory()); assert cache_directory() == cache_directory()"
    )
    env = {k: v for k, v in os.environ.items() if k not in ("RULEWRIGHT_CACHE", "XDG_CACHE_HOME", "HOME")}
    seen = [
        subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True).stdout.strip()
        for _ in range(2)
    ]
    assert seen[0] != seen[1] and not any(Path(x).exists() for x in seen)
