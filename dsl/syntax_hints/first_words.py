"""Hints about the word that opens a line: one that is none, stands at the wrong place, or misses its companion.

In:  the spot where parsing stopped.
Out: a message and what to do next; None where the mistake is another one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from ..diagnostics import near
from .spot import WORD, Hint, Spot
from .words import any_of, keywords, openers

FOLDS = frozenset(("count", "sum", "each", "highest", "lowest"))


FORMS = {
    "repeat": "write: repeat at most NUMBER while CONDITION:",
    "for": "write: for each NAME in SET:",
    "let": "write: let NAME = VALUE",
    "roll": "write: roll NAME = 1d6",
    "put": "write: put UNITS in PLACE",
    "walk": "write: walk UNIT along PATH",
    "draw": "write: draw NAME from CUP",
    "make": "write: make NAME from POOL in PLACE with MARK = VALUE",
    "add": "write: add to NAME: VALUE when CONDITION",
    "amend": "write: amend CASE NAME: OLD becomes NEW, or amend @HEX.FIELD: OLD becomes NEW",
    "except": "write: except CASE NAME: VALUE when CONDITION, or except CASE NAME when CONDITION: and statements",
}


FORMER = {
    "instead": "write: except CASE NAME when CONDITION: (rulewright fmt --upgrade does it for you)",
    "schedule": "keep what is to come in a mark, and write: on start of PHASE when CONDITION:",
}


DATA = frozenset(("COLON", "STRING"))


def capital_keyword(spot: Spot) -> Hint:
    for word in (spot.word, spot.first):
        small = word.lower()
        if word == small or small not in keywords():
            continue
        if (word == spot.word and small.upper() in spot.expected) or (
            word == spot.first and (spot.expected <= {*DATA, "NAME"} or spot.starts)
        ):
            return f'"{word}" has capital letters', f'the words of the language are small: write "{small}"'
    return None


def value_before_otherwise(spot: Spot) -> Hint:
    if spot.first == "else" and "OTHERWISE" in spot.expected:
        return 'a definition has no "else"', "write the value first, and the word last: VALUE otherwise"
    if spot.first == "otherwise" and spot.starts:
        return (
            '"otherwise" has no value before it',
            "write the value first, and the word last: VALUE otherwise",
        )
    return None


def if_in_definition(spot: Spot) -> Hint:
    if spot.prior == "if" and "OTHERWISE" in spot.expected:
        return (
            'a definition has no "if"',
            "put the value first and its condition last: VALUE when CONDITION; end with VALUE otherwise",
        )
    if spot.word == "if" and "WHEN" in spot.expected:
        return 'the condition of a rule follows "when", not "if"', 'write "when" in place of "if"'
    if spot.word == ":" and spot.first in ("forbid", "stop", "waive") and "WHEN" in spot.expected:
        return f'the condition of "{spot.first}" follows "when", not a colon', 'write "when" in place of ":"'
    if spot.word == "when" and spot.expected == {"_NL"}:
        return (
            'a statement takes no "when"',
            f'open a block above it: "if CONDITION:", then "{spot.first} ..."',
        )
    return None


def ask_form(spot: Spot) -> Hint:
    if not re.search(r"(^|[\s:])ask\s", spot.before):
        return None
    form = "ask SIDE for one NAME from SET (or some, order), or ask SIDE whether NAME"
    if {"FOR", "WHETHER"} <= spot.expected:
        return '"ask" lacks its "for"', form
    if spot.expected == {"FROM"}:
        if spot.prior == "from":
            return 'the answer that "ask" brings lacks a name', form
        return '"ask" lacks its "from"', form
    if spot.expected <= {"ONE", "SOME", "ORDER", "SHARES"}:
        return f'"ask ... for" is followed by one, some, order or shares, not "{spot.word}"', form
    return None


def else_without_colon(spot: Spot) -> Hint:
    if spot.first == "else" and {"COLON", "IF"} <= spot.expected:
        return '"else" lacks its colon', 'write "else:" (or "else if CONDITION:")'
    return None


def former_word(spot: Spot) -> Hint:
    """A word that older versions had: what stands for it today."""
    if spot.first in FORMER and len(spot.before.split()) <= 2:
        return f'"{spot.first}" is no word of the language any more', FORMER[spot.first]
    return None


def two_exceptions(spot: Spot) -> Hint:
    """`except` gives a value, then its condition; or it has its condition first, and acts."""
    if spot.first != "except":
        return None
    if "DO" in spot.expected and "NAME" not in spot.expected and re.search(r"\swhen\s.*:\s*$", spot.before):
        return "the condition of a value stands behind it", FORMS["except"]
    word = re.search(r":\s*([a-z]+)(\s+when|\s+otherwise)?\s*$", spot.before)
    goes_on = word and (word[2] or spot.ends or spot.word in ("when", "otherwise", "+", "*", "/", "."))
    if word and goes_on and word[1] in openers("act"):
        return f'"{word[1]}" opens a statement here', f"write ({word[1]}) where a value of that name is meant"
    return None


def not_a_declaration(spot: Spot) -> Hint:
    """A line whose first word is none of ours parses as data (`KIND NAME:`) up to here."""
    data = spot.expected <= DATA and re.fullmatch(r"\s*[A-Za-z_]\w*\s+\w+\s*", spot.before)
    if not data and not (spot.expected == {"NAME"} and re.fullmatch(r"\s*[A-Za-z_]\w*\s*", spot.before)):
        return None
    first = spot.first
    if first in openers("stmt") and first not in openers("decl"):
        return (
            f'"{first}" is a statement and cannot stand in a case by itself',
            "put it inside a procedure, an action, a sequence or an `on ...:` block",
        )
    if first in openers("decl"):
        return None
    if first in keywords():
        return f'"{first}" does not open a line here', "join it to the line above, or check the indentation"
    found = misspelt(first, openers("decl"), data=spot.expected <= DATA and spot.ends)
    if found is None and not data:
        return (
            f'"{first}" opens no line here',
            "open it with a word such as case or define; data reads KIND NAME:",
        )
    return found


def misspelt(word: str, known: Iterable[str], data: bool = False) -> Hint:
    names = near(word, known)
    if names and not data:
        return f'"{word}" opens no line here', "did you mean " + " or ".join(f'"{name}"' for name in names) + "?"
    return None


def wrong_opener(spot: Spot) -> Hint:
    if not spot.starts or spot.ends or spot.kind == "_INDENT":
        return None
    known = {word for word in keywords() if word.upper() in spot.expected}
    if "FACET" in spot.expected:
        known |= set(["over", "budget", "leave", "cross", "enter", "jump"])
    if spot.word in openers("decl") and "LET" in spot.expected:
        return (
            f'"{spot.word}" is a declaration and cannot stand among statements',
            "move it out of this block; check the indentation",
        )
    if spot.word in openers("stmt") and spot.word not in known and "DEFINE" in spot.expected:
        return (
            f'"{spot.word}" is a statement and cannot stand in a case by itself',
            "put it inside a procedure, an action, a sequence or an `on ...:` block",
        )
    if spot.word in ("elif", "elsif", "elseif"):
        return f'"{spot.word}" is no word of this language', 'write "else if CONDITION:"'
    if spot.word == "else":
        return 'this "else" follows no "if"', 'line it up with its "if"; nothing may stand between the two'
    if spot.word == "failing":
        return 'this "failing" follows no "ask" or "make"', "line it up with the statement right above it"
    if not WORD.fullmatch(spot.word) or not known:
        return None
    if "LET" in spot.expected and re.match(r"[\w.() ]*=", spot.after):
        return (
            f'"{spot.word} = ..." is no statement',
            'write "let NAME = ..." to name a value, or "set MARK = ..." to change a mark',
        )
    return misspelt(spot.word, known) or (
        f'"{spot.word}" opens no line here',
        f"a line here opens with {any_of(known)}",
    )


def keyword_as_name(spot: Spot) -> Hint:
    if spot.expected == {"LPAR"} and spot.prior in FOLDS:
        form = "count(SET)" if spot.prior == "count" else f"{spot.prior}(VALUE over SET)"
        form += f" or {spot.prior}(A, B)" if spot.prior in ("highest", "lowest") else ""
        return (
            f'"{spot.prior}" is a word of the language, not a name',
            f"write {form}, or choose another name",
        )
    if spot.word in keywords() and spot.expected == {"NAME"} and spot.kind != "NAME":
        return f'"{spot.word}" is a word of the language, not a name', "choose another name"
    return None
