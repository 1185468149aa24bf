"""Hints about brackets, quotes, and signs of other languages.

In:  the spot where parsing stopped.
Out: a message and what to do next; None where the mistake is another one.
"""

from __future__ import annotations

import re

from .spot import Hint, Spot

OPERATORS = {
    "==": "=",
    "===": "=",
    "=>": ">=",
    "=<": "<=",
    "<>": "!=",
    "!==": "!=",
    "&&": "and",
    "&": "and",
    "||": "or",
    "|": "or",
    "!": "not",
    "~": "not",
    "%": "/",
    "**": "*",
    "+=": "+",
    "-=": "-",
    "--": "-",
    "++": "+",
    "=-": "= -",
    ":=": "=",
    "≤": "<=",
    "≥": ">=",
    "≠": "!=",
    "×": "*",
    "÷": "/",
    "–": "-",
    "—": "-",
    "−": "-",
    "→": "->",
}


CLOSES = {")": "(", "]": "[", "}": "{"}


def bracket_left_open(spot: Spot) -> Hint:
    if spot.kind == "$END" and spot.word in ("(", "[", "{"):
        close = {o: c for c, o in CLOSES.items()}[spot.word]
        return f'this "{spot.word}" is never closed', f'add the "{close}" where the bracket ends'
    still_open = open_brackets(spot.before)
    if spot.word in CLOSES:
        if not still_open:
            return f'this "{spot.word}" closes no bracket', "remove it, or open the bracket before it"
        if still_open[-1] != CLOSES[spot.word]:
            return (
                f'"{spot.word}" does not close "{still_open[-1]}"',
                "close brackets in the order they opened",
            )
    elif still_open and spot.expected & {"RPAR", "RSQB", "RBRACE"} and spot.word in ("when", "otherwise", ":", "so"):
        return (
            f'"{spot.word}" stands inside a bracket: the "{still_open[-1]}" before it is not closed',
            f'close the bracket before "{spot.word}"',
        )
    return None


def open_brackets(text: str) -> list[str]:
    found: list[str] = []
    for ch in re.sub(r'"[^"]*"', "", text):
        if ch in "([{":
            found.append(ch)
        elif ch in CLOSES and found:
            found.pop()
    return found


def quote_left_open(spot: Spot) -> Hint:
    if spot.word == '"' and '"' not in spot.after:
        help = 'end it with " on the same line; a long text goes on as another one in the next, indented deeper'
        return "this text has no closing quote", help
    if spot.word in ("'", "`"):
        return "a text stands in double quotes", f'write "..." instead of {spot.word}...{spot.word}'
    return None


def text_beside_text(spot: Spot) -> Hint:
    if not spot.word.startswith('"'):
        return None
    if spot.starts:
        return "a text stands here by itself", "indent it deeper than the line above, if it goes on with a text there"
    if spot.before.rstrip().endswith('"'):
        return "two texts stand side by side", "put a comma between two names of units"
    return None


def foreign_operator(spot: Spot) -> Hint:
    lead = re.search(r"[=<>!&|+*:-]*$", spot.before)
    trail = re.match(r"[=<>!&|%~+*-]*", spot.word)
    sign = (lead.group() if lead else "") + (trail.group() if trail else "")
    if spot.word in ("<=", ">=", "!=", "->") or sign == spot.before.strip():
        return None
    if sign in OPERATORS and trail and trail.group():
        return f'"{sign}" is no sign of this language', f'write "{OPERATORS[sign]}"'
    return None


def letter_hint(line: str, column: int) -> tuple[str, str, int]:
    """Message, help and width for a sign outside ASCII that stands outside texts and comments."""
    sign = line[column - 1]
    if sign in "“”„«»‟":
        return "a curly quote does not open a text", 'write the plain quote: "', 1
    if sign in "‘’‚":
        return "a curly quote does not open a text", 'texts stand in plain double quotes: "..."', 1
    if sign in OPERATORS:
        return f'"{sign}" is no sign of this language', f'write "{OPERATORS[sign]}"', 1
    if sign.isspace():
        return "a space of an unusual kind stands here", "replace it by a plain space", 1
    if not sign.isalpha():
        return f'"{sign}" is no sign of this language', "write it in a text in quotes, or leave it out", 1
    start = column - 1
    while start and re.match(r"\w", line[start - 1]):
        start -= 1
    match = re.match(r"\w+", line[start:])
    word = match.group() if match else sign
    return (
        f'the name "{word}" holds the letter "{sign}"',
        "names are written with the letters a to z, digits and _; texts in quotes may hold any letter",
        1,
    )
