"""Hints about expressions: forms that take parentheses, comparisons in a row, case numbers for names.

In:  the spot where parsing stopped.
Out: a message and what to do next; None where the mistake is another one.
"""

from __future__ import annotations

import re

from .blocks import INFIX
from .spot import ENDS, Hint, Spot
from .words import texts_of

OPEN_FORMS = frozenset(("any", "no", "every", "supposing", "not", "since", "before"))


def open_form(spot: Spot) -> Hint:
    if spot.prior in OPEN_FORMS and spot.had_value:
        return (
            f'"{spot.prior} ..." takes parentheses here',
            f"write ({spot.prior} ...): such a form may stand bare only at the end of a condition",
        )
    if spot.word == "where" and "WHERE" not in spot.expected:
        return "a filter takes parentheses here", "write (SET where CONDITION)"
    if spot.word in ("and", "or"):
        if "HAS" in spot.expected:
            return (
                'this "every" still lacks its test',
                "write every SET has TEST; sets are joined with +, whole conditions in parentheses",
            )
        if spot.expected == {"WHERE"} or spot.expected == {"HAS"}:
            word = "where" if "WHERE" in spot.expected else "has"
            return f'the name after "as" is followed by "{word}"', f"write SET as NAME {word} TEST"
        if "AND" not in spot.expected:
            return (
                f'"{spot.word}" joins conditions, and a plain value stands here',
                "put the whole condition in parentheses",
            )
    return None


def comparison(spot: Spot) -> Hint:
    if spot.kind not in ("EQUAL", "CMP", "IN", "IS", "WITHIN") or not spot.had_value:
        return None
    bare = re.search(r"\b(any|no)\s+\S+\s*$", spot.before)
    if bare:
        return (
            f'"{spot.word}" cannot follow "{bare.group(1)} ..."',
            f"ask about members: {bare.group(1)} SET where CONDITION; or count: count(SET) {spot.word} 2",
        )
    if re.search(r"(=|<|>|\bin\b|\bis\b)[^=<>]*$", spot.before) and "AND" in spot.expected:
        return "comparisons do not chain", 'compare twice and join the two with "and"'
    return "a comparison takes parentheses here", "write (A = B)"


def word_for_value(spot: Spot) -> Hint:
    if spot.prior in INFIX and spot.had_value and spot.kind not in ENDS:
        return f'a value is missing before "{spot.prior}"', "write a number, a name, a call or a set there"
    return None


def case_or_name(spot: Spot) -> Hint:
    if spot.expected == {"CASEID"} or (spot.expected <= {"CASEID", "COMMA"} and "CASEID" in spot.expected):
        what = f', not "{spot.word}"' if spot.word and not spot.ends else ""
        return f"a case number is expected here{what}", "name the case first, then the declaration: 7.1 zone"
    if "NAME" in spot.expected and not spot.wants_value and re.fullmatch(r"[0-9][\w./-]*", spot.word):
        number = re.match(r"\S*?(?=[\s:,(]|$)", spot.word + spot.after)
        return (
            f"a name is expected here, not the case number {number.group() if number else spot.word}",
            "name the declaration; the case it belongs to is the one it stands in",
        )
    return None


def missing_arrow(spot: Spot) -> Hint:
    if "->" in texts_of(spot.expected) and not spot.wants_value:
        return (
            "the kind of the value is missing",
            f"write it after an arrow: {spot.first} NAME(...) -> number: ...",
        )
    return None
