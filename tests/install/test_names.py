"""The folders are parts of one package, never modules of their own."""

import importlib.util
import subprocess
import sys

import pytest


@pytest.mark.parametrize("name", ["dsl", "compiler", "runtime", "rulebooks", "editor"])
def test_a_folder_is_never_a_top_level_module(name):
    code = f"import importlib.util; print(importlib.util.find_spec({name!r}))"
    done = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "None"


@pytest.mark.parametrize("name", ["dsl", "compiler", "runtime", "rulebooks", "editor"])
def test_a_folder_is_a_part_of_the_package(name):
    assert importlib.util.find_spec(f"rulewright.{name}") is not None
