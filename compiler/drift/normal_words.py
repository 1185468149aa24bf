"""The words of a printed text, without what its layout adds.

In:  a text as somebody has it: scanned, retyped, in other columns, with running heads.
Out: its words in order, in lower case, each with the line that it stands in. Words that a line end cuts are joined;
     running heads, page numbers and numbers of cases are left out, for these change when nothing else does.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from typing import NamedTuple

_WORD = re.compile(r"\d+(?:\.[^\W_]+)+|[+-]?\d+(?:[:/]\d+)*(?![^\W_])|[^\W_]+")
_CASE = re.compile(r"\d+(?:\.[^\W_]+)+\Z")
_PAGE = re.compile(r"\W*(?:page\s*)?\d{1,3}\W*", re.IGNORECASE)
_NUMBERED = re.compile(r"^\d{1,3}\s|\s\d{1,3}$")
SIGNS = str.maketrans({"‘": "'", "’": "'", "“": '"', "”": '"', "–": "-", "—": "-", "−": "-", "\u00ad": "", "×": "x"})
OFTEN = 3
"""A short line that comes so often is a running head."""
SHORT = 8


class Word(NamedTuple):
    """A word, and the line that it stands in."""

    text: str
    line: int


def words_of(text: str, first: int = 1) -> list[Word]:
    """The words of a text; its first line has the number `first`."""
    lines = text.split("\n")
    heads = running_heads(lines)
    found: list[Word] = []
    cut = ""
    for number, line in enumerate(lines, first):
        plain = unicodedata.normalize("NFKC", line.translate(SIGNS)).lower().rstrip()
        if _PAGE.fullmatch(plain) or number - first in heads:
            continue
        if cut and plain[:1].isalpha():
            plain = cut + plain
        elif cut:
            found += [Word(w, number - 1) for w in plain_words(cut)]
        cut = ""
        if len(plain) > 2 and plain.endswith("-") and plain[-2].isalpha():
            head, _, tail = plain.rpartition(" ")
            plain, cut = head, tail[:-1]
        found += [Word(w, number) for w in plain_words(plain)]
    return found + [Word(w, first + len(lines) - 1) for w in plain_words(cut)]


def plain_words(line: str) -> list[str]:
    """The words of a line but for numbers of cases."""
    return [w for w in _WORD.findall(line) if not _CASE.fullmatch(w)]


def running_heads(lines: list[str]) -> set[int]:
    """The places of short lines that come again and again with a page number in them or beside them."""
    counted = Counter(shape(line) for line in lines if 0 < len(line.split()) <= SHORT)
    found: set[int] = set()
    for i, line in enumerate(lines):
        said = shape(line)
        if said and len(line.split()) <= SHORT and counted[said] >= OFTEN and numbered(lines, i):
            found.add(i)
    return found


def numbered(lines: list[str], i: int) -> bool:
    """Whether a page number begins or ends a line, or stands alone in the line above or below it."""
    beside = (lines[j] for j in (i - 1, i + 1) if 0 <= j < len(lines))
    return bool(_NUMBERED.search(lines[i].strip())) or any(_PAGE.fullmatch(x) for x in beside if x.strip())


def shape(line: str) -> str:
    """A line without its numbers."""
    return re.sub(r"[\W\d]+", " ", line).strip().lower()
