"""Every worked example of every book holds; those of overlays are in test_overlays.py."""

import pytest

from rulewright.compiler import load
from rulewright.compiler.examples.run import run_examples
from rulewright.compiler.pipeline import analyse

PARTS = {"fragment": 1, "trc": 1, "tdv": 1, "ocs": 1, "caseblue": 1, "fite": 3}


@pytest.mark.parametrize(("book", "part"), [(book, part) for book, parts in PARTS.items() for part in range(parts)])
def test_every_worked_example_holds(book: str, part: int) -> None:
    made, program = analyse(book).book, load(book).program
    assert made is not None
    outcomes = run_examples(made, program, made.examples[part :: PARTS[book]])
    assert len(outcomes) > 60
    assert [(o.example.case, o.example.title, o.failures) for o in outcomes if not o.passed] == []
