"""Rewrite text of the older language in the words of today: `rulewright fmt --upgrade`.

In:  text as versions before this one read it.
Out: the same text in today's words, and remarks about what an author must change by hand.

It works line by line, since old text no longer parses. What a line is follows from its first word and from the line
under which it is indented; lines of data are left alone. Text of today comes back as it was.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from .words import code_of

_OVERLAY = re.compile(r"(option|errata|scenario|expansion|variant|edition) \w+ of \w+")
_DATA = re.compile(
    r"(map|roster|calendar) \w+|scenario \w+( \"[^\"]*\")?:|table \w+\("
    r"|(replace|strike|insert) (row|line|item|cell|column) "
)
_FIRST = re.compile(r"(?:house )?([a-z]+)")
_HOLDS_REMARKS = ("case", "under", "option", "errata", "expansion", "variant", "edition", "")
_NATURES = "correction|clarification|change|ruling|reversed ruling|option|scenario|variant"
_CASE = re.compile(rf'(case \S+(?: "[^"]*")?) as ({_NATURES})( already in text)?:')
_LISTED = re.compile(r"\b(lowest|highest)\(it over \{")
_JOINED = re.compile(r"\b(and|or|where|has|supposing|any|no|every|not)\b")
_WORDS = (
    (re.compile(r"((?:house )?mark \w+) on "), r"\1 of "),
    (re.compile(r"(book \w+) on "), r"\1 of "),
    (re.compile(r"scenario (\w+ of \w+)"), r"expansion \1"),
    (re.compile(r"as soon as "), "whenever "),
    (re.compile(r"((?:house )?)instead of "), r"\1except "),
)
_LIBRARIES = {"L.1": "opponents 1", "L.2": "zones 1", "L.3": "stacking 1", "L.4": "losses 1"}
"""The cases of the libraries, which had numbers of their own before they were called by the library's name."""
_CITING = re.compile(
    r"^ *(?:house )?(?:except|instead of|waive|amend|strike|replace|rename|covers|refused)\b[^\n]*", re.MULTILINE
)
_OF_LIBRARY = re.compile(r"(?<![\w./\"])L\.[1-4](?![\w./\"])")
_TAKEN = re.compile(r"\b(log|whenever|stages)\b")
_IN_PLACE = re.compile(r'^log "|: log "|^whenever |^stages[ \t]*:')
"""Words that were names before, and where they stand as the words that they are today."""


@dataclass(frozen=True, slots=True)
class Remark:
    """What is left to the author, at a line of the text as it was."""

    line: int
    message: str


@dataclass(frozen=True, slots=True)
class Opener:
    """A line under which others are indented: its column, its first word, and whether data stands below it."""

    column: int
    word: str
    data: bool


def upgrade(text: str) -> tuple[str, tuple[Remark, ...]]:
    """The text in today's words, and what it could not do."""
    remarks: list[Remark] = []
    written: list[str] = []
    above: list[Opener] = []
    lines = of_libraries(text).split("\n")
    at = 0
    while at < len(lines):
        line = lines[at]
        at += 1
        body = line.lstrip()
        if not body or body.startswith("#"):
            written.append(line)
            continue
        column = len(line) - len(body)
        while above and above[-1].column >= column:
            above.pop()
        parent = above[-1] if above else Opener(-1, "", data=False)
        if parent.data:
            above.append(Opener(column, "", data=True))
            written.append(line)
            continue
        if body.rstrip() in ("either:", "all:"):
            condition, at = conditions(lines, at - 1)
            written.append(" " * column + condition)
            continue
        taken = _TAKEN.search(code_of(body))
        if taken and not _IN_PLACE.search(body):
            remarks.append(Remark(at, f'"{taken[1]}" has become a word of the language: choose another name for it'))
        body = renamed(body, parent)
        item = _CASE.match(body)
        if item:
            written.append(" " * column + item[1] + ":" + body[item.end() :])
            written.append(
                " " * (column + 2)
                + "nature: "
                + item[2].replace("scenario", "expansion")
                + (", already in text" if item[3] else "")
            )
        else:
            written.append(" " * column + body)
        data = bool(_DATA.match(body)) and not _OVERLAY.match(body)
        above.append(Opener(column, first_word(body), data))
    return "\n".join(written), tuple(remarks)


def of_libraries(text: str) -> str:
    """The text with the cases of libraries by the names of these, unless it has such cases of its own."""
    if re.search(r"^ *case L\.[1-4]\b", text, re.MULTILINE):
        return text
    return _CITING.sub(lambda m: _OF_LIBRARY.sub(lambda case: _LIBRARIES[case[0]], m[0]), text)


def first_word(body: str) -> str:
    found = _FIRST.match(body)
    return found[1] if found else ""


def renamed(body: str, parent: Opener) -> str:
    """One line with its words changed."""
    for old, new in _WORDS:
        body = old.sub(new, body) if old.match(body) else body
    if parent.word == "example":
        body = re.sub(r"^scenario (\w+)$", r"given scenario \1", body)
    if parent.word in ("option", "errata", "expansion", "variant", "edition"):
        body = re.sub(r"^kind[ \t]*:", "nature:", body)
        body = re.sub(r"^nature:[ \t]*scenario\b", "nature: expansion", body)
    if parent.word in ("gather", "define"):
        body = re.sub(r"^steps[ \t]*:", "stages:", body)
    if parent.word not in _HOLDS_REMARKS:
        body = re.sub(r'^note (?=")', "log ", body)
    if first_word(body) != "note":
        code = code_of(body)
        inline = re.search(r":[ \t]+note[ \t]+$", code[: body.find('"')]) if '"' in body else None
        body = body[: inline.start()] + ": log " + body[inline.end() :] if inline else body
    return listed(body)


def listed(body: str) -> str:
    """`lowest(it over {a, b})` as `lowest(a, b)`."""
    start = 0
    while found := _LISTED.search(code_of(body), start):
        code, depth, end = code_of(body), 1, found.end()
        while depth and end < len(code):
            depth += (code[end] in "{([") - (code[end] in "})]")
            end += 1
        start = found.start() + 1
        inner = body[found.end() : end - 1]
        if not depth and code[end : end + 1] == ")" and "," in inner:
            body = f"{body[: found.start()]}{found[1]}({inner}{body[end:]}"
    return body


def conditions(lines: list[str], at: int) -> tuple[str, int]:
    """The lines below `either:` or `all:` as one condition in brackets, and the line behind them."""
    head = lines[at]
    column = len(head) - len(head.lstrip())
    parts: list[str] = []
    at += 1
    while at < len(lines):
        body = lines[at].lstrip()
        if body and len(lines[at]) - len(body) <= column:
            break
        if body.rstrip() in ("either:", "all:"):
            inner, at = conditions(lines, at)
            parts.append(inner)
            continue
        at += 1
        if body and not body.startswith("#"):
            parts.append(f"({body.rstrip()})" if _JOINED.search(body) else body.rstrip())
    return "(" + (" or " if head.strip() == "either:" else " and ").join(parts) + ")", at
