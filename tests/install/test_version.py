"""One version, told alike by everything that tells it."""

import json
import re
import subprocess
import sys
import tomllib
from importlib.metadata import version
from pathlib import Path

import rulewright
from rulewright.editor.session import Server

ROOT = Path(__file__).resolve().parent.parent.parent


def test_the_version_stands_in_one_place():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    assert project["project"]["dynamic"] == ["version"]
    assert project["tool"]["setuptools"]["dynamic"]["version"] == {"attr": "rulewright.__version__"}
    assert re.fullmatch(r"\d+\.\d+\.\d+", rulewright.__version__)


def test_the_installed_package_and_the_command_tell_it():
    assert version("rulewright") == rulewright.__version__
    code = "import sys; from rulewright.compiler.cli.main import main; sys.exit(main(['--version']))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == f"rulewright {rulewright.__version__}"


def test_the_editor_and_its_extension_tell_it():
    assert Server().version == rulewright.__version__
    extension = json.loads((ROOT / "editor" / "vscode" / "package.json").read_text())
    assert extension["version"] == rulewright.__version__
