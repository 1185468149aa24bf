"""What is remembered of a position is the same, whether every hex is looked at or only what the position has touched."""

from pathlib import Path

import pytest

from rulewright.compiler import load
from rulewright.compiler.core import nodes as c
from rulewright.compiler.examples.empty_board import EmptyBoard
from rulewright.compiler.examples.expressions import load_functions
from rulewright.compiler.examples.run import Runner
from rulewright.compiler.interpret import phases
from rulewright.compiler.interpret.game import Oracle
from rulewright.compiler.interpret.worked import Worked
from rulewright.compiler.pipeline import compile_book

BOOKS = Path(__file__).with_name("books")
SMALL = [str(BOOKS / f"{name}.rules") for name in ("given", "maps", "memories", "oracle", "pools")]
SAMPLE = 16


def settled(book, program, example, functions, empty):
    """The position of an example when all is given."""
    runner = Runner(book, program, functions, empty)
    for j, line in enumerate(example.lines):
        if not isinstance(line, c.Given):
            break
        runner.line(j, line)
    if not runner.set_up:
        runner.settle()
    return runner.S.plain(), runner.S.seen


@pytest.mark.parametrize("name", ["trc", "tdv", "fite", "caseblue", *SMALL], ids=lambda name: Path(name).stem)
def test_a_position_remembers_the_same_of_its_board(name):
    book, program = compile_book(name).book, load(name).program
    examples = book.examples[:: max(1, len(book.examples) // SAMPLE)]
    empty = EmptyBoard(program)
    for example, functions in zip(examples, load_functions(book, program, examples), strict=True):
        whole = settled(book, program, example, functions, None)
        assert settled(book, program, example, functions, empty) == whole, f"{example.case}: {example.title}"


def walked(oracle, example):
    """The same position by the oracle."""
    worked = Worked(oracle)
    for line in example.lines:
        if not isinstance(line, c.Given):
            break
        worked.given(line)
    phases.begin(worked.table, worked.under_way)
    return worked.S.plain()


@pytest.mark.parametrize("name", ["tdv", *SMALL], ids=lambda name: Path(name).stem)
def test_the_oracle_remembers_the_same_of_its_board(name):
    book = compile_book(name).book
    oracle, whole = Oracle(book), Oracle(book)
    whole._empty[None] = None  # as where the empty board cannot be worked out
    assert oracle.empty().told is not None
    for example in book.examples[:: max(1, len(book.examples) // 12)]:
        assert walked(oracle, example) == walked(whole, example), f"{example.case}: {example.title}"


@pytest.mark.parametrize("name", ["tdv", "memories"])
def test_some_memories_are_told_from_what_was_touched(name):
    """What the test above compares is not the same way twice."""
    program = load(name if name == "tdv" else str(BOOKS / f"{name}.rules")).program
    assert EmptyBoard(program).narrow
