"""The VS Code extension: its files are there, and are what its manifest says."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent.parent.parent / "editor" / "vscode"
PACKAGE = json.loads((HERE / "package.json").read_text())
DEPENDENCIES = "node_modules/**"


def named_files():
    yield PACKAGE["main"]
    yield from (x for x in PACKAGE["files"] if x != DEPENDENCIES)
    yield from (x["configuration"] for x in PACKAGE["contributes"]["languages"])
    yield from (x["path"] for x in PACKAGE["contributes"]["grammars"])


def test_the_manifest_has_what_an_extension_needs():
    assert re.fullmatch(r"[a-z0-9-]+", PACKAGE["name"]) and re.fullmatch(r"\d+\.\d+\.\d+", PACKAGE["version"])
    assert PACKAGE["publisher"] and PACKAGE["engines"]["vscode"] and PACKAGE["license"] == "MIT"


@pytest.mark.parametrize("name", sorted(set(named_files())))
def test_every_file_that_the_manifest_names_is_there(name):
    assert (HERE / name).is_file()


def test_whatever_the_extension_reads_is_packed():
    packed = {str(Path(x)) for x in PACKAGE["files"]}
    assert DEPENDENCIES in packed
    assert {str(Path(x)) for x in named_files()} <= packed


def test_grammar_and_languages_agree():
    (language,) = PACKAGE["contributes"]["languages"]
    (grammar,) = PACKAGE["contributes"]["grammars"]
    assert language["extensions"] == [".rules"] and grammar["language"] == language["id"]
    assert json.loads((HERE / grammar["path"]).read_text())["scopeName"] == grammar["scopeName"]
    settings = json.loads((HERE / language["configuration"]).read_text())
    for pattern in (settings["wordPattern"], *settings["indentationRules"].values()):
        re.compile(pattern)
    opens = re.compile(settings["indentationRules"]["increaseIndentPattern"])
    assert opens.search('case 7.1 "A: b":') and not opens.search('  note "a: b"') and not opens.search("  x = 1  # a:")


def test_the_client_starts_the_server_and_needs_only_what_is_declared():
    text = (HERE / "client.js").read_text()
    assert '["lsp"]' in text and "rulewright.command" in text
    needed = {x.split("/")[0] for x in re.findall(r'require\("([^"]+)"\)', text)} - {"fs", "path", "vscode"}
    assert needed == set(PACKAGE["dependencies"])
    for command in PACKAGE["contributes"]["commands"]:
        assert command["command"] in text


def test_the_client_is_javascript():
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed")
    assert subprocess.run([node, "--check", str(HERE / "client.js")]).returncode == 0
