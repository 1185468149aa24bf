"""Words of a text: which word stands at a column, and which words are code.

In:  lines of `.rules` text.
Out: words with their columns; text in quotes and comments is told apart from code.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

WORD = re.compile(r"@?[A-Za-z_0-9][A-Za-z0-9_]*(?:[./][0-9A-Za-z\-]+)*")
NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
CASE = re.compile(r"[0-9A-Z][0-9A-Za-z]*(?:[./][0-9A-Za-z\-]+\)?)*")
_QUIET = re.compile(r'"[^"\n]*"?|#[^\n]*')


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a line, from `start` to `end`; `sort` is name, case, hex, text or comment."""

    text: str
    start: int
    end: int
    sort: str


def code_of(line: str) -> str:
    """The line with its texts and its comment blanked out, column for column."""
    return _QUIET.sub(lambda m: " " * len(m.group()), line)


def word_at(line: str, column: int) -> Word | None:
    """The word that a column stands in, or just behind."""
    for m in _QUIET.finditer(line):
        if m.start() <= column < m.end():
            text = m.group()
            return Word(text.strip('"#').strip(), m.start(), m.end(), "text" if text[0] == '"' else "comment")
    found: Word | None = None
    for m in WORD.finditer(line):
        if m.start() <= column <= m.end():
            found = _with_bracket(_cut(m, column), code_of(line))
            if column < m.end():
                break
    return found


def _with_bracket(word: Word, code: str) -> Word:
    """A case number that ends in a bracket of its own, as 34.A.2.a) does, takes it in."""
    before = code[: word.end]
    if word.sort != "case" or code[word.end : word.end + 1] != ")" or before.count("(") > before.count(")"):
        return word
    return Word(word.text + ")", word.start, word.end + 1, word.sort)


def _cut(m: re.Match[str], column: int) -> Word:
    """A hex or a case whole; of names joined by points, the one at the column."""
    text = m.group()
    if text.startswith("@"):
        return Word(text, m.start(), m.end(), "hex")
    if "." not in text and "/" not in text:
        return Word(text, m.start(), m.end(), "case" if text[0].isdigit() else "name")
    if CASE.fullmatch(text) and (text[0].isdigit() or re.match(r"[A-Z]{1,3}[./][0-9A-Z]", text)):
        return Word(text, m.start(), m.end(), "case")
    for part in re.finditer(r"[^./]+", text):
        if m.start() + part.start() <= column <= m.start() + part.end():
            return Word(part.group(), m.start() + part.start(), m.start() + part.end(), "name")
    return Word(text, m.start(), m.end(), "name")
