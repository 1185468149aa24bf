"""docs/sheet.md: its commands are run on the book of docs/diff.md, and what it shows is how the file begins."""

import re
import shlex
from pathlib import Path

from rulewright.compiler.cli.main import main

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGE = (DOCS / "sheet.md").read_text()
SHOWN = re.search(r"```markdown\n(.*?)```", PAGE, re.S)[1]


def test_every_command_works_and_the_page_shows_what_is_written(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    book, sheet = re.findall(r"```rules\n(.*?)```", (DOCS / "diff.md").read_text(), re.S)
    Path("ford.rules").write_text(book + "\n" + sheet)
    commands = [line for block in re.findall(r"```sh\n(.*?)```", PAGE, re.S) for line in block.strip().split("\n")]
    for command in commands:
        words = shlex.split(command)
        assert words[0] == "rulewright" and main([*words[1:], "--quiet", "--jobs", "1"]) == 0, command
    written = Path("may.md").read_text()
    versions = re.compile(r"rules [0-9a-f]{10} to [0-9a-f]{10}")
    assert versions.sub("rules …", written).startswith(versions.sub("rules …", SHOWN)) and SHOWN.count("\n## ") == 3
    listed = re.search(r"^    (.+\.svg)$", PAGE, re.M)[1].split()
    assert sorted(x.name for x in Path("may_maps").iterdir()) == listed
    assert "<svg" in Path("may.html").read_text() and "example " in Path("one.md").read_text()
