"""Every overlay of every shipped book: it stacks without an error, and its own examples hold under it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rulewright.compiler.examples.run import run_examples
from rulewright.compiler.loader import load_compiled
from rulewright.compiler.pipeline import analyse
from rulewright.dsl.render import render_text

BOOKS = Path(__file__).parents[2] / "rulebooks"
FILES = sorted(BOOKS.glob("*/overlays/*.rules"))


HEAD = re.compile(r"^(?:errata|edition|option|expansion|variant) (\S+) of ", re.M)
REQUIRES = re.compile(r"^  requires: (.+)$", re.M)


def stacks() -> list[str]:
    """The rule set of each overlay, with what it requires, read off the heads: every worker collects this list."""
    found = []
    for path in FILES:
        _, *parts = HEAD.split(path.read_text(encoding="utf-8"))
        for name, body in zip(parts[::2], parts[1::2], strict=True):
            required = REQUIRES.search(body)
            found.append("+".join((path.parts[-3], *(required[1].split(", ") if required else ()), name)))
    return found


@pytest.mark.parametrize("name", stacks())
def test_an_overlay_stacks_and_its_examples_hold(name: str) -> None:
    compiled = analyse(name)
    errors = [d for d in compiled.report.found if d.severity == "error"]
    assert errors == [], render_text(errors)
    assert compiled.book is not None and compiled.entries is not None
    last = name.split("+")[-1]
    own = {(e.case, e.name) for e in compiled.entries if e.overlay == last}
    examples = [e for e in compiled.book.examples if (e.case, e.title) in own]
    failed = [o for o in run_examples(compiled.book, load_compiled(compiled).program, examples) if not o.passed]
    assert [(o.example.case, o.example.title, o.failures) for o in failed] == []


def test_there_are_overlays() -> None:
    assert len(FILES) >= 30
