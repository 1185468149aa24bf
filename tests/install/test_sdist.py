"""The source distribution holds everything, and its tests run where it is unpacked."""

import os
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

import rulewright

ROOT = Path(__file__).resolve().parent.parent.parent
# What a machine makes is what git leaves alone; PKG-INFO and setup.cfg are written by the build, and are there when these
# tests run in an unpacked distribution.
IGNORED = [line.strip("/") for line in (ROOT / ".gitignore").read_text("utf-8").splitlines() if line]
MADE = shutil.ignore_patterns(".git", "PKG-INFO", "setup.cfg", *IGNORED)
LINKS = Path("tests", "types")
PART = ["tests/install/test_names.py", "tests/house/test_rooms.py", "tests/compiler/test_load.py"]


def files(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture(scope="module")
def trees(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The tree as it is, without what a machine made, and the unpacked distribution of it."""
    work = tmp_path_factory.mktemp("sdist")
    tree = work / "tree"
    shutil.copytree(ROOT, tree, symlinks=True, ignore=MADE)
    code = f"from setuptools import build_meta; build_meta.build_sdist({str(work)!r})"
    subprocess.run([sys.executable, "-c", code], cwd=tree, check=True, capture_output=True)
    shutil.rmtree(tree / "rulewright.egg-info", ignore_errors=True)
    name = f"rulewright-{rulewright.__version__}"
    with tarfile.open(work / f"{name}.tar.gz") as archive:
        archive.extractall(work, filter="data")
    return tree, work / name


def test_everything_is_in_it_and_nothing_else(trees: tuple[Path, Path]) -> None:
    tree, unpacked = trees
    kept = {name for name in files(tree) if not Path(name).is_relative_to(LINKS)}
    made = {"PKG-INFO", "setup.cfg"} | {name for name in files(unpacked) if name.startswith("rulewright.egg-info/")}
    assert files(unpacked) - made == kept
    for folder in ("tests", "docs", "tools", "benchmarks", "maps", "rulebooks"):
        assert any(name.startswith(f"{folder}/") for name in kept)
    assert {"CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "Makefile", "README.md"} <= kept


def test_its_tests_run_where_it_is_unpacked(trees: tuple[Path, Path]) -> None:
    """A part of them, on the unpacked package; `make test` there runs all."""
    _, unpacked = trees
    links = [
        "make",
        "-o",
        ".venv/.ready",
        *(
            f"{LINKS}/rulewright/{name}"
            for name in ("__init__.py", "compiler", "dsl", "editor", "rulebooks", "runtime", "table", "adapters")
        ),
    ]
    subprocess.run(links, cwd=unpacked, check=True, capture_output=True)
    # Python would also look where it stands, and find the folder `rulewright` there, which holds the version alone.
    env = os.environ | {
        "PYTHONPATH": str(unpacked / LINKS),
        "PYTHONSAFEPATH": "1",
        "RULEWRIGHT_CACHE": str(unpacked / "cache"),
    }
    where = [sys.executable, "-c", "import rulewright.compiler; print(rulewright.compiler.__file__)"]
    found = subprocess.run(where, cwd=unpacked, env=env, check=True, capture_output=True, text=True).stdout
    assert Path(found.strip()).is_relative_to(unpacked), "the tests look at the unpacked package"
    run = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *PART]
    done = subprocess.run(run, cwd=unpacked, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-3000:]
