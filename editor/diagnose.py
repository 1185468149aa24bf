"""Diagnostics of a rule set as it is in the editor, saved or not.

In:  a rule set, and the texts of open files.
Out: diagnostics by file, and the book in the core if the passes get that far.
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
    """Diagnostics by resolved path; `book` is None where errors stopped the passes before it."""

    found: dict[Path, list[Diagnostic]] = field(default_factory=dict)
    book: c.Book | None = None
    failed: bool = False


def diagnose(rules: RuleSet, texts: Mapping[Path, str]) -> Diagnosis:
    """Analyse every rule set that a file belongs to; equal diagnostics are reported once."""
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
    """The file of a diagnostic; one without a position is shown in the first file."""
    path = (Path.cwd() / d.span.file).resolve()
    return path if path.is_file() or not rules.own else rules.own[0]
