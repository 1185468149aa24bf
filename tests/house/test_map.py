"""The maps of the house, in CONTRIBUTING.md and README.md: every room is on them, and every file that they name exists."""

import importlib.util
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = {name: (ROOT / name).read_text(encoding="utf-8") for name in ("CONTRIBUTING.md", "README.md")}
spec = importlib.util.spec_from_file_location("rulewright_test_rooms", Path(__file__).with_name("test_rooms.py"))
rooms = importlib.util.module_from_spec(spec)
spec.loader.exec_module(rooms)
TOP = tuple(path.name for path in ROOT.iterdir() if path.is_dir() and not path.name.startswith("."))
CHANGES = (
    "builtin", "statement", "check", "overlay verb", "fact of a diff", "command", "chart or kind of data", "book",
    "answer of the editor", "page of the reference",
)  # fmt: skip


def named(text):
    """Paths between backticks that begin in a folder of ours, or are files at the top."""
    words = re.findall(r"`([\w./-]+)`", text)
    return {w for w in words if (w.split("/")[0] in TOP and "/" in w) or re.fullmatch(r"[A-Z]+\.md|Makefile", w)}


def table(text):
    """The rows of the map of rooms, by room."""
    part = text.partition("## The rooms")[2].partition("\n## ")[0]
    rows = [re.split(r"(?<!\\)\|", line)[1:-1] for line in part.splitlines() if line.startswith("| `")]
    return {row[0].strip().strip("`"): [cell.strip() for cell in row[1:]] for row in rows}


@pytest.mark.parametrize("page", PAGES)
def test_every_file_that_is_named_exists(page):
    found = named(PAGES[page])
    assert len(found) > 10
    assert {path for path in found if not (ROOT / path).exists()} == set()


def test_every_room_is_in_the_map_in_the_order_of_imports():
    found = [name for name in table(PAGES["CONTRIBUTING.md"]) if name.startswith("compiler/")]
    assert [name.removeprefix("compiler/").strip("/").removesuffix(".py") for name in found] == list(rooms.ROOMS)
    assert {"dsl/", "runtime/", "editor/"} <= set(table(PAGES["CONTRIBUTING.md"]))


def test_every_room_says_what_goes_out():
    for name, (comes, goes) in table(PAGES["CONTRIBUTING.md"]).items():
        assert goes and (comes or name == "compiler/core/"), name


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_has_its_files_and_its_proof(change):
    part = PAGES["CONTRIBUTING.md"].partition("## Where does my change go?")[2].partition("\n## ")[0]
    [text] = [x for x in part.split("\n\n") if re.match(rf"\*\*A new {change}\*\*", x)]
    files, _, proof = text.partition("Proof:")
    assert len(named(files)) >= 2 or change == "book"
    assert any(path.startswith("tests/") for path in named(proof))


def test_every_folder_is_in_the_map_of_the_readme():
    part = PAGES["README.md"].partition("| folder | what it holds |")[2].partition("\n\n")[0]
    shown = {path.split("/")[0] for path in re.findall(r"`([\w./-]+)/`", part)}
    made = {"build", "dist"} | {name for name in TOP if name.endswith(".egg-info")}
    assert set(TOP) - made - shown == {"rulewright"}, "which holds the version alone"


def test_every_module_that_a_comment_names_exists():
    folders = ("dsl", "compiler", "runtime", "editor", "table", "adapters")
    files = [path for folder in folders for path in (ROOT / folder).rglob("*.py")]
    known = {path.name for folder in TOP for path in (ROOT / folder).rglob("*.py")}
    gone = {
        f"{path.relative_to(ROOT)}:{i}: {name}"
        for path in files
        for i, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        for name in re.findall(r"\b(\w+\.py)\b(?!\.j2)", line)
        if name not in known
    }
    assert gone == set()
