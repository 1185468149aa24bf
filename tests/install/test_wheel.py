"""The built wheel installs and does the main job, books included."""

import os
import re
import shlex
import shutil
import subprocess
import sys
import venv
from pathlib import Path

import pytest

import rulewright

ROOT = Path(__file__).resolve().parent.parent.parent


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """A fresh environment with the wheel in it; its dependencies are borrowed from this one."""
    work = tmp_path_factory.mktemp("wheel")
    tree = work / "tree"
    shutil.copytree(
        ROOT, tree, symlinks=True,
        ignore=shutil.ignore_patterns(
            ".git", ".venv", "build", "dist", "*.egg-info", ".*_cache", "__pycache__", ".hypothesis", ".rulewright", ".pyodide"
        ),
    )  # fmt: skip
    subprocess.run(
        [
            sys.executable,
            "-m",
            "pip",
            "wheel",
            "--quiet",
            "--no-deps",
            "--no-build-isolation",
            "-w",
            str(work),
            str(tree),
        ],
        check=True,
        capture_output=True,
    )
    wheel = next(work.glob("rulewright-*.whl"))
    place = work / "env"
    venv.create(place, with_pip=True)
    python = place / "bin" / "python"
    subprocess.run(
        [python, "-m", "pip", "install", "--quiet", "--no-deps", str(wheel)], check=True, capture_output=True
    )
    site = next(Path(p) for p in sys.path if p.endswith("site-packages"))
    target = next((place / "lib").glob("python*/site-packages"))
    for name in ("lark", "jinja2", "markupsafe", "cerberus", "prompt_toolkit", "wcwidth"):
        os.symlink(site / name, target / name)
    return place


def run(installed, folder, *args, typed=None):
    env = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")} | {
        "RULEWRIGHT_CACHE": str(installed.parent / "cache")
    }
    return subprocess.run(
        [installed / "bin" / "rulewright", *args], cwd=folder, capture_output=True, text=True, env=env, input=typed
    )


def test_the_installed_command_tests_plays_and_draws_a_book(installed, tmp_path):
    for args in (
        ["test", "fragment"],
        ["play", "fragment", "--scenario", "first_year", "--players", "random", "--until", "60", "--quiet", "--log", "b.log"],
        ["map", "fragment", "-o", "map.svg"],
    ):
        done = run(installed, tmp_path, *args)
        assert done.returncode == 0, done.stdout[-1500:] + done.stderr[-1500:]
    assert (tmp_path / "b.log").read_text().count("\n") > 10
    assert (tmp_path / "map.svg").read_text().startswith("<svg")


def test_from_install_to_a_played_house_rule_in_five_commands(installed, tmp_path):
    """The five commands of the README; the first one made the environment."""
    block = re.search(r"```sh\n(pip install \..*?)```", (ROOT / "README.md").read_text(), re.S)[1]
    first, *commands = [shlex.split(line) for line in block.strip().split("\n")]
    assert first[:2] == ["pip", "install"] and len(commands) <= 4
    for words in commands[:-1]:
        done = run(installed, tmp_path, *words[1:])
        assert done.returncode == 0, done.stdout[-1500:] + done.stderr[-1500:]
    done = run(installed, tmp_path, *commands[-1][1:], typed="why air_range\nmove\n47 Panzer\nP16\nquit\n")
    assert done.returncode == 0, done.stderr[-1500:]
    assert "air_range = 9" in done.stdout and "as amended by V.1 (mine)" in done.stdout
    assert "Axis: move 47 Panzer along P17, P16" in done.stdout
    assert list(tmp_path.glob("*.save"))


def test_the_wheel_tells_its_version(installed, tmp_path):
    wheel = next(installed.parent.glob("rulewright-*.whl"))
    assert wheel.name.split("-")[1] == rulewright.__version__
    assert run(installed, tmp_path, "--version").stdout.strip() == f"rulewright {rulewright.__version__}"


def test_nothing_of_a_machine_is_in_the_installed_books(installed):
    books = next((installed / "lib").glob("python*/site-packages")) / "rulewright" / "rulebooks"
    assert (books / "trc" / "inventory.tsv").is_file()
    assert list(books.rglob("*.rules"))
