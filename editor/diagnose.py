"""Diagnose: what is wrong with a rule set as it stands in the editor.

In:  a rule set, and the texts of open files.
Out: findings by file, and the book in the core as far as the passes came.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from rulewright.compiler.core import nodes as c
from rulewright.compiler.pipeline import analyse
from rulewright.dsl.diagnostics import Diagnostic

from .project import RuleSet


@dataclass(slots=True)
class Diagnosis:
    """Findings by resolved path; `book` is None where the text does not come that far."""

    found: dict[Path, list[Diagnostic]] = field(default_factory=dict)
    book: c.Book | None = None
    failed: bool = False


def diagnose(rules: RuleSet, texts: Mapping[Path, str]) -> Diagnosis:
    """Analyse every rule set that a file takes part in; equal findings are told once."""
    made = Diagnosis()
    told: set[tuple[Path, str, int, int, str]] = set()
    for name in rules.names:
        compiled = analyse(name, rules.places, texts=texts)
        made.failed = made.failed or compiled.report.failed
        if compiled.book is not None:
            made.book = compiled.book
        for d in compiled.report.found:
            path = home(d, rules)
            key = (path, d.code, d.span.line, d.span.column, d.message)
            if key not in told:
                told.add(key)
                made.found.setdefault(path, []).append(d)
    return made


def home(d: Diagnostic, rules: RuleSet) -> Path:
    """The file that a finding stands in; one without a place is shown in the first file."""
    path = (Path.cwd() / d.span.file).resolve()
    return path if path.is_file() or not rules.own else rules.own[0]
