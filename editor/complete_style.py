"""Completion in a `style` block: the looks of the thing before the colon.

In:  the lines of a file and the line up to the cursor.
Out: the colors and words that may stand there; None outside of a style, and before the colon.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from rulewright.compiler.core.looks import COLORS, WORDS
from rulewright.compiler.read.styles import THINGS

_HEAD = re.compile(r"\s*(?:house\s+)?style\s+\w+\s*:")


def looks(lines: Sequence[str], line: str, at: int) -> list[str] | None:
    """What can be said of a thing; `at` is the number of the line, from 1."""
    thing, colon, _ = line.partition(":")
    if not colon or not _HEAD.match(head_above(lines, line, at)):
        return None
    about = next((about for about, form in THINGS if form.match(" ".join(thing.split()))), None)
    return [*WORDS[about], *COLORS] if about is not None and WORDS[about] else []


def head_above(lines: Sequence[str], line: str, at: int) -> str:
    """The nearest line above that is less indented."""
    indent = len(line) - len(line.lstrip())
    above = (x for x in reversed(lines[: at - 1]) if x.strip() and len(x) - len(x.lstrip()) < indent)
    return next(above, "")
