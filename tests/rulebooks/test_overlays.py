"""Every overlay of every shipped book: it stacks without an error, and its own examples hold under it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rulewright.compiler.cache.garbage_collector import collector_paused
from rulewright.compiler.cache.incremental import memory_of
from rulewright.compiler.cache.verified_modules import write_modules
from rulewright.compiler.examples.run import run_examples
from rulewright.compiler.examples.trial import written
from rulewright.compiler.loader import PACKAGE, import_program
from rulewright.compiler.passes.compiled import Compiled, given
from rulewright.compiler.passes.write import inline, lower
from rulewright.compiler.pipeline import REFUSING, run
from rulewright.dsl.parse import room_for_chains
from rulewright.dsl.render import render_text

BOOKS = Path(__file__).parents[2] / "rulebooks"
FILES = sorted(BOOKS.glob("*/overlays/*.rules"))


HEAD = re.compile(r"^(errata|edition|option|expansion|variant) (\S+) of ", re.M)
REQUIRES = re.compile(r"^  requires: (.+)$", re.M)
TOGETHER = ("fite",)
"""Books whose options leave one another alone: one stack holds them all. `coverage --with-overlays` lays them on one by one."""


def stacks() -> list[str]:
    """The rule set of each overlay, with what it requires, read off the heads: every worker collects this list."""
    found, together = [], {book: book for book in TOGETHER}
    for path in FILES:
        _, *parts = HEAD.split(path.read_text(encoding="utf-8"))
        for sort, name, body in zip(parts[::3], parts[1::3], parts[2::3], strict=True):
            if sort == "option" and path.parts[-3] in together:
                together[path.parts[-3]] += f"+{name}"
                continue
            if name == "whole":  # the frame of all sheets has a test of its own: tests/rulebooks/test_caseblue_map.py
                continue
            required = REQUIRES.search(body)
            found.append("+".join((path.parts[-3], *(required[1].split(", ") if required else ()), name)))
    return [*found, *together.values()]


@pytest.mark.parametrize("name", stacks(), ids=lambda x: x if x.count("+") < 4 else f"{x.partition('+')[0]}+options")
def test_an_overlay_stacks_and_its_examples_hold(name: str, tmp_path: Path) -> None:
    """By the passes that may refuse it and the plain rules alone: warnings and the traced twin are not asked for here."""
    with room_for_chains(), collector_paused():
        compiled = run((*REFUSING, inline, lower), Compiled(name=name, memory=memory_of(name, (), Path.cwd())))
        errors = [d for d in compiled.report.found if d.severity == "error"]
        assert errors == [], render_text(errors)
        modules = given(written(compiled).emitted).modules
    book = given(compiled.book)
    write_modules(tmp_path, {**modules, "__init__.py": PACKAGE})
    of_book, *stacked = name.split("+")
    last = set(stacked if of_book in TOGETHER else stacked[-1:])
    own = {(e.case, e.name) for e in given(compiled.entries) if e.overlay in last}
    examples = [e for e in book.examples if (e.case, e.title) in own]
    failed = [o for o in run_examples(book, import_program(tmp_path), examples) if not o.passed]
    assert [(o.example.case, o.example.title, o.failures) for o in failed] == []


def test_there_are_overlays() -> None:
    assert len(FILES) >= 30
