"""A diff of two doctrines tells in which positions they choose differently, and is silent about one and itself."""

from __future__ import annotations

from pathlib import Path

from rulewright.compiler.cli.main import main

BOOK = str(Path(__file__).parent.parent / "books" / "skirmish.rules")


def told(capsys, *words: str) -> list[str]:
    assert main(["diff", *words, "--quiet"]) == 0
    return capsys.readouterr().out.splitlines()


def test_positions_with_both_choices_and_their_cases(capsys) -> None:
    lines = told(capsys, f"{BOOK}+bold", f"{BOOK}+bold+wary", "--games", "4")
    assert lines[0].startswith("bold and bold+wary choose differently in ")
    assert any(line.startswith("seed 0, after ") and "movement" in line for line in lines)
    assert any(line.startswith("  bold: red: move(") and line.endswith("[D.3]") for line in lines)


def test_a_doctrine_does_not_differ_from_itself(capsys) -> None:
    [line] = told(capsys, f"{BOOK}+bold", f"{BOOK}+bold", "--games", "3")
    assert " in 0 of " in line


def test_a_doctrine_is_no_difference_of_the_rules(capsys) -> None:
    for names in ((BOOK, f"{BOOK}+bold"), (f"{BOOK}+bold+wary", BOOK)):
        [line] = told(capsys, *names)
        assert line.endswith(": no difference")
