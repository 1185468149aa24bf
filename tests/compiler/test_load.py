"""Compiling and loading: only what changed, and plain imports otherwise."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from rulewright.compiler import NotCompiled, load
from rulewright.compiler.emit.allow_list import NotAllowed, allow
from rulewright.compiler.pipeline import compile_book

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


def test_a_compiled_book_plays_with_the_runtime_alone(tmp_path):
    from rulewright.compiler.loader import write

    made = compile_book(str(BOOK))
    write(made, tmp_path / "skirmish")
    code = (
        f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n"
        "import skirmish\nfrom rulewright.runtime import RandomPlayer, new_game, play\n"
        "game = new_game(skirmish.PROGRAM, seed=1)\n"
        "play(game, {s: RandomPlayer(i) for i, s in enumerate(game.program.sides)})\n"
        "assert game.over\n"
        "print([m for m in sys.modules if m.startswith(('rulewright.dsl', 'rulewright.compiler', 'lark', 'jinja2', 'cerberus'))])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


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
