"""The reference of the rules that are played, a page a chapter, for the cases that explanations cite.

In:  a loaded rule set.
Out: its pages by name, and the page of each case.
"""

from __future__ import annotations

from rulewright.compiler.doc.coverage import not_measured
from rulewright.compiler.doc.model import lay_out
from rulewright.compiler.doc.site import doc
from rulewright.compiler.loader import Loaded, analysed

Pages = tuple[dict[str, str], dict[str, str]]
MADE: dict[str, Pages] = {}
MOST = 16


def rule_pages(loaded: Loaded) -> Pages:
    """The pages, made on the first look."""
    key = loaded.program.rules_hash
    if key not in MADE:
        if len(MADE) >= MOST:
            MADE.clear()
        made = analysed(loaded)
        cases = {case.id: case.href for case in lay_out(made).cases.values()}
        MADE[key] = doc(made, not_measured(), []), cases
    return MADE[key]
