"""Marks of cases: whose number a case number is.

In:  the number of a case, and the name of the book or library that it stands in.
Out: the case as the rule set calls it: `12.5` for a case of the book at hand, `ocs 12.5` for one of the series that it
     stands on, `zones 1` for one of a library that it uses; and such a case taken apart again.

A mark is one word and the number behind it has no blank, so the blank between them tells the two apart.
"""

from __future__ import annotations

import re

LEADING = re.compile(r"(?:[a-z_]\w* (?=[0-9A-Z]|[a-z]+/))?[^\s:]*")


def marked(mark: str, number: str) -> str:
    """A case of the book or library `mark`, which is empty for the book at hand; what has a mark keeps it."""
    return f"{mark} {number}" if mark and " " not in number else number


def mark_of(case: str) -> str:
    """The book or library of a case; empty for the book at hand."""
    return case.rpartition(" ")[0]


def number_of(case: str) -> str:
    """The number of a case as its own book prints it."""
    return case.rpartition(" ")[2]


def chapter(case: str) -> str:
    """The chapter of a case: 13 for 13.3/AE, `ocs 12` for `ocs 12.5`."""
    return case.split("/")[0].split(".")[0]


def leading_case(text: str) -> str:
    """The case that a text begins with: `ocs 12.5` of "ocs 12.5 Trace: draw_range"."""
    found = LEADING.match(text)
    return found[0] if found else ""


def one_word(case: str) -> str:
    """A case or chapter in a file name, an address or an id, where no blank may stand."""
    return case.replace(" ", "-")
