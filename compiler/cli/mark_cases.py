"""Write the marks that a text of an older version leaves out: `except 4.5 zone` in a game on a series.

In:  texts by the resolved paths of their files.
Out: the same texts, where a number that only the series or one library has (RW114) has its name before it.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from rulewright.dsl.diagnostics import Diagnostic

from ..keeper.holding import rule_sets
from ..pipeline import analyse

ROUNDS = 3
"""Overlays are looked at when the book below them is right, and an overlay may stand on another."""


def mark_cases(texts: Mapping[Path, str]) -> dict[Path, str]:
    """The texts with the marks that are missing; a number that several have is left to the author."""
    found = dict(texts)
    names, _ = rule_sets(texts)
    for name in names:
        for _ in range(ROUNDS):
            told = [d for d in analyse(name, texts=found).report.found if d.code == "RW114"]
            spots = {spot: d for d in told if (spot := spot_of(d))[0] in texts and d.help.count('"') == 2}
            for (path, line, column), d in sorted(spots.items(), reverse=True):
                found[path] = put(found[path], line, column, d.help.split('"')[1])
            if not spots:
                break
    return found


def spot_of(d: Diagnostic) -> tuple[Path, int, int]:
    return (Path.cwd() / d.span.file).resolve(), d.span.line, d.span.column


def put(text: str, line: int, column: int, case: str) -> str:
    """The text with the mark of a case before its number."""
    lines = text.split("\n")
    lines[line - 1] = lines[line - 1][: column - 1] + case.split(" ")[0] + " " + lines[line - 1][column - 1 :]
    return "\n".join(lines)
