"""The order of case numbers, and of names: what decides wherever a rule set says no more."""

from __future__ import annotations

import re

from .case_marks import mark_of, number_of

Key = tuple[tuple[int, int, int, str], ...]


def natural(case: str) -> Key:
    """The order of cases: those of series and libraries first, as they lie below; then by number.

    2 stands before 10, a number before its parts, paragraphs before cases below, words last.
    """
    found: list[tuple[int, int, int, str]] = [(-1, 0, 0, mark)] if (mark := mark_of(case)) else []
    for sign, part in re.findall(r"([./]?)([^./]+)", number_of(case)):
        for word in re.findall(r"\d+|\D+", part):
            found.append((sign == ".", 0, int(word), "") if word.isdigit() else (sign == ".", 1, 0, word))
    return tuple(found)


def by_name(name: str) -> tuple[Key, str]:
    """The order of names: numbers in them as numbers; the text itself where two read alike (`1` and `01`)."""
    words = re.findall(r"\d+|\D+", name)
    return tuple((0, 0, int(word), "") if word.isdecimal() else (0, 1, 0, word) for word in words), name
