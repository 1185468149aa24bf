"""The words of the grammar, read from its text: which there are, and what may open a line.

In:  the grammar.
Out: its words, the words that a rule opens with, and terminals in words for an author.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

from ..grammar import GRAMMAR, parser

NAMES = {
    "NAME": "a name",
    "NUMBER": "a number",
    "STRING": 'a text in quotes ("...")',
    "CASEID": "a case number",
    "DATE": "a date",
    "HEX": "a hex (@A1)",
    "DICE": "dice (1d6)",
    "RATIO": "a ratio (3:1)",
    "CMP": "a comparison",
    "_NL": "the end of the line",
    "_INDENT": "an indented block",
    "_DEDENT": "the end of the block",
    "$END": "the end of the file",
    "COLON": '":"',
    "COMMA": '","',
    "DOT": '"."',
    "EQUAL": '"="',
    "LPAR": '"("',
    "RPAR": '")"',
    "LSQB": '"["',
    "RSQB": '"]"',
    "LBRACE": '"{"',
    "RBRACE": '"}"',
}


@cache
def _rules() -> dict[str, str]:
    text = re.sub(r"(?m)^\s*//.*$", "", GRAMMAR.read_text(encoding="utf-8"))
    return dict(re.findall(r"(?m)^[?!]?(\w+)(?:\.\d+)?\s*:((?:.|\n(?=\s*\|))*)", text))


@cache
def keywords() -> frozenset[str]:
    """Every word that the grammar gives a meaning somewhere."""
    literal = {word for body in _rules().values() for word in re.findall(r'"([a-z]+)"', body)}
    return frozenset(literal)


@cache
def openers(rule: str) -> frozenset[str]:
    """The words that a rule of the grammar may open with."""
    found: set[str] = set()
    seen: set[str] = set()
    todo = [rule]
    while todo:
        name = todo.pop()
        if name in seen or name not in _rules():
            continue
        seen.add(name)
        for branch in _rules()[name].split("|"):
            start = re.match(r'\s*(?:"([a-z]+)"|(\w+))', branch)
            if start and start.group(1):
                found.add(start.group(1))
            elif start and start.group(2) != "NAME":
                todo.append(start.group(2))
    return frozenset(found)


def texts_of(terminals: Iterable[str]) -> set[str]:
    """The fixed texts of terminals; terminals that match a pattern are left out."""
    fixed = _fixed_texts()
    return {fixed[name] for name in terminals if name in fixed}


@cache
def _fixed_texts() -> dict[str, str]:
    return {t.name: t.pattern.value for t in parser().terminals if t.pattern.type == "str"}


def any_of(terminals: Iterable[str], most: int = 6) -> str:
    """Terminals or words as a list for reading."""
    names = set(terminals)
    texts = [NAMES[name] for name in NAMES if name in names]
    texts += sorted(f'"{text}"' for text in texts_of(names - set(NAMES)) | {x for x in names if x.islower()})
    if len(texts) > most:
        texts = [*texts[:most], "..."]
    return ", ".join(texts[:-1]) + (" or " if len(texts) > 1 else "") + texts[-1] if texts else "something else"
