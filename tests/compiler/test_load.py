"""Compiling and loading: only what changed, and plain imports otherwise."""

import os
import time
from pathlib import Path

import pytest

from rulewright.compiler import NotCompiled, load, pipeline
from rulewright.compiler.emit.allow_list import NotAllowed, allow
from rulewright.compiler.pipeline import compile_book
from rulewright.runtime.state import fresh

BOOK = Path(__file__).parent.parent / "books" / "skirmish.rules"


def test_a_changed_text_compiles_anew(tmp_path):
    path = tmp_path / "one.rules"
    path.write_text(BOOK.read_text())
    first = load(str(path))
    assert load(str(path)) is first
    path.write_text(BOOK.read_text().replace("budget: 3", "budget: 1"))
    os.utime(path, ns=(time.time_ns() + 10**9, time.time_ns() + 10**9))
    second = load(str(path))
    assert second.program.rules_hash != first.program.rules_hash
    game = second.new(seed=0)
    assert {len(dict(c.args)["p"]) for c in game.legal() if c.name == "move"} == {2}


def test_a_broken_text_is_told_with_its_place(tmp_path):
    path = tmp_path / "one.rules"
    path.write_text(BOOK.read_text().replace("in_zone(enemy(u.side), there)", "in_zoan(enemy(u.side), there)"))
    with pytest.raises(NotCompiled, match="in_zone"):
        load(str(path))


def test_the_source_map_points_into_the_text():
    made = compile_book(str(BOOK))
    text = BOOK.read_text().split("\n")
    assert any(made.emitted.map.values())
    for module, rows in made.emitted.map.items():
        code = made.emitted.modules[f"{module}.py"].split("\n")
        for line, case, _, rules_line, _ in rows:
            assert code[line - 1].strip()
            assert 1 <= rules_line <= len(text)
            assert case in made.book.cases


@pytest.mark.parametrize(
    "text",
    [
        "import os",
        "from os import path",
        "x = open('a')",
        "x = ().__class__",
        "def f(S):\n    while True:\n        pass",
        "x = eval('1')",
        "class A:\n    pass",
        "from rulewright.compiler import load",
    ],
)
def test_the_allow_list_refuses_what_no_rule_needs(text):
    with pytest.raises(NotAllowed):
        allow(text, "rules")


def test_a_book_is_compiled_once_wherever_it_is_asked_for_from(tmp_path, monkeypatch):
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path / "cache"))
    (tmp_path / "far").mkdir()
    (tmp_path / "one.rules").write_text(BOOK.read_text())
    asked = []
    monkeypatch.setattr(pipeline, "compile_book", lambda *given: asked.append(given[0]) or compile_book(*given))
    for folder, name in (
        (tmp_path, "one.rules"),
        (tmp_path / "far", "../one.rules"),
        (tmp_path, "one"),
        (Path("/"), str(tmp_path / "one.rules")),
    ):
        monkeypatch.chdir(folder)
        assert load(name).program.name == "skirmish"
    assert asked == ["one.rules"]


def test_a_name_that_leads_elsewhere_from_here_is_another_book(tmp_path, monkeypatch):
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path / "cache"))
    budgets = []
    for folder, budget in (("near", 3), ("far", 1)):
        (tmp_path / folder).mkdir()
        monkeypatch.chdir(tmp_path / folder)
        Path("one.rules").write_text(BOOK.read_text().replace("budget: 3", f"budget: {budget}"))
        budgets.append(load("one").new().value("march.budget", 0))
    assert budgets == [3, 1]


def test_a_library_that_comes_between_is_noticed(tmp_path, monkeypatch):
    """The name in the book is the same, and leads from here to another file than before."""
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    text = 'book one\nuse pace\n\ncase 1 "Pieces":\n  kind side: red, blue\n  define steps -> number: pace\n'
    library = 'case 1 "Pace":\n  define pace -> number: {}\n'
    for folder, pace in (("home", 2), ("away", 5)):
        (tmp_path / folder / "rulebooks" / "lib").mkdir(parents=True)
        (tmp_path / folder / "rulebooks" / "lib" / "pace.rules").write_text(library.format(pace))
    (tmp_path / "one.rules").write_text(text)

    def steps(folder):
        monkeypatch.chdir(tmp_path / folder)
        program = load(str(tmp_path / "one.rules")).program
        return program.values["steps"][0](fresh(program, 0))

    assert [steps("home"), steps("away"), steps("home")] == [2, 5, 2]
    nearer = tmp_path / "lib" / "pace.rules"
    nearer.parent.mkdir()
    nearer.write_text(library.format(9))
    assert steps("home") == 9
