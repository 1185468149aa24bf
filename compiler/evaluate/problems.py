"""Why an expression is not answered. Whoever only catches these need not import a parser."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulewright.runtime.problems import Refusal

if TYPE_CHECKING:
    from rulewright.dsl.diagnostics import Diagnostic


class Unread(Refusal):
    """Text that is no expression of the rule set; `finding` says where and why, `str` says it on one line."""

    def __init__(self, finding: Diagnostic) -> None:
        super().__init__(finding.message + (f"; {finding.help}" if finding.help else ""))
        self.finding = finding

    def render(self) -> str:
        """The finding with the place marked."""
        from rulewright.dsl.render import render_text

        return render_text([self.finding]).rstrip()


class TooLong(Refusal):
    """More work than one question may cost."""
