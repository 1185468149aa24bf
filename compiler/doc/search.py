"""The search index of the reference: titles and names, and every word of the text.

In:  the model of a rule set, and rows of titles and names.
Out: the text of a script that runs in the browser without a server.

It is an inverted index: each word once, with the ascending numbers of its documents as differences in base 36. That
keeps the index of trc at a tenth of the size of its pages.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from .model import Case, Declaration, Model

Row = tuple[str, str, str]
WORD = re.compile(r"[^\W_]+")
SHORTEST = 2
DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


def documents(model: Model) -> Iterator[tuple[Row, str]]:
    """The documents of the search with their texts: each case with its notes, and each declaration."""
    for case in model.cases.values():
        yield (f"{case.id} {case.title}".strip(), "case", case.href), notes(case)
        for d in case.declarations():
            yield (d.label, d.sort, d.href), f"{d.text} {' '.join(d.under)}"


def notes(case: Case) -> str:
    """The titles and remarks of a case."""
    remarks = (x.text for b in case.blocks for x in b.items if not isinstance(x, Declaration))
    return " ".join((case.title, *(b.title for b in case.blocks), *remarks))


def words_of(text: str) -> set[str]:
    """The words of a text in the form that the search compares; a name such as `a_b` counts as two words."""
    return {word for word in WORD.findall(text.lower()) if len(word) >= SHORTEST or word.isdigit()}


def index(texts: list[str]) -> dict[str, str]:
    """For each word the numbers of its documents: the first, then differences, in base 36."""
    found: dict[str, list[int]] = {}
    for number, text in enumerate(texts):
        for word in words_of(text):
            found.setdefault(word, []).append(number)
    return {word: " ".join(differences(found[word])) for word in sorted(found)}


def differences(numbers: list[int]) -> Iterator[str]:
    last = 0
    for number in numbers:
        yield base36(number - last)
        last = number


def base36(number: int) -> str:
    digits = ""
    while number or not digits:
        number, last = divmod(number, 36)
        digits = DIGITS[last] + digits
    return digits


def as_lines(rows: list[Row]) -> str:
    return ",\n".join(json.dumps(row, ensure_ascii=True) for row in rows)


def as_entries(words: dict[str, str]) -> str:
    return ",\n".join(f"{json.dumps(word, ensure_ascii=True)}: {json.dumps(at)}" for word, at in words.items())
