"""The folders are parts of one package, never modules of their own."""

import importlib.util
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent


@pytest.mark.parametrize("name", ["dsl", "compiler", "runtime", "rulebooks", "editor", "table", "adapters"])
def test_a_folder_is_never_a_top_level_module(name):
    code = f"import importlib.util; print(importlib.util.find_spec({name!r}))"
    done = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "None"


@pytest.mark.parametrize("name", ["dsl", "compiler", "runtime", "rulebooks", "editor", "table", "adapters"])
def test_a_folder_is_a_part_of_the_package(name):
    assert importlib.util.find_spec(f"rulewright.{name}") is not None


def test_every_folder_of_code_is_packaged():
    """A wheel holds the packages that are listed and no others; a folder that is forgotten is missing after an install."""
    packages = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["packages"]
    folders = {file.parent.relative_to(ROOT) for top in ("dsl", "compiler", "runtime", "rulebooks", "editor", "table", "adapters") for file in (ROOT / top).rglob("__init__.py")}
    assert sorted(packages) == sorted(["rulewright", *("rulewright." + ".".join(folder.parts) for folder in folders)])
