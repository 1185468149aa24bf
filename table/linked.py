"""Lines of text with what they lead to: places that light up, cases that open in the reference.

In:  lines of the log or of an explanation, and the rule set.
Out: each line as pieces: a text alone, or a text with a place or a case.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Any

from rulewright.runtime.program import Program

WORD = re.compile(r"[\w./']+")

Part = list[Any]


def with_places(program: Program, line: str) -> list[Part]:
    """A line whose hexes can be lit; an id that is a mere number says nothing of what it means, and stays text."""
    parts: list[Part] = []
    last = 0
    for m in WORD.finditer(line):
        word = m[0].rstrip(".,'")
        place = program.place_index.get(word)
        if place is None or place >= program.board.hexes or word.isdigit():
            continue
        if m.start() > last:
            parts.append([line[last : m.start()]])
        parts.append([word, "place", place])
        last = m.start() + len(word)
    if last < len(line):
        parts.append([line[last:]])
    return parts


def with_both(program: Program, line: str) -> list[Part]:
    """A line with its cases and its places."""
    found: list[Part] = []
    for part in with_cases(program, line):
        found += [part] if len(part) > 1 else with_places(program, part[0])
    return found


@cache
def cases_of(name: str, cases: tuple[str, ...]) -> re.Pattern[str]:
    """Finds any case of a book as a word of its own, the longest first."""
    words = sorted(cases, key=lambda x: (-len(x), x))
    found = "|".join(re.escape(x) for x in words if x) or "(?!)"
    return re.compile(rf"(?<![\w./-])(?:{found})(?![\w/-]|\.\w)")


def with_cases(program: Program, line: str) -> list[Part]:
    """A line whose cases lead to the reference: those in brackets, before a title in quotes, or at its beginning."""
    parts: list[Part] = []
    last = 0
    for m in cases_of(program.name, tuple(program.cases)).finditer(line):
        if not cited(line, m.start(), m.end()):
            continue
        if m.start() > last:
            parts.append([line[last : m.start()]])
        parts.append([m[0], "case", m[0]])
        last = m.end()
    if last < len(line):
        parts.append([line[last:]])
    return parts


def cited(line: str, start: int, end: int) -> bool:
    """Whether a number in a line is a case: it is followed by a title, stands at the beginning or in brackets."""
    before, after = line[:start], line[end:]
    if not before.strip() or after.startswith(' "'):
        return True
    opened = max(before.rfind("["), before.rfind("("))
    if opened < 0 or max(before.rfind("]"), before.rfind(")")) > opened:
        return False
    between = before[opened + 1 :]
    return line[opened] == "[" or not between or between.endswith((", ", "; "))


def told(program: Program, lines: Sequence[str]) -> list[list[Part]]:
    return [with_cases(program, line) for line in lines]
