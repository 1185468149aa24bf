"""Diagnostics: one type for every finding of the compiler.

In:  findings of the passes (`report.error("RW201", span, …)`).
Out: `Diagnostic` values in the order they were found; rendering lives in render.py.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from .source import Span

Severity = Literal["error", "warning", "remark"]
"""Errors stop a rule set, warnings make `check` fail, remarks only tell."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnostic:
    """One finding: what is wrong, where, in which case, and what to do next."""

    code: str
    severity: Severity
    span: Span
    message: str
    case: str = ""
    notes: tuple[str, ...] = ()
    help: str = ""


@dataclass(slots=True)
class Reporter:
    """Collects what the passes find."""

    found: list[Diagnostic] = field(default_factory=list)
    case: str = ""

    def error(
        self, code: str, span: Span, message: str, help: str = "", notes: Iterable[str] = (), case: str | None = None
    ) -> None:
        self._add("error", code, span, message, help, notes, case)

    def warning(
        self, code: str, span: Span, message: str, help: str = "", notes: Iterable[str] = (), case: str | None = None
    ) -> None:
        self._add("warning", code, span, message, help, notes, case)

    def remark(
        self, code: str, span: Span, message: str, help: str = "", notes: Iterable[str] = (), case: str | None = None
    ) -> None:
        self._add("remark", code, span, message, help, notes, case)

    @property
    def wrong(self) -> list[Diagnostic]:
        """Errors and warnings, without the remarks."""
        return [d for d in self.found if d.severity != "remark"]

    @property
    def failed(self) -> bool:
        return any(d.severity == "error" for d in self.found)

    def _add(
        self,
        severity: Severity,
        code: str,
        span: Span,
        message: str,
        help: str,
        notes: Iterable[str],
        case: str | None,
    ) -> None:
        diagnostic = Diagnostic(
            code=code,
            severity=severity,
            span=span,
            message=message,
            help=help,
            notes=tuple(notes),
            case=self.case if case is None else case,
        )
        if not any(d.message == message and d == diagnostic for d in self.found):
            self.found.append(diagnostic)


def near(name: str, known: Iterable[str], most: int = 3) -> list[str]:
    """The known names that an author may have meant by `name`, nearest first."""
    return difflib.get_close_matches(name, sorted(set(known)), n=most, cutoff=0.6)


def choose(name: str, known: Iterable[str], what: str, most: int = 12) -> str:
    """A help line that is never empty: near names, else the names that there are."""
    names = sorted(set(known))
    if not names:
        return f"there are no {what} yet: declare one"
    more = ", …" if len(names) > most else ""
    return did_you_mean(name, names) or f"{what}: " + ", ".join(names[:most]) + more


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """A help line with near names, or an empty string."""
    names = near(name, known)
    return "did you mean " + " or ".join(f'"{n}"' for n in names) + "?" if names else ""
