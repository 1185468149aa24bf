"""Every overlay of every shipped book: it stacks without an error, and its own examples hold under it."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.compiler.examples.run import run_examples
from rulewright.compiler.loader import load_compiled
from rulewright.compiler.overlay.heads import read_head
from rulewright.compiler.pipeline import analyse
from rulewright.dsl.diagnostics import Reporter
from rulewright.dsl.parse import parse
from rulewright.dsl.render import render_text

BOOKS = Path(__file__).parents[2] / "rulebooks"
FILES = sorted(BOOKS.glob("*/overlays/*.rules"))


def stacks() -> list[str]:
    """The rule set of each overlay, with what it requires."""
    found = []
    for path in FILES:
        for overlay in parse(path.read_text(encoding="utf-8"), path.name, Reporter()):
            head = read_head(overlay, Reporter())
            found.append("+".join((path.parts[-3], *head.requires, head.name)))
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
